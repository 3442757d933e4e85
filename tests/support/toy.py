"""The smallest game there is, to test everything around games."""

from collections.abc import Callable, Hashable
from typing import Any

import attrs
import trio

from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.effects import Admit, Close, Effects, Fetch, Kick, Release, Send
from ludothek.contract.orders import Abort, Fault, Order, OrderRefused, Shutdown
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.table import Stage, Summary, Table
from ludothek.contract.timers import Timers
from ludothek.observe.coverage import Spoken, Usage
from ludothek.runtime.connection import Connection
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby
from transports import Complaint, Farewell, Link, OutboxLimits
from transports.memory import memory_link_pair


class ToyCodec:
    """Messages are texts; a lone exclamation mark is unreadable. Counts its encodings."""

    def __init__(self) -> None:
        self.encoded = 0

    def decode(self, frame: bytes) -> Any:
        return Malformed("loud") if frame == b"!" else frame.decode()

    def decode_request(self, frame: bytes) -> Any:
        return self.decode(frame)

    def encode(self, message: Any) -> bytes:
        self.encoded += 1
        return str(message).encode()

    def address(self, frame: bytes, key: str) -> bytes:
        return frame

    def refusal(self, complaint: Complaint) -> bytes | None:
        return complaint.key.encode()


@attrs.define(eq=False)
class ToyTable(Table):
    """Repeats to everybody what is said, with thirty seconds between two sayings."""

    clock: Clock = attrs.field(factory=Clock)
    timers: Timers = attrs.field(init=False)
    members: list[Client] = attrs.field(factory=list)
    log: list[str] = attrs.field(factory=list)
    make: Callable[[], str] = lambda: "made"

    def __attrs_post_init__(self) -> None:
        self.timers = Timers(self.clock.time)

    @property
    def summary(self) -> Summary:
        return Summary(name="toy", stage=Stage.RUNNING)

    def enter(self, client: Client, admission: Any) -> Effects:
        self.members.append(client)
        self.timers.start("turn", 30)
        yield Send(client, f"welcome {admission}")

    def receive(self, client: Client, message: Any) -> Effects:
        self.log.append(str(message))
        match message:
            case "leave":
                yield Release(client)
            case "kick me":
                yield Send(client, "out")
                yield Kick(client, Farewell.REFUSED)
            case "end":
                yield Send(self.members, "the end")
                yield Close()
            case "bug":
                yield Send(self.members, "never said")
                raise ZeroDivisionError("a bug")
            case "fetch":
                yield Fetch(client, self.make)
            case "pause":
                self.timers.pause()
            case "resume":
                self.timers.resume()
            case "stop the clock":
                self.timers.stop("turn")
            case _:
                self.timers.start("turn", 30)
                yield Send(self.members, message)

    def leave(self, client: Client) -> Effects:
        self.members.remove(client)
        yield Send(self.members, "somebody left")

    def time_up(self, timer: Hashable) -> Effects:
        self.timers.start("turn", 30)
        yield Send(self.members, "time up")

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown():
                yield Send(self.members, "shutdown")
                yield Close()
            case Fault():
                yield Send(self.members, "sorry")
            case Abort():
                raise OrderRefused("toys are never aborted")


class ToyReception(Reception):
    """Lets clients into the lobby they ask for, and notes what those in no lobby say."""

    def __init__(self, desk: Desk) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self.heard: list[Any] = []
        self.left: list[Client] = []

    def arrive(self, client: Client) -> Effects:
        if client.name in self._desk.tables:
            yield Admit(client, client.name, client.number)

    def receive(self, client: Client, message: Any) -> Effects:
        self.heard.append(message)
        if message == "bug":
            raise ZeroDivisionError("a bug")
        if message == "echo":
            yield Send(client, "echo")

    def come_back(self, client: Client) -> Effects:
        yield Send(client, "door")

    def leave(self, client: Client) -> Effects:
        self.left.append(client)
        return ()


def toy_hall(
    nursery: trio.Nursery,
    codec: Codec | None = None,
    make: Callable[[Desk], Reception] = ToyReception,
    **options: Any,
) -> Hall:
    hall = Hall(nursery, codec or ToyCodec(), Clock(), Chance(7), **options)
    hall.receive_clients(make)
    return hall


def open_toy(
    hall: Hall, key: str, table: Table | None = None, opener: Client | None = None
) -> Lobby:
    return hall.open(key, table or ToyTable(), hall.desk.chance_for(key), opener)


def toy_client(
    hall: Hall,
    number: int = 1,
    link: Link | None = None,
    lobby: str = "",
    *,
    hosted: bool = False,
    outbox: OutboxLimits | None = None,
) -> Connection:
    """A client of a hall; when it runs, it enters that lobby."""
    link = link or memory_link_pair()[0]
    if outbox is not None:
        link.outbox_limits = outbox
    usage = Usage(lambda message: Spoken((), (), str), lambda message: message)
    client = Connection(
        number, link, hall.codec, hall.foyer, usage, traffic=hall.traffic, hosted=hosted
    )
    client.name = lobby
    return client
