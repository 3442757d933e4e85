"""The page in a browser: how much it loads, and how soon something is there to see.

    python -m bench.first_drawing --times 15

The time runs from the request on. The browser's cache is empty each time, but the browser runs
already, on the core of the load. A match of Hexxagon is under way, as in bench.viewers.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import click
from playwright.sync_api import Browser, sync_playwright

from bench.connections import WebSocketConnection
from bench.contenders import daemon
from bench.drawing import number
from bench.environment import environment, sentence
from bench.hexxagon_load import HexxagonLoad
from bench.measure import LOAD_CORE, CannotMeasure, Figure
from bench.report import spread, table
from bench.theatre import ask

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


def pages_table(trials: Sequence[PageTrial]) -> str:
    """What both pages weigh, and how soon they are there."""
    header = ("page", "kB in all", "answers", "first drawing, s", "with the board or list, s")
    rows = []
    for name in dict.fromkeys(each.page for each in trials):
        made = [each for each in trials if each.page == name]
        rows.append(
            (
                name,
                number(Figure.of([each.bytes / 1000 for each in made]).median),
                str(made[0].answers),
                spread(Figure.of([each.first for each in made])),
                spread(Figure.of([each.complete for each in made])),
            )
        )
    return table(header, rows)


@click.command(help=__doc__)
@click.option("--times", default=7, show_default=True, help="How often each page is opened.")
@click.option("--seed", default=1, help="Of the match.")
def main(times: int, seed: int) -> None:
    os.sched_setaffinity(0, LOAD_CORE)
    with daemon("--game", "hexxagon", "--port", "0", "--web", "0", endpoints=2) as server:
        port = server.ports[1]
        load = HexxagonLoad(server.port, WebSocketConnection.open, seed)
        load.connect(2)
        load.deal()
        (lobby,) = ask(port, "/api/matches")["lobbies"]
        trials = [*open_pages(port, lobby["match"], times)]
        load.close()
    click.echo(f"{sentence(environment())}\n\n{pages_table(trials)}")


if __name__ == "__main__":
    sys.exit(main())
