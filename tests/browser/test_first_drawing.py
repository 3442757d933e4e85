"""What people see before any script of a page has come."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage
from tests.support.contestants import match
from tests.support.served import Served

# Frame and headings of a page as the server has sent it, and as the scripts have drawn it.
FRAME = "header, footer, .skip"
HEADINGS = "h1, h2:not(#tournaments-title)"  # there may be no tournament
SENT = """
async (parts) => {
  const text = await (await fetch(location.pathname)).text();
  const sent = new DOMParser().parseFromString(text, "text/html");
  return [...sent.querySelectorAll(parts)].map((each) => each.outerHTML);
}
"""
DRAWN = """
(parts) => [...document.querySelectorAll(parts)]
  .filter((each) => !each.closest("[hidden]"))
  .map((each) => each.outerHTML)
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint').length"


@contextmanager
def without_modules(page: Page) -> Iterator[None]:
    """They are on their way, as far as the browser knows."""
    page.route("**/assets/home.js*", lambda route: None)
    page.route("**/assets/match.js*", lambda route: None)
    yield
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")


@pytest.mark.parametrize(("locale", "text"), [("en-GB", "Ended"), ("de-DE", "Beendete Partien")])
def test_there_is_something_to_read_before_the_scripts_are_there(
    open_page: OpenPage, locale: str, text: str
) -> None:
    page = open_page("about:blank", locale=locale, fresh=True)
    with without_modules(page):
        page.goto("/", wait_until="commit")
        expect(page.locator("h2", has_text=text)).to_be_visible()
        expect(page.locator("nav a").first).to_be_visible()
        page.wait_for_function(PAINTED)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_scripts_draw_what_the_server_has_sent(open_page: OpenPage, locale: str) -> None:
    page = open_page("/", locale=locale)
    expect(page.locator("#games .game").first).to_be_visible()
    assert page.evaluate(DRAWN, FRAME) == page.evaluate(SENT, FRAME)
    assert page.evaluate(DRAWN, HEADINGS) == page.evaluate(SENT, HEADINGS)
    page.goto("/play/hexxagon")
    expect(page.locator("#start")).to_be_visible()
    assert page.evaluate(DRAWN, FRAME) == page.evaluate(SENT, FRAME)


def test_chosen_colours_are_there_from_the_beginning(open_page: OpenPage) -> None:
    page = open_page("/", fresh=True)
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.evaluate("localStorage.setItem('theme', 'dark')")
    with without_modules(page):
        page.goto("/", wait_until="commit")
        expect(page.locator("h2").first).to_be_visible()
        assert page.evaluate(colour) != light


def test_a_chosen_language_never_shows_the_other_one(open_page: OpenPage) -> None:
    page = open_page("/", fresh=True)
    expect(page.locator("h2", has_text="Ended matches")).to_be_visible()
    page.evaluate("localStorage.setItem('language', 'de')")
    with without_modules(page):
        page.goto("/", wait_until="commit")
        expect(page.locator("h2").first).to_be_attached()
        expect(page.locator("h2").first).to_be_hidden()
        expect(page.locator("h2").first).to_be_visible()  # if the scripts do not come at all
    page.goto("/")
    expect(page.locator("h2", has_text="Beendete Partien")).to_be_visible()


def test_a_running_match_is_drawn_without_a_question(served: Served, open_page: OpenPage) -> None:
    with match(served, "hexxagon") as (match_id, _):
        page = open_page("about:blank", fresh=True)
        asked: list[str] = []
        page.on("request", lambda each: asked.append(each.url))
        page.goto(f"/m/{match_id}")
        expect(page.locator("#board svg.board")).to_be_visible()
        assert not [url for url in asked if url.endswith(f"/api/matches/{match_id}")]
        assert len([url for url in asked if url.endswith("/board.js")]) == 1
