"""What a move costs in the rules, and what its message costs in all.

    python -m bench.rules

The games' own random players play whole matches against a server in this process, without sockets.
Of every move two things are timed, sometimes the one first and sometimes the other: the rules
alone, and the whole of its message (decode, table, all answers encoded and posted).
"""

import logging
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs
import click
import structlog
import trio
from trio.testing import wait_all_tasks_blocked

from bench.environment import environment, sentence
from bench.game_trial import NAMED_LOBBIES, SETTINGS
from bench.measure import percentile
from bench.report import table
from games.hexxagon import rules as hexxagon
from games.hexxagon.messages import GameMove
from games.penguins.messages import Room
from games.penguins.rules import Move as Slide
from games.qwirkle import rules as qwirkle
from games.qwirkle.messages import PlayTiles, TileSwapRequest
from ludothek.contract.chance import Chance
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec
from ludothek.contract.game import Game
from ludothek.contract.player import Player, PlayerOptions, Report, Thought, Utterance
from ludothek.contract.registry import load
from ludothek.runtime.endpoint import Endpoint
from ludothek.settings.config_file import make_host
from transports.memory import MemoryLink, memory_link_pair


def _move_in(message: Any) -> Any:
    match message:
        case GameMove(move_from=origin, move_to=target):
            return hexxagon.Move(origin, target)
        case Room(data=Slide() as slide):
            return slide
        case TileSwapRequest(tiles=tiles):
            return qwirkle.Swap(tuple(tiles))
        case PlayTiles(tiles=tiles):
            return qwirkle.Lay(
                tuple(qwirkle.Placement(each.tile, each.coord_x, each.coord_y) for each in tiles)
            )
    return None


# Where each game's table keeps the position that a move is made in.
POSITIONS: Mapping[str, Callable[[Any], Any]] = {
    "hexxagon": lambda table: table._match.state,
    "penguins": lambda table: table._match.state,
    "qwirkle": lambda table: table.match.position,
}


@attrs.define
class Times:
    """Microseconds of every move of a game."""

    rules: list[float] = attrs.field(factory=list)
    message: list[float] = attrs.field(factory=list)

    def row(self, game: str) -> Sequence[str]:
        rules, message = (percentile(times, 0.5) for times in (self.rules, self.message))
        return (
            game,
            str(len(self.rules)),
            f"{rules:.1f} ({percentile(self.rules, 0.9):.1f})",
            f"{message:.1f} ({percentile(self.message, 0.9):.1f})",
            f"{rules / message:.2f}",
        )


def timed(times: list[float], act: Callable[[], object]) -> None:
    """Measure CPU time, since other processes may use the core meanwhile."""
    begin = time.thread_time()
    act()
    times.append((time.thread_time() - begin) * 1e6)


@attrs.define(eq=False)
class Seat:
    """A player and our end of its connection."""

    link: MemoryLink
    player: Player
    codec: Codec

    def hear(self, frames: Iterable[bytes]) -> Iterator[Utterance]:
        """Its answers to everything that has arrived."""
        for frame in frames:
            yield from self.player.hear(self.codec.decode(frame))


@attrs.define(eq=False)
class Round:
    """One match on a server of its own."""

    game: Game
    endpoint: Endpoint
    times: Times
    rng: random.Random
    seats: list[Seat] = attrs.field(factory=list)
    over: bool = False

    async def play(self, nursery: trio.Nursery) -> None:
        for place in range(self.game.players):
            ours, theirs = memory_link_pair()
            nursery.start_soon(self.endpoint.welcome, theirs)
            options = PlayerOptions(
                lobby="bench" if self.game.name in NAMED_LOBBIES else None,
                username=f"Player{place}",
                difficulty=len(self.game.difficulties) - 1,
            )
            player = self.game.player(options, random.Random(self.rng.random()))
            self.seats.append(Seat(ours, player, self.endpoint.door.codec))
            self._say(self.seats[-1], player.greet())
            await self._settle()
        while not self.over:
            for seat in self.seats:
                self._say(seat, seat.player.idle())
            await self._settle()

    async def _settle(self) -> None:
        """Let everybody answer until nobody has anything to say."""
        await wait_all_tasks_blocked()
        while not self.over:
            heard = [(seat, seat.link.received()) for seat in self.seats]
            if not any(frames for _, frames in heard):
                return
            for seat, frames in heard:
                self._say(seat, seat.hear(frames))
            await wait_all_tasks_blocked()

    def _say(self, seat: Seat, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if isinstance(utterance, Thought):
                utterance = utterance.say(utterance.decide())
            if isinstance(utterance, Report):
                self.over = True
            if self.over:
                return
            frame = seat.codec.encode(utterance)
            if (action := _move_in(utterance)) is None:
                seat.link.post(frame)
            else:
                self._move(seat, action, frame)

    def _move(self, seat: Seat, action: Any, frame: bytes) -> None:
        """Time the rules and the message, in alternating order."""
        lobbies = self.endpoint.hall.lobbies.values()
        (lobby,) = (each for each in lobbies if not each.table.summary.idle)
        position = POSITIONS[self.game.name](lobby.table)
        rules = self.game.rules

        def apply() -> None:
            rules.apply(position, action, self.rng)

        first = self.rng.random() < 0.5
        if first:
            timed(self.times.rules, apply)
        timed(self.times.message, lambda: seat.link.post(frame))
        if not first:
            timed(self.times.rules, apply)


async def play_match(game: Game, seed: int, times: Times) -> None:
    host = make_host(game.name, "bench", dict(SETTINGS.get(game.name, {})), port=0)
    endpoint = Endpoint(host, Clock(), Chance(seed))
    async with trio.open_nursery() as nursery:
        endpoint.open(nursery, nursery)
        await Round(game, endpoint, times, random.Random(seed)).play(nursery)
        nursery.cancel_scope.cancel()


@click.command(help=__doc__)
@click.option("--matches", default=20, show_default=True, help="Of every game.")
@click.option("--seed", default=1, show_default=True, help="Of the players.")
def main(matches: int, seed: int) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    times = {name: Times() for name in POSITIONS}
    for match in range(-1, matches):  # the first one of every game does not count
        for name in POSITIONS:
            notes = times[name] if match >= 0 else Times()
            trio.run(play_match, load(name), seed + match, notes)
    header = ("game", "moves", "µs to apply one (p90)", "µs for its message (p90)", "ratio")
    click.echo(sentence(environment()))
    click.echo(table(header, [each.row(name) for name, each in times.items()]))


if __name__ == "__main__":
    main()
