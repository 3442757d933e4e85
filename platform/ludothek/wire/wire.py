"""Recording the frames of an endpoint: of everybody, of some lobbies, or of some clients."""

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from typing import Literal

from ludothek import __version__
from ludothek.contract.orders import OrderRefused
from ludothek.settings.fields import GameSettings
from ludothek.storage.file_names import file_name
from ludothek.storage.rotating_file import RotationPolicy
from ludothek.storage.writer import Writer
from ludothek.wire.line import Direction, breach_line, frame_line, note_line
from ludothek.wire.tap import Explained, Tapped
from ludothek.wire.wire_file import WireFile
from transports import Farewell

# At the same time: each is an open file. More lobbies are better recorded with the endpoint.
MAX_RECORDINGS = 50

# The whole endpoint, a lobby by its key, or a client by its number.
Target = tuple[Literal["endpoint", "lobby", "client"], str]
EVERYBODY: Target = ("endpoint", "")


class Wire:
    """The wire log of one endpoint, and the tap of its clients while anything is recorded.

    A frame that belongs to several recordings is in each of them, so a lobby's file contains the
    whole lobby. A lobby's recording ends with the lobby, a client's with the client.
    """

    def __init__(
        self,
        name: str,
        directory: Path,
        writer: Writer,
        *,
        clients: Collection[Tapped],
        is_open: Callable[[str], bool],
        now: Callable[[], datetime],
    ) -> None:
        self.recordings: dict[Target, WireFile] = {}
        self.lines = 0  # put into recordings
        self._name = name
        self._directory = directory
        self._writer = writer
        self._rotation = RotationPolicy()
        self._configured = False
        self._clients = clients
        self._is_open = is_open  # whether a lobby with that key is open
        self._now = now
        self._ending: list[WireFile] = []
        self._lost_before = 0  # by recordings that have ended

    # What is recorded

    def configure(self, settings: GameSettings) -> None:
        """Apply settings, also changed ones; recordings that an organiser has started stay."""
        self._rotation = RotationPolicy(
            max_bytes=settings.wire_log_megabytes * 1024 * 1024,
            older_files=settings.wire_log_files,
        )
        if settings.wire_log != self._configured:
            self._configured = settings.wire_log
            (self.start if settings.wire_log else self.stop)(EVERYBODY)

    def rename(self, name: str) -> None:
        """Continue in files of that name; the old ones may belong to another endpoint now."""
        targets = list(self.recordings)
        for target in targets:
            self.stop(target)
        self._name = name
        for target in targets:
            self.start(target)

    def start(self, target: Target) -> WireFile:
        """Record from now on.

        Raises:
          OrderRefused: there are too many recordings already.
        """
        self._prune()
        if recording := self.recordings.get(target):
            return recording
        if len(self.recordings) >= MAX_RECORDINGS:
            raise OrderRefused(f"{self._name} is recorded {MAX_RECORDINGS} times already")
        recording = WireFile(self._writer, self._path(target), self._rotation)
        recording.put(note_line(self._now(), "on", endpoint=self._name, version=__version__))
        self.recordings[target] = recording
        self._set_taps()
        return recording

    def stop(self, target: Target) -> None:
        """Stop recording, if it was recorded."""
        if recording := self.recordings.pop(target, None):
            recording.put(note_line(self._now(), "off"))
            recording.close()
            self._ending.append(recording)
            self._set_taps()

    def end(self) -> None:
        """Stop all recordings: there is nobody left to record."""
        for target in [*self.recordings]:
            self.stop(target)

    def meet(self, client: Tapped) -> None:
        """A client has connected."""
        self._prune()
        if self.recordings:
            client.tap = self
            self.note(client, "connected")

    def meet_again(self, client: Tapped) -> None:
        """A client that was connected to another process goes on here."""
        if self.recordings:
            client.tap = self
            self.note(client, "carried over")

    def part(self, client: Tapped) -> None:
        """A client has disconnected."""
        if self.recordings:
            farewell = client.farewell or Farewell.DONE
            self.note(client, "gone" if farewell is Farewell.DONE else f"gone: {farewell.value}")
            self.stop(("client", str(client.number)))
            self._prune()

    @property
    def lost(self) -> int:
        """Lines that could not be kept."""
        for recording in [each for each in self._ending if each.ended]:
            self._ending.remove(recording)
            self._lost_before += recording.lost
        current = (*self.recordings.values(), *self._ending)
        return self._lost_before + sum(recording.lost for recording in current)

    def _prune(self) -> None:
        closed = [t for t in self.recordings if t[0] == "lobby" and not self._is_open(t[1])]
        for target in closed:
            self.stop(target)

    def _set_taps(self) -> None:
        tap = self if self.recordings else None
        for client in self._clients:
            client.tap = tap

    def _path(self, target: Target) -> Path:
        if target == EVERYBODY:
            return self._directory / f"{file_name(self._name)}.jsonl"
        return self._directory / file_name(self._name) / f"{file_name('-'.join(target))}.jsonl"

    # As a tap

    def heard(self, client: Tapped, frame: bytes) -> None:
        self._record(client, "in", frame)

    def said(self, client: Tapped, frame: bytes) -> None:
        self._record(client, "out", frame)

    def note(self, client: Tapped, text: str) -> None:
        if recordings := self._concerned(client):
            self._put(recordings, note_line(self._now(), text, client))

    def explained(self, client: Tapped, explanation: Explained) -> None:
        if recordings := self._concerned(client):
            self._put(recordings, breach_line(self._now(), client, explanation))

    def _record(self, client: Tapped, direction: Direction, frame: bytes) -> None:
        if recordings := self._concerned(client):
            self._put(recordings, frame_line(self._now(), direction, client, frame))

    def _put(self, recordings: Collection[WireFile], line: bytes) -> None:
        for recording in recordings:
            self.lines += 1
            recording.put(line)

    def _concerned(self, client: Tapped) -> list[WireFile]:
        places: tuple[Target, ...] = (
            EVERYBODY,
            ("lobby", client.place or ""),
            ("client", str(client.number)),
        )
        return [self.recordings[place] for place in places if place in self.recordings]
