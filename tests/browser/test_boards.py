"""Boards show what the rules say: read from the picture, and from the record of the match."""

from typing import Any

import pytest

from tests.browser import drawn, truth
from tests.browser.conftest import Library, OpenPage
from tests.browser.viewer import await_place, go_to
from tests.support.served import GAMES, Served

# So many positions of a match are compared from its beginning, and so many of the rest.
COMPARED = 10


def expected(served: Served, game: str, match_id: str) -> list[tuple[int, Any]]:
    """What each position must show, with its number."""
    numbers = {each["n"] for each in served.get(f"/api/matches/{match_id}")["positions"]}
    tell = getattr(truth, game)
    tables = truth.repeated(served.record(match_id), game)
    return [(number, tell(table)) for number, table in tables if number in numbers]


@pytest.mark.parametrize("game", GAMES)
def test_each_position_of_a_match_is_drawn_as_it_was(
    served: Served, library: Library, open_page: OpenPage, game: str
) -> None:
    match_id, read = library[game], getattr(drawn, game)
    positions = expected(served, game, match_id)
    count = len(positions)
    assert count > 40
    page = open_page(f"/m/{match_id}#{positions[0][0]}")
    await_place(page, 1, count)
    # Step by step from the beginning, where boards let things move on, then by leaps.
    for index in range(1, COMPARED):
        page.keyboard.press("ArrowRight")
        await_place(page, index + 1, count)
        if positions[index][1] is not None:
            assert read(page) == positions[index][1], f"#{positions[index][0]}"
    for index in [*range(count - 1, COMPARED, -(count // COMPARED) - 1), count - 1]:
        go_to(page, positions[index][0], index + 1, count)
        assert read(page) == positions[index][1], f"#{positions[index][0]}"
