"""Names and chat that mean harm: shown as text, and nothing else happens."""

import orjson
import pytest
from playwright.sync_api import Page, expect
from websockets.sync.client import connect

from tests.browser.conftest import OpenPage
from tests.games.quidditch.clients import container, join
from tests.support.contestants import match
from tests.support.served import Served

HTML = "<img src=x onerror=alert(1)>"
QUOTES = "\"'`${alert(1)}<b>&amp;"
BIDI = "\u202eevil\u2066 name"  # turns the text around it
LONG = "W" * 32
SCRIPT = "</script><img src=x><!--"
COMMENT = "<!--<script>"
RIGHT_TO_LEFT = "\u05e9\u05dc\u05d5\u05dd"
EMOJI = "\U0001f469\u200d\U0001f680\U0001f3b2"
# The names of players who meet; those of Penguins are the server's, of Quidditch plain letters.
MEETINGS = {
    "hexxagon": ((HTML, QUOTES), (LONG, RIGHT_TO_LEFT), (SCRIPT, COMMENT)),
    "qwirkle": ((HTML, QUOTES), (BIDI, LONG), (EMOJI, RIGHT_TO_LEFT)),
    "roborally": ((HTML, QUOTES), (LONG, EMOJI)),
}


def assert_tame(page: Page) -> None:
    """Nothing of what people call themselves has become a part of the page."""
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("document.title") != "1"
    assert_no_sideways_scrolling(page)


def assert_reads_rightwards(page: Page) -> None:
    """Names from right to left do not turn the sentences around them."""
    for text in page.locator("#happenings .what").all_inner_texts():
        assert RIGHT_TO_LEFT not in text or f"\u2068{RIGHT_TO_LEFT}\u2069" in text
    assert page.locator("#happenings [dir], #last[dir]").count() == 0


def assert_no_sideways_scrolling(page: Page) -> None:
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) == 0


@pytest.mark.parametrize("game", MEETINGS)
def test_hostile_names_are_text(served: Served, open_page: OpenPage, game: str) -> None:
    home, page = open_page("/"), open_page("about:blank")
    matches = []
    for names in MEETINGS[game]:
        with match(served, game, names) as (match_id, players):
            page.goto(f"/m/{match_id}")
            expect(page.locator(".player .name")).to_have_count(len(names))
            shown = {*page.locator(".player .name").all_inner_texts()}
            players.allow(2)
            expect(page.locator("#happenings a").first).to_be_attached()
            assert_tame(page)
            assert_reads_rightwards(page)
            card = home.locator(f'[data-match="{match_id}"]')
            expect(card).to_be_visible()
            assert {*card.locator(".name").all_inner_texts()} == shown
            assert_tame(home)
        plain = {each.translate(dict.fromkeys(map(ord, "\u202e\u2066"))) for each in names}
        assert shown == plain
        matches.append(match_id)
        home.reload()  # with the names in the page itself
        assert_tame(home)
    for match_id in matches:
        expect(home.locator(f'#ended tr[data-match="{match_id}"]')).to_be_visible()
    assert_tame(home)


def test_hostile_chat_is_text(served: Served, open_page: OpenPage) -> None:
    address = f"ws://127.0.0.1:{served.ports['quidditch']}"
    with match(served, "quidditch") as (match_id, _), connect(address) as heckler:
        page = open_page(f"/m/{match_id}")
        expect(page.locator("#happenings")).to_be_visible()
        heckler.send(_json(join("Heckler", mods=["chat"])))
        for text in (HTML, QUOTES, BIDI):
            heckler.send(_json(container("sendChat", {"information": text})))
        lines = page.locator("#happenings a", has_text="Heckler")
        expect(lines.filter(has_text=HTML)).to_have_count(1)
        expect(lines.filter(has_text=QUOTES)).to_have_count(1)
        expect(lines.filter(has_text="evil name")).to_have_count(1)
        assert_tame(page)


def _json(message: object) -> str:
    return orjson.dumps(message).decode()


def test_hostile_searches_are_text(open_page: OpenPage) -> None:
    page = open_page("/")
    page.locator("#search-player").fill(f"{HTML} and nobody else")
    expect(page.locator("#nothing-ended")).to_be_visible()
    assert_tame(page)
