"""What every game does when its endpoint is drained or gets new settings, or the clock is set."""

import gc
import weakref
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import count
from typing import ClassVar

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.clock import Clock
from ludothek.contract.orders import OrderRefused
from ludothek.runtime.hall import Hall
from ludothek.settings.fields import build
from ludothek.testing.fair import NOON, open_fair
from ludothek.testing.lockstep import Meddler, Participant, perform
from ludothek.testing.suite import Suite


def once_playing(hall: Hall, do: Callable[[], object]) -> Meddler:
    """Does something when the first match is under way."""
    due = [do]

    def meddle(player: Participant) -> Iterable[bytes]:
        if any(not lobby.table.summary.idle for lobby in hall.lobbies.values()) and due:
            due.pop()()
        return ()

    return meddle


class EndingSuite(Suite):
    """Ends and changes in the middle of a match."""

    adaptable: ClassVar[bool] = True  # whether its reception takes new settings while it is open

    @pytest.fixture
    def no_search(self) -> Iterator[None]:
        """Disable the cyclic garbage collector."""
        gc.disable()
        yield
        gc.enable()

    @pytest.mark.trio
    async def test_a_match_comes_to_its_end_and_then_everybody_goes(
        self, mock_clock: MockClock
    ) -> None:
        async with self.open_fair() as fair:
            endpoint = fair.endpoint
            watcher = fair.connect()
            drain = once_playing(endpoint.hall, lambda: fair.nursery.start_soon(endpoint.drain))
            players = await perform(fair, self.game, mock_clock, 1, drain)
            assert all(one.report for one in players)
            mock_clock.jump(10)  # for clients that have stopped reading
            await wait_all_tasks_blocked()
            assert not endpoint.clients
            assert not endpoint.hall.lobbies
            assert endpoint.hall.crashes == 0
            with pytest.raises(trio.BrokenResourceError):
                await watcher.send(b"")

    @pytest.mark.trio
    @pytest.mark.usefixtures("no_search")
    async def test_a_lobby_that_has_ended_is_no_garbage_to_be_searched(
        self, mock_clock: MockClock
    ) -> None:
        """It contains no reference cycles: all its memory is freed at once."""
        async with self.open_fair() as fair:
            endpoint = fair.endpoint
            left: list[weakref.ref[object]] = []

            def end() -> None:
                lobbies = endpoint.hall.lobbies.values()
                left.extend(weakref.ref(each) for one in lobbies for each in (one, one.table))
                fair.nursery.start_soon(endpoint.drain)

            await perform(fair, self.game, mock_clock, 1, once_playing(endpoint.hall, end))
            mock_clock.jump(10)
            await wait_all_tasks_blocked()
            still_there = [each for each in left if each() is not None]  # a port's only lobby stays
            gc.collect()
            assert left
            assert all(each() is not None for each in still_there)

    @pytest.mark.trio
    async def test_an_endpoint_without_a_match_ends_at_once(self, mock_clock: MockClock) -> None:
        async with open_fair(self.game) as fair:
            link = fair.connect()
            await wait_all_tasks_blocked()
            await fair.endpoint.drain()
            with pytest.raises(trio.BrokenResourceError):
                await link.send(b"")
            assert not fair.endpoint.clients
            assert not fair.endpoint.hall.lobbies

    @pytest.mark.trio
    async def test_new_settings_leave_a_running_match_alone(self, mock_clock: MockClock) -> None:
        other = build(self.game.settings, {**self.settings, "bot_difficulty": 1}, "test")
        async with self.open_fair() as fair:
            endpoint = fair.endpoint
            changed: list[object] = []

            def adopt() -> None:
                endpoint.adopt(other)
                changed.append(other)

            if not self.adaptable:
                with pytest.raises(OrderRefused):
                    adopt()
                return
            change = once_playing(endpoint.hall, adopt)
            players = await perform(fair, self.game, mock_clock, 1, change)
            assert changed == [other]
            assert all(one.report for one in players)
            for one in players:
                one.link.close()
            await wait_all_tasks_blocked()  # until the server has noticed
            again = await perform(fair, self.game, mock_clock, 2)
            assert all(one.report for one in again)
            assert endpoint.hall.crashes == 0

    @pytest.mark.trio
    async def test_a_wall_clock_that_is_set_changes_no_match(self, mock_clock: MockClock) -> None:
        """Deadlines use a monotonic clock; the date may jump by years."""
        leaps = (timedelta(days=1000 * (-1) ** n) for n in count())
        reports = []
        for date in (lambda: NOON, lambda: NOON + next(leaps)):
            clock = Clock(date=date)
            async with open_fair(self.game, 1, self.settings, clock=clock) as fair:
                players = await perform(fair, self.game, mock_clock, 1)
                reports.append([one.report for one in players])
        assert reports[0] == reports[1]
        assert None not in reports[0]
