"""Players of any game in lock-step: one speaks, everything settles, the next one speaks."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import attrs
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.game import Game
from ludothek.contract.player import (
    BrokenProtocol,
    Player,
    PlayerOptions,
    Report,
    Thought,
    Utterance,
)
from tests.support.helpers import Fair, MemoryLink

# Called before every frame a player sends; may say something else first.
Meddler = Callable[["Actor"], Iterable[bytes]]


def nobody_meddles(actor: "Actor") -> Iterable[bytes]:
    return ()


@attrs.define(eq=False)
class Actor:
    """One player, its connection, and all that was said in both directions."""

    link: MemoryLink
    codec: Codec
    player: Player
    meddler: Meddler = nobody_meddles
    transcript: list[tuple[str, bytes]] = attrs.field(factory=list)
    report: Report | None = None
    gone: bool = False

    async def act(self) -> bool:
        """Answer everything that has arrived; False if there was nothing."""
        frames = self.link.received()
        for frame in frames:
            self.transcript.append(("<", frame))
            message: Any = self.codec.decode(frame)
            assert not isinstance(message, Malformed), (frame, message)
            try:
                await self.say(self.player.hear(message))
            except BrokenProtocol:
                # It may give up only because somebody else puts words into its mouth.
                assert self.meddler is not nobody_meddles
                self.gone = True
        return bool(frames)

    async def say(self, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if isinstance(utterance, Thought):
                utterance = utterance.say(utterance.decide())
            if isinstance(utterance, Report):
                self.report = self.report or utterance
            if self.report is not None or self.gone:
                return
            for frame in (*self.meddler(self), self.codec.encode(utterance)):
                await self.send(frame)

    async def send(self, frame: bytes) -> None:
        self.transcript.append((">", frame))
        try:
            await self.link.send(frame)
        except trio.BrokenResourceError:
            self.gone = True
        await wait_all_tasks_blocked()


async def perform(
    fair: Fair, game: Game, clock: MockClock, seed: int, meddler: Meddler = nobody_meddles
) -> list[Actor]:
    """Let random players play one match; returns when all have a report or nothing moves."""
    actors = []
    for n in range(game.players):
        options = PlayerOptions(difficulty=len(game.difficulties) - 1, username=f"Player{n}")
        player = game.player(options, random.Random(f"{seed}/{n}"))
        codec = game.codec(fair.endpoint.hall.clock, game.settings())
        actors.append(Actor(fair.connect(), codec, player, meddler))
        await actors[-1].say(player.greet())
        await _settle(actors)
    idle = 0
    while idle < 60 and not all(actor.report or actor.gone for actor in actors):
        idle = 0 if await _settle(actors) else idle + 1
        clock.jump(1)
        for actor in actors:
            await actor.say(actor.player.idle())
    return actors


async def _settle(actors: list[Actor]) -> bool:
    """Go round until nobody has anything to say."""
    moved = False
    await wait_all_tasks_blocked()
    while any([await actor.act() for actor in actors]):
        moved = True
    return moved
