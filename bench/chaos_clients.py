"""The clients of a chaos run: they play, watch, and check everything that they hear."""

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
import trio

from bench.chaos_chronicle import Chronicle
from bench.chaos_scenes import SCENES, Scene
from bench.chaos_wire import Wire
from bench.continuity import CONTINUITIES, Continuity, Gap
from bench.soak_ledger import PLAYERS, Ledger
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.game import Game
from ludothek.contract.player import BrokenProtocol, Player, Report, Utterance
from ludothek.runtime.playing import IDLE_SECONDS

# Mean seconds of thinking per message: matches of some games have many more than others.
THINKING: Mapping[str, float] = {
    "hexxagon": 0.25,
    "penguins": 0.25,
    "quidditch": 0.03,
    "qwirkle": 0.25,
    "roborally": 0.15,
}


@attrs.define
class Findings:
    """What all clients together have found out."""

    ledger: Ledger = attrs.field(factory=Ledger)
    chronicle: Chronicle = attrs.field(factory=Chronicle)
    gaps: list[str] = attrs.field(factory=list)
    heard: int = 0  # messages
    said: int = 0

    def note(self, who: str, error: Exception, evidence: str) -> None:
        self.gaps.append(f"{who}: {error}; {evidence}")


@attrs.define(eq=False)
class Client:
    """One connection, who speaks there, and what follows from what."""

    name: str
    place: str  # its lobby or address
    game: Game
    codec: Codec
    player: Player
    findings: Findings
    rng: random.Random
    speed: float
    plays: bool = True  # else it only watches
    company: int = PLAYERS  # of a match, without hosted bots
    leaving: bool = False  # no further matches are wanted
    limit: int = 1  # of matches at a time
    playing: list[str] = attrs.field(factory=list)  # the matches
    broken: bool = False  # something was wrong, and nothing after it counts
    wire: Wire | None = None
    seated: trio.Event = attrs.field(factory=trio.Event)
    continuity: Continuity = attrs.field(init=False)
    _scenes: Any = attrs.field(init=False)
    _utterances: trio.MemorySendChannel[Utterance] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.continuity = CONTINUITIES[self.game.name]()
        self._scenes = SCENES[self.game.name](self.place)

    async def run(self, port: int, on_news: Callable[[Wire], None]) -> None:
        """Take part until cancelled, or until something is wrong."""
        try:
            self.wire = await Wire.open(self.game.transport, port, on_news)
            self._utterances, waiting = trio.open_memory_channel[Utterance](1000)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._speak, self.wire, waiting)
                await self._listen(self.wire)
        except* (Gap, BrokenProtocol, OSError) as errors:
            evidence = self.wire.evidence() if self.wire else "before it was connected"
            where = ", ".join(self.playing) or "between matches"
            self.broken = True
            for error in _leaves(errors):
                self.findings.note(f"{self.name}, {where}", error, evidence)
        finally:
            self.seated.set()

    async def _listen(self, wire: Wire) -> None:
        self._intend(self.player.greet())
        while True:
            frames: list[bytes] = []
            with trio.move_on_after(IDLE_SECONDS) as idle:
                frames = await wire.receive()
            for frame in frames:
                self._hear(frame)
            if idle.cancelled_caught:
                self._intend(self.player.idle())

    def _hear(self, frame: bytes) -> None:
        message = self.codec.decode(frame)
        if isinstance(message, Malformed):
            raise Gap(f"unreadable: {message.reason}")
        self.findings.heard += 1
        self.seated.set()
        self.continuity.heard(message)
        scene: Scene = self._scenes.of(message)
        if scene.match is not None:
            self._witness(scene, message, frame)
        self._intend(self.player.hear(message), scene.match)

    def _witness(self, scene: Scene, message: Any, frame: bytes) -> None:
        assert scene.match is not None
        if self.plays and scene.begins:
            if len(self.playing) == self.limit:
                raise Gap("a match began before the one before had ended")
            self.playing.append(scene.match)
            self.findings.ledger.begin(self.game.name, scene.match, self.company)
        if (news := self.continuity.news(message, frame)) is not None:
            self.findings.chronicle.add(scene.match, self.name, news)
        if scene.ends:
            # An observer of Penguins may have come when the game had begun.
            whole = self.plays or self.game.name != "penguins"
            self.findings.chronicle.end(scene.match, self.name, whole=whole)

    def _intend(self, utterances: Iterable[Utterance], match: str | None = None) -> None:
        for utterance in utterances:
            if isinstance(utterance, Report):
                self._report(utterance, match)
            else:
                self._utterances.send_nowait(utterance)

    def _report(self, report: Report, match: str | None) -> None:
        if match not in self.playing:
            raise Gap("a match ended that had not begun")
        self.findings.ledger.end(match, report)
        self.playing.remove(match)

    async def _speak(self, wire: Wire, waiting: trio.MemoryReceiveChannel[Utterance]) -> None:
        async for utterance in waiting:
            if self.playing:
                mean = THINKING[self.game.name] / self.speed
                await trio.sleep(min(self.rng.expovariate(1 / mean), 4 * mean))
            elif self.leaving and self.plays:
                continue
            self.findings.said += 1
            self.continuity.said(utterance)
            await wire.send(self.codec.encode(utterance))
            if not self.plays:
                self.seated.set()  # an administrator's first request is not answered

    def loose_ends(self) -> Iterable[str]:
        """What is missing now that nobody says anything any more."""
        if self.broken:
            return
        yield from (f"{self.name}: {owed} did not come" for owed in self.continuity.owed)
        if self.wire and self.wire.frames.midway:
            yield f"{self.name}: the last message is not complete"


def _leaves(group: BaseExceptionGroup[Exception]) -> Iterable[Exception]:
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error
