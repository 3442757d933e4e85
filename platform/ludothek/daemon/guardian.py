"""The guardian: it holds the sockets of a daemon, and starts it again when it dies.

It plays the service manager's part where there is none, by the same protocol: the daemon stores
descriptors with it (`NOTIFY_SOCKET`), and the next process inherits them (`LISTEN_FDS`).

It must never fail, and is in every durable daemon's way when it starts. So it is plain code that
uses nothing but the standard library, and little of that.
"""

import ctypes
import os
import resource
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from fcntl import F_DUPFD, fcntl
from operator import is_
from typing import NoReturn

from ludothek.daemon.deposit import Deposit
from ludothek.daemon.guarded import (
    AGAIN,
    DIED,
    FIRST_DESCRIPTOR,
    GUARDIAN,
    KILLED,
    MISTAKEN,
    PR_SET_PDEATHSIG,
    RESTARTS,
    RUNTIME_DIR,
    SAY,
    SPARE,
    renumber,
)
from ludothek.daemon.program import installed_program
from ludothek.daemon.runtime_directory import CannotUse, RuntimeDirectory
from ludothek.daemon.starts import MOST_FAILURES, Starts

PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1)
ENDS = (signal.SIGTERM, signal.SIGINT)

# Some systems allow a billion descriptors. Of those allowed, the guardian needs some for itself.
MOST_DESCRIPTORS = 65_536
OWN_DESCRIPTORS = 32

MESSAGE_BYTES = 4096
FAILURE = 1
CANNOT_START = 127

PR_SET_CHILD_SUBREAPER = 36

# For a spare process to take what it is given, in so many pieces.
SPARE_SECONDS = 5.0
BATCH = 200


def guard() -> int:
    """Run the daemon of this command line until it ends; returns its exit code."""
    try:
        directory = RuntimeDirectory.of(os.environ, _runtime_dir(sys.argv))
        guardian = Guardian(directory, [*installed_program(), *sys.argv[1:]])
    except (CannotUse, OSError) as problem:
        return _fail(str(problem))
    try:
        return guardian.run()
    finally:
        guardian.close()


def _runtime_dir(arguments: Sequence[str]) -> str:
    for number, word in enumerate(arguments):
        name, equals, value = word.partition("=")
        if name == "--runtime-dir":
            return value if equals else "".join(arguments[number + 1 : number + 2])
    return ""


class Guardian:
    """One daemon after the other, and the descriptors that they have stored."""

    def __init__(self, directory: RuntimeDirectory, command: list[str]) -> None:
        self._directory, self._command = directory, command
        self._epoll = select.epoll()
        self._deposit = Deposit(self._epoll, max(0, _raise_limit() - OWN_DESCRIPTORS))
        self._process = os.getpid()
        self._daemon = 0  # its process; 0 while there is none
        self._spare: tuple[int, socket.socket] | None = None  # a process, and how to reach it
        self._starts = Starts()
        self._ready = self._was_ready = False  # this daemon; any of them
        self._said: set[str] = set()
        self._ending = self._was_killed = False
        self._wake, self._woken = socket.socketpair()
        self._notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._address = os.path.join(directory.path, "notify")
        self._prctl = ctypes.CDLL(None).prctl
        self._prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # a spare process becomes our child
        self._listen()

    def _listen(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._address)  # of a guardian that was killed: we have its lock
        try:
            self._notified.bind(self._address)
        except OSError as error:  # paths of sockets are short
            problem = error.strerror or str(error)
            raise CannotUse(f"runtime directory {self._directory.path}: {problem}") from None
        for each in (self._notified, self._wake, self._woken):
            each.setblocking(False)
        for each in (self._notified, self._woken):
            self._epoll.register(each, select.EPOLLIN)
        signal.set_wakeup_fd(self._wake.fileno(), warn_on_full_buffer=False)
        for number in (*PASSED_ON, signal.SIGCHLD):
            # The next signal could interrupt a handler in Python, and so on. This one does nothing.
            signal.signal(number, is_)

    def close(self) -> None:
        with suppress(OSError):
            os.unlink(self._address)
            os.rmdir(self._directory.path)

    # Waiting

    def run(self) -> int:
        """Guard until the daemon has ended for good; returns the exit code."""
        self._start()
        code = None
        while code is None:
            patience = self._starts.patience
            told = {descriptor for descriptor, _ in self._epoll.poll(patience)}
            # First, because numbers that become free are used again.
            for descriptor in told & self._deposit.names.keys():
                self._deposit.notice_end(descriptor, served=self._ready)
            if self._notified.fileno() in told:
                self._hear()
            if self._woken.fileno() in told:
                code = self._notice_signals()
            if patience == 0 and code is None:  # after a last look at who has hung up
                self._start()
        return code

    def _notice_signals(self) -> int | None:
        numbers: set[int] = set()
        with suppress(BlockingIOError):
            while some := self._woken.recv(MESSAGE_BYTES):
                numbers.update(some)
        self._ending = self._ending or not numbers.isdisjoint(ENDS)
        for number in numbers.intersection(PASSED_ON):
            if self._daemon:
                os.kill(self._daemon, number)
        if self._ending and not self._daemon:
            return 0
        return self._reap()

    def _reap(self) -> int | None:
        """Bury dead processes, which are not only our own if we are the first of a container."""
        code = None
        with suppress(ChildProcessError):
            while dead := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                if dead.si_pid == self._daemon:
                    self._end_workers()
                _, status = os.waitpid(dead.si_pid, 0)
                if dead.si_pid == self._daemon:
                    code = self._bury(os.waitstatus_to_exitcode(status))
        return code

    def _end_workers(self) -> None:
        """Processes that the daemon has started are of no use to the next one."""
        with suppress(OSError):
            os.killpg(self._daemon, signal.SIGKILL)

    def _bury(self, code: int) -> int | None:
        """Decide what follows from the daemon's death: an exit code of our own, or a start."""
        self._daemon = 0
        self._was_killed = code == -signal.SIGKILL
        self._hear()  # what it has said last
        if self._ending:
            return 0 if code == AGAIN or -code in ENDS else code if code >= 0 else 128 - code
        if code == 0 or (code > 0 and code != AGAIN and not self._was_ready):
            return code
        # These come from outside, however early; somebody will mend the configuration.
        failed = code not in (AGAIN, -signal.SIGKILL, MISTAKEN)
        self._starts.end(served=self._ready, failed=failed)
        failures = self._starts.failures
        if failures > MOST_FAILURES:
            return _fail(f"the daemon has ended {failures} times before it was ready")
        if code == AGAIN or failures:
            self._drop_spare()  # which is of the same program, and may have the same trouble
        self._ready = False
        return None

    # What the daemon says

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            while True:
                text, descriptors, _, _ = socket.recv_fds(
                    self._notified, MESSAGE_BYTES, 4, socket.MSG_CMSG_CLOEXEC
                )
                self._heed(text.decode(errors="replace").split("\n"), descriptors)

    def _heed(self, lines: Sequence[str], descriptors: Sequence[int]) -> None:
        told = dict(line.partition("=")[::2] for line in lines)
        name = told.get("FDNAME", "stored")
        for descriptor in descriptors:
            if told.get(SPARE, "").isdecimal():
                self._keep_spare(told[SPARE], descriptor)
            elif "FDSTORE" in told:
                self._deposit.hold(name, descriptor)
            else:
                os.close(descriptor)
        if "FDSTOREREMOVE" in told:
            self._deposit.release(name)
        if SAY in told and not self._was_ready:
            self._say(told[SAY])
        if "READY" in told:
            self._ready = self._was_ready = True
            self._deposit.look_again()

    def _say(self, line: str) -> None:
        if line not in self._said:
            self._said.add(line)
            with suppress(OSError, ValueError):  # clients can come even if nobody reads this
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()

    # Starting

    def _start(self) -> None:
        self._starts.begin()
        self._ready = False
        if not os.path.exists(self._address):
            self._move_in_again()
        try:
            self._daemon = self._wake_spare() or self._fork()
        except OSError as error:  # there is no room for a process now, but there may be soon
            _fail(f"the daemon cannot be started: {error.strerror}")
            self._starts.give_up()

    def _move_in_again(self) -> None:
        """Make the runtime directory again: somebody has removed it."""
        try:
            directory = RuntimeDirectory(self._directory.path)
            notified = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            notified.bind(self._address)
        except (CannotUse, OSError) as problem:
            _fail(str(problem))
            return
        os.close(self._directory.lock)
        self._epoll.unregister(self._notified)
        self._notified.close()
        self._directory, self._notified = directory, notified
        self._notified.setblocking(False)
        self._epoll.register(self._notified, select.EPOLLIN)

    def _keep_spare(self, process: str, channel: int) -> None:
        self._drop_spare()
        self._spare = int(process), socket.socket(fileno=channel)

    def _drop_spare(self) -> None:
        if self._spare is not None:
            self._spare[1].close()  # which ends it
            self._spare = None

    def _wake_spare(self) -> int:
        """Have the spare process take over; returns it, or 0 if there is none that can."""
        if self._spare is None:
            return 0
        process, channel = self._spare
        names = self._deposit.names
        told = self._variables([*names.values()], process)
        text = os.fsencode("\0".join(f"{key}={value}" for key, value in told.items()))
        descriptors = [self._directory.lock, *names]
        try:
            os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # it is gone, and its number may be another one's now
            self._drop_spare()
            return 0
        try:
            os.kill(process, signal.SIGCONT)  # one that was stopped would take over and not serve
            channel.settimeout(SPARE_SECONDS)
            channel.sendall(len(text).to_bytes(8, "big") + text)
            for first in range(0, len(descriptors), BATCH):
                socket.send_fds(channel, [b"."], descriptors[first : first + BATCH])
        except OSError:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
            process = 0
        self._drop_spare()
        return process

    def _fork(self) -> int:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        try:
            process = os.fork()
            if not process:
                try:
                    self._become_daemon(before)
                except OSError as error:
                    _fail(f"{self._command[0]}: {error.strerror}")
                finally:
                    os._exit(CANNOT_START)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return process

    def _become_daemon(self, mask: set[int | signal.Signals]) -> NoReturn:
        """The rest of the way of a new process, in which no signal may be lost."""
        signal.set_wakeup_fd(-1)
        for number in (*PASSED_ON, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # until the daemon has something to reload
        # A terminal's Ctrl-C is for the guardian, which passes it on: twice would mean haste.
        os.setpgid(0, 0)
        # Without a guardian, the daemon ends.
        self._prctl(PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != self._process:
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        end = FIRST_DESCRIPTOR + len(self._deposit.names)
        fcntl(self._directory.lock, F_DUPFD, end)  # the daemon uses the directory until it ends
        names = renumber(self._deposit.names)
        environ = {**os.environ, **self._variables(names, os.getpid())}
        os.execve(self._command[0], self._command, environ)

    def _variables(self, names: Sequence[str], daemon: int) -> dict[str, str]:
        """What a daemon finds in its environment."""
        told = {
            "NOTIFY_SOCKET": self._address,
            "FDSTORE": str(self._deposit.room),
            RUNTIME_DIR: self._directory.path,
            GUARDIAN: str(self._process),
            RESTARTS: str(self._starts.count - 1),
            KILLED: str(int(self._was_killed)),
            "LISTEN_PID": str(daemon),
            "LISTEN_FDS": str(len(names)),
            "LISTEN_FDNAMES": ":".join(names),
        }
        if self._was_ready:
            told[DIED] = str(self._starts.died)
        return told


def _raise_limit() -> int:
    """Allow ourselves as many descriptors as possible; returns how many those are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    soft, most = (
        MOST_DESCRIPTORS if limit == resource.RLIM_INFINITY else min(limit, MOST_DESCRIPTORS)
        for limit in (soft, hard)
    )
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def _fail(problem: str) -> int:
    text = f"platform: {problem}"
    if "json" in sys.argv or "--log-format=json" in sys.argv:
        import json

        entry = {"problem": problem, "event": "cannot go on", "level": "error"}
        text = json.dumps(entry)
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()
    return FAILURE
