"""The page where somebody plays, as a person uses it."""

import attrs
from playwright.sync_api import Page

from tests.support.served import Served

_HAS_STATE = """
(states) => states.includes(document.querySelector("#turn")?.dataset.state)
"""
# A place to go to, or else what could go there; and its middle on the screen.
_WHAT_TO_CLICK = """
() => {
  const board = document.querySelector("#board");
  const target = board.querySelector(".place.target");
  const place = target ?? [...board.querySelectorAll(".place.origin")].at(-1);
  const { x, y, width, height } = place.getBoundingClientRect();
  return [target ? "target" : "origin", x + width / 2, y + height / 2];
}
"""


@attrs.frozen
class PlayerSeat:
    """Chooses, moves and reads what the page says."""

    page: Page
    served: Served
    game: str

    def choose(self, name: str, strength: int = -1, begins: bool = True) -> None:
        """Play against the computer; the strengths are in the order of the list."""
        page = self.page
        page.locator("#name").fill(name)
        page.locator("#opponent-choice [value=bot]").check()
        page.locator(f"#begins-choice [value={'me' if begins else 'them'}]").check()
        count = page.locator("#strength option").count()
        page.locator("#strength").select_option(index=strength % count)
        page.locator("#start").click()

    def expect_state(self, *states: str) -> None:
        """Wait for one of them; looked at in every frame, since games have many moves."""
        self.page.wait_for_function(_HAS_STATE, arg=[*states])

    @property
    def is_over(self) -> bool:
        return self.page.locator("#turn").get_attribute("data-state") == "over"

    @property
    def match_id(self) -> str:
        """Of the match that is played; its own page is linked."""
        address = self.page.locator("#watch").get_attribute("href")
        assert address is not None
        return address.removeprefix("/m/")

    def click_move(self) -> None:
        """What moves, if there is a choice, and where to."""
        while True:
            kind, x, y = self.page.evaluate(_WHAT_TO_CLICK)
            self.page.mouse.click(x, y)
            if kind == "target":
                return

    def play_by_clicks(self, most: int = 200) -> int:
        """To the end; returns how many moves that took."""
        for moves in range(most):
            self.expect_state("asked", "over")
            if self.is_over:
                return moves
            self.click_move()
        raise AssertionError(f"the game is not over after {most} moves")

    def moves_made(self) -> int:
        """By both, as the server knows it."""
        for lobby in self.served.get("/api/matches")["lobbies"]:
            if lobby["match"] == self.match_id:
                return int(lobby["move"])
        raise AssertionError("the match is over")
