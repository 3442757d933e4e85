"""Records: what is written is read, and a file of anybody is a record or refused."""

import gzip
import io
import random
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludothek.contract import plain
from ludothek.contract.orders import Fault
from ludothek.runtime.note import Kind, Note
from ludothek.runtime.record import (
    MOST_ABOUT,
    MOST_BYTES,
    MOST_LINE,
    BadRecord,
    Record,
    about_record,
    notes_of,
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

OWN = (Kind.INTRODUCED, Kind.ENTER, Kind.ORDER, Kind.TOLD, Kind.WORKED)


def notes(kinds: tuple[Kind, ...], content: st.SearchStrategy[bytes]) -> st.SearchStrategy[Note]:
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
    notes=st.lists(st.one_of(notes(OWN, data), notes(tuple({*Kind} - {*OWN}), frames)), max_size=8),
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
    order = Note(Kind.ORDER, 0, 3, 2.0, 2.0, plain.write(Fault()))
    return Record(
        about={"game": "hexxagon", "players": []},
        beginning=Beginning(
            lobby="red", seed=7, time=1.0, date=1.0, recipe=b"{}", introduced={1: b"{}"}
        ),
        notes=[*(Note(Kind.RECEIVE, 1, n, 1.5, 1.5, each) for n, each in enumerate(said)), order],
        digest=9,
    )


def test_people_can_read_it(record: Record) -> None:
    first, second, third, *_, last = gzip.decompress(record.write()).splitlines()
    assert orjson.loads(first) == {
        "format": "ludothek match 1",
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


def test_wherever_a_file_is_cut_off_it_is_refused(record: Record) -> None:
    written = record.write()
    for size in range(len(written)):
        with pytest.raises(BadRecord):
            Record.read(written[:size])


def test_no_damage_is_more_than_refused(record: Record) -> None:
    """Checksums find nearly all of it; this is about what comes before they are checked."""
    written, rng = record.write(), random.Random(1)
    for _ in range(2000):
        damaged = bytearray(written)
        damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        if damaged[10:] != written[10:]:
            with pytest.raises(BadRecord):
                Record.read(bytes(damaged))


def test_no_wrong_value_is_more_than_refused(record: Record) -> None:
    """With right checksums: somebody means it."""
    lines = gzip.decompress(record.write()).splitlines()[:4]
    wrong: list[Any] = [None, True, -1, 2**70, 1e300, "x", "\ud800", [], {}, [[]], [None, "x"]]
    for place, line in enumerate(lines):
        parts = orjson.loads(line)
        for key in parts:
            for value in wrong:
                changed = {**parts, key: value}
                less = {each: parts[each] for each in parts if each != key}
                for one in (changed, less):
                    _read_or_refuse([*lines[:place], _json(one), *lines[place + 1 :]])
        for value in wrong:
            _read_or_refuse([*lines[:place], _json(value), *lines[place + 1 :]])


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:
        return b'{"kind":"\\ud800"}'


def _read_or_refuse(lines: list[bytes]) -> None:
    try:
        record = Record.read(gzip.compress(b"\n".join(lines)))
    except BadRecord:
        return
    for note in record.notes:
        datetime.fromtimestamp(note.date, UTC)


@pytest.mark.parametrize(
    "content",
    [b"", b"text", b"\x1f\x8b", gzip.compress(b"", mtime=0), gzip.compress(b"[]\n{}\n", mtime=0)],
)
def test_other_files_are_no_records(content: bytes) -> None:
    with pytest.raises(BadRecord):
        Record.read(content)
    with pytest.raises(BadRecord, match="not a record"):
        about_record(io.BytesIO(content))


def test_a_record_of_a_later_version_is_none_of_ours(record: Record) -> None:
    later = gzip.decompress(record.write()).replace(b"match 1", b"match 2")
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


def test_no_line_becomes_many_times_its_size(record: Record) -> None:
    """Empty lists take thirty times as much memory as the text that describes them."""
    lines = gzip.decompress(record.write())
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
        notes=[Note(Kind.RECEIVE, 1, 0, 1.0, 1.0, noise)],
        digest=0,
    )
    file = Counted(long.write())
    assert about_record(file)["game"] == "hexxagon"
    assert file.read_so_far < MIB / 10


def test_a_journal_that_is_cut_off_loses_its_end() -> None:
    assert notes_of(b"\x03nothing") == []
