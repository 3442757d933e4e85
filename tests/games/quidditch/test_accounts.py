"""User names and passwords: stored, shared, safe from crashes and from each other."""

import os
import stat
from collections.abc import Container
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from games.quidditch.accounts import (
    Accounts,
    AccountsError,
    KeptAccounts,
    MemoryAccounts,
    Unregistered,
    Verdict,
)


@pytest.fixture
def accounts(tmp_path: Path) -> KeptAccounts:
    return KeptAccounts(tmp_path / "state" / "accounts", 100)


def test_the_first_password_of_a_name_is_its_password(accounts: KeptAccounts) -> None:
    assert accounts.admit("harry", "hedwig")
    assert accounts.admit("harry", "hedwig")
    assert not accounts.admit("harry", "Hedwig")
    assert not accounts.admit("harry", "")
    assert accounts.admit("draco", "")  # empty passwords are allowed
    assert not accounts.admit("draco", "hedwig")


def test_accounts_outlive_the_daemon(accounts: KeptAccounts) -> None:
    accounts.admit("harry", "hedwig")
    again = KeptAccounts(accounts.directory, 100)
    assert again.admit("harry", "hedwig")
    assert not again.admit("harry", "scabbers")


def test_no_password_is_written_and_nobody_else_can_read(accounts: KeptAccounts) -> None:
    accounts.admit("harry", "hedwig")
    path = accounts.directory / "harry"
    assert path.read_text().startswith("$argon2id$")
    assert "hedwig" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(accounts.directory.stat().st_mode) == 0o700
    assert os.listdir(accounts.directory) == ["harry"]


def test_of_two_who_want_one_new_name_at_once_exactly_one_gets_it(tmp_path: Path) -> None:
    for attempt in range(5):
        # Two endpoints with one directory, as with two daemons.
        name = f"user{attempt}"
        rivals = {"aaa": KeptAccounts(tmp_path, 100), "bbb": KeptAccounts(tmp_path, 100)}
        with ThreadPoolExecutor(len(rivals)) as threads:
            tries = {
                password: threads.submit(accounts.admit, name, password)
                for password, accounts in rivals.items()
            }
        (admitted,) = [password for password, verdict in tries.items() if verdict.result()]
        assert rivals["aaa"].admit(name, admitted)


def test_half_a_file_of_a_crash_is_no_account(accounts: KeptAccounts) -> None:
    accounts.directory.mkdir(parents=True)
    (accounts.directory / ".harry.0123456789abcdef").write_text("$argon2id$v=19$m=19")
    assert accounts.admit("harry", "hedwig")
    assert accounts.admit("harry", "hedwig")


def test_whoever_removes_the_file_makes_the_name_free_again(accounts: KeptAccounts) -> None:
    accounts.admit("harry", "hedwig")
    (accounts.directory / "harry").unlink()
    assert accounts.admit("harry", "firebolt")
    assert not accounts.admit("harry", "hedwig")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"harry:x",
        b"\xff\xff",
        b"$argon2id$v=19$m=19456,t=2,p=1$abc",
        b"x" * 5000,
        # Four gigabytes, or a minute of work for each login.
        b"$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG",
        b"$argon2id$v=19$m=8192,t=10000,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b4dWRWJTmaaJObG",
    ],
)
def test_a_file_that_is_no_account_lets_nobody_in(accounts: KeptAccounts, content: bytes) -> None:
    accounts.directory.mkdir(parents=True)
    (accounts.directory / "harry").write_bytes(content)
    with pytest.raises(AccountsError) as caught:
        accounts.admit("harry", "hedwig")
    assert str(accounts.directory / "harry") in str(caught.value)
    assert (accounts.directory / "harry").read_bytes() == content


def test_a_place_where_nothing_can_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AccountsError, match="Not a directory"):
        KeptAccounts(tmp_path / "file" / "accounts", 10).admit("harry", "hedwig")


def few(directory: Path, most: int, *, kept: bool, present: Container[str] = ()) -> Accounts:
    return KeptAccounts(directory, most, present) if kept else MemoryAccounts(most, present)


@pytest.mark.parametrize("kept", [True, False])
def test_names_run_out(tmp_path: Path, kept: bool) -> None:
    accounts = few(tmp_path, 2, kept=kept)
    assert accounts.admit("harry", "1")
    assert accounts.admit("draco", "2")
    accounts.played(["harry", "draco"])
    for name in ("luna", "peter"):
        with pytest.raises(AccountsError, match="2 accounts already"):
            accounts.admit(name, "3")
    assert accounts.admit("harry", "1")


@pytest.mark.parametrize("kept", [True, False])
def test_the_oldest_name_that_never_played_makes_room(tmp_path: Path, kept: bool) -> None:
    accounts = few(tmp_path, 4, kept=kept, present={"ron"})
    for age, name in enumerate(("harry", "ron", "draco", "luna")):
        accounts.admit(name, "old")
        if kept:
            os.utime(tmp_path / name, (age, age))
    accounts.played(["harry", "nobody"])
    assert accounts.admit("peter", "new") is Verdict.NEW
    assert accounts.admit("luna", "old", register=False) is Verdict.KNOWN
    assert accounts.admit("vernon", "new") is Verdict.NEW
    for name in ("harry", "ron", "peter", "vernon"):
        assert accounts.admit(name, "new", register=False) is (
            Verdict.KNOWN if name in ("peter", "vernon") else Verdict.WRONG
        )
    for name in ("draco", "luna", "nobody"):
        with pytest.raises(Unregistered):
            accounts.admit(name, "old", register=False)


def test_whoever_has_played_is_remembered_beyond_the_end(accounts: KeptAccounts) -> None:
    accounts.admit("harry", "hedwig")
    for _ in range(3):
        accounts.played(["harry"])
    assert (accounts.directory / "harry").read_text().splitlines()[1:] == ["played"]
    again = KeptAccounts(accounts.directory, 1)
    assert again.admit("harry", "hedwig") is Verdict.KNOWN
    assert again.admit("harry", "scabbers") is Verdict.WRONG
    with pytest.raises(AccountsError, match="1 accounts already"):
        again.admit("draco", "x")


def test_an_account_that_was_removed_does_not_come_back(accounts: KeptAccounts) -> None:
    accounts.admit("harry", "hedwig")
    (accounts.directory / "harry").unlink()
    accounts.played(["harry"])
    assert os.listdir(accounts.directory) == []


def test_files_that_are_no_accounts_are_never_removed(tmp_path: Path) -> None:
    for name in ("README", "folder"):
        (tmp_path / name).touch() if name == "README" else (tmp_path / name).mkdir()
    with pytest.raises(AccountsError, match="2 accounts already"):
        KeptAccounts(tmp_path, 2).admit("harry", "x")
    assert sorted(os.listdir(tmp_path)) == ["README", "folder"]


def test_what_a_killed_daemon_has_left_is_removed_and_never_counts(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f".user{number}.0123456789abcdef").write_text("$argon2id$v=19$m=19")
    accounts = KeptAccounts(tmp_path, 2)
    assert os.listdir(tmp_path) == []
    late = tmp_path / ".late.0123456789abcdef"  # another daemon is about to finish it
    late.write_text("$argon2id$v=19$m=19")
    for name in ("harry", "draco"):
        assert accounts.admit(name, "x") is Verdict.NEW
    assert {*os.listdir(tmp_path)} == {late.name, "harry", "draco"}


def test_accounts_in_memory_know_who_is_who() -> None:
    accounts = MemoryAccounts(10)
    assert accounts.admit("harry", "hedwig")
    assert accounts.admit("harry", "hedwig")
    assert not accounts.admit("harry", "Hedwig")
