"""How many functions a move of Hexxagon passes through on its way through the daemon.

    python -m bench.path_of_a_move --list
    python -m bench.path_of_a_move --commit COMMIT

A daemon notes every call of a Python function, from the moment it has read a message from the
socket until it has written the last answer to it. Two clients play the beginning of a match twice.
"""

import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import attrs
import click

from bench.connections import WebSocketConnection
from bench.contenders import daemon
from bench.former import ROOT, checked_out
from bench.hexxagon_load import HexxagonLoad
from bench.measure import Server

PACKAGES = ("games", "ludothek", "transports")
MOVES = 12

# Run before the daemon; prints the latest paths when the daemon has ended. A path is known to be
# complete when the next message is read.
PROFILER = """
import collections, json, runpy, socket, sys

ways, way, written = collections.deque(maxlen=6), [], 0

def note(frame, event, argument):
    global way, written
    if event == "call":
        way.append((frame.f_code.co_filename, frame.f_code.co_qualname))
    elif event != "return" and isinstance(argument.__self__, socket.SocketType):
        if event == "c_call" and argument.__name__ in ("send", "sendmsg"):
            written = len(way)
        elif event == "c_return" and argument.__name__ in ("recv", "recv_into"):
            if written:
                ways.append(way[:written])
            way, written = [], 0

sys.setprofile(note)
try:
    runpy.run_module("ludothek", run_name="__main__", alter_sys=True)
finally:
    sys.setprofile(None)
    print(json.dumps([*ways]))
"""


@attrs.frozen
class Way:
    """The functions that were called for one message, in order."""

    calls: Sequence[tuple[str, str]]

    @classmethod
    def of(cls, noted: Sequence[tuple[str, str]], tree: Path) -> "Way":
        """Only calls of our own functions, with paths relative to the root of the tree."""
        root = f"{tree}/"
        paths = [(file.removeprefix(root).removeprefix("platform/"), name) for file, name in noted]
        return cls([(file, name) for file, name in paths if file.split("/")[0] in PACKAGES])

    @property
    def files(self) -> set[str]:
        return {file for file, _ in self.calls}


def ways(server: Server, tree: Path) -> Sequence[Way]:
    """The paths of some moves after the first ones."""
    load = HexxagonLoad(server.port, WebSocketConnection.open, seed=1)
    load.connect(2)
    load.deal()
    load.play(seconds=60, moves=MOVES)  # what is made only once is made now
    load.leave()
    load.deal()
    load.play(seconds=60, moves=MOVES)
    server.process.terminate()
    assert server.process.stdout
    *_, told = server.process.stdout
    load.close()
    return [Way.of(noted, tree) for noted in json.loads(told)]


@click.command(help=__doc__)
@click.option("--commit", help="Of this commit, instead of the working tree.")
@click.option("--list", "every", is_flag=True, help="Name all functions.")
def main(commit: str | None, every: bool) -> None:
    with ExitStack() as stack:
        tree = stack.enter_context(checked_out(commit)) if commit else ROOT
        command = [sys.executable, "-c", PROFILER]
        server = stack.enter_context(
            daemon("--game", "hexxagon", "--port", "0", tree=tree, program=command)
        )
        # A timer may fire in between, or a page of the journal may be full.
        shortest = min(ways(server, tree), key=lambda way: len(way.calls))
    if every:
        click.echo("\n".join(f"{file} {name}" for file, name in shortest.calls))
    click.echo(f"{len(shortest.calls)} calls in {len(shortest.files)} files")


if __name__ == "__main__":
    main()
