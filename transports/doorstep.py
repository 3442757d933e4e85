"""The first bytes of a plain TCP stream: peers that speak another protocol are refused.

A web page can make a browser send almost anything to any port, but only after a request line or
inside a binary message: a TLS hello repeats what an earlier server told it to remember, and WebRTC
tells a TURN server any user name. What the browser sends must not be handled as messages, not even
in part.
"""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Protocol

import attrs

from transports.complaint import Complaint
from transports.http_answer import answer
from transports.link import Farewell, Frame
from transports.proxy_header import SIGNATURE, WORD
from transports.resumable_framer import ResumableFramer

# Whatever looks like a longer request line counts as one; we do not wait for its end.
MAX_LINE = 1024

# No text begins with one of these, and every binary protocol that browsers speak does.
_CONTROLS = tuple(bytes([code]) for code in range(32) if code not in b"\t\n\r")

# How the state of a framer begins that is still behind a doorstep: no other state does.
STRANGER = b"\xff?"
TURNED_AWAY = b"\xff!"

_TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_MAYBE_REQUEST = re.compile(_TOKEN + rb"(?: [^\n]*)?")
_REQUEST = re.compile(_TOKEN + rb" [^\n]*HTTP/[0-9][^\n]*\n")


class Newcomer(Protocol):
    """The link that waits for the verdict."""

    def step_in(self, framer: ResumableFramer) -> None:
        """Use the framer directly from now on."""

    def stay_out(self, complaint: Complaint) -> None: ...


@attrs.define(eq=False)
class Doorstep:
    """Guards a framer until it is clear that the peer speaks its protocol.

    The first byte is nearly always enough: no message begins like a request.
    """

    framer: ResumableFramer
    sign: str
    newcomer: Newcomer | None = None  # None once it is clear
    trifles: int = 0
    _said: bytes = b""
    _answers: list[bytes] | None = None  # to a peer that is refused

    def feed(self, data: bytes) -> Sequence[Frame]:
        self._said += data
        verdict = _verdict(self._said)
        if verdict is None:
            return []
        said, self._said = self._said, b""
        if isinstance(verdict, Complaint):
            self._turn_away(verdict)
            return []
        if self.newcomer is not None:
            self.newcomer.step_in(self.framer)
            self.newcomer = None
        return self.framer.feed(said)

    def _turn_away(self, complaint: Complaint) -> None:
        self._answers = []
        if complaint is Complaint.HTTP_REQUEST:
            text = f"This is a server for {self.sign}. It speaks plain TCP and is no web server."
            self._answers.append(answer(HTTPStatus.BAD_REQUEST, text))
        if self.newcomer is not None:
            self.newcomer.stay_out(complaint)
            self.newcomer = None

    @property
    def replies(self) -> list[bytes]:
        return self.framer.replies if self._answers is None else self._answers

    @property
    def half_closes(self) -> bool:
        return self._answers is None and self.framer.half_closes

    @property
    def ended(self) -> bool:
        return self._answers is not None or self.framer.ended

    @property
    def parted(self) -> bool:
        return self.framer.parted

    @property
    def midway(self) -> bool:
        return bool(self._said.strip()) or self.framer.midway

    @property
    def resting(self) -> bytes | None:
        return None if self._said or self._answers is not None else STRANGER

    @property
    def state(self) -> bytes:
        return TURNED_AWAY if self._answers is not None else STRANGER + self._said

    def resume(self, state: bytes, *, spoken: bool) -> None:
        if state == TURNED_AWAY:
            self._answers = []
            self.newcomer = None
        else:
            self._said = state.removeprefix(STRANGER)

    def wrap(self, frame: bytes) -> tuple[bytes, bytes]:
        return self.framer.wrap(frame)

    def ending(self, farewell: Farewell) -> bytes:
        return self.framer.ending(farewell) if self._answers is None else b""


def _verdict(said: bytes) -> Complaint | bool | None:
    """Why the peer is refused, or True if it is accepted; None if it is too early to say."""
    if said.startswith((WORD, SIGNATURE)):
        return Complaint.PROXY_HEADER
    if said.startswith(_CONTROLS):
        return Complaint.BINARY
    if SIGNATURE.startswith(said):
        return None
    line = said[:MAX_LINE]
    if b"\n" in line:
        return Complaint.HTTP_REQUEST if _REQUEST.match(line) else True
    if not _MAYBE_REQUEST.fullmatch(line):
        return True
    if len(said) < MAX_LINE:
        return None
    return Complaint.HTTP_REQUEST if b" " in line else True
