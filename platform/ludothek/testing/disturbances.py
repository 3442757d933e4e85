"""What clients and organisers do that they should not, or not now."""

import random
from contextlib import suppress

from ludothek.contract.orders import (
    Abort,
    Arrange,
    Expel,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Start,
    Step,
)
from ludothek.testing.fair import Fair

GARBAGE = (
    b"",
    b"\x00",
    b"null",
    b"[]",
    b"{}",
    b'"text"',
    b"1e999",
    b"-",
    b"{" * 2000,
    b"[" * 10_000 + b"]" * 10_000,
    b"\xff\xfe\xfd",
    b'{"messageType":null}',
    b'{"messageType":"\\ud800"}',
    b"<protocol><join/>",
    b"</protocol>",
    b"<a b='",
    b"9" * 400,
)


def nonsense(rng: random.Random, heard: list[bytes]) -> bytes:
    """Something that no client should send at this point."""
    frame = rng.choice(heard) if heard else b"{}"
    return rng.choice(
        (
            rng.choice(GARBAGE),
            frame,
            frame[: rng.randrange(len(frame) + 1)],
            _damaged(rng, frame),
        )
    )


def _damaged(rng: random.Random, frame: bytes) -> bytes:
    damaged = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        if damaged:
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged)


def give_orders(fair: Fair, rng: random.Random) -> None:
    """Give every lobby some order, for better or worse."""
    clients = sorted(fair.endpoint.clients, key=lambda client: client.number)
    for lobby in [*fair.endpoint.hall.lobbies.values()] if clients else ():
        client = rng.choice(clients)
        orders: list[Order] = [Start(), Pause(), Resume(), Step(), Arrange(), Arrange(clients)]
        orders += [Arrange([client, client]), Expel(client), Abort(), Abort(client)]
        with suppress(OrderRefused):
            lobby.order(rng.choice(orders))
