"""Pages whose server dies and comes back."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.viewer import await_place
from tests.support.contestants import match
from tests.support.served import Served, serving
from tests.support.tab import Tabs

# What a browser says while nobody answers.
LOST = ("ERR_CONNECTION", "ERR_INCOMPLETE", "ERR_EMPTY_RESPONSE", "status of 503")


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[Served]:
    runtime = tmp_path / "runtime"
    options = ("--durable", "--runtime-dir", str(runtime))
    with serving(tmp_path / "served", *options, games=["hexxagon"]) as served:
        yield served


def process_that_serves(served: Served) -> int:
    """The guardian's first child: it has the games, and spares wait behind it."""
    told = served.ctl("--json", "status")
    return int(json.loads(told)["pid"])


def test_pages_catch_up_after_the_daemon_was_killed(durable: Served, tabs: Tabs) -> None:
    with match(durable, "hexxagon", messages=20) as (match_id, players), tabs.forgiving(*LOST):
        page = tabs.open(durable.url, f"/m/{match_id}")
        count = len(durable.get(f"/api/matches/{match_id}/history")["positions"])
        await_place(page, count, count)
        home = tabs.open(durable.url, "/")
        card = home.locator(f'[data-match="{match_id}"]')
        expect(card).to_be_visible()
        os.kill(process_that_serves(durable), signal.SIGKILL)
        players.allow(4)
        await_place(page, count + 4, count + 4)  # none is missing, none is there twice
        expect(page.locator("#connection")).to_have_count(0)
        move = durable.get(f"/api/matches/{match_id}")["positions"][-1]["view"]["move"]
        expect(card).to_contain_text(f"move {move}")
        players.finish()
        expect(page.locator("#result")).to_be_visible()
        expect(home.locator(f'#ended tr[data-match="{match_id}"]')).to_be_visible()


def test_a_match_that_a_dead_server_has_taken_along_says_so(tmp_path: Path, tabs: Tabs) -> None:
    with serving(tmp_path, games=["hexxagon"]) as served:
        port, folder = served.url.rpartition(":")[2].strip("/"), served.folder
        with match(served, "hexxagon", messages=20) as (match_id, _), tabs.forgiving("ERR_", "404"):
            page = tabs.open(served.url, f"/m/{match_id}")
            expect(page.locator("#board")).to_be_visible()
            os.kill(process_that_serves(served), signal.SIGKILL)
            served.process.wait()
            expect(page.locator("#connection")).to_be_visible()
            with serving(folder / "again", "--web", port, games=["hexxagon"]):
                expect(page.locator("#cut")).to_have_text("Nothing more is known of this match.")
                expect(page.locator("#connection")).to_have_count(0)
                expect(page.locator("#board")).to_be_visible()
                page.close()
