"""A background thread that writes: no disk, terminal or pipe ever blocks the event loop."""

from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

T = TypeVar("T")

# What may wait: some seconds of a busy evening.
MAX_ITEMS = 50_000
MAX_BYTES = 32 * 1024 * 1024

# Bytes that are written at once.
BATCH_BYTES = 256 * 1024

# Seconds that the last items may take to be written at the end.
LAST_SECONDS = 1.0


class Sink(ABC, Generic[T]):
    """Where a writer puts items; its methods are called in the writer's thread."""

    # Counted by the writer:
    refused = 0  # items that were lost because too much was waiting
    taken = 0  # items that were handed in and not refused
    done = 0  # the first so many of them are written, or have failed

    @abstractmethod
    def write(self, items: list[T], refused: int, *, caught_up: bool) -> None:
        """Write items.

        `refused` is the number of items refused before the last of these, since the beginning.
        With `caught_up`, nothing else is waiting.
        """

    def end(self) -> None:
        """Close what is open; more items may come later."""


# A sink, an item for it and the item's size, and how many items the sink had refused by then.
# Without an item: the end of that sink. None: the end of all of them.
_Entry = tuple[Sink[Any], Any, int, int] | None


class Writer:
    """A bounded queue, and the thread that empties it; the first item starts the thread."""

    def __init__(
        self,
        name: str,
        *,
        max_items: int = MAX_ITEMS,
        max_bytes: int = MAX_BYTES,
        batch_bytes: int = BATCH_BYTES,
    ) -> None:
        self._name = name
        self._max_items, self._max_bytes = max_items, max_bytes
        self._batch_bytes = batch_bytes
        self._queue: SimpleQueue[_Entry] = SimpleQueue()
        self._lock = Lock()  # for all that follows: any thread may hand in items
        self._items = self._bytes = 0  # that are waiting or being written
        self._thread: Thread | None = None

    def put(self, sink: Sink[T], item: T, size: int = 0) -> bool:
        """Have an item written soon; False if too much is waiting, and the item is lost."""
        with self._lock:
            if self._items >= self._max_items or self._bytes + size > self._max_bytes:
                sink.refused += 1
                return False
            self._items += 1
            self._bytes += size
            sink.taken += 1
            self._enqueue((sink, item, size, sink.refused))
        return True

    def end(self, sink: Sink[Any]) -> None:
        """End a sink after the items handed in so far."""
        with self._lock:
            self._items += 1
            self._enqueue((sink, None, 0, sink.refused))

    def close(self, seconds: float = LAST_SECONDS) -> None:
        """Write what is waiting, unless that takes too long."""
        with self._lock:
            thread = self._thread
            if thread is None:
                return
            self._queue.put(None)
        thread.join(seconds)

    def _enqueue(self, entry: _Entry) -> None:
        self._queue.put(entry)
        if self._thread is None:
            # A daemon thread: a write to a dead disk may never return, and must not delay the exit.
            self._thread = Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()

    # In the thread

    def _work(self) -> None:
        sinks: set[Sink[Any]] = set()
        while True:
            batch = self._batch()
            entries = [entry for entry in batch if entry is not None]
            self._write(entries)
            sinks |= {sink for sink, *_ in entries}
            closing = batch[-1] is None
            ended = sinks if closing else {sink for sink, item, *_ in entries if item is None}
            for sink in ended:
                sink.end()
            sinks = sinks - ended
            with self._lock:
                self._items -= len(entries)
                self._bytes -= sum(size for _, _, size, _ in entries)
                if closing and self._queue.empty():
                    self._thread = None
                    return

    def _batch(self) -> list[_Entry]:
        """What is waiting, but not too much of it; at least one entry."""
        entries = [self._queue.get()]
        size = 0
        with suppress(Empty):
            while (last := entries[-1]) is not None and (
                size := size + last[2]
            ) < self._batch_bytes:
                entries.append(self._queue.get_nowait())
        return entries

    def _write(self, entries: list[tuple[Sink[Any], Any, int, int]]) -> None:
        items: dict[Sink[Any], list[Any]] = {}
        refused: dict[Sink[Any], int] = {}
        for sink, item, _, refused_so_far in entries:
            if item is not None:
                items.setdefault(sink, []).append(item)
                refused[sink] = refused_so_far
        caught_up = self._queue.empty()
        for sink, some in items.items():
            sink.write(some, refused[sink], caught_up=caught_up)
            sink.done += len(some)
