"""The first process of a sandbox: starts the program of an entrant, watches it, ends it.

It runs as `python -I -S launcher.py DESCRIPTOR` and imports nothing of ours, so that it starts
quickly and works wherever a Python interpreter can be seen. In a namespace of its own it is process
1: the program cannot stop or kill it, orphans become its children, and when it ends, the kernel
kills everything that is left. It talks over the given descriptor, a Unix socket that keeps messages
apart, in JSON. When the other end is closed, everything ends.
"""

import ctypes
import errno
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from time import monotonic

TYPE_CHECKING = False  # importing `typing` would take a third of the time to start
if TYPE_CHECKING:
    from typing import Any

# Seconds between two looks at what the program uses. Outside of a namespace, all processes of the
# machine have to be looked at.
LOOK_SECONDS, PLAIN_LOOK_SECONDS = 0.1, 0.5

# Signals that are ignored here, and that a program expects to be as usual.
IGNORED = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)

# A single process may map this many times its memory: thread stacks and the like are never used
# up. What is used is counted; this only stops somebody who is quicker than counting.
MAPPED = 2
MEGABYTE = 1024 * 1024

# Descriptors of each process, as many as usual. There are limits for all processes of a user
# together, such as that on descriptors that are being passed on; ours must never meet them.
DESCRIPTORS = 1024

# Of <linux/prctl.h>.
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 4, 22, 36, 38

# System calls that have no effect: a program could take other cores than its own, or make us wait
# for one. Its architectures as in <linux/audit.h>; 32-bit programs have numbers of their own.
SCHEDULING = {  # sched_setaffinity, _setparam, _setscheduler, _setattr, setpriority, ioprio_set
    0xC000003E: (203, 142, 144, 314, 141, 251),  # x86_64
    0x40000003: (241, 154, 156, 351, 97, 289),
    0xC00000B7: (122, 118, 119, 274, 140, 30),  # aarch64
    0x40000028: (241, 154, 156, 380, 97, 314),
}
# System calls that fail: keys, of Kerberos for example, belong to the user who runs the tournament.
KEYS = {  # add_key, request_key, keyctl
    0xC000003E: (248, 249, 250),
    0x40000003: (286, 287, 288),
    0xC00000B7: (217, 218, 219),
    0x40000028: (309, 310, 311),
}

# Of <linux/seccomp.h> and <linux/filter.h>; a failure without a number is a success.
SECCOMP_MODE_FILTER, ALLOW, FAIL = 2, 0x7FFF0000, 0x00050000
LOAD, AND, IS, RETURN = 0x20, 0x54, 0x15, 0x06
NUMBER, ARCHITECTURE = 0, 4  # offsets of what is loaded
X32 = 0x40000000  # marks the same calls with shorter pointers
RULE = struct.Struct("HBBI")

Usage = tuple[int, int, float]  # bytes, processes and threads, seconds of CPU


def main(descriptor: int) -> None:
    """Do what the other end says, until the program has ended."""
    os.set_inheritable(descriptor, False)  # nothing that the program says is taken for ours
    with socket.socket(fileno=descriptor) as control:
        orders = json.loads(control.recv(1024 * 1024))
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # nobody looks into this process
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the only one that Python handles by itself
        if orders["cores"]:
            os.sched_setaffinity(0, orders["cores"])
        if orders["listen"]:
            with socket.create_server(tuple(orders["listen"])) as listener:
                socket.send_fds(control, [b"{}"], [listener.fileno()])
        else:
            control.send(b"{}")
        watch(control, orders)


def watch(control: socket.socket, orders: "dict[str, Any]") -> None:
    """Start the program and wait for its end, or for that of its time."""
    woken, waker = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    program = start(orders)
    if isinstance(program, str):
        control.send(json.dumps({"not_started": program}).encode())
        return
    seconds = LOOK_SECONDS if os.getpid() == 1 else PLAIN_LOOK_SECONDS
    look_at = monotonic() + seconds
    heard = control.fileno()
    while True:
        ready, _, _ = select.select([heard, woken], [], [], max(0.0, look_at - monotonic()))
        if woken in ready:
            os.read(woken, 4096)
            status = reap(program)
            if status is not None:
                code = os.waitstatus_to_exitcode(status)
                report = {"exit": code, "left": len(family()), "peak": peak()}
                control.send(json.dumps(report).encode())
                break
        if heard in ready:
            word = control.recv(1024)
            if word != b"term":
                break
            stop(program)
        if monotonic() >= look_at:
            look_at = monotonic() + seconds
            if (exceeded := excess(orders)) is not None:
                control.send(json.dumps({"exceeded": exceeded}).encode())
                break
    end_all()


def start(orders: "dict[str, Any]") -> int | str:
    """The process of the program, or why it cannot be started."""
    told, tell = os.pipe2(os.O_CLOEXEC)
    program = os.fork()
    if program:
        os.close(tell)
        with os.fdopen(told) as channel:
            return channel.read() or program
    try:
        os.setsid()
        for each in IGNORED:
            signal.signal(each, signal.SIG_DFL)
        signal.set_wakeup_fd(-1)
        limit(orders["limits"])
        if orders["confined"]:
            confine()
        os.chdir(orders["directory"])
        os.execvpe(orders["command"][0], orders["command"], orders["environment"])
    except OSError as error:
        os.write(tell, (error.strerror or str(error)).encode())
    os._exit(127)


def limit(limits: dict[str, int]) -> None:
    """What the kernel itself enforces for each process."""
    data = limits["memory"] * MAPPED * MEGABYTE
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_DATA, data)
    lower(resource.RLIMIT_FSIZE, limits["files"] * MEGABYTE)
    lower(resource.RLIMIT_CPU, limits["cpu"] + 1)
    lower(resource.RLIMIT_NOFILE, DESCRIPTORS)
    if os.getppid() == 1:  # otherwise all processes of this user count
        # With the launcher, and one too many, so that it is noticed.
        lower(resource.RLIMIT_NPROC, limits["processes"] + 2)


def confine() -> None:
    """Take system calls away, from all children too; on other machines nothing happens.

    Whoever binds itself to a core is told that it has worked, so that no program fails for trying.
    """
    rules = rule(LOAD, ARCHITECTURE)
    for architecture, scheduling in SCHEDULING.items():
        block = rule(LOAD, NUMBER) + rule(AND, 0xFFFFFFFF ^ X32)
        for number in scheduling:
            block += rule(IS, number, 1) + rule(RETURN, FAIL)
        for number in KEYS[architecture]:
            block += rule(IS, number, 1) + rule(RETURN, FAIL | errno.EPERM)
        block += rule(RETURN, ALLOW)
        rules += rule(IS, architecture, len(block) // RULE.size) + block
    rules += rule(RETURN, ALLOW)
    array = ctypes.create_string_buffer(rules, len(rules))
    table = struct.pack("HP", len(rules) // RULE.size, ctypes.addressof(array))
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.create_string_buffer(table), 0, 0)


def rule(code: int, value: int, skipped: int = 0) -> bytes:
    """An instruction of a filter; a comparison that fails skips so many others."""
    return RULE.pack(code, 0, skipped, value)


def lower(what: int, value: int) -> None:
    _, most = resource.getrlimit(what)
    if most != resource.RLIM_INFINITY:
        value = min(value, most)
    resource.setrlimit(what, (value, value))


def reap(program: int) -> int | None:
    """Let all ended children go; the status of the program, if it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if not pid:
            return found
        if pid == program:
            found = status


def peak() -> int:
    """The most memory that one process had, in bytes."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def stop(program: int) -> None:
    """Ask the program, and what it has started, to end."""
    with suppress(ProcessLookupError):
        os.killpg(program, signal.SIGTERM)


def excess(orders: "dict[str, Any]") -> str | None:
    """Which bound the program and its children have exceeded together."""
    limits = orders["limits"]
    memory, processes, cpu = usage()
    if processes > limits["processes"]:  # of which each takes memory, too
        return "processes"
    most = limits["memory"] * MEGABYTE
    if memory > most and memory - shared() > most:
        return "memory"
    return "cpu" if cpu > limits["cpu"] else None


def usage() -> Usage:
    gone = resource.getrusage(resource.RUSAGE_CHILDREN)
    memory, processes, cpu = 0, 0, gone.ru_utime + gone.ru_stime
    page, tick = os.sysconf("SC_PAGE_SIZE"), os.sysconf("SC_CLK_TCK")
    for pid in family():
        fields = stat(pid)
        if fields:
            cpu += sum(map(int, fields[11:15])) / tick  # its own, and of children that it awaited
            processes += int(fields[17])
            memory += int(fields[21]) * page
    return memory + (detached() if os.getpid() == 1 else 0), processes, cpu


def shared() -> int:
    """Bytes that were counted several times: forked processes share what none of them changes.

    The kernel takes much longer to find this out than to say how much each process has.
    """
    found = 0
    for pid in family():
        with suppress(OSError), open(f"/proc/{pid}/smaps_rollup") as file:
            sizes = {line.split()[0]: int(line.split()[1]) for line in list(file)[1:]}
            found += (sizes.get("Rss:", 0) - sizes.get("Pss:", 0)) * 1024
    return found


def detached() -> int:
    """Bytes of System V memory that the program has taken and that no process has mapped."""
    try:
        with open("/proc/sysvipc/shm") as file:
            head, *lines = [line.split() for line in file]
    except OSError:
        return 0
    rss, mapped = head.index("rss"), head.index("nattch")
    return sum(int(line[rss]) for line in lines if line[mapped] == "0")


def family() -> list[int]:
    """All descendants of this process."""
    me = os.getpid()
    everybody = [int(name) for name in os.listdir("/proc") if name.isdigit()]
    if me == 1:
        return [pid for pid in everybody if pid != me]
    parents = {pid: int(fields[1]) for pid in everybody if (fields := stat(pid))}
    found: set[int] = set()
    new = {me}
    while new:
        new = {pid for pid, parent in parents.items() if parent in new} - found
        found |= new
    return [*found]


def stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may contain anything."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def end_all() -> None:
    """Kill what is left; new children may appear meanwhile, but not for ever."""
    for _ in range(100):
        left = family()
        if not left:
            return
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        reap(0)
        select.select([], [], [], 0.005)


if __name__ == "__main__":
    main(int(sys.argv[1]))
