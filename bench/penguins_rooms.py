"""Many Penguins rooms at once: are all results right, and does the memory come back?

A daemon runs in a process of its own and is measured from outside (VmRSS in /proc): before anybody
has come, when all rooms are open, and after everybody has gone, round after round. What the first
round leaves behind are caches and the allocator's reserve; later rounds must add nothing.
"""

import argparse
import json
import random
import re
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
from ludothek.player import PlayerOptions, Report, Utterance, play

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
    """All games of one round: everybody joins, then everybody plays."""

    port: int
    rooms: int
    right: int = 0
    joined: int = 0
    everybody: trio.Event = attrs.field(factory=trio.Event)

    async def run(self, pid: int) -> int:
        """Play all games; the daemon's memory while they all are open."""
        async with trio.open_nursery() as nursery:
            for number in range(2 * self.rooms):
                nursery.start_soon(self._visit, number)
            await self.everybody.wait()
            return resident(pid)

    async def _visit(self, number: int) -> None:
        witness = Witness(random.Random(number))
        async with GAME.transport.connect("127.0.0.1", self.port) as link:
            self.joined += 1
            if self.joined == 2 * self.rooms:
                self.everybody.set()
            await self.everybody.wait()
            await play(link, CODEC, witness, _ignore)
        self.right += witness.right


def _ignore(report: Report) -> None:
    pass


def resident(pid: int) -> int:
    """KiB of memory that a process has."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=4)
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "ludothek", "run", "--game", "penguins", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout
        port = int(daemon.stdout.readline().rpartition(":")[2])
        tell(what="nobody there", kib=resident(daemon.pid))
        for number in range(1, arguments.rounds + 1):
            trio.run(_round, number, Round(port, arguments.rooms), daemon.pid)
        daemon.terminate()


async def _round(number: int, games: Round, pid: int) -> None:
    begin = time.monotonic()
    peak = await games.run(pid)
    seconds = time.monotonic() - begin
    await trio.sleep(2)  # the daemon lingers for a moment over every connection
    tell(
        what=f"round {number}",
        rooms=games.rooms,
        right_results=games.right,
        seconds=round(seconds, 1),
        kib_when_connected=peak,
        kib_afterwards=resident(pid),
    )


def tell(**facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")


if __name__ == "__main__":
    main()
