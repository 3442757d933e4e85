"""A reception that fails ends nothing that others need, and what it fails in is told as it is."""

from collections.abc import Callable, Hashable
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.client import Client
from ludothek.contract.effects import (
    Began,
    Effects,
    Fetch,
    Hold,
    Open,
    Tell,
    Unhold,
    Work,
)
from ludothek.contract.orders import Order, OrderRefused
from ludothek.contract.reception import Desk
from ludothek.observe import log_context
from ludothek.runtime.hall import Hall
from tests.daemon.test_endpoints import hexxagon, open_endpoints, penguins
from tests.support.helpers import memory_link_pair
from tests.support.toy import ToyReception, ToyTable, open_toy, toy_client, toy_hall


class Scripted(ToyReception):
    """Answers the timer "act" with whatever a test wants."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.acts: list[Callable[[], Effects]] = []
        self.results: list[Any] = []
        self.has_result = trio.Event()

    def soon(self, *acts: Callable[[], Effects]) -> None:
        self.acts.extend(acts)
        self.timers.start("act", 1)

    def time_up(self, timer: Hashable) -> Effects:
        act = self.acts.pop(0)
        if self.acts:
            self.timers.start("act", 1)
        return act()

    def worked(self, about: Hashable, result: Any) -> Effects:
        self.results.append(result)
        self.has_result.set()
        return ()


class Stubborn(ToyTable):
    """Refuses what nobody has ordered, and even to end."""

    def told(self, notice: Any) -> Effects:
        raise OrderRefused("never")

    def order(self, order: Order) -> Effects:
        raise OrderRefused("never")


def scripted(nursery: trio.Nursery) -> tuple[Hall, Scripted]:
    hall = toy_hall(nursery, make=Scripted)
    reception = hall.foyer.reception
    assert isinstance(reception, Scripted)
    return hall, reception


def refuse() -> Effects:
    raise OrderRefused("nobody has ordered anything")


async def test_a_reception_that_refuses_what_was_no_order_goes_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall, reception = scripted(nursery)
    open_toy(hall, "toy", Stubborn())
    done: list[str] = []

    def act() -> Effects:
        done.append("act")
        return ()

    await wait_all_tasks_blocked()
    reception.soon(refuse, lambda: [Tell("toy", "note")], act)
    hall.foyer.let(lambda: ())
    await trio.sleep(10)
    assert done == ["act"]
    assert hall.lobbies == {}  # it was the table's bug


async def test_a_table_that_refuses_to_end_ends(nursery: trio.Nursery) -> None:
    hall = toy_hall(nursery)
    open_toy(hall, "left", Stubborn())
    right = ToyTable()
    open_toy(hall, "right", right)
    await wait_all_tasks_blocked()
    hall.close()
    with trio.fail_after(1):
        await hall.wait_empty()


async def test_a_match_that_cannot_be_recorded_does_not_keep_its_lobby(
    nursery: trio.Nursery,
) -> None:
    class Vague(ToyTable):
        def receive(self, client: Client, message: Any) -> Effects:
            yield Began(None)  # type: ignore[arg-type]

        def leave(self, client: Client) -> Effects:
            raise ZeroDivisionError

    hall = toy_hall(nursery)
    lobby = open_toy(hall, "toy", Vague())
    client = toy_client(hall)
    await wait_all_tasks_blocked()
    lobby.enter(client, "me", listen=True)
    lobby.hear(client, "begin", None)
    hall.foyer.part(client)
    assert hall.lobbies == {}
    with trio.fail_after(1):
        await hall.wait_empty()


async def test_a_reception_makes_long_messages_again_after_it_has_failed_to(
    nursery: trio.Nursery,
) -> None:
    def fail() -> str:
        raise ZeroDivisionError

    hall = toy_hall(nursery)
    ours, theirs = memory_link_pair()
    client, unlucky = toy_client(hall, 1, ours), toy_client(hall, 2)
    await wait_all_tasks_blocked()
    hall.foyer.let(lambda: [Fetch(unlucky, fail), Fetch(client, lambda: "made")])
    with trio.fail_after(5):
        assert await theirs.receive() == b"made"
    assert unlucky.closing


@pytest.mark.parametrize(
    "effect",
    [Work("it", lambda: None, "nobody"), Fetch("nobody", lambda: "")],  # type: ignore[arg-type]
)
async def test_work_for_what_is_no_client_does_not_end_the_reception(
    effect: Any, nursery: trio.Nursery
) -> None:
    hall, reception = scripted(nursery)
    await wait_all_tasks_blocked()
    hall.foyer.let(lambda: [effect])
    hall.foyer.let(lambda: [Work("it", lambda: "done")])
    with trio.fail_after(5):
        await reception.has_result.wait()
    assert reception.results == ["done"]


async def test_who_is_held_again_at_once_is_held(nursery: trio.Nursery) -> None:
    hall, reception = scripted(nursery)
    ours, theirs = memory_link_pair()
    client = toy_client(hall, 1, ours)
    nursery.start_soon(client.run)
    await wait_all_tasks_blocked()
    hall.foyer.let(lambda: [Hold(client)])
    await wait_all_tasks_blocked()
    hall.foyer.let(lambda: [Unhold(client), Hold(client)])
    theirs.post(b"echo")
    await wait_all_tasks_blocked()
    assert reception.heard == []
    hall.foyer.let(lambda: [Unhold(client)])
    await wait_all_tasks_blocked()
    assert reception.heard == ["echo"]


async def test_the_first_bug_is_told_not_what_follows_from_it(nursery: trio.Nursery) -> None:
    class Rude(ToyReception):
        def arrive(self, client: Client) -> Effects:
            raise ZeroDivisionError

        def leave(self, client: Client) -> Effects:
            assert client.visitor is not None
            return ()

    client = toy_client(toy_hall(nursery, make=Rude))
    with pytest.raises(ZeroDivisionError):
        await client.run()


async def test_new_settings_that_a_reception_fails_to_take_are_not_taken(
    nursery: trio.Nursery,
) -> None:
    class Fixed(ToyReception):
        def adopt(self, settings: Any) -> Effects:
            raise ZeroDivisionError

        def seat(self, lobby: str, clients: Any, spectator: bool) -> Effects:
            raise ZeroDivisionError

    hall = toy_hall(nursery, make=Fixed)
    with pytest.raises(OrderRefused):
        hall.foyer.adopt("settings")
    with pytest.raises(OrderRefused):
        hall.foyer.seat(open_toy(hall, "toy"), [], spectator=False)


async def test_a_lobby_is_not_the_scene_of_the_client_that_has_opened_it(
    nursery: trio.Nursery,
) -> None:
    seen = []

    async def company(lobby: Any) -> None:
        seen.append(log_context.step.get())

    hall = toy_hall(nursery, bring_bots=company)
    client = toy_client(hall, 7)
    opening = Open("toy", ToyTable(), hall.desk.chance_for("toy"))
    hall.foyer.let(lambda: [opening], by=client)
    hall.lobbies["toy"].enter(client, "me", listen=True)
    await wait_all_tasks_blocked()
    assert seen == [None]


async def test_an_endpoint_that_is_removed_leaves_no_task_behind() -> None:
    async with open_endpoints(hexxagon(), penguins()) as endpoints:
        before = trio.lowlevel.current_statistics().tasks_living
        for _ in range(2):
            await endpoints.change([penguins()])
            await wait_all_tasks_blocked()
            await endpoints.change([hexxagon(), penguins()])
        await wait_all_tasks_blocked()
        assert trio.lowlevel.current_statistics().tasks_living == before
