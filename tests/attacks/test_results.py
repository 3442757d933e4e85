"""Whoever plays the most matches does not decide which results are kept."""

from collections.abc import Hashable, Iterator
from typing import Any

import attrs
import pytest
import structlog
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.effects import Began, Effect, Ended
from ludothek.contract.results import ranked
from ludothek.runtime.connection import Connection
from ludothek.runtime.doorman import Doorman
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.runtime.hall import Hall
from ludothek.settings.limits import Limits
from tests.attacks.arena import GAMES, Arena, open_arena
from tests.support.toy import ToyTable, open_toy, toy_client, toy_hall

OUTSIDE, OTHER = "203.0.113.7", "203.0.113.8"
LIMITS = Limits(results_per_address=10)


class Watch:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def doorman(watch: Watch) -> Doorman:
    return Doorman(watch)


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


def told(doorman: Doorman, *hosts: str, matches: int = 100) -> int:
    return sum(doorman.may_tell(hosts, LIMITS) for _ in range(matches))


def test_an_address_has_so_many_and_others_have_theirs(doorman: Doorman, watch: Watch) -> None:
    assert told(doorman, OUTSIDE) == 10
    assert told(doorman, OTHER) == 10
    watch.now += 3600
    assert told(doorman, OUTSIDE) == 10


def test_who_plays_with_somebody_greedy_loses_nothing(doorman: Doorman) -> None:
    assert told(doorman, OUTSIDE) == 10
    assert told(doorman, OUTSIDE, OTHER) == 10


def test_a_network_of_ipv6_is_one_address(doorman: Doorman) -> None:
    assert sum(told(doorman, f"2001:db8::{n}", matches=5) for n in range(9)) == 10


@pytest.mark.parametrize("hosts", [("127.0.0.1",), ("127.0.0.1", OUTSIDE), ()])
def test_local_bots_and_organisers_have_no_limit(doorman: Doorman, hosts: tuple[str, ...]) -> None:
    assert told(doorman, *hosts) == 100


def test_it_can_be_switched_off(doorman: Doorman) -> None:
    limits = Limits(results_per_address=0)
    assert all(doorman.may_tell([OUTSIDE], limits) for _ in range(100))


def test_the_log_says_whose_results_are_missing_but_not_each_time(
    doorman: Doorman, watch: Watch, logs: LogCapture
) -> None:
    told(doorman, OUTSIDE)
    assert [entry["addresses"] for entry in logs.entries] == [[OUTSIDE]]
    watch.now += 60
    told(doorman, OTHER)
    assert [entry["addresses"] for entry in logs.entries] == [[OUTSIDE], [OTHER]]


@pytest.mark.parametrize("game", GAMES)
async def test_matches_beyond_it_are_played_and_counted(
    game: str, autojump_clock: MockClock, logs: LogCapture
) -> None:
    async with open_arena(game, exempt=[], results_per_address=1) as arena:
        for _ in range(2):
            await arena.play_match()
        assert ended(logs) == 1
        assert left_out(arena) == 1


@attrs.define(eq=False)
class Duel(ToyTable):
    """A match begins with the second player and ends when a player gives up, or by timeout."""

    def enter(self, client: Client, admission: Any) -> Iterator[Effect]:
        yield from super().enter(client, admission)
        if len(self.members) == 2:
            yield Began(players=["Ann", "Bob"])

    def receive(self, client: Client, message: Any) -> Iterator[Effect]:
        yield self._end()

    def leave(self, client: Client) -> Iterator[Effect]:
        yield from super().leave(client)
        yield self._end()

    def time_up(self, timer: Hashable) -> Iterator[Effect]:
        yield from super().time_up(timer)
        yield self._end()

    def _end(self) -> Ended:
        return Ended(players=ranked([], None), winner=None, reason="given up", moves=0)


def seat(nursery: trio.Nursery, hall: Hall, host: str, *, hosted: bool = False) -> Connection:
    client = toy_client(hall, hosted=hosted, lobby="duel")
    client.peer = f"{host}:4711"
    Guarded(nursery).start_soon(client.run)
    return client


@pytest.mark.parametrize("end", ["resign", "leave", "time"])
async def test_nobody_hides_that_it_has_lost(
    end: str, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """By only beginning and ending the match, or by letting it time out."""
    found: list[set[str]] = []
    hall = toy_hall(nursery, keep=lambda lobby, *_: found.append(lobby.bout.hosts))
    lobby = open_toy(hall, "duel", Duel())
    seat(nursery, hall, OTHER)
    seat(nursery, hall, "this server", hosted=True)
    await wait_all_tasks_blocked()
    loser = seat(nursery, hall, OUTSIDE)
    await wait_all_tasks_blocked()
    if end == "resign":
        lobby.let(lobby.table.receive, loser, "I give up", by=loser)
    elif end == "leave":
        loser.close()
    await trio.sleep(60)
    assert found == [{OUTSIDE, OTHER}]


def ended(logs: LogCapture) -> int:
    return sum(entry["event"] == "match ended" for entry in logs.entries)


def left_out(arena: Arena) -> int:
    return arena.server.endpoint.traffic.results_left_out
