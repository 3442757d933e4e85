"""Somebody plays on the page."""

import random

import pytest
import trio
from trio.testing import MockClock

from games.hexxagon import GAME as HEXXAGON
from games.penguins import GAME as PENGUINS
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.contract.player import PlayerOptions, Question
from ludothek.runtime.playing import play
from ludothek.runtime.presence import AWAY_SECONDS
from ludothek.testing.fair import Peer
from tests.support.parlour import OpenParlour, open_parlour

GAMES = pytest.mark.parametrize("game", [HEXXAGON, PENGUINS], ids=lambda game: game.name)
BEGINS = pytest.mark.parametrize("begins", [True, False], ids=["first", "second"])


def weakest(game: Game) -> int:
    return len(game.difficulties) - 1


@GAMES
@BEGINS
async def test_a_person_plays_the_computer_to_the_end(
    game: Game, begins: bool, autojump_clock: MockClock
) -> None:
    async with open_parlour(game) as parlour, parlour.browse() as browser:
        seated = await browser.sit(difficulty=weakest(game), begins=begins)
        over = await browser.play(random.Random(1))
    assert seated["name"] == "Ada"
    assert seated["seat"] == (0 if begins else 1)
    assert over["ending"] == "regular"
    assert isinstance(over["report"]["won"], bool)
    kinds = [message["type"] for message in browser.heard]
    assert kinds.index("match") < kinds.index("question")
    assert kinds.count("answered") in (kinds.count("question"), kinds.count("question") - 1)
    assert kinds[-1] == "over"


# How a game ends early


@GAMES
async def test_whoever_resigns_has_lost(game: Game, autojump_clock: MockClock) -> None:
    async with open_parlour(game) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=weakest(game))
        await browser.play(moves=2)
        await browser.say(type="resign")
        over = await browser.hear("over")
        await check_closed(parlour)
    assert over["ending"] == "resigned"
    assert over["report"] is None or over["report"]["won"] is False


async def test_somebody_who_waits_in_vain_may_leave(autojump_clock: MockClock) -> None:
    for game in (HEXXAGON, PENGUINS):
        async with open_parlour(game) as parlour, parlour.browse() as browser:
            await browser.sit(opponent="client")
            await browser.say(type="resign")
            assert (await browser.hear("over"))["ending"] == "resigned"
            await check_closed(parlour)


@GAMES
async def test_the_computer_leaves_with_the_person(game: Game, autojump_clock: MockClock) -> None:
    async with open_parlour(game) as parlour:
        async with parlour.browse() as browser:
            await browser.sit(difficulty=weakest(game))
            await browser.hear("question")
            assert len(parlour.endpoint.clients) == 2
        await trio.sleep(AWAY_SECONDS + 5)
        assert not parlour.endpoint.clients
        assert not parlour.endpoint.hall.lobbies


async def test_an_opponent_that_leaves_has_lost(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        how = (await browser.sit(opponent="client"))["how"]
        opponent = parlour.fair.connect()
        await opponent.send(how["message"].encode())
        await browser.hear("question")
        opponent.close()
        over = await browser.hear("over")
    assert over["ending"] == "regular"
    assert over["report"]["won"] is True


async def test_a_client_finds_a_lobby_of_hexxagon_by_its_name(autojump_clock: MockClock) -> None:
    async with open_parlour(HEXXAGON) as parlour, parlour.browse() as browser:
        how = (await browser.sit(opponent="client", lobby="Ada's board"))["how"]
        assert how["name"] == "Ada's board"
        assert how["bot"] == """--lobby 'Ada'"'"'s board'"""
        async with trio.open_nursery() as nursery:
            bot = HEXXAGON.player(
                PlayerOptions(lobby=how["name"], difficulty=weakest(HEXXAGON)), random.Random(2)
            )
            codec = HEXXAGON.codec(Clock(), HEXXAGON.settings())
            nursery.start_soon(play, parlour.fair.connect(), codec, bot, lambda report: None)
            over = await browser.play()
    assert over["ending"] == "regular"


async def test_nobody_finds_the_lobby_of_somebody_who_plays_the_computer(
    autojump_clock: MockClock,
) -> None:
    async with open_parlour(HEXXAGON, settings={"bots": 1}) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=weakest(HEXXAGON))
        stranger = Peer(parlour.fair.connect())
        me = (await stranger.hear())["userId"]
        await stranger.say({"messageType": "GetAvailableLobbies", "userId": me})
        assert (await stranger.hear())["availableLobbies"] == []
        await browser.hear("question")
        [lobby] = parlour.endpoint.hall.lobbies.values()
        assert lobby.table.summary.players == ["Ada", "Computer (random)"]


async def test_a_bug_ends_that_game_only(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        open_parlour(PENGUINS) as parlour,
        parlour.browse() as one,
        parlour.browse() as other,
    ):
        await one.sit(difficulty=weakest(PENGUINS))
        await other.sit(difficulty=weakest(PENGUINS))
        question = await one.hear("question")
        [person, _] = parlour.endpoint.people.playing
        monkeypatch.setattr(person, "_player", None)
        person.inquiry.question = Question(["?"], lambda move: 1 / 0)
        await one.say(type="answer", number=question["number"], move=0)
        assert (await one.hear("over"))["ending"] == "fault"
        assert (await other.play())["ending"] == "regular"


# Coming back


@GAMES
async def test_a_browser_comes_back_to_its_question(game: Game, autojump_clock: MockClock) -> None:
    async with open_parlour(game) as parlour:
        async with parlour.browse() as browser:
            token = (await browser.sit(difficulty=weakest(game)))["token"]
            asked = await browser.hear("question")
        await trio.sleep(AWAY_SECONDS - 5)
        async with parlour.browse() as browser:
            await browser.say(type="sit", token=token)
            assert (await browser.hear("seated"))["token"] == token
            again = await browser.hear("question")
            assert (again["number"], again["moves"]) == (asked["number"], asked["moves"])
            await browser.say(type="answer", number=again["number"], move=0)
            await browser.hear("answered")
            assert (await browser.play())["ending"] == "regular"


@GAMES
async def test_a_seat_is_given_up_when_its_browser_stays_away(
    game: Game, autojump_clock: MockClock
) -> None:
    async with open_parlour(game) as parlour:
        async with parlour.browse() as browser:
            token = (await browser.sit(difficulty=weakest(game)))["token"]
            await browser.hear("question")
        await trio.sleep(AWAY_SECONDS + 5)
        async with parlour.browse() as browser:
            await browser.say(type="sit", token=token)
            assert (await browser.hear("over"))["ending"] == "away"
        await trio.sleep(AWAY_SECONDS)
        async with parlour.browse() as browser:
            await browser.say(type="sit", token=token)
            assert (await browser.hear("refused"))["code"] == "gone"


async def test_nobody_gets_a_seat_with_a_wrong_token(autojump_clock: MockClock) -> None:
    async with open_parlour(PENGUINS) as parlour, parlour.browse() as browser:
        await browser.sit(difficulty=weakest(PENGUINS))
        for token in ("", "x", "é" * 500):
            async with parlour.browse() as other:
                await other.say(type="sit", token=token)
                assert (await other.hear("refused"))["code"] == "gone"
                assert await other.hear_end() == 1008
        assert (await browser.play())["ending"] == "regular"


async def test_the_latest_of_two_browsers_has_the_seat(autojump_clock: MockClock) -> None:
    async with (
        open_parlour(PENGUINS) as parlour,
        parlour.browse() as one,
        parlour.browse() as other,
    ):
        token = (await one.sit(difficulty=weakest(PENGUINS)))["token"]
        await one.hear("question")
        await other.say(type="sit", token=token)
        assert (await one.hear("refused"))["code"] == "taken-over"
        assert await one.hear_end() == 1008
        number = (await other.hear("question"))["number"]
        await trio.sleep(AWAY_SECONDS + 5)
        await other.say(type="answer", number=number, move=0)
        assert (await other.play())["ending"] == "regular"


async def test_somebody_who_does_nothing_gives_up(autojump_clock: MockClock) -> None:
    async with (
        open_parlour(PENGUINS, limits={"person_idle_seconds": 70.0}) as parlour,
        parlour.browse() as browser,
    ):
        await browser.sit(difficulty=weakest(PENGUINS))
        question = await browser.hear("question")
        assert 60 < question["clock"] <= 70
        with trio.fail_after(75):
            over = await browser.hear("over")
        assert over["ending"] == "idle"


async def check_closed(parlour: OpenParlour) -> None:
    await trio.sleep(5)
    assert not parlour.endpoint.hall.lobbies
    assert not parlour.endpoint.clients
