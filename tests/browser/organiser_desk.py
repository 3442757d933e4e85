"""The organiser's page, as somebody uses it."""

from collections.abc import Callable, Sequence
from typing import Any

import attrs
from playwright.sync_api import Locator, Page, expect

from tests.support.served import Served


@attrs.frozen
class OrganiserDesk:
    """Presses buttons, and asks the daemon what has come of it."""

    page: Page
    served: Served

    def row(self, table: str, name: str) -> Locator:
        """The row of something that has this id, or says this."""
        rows = self.page.locator(f"[data-kind={table}] tbody tr")
        return rows.filter(has_text=name)

    def press(self, row: Locator, action: str) -> None:
        """A button of a row; further ones are unfolded first."""
        row.wait_for()
        name = f"[data-action={action}]"
        folded = row.locator("details:not([open])", has=self.page.locator(name))
        if folded.count():
            folded.locator("summary").click()
        row.locator(name).click()

    def confirm(self, told: str) -> None:
        """Do what a dialog asks; afterwards, the page says so."""
        self.page.locator("dialog [data-action=confirm]").click()
        expect(self.page.locator("dialog")).to_have_count(0)
        self.expect_told(told)

    def expect_told(self, text: str) -> None:
        expect(self.page.locator("#told")).to_contain_text(text)

    def lobby(self, name: str) -> Any:
        """What the daemon knows about the lobby of that name."""
        (found,) = [each for each in self.served.look("/lobbies") if each["name"] == name]
        return found

    def names(self, path: str) -> Sequence[str]:
        return [each["name"] for each in self.served.look(path)]

    def open_lobby(self, game: str, name: str, more: Callable[[Page], None] | None = None) -> Any:
        """By the dialog; returns what the daemon knows about it."""
        self.page.locator("[data-action=open]").click()
        self.page.locator("#field-game").select_option(game)
        self.page.locator("#field-name").fill(name)
        if more is not None:
            more(self.page)
        self.confirm("Opened: ")
        return self.lobby(name)
