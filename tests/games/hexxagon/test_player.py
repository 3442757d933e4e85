"""The Hexxagon player on the wire: it earns no strike, however late messages arrive."""

import random
from typing import Any

import pytest
from trio.testing import wait_all_tasks_blocked

from games.hexxagon import messages as m
from games.hexxagon.bots import DIFFICULTIES
from games.hexxagon.codec import CODEC
from games.hexxagon.messages import Uuid
from games.hexxagon.player import HexxagonPlayer
from ludothek.contract.player import BrokenProtocol, PlayerOptions
from ludothek.testing.distance import Distant, play_late
from tests.support.helpers import NOON, Fair, Peer, open_fair
from tests.support.hexxagon import HexxagonClient

ME, OTHER, THIRD = (Uuid(f"{n}0000000-0000-0000-0000-000000000000") for n in "123")
FIRST, OWN = (Uuid(f"{n}0000000-0000-0000-0000-000000000000") for n in "ab")


def strikes(bot: Distant) -> int:
    return sum(isinstance(message, m.Strike) for message in bot.heard)


def new_player(seed: int = 0, **options: Any) -> HexxagonPlayer:
    difficulty = DIFFICULTIES.index("random")
    return HexxagonPlayer(PlayerOptions(difficulty=difficulty, **options), random.Random(seed))


async def arrive(fair: Fair, seed: int = 0, **options: Any) -> Distant:
    somebody = Distant(fair.connect(), CODEC, new_player(seed, **options))
    await wait_all_tasks_blocked()
    return somebody


async def visitor(fair: Fair) -> HexxagonClient:
    return await HexxagonClient.arrive(Peer(fair.connect()))


async def lobby_of(client: HexxagonClient) -> str:
    (lobby,) = await client.lobbies()
    return str(lobby["lobbyId"])


@pytest.mark.parametrize("seed", range(20))
async def test_whatever_is_late_nobody_is_struck(seed: int) -> None:
    """Messages may be delayed arbitrarily; players meet, play, and meet again."""
    rng = random.Random(seed)
    async with open_fair("hexxagon", seed, {"max_turns": 3}) as fair:
        players = [await arrive(fair, seed + n) for n in range(4)]
        await play_late(players, rng, matches=2, steps=5000)
        assert [strikes(each) for each in players] == [0] * 4
        assert {report.errors for each in players for report in each.reports} == {0}


async def test_a_start_that_crosses_with_the_others_leaving_is_no_mistake() -> None:
    """«Der zweite Teilnehmer kann die Lobby allerdings jederzeit verlassen»."""
    settings = {"max_turns": 1, "lenient_races": False}
    async with open_fair("hexxagon", settings=settings) as fair:
        bot, other, third = await arrive(fair), await visitor(fair), await visitor(fair)
        await bot.settle()
        lobby = await lobby_of(other)
        await other.join(lobby)
        bot.hear()
        assert bot.said == ["StartGame"]
        await other.say("LeaveLobby", lobbyId=lobby)
        bot.hear()
        await bot.deliver()
        await third.join(lobby)
        await bot.settle()
        assert strikes(bot) == 1
        assert [report.errors for report in bot.reports] == [0]


async def test_a_start_that_is_ignored_is_tried_again() -> None:
    """Where such a message is not a strike, it is not answered at all."""
    async with open_fair("hexxagon", settings={"max_turns": 1}) as fair:
        bot, other, third = await arrive(fair), await visitor(fair), await visitor(fair)
        await bot.settle()
        lobby = await lobby_of(other)
        await other.join(lobby)
        bot.hear()
        await other.say("LeaveLobby", lobbyId=lobby)
        await bot.settle()
        await third.join(lobby)
        await bot.settle()
        assert bot.reports == []
        bot.wait()
        await bot.settle()
        assert (len(bot.reports), strikes(bot)) == (1, 0)


async def test_a_move_that_crosses_with_the_others_leaving_is_no_mistake() -> None:
    settings = {"max_turns": 1, "lenient_races": False}
    async with open_fair("hexxagon", settings=settings) as fair:
        bot, other = await arrive(fair), await visitor(fair)
        await bot.settle()
        await other.join(await lobby_of(other))
        for _ in range(2):
            bot.hear()
            await bot.deliver()  # StartGame; what it hears next needs no answer
        game = (await other.hear("GameStarted"))["gameId"]
        bot.hear()
        assert bot.said == ["GameMove"]
        await other.say("LeaveGame", gameId=game)
        await other.hear("GameStatus")
        await bot.settle()
        assert strikes(bot) == 1
        await other.hear("GameStatus")
        await other.join(await lobby_of(other))
        await bot.settle()
        assert [report.errors for report in bot.reports] == [0, 0]


# What it answers to single messages


def lobby(lobby_id: Uuid, *players: Uuid, closed: bool = False) -> m.Lobby:
    one, two = (*players, None, None)[:2]
    return m.Lobby(
        lobby_id=lobby_id,
        lobby_name="Lobby",
        creation_date=NOON,
        is_closed=closed,
        player_one=one,
        player_two=two,
        player_one_user_name=one and "One",
        player_two_user_name=two and "Two",
    )


def listing(*lobbies: m.Lobby) -> m.AvailableLobbies:
    return m.AvailableLobbies(user_id=ME, available_lobbies=list(lobbies))


def status(lobby_id: Uuid, *players: Uuid, closed: bool = False) -> m.LobbyStatus:
    return m.LobbyStatus(lobby_id=lobby_id, lobby=lobby(lobby_id, *players, closed=closed))


def says(somebody: HexxagonPlayer, *heard: Any) -> list[str]:
    """What it answers to some messages; None is a second of silence."""
    answers = [
        answer
        for message in heard
        for answer in (somebody.idle() if message is None else somebody.hear(message))
    ]
    return [type(answer).__name__ for answer in answers]


CREATED = m.LobbyCreated(lobby_id=OWN, successfully_created=True)
JOINED = m.LobbyJoined(lobby_id=OWN, successfully_joined=True)
REFUSED = m.LobbyJoined(lobby_id=OWN, successfully_joined=False)
STRIKE = m.Strike(strike_count=1, max_strike_count=10)
LONG = [None] * 20


def waiting() -> HexxagonPlayer:
    """A player who waits alone in a lobby of its own."""
    somebody = new_player()
    opening = m.Welcome(user_id=ME, welcome_message=""), listing(), CREATED, JOINED
    says(somebody, *opening, status(OWN, ME))
    return somebody


def test_it_asks_for_one_thing_at_a_time() -> None:
    somebody = new_player()
    welcome = m.Welcome(user_id=ME, welcome_message="")
    assert says(somebody, *LONG, welcome, *LONG) == ["GetAvailableLobbies"]
    assert says(somebody, listing(), *LONG) == ["CreateNewLobby"]
    assert says(somebody, CREATED, *LONG) == ["JoinLobby"]
    assert says(somebody, JOINED, *LONG) == []
    assert says(somebody, status(OWN, ME), *LONG) == ["GetAvailableLobbies"]
    # Somebody comes while this has not been answered.
    assert says(somebody, status(OWN, ME, OTHER), *LONG) == []
    assert says(somebody, listing(lobby(OWN, ME, OTHER))) == ["StartGame"]


def test_after_a_refusal_it_looks_again() -> None:
    somebody = new_player()
    says(somebody, m.Welcome(user_id=ME, welcome_message=""), listing(lobby(OWN)))
    assert says(somebody, REFUSED) == []
    assert says(somebody, None) == ["GetAvailableLobbies"]


def test_an_answer_that_nobody_waits_for_changes_nothing() -> None:
    assert says(waiting(), listing(lobby(FIRST, OTHER))) == []


def test_it_starts_nothing_in_a_lobby_that_it_leaves() -> None:
    somebody = waiting()
    says(somebody, None)
    moves = ["LeaveLobby", "GetAvailableLobbies"]
    assert says(somebody, listing(lobby(FIRST, OTHER), lobby(OWN, ME))) == moves
    assert says(somebody, status(OWN, ME, THIRD), *LONG) == []
    assert says(somebody, listing(lobby(FIRST, OTHER), lobby(OWN, THIRD))) == ["JoinLobby"]


def test_it_goes_where_somebody_waits() -> None:
    lobbies = [lobby(Uuid(f"{n}0000000-0000-0000-0000-000000000000")) for n in range(9)]
    somebody = new_player()
    says(somebody, m.Welcome(user_id=ME, welcome_message=""))
    (join,) = somebody.hear(listing(*lobbies, lobby(OWN, OTHER)))
    assert join.lobby_id == OWN


def test_a_lobby_that_the_server_closes_is_left_behind() -> None:
    assert says(waiting(), status(OWN, ME, closed=True)) == ["GetAvailableLobbies"]


def test_a_start_that_crosses_with_leaving_is_tried_once_for_each_answer() -> None:
    somebody = waiting()
    assert says(somebody, status(OWN, ME, OTHER)) == ["StartGame"]
    assert says(somebody, status(OWN, ME), status(OWN, ME, THIRD)) == []
    assert says(somebody, STRIKE) == ["StartGame"]


def test_it_does_not_insist_on_a_start_that_is_refused() -> None:
    somebody = waiting()
    assert says(somebody, status(OWN, ME, OTHER), STRIKE, *LONG) == ["StartGame"]


async def test_a_refused_move_is_the_end() -> None:
    async with open_fair("hexxagon") as fair:
        bot, other = await arrive(fair), await visitor(fair)
        await bot.settle()
        await other.join(await lobby_of(other))
        for _ in range(3):
            bot.hear()
            if bot.said != ["GameMove"]:
                await bot.deliver()
        assert bot.said == ["GameMove"]
        with pytest.raises(BrokenProtocol, match="refused a legal move"):
            bot.say(bot.player.hear(STRIKE))


async def test_strikes_are_reported_with_the_match_they_belong_to() -> None:
    async with open_fair("hexxagon", settings={"max_turns": 1}) as fair:
        bot, other = await arrive(fair), await visitor(fair)
        await bot.settle()
        bot.say(bot.player.hear(STRIKE))
        for _ in range(2):
            await other.join(await lobby_of(other))
            await bot.settle()
            for heard in ("GameStarted", "GameStatus", "GameStatus"):
                await other.hear(heard)
        assert [report.errors for report in bot.reports] == [1, 0]
