"""Tournaments on the page: as they stand, live, and every game one click away."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from ludothek.arena import database as databases
from ludothek.arena.database import Database, open_to_write
from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import shares
from ludothek.arena.plan import Format, Plan
from ludothek.contract import registry
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.web import tournaments
from tests.arena.games import played
from tests.support.arena import made_up, plan
from tests.support.page import Browser, open_page

LEAGUE = plan(3, games=2, settings={"max_turns": 6})


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(databases, "SYNCHRONOUS", "OFF")


@pytest.fixture
def cups(tmp_path: Path) -> Path:
    folder = tmp_path / "cups"
    folder.mkdir()
    return folder


def due(planned: Plan, database: Database) -> Sequence[Fixture]:
    outcomes = database.outcomes()
    results = {number: shares(outcome.finishes) for number, outcome in outcomes.items()}
    return [f for f in planned.schedule().fixtures(results) if f.number not in results]


def make_up(path: Path, planned: Plan, count: int = 1000) -> None:
    """Play so many games, without records."""
    with open_to_write(path, planned) as database:
        for _ in range(count):
            if not (fixtures := due(planned, database)):
                break
            database.add(planned, fixtures[0], made_up(planned.task(fixtures[0], "games")))


async def really_play(planned: Plan, database: Database) -> int:
    """Play the next game, with its record."""
    fixture = due(planned, database)[0]
    found = await played(planned.task(fixture, str(database.folder)))
    found.keep(database.folder)
    database.add(planned, fixture, found.outcome)
    return fixture.number


async def only(browser: Browser) -> str:
    (told,) = await browser.get("/api/tournaments")
    return str(told["id"])


async def test_a_tournament_is_followed_while_it_is_played(tmp_path: Path, cups: Path) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(open_to_write(cups / "cup.db", LEAGUE))
        async with open_page(tmp_path, "hexxagon", tournaments=[str(cups)]) as browser:
            key = await only(browser)
            async with browser.follow(f"/api/tournaments/{key}/live") as events:
                told: list[Any] = [await events.next()]
                for number in (1, 2):
                    assert await really_play(LEAGUE, database) == number
                    told.append(await events.next())
            assert await browser.get(f"/api/tournaments/{key}") == told[-1][1]
    assert [name for name, _ in told] == ["tournament"] * 3
    assert [each["played"] for _, each in told] == [0, 1, 2]
    last = told[-1][1]
    assert (last["title"], last["size"], last["complete"]) == ("cup", 6, False)
    assert sum(each["points"] for each in last["standings"]) == 2
    assert [each["number"] for each in last["games"]] == [2, 1]
    names = [each["name"] for each in last["standings"]]
    one, two = (names.index(name) for name in last["games"][0]["seats"])
    assert last["meetings"][one][two][1] == last["meetings"][two][one][1] == 2
    assert last["meetings"][one][one] is None


async def test_a_game_can_be_seen_once_all_games_on_its_board_are_over(
    tmp_path: Path, cups: Path
) -> None:
    with ExitStack() as stack:
        database = stack.enter_context(open_to_write(cups / "cup.db", LEAGUE))
        await really_play(LEAGUE, database)
        # Of another game: the board comes from the tournament's, which nobody plays here.
        async with open_page(tmp_path, "penguins", tournaments=[str(cups)]) as browser:
            key = await only(browser)
            (first,) = (await browser.get(f"/api/tournaments/{key}/games"))["games"]
            assert (first["match"], first["waits"]) == (None, True)
            await browser.get(f"/api/matches/{key}~1", 404)
            await really_play(LEAGUE, database)
            games = (await browser.get(f"/api/tournaments/{key}/games"))["games"]
            assert [each["match"] for each in games] == [f"{key}~2", f"{key}~1"]
            shown = await browser.get(f"/api/matches/{key}~1")
            answer = await browser.http.get(f"/api/matches/{key}~1/record")
            board = await browser.http.get("/games/hexxagon/board.js")
            other = await browser.http.get("/games/qwirkle/board.js")
    assert shown["tournament"]["title"] == "cup"
    assert shown["tournament"]["game"] == games[1]
    assert [seat["name"] for seat in shown["positions"][-1]["view"]["players"]] == first["seats"]
    assert shown["positions"][-1]["told"][-1]["what"] == "ended"
    assert not shown["live"]
    assert (board.status_code, other.status_code) == (200, 404)
    record = Record.read(answer.content)
    told = [*record.beginning.introduced.values(), *(note.content for note in record.notes)]
    assert b"127.0.0.1" not in b"".join(told)
    for _ in Replay(registry.load("hexxagon"), record):
        pass


async def test_games_are_listed_by_entrants_and_page_by_page(tmp_path: Path, cups: Path) -> None:
    make_up(cups / "cup.db", plan(3, games=4))
    async with open_page(tmp_path, "hexxagon", tournaments=[str(cups / "cup.db")]) as browser:
        path = f"/api/tournaments/{await only(browser)}/games"
        first = await browser.get(f"{path}?limit=5")
        second = await browser.get(f"{path}?limit=50&before={first['next']}")
        pair = await browser.get(f"{path}?player=Entrant 0&player=Entrant 2")
        nobody = await browser.get(f"{path}?player=Entrant' OR 1=1 --")
    numbers = [each["number"] for each in [*first["games"], *second["games"]]]
    assert numbers == [*range(12, 0, -1)]
    assert (len(first["games"]), second["next"]) == (5, None)
    assert {frozenset(each["seats"]) for each in pair["games"]} == {
        frozenset({"Entrant 0", "Entrant 2"})
    }
    assert len(pair["games"]) == 4
    assert nobody["games"] == []
    assert {each["match"] for each in first["games"]} == {None}  # nothing was recorded


async def test_the_bracket_of_a_knock_out_is_told(tmp_path: Path, cups: Path) -> None:
    make_up(cups / "cup.db", plan(3, games=2, format=Format.KNOCKOUT))
    async with open_page(tmp_path, "hexxagon", tournaments=[str(cups)]) as browser:
        (summary,) = await browser.get("/api/tournaments")
        told = await browser.get(f"/api/tournaments/{summary['id']}")
    assert [each["round"] for each in told["bracket"]] == [1, 1, 2]
    assert [told["bracket"][-1]["winner"]] == summary["best"]
    assert summary["complete"]


def foreign(path: Path, *statements: str) -> None:
    """A database of a tournament that somebody has changed."""
    make_up(path, LEAGUE, 2)
    connection = sqlite3.connect(path)
    with connection:
        for each in statements:
            connection.execute(each)
    connection.close()


async def test_what_cannot_be_read_is_named_and_ends_nothing(tmp_path: Path, cups: Path) -> None:
    make_up(cups / "good.db", LEAGUE)
    (cups / "text.db").write_text("name,points\n" * 500)
    (cups / "folder.db").mkdir()
    os.mkfifo(cups / "pipe.db")
    make_up(cups / "cut.db", LEAGUE)
    os.truncate(cups / "cut.db", 5000)
    foreign(cups / "planless.db", "DELETE FROM tournament")
    foreign(cups / "nonsense.db", "UPDATE tournament SET plan = '{\"title\": []}'")
    foreign(cups / "unknown.db", "UPDATE tournament SET plan = replace(plan, 'hexxagon', 'chess')")
    foreign(cups / "outcomes.db", "UPDATE games SET outcome = '[1, 2]'")
    foreign(cups / "version.db", "PRAGMA user_version = 99")
    places = [str(cups), str(tmp_path / "missing.db")]
    async with open_page(tmp_path, "hexxagon", tournaments=places) as browser:
        told = await browser.get("/api/tournaments")
        for each in told:
            whole = await browser.get(f"/api/tournaments/{each['id']}")
            assert whole["problem"] == each["problem"]
        browser.play()
        assert await browser.running_match()
    problems = {each["title"]: each["problem"] for each in told}
    assert problems.pop("cup") is None
    assert problems.keys() == {
        *(f"{name}.db" for name in ("text", "folder", "pipe", "cut", "planless", "nonsense")),
        *(f"{name}.db" for name in ("unknown", "outcomes", "version", "missing")),
    }
    for title, problem in problems.items():
        assert problem, title
        assert str(tmp_path) not in problem  # where files are is nobody's business
    assert "another version" in problems["version.db"]


@pytest.mark.parametrize(
    "record", ["../secret.match", "/etc/passwd", "link.match", "", "pipe.match"]
)
async def test_no_database_can_have_other_files_read(
    tmp_path: Path, cups: Path, record: str
) -> None:
    foreign(cups / "cup.db", f"UPDATE games SET record = '{record}'")
    folder = cups / "cup.games"
    folder.mkdir()
    (cups / "secret.match").write_bytes(b"secret")
    (folder / "link.match").symlink_to(cups / "secret.match")
    os.mkfifo(folder / "pipe.match")
    async with open_page(tmp_path, "hexxagon", tournaments=[str(cups)]) as browser:
        key = await only(browser)
        for path in (f"{key}~1", f"{key}~1/record"):
            answer = await browser.http.get(f"/api/matches/{path}")
            assert answer.status_code == 404
            assert b"secret" not in answer.content


async def test_ids_that_name_no_game_are_not_found(tmp_path: Path, cups: Path) -> None:
    make_up(cups / "cup.db", LEAGUE)
    async with open_page(tmp_path, "hexxagon", tournaments=[str(cups)]) as browser:
        key = await only(browser)
        for number in ("", "-1", "0", "999", "9" * 40, "1~1", "..%2f1", "\u0663", "%00"):
            for path in ("", "/record", "/live", "/history"):
                await browser.get(f"/api/matches/{key}~{number}{path}", 404)
        for other in ("~1", "aaaaaaaaaa~1", "..~1"):
            await browser.get(f"/api/matches/{other}", 404)
        for path in ("", "/games", "/live"):
            await browser.get(f"/api/tournaments/aaaaaaaaaa{path}", 404)


async def test_a_database_that_comes_later_is_found(
    tmp_path: Path, cups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournaments, "PAUSE", 0.0)  # of patience with a folder
    async with open_page(tmp_path, "hexxagon", tournaments=[str(cups)]) as browser:
        assert await browser.get("/api/tournaments") == []
        make_up(cups / "cup.db", LEAGUE, 1)
        (told,) = await browser.get("/api/tournaments")
    assert told["played"] == 1


async def test_without_the_setting_there_are_none(tmp_path: Path, cups: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        assert await browser.get("/api/tournaments") == []
