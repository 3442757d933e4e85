"""Pages in a browser, and what browsers complain about."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import attrs
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    ViewportSize,
    expect,
)

# Tells the console what the content security policy has kept from happening.
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`violates ${event.violatedDirective}: ${event.blockedURI}`));
"""
# A person of today, who wants nothing to move: pictures are compared as soon as they are drawn.
DEFAULTS = {"locale": "en-GB", "reduced_motion": "reduce"}
WINDOW: ViewportSize = {"width": 1280, "height": 800}
Scheme = Literal["light", "dark"]
FORGET = """
() => {
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {} // it is no page of a server
}
"""
PATIENCE = 60_000  # milliseconds
expect.set_options(timeout=PATIENCE)


@attrs.define(eq=False)
class Profile:
    """What a browser keeps for somebody: one after the other, tests are that person.

    To make a profile takes as long as a page, and so does opening the first page in it.
    """

    context: BrowserContext
    spare: Page | None = None  # an empty page, to be used again

    def clear(self) -> None:
        """Leave nothing behind but an empty page."""
        for page in self.context.pages:
            page.evaluate(FORGET)
            if self.spare is None:
                page.goto("about:blank")
                self.spare = page
            else:
                page.close()
        self.context.clear_cookies()
        self.context.clear_permissions()


@attrs.define(eq=False, slots=False)  # Playwright adds attributes to what listens to it
class Tabs:
    """Opens pages, and remembers everything that went wrong in them."""

    browser: Browser
    profiles: dict[str, Profile] = attrs.field(factory=dict)
    complaints: list[str] = attrs.field(factory=list)
    _used: dict[Profile, None] = attrs.field(factory=dict)
    _own: list[BrowserContext] = attrs.field(factory=list)
    _heard: list[Page] = attrs.field(factory=list)

    def open(
        self,
        base: str,
        path: str = "/",
        *,
        viewport: ViewportSize = WINDOW,
        color_scheme: Scheme = "light",
        fresh: bool = False,
        **options: Any,
    ) -> Page:
        """A page of somebody who was never here; `options` are those of a context of Playwright.

        `fresh` is for who has nothing in the cache either.
        """
        wanted = {**DEFAULTS, "base_url": base, **options}
        if fresh or "storage_state" in options:
            context = self._context(wanted)
            self._own.append(context)
            page = context.new_page()
        else:
            page = self._page(wanted)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme)
        return self._go(page, path)

    def _page(self, options: dict[str, Any]) -> Page:
        key = repr(sorted(options.items()))
        if key not in self.profiles:
            self.profiles[key] = Profile(self._context(options))
        profile = self.profiles[key]
        self._used[profile] = None
        page, profile.spare = profile.spare, None
        return page or profile.context.new_page()

    def _context(self, options: dict[str, Any]) -> BrowserContext:
        context = self.browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(REPORT_VIOLATIONS)
        return context

    def open_in(self, context: BrowserContext, path: str = "/") -> Page:
        """Another page in the profile of one that is open already."""
        return self._go(context.new_page(), path)

    def _go(self, page: Page, path: str) -> Page:
        page.on("console", self._hear)
        page.on("pageerror", self._note)
        page.on("requestfailed", self._miss)
        self._heard.append(page)
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
        """Leave profiles behind as they were."""
        for context in self._own:
            context.close()
        for profile in self._used:
            profile.clear()
        for page in self._heard:
            page.remove_listener("console", self._hear)
            page.remove_listener("pageerror", self._note)
            page.remove_listener("requestfailed", self._miss)

    def _note(self, error: Error) -> None:
        self.complaints.append(f"page error: {error}")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning", "assert"):
            where = message.location.get("url", "")
            self.complaints.append(f"console {message.type}: {message.text} {where}")

    def _miss(self, request: Request) -> None:
        # A page that is left ends what it was still loading or following.
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url} {request.failure}")
