"""Whoever supervises cannot fail, whatever there is to report."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.effects import Effect
from ludothek.contract.orders import Order
from ludothek.kit import reports
from ludothek.observe import log
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.runtime.hall import Hall
from ludothek.runtime.record import Record
from ludothek.storage.archive import Archive
from ludothek.storage.state import StateDirectory
from tests.support.toy import ToyCodec, ToyTable, open_toy, toy_client, toy_hall


class Unspeakable:
    """Cannot be told."""

    def __repr__(self) -> str:
        raise RecursionError("maximum recursion depth exceeded")


class Spiteful(Exception):
    """A bug that cannot be told, either."""

    def __str__(self) -> str:
        raise ValueError

    __repr__ = __str__


class UnspeakableCodec(ToyCodec):
    """What it reads cannot be told; and some of it cannot be read twice."""

    def decode_request(self, frame: bytes) -> Any:
        if frame == b"once":
            raise RecursionError
        return Unspeakable()


@pytest.fixture
def failures() -> int:
    return reports.failed()


def crash(hall: Hall, *frames: bytes, bug: str = "bug") -> None:
    lobby = open_toy(hall, "left")
    client = toy_client(hall)
    for frame in frames:
        lobby.hear(client, "hello", frame)
    lobby.hear(client, bug, None)


async def wait_closed(hall: Hall) -> None:
    """Until a lobby has closed and the report of its crash is kept."""
    await wait_all_tasks_blocked()
    if hall._state:
        hall._state.close(seconds=60)


@pytest.mark.parametrize("frame", [b"once", b"hello"])
async def test_a_crash_that_cannot_be_told_ends_one_lobby(
    frame: bytes, nursery: trio.Nursery, tmp_path: Path, failures: int
) -> None:
    hall = toy_hall(nursery, UnspeakableCodec(), state=StateDirectory(tmp_path / "state"))
    open_toy(hall, "right")
    crash(hall, frame)
    await wait_closed(hall)
    assert hall.crashes == 1
    assert hall.find("right") is not None
    assert reports.failed() == failures  # frames are kept as they came, and not told
    (report,) = (tmp_path / "state" / "crashes").iterdir()
    told = Record.read(report.read_bytes()).about["traceback"]
    assert "ToyTable" in told or "toy.py" in told


ENDS = [SystemExit(3), KeyboardInterrupt(), BaseExceptionGroup("two", [SystemExit(), ValueError()])]


@pytest.mark.parametrize("end", ENDS, ids=lambda end: type(end).__name__)
async def test_a_game_that_wants_to_end_the_program_ends_its_lobby(
    end: BaseException, nursery: trio.Nursery, tmp_path: Path
) -> None:
    class Lethal(ToyTable):
        def receive(self, client: Client, message: Any) -> Iterator[Effect]:
            raise end

        def order(self, order: Order) -> Iterator[Effect]:
            raise end

    state = StateDirectory(tmp_path / "state")
    hall = toy_hall(nursery, state=state)
    open_toy(hall, "right")
    lobby = open_toy(hall, "left", Lethal())
    client = toy_client(hall)
    lobby.let(lobby.table.receive, client, "hello")
    await wait_closed(hall)
    assert hall.crashes == 1
    assert list(hall.lobbies) == ["right"]
    (report,) = (tmp_path / "state" / "crashes").iterdir()
    assert "in receive" in Record.read(report.read_bytes()).about["traceback"]


async def test_a_reception_that_wants_to_end_the_program_ends_a_connection(
    nursery: trio.Nursery,
) -> None:
    async def leave() -> None:
        raise SystemExit(3)

    Guarded(nursery).start_soon(leave)
    await wait_all_tasks_blocked()
    assert not nursery.cancel_scope.cancel_called


async def test_a_report_that_cannot_be_written_ends_one_lobby(
    nursery: trio.Nursery, tmp_path: Path, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choke(*_: Any) -> bytes:
        raise RecursionError

    monkeypatch.setattr("ludothek.runtime.lobby.Lobby.record", choke)
    hall = toy_hall(nursery, state=StateDirectory(tmp_path / "state"))
    open_toy(hall, "right")
    crash(hall)
    await wait_closed(hall)
    assert hall.find("right") is not None
    assert reports.failed() == failures + 1


class BrokenLog:
    """Chokes on whatever went wrong."""

    def debug(self, *_: Any, **__: Any) -> None: ...

    def error(self, *_: Any, **__: Any) -> None:
        raise RecursionError


async def test_not_even_a_broken_log_ends_the_daemon(
    nursery: trio.Nursery, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("supervisor", "guarded_nursery"):
        monkeypatch.setattr(f"ludothek.runtime.{module}.log", BrokenLog())
    hall = toy_hall(nursery)
    crash(hall)

    async def bug() -> None:
        raise Spiteful

    Guarded(nursery).start_soon(bug)
    await wait_all_tasks_blocked()
    assert hall.lobbies == {}
    assert reports.failed() == failures + 2


async def test_a_report_that_cannot_be_kept_ends_one_lobby(
    nursery: trio.Nursery, tmp_path: Path, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def put(*_: Any) -> None:
        raise RecursionError

    monkeypatch.setattr(Archive, "put", put)
    hall = toy_hall(nursery, state=StateDirectory(tmp_path))
    open_toy(hall, "right")
    crash(hall)
    await wait_closed(hall)
    assert hall.find("right") is not None
    assert reports.failed() == failures + 1


async def test_a_journal_that_cannot_be_read_costs_no_traceback(
    nursery: trio.Nursery, tmp_path: Path, failures: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: Any) -> list[Any]:
        raise RecursionError

    monkeypatch.setattr("ludothek.runtime.supervisor.notes_of", read)
    hall = toy_hall(nursery, state=StateDirectory(tmp_path))
    crash(hall)
    await wait_closed(hall)
    assert reports.failed() == failures + 1
    (report,) = (tmp_path / "crashes").iterdir()
    assert "toy.py" in Record.read(report.read_bytes()).about["traceback"]


class HalvingTable(ToyTable):
    """Its bug quotes half a character."""

    def receive(self, client: Client, message: Any) -> Iterator[Effect]:
        raise ValueError("\ud83d")


async def test_half_a_character_costs_no_report(nursery: trio.Nursery, tmp_path: Path) -> None:
    hall = toy_hall(nursery, state=StateDirectory(tmp_path))
    lobby = open_toy(hall, "left", HalvingTable())
    lobby.let(lobby.table.receive, toy_client(hall), "hello")
    await wait_closed(hall)
    (report,) = (tmp_path / "crashes").iterdir()
    assert "ValueError: \\ud83d" in Record.read(report.read_bytes()).about["traceback"]


async def test_a_table_that_refuses_the_shutdown_keeps_nobody_else_open(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = toy_hall(nursery)
    first, second = [open_toy(hall, key) for key in ("left", "right")]
    shut_down = type(first).shut_down
    monkeypatch.setattr(
        type(first), "shut_down", lambda lobby: 1 / 0 if lobby is first else shut_down(lobby)
    )
    hall.close()
    assert not second.open


DEEP: Any = []
for _ in range(5000):
    DEEP = [DEEP]

CHOKES: dict[str, dict[str, Any]] = {
    "a lone surrogate": {"name": "\ud800"},
    "one in a list": {"inputs": ["\ud800"]},
    "one in an exception": {"exc_info": ValueError("\ud800")},
    "an unspeakable value": {"value": Unspeakable()},
    "an unspeakable part": {"values": [Unspeakable()]},
    "a spiteful bug": {"exc_info": Spiteful()},
    "something deep": {"value": DEEP},
    "keys that are no text": {"value": {1: 2, (1, 2): 3}},
    "a long text": {"value": "x" * 1_000_000},
    "bytes": {"value": b"\xff"},
}


@pytest.fixture
def usual_log() -> Iterator[None]:
    """Nothing of what a test sets up is left for the others."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.parametrize("style", ["json", "console"])
@pytest.mark.parametrize("what", CHOKES)
@pytest.mark.usefixtures("usual_log")
def test_no_value_is_too_odd_for_the_log(
    what: str, style: log.LogFormat, capfd: pytest.CaptureFixture[str]
) -> None:
    log.setup(style)
    structlog.configure(cache_logger_on_first_use=False)
    logger = structlog.get_logger()
    logger.info("before")
    logger.error("the event", **CHOKES[what])
    logger.info("after")
    lines = capfd.readouterr().err
    assert "before" in lines
    assert "the event" in lines
    assert "after" in lines
    assert len(lines) < 20_000
    if style == "json":
        assert [json.loads(line) for line in lines.splitlines()]


def test_repr_is_asked_carefully(failures: int) -> None:
    assert reports.words("a") == "'a'"
    assert reports.words(Unspeakable()) == "<Unspeakable that cannot be told: RecursionError>"
    assert reports.failed() == failures + 1
