"""A computer player inside the daemon, which continues in the next process if this one dies."""

import pickle
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from ludothek.contract.codec import Codec
from ludothek.contract.player import Player, Report, Thought, Utterance
from ludothek.runtime.playing import IDLE_SECONDS, decide, next_frame, read
from ludothek.runtime.unread import frames_of, unread
from transports.memory import MemoryLink

# What a player reacts to apart from frames.
GREET, IDLE = "greet", "idle"


@attrs.define(eq=False)
class HostedBot:
    """A player and its end of a connection to this daemon.

    A player reacts to one thing after another. What it says to each may take time, so the player is
    kept as it was before: it can be asked again, and what it has said already is skipped.
    """

    player: Player
    codec: Codec
    link: MemoryLink
    lobby: str  # where it plays
    lasting: bool  # it may have to continue in another process
    _cause: str | bytes = GREET  # what it reacts to
    _before: bytes = b""  # the player before that, if it can be written down
    _said: int = 0  # of its reaction
    _decisions: list[Any] = attrs.field(factory=list)  # those that were said

    def __attrs_post_init__(self) -> None:
        if not self._before:
            self._keep_player()

    def _keep_player(self) -> None:
        if self.lasting:
            self._before = _pickled(self.player)

    async def play(self) -> None:
        """Play until cancelled; raises like `ludothek.runtime.playing.play`."""
        while True:
            reaction = [*self._react()]
            self._repeat(reaction[: self._said])
            for utterance in reaction[self._said :]:
                await self._say(utterance)
            frame = await next_frame(self.link, IDLE_SECONDS)
            self._cause, self._said = IDLE if frame is None else _bytes(frame), 0
            self._decisions.clear()
            self._keep_player()

    def _react(self) -> Iterable[Utterance]:
        match self._cause:
            case "greet":
                return self.player.greet()
            case "idle":
                return self.player.idle()
        return self.player.hear(read(self.codec, _bytes(self._cause)))

    def _repeat(self, said: Iterable[Utterance]) -> None:
        """Tell the player what it had decided, without saying it again."""
        decisions = iter([*self._decisions])
        for utterance in said:
            if isinstance(utterance, Thought):
                utterance.say(next(decisions))

    async def _say(self, utterance: Utterance) -> None:
        if isinstance(utterance, Thought):
            self._decisions.append(await decide(utterance))
            utterance = utterance.say(self._decisions[-1])
        self._said += 1
        if not isinstance(utterance, Report):
            await self.link.send(self.codec.encode(utterance))

    # Surviving

    def remember(self) -> dict[str, Any]:
        """Plain data that `recall` needs."""
        cause = self._cause
        return {
            "lobby": self.lobby,
            "player": b64encode(self._before).decode(),
            "decisions": b64encode(pickle.dumps(self._decisions)).decode(),
            "frame": b64encode(cause).decode() if isinstance(cause, bytes) else None,
            "cause": cause if isinstance(cause, str) else None,
            "said": self._said,
            "unread": unread(self.link.waiting),
            "unheard": unread(self.link.other.waiting),
        }

    @classmethod
    def recall(cls, memory: Mapping[str, Any], codec: Codec, link: MemoryLink) -> "HostedBot":
        """The bot as it was; raises anything if that cannot be read."""
        frame, player = memory["frame"], b64decode(memory["player"])
        link.refill(frames_of(memory["unread"]))
        link.other.refill(frames_of(memory["unheard"]))
        return cls(
            pickle.loads(player),
            codec,
            link,
            memory["lobby"],
            True,
            memory["cause"] if frame is None else b64decode(frame),
            player,  # this process may die before the bot has said anything
            memory["said"],
            pickle.loads(b64decode(memory["decisions"])),
        )


def _pickled(player: Player) -> bytes:
    try:
        return pickle.dumps(player)
    except Exception:  # a game whose player cannot be written down plays on without
        return b""


def _bytes(frame: Any) -> bytes:
    assert isinstance(frame, bytes)  # nothing is unreadable between the two ends of a memory link
    return frame
