"""The list of games: whoever asks hears what is true now, and it is written once per change."""

from typing import Any

import pytest
from trio.testing import MockClock

from games.qwirkle.codec import QwirkleCodec
from games.qwirkle.messages import GameListResponse
from ludothek.orders import Abort, Arrange, Pause, Resume, Start
from tests.helpers import open_fair
from tests.qwirkle import CALM, QUIET, Guest, Party, client_of, connected, open_game, seat


async def listed(guest: Guest) -> list[tuple[Any, ...]]:
    """Name, state and players of each game."""
    games = (await guest.ask(300, 301))["games"]
    return [
        (game["gameName"], game["gameState"], [each["clientName"] for each in game["players"]])
        for game in games
    ]


async def test_whatever_happens_to_a_game_is_in_the_next_list(autojump_clock: MockClock) -> None:
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Bert", "Xaver") as (anna, bert, xaver),
    ):
        endpoint = fair.endpoint
        assert await listed(xaver) == []
        lobby = open_game(endpoint, "A", **CALM)
        assert await listed(xaver) == [("A", "NOT_STARTED", [])]
        other = open_game(endpoint, "B", **CALM)
        seat(endpoint, lobby, anna)
        await anna.hear(303)
        assert await listed(xaver) == [("A", "NOT_STARTED", ["Anna"]), ("B", "NOT_STARTED", [])]
        seat(endpoint, lobby, bert)
        await bert.hear(303)
        game = Party(fair, lobby, [anna, bert], [])
        game.order(Arrange([client_of(endpoint, each) for each in (bert, anna)]))
        assert (await listed(xaver))[0] == ("A", "NOT_STARTED", ["Bert", "Anna"])
        other.close()
        for order, state in (
            (Start(), "IN_PROGRESS"),
            (Pause(), "PAUSED"),
            (Resume(), "IN_PROGRESS"),
            (Abort(), "ENDED"),
        ):
            game.order(order)
            assert await listed(xaver) == [("A", state, ["Bert", "Anna"])]
        lobby.close()
        assert await listed(xaver) == []


async def test_a_player_who_leaves_is_gone_from_the_list(autojump_clock: MockClock) -> None:
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Xaver") as (anna, xaver),
    ):
        seat(fair.endpoint, open_game(fair.endpoint, "A"), anna)
        await anna.hear(303)
        assert await listed(xaver) == [("A", "NOT_STARTED", ["Anna"])]
        await anna.ask(405, 406)
        assert await listed(xaver) == [("A", "NOT_STARTED", [])]


async def test_the_list_is_written_once_until_something_changes(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    write = QwirkleCodec._write

    def count(codec: QwirkleCodec, message: Any) -> bytes:
        written.append(type(message))
        return write(codec, message)

    monkeypatch.setattr(QwirkleCodec, "_write", count)
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Xaver") as guests,
    ):
        for name in ("A", "B"):
            open_game(fair.endpoint, name)
            for guest in guests * 3:
                await listed(guest)
    assert written.count(GameListResponse) == 2
