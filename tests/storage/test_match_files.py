"""The files of records: their names, whose they are, and which ones stay."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ludothek.contract.keeping import Claim
from ludothek.storage.archive import Archive
from ludothek.storage.match_files import (
    NoSuchFile,
    find_file,
    match_claim,
    match_file,
    match_name,
    newest_first,
    word_of,
)

NOON = datetime(2026, 11, 18, 12, 0, 0, 250, tzinfo=UTC)


def name(second: int = 0, game: str = "hexxagon", lobby: str = "red", *origins: str) -> str:
    return match_name(NOON + timedelta(seconds=second), game, lobby, origins, "k3v7q2xm7p")


@pytest.mark.parametrize(
    "lobby", ["red", "a_b", "../..", "ä" * 300, "x" * 300, "a\0b", "\ud800", ""]
)
def test_whatever_a_lobby_is_called_the_name_tells_game_and_addresses(lobby: str) -> None:
    found = name(1, "tic_tac", lobby, "192.0.2.1", "192.0.2.2", "192.0.2.1")
    assert found.startswith("20261118-120001-000250_tic-tac_")
    assert found.endswith(".match")
    assert "/" not in found
    assert len(found.encode()) < 200
    assert word_of(found) == "tic-tac"
    ((one, two),) = match_claim(found).owners
    assert len({one, two}) == 2


def test_no_name_reveals_an_address() -> None:
    assert "192" not in name(0, "hexxagon", "red", "192.0.2.1")


def test_the_number_of_addresses_in_a_name_is_limited() -> None:
    found = name(0, "roborally", "1", *(f"192.0.2.{n}" for n in range(100)))
    assert len(found) < 100


def test_names_of_others_are_of_no_game() -> None:
    for other in ("notes.txt", "20261118.match", ""):
        assert word_of(other) == ""
        assert match_claim(other) == Claim()


def test_each_game_has_its_own_room_and_each_address_its_share(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    rare = [name(0, "hexxagon", "rare", "192.0.2.9"), name(1, "penguins", "other", "192.0.2.1")]
    often = [name(2 + n, "hexxagon", "often", "192.0.2.1") for n in range(9)]
    for each in (*rare, *often):
        archive.put(match_file(each, lambda: b"x", files=4, megabytes=1))
    archive.close(seconds=60)
    kept = [path.name for path in newest_first(tmp_path)]
    assert kept == [*often[:-4:-1], *rare[::-1]]


def test_a_file_is_found_by_path_by_name_or_by_its_beginning(tmp_path: Path) -> None:
    for each in ("one", "one.match", "two.match"):
        (tmp_path / each).touch()
    folders = [tmp_path, tmp_path / "missing"]
    assert find_file(str(tmp_path / "one"), []) == tmp_path / "one"
    assert find_file("tw", folders) == tmp_path / "two.match"
    assert find_file("two", folders) == tmp_path / "two.match"
    for odd in ("", "o", "one", "three", "../one"):
        with pytest.raises(NoSuchFile):
            find_file(odd, folders)


def test_nobody_waits_for_a_pipe_among_the_records(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    os.mkfifo(tmp_path / "matches" / name())
    assert [*newest_first(tmp_path)] == []
    with pytest.raises(NoSuchFile):
        find_file(name(), [tmp_path / "matches"])
