"""A record is repeated byte by byte; whatever differs is noticed, and where."""

from pathlib import Path
from typing import Any

import attrs
import pytest
import structlog
from structlog.testing import LogCapture

from games.hexxagon import GAME, rules
from games.hexxagon.table import HexxagonTable
from ludothek.contract import plain
from ludothek.contract.effects import Fetch
from ludothek.contract.orders import Fault
from ludothek.observe.log_context import drop_repeated
from ludothek.runtime.note import Note, NoteKind
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Differs, Replay
from tests.support.records import record_match


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return Record.read(record_match(tmp_path_factory.mktemp("state")).read_bytes())


def repeat(record: Record) -> Replay:
    replay = Replay(GAME, record)
    for _ in replay:
        pass
    return replay


def changed(record: Record, place: int, **fields: Any) -> Record:
    """The record with another note of that number."""
    notes = [*record.notes]
    notes[place - 1] = attrs.evolve(notes[place - 1], **fields)
    return attrs.evolve(record, notes=notes)


def moves(record: Record) -> list[int]:
    """The numbers of the notes that are moves."""
    return [n for n, note in enumerate(record.notes, 1) if b"GameMove" in note.content]


def test_a_match_is_repeated(record: Record) -> None:
    replay = repeat(record)
    assert replay.done == len(record.notes)
    assert replay.result() == {
        key: record.about[key] for key in ("players", "winner", "reason", "moves")
    }
    assert replay.bug is None


def test_a_record_tells_what_it_is_about(record: Record) -> None:
    about = record.about
    assert (about["game"], about["endpoint"]) == ("hexxagon", "hexxagon")
    assert about["protocol"] == "Hexxagon-Netzwerkstandard 0.6.1"
    assert about["program"]
    assert [each["name"] for each in about["players"]] == ["Player0", "Player1"]
    assert about["moves"] == 10


def test_each_client_gets_what_is_meant_for_it(record: Record) -> None:
    sent = [each for step in Replay(GAME, record) for each in step]
    for number in (1, 2):
        keys = {client.key for client, _ in sent if client.number == number}
        (key,) = keys
        mine = [frame for client, frame in sent if client.number == number]
        assert all(f'"userId":"{key}"'.encode() in frame for frame in mine)


def test_another_move_is_noticed_where_it_is_made(record: Record) -> None:
    one, other = moves(record)[2], moves(record)[4]
    swapped = changed(record, one, content=record.notes[other - 1].content)
    with pytest.raises(Differs, match=rf"^note {one} of .*receive.*: something else was sent"):
        repeat(swapped)


def test_a_move_at_another_second_is_noticed(record: Record) -> None:
    """Clients are told when a move was made."""
    move = moves(record)[0]
    note = record.notes[move - 1]
    with pytest.raises(Differs, match=f"^note {move} of"):
        repeat(changed(record, move, date=note.date + 5))


def test_another_last_message_is_noticed(record: Record) -> None:
    with pytest.raises(Differs, match=f"^note {len(record.notes)} of .*something else was sent"):
        repeat(attrs.evolve(record, digest=1))


@pytest.mark.parametrize(
    ("key", "value"), [("winner", "Eve"), ("moves", 11), ("reason", "left"), ("players", [])]
)
def test_another_result_is_noticed(record: Record, key: str, value: Any) -> None:
    with pytest.raises(Differs, match=f"^the result: {key} is .*recorded was"):
        repeat(attrs.evolve(record, about={**record.about, key: value}))


def test_another_seed_is_noticed(record: Record) -> None:
    other = attrs.evolve(record.beginning, seed="another")
    with pytest.raises(Differs, match="something else was sent"):
        repeat(attrs.evolve(record, beginning=other))


def test_a_recipe_that_cannot_be_read_is_told(record: Record) -> None:
    other = attrs.evolve(record.beginning, recipe=b'{"$":["attrs","os:x",{}]}')
    with pytest.raises(Differs, match="the table cannot be made: os:x is in none of the packages"):
        repeat(attrs.evolve(record, beginning=other))


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        (Note(NoteKind.RECEIVE, 99, 0, 0, 0, b"{}"), "client 99 was never introduced"),
        (Note(NoteKind.ENTER, 1, 0, 0, 0, b'{"$":["client",99]}'), "unknown client 99"),
        (Note(NoteKind.TIME_UP, 0, 0, 0, 0, b""), "no timer is due"),
        (Note(NoteKind.FETCHED, 1, 0, 0, 0, b""), "client 1 has not asked for a long message"),
        (Note(NoteKind.UNWRITTEN, 1, 0, 0, 0, b"x"), "a note of kind"),
        (Note(NoteKind.WORKED, 0, 0, 0, 0, b'"x"'), "it has crashed"),
        (Note(NoteKind.INTRODUCED, 7, 0, 0, 0, b"[]"), "it has crashed"),
    ],
)
def test_notes_that_make_no_sense_are_told(record: Record, note: Note, problem: str) -> None:
    """A record may be made up."""
    last = record.notes[3]
    strange = attrs.evolve(note, digest=last.digest, time=last.time, date=last.date)
    with pytest.raises(Differs, match=f"^note 4 of .*{problem}"):
        repeat(attrs.evolve(record, notes=[*record.notes[:3], strange, *record.notes[4:]]))


def test_a_record_of_which_a_part_is_missing_is_told(record: Record) -> None:
    with pytest.raises(Differs, match="not everything was written down: too long"):
        repeat(attrs.evolve(record, about={**record.about, "incomplete": "too long"}))


# Crashes


def limited(table: HexxagonTable, state: rules.State) -> rules.State:
    if state.turn == 4:
        raise ZeroDivisionError("the fourth turn")
    return state


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A match that a bug ends: its record, and the report."""
    monkeypatch.setattr(HexxagonTable, "_limited", limited)
    record = record_match(tmp_path)
    return [record, *(tmp_path / "crashes").iterdir()]


def test_a_crash_is_repeated(files: list[Path]) -> None:
    for file in files:
        record = Record.read(file.read_bytes())
        assert record.notes[-1].content == plain.write(Fault())
        replay = repeat(record)
        assert isinstance(replay.bug, ZeroDivisionError)
        assert replay.crashed


def test_the_record_of_a_match_that_crashed_says_so(files: list[Path]) -> None:
    match, report = [Record.read(file.read_bytes()) for file in files]
    assert match.about["reason"] == "fault"
    assert "traceback" not in match.about
    assert report.about["bug"] == "ZeroDivisionError in tests.runtime.test_replay.limited"
    assert "ZeroDivisionError" in report.about["traceback"]
    assert "reason" not in report.about


def test_a_crash_besides_happenings_is_repeated(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lobby that drains asks its table after each step whether it is idle."""

    def summary(table: HexxagonTable) -> Any:
        raise ZeroDivisionError("no summary")

    last = record.notes[8]
    fault = attrs.evolve(last, kind=NoteKind.ORDER, client=0, content=plain.write(Fault()))
    monkeypatch.setattr(HexxagonTable, "summary", property(summary))
    replay = Replay(GAME, attrs.evolve(record, notes=[*record.notes[:8], fault]))
    with pytest.raises(Differs, match="something else was sent"):  # the end is not that of a crash
        list(replay)
    assert str(replay.bug) == "no summary"


def test_a_bug_that_is_gone_is_noticed(files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for file in files:
        replay = Replay(GAME, Record.read(file.read_bytes()))
        with pytest.raises(Differs, match="the original crashed"):
            list(replay)
        assert replay.cured
        assert replay.bug is None


def test_a_bug_that_is_new_is_noticed(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HexxagonTable, "_move", lambda *args: 1 / 0)
    with pytest.raises(Differs, match=r"^note \d+ of .*it has crashed: ZeroDivisionError"):
        repeat(record)


def test_a_table_that_cannot_say_goodbye_is_repeated_too(
    files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    record = Record.read(files[1].read_bytes())
    monkeypatch.setattr(HexxagonTable, "order", lambda *args: 1 / 0)
    with pytest.raises(Differs, match="something else was sent"):  # the original could
        repeat(record)
    silent = attrs.evolve(record, digest=record.notes[-1].digest)
    assert isinstance(repeat(silent).bug, ZeroDivisionError)


@pytest.mark.parametrize("strange", [object(), Fetch(None, str)])  # type: ignore[arg-type]
def test_an_effect_that_cannot_be_performed_is_a_crash_again(
    record: Record, strange: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the report of such a crash would say that the bug is gone."""
    monkeypatch.setattr(HexxagonTable, "_move", lambda *args: [strange])
    with pytest.raises(Differs, match="it has crashed"):
        repeat(record)


def test_what_was_logged_is_not_logged_again(
    record: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise each restart of a daemon would log the beginnings of all running matches."""
    move = HexxagonTable._move

    def talkative(*args: Any) -> Any:
        structlog.get_logger().warning("a move")
        return move(*args)

    monkeypatch.setattr(HexxagonTable, "_move", talkative)
    capture = LogCapture()
    structlog.configure(processors=[drop_repeated, capture])
    repeat(record)
    structlog.get_logger().warning("something new")
    assert [entry["event"] for entry in capture.entries] == ["something new"]
