"""The page in a browser: how much it loads, and how soon something is there to see.

The time runs from the request on. The browser's cache is empty each time, but the browser runs
already, on the core of the load.
"""

import shutil
from collections.abc import Iterator
from typing import Any

import attrs
from playwright.sync_api import Browser, sync_playwright

from bench.measure import CannotMeasure

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 30_000  # milliseconds

# What is there once a page shows what it is for.
LIST, BOARD = "article.lobby", "svg.board"

# When the first text or picture was drawn, in milliseconds after the request; null: not yet.
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null"
NOW = "performance.now()"


@attrs.frozen(kw_only=True)
class PageTrial:
    """One page, opened by a browser that has not been there before."""

    page: str
    bytes: int  # of all answers, with their heads
    answers: int
    first: float  # seconds until the first drawing
    complete: float  # until the board or the list is there, too


def open_pages(port: int, match_id: str, times: int) -> Iterator[PageTrial]:
    """Open the home page and that of a match, in turns."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        raise CannotMeasure("there is no Chromium here")
    home = f"http://127.0.0.1:{port}/"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        _open(browser, "home", home, LIST)  # warms up
        for _ in range(times):
            yield _open(browser, "home", home, LIST)
            yield _open(browser, "match", f"{home}m/{match_id}", BOARD)
        browser.close()


def _open(browser: Browser, name: str, url: str, wanted: str) -> PageTrial:
    context = browser.new_context()
    page = context.new_page()
    sizes: dict[str, int] = {}
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")

    def answered(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = event["response"]["encodedDataLength"]  # so far: the head

    def received(event: dict[str, Any]) -> None:
        sizes[event["requestId"]] = sizes.get(event["requestId"], 0) + event["encodedDataLength"]

    wire.on("Network.responseReceived", answered)
    wire.on("Network.dataReceived", received)
    page.goto(url, wait_until="commit")
    page.wait_for_selector(wanted, timeout=PATIENCE)
    complete = page.evaluate(NOW) / 1000
    first = page.wait_for_function(PAINTED, timeout=PATIENCE).json_value() / 1000
    page.wait_for_load_state("load")
    page.wait_for_timeout(500)  # for files that are loaded last
    context.close()
    return PageTrial(
        page=name, bytes=sum(sizes.values()), answers=len(sizes), first=first, complete=complete
    )
