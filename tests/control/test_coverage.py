"""Organisers see what clients have used of a protocol, and what never."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ludothek.contract.clock import Clock
from ludothek.contract.registry import load
from ludothek.observe.coverage import LOOKS, NAME_LENGTH, NAMES, OTHERS, UNNAMED, Coverage, Spoken
from tests.support.organiser_console import Organiser, open_client, open_control


async def _seen(organiser: Organiser) -> tuple[dict[tuple[str, str], Any], dict[str, Any]]:
    (coverage,) = await organiser.get("/coverage?game=hexxagon")
    items = {(each["kind"], each["item"]): each for each in coverage["items"]}
    return items, {each["name"]: each for each in coverage["clients"]}


async def test_everything_that_a_protocol_has_is_listed_before_anybody_uses_it(
    tmp_path: Path,
) -> None:
    games = [load(name) for name in ("hexxagon", "penguins", "qwirkle", "roborally", "quidditch")]
    async with open_control(tmp_path, *games) as organiser:
        for game, coverage in zip(games, await organiser.get("/coverage"), strict=True):
            assert (coverage["game"], coverage["clients"]) == (game.name, [])
            kinds = {each["kind"] for each in coverage["items"]}
            assert kinds == {"message", "field", "answer", "clause"}
            assert {each["count"] for each in coverage["items"]} == {0}
            assert {each["status"] for each in coverage["items"]} == {"never used", "not reached"}


async def test_what_a_client_sends_gets_and_breaks_is_counted_under_its_name(
    tmp_path: Path,
) -> None:
    async with open_control(tmp_path) as organiser:
        _, lobby = await organiser.lobby()
        async with open_client(organiser.hexxagon) as ann:
            await ann.join(lobby, "Ann")
            await ann.say("LeaveLobby", lobbyId="7")
            await ann.hear("Strike")
            items, clients = await _seen(organiser)
            (name,) = clients
            assert name == "Ann"
            assert items["message", "JoinLobby"]["status"] == "used"
            assert items["message", "GameMove"]["status"] == "never used"
            assert items["message", "(unreadable)"]["count"] == 1
            assert items["field", "JoinLobby.lobbyId"]["count"] == 1
            assert items["field", "LeaveLobby.lobbyId"]["count"] == 0
            assert items["answer", "Strike"]["count"] == 1
            assert items["clause", "3.2.2.1"]["status"] == "broken"
            assert clients["Ann"]["clauses"]["3.2.2.1"] == 1
            assert 0 in clients["Ann"]["clauses"].values()
        while await organiser.get("/clients"):
            pass
        assert await _seen(organiser) == (items, clients)


async def test_who_comes_a_moment_too_late_has_broken_nothing(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        _, lobby = await organiser.lobby()
        async with (
            open_client(organiser.hexxagon) as ann,
            open_client(organiser.hexxagon) as bob,
            open_client(organiser.hexxagon) as eve,
        ):
            for client in (ann, bob):
                await client.join(lobby)
            await eve.say("JoinLobby", lobbyId=lobby, userName="Eve")
            assert not (await eve.hear("LobbyJoined"))["successfullyJoined"]
            items, _ = await _seen(organiser)
    assert items["clause", "2.1"]["status"] == "kept"


async def test_those_of_one_name_count_together_and_those_without_one_too(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for _ in range(2):
            async with open_client(organiser.hexxagon) as client:
                await client.say("GetAvailableLobbies")
                await client.hear("AvailableLobbies")
        async with open_client(organiser.hexxagon) as client:
            await client.say("GetAvailableLobbies")
            await client.hear("AvailableLobbies")
            items, clients = await _seen(organiser)
        assert clients[UNNAMED]["connections"] == 3
        assert clients[UNNAMED]["messages"] == {"GetAvailableLobbies": 3}
        assert items["message", "GetAvailableLobbies"]["clients"] == 1


def test_a_message_in_a_tolerated_dialect_counts_as_what_it_means() -> None:
    game = load("qwirkle")
    codec, coverage = game.codec(Clock(), game.settings()), Coverage(game)
    usage = coverage.usage()
    for key in ("uniqueId", "uniqueID", "uniqueID"):
        usage.count(codec.decode_request(b'{"%b":302,"gameId":7}' % key.encode()))
    tally = coverage.tallies([("Ann", usage)])["Ann"]
    assert tally.requests == {"GameJoinRequest": 3}
    assert tally.names == {"GameJoinRequest"}
    assert tally.fields == {"GameJoinRequest.gameId": 1}


def test_a_flood_of_names_is_bounded_and_pushes_out_nobody_who_plays() -> None:
    coverage = Coverage(load("hexxagon"))
    message = object()
    player = coverage.usage()
    player.first(message).count = 50
    coverage.part("Ann", player)
    for number in range(NAMES * 2):
        coverage.part(f"{number:0200}", coverage.usage())
        coverage.part(f"{number}-{'x' * 200}", coverage.usage())
    present = [(f"late {number}", coverage.usage()) for number in range(NAMES)]
    tallies = coverage.tallies(present)
    assert len(tallies) <= NAMES + 1
    assert max(map(len, tallies)) <= NAME_LENGTH
    assert tallies["Ann"].requests.total() == 50
    assert tallies[OTHERS].connections > NAMES
    assert sum(each.connections for each in tallies.values()) == NAMES * 5 + 1


def test_whoever_plays_is_named_before_it_leaves_although_many_names_came_first() -> None:
    coverage = Coverage(load("hexxagon"))
    for number in range(NAMES * 2):
        coverage.part(f"{number}", coverage.usage())
    player = coverage.usage()
    player.first(object()).count = 50
    tallies = coverage.tallies([("Ann", player)])
    assert tallies["Ann"].requests.total() == 50
    assert len(tallies) <= NAMES + 1


def test_all_that_do_not_fit_are_one_however_little_they_have_sent() -> None:
    coverage, message = Coverage(load("hexxagon")), object()
    for _ in range(2):
        for number in range(2 * NAMES):
            usage = coverage.usage()
            if number > NAMES:
                usage.first(message).count = 1
            coverage.part(f"client {number}", usage)
    assert len(coverage.tallies(())) <= NAMES + 1


def test_after_so_many_messages_a_client_is_no_longer_looked_at() -> None:
    spoken = Spoken([("name", None)], (), str)
    for _ in range(LOOKS):
        assert spoken.seeking
        spoken.look(SimpleNamespace(name=None))
    assert (spoken.seeking, spoken.found) == (False, [])
