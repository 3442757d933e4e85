"""Replays: what is recorded while a match is played, and the two artefacts made from it."""

import zlib
from collections.abc import Sequence

import attrs
import orjson

from games.quidditch.codec.containers import write_container, write_payload
from games.quidditch.codec.snapshot_writer import write_delta
from games.quidditch.messages import (
    DeltaBroadcast,
    MatchFinish,
    MatchStart,
    Next,
    Replay,
    ReplayWithSnapshot,
    Snapshot,
)
from games.quidditch.rules import DeltaType

# Only the name of the class matters: it says what the payload is.
_DELTA = DeltaBroadcast(delta_type=DeltaType.SKIP)


# How far back a compressor looks for repetitions, and how many symbols it collects (powers of two,
# as zlib counts them): enough for the last three snapshots or six deltas. By default it would take
# 256 KiB, for each of the two logs of a match; this way it takes 48 and 16 KiB, for hardly more
# output.
SNAPSHOTS = 13, 5
DELTAS = 11, 4

# A lower level would hardly be quicker, and leave three times as much.
LEVEL = 6


class ContainerLog:
    """Containers one after another.

    One snapshot is much like the next, and a long match has ten megabytes of them: compressed, they
    take a fiftieth of that, for a hundredth of a millisecond each.
    """

    def __init__(self, window: int, memory: int) -> None:
        self._deflate = zlib.compressobj(LEVEL, wbits=window, memLevel=memory)
        self._parts: list[bytes] = []

    def add(self, container: bytes) -> None:
        if part := self._deflate.compress(b"%b," % container):
            self._parts.append(part)

    def close(self, container: bytes) -> bytes:
        """Add the last one; returns all of them, still compressed."""
        last = self._deflate.compress(container) + self._deflate.flush()
        return b"".join((*self._parts, last))


@attrs.frozen(kw_only=True)
class MatchRecord:
    """A match that is over.

    The pictures of its teams are long and can hardly be compressed. So its start is kept as it is,
    and encoded only where there is time for that.
    """

    lobby: str
    time: str
    start: MatchStart = attrs.field(repr=False)
    spectators: Sequence[str]
    first: bytes = attrs.field(repr=False)
    deltas: bytes = attrs.field(repr=False)
    snapshots: bytes = attrs.field(repr=False)

    def replay(self) -> Replay:
        # The document spells this key in two ways, and clients look for one or the other.
        times = {"startTimeStamp": self.time, "startTimestamp": self.time}
        return Replay(self._write(times, zlib.decompress(self.deltas)))

    def replay_with_snapshot(self) -> ReplayWithSnapshot:
        start = write_container(self.time, self.start)
        log = b"%b,%b" % (start, zlib.decompress(self.snapshots))
        return ReplayWithSnapshot(self._write({"startTimestamp": self.time}, log))

    def _write(self, times: dict[str, str], log: bytes) -> bytes:
        start = self.start
        return orjson.dumps(
            {
                "lobby": self.lobby,
                **times,
                "matchConfig": orjson.Fragment(write_payload(start.match_config)),
                "leftTeamConfig": orjson.Fragment(write_payload(start.left_team_config)),
                "rightTeamConfig": orjson.Fragment(write_payload(start.right_team_config)),
                "leftTeamUserName": start.left_team_user_name,
                "rightTeamUserName": start.right_team_user_name,
                "spectatorUserName": list(self.spectators),
                "firstSnapshot": orjson.Fragment(self.first),
                "log": orjson.Fragment(b"[%b]" % log),
            }
        )


class Transcript:
    """Records everything that is told to everybody in a match."""

    def __init__(self, lobby: str, time: str, start: MatchStart) -> None:
        self._lobby = lobby
        self._time = time
        self._start = start
        self._first: Snapshot | None = None
        self._deltas, self._snapshots = ContainerLog(*DELTAS), ContainerLog(*SNAPSHOTS)

    def snapshot(self, time: str, message: Snapshot) -> None:
        if self._first is None:
            self._first = message
        else:
            delta = write_delta(message.snapshot.delta)
            self._deltas.add(write_container(time, _DELTA, delta))
        self._snapshots.add(write_container(time, message))

    def next(self, time: str, message: Next) -> None:
        self._snapshots.add(write_container(time, message))

    def finish(self, time: str, message: MatchFinish, spectators: Sequence[str]) -> MatchRecord:
        last = write_container(time, message)
        return MatchRecord(
            lobby=self._lobby,
            time=self._time,
            start=self._start,
            spectators=spectators,
            first=write_payload(self._first) if self._first else b"null",
            deltas=self._deltas.close(last),
            snapshots=self._snapshots.close(last),
        )
