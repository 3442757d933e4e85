"""How many instructions a move takes, counted by valgrind: the same on a busy machine as on a quiet
one.

    python -m bench.instructions --durable
    python -m bench.instructions --transport --durable --commit COMMIT

Counts what the process that serves executes outside of the kernel, under the full load of many
Hexxagon matches. `--transport` counts the transport's part of it only (`servers/relay.py`), with
messages of the same sizes.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path

import click

from bench.connections import WebSocketConnection
from bench.contenders import DURABLE_OPTION, daemon
from bench.former import ROOT, checked_out
from bench.hexxagon_load import STATUS, HexxagonLoad
from bench.load import Group, Script, Step, replay
from bench.measure import Server, running

# Moves of each match: those that do not count, and those that do.
WARM_UP, COUNTED = 10, 20
PATIENCE = 600.0

MOVE = b'{"messageType":"GameMove","userId":"%b",' % (b"u" * 36) + b"x" * 80 + b"}"

# To valgrind, an instruction that copies a long string is one for each byte: do without it.
PLAIN_COPIES = f"glibc.cpu.x86_rep_movsb_threshold={1 << 30}"

# Valgrind makes everything some fifty times slower; a turn is to do as much as without it.
SLOW = "import transports.poller as poller; poller.TURN_SECONDS = 1.0; import runpy, sys; "
DAEMON = SLOW + "runpy.run_module('ludothek', run_name='__main__', alter_sys=True)"
RELAY = SLOW + "sys.argv[0:1] = []; runpy.run_path(sys.argv[0], run_name='__main__')"


@click.command(help=__doc__)
@click.option("--commit", help="Of this commit, instead of the working tree.")
@click.option("--durable", is_flag=True, help="With --durable, as far as it has that.")
@click.option("--transport", is_flag=True, help="Only the transport's part.")
@click.option("--matches", default=50, help="Matches at once.")
def main(commit: str | None, durable: bool, transport: bool, matches: int) -> None:
    if shutil.which("valgrind") is None:
        raise click.ClickException("valgrind is not installed")
    os.environ["GLIBC_TUNABLES"] = PLAIN_COPIES
    with ExitStack() as stack:
        tree = stack.enter_context(checked_out(commit)) if commit else ROOT
        notes = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        if transport:
            server = stack.enter_context(_relay(tree, notes, durable=durable))
            count = count_relay(server, notes, matches)
        else:
            server = stack.enter_context(_daemon(tree, notes, durable=durable))
            count = count_daemon(server, notes, matches)
    click.echo(f"{count:,.0f} instructions per move")


def _valgrind(notes: Path, code: str) -> list[str]:
    options = ["--tool=callgrind", "--instr-atstart=no", "--trace-children=yes"]
    options += [f"--callgrind-out-file={notes}/%p", "--quiet"]
    return ["valgrind", *options, sys.executable, "-c", code]


def _daemon(tree: Path, notes: Path, *, durable: bool) -> AbstractContextManager[Server]:
    options = ["--game", "hexxagon", "--port", "0", *([DURABLE_OPTION] if durable else [])]
    return daemon(*options, tree=tree, program=_valgrind(notes, DAEMON))


@contextmanager
def _relay(tree: Path, notes: Path, *, durable: bool) -> Iterator[Server]:
    script = str(ROOT / "bench/servers/relay.py")
    command = [*_valgrind(notes, RELAY), script, *(["durable"] if durable else [])]
    path = {"PYTHONPATH": f"{tree}:{tree / 'platform'}"}
    with running(command, environment=path, folder=tree) as server:
        yield server


def count_relay(server: Server, notes: Path, matches: int) -> float:
    connections = [WebSocketConnection.open(server.port) for _ in range(2 * matches)]
    for connection in connections:
        connection.receive()  # it is welcome
    pairs = list(zip(connections[::2], connections[1::2], strict=True))

    def play(moves: int) -> int:
        script = Script([Step(number % 2, b"") for number in range(moves)])
        groups = [Group(pair, (MOVE, MOVE), script) for pair in pairs]
        return replay(groups, STATUS, seconds=PATIENCE).steps

    play(WARM_UP)
    return _counted(server, notes, lambda: play(COUNTED))


def count_daemon(server: Server, notes: Path, matches: int) -> float:
    load = HexxagonLoad(server.port, WebSocketConnection.open, seed=1)
    load.connect(2 * matches)
    load.deal()
    load.play(seconds=PATIENCE, moves=WARM_UP)
    load.leave()
    load.deal()
    try:
        return _counted(
            server, notes, lambda: load.play(seconds=PATIENCE, moves=WARM_UP + COUNTED).steps
        )
    finally:
        load.close()


def _counted(server: Server, notes: Path, play: Callable[[], int]) -> float:
    _control(server, "--instr=on")
    moves = play()
    _control(server, "--instr=off")
    _control(server, "--dump")
    totals = [
        int(found[1])
        for note in notes.iterdir()
        if (found := re.search(r"^totals: (\d+)", note.read_text(), re.MULTILINE))
    ]
    return max(totals) / moves


def _control(server: Server, order: str) -> None:
    subprocess.run(["callgrind_control", order, str(server.pid)], check=True, capture_output=True)


if __name__ == "__main__":
    main()
