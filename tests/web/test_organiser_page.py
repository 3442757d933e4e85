"""What organisers can do at a browser: all that `platform ctl` can, and no more."""

from pathlib import Path
from typing import Any

import structlog
import trio
from structlog.testing import capture_logs

from ludothek.control.operations import OPERATIONS
from tests.support.hexxagon import HexxagonClient, start_game
from tests.support.organiser_page import ROOT, open_organiser_page

# Would be markup, or end a string.
HOSTILE = "<img src=x onerror=a()>\"'"


async def test_every_operation_is_offered_to_those_who_are_logged_in(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        http = organiser.browser.http
        assert len(OPERATIONS) > 20
        for operation in OPERATIONS:
            path = operation.path.format(game="hexxagon", lobby="1", client="1")
            answer = await http.request(operation.method, f"{ROOT}{path}")
            expected = 401 if operation.by_page else 404
            assert answer.status_code == expected, operation.name
            assert answer.json()["error"]


async def test_a_match_from_its_lobby_to_its_end(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        (server,) = organiser.browser.servers
        opened = await organiser.do("/lobbies", game="hexxagon", name="Finale")
        path, lobby = f"/lobbies/{opened['id']}", opened["id"].partition("/")[2]
        async with server.connect() as one, server.connect() as two:
            ann, bob = await HexxagonClient.arrive(one), await HexxagonClient.arrive(two)
            await ann.join(lobby, "Ann")
            await bob.join(lobby, "Bob")
            assert [each["name"] for each in await organiser.get("/clients")] == ["Ann", "Bob"]
            assert (await organiser.do(f"{path}/start"))["state"] == "running"
            assert await organiser.refused(f"{path}/pause") == (
                409,
                "Hexxagon has no pause and no other order of players",
            )
            ended = await organiser.do(f"{path}/abort", winner=bob.id)
            assert ended["state"] == "closed"
            assert (await organiser.do(f"/clients/hexxagon/{ann.id}/kick"))["name"] == "Ann"
            while len(await organiser.get("/clients?game=hexxagon")) > 1:
                pass
        assert await organiser.get("/lobbies") == []


async def test_pause_step_resume_seat_arrange_expel(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, "qwirkle", "penguins") as organiser:
        game = await organiser.do("/lobbies", game="qwirkle", settings={"turnTime": 5000})
        path = f"/lobbies/{game['id']}"
        assert (await organiser.refused(f"{path}/seat", clients=["9"]))[0] == 404
        assert await organiser.refused(f"{path}/seat", clients=[]) == (
            400,
            "clients: at least one is needed",
        )
        assert (await organiser.refused(f"{path}/expel", client="9"))[0] == 404
        assert (await organiser.post(f"{path}/arrange", {"clients": []})).status_code in (200, 409)
        room = await organiser.do("/lobbies", game="penguins")
        path = f"/lobbies/{room['id']}"
        assert (await organiser.do(f"{path}/pause"))["id"] == room["id"]
        for order in ("step", "resume"):
            assert (await organiser.post(f"{path}/{order}", {})).status_code in (200, 409)


async def test_only_organisers_may_send_much(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, "qwirkle") as organiser:
        much = {"game": "qwirkle", "file": "mine.json", "content": "{}" + " " * 64 * 1024}
        assert (await organiser.post("/lobbies", much)).status_code == 201
        organiser.browser.http.cookies.clear()
        assert (await organiser.post("/lobbies", much)).status_code == 413
        assert (await organiser.browser.http.post("/", content=b"x" * 4097)).status_code == 413


async def test_a_configuration_file_is_sent_with_its_content(tmp_path: Path) -> None:
    file = Path("config/qwirkle/quick.json")
    content = await trio.Path(file).read_text()
    async with open_organiser_page(tmp_path, "qwirkle") as organiser:
        opened = await organiser.do("/lobbies", game="qwirkle", file=file.name, content=content)
        assert opened["id"].startswith("qwirkle/")
        status, error = await organiser.refused(
            "/lobbies", game="qwirkle", file="mine.json", content="{"
        )
        assert (status, "mine.json" in error) == (409, True)
        status, error = await organiser.refused("/lobbies", game="qwirkle", file="/etc/passwd")
        assert (status, "reads no files" in error) == (400, True)


async def test_mistakes_get_the_daemons_own_words(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        cases: list[tuple[str, dict[str, Any], int, str]] = [
            ("/lobbies", {"game": "chess"}, 404, "no game 'chess' is served here"),
            ("/lobbies", {"gmae": "x"}, 400, "unknown field 'gmae' in the body"),
            ("/lobbies/hexxagon/a%2Fb/start", {}, 404, "hexxagon has no lobby 'a/b'"),
            ("/clients/hexxagon/9/kick", {}, 404, "hexxagon has no client '9'"),
            ("/drain", {"seconds": -1}, 400, "seconds: must be at least 0"),
            ("/drain", {}, 501, "this daemon can be neither drained"),
            ("/reload", {}, 501, "this daemon can be neither drained"),
            ("/restart", {}, 501, "this daemon can be neither drained"),
        ]
        for path, fields, status, error in cases:
            answered, told = await organiser.refused(path, **fields)
            assert (answered, error in told) == (status, True), told


async def test_the_log_says_who_has_done_what(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path, logged_in=False) as organiser:
        with capture_logs([structlog.contextvars.merge_contextvars]) as lines:
            await organiser.log_in()
            await organiser.log_in()
            await organiser.do("/lobbies", game="hexxagon")
            await organiser.get("/lobbies")
            await organiser.post("/logout")
        told = [(line["event"], line.get("session")) for line in lines]
        assert told[:2] == [("organiser logged in", 1), ("organiser logged in", 2)]
        assert told.count(("organiser's request", 2)) == 1
        assert told[-1] == ("organiser logged out", 2)
        (request,) = [line for line in lines if line["event"] == "organiser's request"]
        assert (request["operation"], request["status"]) == ("open", 201)
        assert request["address"] == "127.0.0.1"


async def send_hostile_names(client: HexxagonClient) -> None:
    lobby = await client.create(HOSTILE)
    await client.join(lobby, HOSTILE)
    await client.say("JoinLobby", lobbyId="\u202e" + HOSTILE, userName=HOSTILE)
    await client.hear("Strike")


async def test_hostile_names_are_data(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        (server,) = organiser.browser.servers
        async with server.connect() as peer:
            await send_hostile_names(await HexxagonClient.arrive(peer))
            for path in ("/lobbies", "/clients", "/refusals"):
                headers = {"x-ludothek-token": organiser.token}
                answer = await organiser.browser.http.get(f"{ROOT}{path}", headers=headers)
                assert answer.headers["content-type"] == "application/json"
                assert answer.headers["cache-control"] == "no-store"
                assert "\u202e" not in answer.text  # escaped
            ((lobby,), (client,)) = await organiser.get("/lobbies"), await organiser.get("/clients")
            assert lobby["name"].startswith("<img")
            assert client["name"].startswith("<img")
            assert client["refused"] == 1


async def test_recordings_are_switched(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        (server,) = organiser.browser.servers
        async with server.connect() as one, server.connect() as two:
            clients = [await HexxagonClient.arrive(each) for each in (one, two)]
            await start_game(*clients)
            (lobby,) = await organiser.get("/lobbies")
            for path in ("/endpoints/hexxagon", f"/lobbies/{lobby['id']}", "/clients/hexxagon/1"):
                assert (await organiser.do(f"{path}/wire", on=True))["on"] is True
            kinds = [each["kind"] for each in await organiser.get("/wire")]
            assert kinds == ["endpoint", "lobby", "client"]
            assert (await organiser.do("/endpoints/hexxagon/wire", on=False))["on"] is False
            assert len(await organiser.get("/wire")) == 2
