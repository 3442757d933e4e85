"""The task that connects a player to a link."""

from collections.abc import Awaitable, Callable, Iterable
from math import inf
from typing import Any, Protocol

import trio
import trio_parallel

from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.player import BrokenProtocol, Player, Report, Thought, Utterance
from transports import Frame, Unreadable

# Seconds of silence after which a player is asked whether it wants to say something.
IDLE_SECONDS = 1.0


class BotLink(Protocol):
    """What a player needs of a link."""

    async def receive(self) -> Frame:
        """The next frame, as of a link."""

    async def send(self, frame: bytes) -> None:
        """Send a frame."""


# Makes the decision of a thought somewhere else.
Decide = Callable[[Thought], Awaitable[Any]]


async def decide(thought: Thought) -> Any:
    """The decision, made in another process."""
    return await trio_parallel.run_sync(thought.decide, cancellable=True)


async def play(
    link: BotLink,
    codec: Codec,
    player: Player,
    tell: Callable[[Report], None],
    *,
    games: int = 1,
    idle_seconds: float = IDLE_SECONDS,
    first_seconds: float = inf,
    greeting: Iterable[Utterance] | None = None,
    decide: Decide = decide,
) -> None:
    """Let a player talk over a link until it has played that many games (0: forever).

    It begins with its greeting, unless that was asked for before. A server must say something
    within `first_seconds`; after that it may be silent for days, until an opponent comes.

    Raises:
      BrokenProtocol: the server breaks the protocol.
      trio.EndOfChannel, trio.BrokenResourceError: the server is gone.
    """
    utterances = player.greet() if greeting is None else greeting
    patience = trio.current_time() + first_seconds
    while True:
        for utterance in utterances:
            utterance = await put_into_words(utterance, decide)
            if isinstance(utterance, Report):
                tell(utterance)
                games -= 1
                if not games:
                    return
            else:
                await link.send(codec.encode(utterance))
        frame = await next_frame(link, idle_seconds)
        if frame is not None:
            patience = inf
            utterances = player.hear(read(codec, frame))
        elif trio.current_time() < patience:
            utterances = player.idle()
        else:
            raise BrokenProtocol(f"the server has said nothing for {first_seconds:g} seconds")


async def put_into_words(utterance: Utterance, decide: Decide = decide) -> Utterance:
    """What is said once all thinking is done."""
    if not isinstance(utterance, Thought):
        return utterance
    return utterance.say(await decide(utterance))


async def next_frame(link: BotLink, seconds: float) -> Frame | None:
    """The next frame, or None if there is none for that long."""
    with trio.move_on_after(seconds):
        return await link.receive()
    return None


def read(codec: Codec, frame: bytes | Unreadable) -> Any:
    """What a server has said; raises BrokenProtocol if that makes no sense."""
    message = Malformed(frame.reason) if isinstance(frame, Unreadable) else codec.decode(frame)
    if isinstance(message, Malformed):
        raise BrokenProtocol(f"the server sent something unreadable: {message.reason}")
    return message
