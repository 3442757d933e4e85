"""A tournament in the browser: watched while it is played, then looked through."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.test_accessibility import check, check_both
from tests.support.cup import ENTRANTS, Cup, make_cup
from tests.support.served import Served, serving
from tests.support.tab import Tabs


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    entrants = {**ENTRANTS, "<b>Barbara": 2}
    return make_cup(tmp_path_factory.mktemp("cups"), "Cup <i>of</i> bots", entrants)


@pytest.fixture(scope="module")
def host(cup: Cup, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A daemon that shows it, and serves another game itself."""
    place = tmp_path_factory.mktemp("host")
    with serving(place, "--arena", str(cup.folder), games=["penguins"]) as served:
        yield served


def test_a_tournament_is_watched_live_and_a_game_opened_by_a_click(
    cup: Cup, host: Served, tabs: Tabs
) -> None:
    with cup.under_way() as arena:
        page = tabs.open(host.url, "/")
        card = page.locator("[data-tournament]")
        for _ in range(600):
            if host.get("/api/tournaments"):
                break
            page.wait_for_timeout(100)  # the arena has not made its database yet
        page.reload()
        expect(card).to_contain_text("Cup <i>of</i> bots")
        card.locator("a").click()
        page.locator("#progress").wait_for()
        page.evaluate("window.sameDocument = true")
        expect(page.locator("#complete")).to_be_visible(timeout=120_000)
        assert arena.wait(60) == 0
    assert page.evaluate("window.sameDocument")  # nobody has reloaded it
    truth = host.get(page.evaluate("'/api/tournaments/' + location.pathname.split('/').at(-1)"))
    champion = truth["bracket"][-1]["winner"]
    expect(page.locator("#progress")).to_have_text(f"{truth['size']} of {truth['size']} games")
    expect(page.locator("#standings-table tbody tr").first).to_contain_text(champion)
    expect(page.locator("[data-duel='3-0'] .won")).to_contain_text(champion)
    expect(page.locator("#games-table tbody tr")).to_have_count(truth["played"])
    page.locator("#duel-3-0").click()
    rows = page.locator("#games-table tbody tr")
    final = [each for each in truth["games"] if each["round"] == 3]
    expect(rows).to_have_count(len(final))
    rows.first.locator("a").click()
    expect(page.locator("#result")).to_be_visible()
    for name in final[0]["seats"]:
        expect(page.locator("h1")).to_contain_text(name)
    page.locator("#tournament").click()
    expect(page.locator("h1")).to_have_text("Cup <i>of</i> bots")


def test_everybody_can_read_a_tournament(cup: Cup, host: Served, tabs: Tabs) -> None:
    cup.finish()
    (cup.folder / "other.db").write_text("something else\n")
    path = next(f"/t/{each['id']}" for each in host.get("/api/tournaments") if not each["problem"])
    page = tabs.open(host.url, path, locale="de-DE")
    expect(page.locator("#games-table")).to_be_visible()
    expect(page.locator("h2", has_text="Turnierbaum")).to_be_visible()
    check_both(page)
    phone = tabs.open(host.url, path, viewport={"width": 390, "height": 844})
    expect(phone.locator("#games-table")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    check(phone)
    home = tabs.open(host.url, "/")
    expect(home.locator("[data-tournament]", has_text="other.db")).to_contain_text(
        "other.db: file is not a database"
    )
    check(home)
    home.locator("[data-tournament]", has_text="other.db").locator("a").click()
    expect(home.locator("#broken")).to_be_visible()
    with tabs.forgiving("404"):
        nothing = tabs.open(host.url, "/t/aaaaaaaaaa")
        expect(nothing.locator("#missing")).to_be_visible()
        check(nothing)
