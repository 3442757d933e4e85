"""Links that log organisers in, and sessions."""

import stat
from collections.abc import Callable
from pathlib import Path
from threading import Event

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.control.logins import keep
from ludothek.control.sessions import (
    FILE,
    LINK_SECONDS,
    MAX_LINKS,
    MAX_SESSIONS,
    SESSION_SECONDS,
    Credentials,
    Sessions,
)


@attrs.define
class Time:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def sessions(time: Time, tmp_path: Path) -> Sessions:
    return Sessions(tmp_path / "state", time, time)


def log_in(sessions: Sessions) -> str:
    entered = sessions.log_in(sessions.invite())
    assert entered is not None
    return entered.secret


def test_a_link_works_once(sessions: Sessions) -> None:
    key = sessions.invite()
    assert sessions.log_in(key) is not None
    assert sessions.log_in(key) is None


def test_a_link_works_for_some_minutes(sessions: Sessions, time: Time) -> None:
    early, late = sessions.invite(), sessions.invite()
    time.now += LINK_SECONDS - 1
    assert sessions.log_in(early) is not None
    time.now += 1
    assert sessions.log_in(late) is None


def test_nothing_else_logs_in(sessions: Sessions) -> None:
    key = sessions.invite()
    for guess in ("", key[:-1], key + "x", key.upper(), "\udc80", "0" * 10_000):
        assert sessions.log_in(guess) is None
        assert sessions.find(guess) is None
    assert sessions.find(key) is None  # a link is not what a browser shows
    assert sessions.log_in(key) is not None


def test_no_secret_is_kept(sessions: Sessions, tmp_path: Path) -> None:
    link, credentials = sessions.invite(), sessions.log_in(sessions.invite())
    assert isinstance(credentials, Credentials)
    save = sessions.save()
    assert save is not None
    save()
    kept = (tmp_path / "state" / FILE).read_text() + repr(vars(sessions))
    assert link not in kept
    assert credentials.secret not in kept
    assert credentials.token not in kept


def test_a_session_ends_after_a_day_in_the_lab(sessions: Sessions, time: Time) -> None:
    secret = log_in(sessions)
    session = sessions.find(secret)
    assert session is not None
    time.now += SESSION_SECONDS - 1
    assert sessions.alive(session)
    time.now += 1
    assert sessions.find(secret) is None
    assert not sessions.alive(session)


def test_there_are_only_so_many_links_and_sessions(sessions: Sessions) -> None:
    links = [sessions.invite() for _ in range(MAX_LINKS + 1)]
    assert sessions.log_in(links[0]) is None
    assert sessions.log_in(links[1]) is not None
    secrets = [log_in(sessions) for _ in range(MAX_SESSIONS)]
    assert [sessions.find(secret) is not None for secret in secrets] == [True] * MAX_SESSIONS
    last = log_in(sessions)
    assert (sessions.find(secrets[0]), sessions.find(last) is None) == (None, False)


def test_logging_out_ends_one_session_or_all(sessions: Sessions) -> None:
    one, two, three = (log_in(sessions) for _ in range(3))
    link = sessions.invite()
    sessions.log_out(two)
    assert [sessions.find(each) is not None for each in (one, two, three)] == [True, False, True]
    assert sessions.log_out_all() == 2
    assert [sessions.find(each) for each in (one, two, three)] == [None] * 3
    assert sessions.log_in(link) is None


def test_sessions_outlive_the_process_but_links_do_not(
    sessions: Sessions, time: Time, tmp_path: Path
) -> None:
    log_in(sessions)
    secret, link = log_in(sessions), sessions.invite()
    save = sessions.save()
    assert save is not None
    save()
    file = tmp_path / "state" / FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    others = Sessions(file.parent, time, time)
    others.load()
    session = others.find(secret)
    assert session is not None
    assert session.number == 2
    assert others.log_in(link) is None
    entered = others.log_in(others.invite())
    assert entered is not None
    assert entered.session.number == 3


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"count": 1, "sessions": [{"hash": 1}]}'])
def test_a_file_that_cannot_be_read_means_to_log_in_again(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE).write_text(content)
    sessions = Sessions(tmp_path, lambda: 0.0)
    sessions.load()
    assert log_in(sessions)


async def test_whoever_was_logged_out_stays_so_however_slow_the_disk_is(
    sessions: Sessions, time: Time, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, sound = Event(), Sessions.save

    def slow(sessions: Sessions) -> Callable[[], None] | None:
        save = sound(sessions)
        assert save is not None
        monkeypatch.undo()  # only the first one takes its time
        return lambda: (disk.wait(60), save())[1]

    monkeypatch.setattr(Sessions, "save", slow)
    log_in(sessions)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep, sessions)
        await wait_all_tasks_blocked()
        sessions.log_out_all()
        nursery.start_soon(keep, sessions)
        for _ in range(20):  # give its thread a chance to be first
            await trio.to_thread.run_sync(lambda: None)
        disk.set()
    again = Sessions(tmp_path / "state", time, time)
    again.load()
    assert again.log_out_all() == 0
