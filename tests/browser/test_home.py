"""The first page, as a browser draws it."""

import re

import orjson
from playwright.sync_api import Route, expect

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


PLAY_LINKS = """
async (games) => {
  const { gameCards } = await import("/assets/game-cards.js");
  const cards = gameCards(games, new Set(), (key) => key);
  return [...cards.querySelectorAll("a.play, a.choose")].map((each) => each.getAttribute("href"));
}
"""


def test_a_game_that_is_hosted_twice_is_played_where_somebody_clicks(
    served: Served, open_page: OpenPage
) -> None:
    page = open_page("/")
    (game,) = (each for each in served.get("/api/games") if each["name"] == "hexxagon")
    twins = [game, {**game, "endpoint": "hexxagon-2"}]
    assert page.evaluate(PLAY_LINKS, twins) == [
        *("/play/hexxagon#now", "/play/hexxagon"),
        *("/play/hexxagon-2#now", "/play/hexxagon-2"),
    ]


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


def lobby(number: int, **told: object) -> dict[str, object]:
    """A lobby as the server tells it."""
    known = {
        "lobby": f"lobby-{number}",
        "game": "hexxagon",
        "endpoint": "hexxagon",
        "name": f"lobby-{number}",
        "stage": "running",
        "players": ["Ada", "Bob"],
        "spectators": 0,
        "match": f"match{number}",
        "score": [3, 3],
        "move": 1,
    }
    return {**known, **told}


def test_of_many_lobbies_the_first_are_shown_until_somebody_wants_all(open_page: OpenPage) -> None:
    told = orjson.dumps([lobby(number) for number in range(60)]).decode()

    def with_many(route: Route) -> None:
        text = route.fetch().text()
        text = re.sub(r'"lobbies":\[.*?\],"ended"', f'"lobbies":{told},"ended"', text)
        route.fulfill(body=text, content_type="text/html; charset=utf-8")

    page = open_page("about:blank")
    page.route("**/api/live", lambda route: None)
    page.route(lambda url: url.endswith("/"), with_many)
    page.goto("/")
    cards = page.locator("#lobbies .lobby")
    expect(cards).to_have_count(24)
    page.locator("#all-lobbies", has_text="Show all 60 lobbies").click()
    expect(cards).to_have_count(60)
    expect(page.locator("#all-lobbies")).to_have_count(0)
    expect(cards.nth(24).locator("a")).to_be_focused()  # where the button was
    page.unroute_all(behavior="ignoreErrors")


REDRAWN = """
async ([before, after]) => {
  const { LobbyCards } = await import("/assets/lobby-cards.js");
  const cards = new LobbyCards([], (key) => key);
  const [first, second] = [before, after].map((each) => [...cards.draw(each).children]);
  return second.map((each) => first.indexOf(each));
}
"""


def test_only_lobbies_that_have_changed_are_drawn_anew(open_page: OpenPage) -> None:
    page = open_page("/")
    before = [lobby(1), lobby(2), lobby(3)]
    after = [lobby(3), lobby(2, move=2), lobby(1), lobby(4)]
    assert page.evaluate(REDRAWN, [before, after]) == [2, -1, 0, -1]
