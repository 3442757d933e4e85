"""A computer player without I/O, and the task that gives it a voice."""

from collections.abc import Callable, Iterable, Mapping
from math import inf
from typing import Any, Protocol

import attrs
import trio
import trio_parallel

from ludothek.contract.codec import Codec, Malformed
from transports import Frame, Link, Unreadable

# Seconds of silence after which a player is asked whether it wants to say something.
IDLE_SECONDS = 1.0


@attrs.frozen
class Thought:
    """A decision that takes time. It is made in another process, then put into words.

    `decide` must be picklable; `say` is called in the player's own process.
    """

    decide: Callable[[], Any]
    say: Callable[[Any], Any]


@attrs.frozen
class Report:
    """How a game ended, for the one who sent the player."""

    winner: str | None
    points: dict[str, int]
    moves: int
    errors: int
    details: dict[str, Any] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class PlayerOptions:
    """What a player may be told; each game uses what it knows."""

    lobby: str | None = None
    username: str | None = None
    password: str | None = None
    loyal: bool = False  # to the lobby: play nowhere else
    difficulty: int = 0
    own: Mapping[str, str] = attrs.field(factory=dict)  # `Game.bot_options`, by key


class BrokenProtocol(Exception):
    """The server said something that its protocol does not allow."""


# A message for the server, a Thought or a Report.
Utterance = Any


class Player(Protocol):
    """Hears the server's messages and answers them; three plain methods that never wait."""

    def greet(self) -> Iterable[Utterance]:
        """What to say as soon as the connection stands."""

    def hear(self, message: Any) -> Iterable[Utterance]:
        """What to say to a message; raises BrokenProtocol."""

    def idle(self) -> Iterable[Utterance]:
        """What to say when nothing was heard for a while."""


async def play(
    link: Link,
    codec: Codec,
    player: Player,
    tell: Callable[[Report], None],
    *,
    games: int = 1,
    idle_seconds: float = IDLE_SECONDS,
    first_seconds: float = inf,
    greeting: Iterable[Utterance] | None = None,
) -> None:
    """Let a player talk over a link until it has played so many games (0: for ever).

    It begins with its greeting, unless it was asked for that before. A server must say something
    within `first_seconds`; after that it may be silent for days, until somebody comes to play
    against.

    Raises:
      BrokenProtocol: the server does not keep to the protocol.
      trio.EndOfChannel, trio.BrokenResourceError: the server is gone.
    """
    utterances = player.greet() if greeting is None else greeting
    patience = trio.current_time() + first_seconds
    while True:
        for utterance in utterances:
            utterance = await put_into_words(utterance)
            if isinstance(utterance, Report):
                tell(utterance)
                games -= 1
                if not games:
                    return
            else:
                await link.send(codec.encode(utterance))
        frame = await _next(link, idle_seconds)
        if frame is not None:
            patience = inf
            utterances = player.hear(_read(codec, frame))
        elif trio.current_time() < patience:
            utterances = player.idle()
        else:
            raise BrokenProtocol(f"the server has said nothing for {first_seconds:g} seconds")


async def put_into_words(utterance: Utterance) -> Utterance:
    """What is said after all thinking."""
    if not isinstance(utterance, Thought):
        return utterance
    decision = await trio_parallel.run_sync(utterance.decide, cancellable=True)
    return utterance.say(decision)


async def _next(link: Link, seconds: float) -> Frame | None:
    """The next frame, or None if there is none for so long."""
    with trio.move_on_after(seconds):
        return await link.receive()
    return None


def _read(codec: Codec, frame: bytes | Unreadable) -> Any:
    message = Malformed(frame.reason) if isinstance(frame, Unreadable) else codec.decode(frame)
    if isinstance(message, Malformed):
        raise BrokenProtocol(f"the server sent something unreadable: {message.reason}")
    return message
