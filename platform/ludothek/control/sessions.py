"""Organisers at the web page: links that log one in, and who is logged in.

A link works once and for a few minutes. What a browser then shows with each request is a secret of
its own, and what the page's script shows besides is another. Of all, only hashes are kept:
whoever can read our memory or our files learns none.
"""

import hmac
import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import attrs
import orjson
import structlog

from ludothek.kit.files import read_small_file
from ludothek.kit.partial import partial_file
from ludothek.storage.private import make_private
from transports import unstopped_time

log = structlog.get_logger()

SECRET_BYTES = 32
# To go from the terminal to the browser, also of a colleague.
LINK_SECONDS = 300.0
# A long day in the lab.
SESSION_SECONDS = 12 * 3600.0
# The oldest makes room for one more.
MAX_LINKS = 10
MAX_SESSIONS = 20

FILE = "organisers.json"
MAX_FILE_BYTES = 64 * 1024

Hash = str


def _hashed(secret: str) -> Hash:
    return sha256(secret.encode(errors="replace")).hexdigest()


@attrs.frozen(kw_only=True)
class Session:
    """One organiser at one browser."""

    number: int  # says in the log who has done something
    ends: float  # in seconds since 1970: it may outlive this process
    token: Hash

    def knows(self, token: str) -> bool:
        """Whether that is the token of this session."""
        return hmac.compare_digest(_hashed(token), self.token)

    @property
    def live(self) -> str:
        """What the page shows to follow events, where browsers send no headers of ours: it is part
        of an address, which proxies may log, so it is good for nothing else."""
        return hmac.new(self.token.encode(), b"live", sha256).hexdigest()


@attrs.frozen(kw_only=True)
class Credentials:
    """What an organiser gets who logs in."""

    secret: str  # for the cookie
    # What the page has to show with each request. Only its own script has it: browsers show a
    # cookie to every port of a host, so anybody who runs a server on this machine may see it.
    token: str
    session: Session


class Sessions:
    """Links and sessions of one daemon."""

    def __init__(
        self,
        folder: Path | None = None,
        clock: Callable[[], float] = unstopped_time,
        date: Callable[[], float] = time.time,
    ) -> None:
        self.page = ""  # the address of the page; empty: there is none
        self._file = folder / FILE if folder else None
        self._clock = clock
        self._date = date
        self._links: dict[Hash, float] = {}  # until when each is good, in order
        self._sessions: dict[Hash, Session] = {}
        self._count = 0

    # Logging in

    def invite(self) -> str:
        """A secret that logs one organiser in."""
        self._forget()
        _make_room(self._links, MAX_LINKS)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        self._links[_hashed(secret)] = self._clock() + LINK_SECONDS
        return secret

    def log_in(self, invitation: str) -> Credentials | None:
        """Begin a session; None if that is not an invitation."""
        self._forget()
        if self._links.pop(_hashed(invitation), None) is None:
            return None
        _make_room(self._sessions, MAX_SESSIONS)
        self._count += 1
        secret, token = (secrets.token_urlsafe(SECRET_BYTES) for _ in range(2))
        ends = self._date() + SESSION_SECONDS
        session = Session(number=self._count, ends=ends, token=_hashed(token))
        self._sessions[_hashed(secret)] = session
        return Credentials(secret=secret, token=token, session=session)

    def find(self, secret: str) -> Session | None:
        """The session of a browser that shows this."""
        self._forget()
        return self._sessions.get(_hashed(secret))

    def alive(self, session: Session) -> bool:
        """Whether it is still valid."""
        self._forget()
        return session in self._sessions.values()

    def log_out(self, secret: str) -> None:
        self._sessions.pop(_hashed(secret), None)

    def log_out_all(self) -> int:
        """End all sessions, and forget all links; returns how many sessions there were."""
        self._forget()
        count = len(self._sessions)
        self._sessions.clear()
        self._links.clear()
        return count

    def _forget(self) -> None:
        now, date = self._clock(), self._date()
        self._links = {key: until for key, until in self._links.items() if until > now}
        self._sessions = {key: each for key, each in self._sessions.items() if each.ends > date}

    # The next process

    def save(self) -> Callable[[], None] | None:
        """What a worker thread has to do, so that sessions outlive this process."""
        if self._file is None:
            return None
        kept = [{"hash": key, **attrs.asdict(each)} for key, each in self._sessions.items()]
        file, content = self._file, orjson.dumps({"count": self._count, "sessions": kept})
        return lambda: _write(file, content)

    def load(self) -> None:
        """Continue with the sessions of an earlier process; for a worker thread."""
        if self._file is None:
            return
        try:
            found = orjson.loads(read_small_file(self._file, MAX_FILE_BYTES))
            self._count, self._sessions = int(found["count"]), dict(_read(found["sessions"]))
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            log.warning("organisers have to log in again", problem=str(error)[:200])


def _read(entries: Iterable[Mapping[str, Any]]) -> Iterable[tuple[Hash, Session]]:
    for each in entries:
        number, ends, token = int(each["number"]), float(each["ends"]), str(each["token"])
        yield str(each["hash"]), Session(number=number, ends=ends, token=token)


def _write(file: Path, content: bytes) -> None:
    try:
        make_private(file.parent)
        with partial_file(file, 0o600) as partial:
            partial.write_bytes(content)
            partial.replace(file)
    except OSError as error:
        log.warning("organisers will have to log in again after a restart", problem=str(error))


def _make_room(entries: dict[Hash, Any], most: int) -> None:
    while len(entries) >= most:
        del entries[next(iter(entries))]
