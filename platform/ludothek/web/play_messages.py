"""What browsers say while somebody plays, and what they are told."""

from collections.abc import Callable, Mapping
from typing import Any

import attrs
import orjson

from ludothek.contract.names import has_control_characters, skeleton
from ludothek.runtime.people import Wish
from ludothek.runtime.person import GameOver

MAX_NAME = 40
MAX_LOBBY = 60


class Nonsense(Exception):
    """A message that is none; the text says why."""


@attrs.frozen
class Sit:
    """Somebody wants to play."""

    wish: Wish


@attrs.frozen
class Return:
    """Somebody who was away is here again."""

    token: str


@attrs.frozen
class Answer:
    """A move: one of those in a question."""

    number: int
    move: int


@attrs.frozen
class Resign:
    """The person gives up."""


Said = Sit | Return | Answer | Resign


def read(text: str | bytes) -> Said:
    """What a browser has said; raises Nonsense."""
    if isinstance(text, bytes):
        raise Nonsense("a message is text")
    try:
        message = orjson.loads(text)
    except ValueError:  # also RecursionError's kind of nesting
        raise Nonsense("a message is JSON") from None
    if not isinstance(message, dict):
        raise Nonsense("a message is a JSON object")
    kind = message.get("type")
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise Nonsense(f"the type of a message is one of {', '.join(_READERS)}")
    return reader(message)


def _sit(message: Mapping[str, Any]) -> Sit | Return:
    token = _take(message, "token", (str, type(None)), None)
    if token is not None:
        return Return(token)
    opponent = _take(message, "opponent", (str,), "bot")
    if opponent not in ("bot", "client"):
        raise Nonsense("opponent is bot or client")
    difficulty = _take(message, "difficulty", (int,), 0)
    lobby = _take(message, "lobby", (str, type(None)), None)
    return Sit(
        Wish(
            name=_name(_take(message, "name", (str,)), "name", MAX_NAME),
            difficulty=difficulty if opponent == "bot" else None,
            begins=_take(message, "begins", (bool,), True),
            lobby=_name(lobby, "lobby", MAX_LOBBY) if lobby else None,
        )
    )


def _answer(message: Mapping[str, Any]) -> Answer:
    return Answer(_take(message, "number", (int,)), _take(message, "move", (int,)))


_READERS: Mapping[str, Callable[[Mapping[str, Any]], Said]] = {
    "sit": _sit,
    "answer": _answer,
    "resign": lambda message: Resign(),
}


def _take(
    message: Mapping[str, Any], key: str, kinds: tuple[type, ...], otherwise: Any = ...
) -> Any:
    value = message.get(key, otherwise)
    if value is ...:
        raise Nonsense(f"{key} is missing")
    # JSON has true and false, which are not numbers there.
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        names = " or ".join("null" if kind is type(None) else _NAMES[kind] for kind in kinds)
        raise Nonsense(f"{key} is {names}")
    return value


_NAMES = {str: "text", int: "a whole number", bool: "true or false"}


def _name(text: str, key: str, most: int) -> str:
    name = text.strip()
    if not skeleton(name) or len(name) > most or has_control_characters(name):
        raise Nonsense(f"{key} has 1 to {most} visible characters")
    return name


def over(outcome: GameOver) -> dict[str, Any]:
    """How a game has ended, as browsers are told."""
    report = outcome.report
    told = None
    if report is not None:
        told = {
            "winner": report.winner,
            "points": report.points,
            "moves": report.moves,
            **report.details,
        }
    return {"type": "over", "ending": outcome.ending.value, "report": told}
