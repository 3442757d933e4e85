"""Phones, projectors, light and dark."""

import re
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.conftest import Library, OpenPage
from tests.browser.test_hostile import assert_no_sideways_scrolling
from tests.support.contestants import match
from tests.support.served import GAMES, Served

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
PROJECTOR: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}


def box(page: Page, selector: str) -> FloatRect:
    found = page.locator(selector).bounding_box()
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_match_fits_a_phone_and_a_projector(
    library: Library, open_page: OpenPage, game: str
) -> None:
    page = open_page(f"/m/{library[game]}", **PHONE)
    expect(page.locator("#result")).to_be_visible()
    assert_no_sideways_scrolling(page)
    board = box(page, "#board svg")
    assert board["width"] > 330  # nearly the whole phone
    page.set_viewport_size(PROJECTOR["viewport"])
    assert_no_sideways_scrolling(page)
    board, controls = box(page, "#board svg"), box(page, ".controls")
    assert board["height"] > 700
    assert controls["y"] + controls["height"] <= 1080  # all of it on one screen


def test_the_first_page_and_those_that_ask_fit_a_phone(
    library: Library, open_page: OpenPage
) -> None:
    assert library["quidditch"]
    page = open_page("/", **PHONE)
    expect(page.locator("#ended-table")).to_be_visible()
    page.locator("#games summary").first.click()
    assert_no_sideways_scrolling(page)
    for path in ("/play/hexxagon", "/play/penguins"):
        page.goto(path)
        expect(page.locator("#start")).to_be_visible()
        assert_no_sideways_scrolling(page)


def test_buttons_are_large_enough_for_fingers(library: Library, open_page: OpenPage) -> None:
    page = open_page(f"/m/{library['hexxagon']}", **PHONE)
    expect(page.locator("#result")).to_be_visible()
    for name in ("first", "back", "play", "forward", "last"):
        size = box(page, f"#go-{name}")
        assert min(size["width"], size["height"]) >= 40, name


def test_colours_follow_the_system_until_somebody_chooses(open_page: OpenPage) -> None:
    page = open_page("/", color_scheme="dark")
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.emulate_media(color_scheme="light")
    light = page.evaluate(colour)
    assert dark != light
    page.locator("#theme").click()  # light, then dark
    page.locator("#theme").click()
    assert page.evaluate(colour) == dark
    page.reload()
    assert page.evaluate(colour) == dark
    page.locator("#theme").click()
    assert page.evaluate(colour) == light  # as the system has it


def test_the_lecture_hall_goes_from_match_to_match(served: Served, open_page: OpenPage) -> None:
    with match(served, "hexxagon") as (one, _), match(served, "penguins") as (two, players):
        page = open_page("/hall", **PROJECTOR)
        hall = page.locator("main")
        expect(page.locator("#board")).to_be_visible()
        page.keyboard.press(" ")  # stays, whatever happens
        expect(page.locator("#staying")).to_be_visible()
        shown = hall.get_attribute("data-match")
        other = two if shown == one else one
        page.keyboard.press("ArrowRight")
        expect(hall).to_have_attribute("data-match", other)
        assert box(page, "#board svg")["height"] > 900
        assert_no_sideways_scrolling(page)
        if other != two:
            page.keyboard.press("ArrowRight")
            expect(hall).to_have_attribute("data-match", two)
        players.finish()
        expect(page.locator("#result")).to_be_visible()


def test_names_in_the_lecture_hall_are_not_torn_apart(served: Served, open_page: OpenPage) -> None:
    names = ("Barbara", "Edsger")
    with match(served, "qwirkle", names) as (match_id, _):
        page = open_page("/hall", **PROJECTOR)
        expect(page.locator("main")).to_have_attribute("data-match", match_id)
        expect(page.locator("h1")).to_have_text(re.compile(r"^Qwirkle · move \d+$"))
        turn = page.locator(".player.turn")
        expect(turn.locator(".clock")).to_be_visible()
        heights = [each.bounding_box() for each in page.locator(".player .name").all()]
        assert len({round(each["height"]) for each in heights if each}) == 1  # one line each
        expect(turn).to_have_text(re.compile("to move"))  # for screen readers


# As many robots as may race; each has as much to tell as those that do.
SIX_PLAYERS = """
(players) => {
  const there = [...players.children];
  while (players.children.length < 6) {
    players.append(there[players.children.length % there.length].cloneNode(true));
  }
}
"""


@pytest.mark.parametrize("size", [(1920, 1080), (1366, 768), (1024, 768)])
def test_all_players_are_on_the_screen_of_the_lecture_hall(
    served: Served, open_page: OpenPage, size: tuple[int, int]
) -> None:
    with match(served, "roborally") as (match_id, _):
        page = open_page("/hall", viewport={"width": size[0], "height": size[1]})
        expect(page.locator("main")).to_have_attribute("data-match", match_id)
        page.locator(".players").evaluate(SIX_PLAYERS)
        expect(page.locator("h1")).to_be_in_viewport(ratio=1)
        for player in page.locator(".player").all():
            expect(player).to_be_in_viewport(ratio=1)
