"""Attackers beside the players of a soak, at every game's ports."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence

import attrs
import trio

from bench.soak_daemon import Daemon
from bench.soak_intrusions import INTRUSIONS
from bench.soak_stranger import Attack, Door, Stranger

# Seconds after which an attack ends even if the server has not ended it.
PATIENCE = 75.0

# Seconds between two attacks of a kind on a game. The server handles the first 2000 messages of a
# flood: with shorter pauses, floods alone could keep the daemon busy.
PAUSES = {"floods": 30.0, "reconnect storms": 0.2}
PAUSE = 2.0


async def slow_reader(stranger: Stranger, rng: random.Random) -> None:
    """Sends requests endlessly, and never reads."""
    await stranger.arrive()
    while True:
        await stranger.stream.send_all(stranger.question)
        await trio.sleep(0.1)


async def flood(stranger: Stranger, rng: random.Random) -> None:
    """Sends valid messages as fast as possible, without waiting for answers."""
    await stranger.arrive()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stranger.pour, stranger.question)
        await stranger.gone()
        nursery.cancel_scope.cancel()


async def garbage(stranger: Stranger, rng: random.Random) -> None:
    """Sends random bytes, raw or as messages."""
    if rng.random() < 0.5:
        await stranger.stream.send_all(rng.randbytes(5000))
    else:
        await stranger.arrive()
        for _ in range(20):
            await stranger.say(
                rng.choice((b"{", b"null\n", b"<a></b>", b"\xff\xfe\n", b"[" * 5000))
            )
    await stranger.stream.send_eof()
    await stranger.gone()


async def half_open(stranger: Stranger, rng: random.Random) -> None:
    """Connects, or begins to send something, and does nothing more."""
    if rng.random() < 0.5:
        await stranger.arrive()
        await stranger.stream.send_all(stranger.question[:-3])
    await stranger.gone()


async def dripping(stranger: Stranger, rng: random.Random) -> None:
    """Sends one byte at a time, and never completes a message."""
    await stranger.arrive()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_drip, stranger)
        await stranger.gone()
        nursery.cancel_scope.cancel()


async def _drip(stranger: Stranger) -> None:
    for byte in stranger.question[:-3]:
        await stranger.stream.send_all(bytes((byte,)))
        await trio.sleep(0.25)


async def storm(stranger: Stranger, rng: random.Random) -> None:
    """Connects and leaves, with and without a goodbye; never stays for long."""
    if rng.random() < 0.3:
        await stranger.arrive()
    if rng.random() < 0.5:
        stranger.reset()


ATTACKS: Mapping[str, Attack] = {
    "slow readers": slow_reader,
    "floods": flood,
    "garbage": garbage,
    "half-open connections": half_open,
    "byte by byte": dripping,
    "reconnect storms": storm,
}

# Attackers that leave by themselves.
FLEETING = {"reconnect storms", *(kind for kind, each in INTRUSIONS.items() if each.fleeting)}

KINDS = (*ATTACKS, *INTRUSIONS)


@attrs.define(eq=False)
class Siege:
    """All attackers; each kind has its own address, different from the players'."""

    daemon: Daemon
    seed: int
    kinds: Sequence[str] = KINDS
    attacks: Counter[str] = attrs.field(factory=Counter)
    sent_away: Counter[str] = attrs.field(factory=Counter)  # dropped by the server
    endured: Counter[str] = attrs.field(factory=Counter)  # gave up by themselves

    async def lay(self, games: Sequence[str]) -> None:
        """Attack until cancelled."""
        async with trio.open_nursery() as nursery:
            for game in games:
                for kind in self.kinds:
                    if kind in ATTACKS or game in INTRUSIONS[kind].games:
                        nursery.start_soon(self._keep_on, game, kind)

    async def _keep_on(self, game: str, kind: str) -> None:
        rng = random.Random(f"{self.seed}/{game}/{kind}")
        address = f"127.0.2.{KINDS.index(kind) + 1}"
        own = kind in INTRUSIONS and INTRUSIONS[kind].apart
        ports = [self.daemon.spare[game]] if own else self.daemon.ports[game][:5]
        name = f"x{len(game)}{kind.replace(' ', '').replace('-', '')[:8]}".encode()
        while True:
            await trio.sleep(rng.uniform(0.5, 1.5) * PAUSES.get(kind, PAUSE))
            await self._attack(game, kind, name, Door(rng.choice(ports), address), rng)

    async def _attack(
        self, game: str, kind: str, name: bytes, door: Door, rng: random.Random
    ) -> None:
        self.attacks[kind] += 1
        attack = ATTACKS[kind] if kind in ATTACKS else INTRUSIONS[kind].attack
        with trio.move_on_after(PATIENCE) as scope:
            try:
                async with door.knock(small=kind == "slow readers") as stream:
                    await attack(Stranger(game, name, stream, door), rng)
            except* (trio.BrokenResourceError, OSError):
                pass
        if scope.cancelled_caught:
            self.endured[f"{kind} ({game})"] += 1
        elif kind not in FLEETING:
            self.sent_away[kind] += 1
