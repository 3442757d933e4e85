"""What a person does with the page of a match."""

from playwright.sync_api import Page

# Whether a position is drawn: it is counted below the board in the frame in which it was drawn.
_PLACE = (
    "([index, count]) => document.querySelector('output.place')?.value === `${index} / ${count}`"
)


def await_place(page: Page, index: int, count: int) -> None:
    """Wait until that position is drawn, counted from 1."""
    page.wait_for_function(_PLACE, arg=[index, count])


def go_to(page: Page, n: int, index: int, count: int) -> None:
    """Follow a link to a position of the same match."""
    page.evaluate("(n) => { location.hash = `#${n}`; }", n)
    await_place(page, index, count)
