"""Whoever follows a lobby sees its table as each step has left it."""

from typing import Any

import attrs
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.effects import Ended
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.watcher import Watcher
from tests.support.toy import ToyTable, open_toy, toy_client, toy_hall


@attrs.define(eq=False)
class Onlooker(Watcher):
    """Notes how often the table was spoken to, and what its timers are."""

    lobby: Lobby
    seen: list[tuple[str, Any]] = attrs.field(factory=list)

    def _look(self, when: str) -> None:
        table: Any = self.lobby.table
        self.seen.append((when, (len(table.log), table.timers.left("turn"))))

    def stepping(self) -> None:
        self._look("before")

    def sent(self, message: Any) -> None: ...
    def ended(self, ended: Ended) -> None: ...

    def stepped(self) -> None:
        self._look("after")


async def test_before_each_step_the_table_is_as_the_last_one_has_left_it(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = toy_hall(nursery)
    lobby = open_toy(hall, "toy", ToyTable())
    client = toy_client(hall, lobby="toy")
    nursery.start_soon(client.run)
    await wait_all_tasks_blocked()
    lobby.watch = onlooker = Onlooker(lobby)
    lobby.hear(client, "hello", b"hello")
    lobby.hear(client, "again", b"again")
    assert onlooker.seen == [
        ("before", (0, 30)),
        ("after", (1, 30)),
        ("before", (1, 30)),
        ("after", (2, 30)),
    ]
    nursery.cancel_scope.cancel()


async def test_a_timer_is_still_there_before_the_step_that_it_causes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = toy_hall(nursery)
    lobby = open_toy(hall, "toy", ToyTable())
    nursery.start_soon(toy_client(hall, lobby="toy").run)
    await wait_all_tasks_blocked()
    lobby.watch = onlooker = Onlooker(lobby)
    await trio.sleep(31)
    assert onlooker.seen[0] == ("before", (0, 0))
    assert onlooker.seen[-1] == ("before", (0, 30))
    nursery.cancel_scope.cancel()
