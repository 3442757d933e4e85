"""One lobby may crash; the others do not notice."""

import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from structlog.testing import LogCapture
from trio.testing import wait_all_tasks_blocked

from games import hexxagon
from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.observe.log_context import add_context
from ludothek.runtime.hall import FETCHES, Hall
from ludothek.runtime.note import NoteKind
from ludothek.runtime.record import Record
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import open_fair
from tests.support.helpers import MemoryLink, memory_link_pair
from tests.support.toy import ToyTable, open_toy, toy_client, toy_hall


@pytest.fixture
def logs() -> LogCapture:
    """Whatever is logged, with its context; structlog's own helper drops context variables."""
    capture = LogCapture()
    structlog.configure(processors=[add_context, structlog.contextvars.merge_contextvars, capture])
    return capture


def visitor(nursery: trio.Nursery, hall: Hall, key: str) -> MemoryLink:
    ours, theirs = memory_link_pair()
    nursery.start_soon(toy_client(hall, 1, theirs, lobby=key).run)
    return ours


async def said(link: MemoryLink) -> list[str]:
    await wait_all_tasks_blocked()
    return [frame.decode() for frame in link.received()]


async def test_a_crash_ends_one_lobby_and_is_logged_with_all_that_led_to_it(
    nursery: trio.Nursery, logs: LogCapture
) -> None:
    hall = toy_hall(nursery)
    for key in ("left", "right"):
        open_toy(hall, key)
    left, right = visitor(nursery, hall, "left"), visitor(nursery, hall, "right")
    await wait_all_tasks_blocked()
    await left.send(b"hello")
    await wait_all_tasks_blocked()
    await left.send(b"bug")
    await right.send(b"still here")
    assert await said(left) == ["welcome 1", "hello", "sorry", "door"]
    assert await said(right) == ["welcome 1", "still here"]
    assert list(hall.lobbies) == ["right"]
    assert hall.crashes == 1
    (crash,) = [entry for entry in logs.entries if entry["event"] == "lobby crashed"]
    assert crash["lobby"] == "left"
    assert crash["seed"] == Chance(7).child("lobby", "left").seed
    assert [entry.split(" ", 1)[1] for entry in crash["inputs"]] == [
        """introduced(<client 1>, b'{"key":"1","name":"left","host":"this server","hosted":false,"""
        """"visitor":null,"chats":null}')""",
        "enter(<client 1>, b'1')",
        "receive(<client 1>, b'hello')",
        "receive(<client 1>, b'bug')",
        """order(b'{"$":["attrs","ludothek.contract.orders:Fault",{}]}')""",
    ]
    assert isinstance(crash["exc_info"], BaseException)


async def test_a_crash_during_shutdown_does_not_stop_the_others(logs: LogCapture) -> None:
    class Clumsy(ToyTable):
        def order(self, order: Any) -> Any:
            raise ZeroDivisionError("even the goodbye fails")

    async with trio.open_nursery() as nursery:
        hall = toy_hall(nursery)
        open_toy(hall, "clumsy", Clumsy())
        open_toy(hall, "good")
        link = visitor(nursery, hall, "good")
        await wait_all_tasks_blocked()
        hall.close()
        assert await said(link) == ["welcome 1", "shutdown", "door"]
        assert hall.lobbies == {}
        nursery.cancel_scope.cancel()
    assert hall.crashes == 1


async def test_a_cancelled_hall_with_a_crashing_lobby_ends_quietly(logs: LogCapture) -> None:
    """The bug and the cancellation arrive together; only the bug is ours to report."""

    class Dying(ToyTable):
        def leave(self, client: Client) -> Any:
            raise ZeroDivisionError

    async with trio.open_nursery() as nursery:
        hall = toy_hall(nursery)
        open_toy(hall, "dying", Dying())
        visitor(nursery, hall, "dying")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()


async def test_a_closed_lobby_is_not_found(nursery: trio.Nursery) -> None:
    hall = toy_hall(nursery)
    lobby = open_toy(hall, "toy")
    assert hall.find("toy") is lobby
    lobby.close()
    assert hall.find("toy") is None
    assert hall.find("other") is None


async def test_each_lobby_has_a_chance_of_its_own_that_a_seed_repeats(
    nursery: trio.Nursery,
) -> None:
    drawn: list[float] = []
    for _ in range(2):
        hall = toy_hall(nursery)
        for key, nth in (("a", 0), ("b", 0), ("a", 1)):
            drawn.append(hall.desk.chance_for(key, nth).random().random())
    assert drawn[:3] == drawn[3:]
    assert len(set(drawn)) == 3


async def test_a_crash_leaves_a_report_from_which_it_can_be_repeated(
    nursery: trio.Nursery, logs: LogCapture, tmp_path: Path
) -> None:
    state = StateDirectory(tmp_path / "state")
    hall = toy_hall(nursery, state=state)
    lobby = open_toy(hall, "a/../b")
    assert not state.path.exists()  # nothing to keep yet
    lobby.hear(toy_client(hall), "bug", b"bug")
    with trio.fail_after(60):
        await hall.wait_empty()
    state.close(seconds=60)
    (file,) = (state.path / "crashes").iterdir()
    report = Record.read(file.read_bytes())
    assert (report.beginning.lobby, report.beginning.seed) == ("a/../b", lobby.seed)
    assert (report.notes[-2].kind, report.notes[-2].content) == (NoteKind.RECEIVE, b"bug")
    assert "ZeroDivisionError: a bug" in report.about["traceback"]


async def test_a_report_that_cannot_be_kept_harms_nothing(
    nursery: trio.Nursery, logs: LogCapture, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    state = StateDirectory(tmp_path / "file")
    hall = toy_hall(nursery, state=state)
    lobby = open_toy(hall, "a")
    lobby.let(lobby.table.receive, toy_client(hall), "bug")
    with trio.fail_after(60):
        await hall.wait_empty()
    state.close(seconds=60)
    assert "could not keep a file" in [entry["event"] for entry in logs.entries]


async def test_a_lobby_that_has_been_replaced_does_not_take_its_successor_along(
    nursery: trio.Nursery,
) -> None:
    hall = toy_hall(nursery)
    open_toy(hall, "same").close()
    successor = open_toy(hall, "same")
    await wait_all_tasks_blocked()
    assert hall.find("same") is successor


async def test_lobbies_make_only_a_few_long_messages_at_a_time(nursery: trio.Nursery) -> None:
    hall = toy_hall(nursery)
    begun: list[int] = []
    gate = threading.Event()

    def make() -> str:
        begun.append(1)
        gate.wait(60)
        return "made"

    links = []
    for n in range(5):
        open_toy(hall, f"lobby {n}", ToyTable(make=make))
        links.append(visitor(nursery, hall, f"lobby {n}"))
        await links[-1].send(b"fetch")
    with trio.fail_after(60):
        while not begun:  # noqa: ASYNC110 - what happens in threads sets no event
            await trio.sleep(0.001)
    await wait_all_tasks_blocked(0.01)
    assert len(begun) <= FETCHES
    gate.set()
    for link in links:
        while await link.receive() != b"made":
            pass
    assert len(begun) == len(links)


async def test_a_record_tells_the_local_time_of_its_match_not_of_the_start_of_the_daemon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A daemon runs for months, and clocks are put forward meanwhile."""
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        date = datetime(2026, 1, 15, tzinfo=UTC)
        async with open_fair(hexxagon.GAME, clock=Clock(date=lambda: date)) as fair:
            assert fair.endpoint.hall.about["zone"] == "+0100"
            date = datetime(2026, 7, 15, tzinfo=UTC)
            assert fair.endpoint.hall.about["zone"] == "+0200"
    time.tzset()
