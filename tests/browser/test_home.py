"""The first page, as a browser draws it."""

from playwright.sync_api import expect

from tests.browser.conftest import Library, OpenPage
from tests.support.contestants import contestants, match
from tests.support.served import Served
from tests.support.tab import Tabs


def test_a_match_appears_while_it_is_played_and_is_listed_afterwards(
    served: Served, open_page: OpenPage
) -> None:
    page = open_page("/")
    with contestants("hexxagon", served.ports["hexxagon"], ("Home 1", "Home 2")) as players:
        players.allow(12)
        card = page.locator("#lobbies [data-lobby]", has_text="Home 1")
        expect(card).to_be_visible()
        players.finish()
    expect(page.locator("#ended tr", has_text="Home 1")).to_be_visible()
    expect(card).to_have_count(0)


def test_ended_matches_are_found_by_player_and_game(served: Served, open_page: OpenPage) -> None:
    with contestants("hexxagon", served.ports["hexxagon"], ("Sought", "Opponent")) as players:
        players.finish()
    page = open_page("/")
    rows = page.locator("#ended tbody tr")
    expect(rows.filter(has_text="Sought")).to_have_count(1)
    page.locator("#search-player").fill("sOUght")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Opponent")
    page.locator("#search-game").select_option("qwirkle")
    expect(page.locator("#nothing-ended")).to_be_visible()
    page.locator("#nothing-ended button").click()
    expect(rows.filter(has_text="Sought")).to_have_count(1)
    rows.filter(has_text="Sought").locator("a").click()
    expect(page.locator("#result")).to_be_visible()


def test_every_game_says_how_to_connect(served: Served, open_page: OpenPage) -> None:
    page = open_page("/")
    for game, port in served.ports.items():
        card = page.locator(f"[data-game={game}]")
        expect(card.locator(".copyable").first).to_contain_text(f"127.0.0.1:{port}")
        card.locator("summary").click()
        expect(card.locator("details")).to_contain_text(f"platform bot --game {game}")
        expect(card.locator("details")).to_contain_text(str(port))
    expect(page.locator("a.play")).to_have_count(
        sum(each["playable"] for each in served.get("/api/games"))
    )


def test_reasons_that_only_a_game_has_are_told_in_its_words(
    library: Library, open_page: OpenPage
) -> None:
    ended = library.served.ended(library["quidditch"])
    assert ended["reason"] not in ("regular", "left")
    page = open_page("/", locale="de-DE")
    row = page.locator(f'#ended tr[data-match="{ended["id"]}"]')
    expect(row).to_contain_text("verbannt.")  # three players of a team


def test_a_damaged_record_and_one_that_is_gone_are_told_apart(served: Served, tabs: Tabs) -> None:
    ids = []
    for _ in range(2):
        with match(served, "penguins", messages=10) as (match_id, _):
            ids.append(match_id)
    damaged, gone = (served.record(each) for each in ids)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    gone.unlink()
    with tabs.forgiving("status of 4"):
        page = tabs.open(served.url, f"/m/{ids[0]}")
        expect(page.locator("#missing h1")).to_have_text("This match cannot be shown")
        page.goto(f"/m/{ids[1]}")
        expect(page.locator("#missing h1")).to_have_text("This match is not here")
