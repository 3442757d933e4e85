"""Players of any game whose messages are delayed, both ways, for as long as a test wants."""

import random
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import attrs
from trio.testing import wait_all_tasks_blocked

from ludothek.contract.codec import Codec
from ludothek.contract.player import Player, Report, Thought, Utterance
from transports.memory import MemoryLink

# How often a second passes without any delivery; the rest of the time something arrives.
SILENCE = 0.2


@attrs.define(eq=False)
class Distant:
    """One player, and the messages from and to it that have not arrived yet."""

    link: MemoryLink
    codec: Codec
    player: Player
    coming: deque[Any] = attrs.field(factory=deque)
    going: deque[Any] = attrs.field(factory=deque)
    heard: list[Any] = attrs.field(factory=list)
    reports: list[Report] = attrs.field(factory=list)

    def say(self, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if isinstance(utterance, Thought):
                utterance = utterance.say(utterance.decide())
            (self.reports if isinstance(utterance, Report) else self.going).append(utterance)

    def fetch(self) -> None:
        self.coming.extend(self.codec.decode(frame) for frame in self.link.received())

    def hear(self) -> None:
        """Deliver one message to the player, if there is any."""
        self.fetch()
        if self.coming:
            self.heard.append(self.coming.popleft())
            self.say(self.player.hear(self.heard[-1]))

    def wait(self) -> None:
        """Let a second pass in which nothing arrives."""
        self.say(self.player.idle())

    async def deliver(self) -> None:
        """Deliver one message to the server, if there is any."""
        if self.going:
            await self.link.send(self.codec.encode(self.going.popleft()))
        await wait_all_tasks_blocked()

    async def settle(self) -> None:
        """Deliver everything until nothing is in flight."""
        self.fetch()
        while self.coming or self.going:
            self.hear()
            while self.going:
                await self.deliver()
            self.fetch()

    @property
    def said(self) -> list[str]:
        """The messages in flight to the server."""
        return [type(message).__name__ for message in self.going]


async def play_late(
    players: Sequence[Distant], rng: random.Random, matches: int, steps: int
) -> None:
    """Deliver messages in any order that connections allow, until all have played enough."""
    await wait_all_tasks_blocked()  # if the server speaks first, it has done so now
    for _ in range(steps):
        one = rng.choice(players)
        one.fetch()
        if rng.random() < SILENCE:
            one.wait()
        elif one.going and (not one.coming or rng.random() < 0.5):
            await one.deliver()
        else:
            one.hear()
        if all(len(each.reports) >= matches for each in players):
            return
    raise AssertionError([len(each.reports) for each in players])
