"""What a client has said in a situation, and which clauses that has broken."""

from collections import Counter

import attrs
import trio

from ludothek.contract.clauses import Breach, Clauses, Consequence
from ludothek.contract.codec import Codec, Malformed
from ludothek.observe.coverage import UNREADABLE
from ludothek.wire.tap import Explained, Tapped

# Seconds after which somebody has finished speaking.
QUIET_SECONDS = 0.3

# Seconds after a frame in which what it has broken is known, if the breach names no field.
AT_ONCE_SECONDS = 0.05

# Bytes of a frame that a report shows.
SHOWN = 2000

# Breaches of one situation that are kept; a client that breaks more repeats itself.
KEPT = 100


@attrs.frozen
class Incident:
    """A breach, and the frame that has led to it."""

    breach: Breach
    consequence: Consequence
    frame: str  # empty if it was not about a message
    number: int  # of the latest frame of the client, from 1

    @property
    def tolerated(self) -> bool:
        return self.consequence.tolerated

    @property
    def is_silence(self) -> bool:
        """Whether the client has not said what it should have."""
        return not self.frame and self.number > 0

    @property
    def place(self) -> str:
        """Where it is in what the client has said."""
        if not self.number:
            return "before its first message"
        return f"message {self.number}" if self.frame else f"after message {self.number}"


@attrs.define(eq=False)
class Transcript:
    """Listens to the client as the wire log does."""

    clauses: Clauses
    codec: Codec
    messages: Counter[str] = attrs.field(factory=Counter)  # what it has sent, by name
    incidents: list[Incident] = attrs.field(factory=list)
    frames: int = 0  # that it has sent
    told: int = 0  # frames that it was sent
    _latest: bytes = b""
    _heard_at: float = 0.0

    @property
    def is_quiet(self) -> bool:
        """Whether the client has been silent for a moment."""
        return trio.current_time() >= self._heard_at + QUIET_SECONDS

    def heard(self, client: Tapped, frame: bytes) -> None:
        self.frames += 1
        self._latest = frame
        self._heard_at = trio.current_time()
        message = self.codec.decode_request(frame)
        readable = not isinstance(message, Malformed)
        self.messages[self.clauses.name(message) if readable else UNREADABLE] += 1

    def said(self, client: Tapped, frame: bytes) -> None:
        self.told += 1

    def note(self, client: Tapped, text: str) -> None:
        self.frames += 1
        self._latest = text.encode()
        self._heard_at = trio.current_time()

    def explained(self, client: Tapped, explanation: Explained) -> None:
        if len(self.incidents) < KEPT:
            breach = explanation.breach
            about = self._latest if self._is_about_a_frame(breach) else b""
            frame = about[:SHOWN].decode(errors="replace")
            self.incidents.append(Incident(breach, explanation.consequence, frame, self.frames))

    def _is_about_a_frame(self, breach: Breach) -> bool:
        """Whoever is late, or says nothing, is not to see an innocent message as the cause."""
        return bool(breach.pointer) or trio.current_time() <= self._heard_at + AT_ONCE_SECONDS
