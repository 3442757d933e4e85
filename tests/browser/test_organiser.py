"""Every action of the organiser's page, and what it does to the daemon."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, StorageState, expect

from tests.browser.conftest import OpenPage
from tests.browser.organiser_desk import OrganiserDesk
from tests.browser.test_accessibility import check, check_both
from tests.support.contestants import contestants
from tests.support.served import Served
from tests.support.tab import Tabs
from tests.support.waiting import eventually

QUICK = Path("config/qwirkle/quick.json")
HOSTILE = "<img src=x onerror=document.title='pwned'>"


@pytest.fixture(scope="module")
def logged_in(served: Served, chromium: Browser) -> StorageState:
    """What a browser keeps that has logged in."""
    page = chromium.new_page()
    page.goto(served.invite())
    page.locator("[data-kind=endpoints]").wait_for()
    state = page.context.storage_state()
    page.close()
    return state


@pytest.fixture
def desk(
    served: Served, open_page: OpenPage, logged_in: StorageState, tabs: Tabs
) -> Iterator[OrganiserDesk]:
    page = open_page("/organiser", storage_state=logged_in)
    expect(page.locator("[data-kind=endpoints]")).to_be_visible()
    # Browsers report what the server refuses, although the page deals with it.
    with tabs.forgiving("status of 409"):
        yield OrganiserDesk(page, served)


def test_a_lobby_is_opened_with_a_name_a_file_settings_or_as_a_tournament(
    desk: OrganiserDesk,
) -> None:
    page = desk.page

    def choose_file(page: Page) -> None:
        page.locator("#field-file").set_input_files(QUICK)

    def choose_settings(page: Page) -> None:
        page.locator("#field-settings").fill("turnTime = 5000\n\nturnTimes=3")
        page.locator("[name=tournament]").check()

    desk.open_lobby("hexxagon", "Opened plainly")
    expect(desk.row("lobbies", "Opened plainly")).to_be_visible()
    desk.open_lobby("qwirkle", "Opened with a file", choose_file)
    page.locator("[data-action=open]").click()
    page.locator("#field-game").select_option("qwirkle")
    choose_settings(page)
    page.locator("dialog [data-action=confirm]").click()
    # The server's own words, and the dialog stays open to be corrected.
    problem = page.locator("dialog [role=alert]")
    expect(problem).to_contain_text("turnTimes")
    page.locator("#field-settings").fill("turnTime = 5000")
    expect(problem).to_be_hidden()
    page.locator("#field-settings").fill("turnTime")
    page.locator("dialog [data-action=confirm]").click()
    expect(problem).to_have_text("turnTime: expected KEY=VALUE")
    page.locator("#field-settings").fill("turnTime = 5000")
    page.locator("#field-name").fill("Cup")
    desk.confirm("Opened: qwirkle/")
    assert desk.lobby("Cup")["facts"] != desk.lobby("Opened with a file")["facts"]


def test_clients_are_seated_arranged_expelled_and_a_match_is_started_and_decided(
    desk: OrganiserDesk,
) -> None:
    page, served = desk.page, desk.served
    lobby = desk.open_lobby("qwirkle", "Seated by hand")
    row = desk.row("lobbies", "Seated by hand")
    with contestants("qwirkle", served.ports["qwirkle"], ("Quinn", "Quito", "Quora")) as players:
        players.allow(3)  # they come in, and wait
        expect(desk.row("clients", "Quora")).to_be_visible()

        desk.press(row, "seat")
        for name in ("Quinn", "Quito", "Quora"):
            page.locator("dialog label", has_text=name).locator("input").check()
        desk.confirm("Seat clients")
        assert sorted(desk.lobby("Seated by hand")["players"]) == ["Quinn", "Quito", "Quora"]

        desk.press(row, "expel")
        page.locator("dialog label", has_text="Quora").locator("input").check()
        desk.confirm("Expel")
        before = desk.lobby("Seated by hand")["players"]
        assert sorted(before) == ["Quinn", "Quito"]
        assert "Quora" in desk.names("/clients")
        expect(row.locator("[data-cell=players]")).to_have_text(", ".join(before))

        desk.press(row, "arrange")
        page.locator("dialog [value=order]").check()
        page.locator("dialog .order-list li", has_text=before[1]).locator(
            "[data-action=up]"
        ).click()
        desk.confirm("Order of players")
        assert desk.lobby("Seated by hand")["players"] == before[::-1]
        desk.press(row, "arrange")
        desk.confirm("Order of players")
        assert sorted(desk.lobby("Seated by hand")["players"]) == sorted(before)

        desk.press(row, "seat")
        page.locator("dialog label", has_text="Quora").locator("input").check()
        page.locator("dialog [name=spectator]").check()
        desk.confirm("Seat clients")
        assert desk.lobby("Seated by hand")["spectators"] == ["Quora"]

        desk.press(row, "start")
        desk.expect_told(f"Start {lobby['id']}")
        assert desk.lobby("Seated by hand")["state"] == "IN_PROGRESS"
        desk.press(row, "pause")
        desk.expect_told("Pause")
        assert desk.lobby("Seated by hand")["state"] == "PAUSED"
        desk.press(row, "resume")
        desk.expect_told("Resume")
        assert desk.lobby("Seated by hand")["state"] == "IN_PROGRESS"

        desk.press(row, "abort")
        page.locator("dialog label", has_text="Quinn").locator("input").check()
        desk.confirm("Abort")
        expect(row.locator("[data-cell=state]")).not_to_have_text("IN_PROGRESS")
    ended = eventually(lambda: served.get("/api/ended?player=Quito")["matches"])[0]
    assert (ended["winner"], ended["reason"]) == ("Quinn", "aborted")


def test_a_paused_match_goes_on_by_one_step(desk: OrganiserDesk) -> None:
    with contestants("penguins", desk.served.ports["penguins"], ("Pia", "Pip")) as players:
        players.allow(2)
        lobby = desk.served.look("/clients?game=penguins")[0]["where"]
        row = desk.row("lobbies", lobby)
        desk.press(row, "pause")
        desk.expect_told("Pause")
        expect(row.locator("[data-cell=state]")).to_have_text("paused")
        desk.press(row, "step")
        desk.expect_told("Step")
        desk.press(row, "resume")
        desk.expect_told("Resume")
        expect(row.locator("[data-cell=state]")).not_to_have_text("paused")
        # What the game refuses is told in the server's words.
        desk.press(row, "start")
        expect(desk.page.locator("#told.bad")).to_contain_text("Start: ")


def test_a_client_is_kicked_after_a_question(desk: OrganiserDesk) -> None:
    with contestants("qwirkle", desk.served.ports["qwirkle"], ("Kim",)) as players:
        players.allow(1)
        row = desk.row("clients", "Kim")
        desk.press(row, "kick")
        desk.page.keyboard.press("Escape")
        expect(desk.page.locator("dialog")).to_have_count(0)
        assert "Kim" in desk.names("/clients")
        desk.press(row, "kick")
        desk.confirm("Kick")
        expect(row).to_have_count(0)
        assert "Kim" not in desk.names("/clients")


@contextmanager
def refused_client(port: int) -> Iterator[None]:
    """Says something that the server refuses."""
    with socket.create_connection(("127.0.0.1", port)) as peer:
        peer.sendall(b'{"request": 4711}\n')
        yield


def test_refusals_are_listed_with_their_reasons(desk: OrganiserDesk) -> None:
    with refused_client(desk.served.ports["qwirkle"]):
        eventually(lambda: desk.served.look("/refusals?game=qwirkle"))
    refusal = desk.served.look("/refusals?game=qwirkle")[0]
    row = desk.row("refusals", refusal["address"]).first
    expect(row.locator("[data-cell=reason]")).to_have_text(refusal["reason"])
    expect(row.locator("[data-cell=clause]")).to_have_text(refusal["clause"])
    expect(row.locator("[data-cell=connected]")).to_have_text("no")


def test_what_clients_have_used_of_a_protocol_is_shown_when_asked_for(
    desk: OrganiserDesk,
) -> None:
    page, served = desk.page, desk.served

    def show(game: str, name: str) -> tuple[Locator, list[str]]:
        """The row of a client, and the messages that it has never sent; all items are listed."""
        page.locator("#coverage-game").select_option(game)
        page.locator("[data-action='coverage.show']").click()
        (truth,) = served.look(f"/coverage?game={game}")
        for kind in ("message", "field", "answer", "clause"):
            items = [each["item"] for each in truth["items"] if each["kind"] == kind]
            rows = page.locator(f"[data-kind=coverage-{kind}] tbody tr")
            expect(rows).to_have_count(len(items))
            expect(rows.first).to_have_attribute("data-id", items[0])
        sent = next(each["messages"] for each in truth["clients"] if each["name"] == name)
        known = [each["item"] for each in truth["items"] if each["kind"] == "message"]
        return desk.row("coverage-clients", name), [each for each in known if each not in sent]

    with (
        contestants("hexxagon", served.ports["hexxagon"], ["Uma"]) as players,
        refused_client(served.ports["qwirkle"]),
    ):
        players.allow(3)
        eventually(lambda: served.look("/refusals?game=qwirkle"))
        row, _ = show("qwirkle", "(unnamed)")
        expect(row.locator("[data-cell=broken]")).not_to_have_text("0")
        row, never = show("hexxagon", "Uma")
        expect(row.locator("[data-cell=broken]")).to_have_text("0")
        expect(row.locator("[data-cell=never_sent]")).to_have_text(", ".join(never))
    assert never
    page.locator("#coverage summary").first.click()
    expect(page.locator("[data-kind=coverage-message]")).to_contain_text("never used")
    check_both(page)


def test_games_lobbies_and_clients_are_recorded_and_read_live(desk: OrganiserDesk) -> None:
    page, served = desk.page, desk.served
    port = served.ports["hexxagon"]
    with (
        contestants("hexxagon", port, ["Rex"]) as rex,
        contestants("hexxagon", port, ["Ria"]) as ria,
    ):
        rex.allow(3)  # to open a lobby and enter it
        rex.allow()
        ria.allow(3)
        lobby = desk.row("lobbies", "Rex")
        client = desk.row("clients", "Ria")
        for row in (desk.row("endpoints", "hexxagon"), lobby, client):
            desk.press(row, "record")
            desk.expect_told("Record")
            expect(row.locator("[data-action=stop]")).to_be_visible()
        kinds = [each["kind"] for each in served.look("/wire")]
        assert sorted(kinds) == ["client", "endpoint", "lobby"]
        expect(page.locator("[data-kind=recordings] tbody tr")).to_have_count(3)
        for row in (client, lobby):
            desk.press(row, "read")
            ria.allow(2)
            lines = page.locator("#wire-lines")
            expect(lines).to_contain_text("GameMove")
            expect(lines).to_contain_text("Ria")
        page.locator("#wire [data-action=close]").click()
        expect(lines).to_have_count(0)
        desk.press(desk.row("recordings", "hexxagon/").filter(has_text="client"), "stop")
        expect(client.locator("[data-action=record]")).to_be_visible()
        for row in (desk.row("endpoints", "hexxagon"), lobby):
            desk.press(row, "stop")
            expect(row.locator("[data-action=record]")).to_be_visible()
        assert served.look("/wire") == []


def test_load_and_delays_are_curves(desk: OrganiserDesk) -> None:
    curve = desk.page.locator("[data-curve=lag]")
    expect(curve.locator(".line")).to_have_attribute("d", re.compile(r"^M[\d .]+[LH]"))
    label = curve.locator("svg").get_attribute("aria-label")
    assert label is not None
    assert re.match(r"Largest delay in ms: [\d.,]+\. At most [\d.,]+", label)
    expect(desk.page.locator("[data-fact=version]")).to_have_text(
        desk.served.look("/status")["version"]
    )


def test_hostile_names_are_shown_as_they_are(desk: OrganiserDesk) -> None:
    with contestants("hexxagon", desk.served.ports["hexxagon"], [HOSTILE]) as players:
        players.allow(3)
        client = desk.row("clients", HOSTILE)
        expect(client.locator("[data-cell=name]")).to_have_text(HOSTILE)
        lobby = desk.row("lobbies", HOSTILE)
        expect(lobby.locator("[data-cell=name]")).to_contain_text(HOSTILE)
        expect(lobby.locator("[data-cell=players]")).to_contain_text(HOSTILE)
        desk.press(lobby, "abort")
        expect(desk.page.locator("dialog")).to_contain_text(HOSTILE)
        desk.press(desk.page.locator("dialog"), "cancel")
        desk.press(client, "kick")
        expect(desk.page.locator("dialog")).to_contain_text(HOSTILE)
        desk.confirm("Kick")
    assert "pwned" not in desk.page.title()
    assert desk.page.locator("main img, dialog img").count() == 0


def test_the_page_works_by_keyboard_and_a_filter_finds_lobbies(desk: OrganiserDesk) -> None:
    page = desk.page
    desk.open_lobby("penguins", "Keyboard")  # which has no name of its own
    lobby = desk.open_lobby("hexxagon", "Keyboard lobby")
    page.locator("#filter").fill("keyboard LOBBY")
    expect(page.locator("[data-kind=lobbies] tbody tr")).to_have_count(1)
    abort = desk.row("lobbies", "Keyboard lobby").locator("[data-action=abort]")
    abort.focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog [value='']")).to_be_focused()
    page.keyboard.press("Escape")
    expect(abort).to_be_focused()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    desk.expect_told(f"Done: Abort {lobby['id']}")
    expect(page.locator("[data-kind=lobbies] .empty, .empty").first).to_be_visible()
    assert "Keyboard lobby" not in desk.names("/lobbies")


def test_the_page_is_for_everybody(desk: OrganiserDesk) -> None:
    page = desk.page
    with contestants("qwirkle", desk.served.ports["qwirkle"], ("Axel",)) as players:
        players.allow(1)
        desk.open_lobby("qwirkle", "Accessible")
        row = desk.row("lobbies", "Accessible")
        desk.press(row, "record")
        desk.press(row, "read")
        check_both(page)
        page.locator("[data-action=open]").click()
        check_both(page)
        page.keyboard.press("Escape")
        desk.press(row, "seat")
        check_both(page)
        page.keyboard.press("Escape")
        page.locator("#language-de").click()
        expect(page.locator("html")).to_have_attribute("lang", "de")
        page.set_viewport_size({"width": 390, "height": 800})
        check(page)
        wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        assert not page.evaluate(wide)
