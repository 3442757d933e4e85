"""Many games at once on one endpoint, over real sockets."""

import random
from contextlib import AsyncExitStack
from typing import Any

import attrs
import trio

from games.hexxagon import rules
from games.hexxagon.bots import DIFFICULTIES
from games.hexxagon.codec import CODEC
from games.hexxagon.knowledge import position
from games.hexxagon.messages import GameStatus, LobbyStatus
from games.hexxagon.player import HexxagonPlayer
from games.hexxagon.rules import Move, Side
from ludothek.contract.player import PlayerOptions, Report
from ludothek.runtime.playing import play
from tests.support.helpers import Server, open_server

GAMES = 200
DOOR = trio.CapacityLimiter(20)


@attrs.define(eq=False)
class Recording:
    """A player that keeps every status it has seen of its first game."""

    player: HexxagonPlayer
    statuses: list[GameStatus] = attrs.field(factory=list)
    waits: trio.Event = attrs.field(factory=trio.Event)
    report: Report | None = None

    def greet(self) -> Any:
        return self.player.greet()

    def hear(self, message: Any) -> Any:
        if isinstance(message, GameStatus):
            self.statuses.append(message)
        if isinstance(message, LobbyStatus):
            self.waits.set()
        return self.player.hear(message)

    def idle(self) -> Any:
        return self.player.idle()

    def tell(self, report: Report) -> None:
        self.report = report


async def run(server: Server, recording: Recording) -> None:
    async with AsyncExitStack() as stack:
        async with DOOR:  # not all at once, or the last ones wait too long for an answer
            call = server.transport.connect("127.0.0.1", server.port)
            link = await stack.enter_async_context(call)
        await play(link, CODEC, recording, recording.tell)


async def pair(server: Server, one: Recording, two: Recording) -> None:
    """The second comes when the first waits; so nobody has to look for the other for long."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run, server, one)
        await one.waits.wait()
        nursery.start_soon(run, server, two)


def check(recording: Recording) -> None:
    """Every status follows from the previous one by its last move, and the last one is right."""
    first, *rest = recording.statuses
    assert position(first) == rules.start()
    state = rules.start()
    for status in rest:
        assert status.last_move_from is not None
        assert status.last_move_to is not None
        state = rules.apply(state, Move(status.last_move_from, status.last_move_to))
        assert position(status).to_text() == state.to_text()
        assert status.turn == state.turn
        assert status.is_closed == state.over
    assert state.outcome is not None
    winner = {
        Side.PLAYERONE: first.player_one,
        Side.PLAYERTWO: first.player_two,
        None: None,
    }[state.outcome.winner]
    assert (status.winner, status.tie) == (winner, winner is None)
    assert (status.player_one_points, status.player_two_points) == (
        state.points(Side.PLAYERONE),
        state.points(Side.PLAYERTWO),
    )


async def test_two_hundred_games_at_once_end_with_correct_results() -> None:
    levels = (DIFFICULTIES.index("greedy"), DIFFICULTIES.index("random"))
    recordings = [
        Recording(HexxagonPlayer(options, random.Random(n)))
        for n in range(GAMES)
        for options in (PlayerOptions(difficulty=d, lobby=f"game {n}") for d in levels)
    ]
    async with open_server("hexxagon") as server:
        with trio.fail_after(280):
            async with trio.open_nursery() as nursery:
                for one, two in zip(recordings[::2], recordings[1::2], strict=True):
                    nursery.start_soon(pair, server, one, two)
        assert server.endpoint.hall.crashes == 0
    games: dict[str, list[Recording]] = {}
    for recording in recordings:
        games.setdefault(recording.statuses[0].game_id, []).append(recording)
        check(recording)
    assert len(games) == GAMES
    for one, two in games.values():
        assert one.report is not None
        assert two.report is not None
        assert (one.report.winner, one.report.points) == (two.report.winner, two.report.points)
