"""A computer player without I/O: it hears messages and answers with messages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import attrs

# Seconds that the strongest levels of a game may think about a move by default, and what can be
# chosen instead.
THINK_SECONDS = 1.0
THINK_RANGE = (0.001, 3600.0)


@attrs.frozen
class Thought:
    """A decision that takes time. It is made in another process and then turned into a message.

    `decide` must be picklable; `say` is called in the player's own process.
    """

    decide: Callable[[], Any]
    say: Callable[[Any], Any]


@attrs.frozen
class Question:
    """A decision that a person makes: one of these moves, which is then turned into a message.

    It is open until it is answered, another one is asked, or the game is over. `say` must be
    picklable together with the player.
    """

    moves: Sequence[Any]
    say: Callable[[Any], Any]


@attrs.frozen
class Report:
    """How a game ended, for whoever started the player."""

    winner: str | None
    points: dict[str, int]
    moves: int
    errors: int
    details: dict[str, Any] = attrs.field(factory=dict)


@attrs.frozen(kw_only=True)
class PlayerOptions:
    """What a player may be told; each game uses the options it knows."""

    lobby: str | None = None
    username: str | None = None
    password: str | None = None
    loyal: bool = False  # to the lobby: play in no other
    difficulty: int = 0
    think_seconds: float = (
        THINK_SECONDS  # about a move, at most; only the strongest levels need any
    )
    asks: bool = False  # a person decides: there are questions, and never a Thought
    own: Mapping[str, str] = attrs.field(factory=dict)  # `Game.bot_options`, by key


class BrokenProtocol(Exception):
    """The server said something that its protocol does not allow."""


# A message for the server, a Thought, a Question or a Report.
Utterance = Any


class Player(Protocol):
    """Hears the server's messages and answers them; three plain methods that never wait."""

    def greet(self) -> Iterable[Utterance]:
        """What to say as soon as the connection is open."""

    def hear(self, message: Any) -> Iterable[Utterance]:
        """What to say to a message; raises BrokenProtocol."""

    def idle(self) -> Iterable[Utterance]:
        """What to say when nothing was received for a while."""


class Asker(Player, Protocol):
    """A player that asks a person what to do; those of games with `Game.invitations` can."""

    def resign(self) -> Iterable[Utterance]:
        """What to say in order to give up: the game, or the lobby before it."""
