"""The list of games: it is always up to date, and encoded once per change."""

from typing import Any

import pytest
from trio.testing import MockClock

from games.qwirkle.codec import QwirkleCodec
from games.qwirkle.messages import BagResponse, PlayerHandsResponse
from ludothek.contract.orders import Abort, Arrange, Pause, Resume, Start
from tests.games.qwirkle.party import (
    CALM,
    QUIET,
    Guest,
    Party,
    client_of,
    connected,
    open_game,
    seat,
    virtual_party,
)
from tests.support.helpers import open_fair


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
    lists = spy(monkeypatch, "_write_list")
    games = spy(monkeypatch, "_write_game")
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Xaver") as guests,
    ):
        for name in ("A", "B"):
            open_game(fair.endpoint, name)
            for guest in guests * 3:
                await listed(guest)
    assert len(lists) == 2
    assert [game.game_name for game in games] == ["A", "B"]  # the second list has a new one


async def test_only_games_that_have_changed_are_written_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Coming and going while another client asks for the list causes little work."""
    games = spy(monkeypatch, "_write_game")
    async with (
        open_fair("qwirkle", settings=QUIET) as fair,
        connected(fair, "Anna", "Xaver") as (anna, xaver),
    ):
        for name in "ABC":
            open_game(fair.endpoint, name)
        before = await listed(xaver)
        games.clear()
        for _ in range(5):
            await anna.ask(302, 303, gameId=2)
            assert await listed(xaver) == [before[0], ("B", "NOT_STARTED", ["Anna"]), before[2]]
            await anna.ask(405, 406)
            assert await listed(xaver) == before
        assert [game.game_name for game in games] == ["B"] * 10


async def test_bag_and_hands_are_written_once_in_a_position(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With thousands of tiles each takes many milliseconds; any spectator may ask."""
    written = spy(monkeypatch, "_write")
    async with virtual_party(spectators=2, **CALM) as found:
        (anna, _), spectators = found.players, found.spectators

        async def answers() -> list[Any]:
            first, *others = [
                (await guest.ask(423, 424), await guest.ask(425, 426)) for guest in spectators * 3
            ]
            assert others == [first] * 5
            return [len(first[0]["bag"]), *(len(hand) for _, hand in first[1]["hands"])]

        assert await answers() == [108, 0, 0]
        await found.start()
        assert await answers() == [96, 6, 6]
        await anna.lay_first()
        await anna.hear(415)
        await found.all_hear(416, 409)
        assert await answers() == [96, 5, 6]
    kinds = [type(message) for message in written]
    assert kinds.count(BagResponse) == 3
    assert kinds.count(PlayerHandsResponse) == 2 + 6  # before the start players come and go


def spy(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    """What is written by that method."""
    seen: list[Any] = []
    write = getattr(QwirkleCodec, name)

    def note(codec: QwirkleCodec, value: Any) -> Any:
        seen.append(value)
        return write(codec, value)

    monkeypatch.setattr(QwirkleCodec, name, note)
    return seen
