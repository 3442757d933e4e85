"""Signals are heard, none of them interrupts anything, and at the end nobody listens."""

import os
import signal
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from ludothek.daemon.signals import ENDS, open_signals

ALL = (*ENDS, signal.SIGHUP)


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in ALL}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def tell(*numbers: int) -> None:
    for number in numbers:
        os.kill(os.getpid(), number)


async def test_each_kind_of_signal_has_its_listener(handlers: None) -> None:
    with open_signals() as signals:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(signals.listen)
            tell(signal.SIGHUP, signal.SIGTERM, signal.SIGINT)
            with trio.fail_after(60):
                assert await signals.ends.receive() == signal.SIGTERM
                assert await signals.ends.receive() == signal.SIGINT
                assert await signals.hangups.receive() == signal.SIGHUP
            nursery.cancel_scope.cancel()


async def test_a_signal_that_is_none_of_ours_means_nothing(handlers: None) -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with open_signals() as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(signals.listen)
                tell(signal.SIGUSR1, signal.SIGTERM)
                with trio.fail_after(60):
                    assert await signals.ends.receive() == signal.SIGTERM
                nursery.cancel_scope.cancel()
    finally:
        signal.signal(signal.SIGUSR1, before)


async def test_what_came_before_anybody_listened_is_not_forgotten_but_never_piles_up(
    handlers: None,
) -> None:
    with open_signals() as signals:
        for _ in range(10_000):
            tell(signal.SIGHUP)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(signals.listen)
            await signals.hangups.receive()
            await trio.testing.wait_all_tasks_blocked()
            assert signals.hangups.statistics().current_buffer_used <= 1
            tell(signal.SIGTERM)
            with trio.fail_after(60):
                assert await signals.ends.receive() == signal.SIGTERM
            nursery.cancel_scope.cancel()


def test_at_the_end_signals_are_ignored_and_the_wakeup_is_as_it_was(handlers: None) -> None:
    with open_signals():
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN
    assert {signal.getsignal(number) for number in ALL} == {signal.SIG_IGN}
    tell(*ALL)  # would be the end of this process
    assert signal.set_wakeup_fd(-1) == -1
