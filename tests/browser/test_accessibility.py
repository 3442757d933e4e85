"""Every page for people who cannot see well, or use no mouse."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Library, OpenPage
from tests.support.contestants import match
from tests.support.served import GAMES, Served
from tests.support.tab import Tabs

# WCAG 2.2 at level AA, contrast included, and what axe calls good practice.
RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def violations(page: Page) -> list[str]:
    found: Any = Axe().run(page, options=RULES)
    return [
        f"{each['id']}: {node['html'][:150]} {node['failureSummary']}"
        for each in found.response["violations"]
        for node in each["nodes"]
    ]


def check(page: Page) -> None:
    assert violations(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_the_first_page(
    served: Served, library: Library, open_page: OpenPage, theme: Theme
) -> None:
    assert library["hexxagon"]
    with match(served, "hexxagon"):
        page = open_page("/", color_scheme=theme)
        expect(page.locator("#ended-table")).to_be_visible()
        expect(page.locator("#lobbies [data-lobby]").first).to_be_visible()
        page.locator("#games summary").first.click()
        check(page)
        page.locator("#search-player").fill("nobody of that name")
        expect(page.locator("#nothing-ended")).to_be_visible()
        check(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_match(library: Library, open_page: OpenPage, game: str) -> None:
    page = open_page(f"/m/{library[game]}")
    expect(page.locator("#result")).to_be_visible()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        page.locator("#go-first").click()
        check(page)
        page.locator("#go-last").click()
        check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_the_lecture_hall(served: Served, open_page: OpenPage, theme: Theme) -> None:
    page = open_page("/hall", color_scheme=theme)
    check(page)
    with match(served, "penguins"):
        expect(page.locator("#board")).to_be_visible()
        page.mouse.move(10, 10)
        check(page)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("path", ["/play/hexxagon", "/play/penguins", "/organiser"])
def test_the_page_that_asks_people(tabs: Tabs, served: Served, path: str, theme: Theme) -> None:
    with tabs.forgiving("401"):  # whoever is not logged in is told so
        page = tabs.open(served.url, path, color_scheme=theme)
        expect(page.locator("main h1, main h2").first).to_be_visible()
        check(page)


@pytest.mark.parametrize("theme", THEMES)
def test_a_match_that_is_not_there(tabs: Tabs, served: Served, theme: Theme) -> None:
    with tabs.forgiving("404"):
        page = tabs.open(served.url, "/m/aaaaaaaaaa", color_scheme=theme)
        expect(page.locator("#missing")).to_be_visible()
        check(page)


def test_the_controls_are_reached_by_tab_and_focus_is_seen(
    library: Library, open_page: OpenPage
) -> None:
    page = open_page(f"/m/{library['hexxagon']}")
    expect(page.locator("#result")).to_be_visible()
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        name, outlined = page.evaluate(FOCUSED)
        assert outlined, name
        seen.append(name)
    for name in ("skip", "language-de", "theme", "copy-link", "position", "go-first", "speed"):
        assert name in seen, seen


# What has the focus, and whether people see that.
FOCUSED = """
() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
  const outlined = outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  const name = element.id || element.className || element.tagName;
  return [name, element === document.body || outlined || boxShadow !== "none"];
}
"""


def test_the_skip_link_leads_to_the_content(library: Library, open_page: OpenPage) -> None:
    page = open_page(f"/m/{library['hexxagon']}")
    expect(page.locator("#result")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.locator("a.skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_what_happens_is_said_to_those_who_listen(library: Library, open_page: OpenPage) -> None:
    page = open_page(f"/m/{library['hexxagon']}")
    expect(page.locator("#result")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    said = page.locator("#last").inner_text()
    expect(page.locator("[aria-live]", has_text=said)).to_have_count(1)
    label = page.locator("#board svg").get_attribute("aria-label") or ""
    assert "The last move" in label
