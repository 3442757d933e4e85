"""Listening in: what is recorded, where it is found, and what is never told."""

import base64
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from ludothek.storage.file_names import file_name
from ludothek.wire.line import mask
from ludothek.wire.wire import MAX_RECORDINGS
from tests.support.helpers import Server
from tests.support.organiser_console import open_client, open_control, open_pair
from tests.support.toy import toy_client


async def alone(server: Server) -> None:
    """Wait until the last client is gone."""
    with trio.fail_after(60):
        while server.endpoint.clients:
            await trio.lowlevel.checkpoint()


def read(server: Server, path: str) -> list[dict[str, Any]]:
    """All entries of a log, with what was still to be written."""
    assert server.endpoint.state is not None
    server.endpoint.state.close()
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def frames(entries: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [
        (entry["name"], entry["dir"], json.loads(entry["frame"])["messageType"])
        for entry in entries
        if "frame" in entry
    ]


async def test_a_whole_endpoint_is_recorded_by_a_setting(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"wire_log": True}) as organiser:
        async with open_client(organiser.hexxagon) as client:
            await client.lobbies()
        await alone(organiser.hexxagon)
        (recorded,) = await organiser.get("/wire")
        entries = read(organiser.hexxagon, recorded["file"])
    assert recorded["file"] == str(tmp_path / "state" / "wire" / "hexxagon.jsonl")
    assert (recorded["id"], recorded["kind"], recorded["on"]) == ("hexxagon", "endpoint", True)
    assert [entry.get("note") for entry in entries] == ["on", "connected", None, None, None, "gone"]
    assert frames(entries) == [
        ("", "out", "Welcome"),
        ("", "in", "GetAvailableLobbies"),
        ("", "out", "AvailableLobbies"),
    ]
    welcome = entries[2]
    assert (welcome["client"], welcome["key"], welcome["lobby"]) == (1, client.id, None)
    assert welcome["peer"].startswith("127.0.0.1:")
    assert welcome["time"].endswith("Z")


def open_files() -> set[str]:
    """What this process has open."""
    found = set()
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.add(str(descriptor.readlink()))
    return found


async def test_an_endpoint_that_is_closed_for_good_lets_go_of_its_files(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"wire_log": True}) as organiser:
        async with open_client(organiser.hexxagon) as client:
            await client.lobbies()
            (recorded,) = await organiser.get("/wire")
            with trio.fail_after(60):
                while recorded["file"] not in open_files():
                    await trio.lowlevel.checkpoint()
        await organiser.hexxagon.endpoint.drain()
        with trio.fail_after(60):
            while recorded["file"] in open_files():
                await trio.lowlevel.checkpoint()
        entries = read(organiser.hexxagon, recorded["file"])
    assert [entry.get("note") for entry in entries][-2:] == ["gone", "off"]


async def test_a_clause_that_a_frame_breaks_is_noted_under_it(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"wire_log": True}) as organiser:
        async with open_client(organiser.hexxagon) as client:
            await client.say("LeaveLobby", lobbyId="7")
            await client.hear("Strike")
        await alone(organiser.hexxagon)
        (recorded,) = await organiser.get("/wire")
        entries = read(organiser.hexxagon, recorded["file"])
    frame, note, strike = entries[3:6]
    assert (frame["dir"], strike["dir"]) == ("in", "out")
    assert note["client"] == frame["client"]
    assert (note["note"], note["clause"], note["pointer"]) == ("struck", "3.2.2.1", "/lobbyId")
    assert (note["expected"], note["came"]) == ("a UUID", "'7'")


async def test_a_lobby_is_recorded_from_the_moment_it_is_asked_for(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, ann, bob):
        on = await organiser.do(f"{path}/wire", on=True)
        again = await organiser.do(f"{path}/wire", on=True)
        assert again["file"] == on["file"]
        async with open_pair(organiser) as (other, _, _):  # somebody else's
            await organiser.do(f"{other}/start")
        await organiser.do(f"{path}/start")
        await ann.hear("GameStarted")
        off = await organiser.do(f"{path}/wire", on=False)
        assert (off["on"], off["file"]) == (False, None)
        await organiser.do(f"{path}/abort")
        await bob.hear("GameStarted")
        entries = read(organiser.hexxagon, on["file"])
    lobby = path.removeprefix("/lobbies/hexxagon/")
    assert Path(on["file"]).name == f"lobby-{lobby}.jsonl"
    assert sorted(frames(entries)) == [
        ("Ann", "out", "GameStarted"),
        ("Ann", "out", "GameStatus"),
        ("Bob", "out", "GameStarted"),
        ("Bob", "out", "GameStatus"),
    ]
    assert {entry["lobby"] for entry in entries if "frame" in entry} == {lobby}


async def test_a_recording_ends_with_the_lobby(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        async with open_pair(organiser) as (path, ann, _):
            recorded = await organiser.do(f"{path}/wire", on=True)
            await organiser.do(f"{path}/abort")
            await ann.hear("LobbyStatus")
            await ann.lobbies()  # outside of it
        await alone(organiser.hexxagon)
        assert await organiser.get("/wire") == []
        entries = read(organiser.hexxagon, recorded["file"])
    words = sorted(frames(entries))
    assert words == [("Ann", "out", "LobbyStatus"), ("Bob", "out", "LobbyStatus")]
    assert entries[-1]["note"] == "off"


async def test_a_client_is_recorded_wherever_it_goes(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        async with open_client(organiser.hexxagon) as ann, open_client(organiser.hexxagon) as bob:
            recorded = await organiser.do(f"/clients/hexxagon/{ann.id}/wire", on=True)
            assert (recorded["id"], recorded["kind"]) == ("hexxagon/1", "client")
            _, lobby_id = await organiser.lobby()
            await bob.join(lobby_id, "Bob")
            await ann.join(lobby_id, "Ann")
        await alone(organiser.hexxagon)
        assert await organiser.get("/wire") == []
        entries = read(organiser.hexxagon, recorded["file"])
    heard = frames(entries)
    assert ("", "in", "JoinLobby") in heard
    assert {entry["client"] for entry in entries if "client" in entry} == {1}


async def test_what_concerns_several_recordings_is_in_each(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_pair(organiser) as (path, _, _):
        places = ["/endpoints/hexxagon", path, "/clients/hexxagon/1", "/clients/hexxagon/2"]
        files = [(await organiser.do(f"{place}/wire", on=True))["file"] for place in places]
        assert {Path(file) for file in files} == {
            Path(view["file"]) for view in await organiser.get("/wire")
        }
        await organiser.do(f"{path}/start")
        for place in places:
            await organiser.do(f"{place}/wire", on=False)
        counts = [len(frames(read(organiser.hexxagon, file))) for file in files]
        assert counts == [4, 4, 2, 2]
        assert all(client.tap is None for client in organiser.hexxagon.endpoint.clients)


async def test_nobody_is_recorded_who_is_not_there(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for place in ("/endpoints/chess", "/lobbies/hexxagon/x", "/clients/hexxagon/1"):
            assert (await organiser.refused(f"{place}/wire", on=True))[0] == 404
        assert (await organiser.refused("/endpoints/hexxagon/wire"))[0] == 400
        assert (await organiser.do("/endpoints/hexxagon/wire", on=False))["on"] is False


async def test_there_is_an_end_to_recordings(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"max_lobbies": 1000}) as organiser:
        paths = [(await organiser.lobby())[0] for _ in range(MAX_RECORDINGS + 1)]
        for path in paths[:-1]:
            await organiser.do(f"{path}/wire", on=True)
        status, text = await organiser.refused(f"{paths[-1]}/wire", on=True)
        assert (status, text) == (409, f"hexxagon is recorded {MAX_RECORDINGS} times already")
        await organiser.do(f"{paths[0]}/abort")
        await organiser.do(f"{paths[-1]}/wire", on=True)


async def test_frames_that_are_no_text_are_kept_too(tmp_path: Path) -> None:
    async with open_control(tmp_path, settings={"wire_log": True}) as organiser:
        wire = organiser.hexxagon.endpoint.wire
        assert wire is not None
        client = toy_client(organiser.hexxagon.endpoint.hall, 7)
        wire.heard(client, b"\xff\x00password")
        client.name = "half \ud800"
        wire.note(client, "unreadable: why")
        (view,) = await organiser.get("/wire")
        entries = read(organiser.hexxagon, view["file"])
    assert base64.b64decode(entries[1]["base64"]) == b"\xff\x00password"
    assert "frame" not in entries[1]
    assert (entries[2]["name"], entries[2]["note"]) == ("half \ud800", "unreadable: why")


@pytest.mark.parametrize(
    ("frame", "masked"),
    [
        ('{"userName":"a","password":"s3cret","x":1}', '{"userName":"a","password":"***","x":1}'),
        ('{"password" : "1337"}', '{"password" : "***"}'),
        ('{"Password":"a\\"b","x":2}', '{"Password":"***","x":2}'),
        ('{"password":1337}', '{"password":"***"}'),
        ('{"password":"never closed', '{"password":"***"'),
        ('<authenticate password="s3cret"/>', '<authenticate password="***"/>'),
        ("<authenticate  password = 's3cret' />", '<authenticate  password = "***" />'),
        ('<authenticate password="never closed', '<authenticate password="***"'),
        ('{"chat":"the password is secret"}', '{"chat":"the password is secret"}'),
        ('{"chat":"\\"password\\": x"}', '{"chat":"\\"password\\": x"}'),
        ('{"information":"Error: wrong password"}', '{"information":"Error: wrong password"}'),
    ],
)
def test_passwords_are_not_told(frame: str, masked: str) -> None:
    assert mask(frame.encode()).decode() == masked
    assert mask(b"\xff" + frame.encode()) == b"\xff" + masked.encode()


def test_names_that_others_choose_are_harmless_as_files() -> None:
    names = ["a", "a/b", "a_b", "../../etc/passwd", "ä" * 300, "x" * 300, "x" * 301, "\0", "\ud800"]
    made = [file_name(name) for name in names]
    assert len(set(made)) == len(names)
    assert made[0] == "a"
    for name in made:
        assert len(name.encode()) < 200
        assert "/" not in name
        assert "\0" not in name
