"""Playing in a browser, from the choice of an opponent to the result."""

import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.browser.player_seat import PlayerSeat
from tests.browser.test_accessibility import check, check_both
from tests.support.program import PLATFORM
from tests.support.served import PATIENCE, Served
from tests.support.waiting import eventually

HOSTILE = "<img src=x onerror=a()>"

Sit = Callable[..., PlayerSeat]


@pytest.fixture
def sit(served: Served, open_page: OpenPage) -> Sit:
    """Opens the page of a game."""

    def sit(game: str, **options: object) -> PlayerSeat:
        return PlayerSeat(open_page(f"/play/{game}", **options), served, game)

    return sit


@pytest.mark.parametrize("game", ["hexxagon", "penguins"])
def test_a_whole_game_is_played_by_clicks(game: str, sit: Sit, served: Served) -> None:
    seat = sit(game)
    seat.choose("Clicker")
    seat.expect_state("asked")
    match = seat.match_id
    assert seat.play_by_clicks() > 5
    page = seat.page
    text = page.locator("#turn").inner_text()
    ended = eventually(lambda: served.get("/api/ended?player=Clicker")["matches"])[0]
    assert (ended["id"], ended["reason"]) == (match, "regular")
    won = {"Clicker": "You have won!", None: "A draw."}.get(ended["winner"], "You have lost.")
    assert text == won
    expect(page.locator("#resign")).to_be_hidden()

    page.locator("#again").click()
    seat.expect_state("asked", "waiting")
    assert seat.match_id != match
    seat.expect_state("asked")
    seat.click_move()


def test_one_click_on_the_first_page_and_somebody_plays(
    open_page: OpenPage, served: Served
) -> None:
    page = open_page("/", locale="de-DE")
    seat = PlayerSeat(page, served, "hexxagon")
    page.locator("[data-game=hexxagon] a.play").click()
    seat.expect_state("asked")
    match = seat.match_id
    expect(page.locator(".player .name").first).to_have_text("Mensch")
    seat.click_move()
    seat.expect_state("asked")
    page.reload()
    seat.expect_state("asked")
    assert seat.match_id == match
    page.go_back()
    page.locator("[data-game=hexxagon] a.choose").click()
    seat.expect_state("asked")  # the seat is kept
    assert seat.match_id == match
    page.locator("#resign").click()
    page.locator("#resign-yes").click()
    seat.expect_state("over")
    page.reload()
    expect(page.locator("#play-form")).to_be_visible()


def test_moves_are_typed_and_nonsense_is_refused_in_words(sit: Sit) -> None:
    seat = sit("hexxagon", locale="de-DE")
    seat.choose("Tipperin")
    seat.expect_state("asked")
    page = seat.page
    typed, problem = page.locator("#typed"), page.locator("#typed-problem")
    typed.fill("1-99")
    typed.press("Enter")
    expect(problem).to_have_text("1-99 ist hier kein erlaubter Zug.")
    example = typed.get_attribute("placeholder")
    assert example is not None
    assert example.startswith("etwa ")
    origin, target = example.removeprefix("etwa ").split("-")
    typed.fill(f"{origin} nach {target}")
    typed.press("Enter")
    expect(problem).to_be_hidden()
    expect(page.locator(f".stone.one[data-at='{target}']")).to_be_visible()
    eventually(lambda: seat.moves_made() >= 2)


def test_moves_are_made_by_keyboard(sit: Sit) -> None:
    seat = sit("penguins")
    seat.choose("Keys")
    seat.expect_state("asked")
    keyboard = seat.page.keyboard
    place = seat.page.locator(".place.target").first
    place.focus()
    keyboard.press("ArrowRight")
    focused = seat.page.locator(".place:focus")
    expect(focused).to_have_class("place target")
    key = focused.get_attribute("data-at")
    keyboard.press("Enter")
    expect(seat.page.locator(f".penguin[data-at='{key}']")).to_be_visible()


def test_resigning_asks_first_and_ends_the_game(sit: Sit, served: Served) -> None:
    seat = sit("hexxagon")
    seat.choose("Quitter", begins=False)
    seat.expect_state("asked")
    page = seat.page
    page.locator("#resign").click()
    expect(page.locator("#resign-no")).to_be_focused()
    page.locator("#resign-no").click()
    expect(page.locator("#resign")).to_be_focused()
    seat.click_move()
    seat.expect_state("asked")
    page.locator("#resign").click()
    page.locator("#resign-yes").click()
    seat.expect_state("over")
    expect(page.locator("#turn")).to_have_text("You have given up.")
    ended = eventually(lambda: served.get("/api/ended?player=Quitter")["matches"])[0]
    assert ended["winner"] != "Quitter"
    page.locator("#change").click()
    expect(page.locator("#play-form")).to_be_visible()


@pytest.mark.parametrize("game", ["hexxagon", "penguins"])
def test_a_client_joins_as_the_page_tells_it_to(game: str, sit: Sit) -> None:
    seat = sit(game)
    page = seat.page
    page.locator("#name").fill(HOSTILE)
    page.locator("#opponent-choice [value=client]").check()
    page.locator("#start").click()
    command = page.locator("#waiting code", has_text="platform bot").inner_text()
    bot = [*PLATFORM, *shlex.split(command)[1:], "--difficulty", "9", "--games", "1"]
    with joining(bot):
        seat.expect_state("asked")
        expect(page.locator(".player .name").first).to_have_text(HOSTILE)
        seat.click_move()
        seat.expect_state("asked")
        page.locator("#resign").click()
        page.locator("#resign-yes").click()
        seat.expect_state("over")
    assert page.locator("main img").count() == 0


@contextmanager
def joining(command: Sequence[str]) -> Iterator[None]:
    """Let a bot run meanwhile."""
    bot = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        bot.kill()
        bot.wait(PATIENCE)


def test_nobody_joins_and_the_person_stops_waiting(sit: Sit, served: Served) -> None:
    seat = sit("hexxagon")
    page = seat.page
    page.locator("#name").fill("Patience")
    page.locator("#opponent-choice [value=client]").check()
    page.locator("#start").click()
    page.locator("#leave").click()
    expect(page.locator("#play-form")).to_be_visible()
    eventually(lambda: not any("Patience" in each["name"] for each in served.look("/lobbies")))


def test_a_reload_and_another_window_come_back_to_the_seat(sit: Sit) -> None:
    seat = sit("penguins")
    page = seat.page
    seat.choose("Returner")
    seat.expect_state("asked")
    match = seat.match_id
    seat.click_move()
    seat.expect_state("asked")
    page.reload()
    seat.expect_state("asked")
    assert seat.match_id == match
    kept = page.evaluate("JSON.stringify(sessionStorage)")
    other = page.context.new_page()
    other.goto("/play/penguins")
    other.evaluate("(kept) => Object.assign(sessionStorage, JSON.parse(kept))", kept)
    other.reload()
    there = PlayerSeat(other, seat.served, "penguins")
    there.expect_state("asked")
    assert there.match_id == match
    expect(page.locator("#problem")).to_have_text("This game goes on in another window.")
    there.click_move()
    there.expect_state("asked")


def test_the_strengths_are_named_in_german(sit: Sit) -> None:
    page = sit("hexxagon", locale="de-DE").page
    expect(page.locator("#strength option")).to_have_text(
        [
            "4 von 4: denkt weit voraus",
            "3 von 4: denkt zwei Züge voraus",
            "2 von 4: gierig",
            "1 von 4: zieht zufällig",
        ]
    )
    page.locator("#language-en").click()
    expect(page.locator("#strength option").last).to_have_text("1 of 4: plays at random")


def test_a_game_that_cannot_be_played_says_so(sit: Sit) -> None:
    page = sit("qwirkle").page
    expect(page.locator("#unplayable")).to_contain_text("Qwirkle cannot be played")
    expect(page.locator("#unplayable .others a")).to_have_count(2)


@pytest.mark.parametrize("game", ["hexxagon", "penguins"])
def test_the_page_is_for_everybody(game: str, sit: Sit) -> None:
    seat = sit(game)
    seat.choose("Everybody")
    seat.expect_state("asked")
    check_both(seat.page)
    seat.page.locator("#resign").click()
    check(seat.page)
    seat.page.locator("#resign-yes").click()
    seat.expect_state("over")
    check(seat.page)
    seat.page.locator("#change").click()
    seat.page.locator("#opponent-choice [value=client]").check()
    seat.page.locator("#start").click()
    expect(seat.page.locator("#waiting code").first).to_be_visible()
    check(seat.page)
    seat.page.set_viewport_size({"width": 390, "height": 800})
    check(seat.page)
    seat.page.locator("#leave").click()
