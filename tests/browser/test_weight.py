"""What the first page costs a browser."""

from playwright.sync_api import Response, expect

from ludothek.web.visitors import REQUESTS
from tests.browser.conftest import Library, OpenPage
from tests.support.tab import Tabs

MOST = 150_000  # bytes, everything together
CLASS = 30  # people
FEW = 8  # answers: each costs a browser more than what is in it


def test_the_first_page_weighs_less_than_a_picture(library: Library, open_page: OpenPage) -> None:
    assert library["hexxagon"]
    answers: list[Response] = []
    page = open_page("about:blank", fresh=True)
    page.on("response", lambda each: answers.append(each))
    page.goto("/")
    expect(page.locator("#ended-table")).to_be_visible()
    expect(page.locator("#games .game").first).to_be_visible()
    # A stream never ends; what it has brought is the list that was asked for as well.
    loaded = [each for each in answers if not each.url.endswith("/api/live")]
    sizes = {each.url: len(each.body()) for each in loaded}
    assert 4 < len(sizes) <= FEW, sizes
    assert CLASS * (len(sizes) + 1) <= REQUESTS.burst  # all at once, behind one address
    assert sum(sizes.values()) < MOST, sizes


def test_nothing_comes_from_elsewhere(library: Library, open_page: OpenPage, tabs: Tabs) -> None:
    page = open_page("about:blank")
    asked: list[str] = []
    page.on("request", lambda each: asked.append(each.url))
    for path in ("/", f"/m/{library['roborally']}", "/hall", "/play/hexxagon"):
        page.goto(path)
        expect(page.locator("main h1").first).to_be_attached()
    assert len(asked) > 15
    assert {url for url in asked if not url.startswith(library.served.url)} == set()
