"""Many Penguins rooms at once: are all results right, and does the memory come back?

A daemon runs in a process of its own. Before the first and after every round, when nobody is
there, it is asked how many objects and memory blocks are alive in it, and its size (VmRSS in /proc)
is taken. Objects and blocks must come back to where they were. The size stays where the busiest
moment has brought it, since the interpreter keeps what is free, but must not go on growing.
"""

import argparse
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import attrs
import trio

from games.penguins import GAME
from games.penguins.codec import CODEC
from games.penguins.messages import Memento, Result, Room
from games.penguins.player import PenguinsPlayer
from games.penguins.rules import State, score, winner
from ludothek.contract.player import PlayerOptions, Report, Utterance
from ludothek.runtime.playing import play

# The normal daemon, except that on a signal it reports what is alive in it.
DAEMON = """
import gc, json, signal, sys
from ludothek.cli import commands as cli

def count(number, frame):
    gc.collect()
    alive = {"objects": len(gc.get_objects()), "blocks": sys.getallocatedblocks()}
    print(json.dumps(alive), flush=True)

signal.signal(signal.SIGUSR1, count)
cli.main()
"""

RANDOM = len(GAME.difficulties) - 1


class Witness:
    """A random player that checks the result against the last state it has seen."""

    def __init__(self, rng: random.Random) -> None:
        self._player = PenguinsPlayer(PlayerOptions(difficulty=RANDOM), rng)
        self._state: State | None = None
        self.right = False

    def greet(self) -> Iterable[Utterance]:
        return self._player.greet()

    def hear(self, message: Any) -> Iterable[Utterance]:
        match message:
            case Room(data=Memento(state=state)):
                self._state = state
            case Room(data=Result() as result):
                self.right = _is_right(result, self._state)
        return self._player.hear(message)

    def idle(self) -> Iterable[Utterance]:
        return ()


def _is_right(result: Result, state: State | None) -> bool:
    if state is None or not state.over:
        return False
    points = tuple(entry.points for entry in result.scores)
    fish = tuple(entry.fish for entry in result.scores)
    return (points, fish, result.winner) == (score(state), state.fish, winner(state))


@attrs.define
class Round:
    """All games of one round: everybody connects, then everybody joins and plays."""

    port: int
    rooms: int
    right: int = 0
    most_kib: int = 0
    connected: int = 0
    everybody: trio.Event = attrs.field(factory=trio.Event)

    async def run(self, pid: int) -> None:
        async with trio.open_nursery() as watching:
            watching.start_soon(self._watch, pid)
            async with trio.open_nursery() as playing:
                for number in range(2 * self.rooms):
                    playing.start_soon(self._visit, number)
            watching.cancel_scope.cancel()

    async def _watch(self, pid: int) -> None:
        while True:
            self.most_kib = max(self.most_kib, resident(pid))
            await trio.sleep(0.5)

    async def _visit(self, number: int) -> None:
        witness = Witness(random.Random(number))
        async with GAME.transport.connect("127.0.0.1", self.port) as link:
            self.connected += 1
            if self.connected == 2 * self.rooms:
                self.everybody.set()
            await self.everybody.wait()
            await play(link, CODEC, witness, _ignore)
        self.right += witness.right


def _ignore(report: Report) -> None:
    pass


def resident(pid: int) -> int:
    """KiB of resident memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1])


def alive(daemon: "subprocess.Popen[str]") -> dict[str, int]:
    """What is alive in the daemon when nobody is connected."""
    time.sleep(2)  # the daemon lingers for a moment over every connection
    daemon.send_signal(signal.SIGUSR1)
    assert daemon.stdout
    counts: dict[str, int] = json.loads(daemon.stdout.readline())
    return counts | {"kib": resident(daemon.pid)}


def report(what: str, **facts: float) -> None:
    sys.stdout.write(json.dumps({"what": what, **facts}) + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    command = [sys.executable, "-c", DAEMON, "run", "--game", "penguins", "--port", "0"]
    command += ["--set", "request_gap_seconds=0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout
        port = int(daemon.stdout.readline().rpartition(":")[2])
        report("nobody there", **alive(daemon))
        for number in range(1, arguments.rounds + 1):
            games = Round(port, arguments.rooms)
            begin = time.monotonic()
            trio.run(games.run, daemon.pid)
            seconds = round(time.monotonic() - begin, 1)
            report(f"round {number}", rooms=games.rooms, right_results=games.right, seconds=seconds)
            report("everybody gone", most_kib=games.most_kib, **alive(daemon))
        daemon.terminate()


if __name__ == "__main__":
    main()
