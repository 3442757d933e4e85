"""The journal of a lobby: everything that its table was told, in little room."""

import random
import tracemalloc

import pytest

from ludothek.runtime.journal import MOST_BYTES, MOST_TOLD, PAGE_NOTES, Journal
from ludothek.runtime.note import HEAD, NoteKind
from ludothek.testing.dummies import DummyClient

MOVE = (
    b'{"messageType":"MoveRequest","userId":"6c0b44d5-8f67-4cd1-b1f3-3de086504a95",'
    b'"lobbyId":"c28fa90e-143b-4510-bdc7-fa86636a02d1","move":{"tileFrom":%d,"tileTo":%d}}'
)
MATCH = 10 * PAGE_NOTES
KIB = 1024


def hear(journal: Journal, frame: bytes) -> None:
    journal.note((1.5, 2.5), NoteKind.RECEIVE, 7, frame)


def test_everything_is_told_in_order() -> None:
    journal = Journal()
    for number in range(MATCH):
        hear(journal, b"%d" % number)
    assert [int(note.content) for note in journal] == [*range(MATCH)]
    assert {(note.time, note.date, note.client) for note in journal} == {(1.5, 2.5, 7)}


def test_what_is_noted_after_a_snapshot_is_not_in_it() -> None:
    """A worker thread reads it much later."""
    journal = Journal()
    hear(journal, b"before")
    snapshot = journal.snapshot()
    for _ in range(MATCH):
        hear(journal, b"after")
    assert snapshot().endswith(b"before")


def test_a_note_knows_what_was_sent_before_it() -> None:
    one, two = DummyClient(1), DummyClient(2)
    journals = [Journal() for _ in range(5)]
    frames = [[(b"a", [one])], [(b"a", [two])], [(b"b", [one])], [(b"a", [one, two])], []]
    for journal, sent in zip(journals, frames, strict=True):
        for frame, clients in sent:
            journal.sent(frame, clients)
        hear(journal, b"")
    digests = [next(iter(journal)).digest for journal in journals]
    assert len({*digests}) == len(digests)
    assert digests == [journal.digest for journal in journals]


def test_a_journal_that_goes_on_is_the_same() -> None:
    first, second = Journal(), Journal()
    for number in range(MATCH):
        first.sent(b"%d" % number, [DummyClient(1)])
        hear(first, b"%d" % number)
    first.note((3.5, 4.5), NoteKind.INTRODUCED, 9, b"known")
    first.sent(b"last", [])
    second.resume(first, first.digest)
    assert [*second] == [*first]
    assert second.digest == first.digest
    assert second.knows(9)
    assert not second.introduce(9, b"known")
    assert second.introduce(9, b"known otherwise")


def room_taken(frames: list[bytes]) -> float:
    """KiB of the journal of a lobby in which all this was said."""
    journal = Journal()
    tracemalloc.start()
    try:
        for frame in frames:
            hear(journal, bytes(bytearray(frame)))  # a copy, as each frame is one
        return tracemalloc.get_traced_memory()[0] / KIB
    finally:
        tracemalloc.stop()


def test_a_whole_match_takes_a_few_kilobytes() -> None:
    rng = random.Random(1)
    moves = [MOVE % (rng.randrange(60), rng.randrange(60)) for _ in range(MATCH)]
    assert room_taken(moves) < 48


@pytest.mark.parametrize("compressible", [False, True])
def test_nobody_can_fill_the_memory(compressible: bool) -> None:
    """What can be compressed must have room when it is read again, too."""
    rng, journal, size = random.Random(1), Journal(), 256 * KIB
    frame = bytes(size) if compressible else rng.randbytes(size)
    told = 0
    while journal.complete:
        hear(journal, frame)
        told += HEAD.size + size
    assert told <= MOST_TOLD + 2 * size if compressible else told <= MOST_BYTES + 2 * size
    for _ in range(PAGE_NOTES):
        hear(journal, frame)
    assert len(journal.snapshot()()) <= 2 * size
    assert journal.problem == "too long"


def test_one_that_is_not_complete_has_the_latest_notes() -> None:
    journal = Journal()
    for number in range(MATCH):
        hear(journal, b"%d" % number)
    journal.give_up("something cannot be written")
    journal.give_up("something else neither")
    hear(journal, b"last")
    assert not journal.complete
    assert journal.problem == "something cannot be written"
    told = [note.content for note in journal]
    assert told[-1] == b"last"
    assert len(told) <= PAGE_NOTES
