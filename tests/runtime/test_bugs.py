"""Whatever a game raises ends only what it was raised in, also what is meant to end programs."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.effects import Chore
from ludothek.contract.registry import load
from ludothek.contract.table import Summary
from ludothek.contract.timers import Timers
from ludothek.kit import reports
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.matches import count_matches
from ludothek.storage.archive import Archive
from tests.daemon.test_endpoints import hexxagon, open_endpoints, penguins
from tests.support.helpers import memory_link_pair, socket_link_pair
from tests.support.toy import ToyCodec, ToyTable, open_toy, toy_client, toy_hall
from transports import Complaint, Farewell, Frame, LineFramer, Poller, Terms

ENDS = [SystemExit, KeyboardInterrupt]
ends = pytest.mark.parametrize("end", ENDS)


class DeadlyCodec(ToyCodec):
    """Cannot read anything, nor say why somebody has to go."""

    def __init__(self, end: type[BaseException]) -> None:
        super().__init__()
        self.end = end

    def decode_request(self, frame: bytes) -> Any:
        raise self.end

    def refusal(self, complaint: Complaint) -> bytes | None:
        raise self.end


async def is_served(poller: Poller) -> bool:
    """Whether others are."""
    link, stream = socket_link_pair(poller, LineFramer())
    await stream.send_all(b"hello\n")
    with trio.fail_after(60):
        return await link.receive() == b"hello"


@ends
@pytest.mark.parametrize("lines", [1, 100])  # at once, and a portion at a time
async def test_a_codec_ends_one_connection(
    poller: Poller, end: type[BaseException], lines: int, nursery: trio.Nursery
) -> None:
    link, stream = socket_link_pair(poller, LineFramer())
    client = toy_client(toy_hall(nursery, DeadlyCodec(end)), 1, link)
    Guarded(nursery).start_soon(client.run)
    await wait_all_tasks_blocked()
    await stream.send_all(b"hello\n" * lines)
    with trio.fail_after(60):
        assert await stream.receive_some() == b""
    await stream.aclose()
    assert await is_served(poller)


@pytest.mark.parametrize("end", [*ENDS, ZeroDivisionError])
async def test_a_peer_is_told_of_a_fault_in_the_codec(
    end: type[BaseException], nursery: trio.Nursery
) -> None:
    ours, theirs = memory_link_pair()
    client = toy_client(toy_hall(nursery, DeadlyCodec(end)), 1, ours)
    Guarded(nursery).start_soon(client.run)
    await wait_all_tasks_blocked()
    theirs.post(b"hello")
    await wait_all_tasks_blocked()
    assert ours.farewell is Farewell.FAULT


@ends
async def test_a_framer_ends_one_connection(poller: Poller, end: type[BaseException]) -> None:
    class DeadlyFramer(LineFramer):
        def feed(self, data: bytes) -> list[Frame]:
            raise end

    link, stream = socket_link_pair(poller, DeadlyFramer())
    await stream.send_all(b"hello\n")
    with pytest.raises(RuntimeError, match=end.__name__):
        await link.receive()
    assert await is_served(poller)


@ends
async def test_a_codec_that_cannot_refuse_ends_one_connection(
    poller: Poller, end: type[BaseException], autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    link, stream = socket_link_pair(poller, LineFramer(), terms=Terms(first_seconds=1))
    client = toy_client(toy_hall(nursery, DeadlyCodec(end)), 1, link)
    Guarded(nursery).start_soon(client.run)
    assert await stream.receive_some() == b""
    assert await is_served(poller)


@ends
async def test_a_table_without_a_deadline_ends_one_lobby(
    end: type[BaseException], nursery: trio.Nursery
) -> None:
    class TimelessTimers(Timers):
        @property
        def deadline(self) -> float:
            raise end

        @deadline.setter
        def deadline(self, _: float) -> None: ...

    class Timeless(ToyTable):
        def __attrs_post_init__(self) -> None:
            self.timers = TimelessTimers(self.clock.time)

    hall = toy_hall(nursery)
    open_toy(hall, "left", Timeless())
    open_toy(hall, "right")
    await wait_all_tasks_blocked()
    assert list(hall.lobbies) == ["right"]
    assert hall.crashes == 1


@ends
async def test_company_ends_one_lobby(end: type[BaseException], nursery: trio.Nursery) -> None:
    async def company(lobby: Lobby) -> None:
        raise end

    hall = toy_hall(nursery, bring_bots=company)
    lobby = open_toy(hall, "left")
    open_toy(hall, "right")
    await wait_all_tasks_blocked()
    lobby.enter(toy_client(hall), "me", listen=True)
    await wait_all_tasks_blocked()
    assert list(hall.lobbies) == ["right"]


@ends
def test_a_chore_ends_alone(end: type[BaseException], tmp_path: Path) -> None:
    def fail() -> None:
        raise end

    done = Event()
    archive = Archive(tmp_path)
    archive.put(Chore(fail))
    archive.put(Chore(done.set))
    archive.close(seconds=60)
    assert done.is_set()
    assert archive.lost == 1


@ends
def test_a_report_ends_alone(end: type[BaseException]) -> None:
    class Deadly:
        def __repr__(self) -> str:
            raise end

    before = reports.failed()
    with reports.careful("anything"):
        raise end
    assert end.__name__ in reports.words(Deadly())
    assert reports.failed() == before + 2


def deadly_reception(end: type[BaseException]) -> Callable[..., Any]:
    def make(*_: Any) -> Any:
        raise end

    return make


@pytest.mark.parametrize("end", [*ENDS, ZeroDivisionError])
async def test_a_reception_that_cannot_be_opened_ends_no_daemon(end: type[BaseException]) -> None:
    game = attrs.evolve(load("hexxagon"), reception=deadly_reception(end))
    async with open_endpoints(penguins()) as endpoints:
        changes = await endpoints.change([penguins(), attrs.evolve(hexxagon(), game=game)])
        assert len(changes.problems) == 1
        assert [endpoint.name for endpoint in endpoints.all] == ["penguins"]


@pytest.mark.parametrize("end", [*ENDS, ZeroDivisionError])
async def test_settings_that_crash_a_game_are_tried_again_and_the_rest_applies(
    end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_endpoints(hexxagon()) as endpoints:
        reception = endpoints.all[0].hall.foyer.reception
        monkeypatch.setattr(type(reception), "adopt", deadly_reception(end))
        changes = await endpoints.change([hexxagon(max_strikes=1), penguins()])
        assert changes.problems == [
            "hexxagon on 127.0.0.1 port 0: cannot take its new settings; the log says more"
        ]
        assert (changes.changed, len(changes.opened)) == ([], 1)
        monkeypatch.undo()
        changes = await endpoints.change([hexxagon(max_strikes=1), penguins()])
        assert changes.changed == ["hexxagon on 127.0.0.1 port 0"]


@ends
async def test_a_table_that_cannot_be_summed_up_is_counted_all_the_same(
    end: type[BaseException], nursery: trio.Nursery
) -> None:
    class Shy(ToyTable):
        @property
        def summary(self) -> Summary:
            raise end

    lobby = open_toy(toy_hall(nursery), "left", Shy())
    assert count_matches([lobby])["other"] == 1
