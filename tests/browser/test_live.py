"""Matches in the browser while they are played."""

import re
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from playwright.sync_api import Page, Response, expect

from tests.browser import drawn, truth
from tests.browser.conftest import OpenPage
from tests.browser.viewer import await_place
from tests.support.contestants import match
from tests.support.served import GAMES, Served

# That a position is drawn, and all before it are known.
REACHED = """
(move) => document.querySelector("#loading")?.hidden
  && document.querySelector("#position").getAttribute("aria-valuetext").includes(`move ${move}.`)
"""
PLACES = "() => document.querySelector('output.place').value.split(' / ').map(Number)"


def newest(served: Served, match_id: str) -> Any:
    """The position that a match has reached."""
    return served.get(f"/api/matches/{match_id}")["positions"][-1]


def await_newest(page: Page, served: Served, match_id: str) -> int:
    """Wait until the browser follows; returns the count of positions that it knows."""
    page.wait_for_function(REACHED, arg=newest(served, match_id)["view"]["move"])
    index, count = page.evaluate(PLACES)
    assert index == count
    return int(count)


def steady(page: Page, read: Callable[[Page], Any]) -> tuple[int, Any]:
    """What is drawn, and the number of that position: the same before and after reading."""
    number = "() => Number(document.querySelector('#position').dataset.n)"
    n, shown = -1, None
    while n != (n := page.evaluate(number)):
        shown = read(page)
    return n, shown


def test_a_match_is_followed_until_somebody_goes_back(served: Served, open_page: OpenPage) -> None:
    with match(served, "hexxagon", messages=20) as (match_id, players):
        page = open_page(f"/m/{match_id}")
        count = await_newest(page, served, match_id)
        expect(page.locator("#go-live")).to_have_attribute("aria-pressed", "true")
        players.allow(3)
        await_place(page, count + 3, count + 3)  # followed
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowLeft")
        await_place(page, count + 1, count + 3)
        expect(page.locator("#go-live")).to_have_attribute("aria-pressed", "false")
        players.allow(2)
        await_place(page, count + 1, count + 5)  # there is more, and the place is kept
        page.locator("#go-live").click()
        await_place(page, count + 5, count + 5)
        players.allow(1)
        await_place(page, count + 6, count + 6)
        players.finish()
        expect(page.locator("#result")).to_be_visible()
    ended = served.get(f"/api/matches/{match_id}")
    await_place(page, len(ended["positions"]), len(ended["positions"]))
    expect(page.locator("#go-live")).to_be_hidden()
    expect(page.locator("#record")).to_be_visible()
    stones = drawn.hexxagon(page)
    assert [len(stones["one"]), len(stones["two"])] == [
        each["score"] for each in ended["result"]["players"]
    ]


def test_whoever_comes_to_a_match_reads_what_happened_last(
    served: Served, open_page: OpenPage
) -> None:
    with match(served, "penguins") as (match_id, _):
        page = open_page(f"/m/{match_id}")
        await_newest(page, served, match_id)
        told = served.get(f"/api/matches/{match_id}/history")["positions"][-1]
        line = page.locator("#happenings [aria-current]")
        expect(line).to_have_attribute("data-n", str(told["n"]))
        assert told["told"][0]["name"] in line.inner_text()
        expect(page.locator("#last")).to_have_text(line.locator(".what").inner_text())


@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn_live_is_what_the_record_says(
    served: Served, open_page: OpenPage, game: str
) -> None:
    live: dict[int, Any] = {}
    with match(served, game, seed=3) as (match_id, players):
        page = open_page(f"/m/{match_id}")
        for _ in range(4):
            players.allow(2)
            await_newest(page, served, match_id)
            n, shown = steady(page, getattr(drawn, game))
            live[n] = shown
        players.finish()
        expect(page.locator("#result")).to_be_visible()
    tell = getattr(truth, game)
    tables = truth.repeated(served.record(match_id), game)
    recorded = {number: tell(table) for number, table in tables if number in live}
    assert recorded == live


# What the stream of a match says first.
FIRST_EVENT = """
(path) => new Promise((resolve) => {
  const source = new EventSource(path);
  source.addEventListener("position", ({ data }) => {
    source.close();
    resolve(JSON.parse(data));
  });
})
"""
HAND = ".players .player:first-child .qwirkle-hand .tile"

# Words that only hidden things have, in what a browser gets.
HIDDEN = {
    "qwirkle": ("hand", "next"),
    "roborally": ("hand", "deck", "discard", "upgrade_deck"),
    "quidditch": ("queue", "again"),
}


def keys_of(value: Any) -> set[str]:
    """All keys of all objects in a JSON value."""
    if isinstance(value, dict):
        return {*value, *(key for each in value.values() for key in keys_of(each))}
    if isinstance(value, list):
        return {key for each in value for key in keys_of(each)}
    return set()


def told_by(page: Response) -> Any:
    """The answers that a page has brought along."""
    found = re.search(r'<script type="application/json" id="told">(.*?)</script>', page.text())
    assert found is not None
    return orjson.loads(found[1])["answers"]


@pytest.mark.parametrize("game", HIDDEN)
def test_hidden_things_come_to_the_browser_only_after_the_match(
    served: Served, open_page: OpenPage, game: str
) -> None:
    with match(served, game, seed=4) as (match_id, players):
        page = open_page("/")
        answers: list[Response] = []
        page.on("response", lambda each: answers.append(each))
        page.goto(f"/m/{match_id}")
        await_newest(page, served, match_id)
        path = f"/api/matches/{match_id}"
        told = [each.json() for each in answers if each.url.endswith(f"{path}/history")]
        told += [told_by(each)[path] for each in answers if each.url.endswith(f"/m/{match_id}")]
        streamed = page.evaluate(FIRST_EVENT, f"/api/matches/{match_id}/live")
        assert len(told) == 2
        shown = [streamed, *(position for each in told for position in each["positions"])]
        assert not {*HIDDEN[game]} & keys_of([each["view"] for each in shown])
        with page.expect_response(lambda each: each.url.endswith(path)) as answering:
            players.finish()
    afterwards = answering.value.json()["positions"]
    assert {*HIDDEN[game]} <= keys_of([each["view"] for each in afterwards])


def test_hands_are_face_down_until_the_match_is_over(served: Served, open_page: OpenPage) -> None:
    with match(served, "qwirkle", seed=5) as (match_id, players):
        page = open_page(f"/m/{match_id}")
        count = await_newest(page, served, match_id)
        hands = page.locator(".players .qwirkle-hand")
        expect(hands).to_have_count(2)
        assert hands.locator(".tile.back").count() == hands.locator(".tile").count() > 6
        players.finish()
        expect(page.locator("#result")).to_be_visible()
    page.locator("#go-first").click()
    expect(hands.locator(".tile.back")).to_have_count(0)
    first = served.get(f"/api/matches/{match_id}")["positions"][0]["view"]
    kinds = [[each.says("color"), each.says("shape")] for each in drawn.read(page, HAND)]
    assert kinds == [[*map(str, kind)] for kind in first["players"][0]["own"]["hand"]]
    assert page.locator("#board .bag .in-bag").count() == first["board"]["bag"]
    assert count > 5
