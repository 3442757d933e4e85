"""A manager hears everything, in order, however slowly it reads; nobody waits for it."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter

import pytest
import trio
import trio.testing

from ludothek.daemon.messenger import MOST_DESCRIPTORS, Messenger


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        yield manager


@pytest.fixture
def messenger(manager: socket.socket) -> Iterator[Messenger]:
    with closing(Messenger(manager.getsockname())) as messenger:
        yield messenger


async def hear(manager: socket.socket) -> str:
    with trio.fail_after(60):
        await trio.lowlevel.wait_readable(manager)
    text, descriptors, _, _ = socket.recv_fds(manager, 4096, 4)
    for descriptor in descriptors:
        os.close(descriptor)
    return text.decode() + "+" * len(descriptors)


def fill(messenger: Messenger) -> int:
    """Send until something has to wait; returns how many messages were sent."""
    count = 1
    while messenger.send(f"m{count}") is None:
        count += 1
    return count


async def test_what_a_busy_manager_has_not_read_waits_and_comes_in_order(
    messenger: Messenger, manager: socket.socket
) -> None:
    count = fill(messenger)
    for number in range(count + 1, count + 101):
        messenger.send(f"m{number}")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(messenger.run)
        for number in range(1, count + 101):
            assert await hear(manager) == f"m{number}"
        messenger.send("last")
        assert await hear(manager) == "last"
        nursery.cancel_scope.cancel()


async def test_the_next_message_takes_along_what_waits(
    messenger: Messenger, manager: socket.socket
) -> None:
    count = fill(messenger)
    for number in range(1, count):
        assert await hear(manager) == f"m{number}"
    messenger.send("next")
    assert [await hear(manager), await hear(manager)] == [f"m{count}", "next"]


async def test_a_descriptor_may_be_closed_while_its_message_waits(
    messenger: Messenger, manager: socket.socket
) -> None:
    count = fill(messenger)
    one, other = socket.socketpair()
    with other:
        messenger.send("with a socket", one.fileno())
        one.close()
        for _ in range(count - 1):
            await hear(manager)
        messenger.send("next")
        assert [await hear(manager), await hear(manager)] == [f"m{count}", "with a socket+"]
        assert other.recv(1) == b""  # nobody holds it any more


def test_one_that_never_reads_costs_a_moment_and_what_does_not_fit_is_told(
    messenger: Messenger,
) -> None:
    fill(messenger)
    lost: list[int] = []
    before = perf_counter()
    with open(os.devnull) as nothing:
        files = len(os.listdir("/proc/self/fd"))
        for number in range(2 * MOST_DESCRIPTORS):
            messenger.send("x", nothing.fileno(), lost=lambda n=number: lost.append(n))  # type: ignore[misc]
        assert perf_counter() - before < 5
        assert lost == [*range(MOST_DESCRIPTORS, 2 * MOST_DESCRIPTORS)]
        assert len(os.listdir("/proc/self/fd")) - files == MOST_DESCRIPTORS
        messenger.close()
        assert len(os.listdir("/proc/self/fd")) < files


async def test_a_message_can_be_taken_back_while_it_waits(
    messenger: Messenger, manager: socket.socket
) -> None:
    count = fill(messenger)
    letter = messenger.send("a mistake")
    assert letter is not None
    assert messenger.take_back(letter)
    assert not messenger.take_back(letter)
    for _ in range(count - 1):
        await hear(manager)
    messenger.send("the end")
    assert [await hear(manager), await hear(manager)] == [f"m{count}", "the end"]


async def test_signs_of_life_do_not_queue_up(messenger: Messenger, manager: socket.socket) -> None:
    count = fill(messenger)
    for _ in range(100):
        messenger.mention("alive")
    for number in range(1, count):
        assert await hear(manager) == f"m{number}"
    messenger.mention("still alive")
    assert [await hear(manager), await hear(manager)] == [f"m{count}", "still alive"]


async def test_a_manager_that_is_gone_loses_messages_and_one_that_is_back_hears_again(
    tmp_path: Path,
) -> None:
    lost: list[str] = []
    path = str(tmp_path / "notify")
    with closing(Messenger(path)) as messenger:
        messenger.send("nobody", lost=lambda: lost.append("nobody"))
        for number in range(2):
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
                manager.bind(path)
                messenger.send(f"hello {number}")
                assert await hear(manager) == f"hello {number}"
            messenger.send("gone", lost=lambda: lost.append("gone"))
            os.unlink(path)
        assert lost == ["nobody", "gone", "gone"]


async def test_what_waited_for_a_manager_that_went_is_told(
    messenger: Messenger, manager: socket.socket
) -> None:
    fill(messenger)
    lost = trio.Event()
    messenger.send("too late", lost=lost.set)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(messenger.run)
        await trio.testing.wait_all_tasks_blocked()
        manager.close()
        with trio.fail_after(60):
            await lost.wait()
        await trio.testing.wait_all_tasks_blocked()  # and nothing is tried again and again
        nursery.cancel_scope.cancel()
