"""What the organiser's page does to the daemon as a whole."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.organiser_desk import OrganiserDesk
from tests.support.served import PATIENCE, serving
from tests.support.tab import Tabs


def test_the_daemon_is_reloaded_restarted_and_drained(tmp_path: Path, tabs: Tabs) -> None:
    runtime = str(tmp_path / "runtime")
    with serving(tmp_path, "--durable", "--runtime-dir", runtime, games=("hexxagon",)) as served:
        page = tabs.open(served.url, served.invite())
        desk = OrganiserDesk(page, served)
        reload = page.locator("[data-action=reload]")
        reload.click()
        desk.expect_told("nothing has changed")
        config = tmp_path / "platform.toml"
        config.write_text(f'{config.read_text()}\n[[host]]\ngame = "qwirkle"\nport = 0\n')
        reload.click()
        desk.expect_told("opened: qwirkle")
        expect(desk.row("endpoints", "qwirkle")).to_be_visible()
        config.write_text("nonsense")
        with tabs.forgiving("status of 409"):
            reload.click()
            expect(page.locator("#told.bad")).to_contain_text("platform.toml")
        expect(page.locator("[data-fact=problem]")).to_contain_text("platform.toml")
        assert len(served.look("/status")["endpoints"]) == 2
        config.write_text('[[host]]\ngame = "hexxagon"\nport = 0\n')

        # Whoever is logged in stays so.
        desk.open_lobby("hexxagon", "Before the restart")
        before = served.look("/status")["pid"]
        with tabs.forgiving("ERR_", "Failed to load"):
            page.locator("[data-action=restart]").click()
            page.locator("dialog [data-action=confirm]").click()
            desk.expect_told("Restarted: matches")
        assert served.look("/status")["pid"] != before
        expect(page.locator("[data-fact=restarts]")).to_contain_text("1,")
        expect(desk.row("lobbies", "Before the restart")).to_be_visible()

        with tabs.forgiving("ERR_", "Failed to load"):
            page.locator("[data-action=drain]").click()
            page.locator("#field-seconds").fill("1")
            desk.confirm("Drain")
            served.process.wait(PATIENCE)
            expect(page.locator("#problem")).to_contain_text("cannot be reached")
            page.close()


def test_everybody_is_logged_out(tmp_path: Path, tabs: Tabs) -> None:
    with serving(tmp_path, games=("hexxagon",)) as served, tabs.forgiving("status of 401"):
        pages = [tabs.open(served.url, served.invite(), fresh=True) for _ in range(2)]
        for page in pages:
            page.locator("[data-kind=endpoints]").wait_for()
        pages[0].locator("[data-action='logout.all']").click()
        pages[0].locator("dialog [data-action=confirm]").click()
        for page in pages:
            expect(page.locator("#login-how")).to_be_visible()
            page.close()
