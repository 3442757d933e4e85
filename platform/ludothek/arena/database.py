"""The results of a tournament, in a file that survives crashes."""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import orjson
from cattrs import BaseValidationError

from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import Finish, Outcome, shares
from ludothek.arena.plainly import from_json, to_json
from ludothek.arena.plan import Plan
from ludothek.kit.partial import sweep

# Of the tables below; in the header of the file, with what says whose file it is.
VERSION, APPLICATION = 1, 0x4C756441

# Each commit is on the disk before it returns.
SYNCHRONOUS = "FULL"

# Seconds to wait for somebody who is reading.
_PATIENCE = 30.0

# Of the numbers that SQLite has.
_HIGHEST = 2**63 - 1

_TABLES = """
CREATE TABLE tournament (
    plan TEXT NOT NULL,    -- JSON: all that the file says
    digest TEXT NOT NULL   -- the same for all plans that continue it
);
CREATE TABLE games (
    number INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    rotation INTEGER NOT NULL,  -- games of the same entrants with the same seed
    pairing TEXT NOT NULL,      -- their names, in the order of the file
    seed INTEGER NOT NULL,
    seats TEXT NOT NULL,        -- JSON, as all that follows per seat: names, in the order of turns
    shares TEXT NOT NULL,       -- from 0 to 1; a draw of two is 0.5
    points TEXT NOT NULL,       -- as the game counts
    ranks TEXT NOT NULL,
    reasons TEXT NOT NULL,
    thinking TEXT NOT NULL,     -- seconds: p50, p99, longest, total
    seconds REAL NOT NULL,
    record TEXT,                -- file in the folder of the tournament
    ended TEXT NOT NULL,
    outcome TEXT NOT NULL       -- JSON: the same once more, with the rest
);
CREATE TABLE failures (         -- of ours; the game was repeated
    number INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    failure TEXT NOT NULL,
    ended TEXT NOT NULL
);
"""


class BadDatabase(Exception):
    """The file is not a database of this tournament; the text says why."""


class InUse(Exception):
    """Another arena plays the games of this database."""


class CannotWrite(Exception):
    """A result could not be written: the disk is full, for example."""


@attrs.frozen
class Database:
    """One row per game. What was written is on the disk, whatever happens next."""

    path: Path
    _connection: sqlite3.Connection

    @property
    def folder(self) -> Path:
        """Where the records and logs of its games are."""
        path = self.path.absolute()
        return path.with_name(f"{path.name.removesuffix('.db')}.games")

    @property
    def files(self) -> Sequence[Path]:
        """All that it consists of, whether it is there at the moment or not."""
        path = self.path.absolute()
        return [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm", ".lock")]

    def plan(self) -> Plan:
        """The tournament, as it was run last."""
        with self._reading():
            row = self._connection.execute("SELECT plan FROM tournament").fetchone()
            return Plan.from_json(row[0])

    def outcomes(self) -> dict[int, Outcome]:
        """The games that are over, by number."""
        with self._reading():
            rows = self._connection.execute("SELECT number, outcome FROM games ORDER BY number")
            return {number: from_json(Outcome, text) for number, text in rows}

    def games(self) -> list[dict[str, Any]]:
        """The games that are over, as people and programs read them."""
        with self._reading():
            rows = self._connection.execute("SELECT * FROM games ORDER BY number").fetchall()
            return [_game(dict(row)) for row in rows]

    def count(self) -> int:
        """How many games are over."""
        with self._reading():
            return int(self._connection.execute("SELECT count(*) FROM games").fetchone()[0])

    def game(self, number: int) -> dict[str, Any] | None:
        """A game that is over, as in `games`."""
        found = self.latest(1, before=number + 1)
        return found[0] if found and found[0]["number"] == number else None

    def latest(
        self, limit: int, *, before: int | None = None, players: Sequence[str] = ()
    ) -> list[dict[str, Any]]:
        """Those with the highest numbers, below `before`, in which all these have played.

        Besides what `games` has, each says how many games of its rotation are over.
        """
        played = "EXISTS (SELECT 1 FROM json_each(games.seats) WHERE value = ?)"
        wanted = " AND ".join(["number < ?", *[played] * len(players)])
        query = (
            "SELECT games.*, (SELECT count(*) FROM games AS other WHERE other.number BETWEEN "
            "games.rotation AND games.rotation + json_array_length(games.seats) - 1) AS rotated "
            f"FROM games WHERE {wanted} ORDER BY number DESC LIMIT ?"
        )
        with self._reading():
            most = _HIGHEST if before is None else before
            rows = self._connection.execute(query, (most, *players, limit)).fetchall()
            return [_game(dict(row)) for row in rows]

    def failures(self) -> list[dict[str, Any]]:
        with self._reading():
            rows = self._connection.execute("SELECT * FROM failures ORDER BY rowid").fetchall()
            return [dict(row) for row in rows]

    def add(self, plan: Plan, fixture: Fixture, outcome: Outcome) -> None:
        """Write how a game ended; raises CannotWrite."""
        names = plan.names
        finishes = outcome.finishes
        row = {
            "number": fixture.number,
            "round": fixture.round,
            "rotation": fixture.rotation,
            "pairing": " / ".join(names[entrant] for entrant in sorted(fixture.seats)),
            "seed": fixture.seed,
            "seats": _json([names[entrant] for entrant in fixture.seats]),
            "shares": _json(shares(finishes)),
            "points": _json([finish.points for finish in finishes]),
            "ranks": _json([finish.rank for finish in finishes]),
            "reasons": _json([finish.reason for finish in finishes]),
            "thinking": _json([_thinking(finish) for finish in finishes]),
            "seconds": outcome.seconds,
            "record": outcome.record,
            "ended": _now(),
            "outcome": to_json(outcome).decode(),
        }
        marks = ", ".join(f":{key}" for key in row)
        with self._writing():
            self._connection.execute(f"INSERT INTO games ({', '.join(row)}) VALUES ({marks})", row)

    def add_failure(self, number: int, attempt: int, failure: str) -> None:
        """Write that a game failed through our fault; raises CannotWrite."""
        with self._writing():
            self._connection.execute(
                "INSERT INTO failures VALUES (?, ?, ?, ?)", (number, attempt, failure, _now())
            )

    def adopt(self, plan: Plan) -> None:
        """Take over a plan that continues this tournament; raises BadDatabase, CannotWrite."""
        with self._reading():
            row = self._connection.execute("SELECT digest, plan FROM tournament").fetchone()
        if row is not None and row["digest"] != plan.digest:
            what = _differences(plan, row["plan"])
            raise BadDatabase(
                f"{self.path} has the results of another tournament: its file was different"
                f"{what}; use another --db"
            )
        with self._writing():
            self._connection.execute("DELETE FROM tournament")
            self._connection.execute(
                "INSERT INTO tournament VALUES (?, ?)", (plan.to_json().decode(), plan.digest)
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            with self._connection:  # commits, or takes everything back
                yield
        except sqlite3.Error as error:
            raise CannotWrite(f"{self.path} cannot be written: {error}") from error

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError, BaseValidationError) as error:
            raise BadDatabase(f"{self.path} cannot be read: {error}") from error


@contextmanager
def open_to_read(path: Path) -> Iterator[Database]:
    """The database of a tournament, which may be running; raises BadDatabase."""
    if not path.exists():
        raise BadDatabase(f"there is no {path}; platform arena run makes one")
    with _connected(path, f"{path.absolute().as_uri()}?mode=ro") as connection:
        _check(connection, path)
        yield Database(path, connection)


@contextmanager
def open_to_write(path: Path, plan: Plan) -> Iterator[Database]:
    """The database of this tournament, made if need be, for one arena at a time.

    Raises:
      BadDatabase: it is another tournament's.
      InUse: another arena has it.
      CannotWrite: the disk is full, for example.
    """
    with _locked(path), _connected(path, path.absolute().as_uri()) as connection:
        try:
            connection.execute(f"PRAGMA synchronous = {SYNCHRONOUS}")
            if connection.execute("PRAGMA page_count").fetchone()[0] == 0:
                _create(connection)
            _check(connection, path)
            # With a log, a commit waits for the disk once, and nobody who reads is in the way.
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            raise CannotWrite(f"{path} cannot be written: {error}") from error
        except sqlite3.DatabaseError as error:
            raise BadDatabase(f"{path}: {error}") from error
        database = Database(path, connection)
        database.adopt(plan)
        sweep(database.folder)
        try:
            yield database
        finally:
            # One file that anybody can read; if somebody is reading now, it stays as it is.
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA busy_timeout = 0")
                connection.execute("PRAGMA journal_mode = DELETE")


def _differences(plan: Plan, text: str) -> str:
    """In what a plan is another one than the one that was written; empty if nobody knows."""
    with suppress(ValueError, TypeError, KeyError, BaseValidationError):  # of another version
        if differences := plan.differences(Plan.from_json(text)):
            return f" in {', '.join(differences)}"
    return ""


def _create(connection: sqlite3.Connection) -> None:
    connection.executescript(
        f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
        f"{_TABLES} COMMIT;"
    )


@contextmanager
def _connected(path: Path, uri: str) -> Iterator[sqlite3.Connection]:
    try:
        connection = sqlite3.connect(uri, uri=True, timeout=_PATIENCE)
    except sqlite3.Error as error:
        raise BadDatabase(f"{path}: {error}") from error
    connection.row_factory = sqlite3.Row
    try:
        yield connection
    finally:
        connection.close()


def _check(connection: sqlite3.Connection, path: Path) -> None:
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        raise BadDatabase(f"{path}: {error}") from error
    if application != APPLICATION:
        raise BadDatabase(f"{path} is not the database of a tournament")
    if version != VERSION:
        raise BadDatabase(f"{path} was made by another version of this program")


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep others from running the same tournament.

    The lock is on a file of its own: closing a second descriptor of the database would take away
    SQLite's own locks.
    """
    lock = path.with_name(f"{path.name}.lock")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise CannotWrite(f"{lock} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise InUse(f"{path} is in use: another arena plays its games") from None
    try:
        yield
    finally:
        os.close(descriptor)  # the file stays: somebody else may have opened it meanwhile


def _game(row: dict[str, Any]) -> dict[str, Any]:
    outcome = from_json(Outcome, row.pop("outcome"))
    for key in ("seats", "shares", "points", "ranks", "reasons", "thinking"):
        row[key] = orjson.loads(row[key])
    row["words"] = [finish.words for finish in outcome.finishes]
    row["logs"] = [finish.log for finish in outcome.finishes]
    return row


def _thinking(finish: Finish) -> Mapping[str, float]:
    return attrs.asdict(finish.thinking)


def _json(values: Sequence[Any]) -> str:
    return orjson.dumps(values).decode()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
