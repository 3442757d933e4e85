"""Going through a match that has ended: buttons, keys, slider, list, links."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import drawn
from tests.browser.conftest import Library, OpenPage
from tests.browser.viewer import await_place
from tests.support.served import Served


@pytest.fixture
def match_id(library: Library) -> str:
    return library["hexxagon"]


@pytest.fixture
def positions(served: Served, match_id: str) -> list[int]:
    """The numbers of all positions."""
    return [each["n"] for each in served.get(f"/api/matches/{match_id}")["positions"]]


@pytest.fixture
def page(open_page: OpenPage, match_id: str, positions: list[int]) -> Page:
    page = open_page(f"/m/{match_id}")
    await_place(page, len(positions), len(positions))
    return page


def test_buttons_go_first_back_forward_and_last(page: Page, positions: list[int]) -> None:
    count = len(positions)
    for button, index in (("back", count - 1), ("first", 1), ("forward", 2), ("last", count)):
        page.locator(f"#go-{button}").click()
        await_place(page, index, count)
    expect(page.locator("#go-forward")).to_be_disabled()
    expect(page.locator("#go-back")).to_be_enabled()
    page.locator("#go-first").click()
    expect(page.locator("#go-back")).to_be_disabled()


def test_keys_go_through_the_match(page: Page, positions: list[int]) -> None:
    count = len(positions)
    for key, index in (
        ("ArrowLeft", count - 1),
        ("Home", 1),
        ("ArrowRight", 2),
        ("PageDown", 12),
        ("PageUp", 2),
        ("ArrowRight", 3),
        ("End", count),
    ):
        page.keyboard.press(key)
        await_place(page, index, count)


def test_the_slider_goes_anywhere_by_keyboard_too(page: Page, positions: list[int]) -> None:
    count, slider = len(positions), page.locator("#position")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    await_place(page, count - 1, count)
    page.keyboard.press("Home")
    await_place(page, 1, count)
    slider.fill("29")
    await_place(page, 30, count)
    assert "move 29" in (slider.get_attribute("aria-valuetext") or "")


def test_space_plays_from_the_beginning_and_stops(page: Page, positions: list[int]) -> None:
    place = (
        "(most) => { const at = parseInt(document.querySelector('output.place').value); return at "
    )
    page.locator("#speed").select_option("8")
    page.locator("#speed").evaluate("(each) => each.blur()")
    page.keyboard.press(" ")
    began = page.wait_for_function(f"{place} < most && at; }}", arg=len(positions)).json_value()
    expect(page.locator("#go-play")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function(f"{place} > most; }}", arg=began)
    page.keyboard.press(" ")
    expect(page.locator("#go-play")).to_have_attribute("aria-label", "Play")


def test_a_film_that_is_played_ends_at_the_end(page: Page, positions: list[int]) -> None:
    count = len(positions)
    page.locator("#speed").select_option("8")
    page.keyboard.press("End")
    page.locator("#go-back").click()
    page.locator("#go-play").click()
    await_place(page, count, count)
    expect(page.locator("#go-play")).to_have_attribute("aria-label", "Play")


def test_a_link_leads_to_its_position(
    open_page: OpenPage, match_id: str, positions: list[int]
) -> None:
    page = open_page(f"/m/{match_id}#{positions[41]}")
    await_place(page, 42, len(positions))
    shown = drawn.hexxagon(page)
    page.keyboard.press("ArrowRight")
    await_place(page, 43, len(positions))
    page.wait_for_url(f"**/m/{match_id}#{positions[42]}")
    assert drawn.hexxagon(page) != shown
    page.keyboard.press("End")
    page.wait_for_url(f"**/m/{match_id}")  # the whole match, and not one of its positions


def test_a_link_to_a_number_between_positions_shows_the_one_before(
    open_page: OpenPage, match_id: str, positions: list[int]
) -> None:
    page = open_page(f"/m/{match_id}#999999999")
    await_place(page, len(positions), len(positions))


def test_a_line_of_the_list_leads_to_what_it_tells(page: Page, positions: list[int]) -> None:
    count = len(positions)
    line = page.locator(f'#happenings a[data-n="{positions[7]}"]')
    line.click()
    await_place(page, 8, count)
    expect(line).to_have_attribute("aria-current", "true")
    expect(page.locator("#happenings [aria-current]")).to_have_count(1)
    text = line.locator(".what").inner_text()
    expect(page.locator("#last")).to_have_text(text)


def test_the_last_move_is_marked(page: Page, positions: list[int]) -> None:
    page.keyboard.press("ArrowLeft")
    await_place(page, len(positions) - 1, len(positions))
    assert len(drawn.hexxagon(page)["last"]) == 2
    page.keyboard.press("Home")
    await_place(page, 1, len(positions))
    assert drawn.hexxagon(page)["last"] == []


def test_the_link_is_copied_and_the_record_downloaded(
    page: Page, served: Served, match_id: str, positions: list[int]
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.keyboard.press("Home")
    page.locator("#copy-link").click()
    expect(page.locator("#copy-link")).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{served.url}m/{match_id}#{positions[0]}"
    with page.expect_download() as downloading:
        page.locator("#record").click()
    assert downloading.value.suggested_filename == f"hexxagon-{match_id}.match"


def test_the_result_names_the_winner(page: Page, served: Served, match_id: str) -> None:
    winner = served.ended(match_id)["winner"]
    expect(page.locator("#result")).to_contain_text(f"{winner} wins.")
    expect(page.locator(f'.player.winner[data-name="{winner}"]')).to_be_visible()
    assert winner in page.title()
