"""Pages in a browser, and what browsers complain about."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import attrs
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect

# Tells the console what the content security policy has kept from happening.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`));
"""
# A person of today, who wants nothing to move: pictures are compared as soon as they are drawn.
DEFAULTS = {
    "locale": "en-GB",
    "color_scheme": "light",
    "reduced_motion": "reduce",
    "viewport": {"width": 1280, "height": 800},
}
PATIENCE = 60_000  # milliseconds
expect.set_options(timeout=PATIENCE)


@attrs.define(eq=False, slots=False)  # Playwright adds attributes to what listens to it
class Tabs:
    """Opens pages, and remembers everything that went wrong in them."""

    browser: Browser
    complaints: list[str] = attrs.field(factory=list)
    _contexts: list[BrowserContext] = attrs.field(factory=list)

    def open(self, base: str, path: str = "/", **options: Any) -> Page:
        """A page in a profile of its own; `options` are those of a context of Playwright."""
        context = self.browser.new_context(**{**DEFAULTS, "base_url": base, **options})
        self._contexts.append(context)
        return self.open_in(context, path)

    def open_in(self, context: BrowserContext, path: str = "/") -> Page:
        """Another page in the profile of one that is open already."""
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(REPORT_VIOLATIONS)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._miss)
        page.goto(path)
        return page

    @contextmanager
    def forgiving(self, *patterns: str) -> Iterator[None]:
        """Complaints that match one of the patterns belong to what is tested here."""
        yield
        self.complaints[:] = [
            each for each in self.complaints if not any(re.search(p, each) for p in patterns)
        ]

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location.get("url", "")
            self.complaints.append(f"console {message.type}: {message.text} {where}")

    def _miss(self, request: Request) -> None:
        # A page that is left ends what it was still loading or following.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} {request.failure}")
