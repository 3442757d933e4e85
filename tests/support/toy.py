"""The smallest table there is, to test everything around tables."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from ludothek.contract.clock import Clock, Countdown
from ludothek.contract.codec import Malformed
from ludothek.contract.orders import Abort, Fault, Order, OrderRefused, Shutdown
from ludothek.contract.table import Close, Effect, Fetch, Kick, Release, Send, Summary
from ludothek.runtime.client import Client
from transports import Complaint, Farewell


class ToyCodec:
    """Messages are texts; an exclamation mark cannot be read. Counts how often it encodes."""

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
class ToyTable:
    """Repeats what is said to everybody, with thirty seconds between two sayings."""

    clock: Clock = attrs.field(factory=Clock)
    turn: Countdown = attrs.field(init=False)
    members: list[Client] = attrs.field(factory=list)
    log: list[str] = attrs.field(factory=list)
    make: Callable[[], str] = lambda: "made"

    def __attrs_post_init__(self) -> None:
        self.turn = Countdown(self.clock.time)

    @property
    def deadline(self) -> float:
        return self.turn.deadline

    @property
    def summary(self) -> Summary:
        return Summary(name="toy", state="running")

    def enter(self, client: Client, request: Any) -> Iterator[Effect]:
        self.members.append(client)
        self.turn.start(30)
        yield Send(client, f"welcome {request}")

    def receive(self, client: Client, message: Any) -> Iterator[Effect]:
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
                self.turn.pause()
            case "resume":
                self.turn.resume()
            case "stop the clock":
                self.turn.stop()
            case _:
                self.turn.start(30)
                yield Send(self.members, message)

    def leave(self, client: Client) -> Iterator[Effect]:
        self.members.remove(client)
        yield Send(self.members, "somebody left")

    def time_up(self) -> Iterator[Effect]:
        self.turn.start(30)
        yield Send(self.members, "time up")

    def order(self, order: Order) -> Iterator[Effect]:
        match order:
            case Shutdown():
                yield Send(self.members, "shutdown")
                yield Close()
            case Fault():
                yield Send(self.members, "sorry")
            case Abort():
                raise OrderRefused("toys are never aborted")
