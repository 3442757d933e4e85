"""User names and passwords: kept, shared, safe from crashes and from each other."""

import os
import stat
import threading
from collections.abc import Container
from pathlib import Path

import argon2
import pytest
import trio

from games.quidditch.accounts import (
    AT_ONCE,
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


async def test_the_first_password_of_a_name_is_its_password(accounts: KeptAccounts) -> None:
    assert await accounts.admit("harry", "hedwig")
    assert await accounts.admit("harry", "hedwig")
    assert not await accounts.admit("harry", "Hedwig")
    assert not await accounts.admit("harry", "")
    assert await accounts.admit("draco", "")  # whoever wants none has none
    assert not await accounts.admit("draco", "hedwig")


async def test_accounts_outlive_the_daemon(accounts: KeptAccounts) -> None:
    await accounts.admit("harry", "hedwig")
    again = KeptAccounts(accounts.directory, 100)
    assert await again.admit("harry", "hedwig")
    assert not await again.admit("harry", "scabbers")


async def test_no_password_is_written_and_nobody_else_can_read(accounts: KeptAccounts) -> None:
    await accounts.admit("harry", "hedwig")
    path = accounts.directory / "harry"
    assert path.read_text().startswith("$argon2id$")
    assert "hedwig" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(accounts.directory.stat().st_mode) == 0o700
    assert os.listdir(accounts.directory) == ["harry"]


async def test_of_two_who_want_one_new_name_at_once_exactly_one_gets_it(tmp_path: Path) -> None:
    for attempt in range(5):
        # Two endpoints with one directory, as two daemons would have it.
        one, two = (KeptAccounts(tmp_path, 100) for _ in range(2))
        admitted: list[str] = []

        async def try_(accounts: KeptAccounts, password: str, name: str) -> None:
            if await accounts.admit(name, password):
                admitted.append(password)  # noqa: B023 - of this attempt

        async with trio.open_nursery() as nursery:
            nursery.start_soon(try_, one, "aaa", f"user{attempt}")
            nursery.start_soon(try_, two, "bbb", f"user{attempt}")
        assert len(admitted) == 1
        assert await one.admit(f"user{attempt}", admitted[0])


async def test_half_a_file_of_a_crash_is_no_account(accounts: KeptAccounts) -> None:
    accounts.directory.mkdir(parents=True)
    (accounts.directory / ".harry.0123456789abcdef").write_text("$argon2id$v=19$m=19")
    assert await accounts.admit("harry", "hedwig")
    assert await accounts.admit("harry", "hedwig")


async def test_whoever_removes_the_file_makes_the_name_free_again(accounts: KeptAccounts) -> None:
    await accounts.admit("harry", "hedwig")
    (accounts.directory / "harry").unlink()
    assert await accounts.admit("harry", "firebolt")
    assert not await accounts.admit("harry", "hedwig")


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
async def test_a_file_that_is_no_account_lets_nobody_in(
    accounts: KeptAccounts, content: bytes
) -> None:
    accounts.directory.mkdir(parents=True)
    (accounts.directory / "harry").write_bytes(content)
    with pytest.raises(AccountsError) as caught:
        await accounts.admit("harry", "hedwig")
    assert str(accounts.directory / "harry") in str(caught.value)
    assert (accounts.directory / "harry").read_bytes() == content


async def test_a_place_where_nothing_can_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(AccountsError, match="Not a directory"):
        await KeptAccounts(tmp_path / "file" / "accounts", 10).admit("harry", "hedwig")


def few(directory: Path, most: int, *, kept: bool, present: Container[str] = ()) -> Accounts:
    return KeptAccounts(directory, most, present) if kept else MemoryAccounts(most, present)


@pytest.mark.parametrize("kept", [True, False])
async def test_names_run_out(tmp_path: Path, kept: bool) -> None:
    accounts = few(tmp_path, 2, kept=kept)
    assert await accounts.admit("harry", "1")
    assert await accounts.admit("draco", "2")
    accounts.played(["harry", "draco"])
    for name in ("luna", "peter"):
        with pytest.raises(AccountsError, match="2 accounts already"):
            await accounts.admit(name, "3")
    assert await accounts.admit("harry", "1")


@pytest.mark.parametrize("kept", [True, False])
async def test_the_oldest_name_that_never_played_makes_room(tmp_path: Path, kept: bool) -> None:
    accounts = few(tmp_path, 4, kept=kept, present={"ron"})
    for age, name in enumerate(("harry", "ron", "draco", "luna")):
        await accounts.admit(name, "old")
        if kept:
            os.utime(tmp_path / name, (age, age))
    accounts.played(["harry", "nobody"])
    assert await accounts.admit("peter", "new") is Verdict.NEW
    assert await accounts.admit("luna", "old", register=False) is Verdict.KNOWN
    assert await accounts.admit("vernon", "new") is Verdict.NEW
    for name in ("harry", "ron", "peter", "vernon"):
        assert await accounts.admit(name, "new", register=False) is (
            Verdict.KNOWN if name in ("peter", "vernon") else Verdict.WRONG
        )
    for name in ("draco", "luna", "nobody"):
        with pytest.raises(Unregistered):
            await accounts.admit(name, "old", register=False)


async def test_whoever_has_played_is_remembered_beyond_the_end(accounts: KeptAccounts) -> None:
    await accounts.admit("harry", "hedwig")
    for _ in range(3):
        accounts.played(["harry"])
    assert (accounts.directory / "harry").read_text().splitlines()[1:] == ["played"]
    again = KeptAccounts(accounts.directory, 1)
    assert await again.admit("harry", "hedwig") is Verdict.KNOWN
    assert await again.admit("harry", "scabbers") is Verdict.WRONG
    with pytest.raises(AccountsError, match="1 accounts already"):
        await again.admit("draco", "x")


async def test_an_account_that_was_removed_does_not_come_back(accounts: KeptAccounts) -> None:
    await accounts.admit("harry", "hedwig")
    (accounts.directory / "harry").unlink()
    accounts.played(["harry"])
    assert os.listdir(accounts.directory) == []


async def test_files_that_are_no_accounts_are_never_removed(tmp_path: Path) -> None:
    for name in ("README", "folder"):
        (tmp_path / name).touch() if name == "README" else (tmp_path / name).mkdir()
    with pytest.raises(AccountsError, match="2 accounts already"):
        await KeptAccounts(tmp_path, 2).admit("harry", "x")
    assert sorted(os.listdir(tmp_path)) == ["README", "folder"]


async def test_what_a_killed_daemon_has_left_is_removed_and_never_counts(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f".user{number}.0123456789abcdef").write_text("$argon2id$v=19$m=19")
    accounts = KeptAccounts(tmp_path, 2)
    assert os.listdir(tmp_path) == []
    late = tmp_path / ".late.0123456789abcdef"  # that another daemon is about to finish
    late.write_text("$argon2id$v=19$m=19")
    for name in ("harry", "draco"):
        assert await accounts.admit(name, "x") is Verdict.NEW
    assert {*os.listdir(tmp_path)} == {late.name, "harry", "draco"}


async def test_a_disk_that_hangs_does_not_keep_the_daemon_from_ending(
    accounts: KeptAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    released = threading.Event()
    monkeypatch.setattr(
        argon2.PasswordHasher, "hash", lambda self, password: released.wait(30) and ""
    )
    try:
        with trio.move_on_after(0.05) as scope:
            await accounts.admit("harry", "hedwig")
        assert scope.cancelled_caught
        assert not released.is_set()
    finally:
        released.set()


async def test_accounts_in_memory_know_who_is_who() -> None:
    accounts = MemoryAccounts(10)
    assert await accounts.admit("harry", "hedwig")
    assert await accounts.admit("harry", "hedwig")
    assert not await accounts.admit("harry", "Hedwig")


async def test_no_more_than_two_passwords_are_hashed_at_once(
    accounts: KeptAccounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = most = 0
    original = argon2.PasswordHasher.hash

    def hash_(self: argon2.PasswordHasher, password: str) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return original(self, password)
        finally:
            running -= 1

    monkeypatch.setattr(argon2.PasswordHasher, "hash", hash_)
    async with trio.open_nursery() as nursery:
        for number in range(8):
            nursery.start_soon(accounts.admit, f"user{number}", "x")
    assert 1 <= most <= AT_ONCE
