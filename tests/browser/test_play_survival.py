"""A person's game outlives the process that served it."""

import os
import signal
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.player_seat import PlayerSeat
from tests.support.served import serving
from tests.support.tab import Tabs
from tests.support.waiting import eventually

# A clock is shown in the last minute.
IMPATIENT = {"hexxagon": "[limits]\nperson_idle_seconds = 61.5"}


def test_a_game_and_its_clock_go_on_after_the_daemon_was_killed(tmp_path: Path, tabs: Tabs) -> None:
    durable = ("--durable", "--runtime-dir", str(tmp_path / "runtime"))
    with serving(tmp_path, *durable, games=("hexxagon",), settings=IMPATIENT) as served:
        seat = PlayerSeat(tabs.open(served.url, "/play/hexxagon"), served, "hexxagon")
        seat.choose("Survivor")
        seat.expect_state("asked")
        seat.click_move()
        seat.expect_state("asked")
        idle = seat.page.locator("#idle")
        expect(idle).to_contain_text("the game is lost in 60 seconds")
        match, moves = seat.match_id, seat.moves_made()
        with tabs.forgiving("ERR_", "WebSocket", "Failed to load"):
            os.kill(served.look("/status")["pid"], signal.SIGKILL)
            seat.expect_state("lost")
            seat.expect_state("asked")
            assert seat.match_id == match
            seat.click_move()
            seat.expect_state("asked")
            eventually(lambda: seat.moves_made() == moves + 2)
            seat.page.reload()
            seat.expect_state("asked")
            assert seat.match_id == match
            expect(idle).to_be_visible()
            seat.page.close()
