"""What all checks of a stream of messages have in common."""

from collections import deque
from collections.abc import Sequence
from typing import Any, NoReturn, Protocol
from zlib import crc32

import attrs


class Gap(Exception):
    """A message is missing, comes twice, or does not follow from those before."""


def gap(what: str) -> NoReturn:
    raise Gap(what)


def require(follows: bool, what: str) -> None:
    if not follows:
        raise Gap(what)


@attrs.frozen
class News:
    """A message as all who take part in a match hear it, whatever is addressed to one of them."""

    kind: str
    fingerprint: int

    @classmethod
    def of(cls, message: Any, frame: bytes) -> "News":
        return cls(type(message).__name__, crc32(frame))


class Continuity(Protocol):
    """Listens to one client."""

    def said(self, message: Any) -> None:
        """The client has sent this."""

    def heard(self, message: Any) -> None:
        """The server has sent this; raises Gap."""

    def news(self, message: Any, frame: bytes) -> News | None:
        """What all others at the match hear as well; None if they do not. Called after `heard`."""

    @property
    def owed(self) -> Sequence[str]:
        """What the server has to send before it may fall silent."""


@attrs.define
class Answers:
    """Requests are answered in their order, each of them once."""

    _expected: deque[tuple[type, ...]] = attrs.field(factory=deque)

    def expect(self, *kinds: type) -> None:
        """A request has been sent that is answered with one of these."""
        self._expected.append(kinds)

    def take(self, answer: Any) -> None:
        name = type(answer).__name__
        require(bool(self._expected), f"{name} answers nothing")
        kinds = self._expected.popleft()
        wanted = " or ".join(kind.__name__ for kind in kinds)
        require(isinstance(answer, kinds), f"{name} where {wanted} was to come")

    @property
    def owed(self) -> list[str]:
        return [kinds[0].__name__ for kinds in self._expected]
