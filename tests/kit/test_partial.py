"""Files that are not finished yet, and what crashes leave of them."""

import os
from pathlib import Path

import pytest

from ludothek.kit.partial import partial_file, sweep


def test_a_file_is_hidden_until_it_is_put_in_its_place(tmp_path: Path) -> None:
    with partial_file(tmp_path / "a.json") as partial:
        partial.write_bytes(b"one")
        (name,) = os.listdir(tmp_path)
        assert name.startswith(".a.json.")
        partial.rename(tmp_path / "a.json")
    assert os.listdir(tmp_path) == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"one"


def test_nothing_is_left_of_what_fails(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="full"), partial_file(tmp_path / "a.json"):
        raise OSError("full")
    assert os.listdir(tmp_path) == []


def test_what_crashes_have_left_is_swept_away(tmp_path: Path) -> None:
    for name in (".harry.0123456789abcdef", ".a.json.4711"):
        (tmp_path / name).write_text("$argon2id$v=19$m=19")
    for name in ("harry", ".hidden", ".gitignore", "x.0123456789abcdef"):
        (tmp_path / name).touch()
    (tmp_path / ".folder.4711").mkdir()
    (tmp_path / ".link.4711").symlink_to(tmp_path / "harry")
    sweep(tmp_path)
    assert sorted(os.listdir(tmp_path)) == sorted(
        ["harry", ".hidden", ".gitignore", "x.0123456789abcdef", ".folder.4711", ".link.4711"]
    )


def test_what_is_being_written_stays(tmp_path: Path) -> None:
    with partial_file(tmp_path / "a.json") as partial:
        sweep(tmp_path)
        assert partial.exists()


def test_there_may_be_nothing_to_sweep(tmp_path: Path) -> None:
    sweep(tmp_path / "nowhere")
