"""Records: what is written is read, and a file of anybody is a record or refused."""

import gzip
import io
import random
import tracemalloc
import zlib
from collections.abc import Callable
from datetime import UTC, datetime
from math import inf, nan
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.contract import plain
from ludothek.contract.orders import Fault
from ludothek.runtime.note import Note, NoteKind
from ludothek.runtime.pages import compressed
from ludothek.runtime.record import (
    _WORD,
    MOST_ABOUT,
    MOST_BYTES,
    MOST_LINE,
    MOST_TOLD,
    BadRecord,
    Record,
    about_record,
    notes_of,
    record_file,
)
from ludothek.runtime.rerun import Beginning

MIB = 1024 * 1024

numbers = st.floats(allow_nan=False, allow_infinity=False)
dates = st.datetimes(timezones=st.just(UTC)).map(datetime.timestamp)
data = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), numbers, st.text(), st.binary()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner), st.tuples(inner)),
    max_leaves=5,
).map(plain.write)
frames = st.one_of(st.binary(), st.text().map(str.encode))

OWN = (NoteKind.INTRODUCED, NoteKind.ENTER, NoteKind.ORDER, NoteKind.TOLD, NoteKind.WORKED)


def notes(
    kinds: tuple[NoteKind, ...], content: st.SearchStrategy[bytes]
) -> st.SearchStrategy[Note]:
    return st.builds(
        Note,
        kind=st.sampled_from(kinds),
        client=st.integers(0, 2**32 - 1),
        digest=st.integers(0, 2**64 - 1),
        time=numbers,
        date=dates,
        content=content,
    )


records = st.builds(
    Record,
    about=st.dictionaries(
        st.text().filter(lambda key: key not in ("format", "digest")),
        st.one_of(st.text(), st.integers(-(2**60), 2**60), st.lists(st.text()), st.none()),
    ),
    beginning=st.builds(
        Beginning,
        lobby=st.text(),
        seed=st.one_of(st.integers(0, 2**60), st.text()),
        time=numbers,
        date=dates,
        recipe=data,
        introduced=st.dictionaries(st.integers(0, 2**32 - 1), data),
        present=st.lists(st.integers(0, 2**32 - 1), max_size=3).map(tuple),
    ),
    notes=st.lists(
        st.one_of(notes(OWN, data), notes(tuple({*NoteKind} - {*OWN}), frames)), max_size=8
    ),
    digest=st.integers(0, 2**64 - 1),
)


@given(records)
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    written = record.write()
    assert Record.read(written) == record
    assert Record.read(written).write() == written
    about = about_record(io.BytesIO(written))
    assert {**about, "digest": None} == {**record.about, "digest": None}


@pytest.fixture
def record() -> Record:
    said = [b'{"move":%d}' % number for number in range(100)]
    order = Note(NoteKind.ORDER, 0, 3, 2.0, 2.0, plain.write(Fault()))
    return Record(
        about={"game": "hexxagon", "players": []},
        beginning=Beginning(
            lobby="red", seed=7, time=1.0, date=1.0, recipe=b"{}", introduced={1: b"{}"}
        ),
        notes=[
            *(Note(NoteKind.RECEIVE, 1, n, 1.5, 1.5, each) for n, each in enumerate(said)),
            order,
        ],
        digest=9,
    )


def test_people_can_read_it(record: Record) -> None:
    first, second, third, *_, last = record.text()
    assert orjson.loads(first) == {
        "format": "ludothek match 2",
        "game": "hexxagon",
        "players": [],
        "digest": "0000000000000009",
    }
    assert orjson.loads(second)["lobby"] == "red"
    assert orjson.loads(third) == {
        "kind": "receive",
        "client": 1,
        "time": 1.5,
        "date": 1.5,
        "digest": "0000000000000000",
        "text": '{"move":0}',
    }
    assert orjson.loads(last)["what"] == {"$": ["attrs", "ludothek.contract.orders:Fault", {}]}


def former(record: Record) -> bytes:
    """The record as the first version of the program wrote it."""
    return gzip.compress(b"".join(record.text()).replace(b"match 2", b"match 1", 1), mtime=0)


@given(records)
def test_records_of_the_former_version_are_read(record: Record) -> None:
    assert Record.read(former(record)) == record
    assert about_record(io.BytesIO(former(record))) == about_record(io.BytesIO(record.write()))


def test_pages_of_a_journal_are_a_record_as_they_are(record: Record) -> None:
    journal = [compressed(note.packed) for note in record.notes]
    assert Record.read(record_file(record.about, record.beginning, journal, 9)) == record


def test_wherever_a_file_is_cut_off_it_is_refused(record: Record) -> None:
    written = record.write()
    for size in range(len(written)):
        with pytest.raises(BadRecord):
            Record.read(written[:size])


def test_no_damage_is_more_than_refused(record: Record) -> None:
    written, rng = record.write(), random.Random(1)
    for _ in range(2000):
        damaged = bytearray(written)
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if damaged != written:
            with pytest.raises(BadRecord):
                Record.read(bytes(damaged))


def test_no_wrong_value_is_more_than_refused(record: Record) -> None:
    """With right checksums: somebody means it."""
    lines = gzip.decompress(former(record)).splitlines()[:4]
    wrong: list[Any] = [None, True, -1, 2**70, 1e300, "x", "\ud800", [], {}, [[]], [None, "x"]]
    for place, line in enumerate(lines):
        parts = orjson.loads(line)
        for key in parts:
            for value in wrong:
                changed = {**parts, key: value}
                less = {each: parts[each] for each in parts if each != key}
                for one in (changed, less):
                    _read_or_refuse(lines, place, one)
        for value in wrong:
            _read_or_refuse(lines, place, value)


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        return b'{"kind":"\\ud800"}'


def _read_or_refuse(lines: list[bytes], place: int, value: Any) -> None:
    """In the former version, and, as far as there are lines in it, in this one."""
    lines = [*lines[:place], _json(value), *lines[place + 1 :]]
    _accept_or_refuse(gzip.compress(b"\n".join(lines)))
    head = b"".join(line + b"\n" for line in lines[:2]).replace(b"match 1", b"match 2", 1)
    _accept_or_refuse(head + _WORD.pack(zlib.crc32(head)))


def _accept_or_refuse(data: bytes) -> None:
    try:
        record = Record.read(data)
    except BadRecord:
        return
    for note in record.notes:
        datetime.fromtimestamp(note.date, UTC)
        assert b"".join(record.text())


def test_no_wrong_note_is_more_than_refused(record: Record) -> None:
    right = record.notes[-1]
    assert Record.read(attrs.evolve(record, notes=[right]).write()).notes == [right]
    wrong = [
        *(attrs.evolve(right, time=time) for time in (nan, inf, -inf)),
        *(attrs.evolve(right, date=date) for date in (nan, inf, -1e300, 1e15)),
        attrs.evolve(right, content=b"{"),
        attrs.evolve(right, content=b'"\\ud800"'),
    ]
    for note in wrong:
        with pytest.raises(BadRecord, match="damaged"):
            Record.read(attrs.evolve(record, notes=[note]).write())
    for broken in (right.packed[:-1], b"\xff" + right.packed[1:], right.packed + b"\0"):
        journal = [compressed(broken)]
        with pytest.raises(BadRecord, match="damaged"):
            Record.read(record_file(record.about, record.beginning, journal, 9))


def test_a_page_is_exactly_one(record: Record) -> None:
    page = compressed(record.notes[0].packed)
    for wrong in (page[:-1], page + b"\0", b""):
        with pytest.raises(BadRecord, match="damaged"):
            Record.read(record_file(record.about, record.beginning, [wrong], 9))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"text",
        b"text\n",
        b"[]\n",
        b"{}\n{}\n",
        b"\x1f\x8b",
        gzip.compress(b"", mtime=0),
        gzip.compress(b"[]\n{}\n", mtime=0),
    ],
)
def test_other_files_are_no_records(content: bytes) -> None:
    with pytest.raises(BadRecord):
        Record.read(content)
    with pytest.raises(BadRecord, match="not a record"):
        about_record(io.BytesIO(content))


def test_a_record_of_a_later_version_is_none_of_ours(record: Record) -> None:
    for written in (record.write(), b"".join(record.text())):
        later = written.replace(b"match 2", b"match 3")
        with pytest.raises(BadRecord, match="another version"):
            Record.read(later)
    with pytest.raises(BadRecord, match="another version"):
        Record.read(gzip.compress(later))


@pytest.mark.parametrize(
    ("read", "most"),
    [(Record.read, MOST_LINE), (lambda data: about_record(io.BytesIO(data)), MOST_ABOUT)],
)
def test_a_bomb_does_not_go_off(read: Callable[[bytes], Any], most: int) -> None:
    """Of some kilobytes that become gigabytes, only so much is looked at."""
    bomb = _bomb(5 * MOST_BYTES)
    tracemalloc.start()
    with pytest.raises(BadRecord):
        read(bomb)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 4 * most + 32 * MIB


def test_pages_of_a_bomb_do_not_go_off(record: Record) -> None:
    page = zlib.compress(bytes(16 * MIB), 1)
    bomb = record_file(record.about, record.beginning, [page] * 40, 9)
    tracemalloc.start()
    with pytest.raises(BadRecord, match="too long"):
        Record.read(bomb)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 2 * MOST_TOLD + 32 * MIB


def test_a_record_with_more_notes_than_a_journal_has_is_refused(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note takes ten times as much memory as the smallest one does in a file."""
    monkeypatch.setattr("ludothek.runtime.record.MOST_NOTES", 3)
    few, many = (attrs.evolve(record, notes=[record.notes[0]] * count) for count in (3, 4))
    for write in (Record.write, former):
        assert Record.read(write(few)) == few
        with pytest.raises(BadRecord, match="too long"):
            Record.read(write(many))


def test_no_note_is_longer_than_a_line(record: Record) -> None:
    long = attrs.evolve(record.notes[0], content=bytes(MOST_LINE + 1))
    with pytest.raises(BadRecord, match="too long"):
        Record.read(attrs.evolve(record, notes=[long]).write())


def test_no_line_becomes_many_times_its_size(record: Record) -> None:
    """Empty lists take thirty times as much memory as the text that describes them."""
    lines = gzip.decompress(former(record))
    bomb = gzip.compress(lines) + _bomb(4 * MOST_LINE, b"[],[],[],[],")
    tracemalloc.start()
    with pytest.raises(BadRecord, match="too long"):
        Record.read(bomb)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < 4 * MOST_LINE


def _bomb(size: int, filling: bytes = b" ") -> bytes:
    bomb = io.BytesIO()
    with gzip.open(bomb, "wb", compresslevel=1) as file:
        for _ in range(size // MIB):
            file.write(filling * (MIB // len(filling)))
    return bomb.getvalue()


def test_only_the_first_line_is_read_for_a_list(record: Record) -> None:
    class Counted(io.BytesIO):
        read_so_far = 0

        def read(self, size: int | None = -1, /) -> bytes:
            piece = super().read(size)
            self.read_so_far += len(piece)
            return piece

    noise = random.Random(1).randbytes(MIB)
    long = Record(
        about=record.about,
        beginning=record.beginning,
        notes=[Note(NoteKind.RECEIVE, 1, 0, 1.0, 1.0, noise)],
        digest=0,
    )
    file = Counted(long.write())
    assert about_record(file)["game"] == "hexxagon"
    assert file.read_so_far < MIB / 10


def test_a_journal_that_is_cut_off_loses_its_end() -> None:
    assert notes_of(b"\x03nothing") == []
