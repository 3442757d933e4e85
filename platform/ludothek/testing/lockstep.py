"""Players of any game in lockstep: one speaks, everything settles, the next one speaks."""

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
    Question,
    Report,
    Thought,
    Utterance,
)
from ludothek.testing.fair import Fair
from transports.memory import MemoryLink

# Called before every frame a player sends; may send something else first.
Meddler = Callable[["Participant"], Iterable[bytes]]


# Answers a player's question.
Answer = Callable[["Participant", Question], Any]


def nobody_meddles(participant: "Participant") -> Iterable[bytes]:
    return ()


@attrs.define(eq=False)
class Participant:
    """One player, its connection, and everything that was said in both directions."""

    link: MemoryLink
    codec: Codec
    player: Player
    meddler: Meddler = nobody_meddles
    transcript: list[tuple[str, bytes]] = attrs.field(factory=list)
    report: Report | None = None
    gone: bool = False
    answer: Answer | None = None  # None: it decides by itself

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
                # It may give up only if somebody else speaks in its name.
                assert self.meddler is not nobody_meddles
                self.gone = True
        return bool(frames)

    async def say(self, utterances: Iterable[Utterance]) -> None:
        for utterance in utterances:
            if isinstance(utterance, Thought):
                utterance = utterance.say(utterance.decide())
            if isinstance(utterance, Question):
                assert self.answer is not None, "asks nobody"
                utterance = utterance.say(self.answer(self, utterance))
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
    fair: Fair,
    game: Game,
    clock: MockClock,
    seed: int,
    meddler: Meddler = nobody_meddles,
    answer: Answer | None = None,
) -> list[Participant]:
    """Let random players play one match; returns when all have a report or nothing moves."""
    participants = []
    for n in range(game.players):
        options = PlayerOptions(
            difficulty=len(game.difficulties) - 1,
            username=f"Player{n}",
            asks=answer is not None,
        )
        player = game.player(options, random.Random(f"{seed}/{n}"))
        codec = game.codec(fair.endpoint.hall.clock, game.settings())
        one = Participant(fair.connect(), codec, player, meddler, answer=answer)
        participants.append(one)
        await one.say(player.greet())
        await _settle(participants)
    idle = 0
    while idle < 60 and not all(one.report or one.gone for one in participants):
        idle = 0 if await _settle(participants) else idle + 1
        clock.jump(1)
        for participant in participants:
            await participant.say(participant.player.idle())
    return participants


async def _settle(participants: list[Participant]) -> bool:
    """Take turns until nobody has anything to say."""
    moved = False
    await wait_all_tasks_blocked()
    while any([await one.act() for one in participants]):
        moved = True
    return moved
