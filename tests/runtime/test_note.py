"""Notes as bytes: what is written is read, and nothing else is taken for notes."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.runtime.journal import Journal
from ludothek.runtime.note import HEAD, BadNotes, Note, NoteKind, read_notes

notes = st.builds(
    Note,
    kind=st.sampled_from(NoteKind),
    client=st.integers(0, 2**32 - 1),
    digest=st.integers(0, 2**64 - 1),
    time=st.floats(allow_nan=False),
    date=st.floats(allow_nan=False),
    content=st.binary(),
)


def write(note: Note) -> bytes:
    journal = Journal()
    journal.digest = note.digest
    return journal.note((note.time, note.date), note.kind, note.client, note.content)


@given(st.lists(notes))
def test_notes_are_read_as_they_were_written(some: list[Note]) -> None:
    assert [*read_notes(b"".join(map(write, some)))] == some


@given(st.lists(notes, min_size=1), st.data())
def test_what_is_cut_off_is_noticed(some: list[Note], data: Any) -> None:
    written = [*map(write, some)]
    whole = b"".join(written)
    size = data.draw(st.integers(0, len(whole) - 1))
    ends = {sum(map(len, written[:count])) for count in range(len(written))}
    if size in ends:
        assert [*read_notes(whole[:size])] == some[: len([*read_notes(whole[:size])])]
    else:
        with pytest.raises(BadNotes, match="cut off"):
            [*read_notes(whole[:size])]


def test_a_kind_that_is_not_known_yet_is_refused() -> None:
    later = HEAD.pack(99, 1, 0, 0.0, 0.0, 0)
    with pytest.raises(BadNotes, match="unknown kind 99"):
        [*read_notes(later)]


@given(st.binary())
def test_any_bytes_are_notes_or_refused(data: bytes) -> None:
    with suppress(BadNotes):
        assert b"".join(map(write, read_notes(data))) == data


def test_a_note_is_told_in_one_short_line() -> None:
    note = Note(NoteKind.RECEIVE, 7, 0, 1.5, 0.0, b"hello" * 1000)
    assert str(note).startswith("1.500 receive(<client 7>, b'hellohello")
    assert len(str(note)) < 300
    assert str(Note(NoteKind.TIME_UP, 0, 0, 2, 0.0, b"'turn'")) == """2.000 time_up(b"'turn'")"""
