"""Before the lobby: who a client is, what is refused, and where it goes. In virtual time."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.quidditch.accounts import KeptAccounts
from games.quidditch.reception import QuidditchReception
from ludothek.contract.orders import File, Opening, OrderRefused
from ludothek.storage.state import StateDirectory
from tests.games.quidditch.clients import QuidditchClient, container, join, start_match, wire
from tests.games.quidditch.scene import BRIEF, CONFIG, HERONS
from tests.support.helpers import Fair, Peer, memory_link_pair, open_fair, open_server


@asynccontextmanager
async def hall(state: StateDirectory | None = None, **settings: Any) -> AsyncIterator[Fair]:
    settings = {"match": str(BRIEF), **settings}
    async with open_fair("quidditch", settings=settings, state=state) as fair:
        yield fair


async def login(fair: Fair, name: str, **rest: Any) -> QuidditchClient:
    return await QuidditchClient.login(Peer(fair.connect()), name, **rest)


async def refused(peer: Peer) -> int:
    """The code of the error that is the last word."""
    message = await peer.hear()
    assert message["payloadType"] == "privateError", message
    await peer.hear_end()
    assert message["payload"]["triggerMatchFinish"] is False
    return int(message["payload"]["code"])


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"name": "ab"}, 203),
        ({"name": "x" * 21}, 203),
        ({"name": "har ry"}, 203),
        ({"name": "härry"}, 203),
        ({"name": "harry\n"}, 203),
        ({"name": "ha\u200bry"}, 203),
        ({"name": "harry\u0301"}, 203),
        ({"name": "../../x"}, 203),
        ({"name": "\uff48arry"}, 203),
        ({"name": ""}, 203),
        ({"name": "Organiser"}, 203),
        ({"lobby": "ab"}, 204),
        ({"lobby": "x" * 41}, 204),
        ({"lobby": "hog warts"}, 204),
        ({"lobby": ""}, 204),
        ({"password": "x" * 129}, 205),
        ({"password": "a\tb"}, 205),
        ({"password": "a\u0000b"}, 205),
        ({"mods": ["cheat"]}, 202),
        ({"mods": ["chat", "Chat"]}, 202),
        ({"mods": [""]}, 202),
        ({"mods": "chat"}, 253),
        ({"password": 7}, 253),
        ({"isArtificialIntelligence": "yes"}, 253),
        ({"isArtificialIntelligence": None}, 253),
    ],
)
async def test_a_wrong_join_request_is_refused(
    autojump_clock: MockClock, wrong: dict[str, Any], code: int
) -> None:
    async with hall() as fair:
        peer = Peer(fair.connect())
        await peer.say(join(**({"name": "harry"} | wrong)))
        assert await refused(peer) == code
        assert "hogwarts" not in fair.endpoint.hall.lobbies


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (b"hello", 251),
        (b"[]", 252),
        (container("joinRequest", {}), 253),
        (container("sendDebug", {"information": "x"}), 208),
        (container("teamConfig", wire(HERONS)), 208),
        (container("getReplay", {}), 208),
        (container("joinResponse", {"message": "x"}), 208),
        (container("pauseRequest", {"message": "x"}), 208),
    ],
)
async def test_the_first_word_is_a_join_request(
    autojump_clock: MockClock, frame: Any, code: int
) -> None:
    async with hall() as fair:
        peer = Peer(fair.connect())
        await peer.say(frame)
        assert await refused(peer) == code


async def test_what_is_not_defined_is_ignored_even_before(autojump_clock: MockClock) -> None:
    async with hall() as fair:
        peer = Peer(fair.connect())
        await peer.say(container("yodel", {}))
        await QuidditchClient.login(peer, "harry")


async def test_all_mods_of_the_standard_are_there(autojump_clock: MockClock) -> None:
    mods = ["chat", "disableGenderBalance", "replayWithSnapshot", "test", "error", "warning"]
    async with hall() as fair:
        await login(fair, "harry", mods=mods)


async def test_a_wrong_password_is_refused_and_harms_nobody(autojump_clock: MockClock) -> None:
    async with hall() as fair:
        harry = await login(fair, "harry", password="hedwig")
        peer = Peer(fair.connect())
        await peer.say(join("harry", password="scabbers"))
        assert await refused(peer) == 206
        await harry.say("pauseRequest", {"message": "still here"})
        assert (await harry.hear("pauseResponse"))["userName"] == "harry"


@pytest.mark.parametrize("lobby", ["hogwarts", "durmstrang"])
async def test_the_newest_login_counts(autojump_clock: MockClock, lobby: str) -> None:
    """«Error goes to the old logon, Warning goes to the new logon.»"""
    async with hall() as fair:
        old = await login(fair, "harry")
        new = await login(fair, "harry", lobby=lobby)
        assert (await new.hear("privateWarning"))["code"] == 301
        assert await refused(old.peer) == 201
        await wait_all_tasks_blocked()
        lobbies = {lobby.key: lobby for lobby in fair.endpoint.hall.lobbies.values()}
        assert lobbies[lobby].table.summary.spectators == ("harry",)
        third = await login(fair, "harry")
        assert await refused(new.peer) == 201
        assert (await third.hear("privateWarning"))["code"] == 301


async def test_two_who_log_in_at_the_same_moment_are_never_both_there(
    autojump_clock: MockClock,
) -> None:
    async with hall() as fair:
        peers = [Peer(fair.connect()) for _ in range(5)]
        for peer in peers:
            await peer.say(join("harry"))
        await wait_all_tasks_blocked()
        assert [client.name for client in fair.endpoint.clients] == ["harry"]


async def test_names_are_for_the_whole_server_and_lobbies_for_themselves(
    autojump_clock: MockClock,
) -> None:
    async with hall() as fair:
        harry = await login(fair, "harry")
        await login(fair, "viktor", lobby="durmstrang")
        draco = await login(fair, "draco")
        assert await harry.hear("loginGreeting") == {"userName": "draco"}
        await harry.say("sendDebug", {"information": "x"})
        await draco.say("pauseRequest", {"message": ""})
        assert (await harry.hear("pauseResponse"))["userName"] == "draco"
        assert set(fair.endpoint.hall.lobbies) == {"hogwarts", "durmstrang"}


async def test_nobody_takes_the_name_of_a_player_that_the_daemon_brings_along(
    autojump_clock: MockClock,
) -> None:
    async with hall() as fair:
        ours, theirs = memory_link_pair()
        fair.nursery.start_soon(fair.endpoint._bring_along, theirs)
        bot = await QuidditchClient.login(Peer(ours), "Bot1")
        peer = Peer(fair.connect())
        await peer.say(join("Bot1"))
        assert await refused(peer) == 206
        await bot.say("pauseRequest", {"message": "still here"})
        await bot.hear("pauseResponse")


async def test_company_is_never_short_of_accounts(autojump_clock: MockClock) -> None:
    """Every lobby has other bots; after `max_accounts` of them people would be left without."""
    async with hall(max_accounts=1, bots=1) as fair:
        for number in range(3):
            harry = await login(fair, "harry", lobby=f"lobby{number}")
            assert (await harry.hear_until("loginGreeting"))["userName"].startswith("Bot")
            await harry.say("teamConfig", wire(HERONS))
            await harry.hear_until("matchStart")


async def test_people_may_take_their_time_to_log_in(unhurried_clock: MockClock) -> None:
    """They choose a lobby and type a password; `login_seconds` says how long that may take."""
    async with open_server("quidditch") as server, server.connect() as peer:
        await trio.sleep(290)
        await peer.say(join("harry"))
        assert (await peer.hear())["payloadType"] in ("lobbies", "joinResponse")


# Accounts


async def test_an_account_that_cannot_be_kept_is_counted(tmp_path: Path) -> None:
    """Like any other file for which the disk has no room."""
    (tmp_path / "full").touch()
    state = StateDirectory(tmp_path)
    async with hall(state=state) as fair:
        reception = fair.endpoint.hall.foyer.reception
        assert isinstance(reception, QuidditchReception)
        codes = []
        for directory in (tmp_path / "full" / "accounts", tmp_path / "accounts"):
            reception._accounts = KeptAccounts(directory, 1, present=reception._users)
            for name in ("harry", "draco"):
                peer = Peer(fair.connect())
                await peer.say(join(name))
                payload = (await peer.hear())["payload"]
                codes.append(payload.get("code"))
        assert codes == [200, 200, None, 200]
        assert state.failures == 2  # that there are enough accounts is not a failure


# The list of lobbies


async def test_who_waits_in_silence_is_told_the_lobbies(autojump_clock: MockClock) -> None:
    """«Der Server sendet on Connect d.h. vor der JoinRequest folgende lobbyList»"""
    async with hall() as fair:
        await login(fair, "harry")
        await login(fair, "viktor", lobby="durmstrang")
        peer = Peer(fair.connect())
        message = await peer.hear()
        assert message["payloadType"] == "lobbies"
        assert message["payload"]["lobbies"] == [
            {"name": "hogwarts", "matchStarted": False, "connectedUsers": 1},
            {"name": "durmstrang", "matchStarted": False, "connectedUsers": 1},
        ]
        await QuidditchClient.login(peer, "luna")


async def test_each_is_told_the_lobbies_as_they_are_by_then(autojump_clock: MockClock) -> None:
    async with hall() as fair:
        counts = []
        for name in ("harry", "draco"):
            await login(fair, name)
            for _ in range(2):
                (lobby,) = (await Peer(fair.connect()).hear())["payload"]["lobbies"]
                counts.append(lobby["connectedUsers"])
        assert counts == [1, 1, 2, 2]


async def test_who_joins_at_once_and_wants_them_is_told_afterwards(
    autojump_clock: MockClock,
) -> None:
    async with hall() as fair:
        luna = await login(fair, "luna", mods=["lobbies"])
        (lobby,) = (await luna.hear("lobbies"))["lobbies"]
        assert (lobby["name"], lobby["connectedUsers"]) == ("hogwarts", 1)  # luna herself
        harry = await login(fair, "harry", lobby="durmstrang")
        with trio.move_on_after(5):
            raise AssertionError(await harry.peer.hear())


async def test_silence_is_not_broken_where_that_is_not_wanted(autojump_clock: MockClock) -> None:
    async with hall(login_seconds=20.0, lobbies_seconds=0) as fair:
        peer = Peer(fair.connect())
        assert await refused(peer) == 200
        assert trio.current_time() >= 20


# Room


async def test_a_crowded_lobby_lets_only_its_own_people_in(unhurried_clock: MockClock) -> None:
    limits = {"max_clients_per_lobby": 2}
    async with open_server("quidditch", limits=limits) as server, AsyncExitStack() as stack:
        one, two, three, again = [
            await stack.enter_async_context(server.connect()) for _ in range(4)
        ]
        await QuidditchClient.login(one, "harry")
        await QuidditchClient.login(two, "draco")
        await three.say(join("luna"))
        assert await refused(three) == 204
        await QuidditchClient.login(again, "harry")


async def test_lobbies_are_limited_and_empty_ones_make_room(autojump_clock: MockClock) -> None:
    async with hall(max_lobbies=2) as fair:
        await login(fair, "harry", lobby="first")
        draco = await login(fair, "draco", lobby="second")
        peer = Peer(fair.connect())
        await peer.say(join("luna", lobby="third"))
        assert await refused(peer) == 204
        draco.peer.link.close()  # type: ignore[attr-defined]
        await wait_all_tasks_blocked()
        await login(fair, "luna", lobby="third")
        await wait_all_tasks_blocked()
        assert set(fair.endpoint.hall.lobbies) == {"first", "third"}


async def test_a_lobby_that_has_made_room_is_listed_no_more(autojump_clock: MockClock) -> None:
    async with hall(max_lobbies=1) as fair:
        (await login(fair, "harry", lobby="first")).peer.link.close()  # type: ignore[attr-defined]
        await wait_all_tasks_blocked()
        luna = await login(fair, "luna", lobby="other", mods=["lobbies"])
        assert [each["name"] for each in (await luna.hear("lobbies"))["lobbies"]] == ["other"]


async def test_no_lobby_is_opened_where_nothing_new_may_begin(autojump_clock: MockClock) -> None:
    async with hall() as fair:
        players = [await login(fair, name) for name in ("harry", "draco")]
        await start_match(*players)
        fair.endpoint.hall.drain()
        peer = Peer(fair.connect())
        await peer.say(join("luna", lobby="other"))
        error = (await peer.hear())["payload"]
        assert error["code"] == 204
        assert "opens no lobby any more" in error["information"]
        await login(fair, "luna")


async def test_a_match_whose_players_may_come_back_makes_no_room(
    autojump_clock: MockClock,
) -> None:
    """Somebody who wants a lobby does not end the match of two who have lost their connections."""
    async with hall(max_lobbies=1) as fair:
        players = [await login(fair, name) for name in ("harry", "draco")]
        await start_match(*players)
        lobby = fair.endpoint.hall.lobbies["hogwarts"]
        await trio.sleep(300)
        assert 3 <= lobby.table.summary.facts["round"] < 10
        for client in players:
            client.peer.link.close()  # type: ignore[attr-defined]
        await wait_all_tasks_blocked()
        peer = Peer(fair.connect())
        await peer.say(join("luna", lobby="other"))
        assert await refused(peer) == 204
        harry = await login(fair, "harry")
        assert await harry.hear_until("reconnect")
        harry.peer.link.close()  # type: ignore[attr-defined]
        await trio.sleep(61)
        await login(fair, "luna", lobby="other")


async def test_a_lobby_that_is_opened_again_does_not_repeat_itself(
    autojump_clock: MockClock,
) -> None:
    seeds = []
    async with hall(max_lobbies=1) as fair:
        for name in ("first", "other", "first"):
            harry = await login(fair, "harry", lobby=name)
            seeds.append(fair.endpoint.hall.lobbies[name].seed)
            harry.peer.link.close()  # type: ignore[attr-defined]
            await wait_all_tasks_blocked()
    assert len(set(seeds)) == 3


# The organiser


async def test_an_organiser_opens_lobbies_with_matches_of_their_own(
    autojump_clock: MockClock,
) -> None:
    async with hall() as fair:
        quick = File("match-quick.json", (CONFIG / "match-quick.json").read_bytes())
        lobby = fair.endpoint.hall.foyer.open_lobby(Opening(name="Finale", file=quick))
        harry, draco = [await login(fair, name, lobby="Finale") for name in ("harry", "draco")]
        await harry.say("teamConfig", wire(HERONS))
        await draco.say("teamConfig", wire(HERONS))
        start = await draco.hear_until("matchStart")
        assert start["matchConfig"]["timings"]["playerTurnTimeout"] == 5000
        for client in (harry, draco):
            client.peer.link.close()  # type: ignore[attr-defined]
        autojump_clock.jump(5000)
        await wait_all_tasks_blocked()
        assert lobby.open  # until the organiser closes it


@pytest.mark.parametrize(
    "opening",
    [
        Opening(name="no"),
        Opening(name="Große Halle"),
        Opening(name="hogwarts"),
        Opening(file=File("match.json", b"{}")),
        Opening(settings={"x": 1}),
        Opening(settings={"tournament": True}),
    ],
)
async def test_an_organiser_is_told_what_cannot_be(
    autojump_clock: MockClock, opening: Opening
) -> None:
    async with hall() as fair:
        await login(fair, "harry")
        foyer, lobbies = fair.endpoint.hall.foyer, fair.endpoint.hall.lobbies
        with pytest.raises(OrderRefused):
            foyer.open_lobby(opening)
        assert set(lobbies) == {"hogwarts"}
