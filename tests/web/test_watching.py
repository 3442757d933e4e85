"""Matches on the page, while they are played and afterwards."""

import gc
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
import trio
from structlog.testing import capture_logs

from ludothek.contract import registry
from ludothek.contract.orders import Opening
from ludothek.contract.table import Stage, Summary
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.web.gallery import Gallery
from ludothek.web.repeater import NotShown
from ludothek.web.shelf import Shelf
from ludothek.web.viewer import Viewer
from tests.support.page import LOOK_AGAIN, Browser, open_page

GAMES = [name for name in registry.names() if registry.load(name).page is not None]


async def watched(browser: Browser, match: str) -> list[Any]:
    """Everything that a viewer hears, from coming in to the end of the match."""
    positions: list[Any] = []
    async with browser.follow(f"/api/matches/{match}/live") as events:
        while True:
            name, data = await events.next()
            if name == "over":
                assert data == {"id": match}
                return positions
            assert name == "position"
            positions.append(data)


async def test_a_match_is_followed_to_its_end_and_shown_afterwards(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        match = await browser.running_match()
        live = await watched(browser, match)
        ended = await browser.ended_match()
        shown = await browser.get(f"/api/matches/{match}")
    assert ended["id"] == match  # the same link while it is played and afterwards
    assert not shown["live"]
    assert shown["result"]["winner"] == ended["winner"]
    afterwards = {position["n"]: position for position in shown["positions"]}
    assert len(live) > 5
    for position in live[1:]:
        assert afterwards[position["n"]] == position
    assert shown["positions"][0]["told"][0]["what"] == "began"
    assert shown["positions"][-1]["told"][-1]["what"] == "ended"
    numbers = [position["n"] for position in shown["positions"]]
    assert [position["after"] for position in shown["positions"]] == [0, *numbers[:-1]]


async def test_whoever_hears_of_the_end_gets_the_record_while_others_are_still_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound, looks = Shelf.find, 0

    def find(shelf: Shelf, match_id: str) -> Path | None:
        """As if the record took its time."""
        nonlocal looks
        looks += 1
        return sound(shelf, match_id) if looks > 1 else None

    monkeypatch.setattr(Shelf, "find", find)
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        match = await browser.running_match()
        async with browser.follow(f"/api/matches/{match}/live"):
            await watched(browser, match)
            shown = await browser.get(f"/api/matches/{match}")
    assert looks > 1
    assert not shown["live"]


@pytest.mark.parametrize("game", GAMES)
async def test_the_history_of_a_running_match_is_what_its_viewers_have_seen(
    tmp_path: Path, game: str
) -> None:
    async with open_page(tmp_path, game) as browser:
        browser.play()
        match = await browser.running_match()
        async with browser.follow(f"/api/matches/{match}/live") as events:
            live = [(await events.next())[1] for _ in range(6)]
            history = (await browser.get(f"/api/matches/{match}/history"))["positions"]
    seen = {position["n"]: position for position in history}
    common = [position for position in live[1:] if position["n"] in seen]
    assert common
    for position in common:
        assert seen[position["n"]]["view"]["board"] == position["view"]["board"]
        assert seen[position["n"]]["told"] == position["told"]


async def test_the_record_that_anybody_can_have_repeats_the_match_and_names_no_address(
    tmp_path: Path,
) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        ended = await browser.ended_match()
        answer = await browser.http.get(f"/api/matches/{ended['id']}/record")
    assert answer.status_code == 200
    name = f"hexxagon-{ended['id']}.match"
    assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
    record = Record.read(answer.content)
    told = [*record.beginning.introduced.values(), *(note.content for note in record.notes)]
    assert b"192.0.2.1" in b"".join(told)
    assert b"127.0.0.1" not in b"".join(told)
    replay = Replay(registry.load("hexxagon"), record)
    for _ in replay:
        pass
    assert replay.done == len(replay.record.notes)


async def test_positions_have_the_numbers_that_replay_shows(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        ended = await browser.ended_match()
        shown = await browser.get(f"/api/matches/{ended['id']}")
        (path,) = (browser.state.path / "matches").glob(f"*_{ended['id']}_*")
        record = Record.read(path.read_bytes())
    replay = Replay(registry.load("hexxagon"), record)
    views = {position["n"]: position["view"] for position in shown["positions"]}
    compared = 0
    for _ in replay:
        if replay.done in views:
            board = views[replay.done]["board"]
            table: Any = replay.rerun.table
            assert views[replay.done]["move"] == table.match.state.turn - 1, board
            compared += 1
    assert compared == len(views)


async def test_a_match_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        for path in ("", "/history", "/live", "/record"):
            answer = await browser.get(f"/api/matches/aaaaaaaaaa{path}", 404)
            assert [*answer] == ["error"]
        for name in ("..", "%2e%2e%2fresults.jsonl", "..%2f..%2fetc%2fpasswd", "x" * 300, "%00"):
            await browser.get(f"/api/matches/{name}", 404)


async def test_a_match_that_ends_when_somebody_comes_is_no_bug(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def over(gallery: Gallery, match_id: str, viewer: Viewer) -> AbstractContextManager[None]:
        raise NotShown(404, "no such match is running")

    monkeypatch.setattr(Gallery, "watching", over)
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play(games=50)
        match = await browser.running_match()
        async with browser.follow(f"/api/matches/{match}/live") as events:
            await events.hear_end()
    assert "crashed" not in "".join(capfd.readouterr())


async def test_nobody_is_watched_after_the_last_viewer_has_left(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play(games=50)
        match = await browser.running_match()
        (lobby,) = [
            each
            for each in browser.servers[0].endpoint.hall.lobbies.values()
            if each.match_id == match
        ]
        async with browser.follow(f"/api/matches/{match}/live") as events:
            await events.next()
            assert lobby.watch is not None
        with trio.fail_after(60):
            while lobby.watch is not None:  # noqa: ASYNC110 (nobody tells)
                await trio.sleep(LOOK_AGAIN)


async def test_the_home_page_hears_of_lobbies_and_of_ended_matches(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser, browser.follow("/api/live") as events:
        browser.play()
        seen: dict[str, Any] = {}
        while "ended" not in seen:
            name, data = await events.next()
            seen[name] = data
    assert seen["ended"]["moves"] > 0
    assert {each["name"] for each in seen["ended"]["players"]} == {"Random 0", "Random 1"}


async def test_a_lobby_that_cannot_be_told_is_listed_beside_the_others_and_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: Any = registry.load("penguins").table
    name = property(lambda table: Summary(name=b"bytes", stage=Stage.WAITING))  # type: ignore[arg-type]
    with capture_logs() as logs:
        async with open_page(tmp_path, "hexxagon", "penguins") as browser:
            monkeypatch.setattr(broken, "summary", name)
            browser.play(server=0, players=1)
            browser.play(server=1)
            async with browser.follow("/api/live") as events:
                with trio.fail_after(60):
                    while len(told := (await events.next())[1]) < 2:
                        pass
            match = await browser.running_match()
            for _ in range(5):
                assert (await browser.get("/api/matches"))["lobbies"][0] == told[0]
                await browser.get(f"/api/matches/{match}")
    assert [each["event"] for each in logs].count("a lobby cannot be listed") == 1
    assert [(each["game"], each["stage"]) for each in told] == [
        ("hexxagon", "waiting"),
        ("penguins", "other"),
    ]


async def test_the_list_is_there_for_those_who_come_after_everybody_has_left(
    tmp_path: Path,
) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        for _ in range(3):
            async with browser.follow("/api/live") as events:
                assert (await events.next())[0] == "lobbies"


async def test_a_lobby_that_was_listed_takes_no_memory_when_it_is_over(tmp_path: Path) -> None:
    """Nobody may ask for the list again for days."""
    async with open_page(tmp_path, "hexxagon") as browser:
        hall = browser.servers[0].endpoint.hall
        lobby = ref(hall.foyer.open_lobby(Opening(name="Over")))
        assert [each["name"] for each in (await browser.get("/api/matches"))["lobbies"]] == ["Over"]
        await browser.servers[0].endpoint.drain()
        with trio.fail_after(60):
            while lobby() is not None:
                gc.collect()
                await trio.sleep(LOOK_AGAIN)


async def test_a_bug_in_what_a_game_shows_ends_the_view_and_not_the_match(
    tmp_path: Path,
) -> None:
    page = registry.load("hexxagon").page
    assert page is not None
    sound = page.view

    def broken(table: Any, everything: bool) -> Any:
        raise ZeroDivisionError("a bug")

    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        match = await browser.running_match()
        async with browser.follow(f"/api/matches/{match}/live") as events:
            await events.next()
            object.__setattr__(page, "view", broken)
            try:
                while (await events.next())[0] != "over":
                    pass
            finally:
                object.__setattr__(page, "view", sound)
        ended = await browser.ended_match()
    assert (ended["id"], ended["reason"]) == (match, "regular")
