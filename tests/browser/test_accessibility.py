"""Every page for people who cannot see well, or use no mouse."""

from collections.abc import Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Library, OpenPage
from tests.browser.viewer import await_place
from tests.support.contestants import match
from tests.support.served import GAMES, Served
from tests.support.tab import Tabs

# WCAG 2.2 at level AA, contrast included, and what axe calls good practice.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Those that depend on colours; all others find the same in both themes.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
# Nothing is inside of a frame, and style sheets are not looked through.
OPTIONS = {"resultTypes": ["violations"], "iframes": False, "preload": False}


def violations(page: Page, rules: Sequence[str]) -> list[str]:
    """What axe finds; it stays on the page until that is left."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("(options) => axe.run(options)", {**OPTIONS, "runOnly": [*rules]})
    return [
        f"{each['id']}: {node['html'][:150]} {node['failureSummary']}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def check(page: Page) -> None:
    """In the colours that the page has."""
    assert violations(page, RULES) == []


def check_both(page: Page) -> None:
    """In light and dark colours."""
    page.emulate_media(color_scheme="light")
    check(page)
    page.emulate_media(color_scheme="dark")
    assert violations(page, COLOUR_RULES) == []


def test_the_first_page(served: Served, library: Library, open_page: OpenPage) -> None:
    assert library["hexxagon"]
    with match(served, "hexxagon"):
        page = open_page("/")
        expect(page.locator("#ended-table")).to_be_visible()
        expect(page.locator("#lobbies [data-lobby]").first).to_be_visible()
        page.locator("#games summary").first.click()
        check_both(page)
        page.locator("#search-player").fill("nobody of that name")
        expect(page.locator("#nothing-ended")).to_be_visible()
        check_both(page)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_match(library: Library, open_page: OpenPage, game: str) -> None:
    page = open_page(f"/m/{library[game]}")
    expect(page.locator("#result")).to_be_visible()
    check_both(page)
    page.locator("#go-first").click()
    check_both(page)


def test_the_lecture_hall(served: Served, open_page: OpenPage) -> None:
    page = open_page("/hall")
    check_both(page)
    with match(served, "penguins", messages=12):
        expect(page.locator("#board")).to_be_visible()
        page.mouse.move(10, 10)
        check_both(page)


@pytest.mark.parametrize("path", ["/play/hexxagon", "/play/penguins", "/organiser"])
def test_the_page_that_asks_people(tabs: Tabs, served: Served, path: str) -> None:
    with tabs.forgiving("401"):  # whoever is not logged in is told so
        page = tabs.open(served.url, path)
        expect(page.locator("main h1, main h2").first).to_be_visible()
        check_both(page)


@pytest.mark.parametrize("path", ["/m/aaaaaaaaaa", "/nonsense"])
def test_what_is_not_there(tabs: Tabs, served: Served, path: str) -> None:
    with tabs.forgiving("404"):
        page = tabs.open(served.url, path)
        expect(page.locator("#missing")).to_be_visible()
        check_both(page)
        page.locator("#missing a").click()
        expect(page.locator("#games .game").first).to_be_visible()


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
    count = len(library.served.get(f"/api/matches/{library['hexxagon']}")["positions"])
    page.keyboard.press("ArrowLeft")
    await_place(page, count - 1, count)
    said = page.locator("#last").inner_text()
    expect(page.locator("[aria-live]", has_text=said)).to_have_count(1)
    label = page.locator("#board svg").get_attribute("aria-label") or ""
    assert "The last move" in label


def test_buttons_and_tables_have_names_in_the_tree_of_the_browser(
    library: Library, open_page: OpenPage
) -> None:
    assert library["hexxagon"]
    page = open_page("/")
    expect(page.locator("#ended-table")).to_be_visible()
    expect(page.locator("#games .game").first).to_be_visible()
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    found = [
        (node["role"]["value"], node["name"]["value"])
        for node in nodes
        if not node["ignored"] and node["role"]["value"] in ("button", "link", "table")
    ]
    assert ("button", "Copy") in found
    assert [role for role, name in found if not name] == []
