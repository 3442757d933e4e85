"""Everything that the table of a lobby was told: enough to repeat it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle

from xxhash import xxh3_64_intdigest

from ludothek.contract.client import Client
from ludothek.runtime.note import HEAD, Note, NoteKind, read_notes
from ludothek.runtime.pages import compressed, decompressed

# A page is compressed when it is full. Messages are much alike, so five full pages take less memory
# than the one that is being written.
PAGE_NOTES = 32
PAGE_BYTES = 32 * 1024
# The first page of each journal is shortened by a varying amount: otherwise matches that begin
# together, as in a tournament, would all compress their pages at the same move.
FIRST_PAGES = cycle(range(PAGE_NOTES // 2, PAGE_NOTES))

# Compressed, and before. A lobby whose clients have told it more is not recorded: chat must not
# fill the memory, whether it can be compressed or not, and a match takes a hundredth of this.
MOST_BYTES = 4 * 1024 * 1024
MOST_TOLD = 16 * 1024 * 1024

_MASK = 2**64 - 1


class Journal:
    """The notes of one lobby, in the order in which they were made."""

    __slots__ = (
        "_bytes",
        "_introduced",
        "_notes_left",
        "_page",
        "_page_bytes",
        "_pages",
        "_told",
        "count",
        "digest",
        "problem",
    )

    def __init__(self) -> None:
        self.problem = ""  # why it is not complete
        self.count = 0  # of its notes
        self.digest = 0  # of everything that was sent to clients
        self._introduced: dict[int, int] = {}  # hashes of what was said about clients last
        self._page: list[bytes] = []
        self._page_bytes = 0
        self._notes_left = next(FIRST_PAGES)
        self._pages: list[bytes] | None = []  # full ones, compressed; None: too many
        self._bytes = self._told = 0  # of full pages, compressed and before

    @property
    def complete(self) -> bool:
        """Whether the table can be repeated."""
        return self._pages is not None

    def give_up(self, problem: str) -> None:
        """Something cannot be written down."""
        self.problem = self.problem or problem
        self._pages = None

    def note(
        self, stamp: tuple[float, float], kind: NoteKind, client: int, content: bytes
    ) -> bytes:
        """Note a happening; returns the bytes of the note."""
        time, date = stamp
        note = HEAD.pack(kind, client, self.digest, time, date, len(content)) + content
        self._page.append(note)
        self._page_bytes += len(note)
        self.count += 1
        self._notes_left -= 1
        if self._notes_left <= 0 or self._page_bytes >= PAGE_BYTES:
            self._turn_page()
        return note

    def sent(self, frame: bytes, clients: Sequence[Client]) -> None:
        """A frame was sent to these clients."""
        digest = xxh3_64_intdigest(frame, self.digest)
        for client in clients:
            digest = digest * 31 + client.number
        self.digest = digest & _MASK

    def knows(self, client: int) -> bool:
        """Whether anything was said about a client."""
        return client in self._introduced

    def introduce(self, client: int, known: bytes) -> bool:
        """Whether that is news about a client."""
        before, self._introduced[client] = self._introduced.get(client), hash(known)
        return before != self._introduced[client]

    def _turn_page(self) -> None:
        page, self._page = self._page, []
        self._told += self._page_bytes
        self._page_bytes, self._notes_left = 0, PAGE_NOTES
        if self._pages is None:
            return
        self._pages.append(compressed(b"".join(page)))
        self._bytes += len(self._pages[-1])
        if self._bytes > MOST_BYTES or self._told > MOST_TOLD:
            self.give_up("too long")

    def __iter__(self) -> Iterator[Note]:
        """The notes; if it is not complete, the latest ones."""
        return read_notes(self.snapshot()())

    @property
    def content(self) -> tuple[Sequence[bytes], bytes]:
        """All full pages, compressed, and the notes on the one that is being written."""
        return self._pages or (), b"".join(self._page)

    def resume(self, notes: Iterable[Note], digest: int) -> None:
        """Continue after these notes, when that much was sent."""
        for note in notes:
            self.digest = note.digest
            self.note((note.time, note.date), note.kind, note.client, note.content)
            if note.kind is NoteKind.INTRODUCED:
                self._introduced[note.client] = hash(note.content)
        self.digest = digest

    def snapshot(self) -> Callable[[], bytes]:
        """Makes all notes so far into bytes, for a worker thread; what is noted later is not."""
        pages, page = [*(self._pages or ())], [*self._page]
        return lambda: b"".join([decompressed(pages), *page])
