"""Signals are heard, none of them interrupts anything, and at the end nobody listens."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from ludothek.daemon.signals import ALL, open_signals


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
    with open_signals() as signals, trio.fail_after(60):
        tell(signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)
        assert await signals.ends.receive() == signal.SIGTERM
        assert await signals.ends.receive() == signal.SIGINT
        assert await signals.hangups.receive() == signal.SIGHUP
        assert await signals.restarts.receive() == signal.SIGUSR1


async def test_a_second_request_to_end_is_heard(handlers: None) -> None:
    with open_signals() as signals, trio.fail_after(60):
        for _ in range(2):
            tell(signal.SIGTERM)
            assert await signals.ends.receive() == signal.SIGTERM


async def test_a_signal_that_is_none_of_ours_means_nothing(handlers: None) -> None:
    before = signal.signal(signal.SIGUSR2, lambda *_: None)
    try:
        with open_signals() as signals, trio.fail_after(60):
            tell(signal.SIGUSR2, signal.SIGTERM)
            assert await signals.ends.receive() == signal.SIGTERM
    finally:
        signal.signal(signal.SIGUSR2, before)


async def test_what_nobody_waits_for_is_not_forgotten_but_never_piles_up(handlers: None) -> None:
    with open_signals() as signals, trio.fail_after(60):
        for _ in range(10_000):
            tell(signal.SIGHUP)
        await signals.hangups.receive()
        await trio.testing.wait_all_tasks_blocked()
        assert signals.hangups.statistics().current_buffer_used <= 1
        tell(signal.SIGTERM)
        assert await signals.ends.receive() == signal.SIGTERM


async def test_no_signal_runs_python_code_that_the_next_one_could_interrupt(
    handlers: None,
) -> None:
    """Python handlers would nest until the stack is full, if signals come fast enough."""
    frames: list[str] = []
    with open_signals() as signals, trio.fail_after(60):
        sys.setprofile(lambda frame, *_: frames.append(frame.f_code.co_name))
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            sys.setprofile(None)
        assert await signals.ends.receive() == signal.SIGTERM
    assert set(frames) == {sys._getframe().f_code.co_name}


async def test_at_the_end_signals_are_ignored(handlers: None) -> None:
    with open_signals():
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN
    assert {signal.getsignal(number) for number in ALL} == {signal.SIG_IGN}
    tell(*ALL)  # would be the end of this process
