"""The load generator: prepared messages replayed by C code over open connections."""

import ctypes
import functools
import time
from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from bench.connections import Connection, WebSocketConnection
from bench.measure import CannotMeasure
from bench.native import compiled

# How many times of one replay are kept; the others are only counted.
ROOM = 2_000_000


@attrs.frozen
class Taken:
    """The results of one stretch of load."""

    steps: int
    seconds: float
    busy: float  # CPU seconds of the load itself
    micros: Sequence[float]  # duration of each step, until the last peer concerned was told
    said: Sequence[int] = ()  # steps of each group

    @property
    def rate(self) -> float:
        return self.steps / self.seconds


@attrs.frozen
class Step:
    """Which peer of a group speaks, and what follows its head."""

    peer: int
    tail: bytes


class _Step(ctypes.Structure):
    _fields_ = (("peer", ctypes.c_uint32), ("size", ctypes.c_uint32), ("tail", ctypes.c_char_p))


class _Script(ctypes.Structure):
    _fields_ = (
        ("steps", ctypes.POINTER(_Step)),
        ("distinct", ctypes.c_uint64),
        ("count", ctypes.c_uint64),
    )


class _Peer(ctypes.Structure):
    _fields_ = (("fd", ctypes.c_int32), ("head_size", ctypes.c_uint32), ("head", ctypes.c_char_p))


class _Order(ctypes.Structure):
    _fields_ = (
        ("peers", ctypes.POINTER(_Peer)),
        ("scripts", ctypes.POINTER(ctypes.POINTER(_Script))),
        ("groups", ctypes.c_uint32),
        ("group_size", ctypes.c_uint32),
        ("websocket", ctypes.c_int32),
        ("marker_size", ctypes.c_uint32),
        ("marker", ctypes.c_char_p),
        ("rate", ctypes.c_double),
        ("seconds", ctypes.c_double),
        ("room", ctypes.c_uint64),
        ("times", ctypes.POINTER(ctypes.c_uint32)),
        ("said", ctypes.POINTER(ctypes.c_uint64)),
        ("steps", ctypes.c_uint64),
        ("strange", ctypes.c_uint64),
        ("elapsed", ctypes.c_double),
    )


class Script:
    """What a group says, step by step; with `count` it is repeated until that many are said."""

    def __init__(self, steps: Iterable[Step], count: int | None = None) -> None:
        self.steps = tuple(steps)
        self._steps = (_Step * len(self.steps))(
            *(_Step(step.peer, len(step.tail), step.tail) for step in self.steps)
        )
        self.native = _Script(self._steps, len(self.steps), count or len(self.steps))


@attrs.frozen
class Group:
    """Peers that get one message per step each, how each begins its messages, and the script."""

    connections: Sequence[Connection]
    heads: Sequence[bytes]
    script: Script


@functools.cache
def _library() -> Any:
    return ctypes.CDLL(str(compiled("replay.c", library=True)))


def replay(groups: Sequence[Group], marker: bytes, *, rate: float = 0, seconds: float) -> Taken:
    """Play all scripts, for at most that many seconds.

    With a rate it is an open loop: that many steps per second, of all groups together, become due,
    and times are measured from then on. Without one, every peer speaks as soon as it may.

    Raises:
      CannotMeasure: the server has hung up, fallen silent, or said something unexpected.
    """
    pairs = [
        (connection, head)
        for group in groups
        for connection, head in zip(group.connections, group.heads, strict=True)
    ]
    peers = (_Peer * len(pairs))(*(_Peer(c.socket.fileno(), len(head), head) for c, head in pairs))
    scripts = (ctypes.POINTER(_Script) * len(groups))(
        *(ctypes.pointer(group.script.native) for group in groups)
    )
    times = (ctypes.c_uint32 * ROOM)()
    said = (ctypes.c_uint64 * len(groups))()
    order = _Order(
        peers=peers,
        scripts=scripts,
        groups=len(groups),
        group_size=len(groups[0].connections),
        websocket=isinstance(pairs[0][0], WebSocketConnection),
        marker_size=len(marker),
        marker=marker,
        rate=rate,
        seconds=seconds,
        room=ROOM,
        times=times,
        said=said,
    )
    begin = time.thread_time()
    failed = _library().replay(ctypes.byref(order))
    busy = time.thread_time() - begin
    if failed:
        raise CannotMeasure(
            f"the server failed after {order.steps} steps ({order.strange} unexpected messages)"
        )
    micros = [tenths / 10 for tenths in times[: min(order.steps, ROOM)]]
    return Taken(order.steps, order.elapsed, busy, micros, list(said))
