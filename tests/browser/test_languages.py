"""English and German: both complete, by the browser's wish or a choice."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from ludothek.contract import registry
from tests.browser.conftest import Library, OpenPage
from tests.support.served import GAMES, ROOT

ASSETS = ROOT / "platform" / "ludothek" / "web" / "assets"
# Tables of texts, by the addresses of their modules.
TABLES = [
    *(f"/assets/{path.name}" for path in sorted(ASSETS.glob("*-words.js"))),
    *(f"/games/{game}/words.js" for game in GAMES),
]
FIRST = re.compile("^1 / ")
TEXTS = "(address) => import(address).then((module) => module.default)"


@pytest.fixture(scope="module")
def tables(library: Library, chromium: Any) -> dict[str, dict[str, dict[str, str]]]:
    """All tables, as the browser reads them."""
    page = chromium.new_page(base_url=library.served.url)
    page.goto("/")
    read = {address: page.evaluate(TEXTS, address) for address in TABLES}
    page.close()
    return read


@pytest.mark.parametrize("address", TABLES)
def test_every_text_exists_in_both_languages(tables: Any, address: str) -> None:
    english, german = tables[address]["en"], tables[address]["de"]
    assert english.keys() == german.keys()
    assert [*tables[address]] == ["en", "de"]
    for key, text in english.items():
        assert text.strip()
        assert german[key].strip()
        holes = re.compile(r"\{(\w+)")
        # A language may use a value more often than the other one, but none that is not there.
        assert {*holes.findall(text)} == {*holes.findall(german[key])}, key


def test_every_text_that_scripts_ask_for_exists(tables: Any) -> None:
    known = {key for table in tables.values() for key in table["en"]}
    asked = {
        key
        for path in ASSETS.glob("*.js")
        for key in re.findall(r'\bt\("([^"]+)"', path.read_text())
    }
    assert len(asked) > 50
    assert asked <= known


def test_every_event_that_games_tell_has_its_words(library: Library, tables: Any) -> None:
    frame = tables["/assets/frame-words.js"]["en"]
    for game in GAMES:
        words = {**frame, **tables[f"/games/{game}/words.js"]["en"]}
        positions = library.served.get(f"/api/matches/{library[game]}")["positions"]
        told = {event["what"] for each in positions for event in each["told"]} - {"ended"}
        assert len(told) > 1
        assert told <= words.keys(), game


def test_no_game_replaces_a_text_of_the_page_around_it(tables: Any) -> None:
    for around in ("frame", "viewer", "hall", "match", "play"):
        for language in ("en", "de"):
            page = tables[f"/assets/{around}-words.js"][language]
            for game in GAMES:
                words = tables[f"/games/{game}/words.js"][language]
                replaced = {key for key in page.keys() & words if page[key] != words[key]}
                assert not replaced, game


def test_the_browser_decides_and_people_may_choose(open_page: OpenPage, library: Library) -> None:
    page = open_page(f"/m/{library['hexxagon']}", locale="de-AT")
    expect(page.locator("h2", has_text="Verlauf")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.locator("#language-en").click()
    expect(page.locator("h2", has_text="What happened")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto("/")
    expect(page.locator("h2", has_text="Ended matches")).to_be_visible()  # it is kept
    french = open_page("/", locale="fr-FR")
    expect(french.locator("h2", has_text="Ended matches")).to_be_visible()


def test_another_language_keeps_the_place_in_a_match(open_page: OpenPage, library: Library) -> None:
    page = open_page(f"/m/{library['penguins']}")
    expect(page.locator("#result")).to_be_visible()
    place = page.locator("output.place")
    page.locator("#go-first").click()
    expect(place).to_have_text(FIRST)
    page.locator("#go-forward").click()
    expect(place).not_to_have_text(FIRST)
    shown = place.inner_text()
    page.locator("#language-de").click()
    expect(page.locator("h2", has_text="Verlauf")).to_be_visible()
    expect(place).to_have_text(shown)
    expect(page.locator("#last")).to_contain_text("setzt einen Pinguin")


def test_every_game_is_told_in_german(open_page: OpenPage, library: Library) -> None:
    page = open_page(f"/m/{library[GAMES[0]]}", locale="de-DE")
    for game in GAMES:
        page.goto(f"/m/{library[game]}")
        expect(page.locator("#result")).to_be_visible()
        lines = page.locator("#happenings .what").all_inner_texts()
        assert len(lines) > 20
        assert registry.load(game).title in page.locator(".match-head").inner_text()
        # A key without a text stands for itself, and a hole without a value stays.
        assert not [line for line in lines if re.search(r"\{|^\w+[._]\w+$", line)]
