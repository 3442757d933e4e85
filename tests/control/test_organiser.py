"""The organiser's interface over its socket, with real clients on theirs."""

from pathlib import Path

import trio

from ludothek.contract.orders import File
from tests.support.helpers import close_code
from tests.support.hexxagon import HexxagonClient
from tests.support.organiser_console import (
    SilentReception,
    meek_game,
    open_client,
    open_control,
    open_pair,
)


async def hear_kick(client: HexxagonClient) -> None:
    """Fail unless the server hangs up now and does not call it a normal end."""
    await client.peer.hear_end()
    assert close_code(client.peer.link) == 1008


async def test_status_counts_what_is_there(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon):
        await organiser.lobby()
        status = await organiser.get("/status")
        assert (status["lobbies"], status["clients"]) == (1, 1)
        assert status["uptime_seconds"] >= 0
        assert status["ready"] is True
        (endpoint,) = status["endpoints"]
        assert (
            endpoint.items()
            >= {
                "name": "hexxagon",
                "game": "hexxagon",
                "url": f"ws://127.0.0.1:{organiser.hexxagon.port}",
                "state": "open",
                "lobbies": 1,
                "clients": 1,
                "crashes": 0,
                "ready": True,
                "matches": {"waiting": 1, "running": 0, "paused": 0, "ended": 0, "other": 0},
                "outbox": {"frames": 0, "bytes": 0, "frames_max": 0, "bytes_max": 0},
            }.items()
        )


async def test_an_opened_lobby_is_one_like_any_other(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        _, lobby_id = await organiser.lobby("Finale")
        (listed,) = await client.lobbies()
        assert (listed["lobbyId"], listed["lobbyName"]) == (lobby_id, "Finale")
        assert await organiser.get("/lobbies?game=hexxagon") == [
            {
                "id": f"hexxagon/{lobby_id}",
                "game": "hexxagon",
                "name": "Finale",
                "state": "waiting",
                "players": [],
                "spectators": [],
                "facts": {},
            }
        ]


async def test_lobbies_and_clients_of_one_game_or_of_all(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game("meek"), meek_game("mild")) as organiser:
        assert len(await organiser.get("/lobbies")) == 2
        assert [lobby["game"] for lobby in await organiser.get("/lobbies?game=mild")] == ["mild"]
        assert await organiser.get("/clients?game=mild") == []
        status, answer = await organiser.ask("GET", "/clients?game=milb")
        assert (status, answer["error"]) == (
            404,
            "no game 'milb' is served here; did you mean 'mild'?",
        )


async def test_clients_are_shown_with_where_they_are(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, ann, _):
        async with open_client(organiser.hexxagon):
            first, _, third = await organiser.get("/clients")
        assert first["id"] == "hexxagon/1"
        assert (first["number"], first["key"], first["name"]) == (1, ann.id, "Ann")
        assert first["address"].startswith("127.0.0.1:")
        assert f"/lobbies/{first['where']}" == path
        assert (third["name"], third["where"]) == ("", None)


async def test_a_match_is_started(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, *pair):
        started = await organiser.do(f"{path}/start")
        assert (started["state"], started["players"]) == ("running", ["Ann", "Bob"])
        for client in pair:
            await client.hear("GameStarted")
        assert await organiser.refused(f"{path}/start") == (
            409,
            "a game needs a lobby with two participants",
        )


async def test_a_match_is_not_started_with_one_player(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        path, lobby_id = await organiser.lobby()
        await client.join(lobby_id, "Ann")
        status, _ = await organiser.refused(f"{path}/start")
        assert status == 409
        (lobby,) = await organiser.get("/lobbies")
        assert (lobby["state"], lobby["players"]) == ("waiting", ["Ann"])


async def test_a_match_is_aborted(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, *pair):
        await organiser.do(f"{path}/start")
        aborted = await organiser.do(f"{path}/abort")
        assert aborted["state"] == "closed"
        for client in pair:
            _, _, end = [await client.hear() for _ in range(3)]
            assert end["isClosed"]
            assert "winner" not in end
        assert await organiser.get("/lobbies") == []
        assert [client["where"] for client in await organiser.get("/clients")] == [None, None]


async def test_a_match_is_aborted_with_a_winner(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for by_key in (True, False):
            async with open_pair(organiser) as (path, ann, bob):
                await organiser.do(f"{path}/start")
                numbers = {c["key"]: str(c["number"]) for c in await organiser.get("/clients")}
                await organiser.do(f"{path}/abort", winner=bob.id if by_key else numbers[bob.id])
                end = [await ann.hear() for _ in range(3)][-1]
                assert (end["isClosed"], end["winner"]) == (True, bob.id)


async def test_the_winner_must_be_a_player(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, ann, _):
        assert await organiser.refused(f"{path}/abort", winner=ann.id) == (
            409,
            "the winner must be a player of a running game",
        )
        await organiser.do(f"{path}/start")
        async with open_client(organiser.hexxagon) as stranger:
            assert (await organiser.refused(f"{path}/abort", winner=stranger.id))[0] == 409
        assert await organiser.refused(f"{path}/abort", winner="99") == (
            404,
            "hexxagon has no client '99'",
        )
        assert (await organiser.get("/lobbies"))[0]["state"] == "running"


async def test_an_empty_lobby_is_aborted(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        path, _ = await organiser.lobby()
        await organiser.do(f"{path}/abort")
        assert (await organiser.refused(f"{path}/abort"))[0] == 404


async def test_a_client_is_kicked_out_of_the_reception(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        kicked = await organiser.do("/clients/hexxagon/1/kick")
        assert kicked["id"] == "hexxagon/1"
        await hear_kick(client)


async def test_a_client_is_kicked_out_of_its_match(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, ann, bob):
        await organiser.do(f"{path}/start")
        await organiser.do(f"/clients/hexxagon/{ann.id}/kick")
        await ann.hear("GameStarted")
        await ann.hear("GameStatus")
        await hear_kick(ann)
        end = [await bob.hear() for _ in range(3)][-1]
        assert (end["playerOneLeft"], end["winner"]) == (True, bob.id)
        assert [client["name"] for client in await organiser.get("/clients")] == ["Bob"]


async def test_nobody_is_kicked_by_a_wrong_name(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon):
        for name in ("2", "0", "-1", "", "1/1", "Ann", "%00", "%ff"):
            status, _ = await organiser.refused(f"/clients/hexxagon/{name}/kick")
            assert status == 404
        assert len(await organiser.get("/clients")) == 1


async def test_what_hexxagon_does_not_know_is_refused(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, _, _):
        for verb in ("pause", "resume", "step"):
            assert await organiser.refused(f"{path}/{verb}") == (
                409,
                "Hexxagon has no pause and no other order of players",
            )
        status, text = await organiser.refused(f"{path}/seat", clients=["1"])
        assert (status, text) == (409, "Hexxagon clients join a lobby by themselves")


async def test_hexxagon_opens_no_lobby_that_it_cannot(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"max_lobbies": 1}) as organiser:
        for wrong in (
            {"name": ""},
            {"name": "x" * 65},
            {"name": "a\nb"},
            {"settings": {"stuck": "end"}},
            {"settings": {"tournament": True}},
            {"file": "hostname", "content": "lab"},
        ):
            status, _ = await organiser.refused("/lobbies", game="hexxagon", **wrong)
            assert status == 409
        await organiser.lobby()
        status, text = await organiser.refused("/lobbies", game="hexxagon")
        assert (status, text) == (409, "1 lobbies are open, no more fit")


async def test_a_game_gets_all_that_was_asked_for(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        opened = await organiser.do(
            "/lobbies", game="meek", file="a", content="ä", settings={"k": [1]}
        )
        file = File("a", "ä".encode())
        assert (opened["id"], opened["name"]) == ("meek/1", f"None {file} {{'k': [1]}}")
        assert opened["facts"] == {"codes": ["x", "y"], "odd": ["/"], "size": ""}
        status, text = await organiser.refused("/lobbies", game="meek", settings={"wrong": 1})
        assert (status, text) == (409, "wrong is wrong")


async def test_no_file_is_read_for_an_organiser(tmp_path: Path) -> None:
    """The daemon may be allowed to read what its organisers are not, and the other way round."""
    async with open_control(tmp_path, meek_game()) as organiser:
        (tmp_path / "a").write_text("secret")
        for name in ("a", str(tmp_path / "a"), "/etc/shadow"):
            status, text = await organiser.refused("/lobbies", game="meek", file=name)
            assert (status, text.partition(";")[0]) == (
                *(400, "file: the daemon reads no files for organisers"),
            )


async def test_orders_reach_a_lobby_with_a_slash_in_its_name(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        for path in ("/lobbies/meek/a/b", "/lobbies/meek/a%2Fb"):
            assert (await organiser.do(f"{path}/pause"))["state"] == "paused"
            assert (await organiser.do(f"{path}/resume"))["state"] == "running"


async def test_clients_are_seated(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        server = organiser.servers["meek"]
        async with server.connect(), server.connect():
            while len(server.endpoint.clients) < 2:
                await trio.lowlevel.checkpoint()
            path = "/lobbies/meek/a/b/seat"
            seated = await organiser.do(path, clients=["2", "1", "2"], spectator=True)
            assert seated["spectators"] == ["2 True", "1 True"]
            assert (await organiser.refused(path, clients=["1", "3"]))[0] == 404
            assert (await organiser.refused(path, clients=[]))[0] == 400
            assert (await organiser.do(path, clients=["1"]))["spectators"][2:] == ["1 False"]


async def test_a_game_without_an_organiser_says_so(tmp_path: Path) -> None:
    sentence = "plain does not know lobbies that an organiser opens or fills"
    game = meek_game("plain", SilentReception)
    async with open_control(tmp_path, game) as organiser, organiser.servers["plain"].connect():
        while not await organiser.get("/clients"):
            pass
        assert await organiser.refused("/lobbies", game="plain") == (501, sentence)
        seat = "/lobbies/plain/a/b/seat"
        assert await organiser.refused(seat, clients=["1"]) == (501, sentence)


async def test_a_table_that_crashes_on_an_order_takes_nothing_along(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        await organiser.do("/lobbies", game="meek", name="other")
        status, text = await organiser.refused("/lobbies/meek/a/b/step")
        assert (status, text) == (500, "meek/a/b has crashed; the log says more")
        assert [lobby["name"] for lobby in await organiser.get("/lobbies")] == ["other"]
        assert (await organiser.get("/status"))["endpoints"][0]["crashes"] == 1


async def test_a_bug_is_answered_and_survived(tmp_path: Path) -> None:
    async with open_control(tmp_path, meek_game()) as organiser:
        status, text = await organiser.refused("/lobbies", game="meek", name="broken")
        assert (status, text) == (500, "internal error; the log says more")
        assert (await organiser.ask("GET", "/lobbies"))[0] == 500
        assert (await organiser.get("/status"))["clients"] == 0
