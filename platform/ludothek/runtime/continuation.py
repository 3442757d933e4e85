"""Playing on from a position of a record: lobbies whose matches begin in the middle."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs
import orjson

from ludothek.contract.client import Client
from ludothek.contract.effects import Began, Drop, Effect, Kick, Release, Send
from ludothek.contract.game import Game
from ludothek.contract.table import Table
from ludothek.runtime.connection import Connection
from ludothek.runtime.held_clock import HeldClock
from ludothek.runtime.journal import Journal
from ludothek.runtime.lobby import Lobby
from ludothek.runtime.note import Kind, Note
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay
from ludothek.runtime.rerun import Beginning, Rerun

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall

# Keys of clients and lobbies that are at least this long occur in frames only where they are meant.
LONG_KEY = 16

# What is added to the numbers of clients that are only remembered: no other client has them.
GHOSTS = 2**31

# A client in plain data.
_CLIENT = re.compile(rb'(\{"\$":\["client",)(\d+)')


class CannotGoOn(Exception):
    """Nobody can play on from there; the text says why."""


class Continuation:
    """The position after a note of a record, in which others can take the seats."""

    def __init__(self, game: Game, record: Record, place: int) -> None:
        """Raises Differs if the record cannot be repeated, and CannotGoOn."""
        if game.take_over is None:
            raise CannotGoOn(f"nobody can enter a match of {game.title} in the middle")
        replay = Replay(game, record)
        while replay.done < place:
            replay.step()
        if replay.rerun.began is None:
            raise CannotGoOn(f"no match is running after note {place}")
        self.game = game
        self.settings = replay.rerun.settings
        self._beginning, self._notes = record.beginning, record.notes[:place]
        self._seats = [*replay.rerun.present.values()]  # in the order in which they were taken

    def go_on(
        self, lobby: str, clients: Sequence[Connection], now: tuple[float, float], clock: HeldClock
    ) -> tuple[Rerun, Beginning, list[Note]]:
        """The table after all this, as if it had happened to these clients until now.

        Also returns its beginning and the notes from which it could be made again.
        """
        if len(clients) != len(self._seats):
            raise CannotGoOn(f"{len(self._seats)} clients were there, not {len(clients)}")
        past = _Past(
            dict(zip([seat.number for seat in self._seats], clients, strict=True)),
            _words(self._beginning.lobby, lobby)
            | {
                old: new
                for seat, client in zip(self._seats, clients, strict=True)
                for old, new in _words(seat.key, client.key).items()
            },
            now[0] - self._notes[-1].time,
            now[1] - self._notes[-1].date,
        )
        beginning = past.beginning(self._beginning, lobby)
        here = {client.number: client for client in clients}
        rerun, notes = Rerun(self.game, beginning, here.get, clock), []
        for note in self._notes:
            notes.append(past.note(note, rerun.digest))
            rerun.repeat(notes[-1])
        clock.shown = None
        if rerun.began is None:
            raise CannotGoOn("the match does not begin with other clients")
        return rerun, beginning, notes


def _words(old: str, new: str) -> dict[bytes, bytes]:
    return {old.encode(): new.encode()} if len(old) >= LONG_KEY else {}


@attrs.frozen
class _Past:
    """What has happened, with others in the parts of those who were there."""

    seats: Mapping[int, Connection]
    words: Mapping[bytes, bytes]  # keys, and what they are now
    later: float  # seconds by which it happens later
    date_later: float

    def beginning(self, old: Beginning, lobby: str) -> Beginning:
        return attrs.evolve(
            old,
            lobby=lobby,
            time=old.time + self.later,
            date=old.date + self.date_later,
            recipe=self._translated(old.recipe),
            introduced={
                self._number(number): self._known(number, known)
                for number, known in old.introduced.items()
            },
            present=[*map(self._number, old.present)],
        )

    def note(self, old: Note, digest: int) -> Note:
        if old.kind is Kind.INTRODUCED:
            content = self._known(old.client, old.content)
        elif old.kind in (Kind.RECEIVE, Kind.MALFORMED):
            content = self._reworded(old.content)
        else:
            content = self._translated(old.content)
        return Note(
            kind=old.kind,
            client=old.client and self._number(old.client),
            digest=digest,
            time=old.time + self.later,
            date=old.date + self.date_later,
            content=content,
        )

    def _known(self, number: int, known: bytes) -> bytes:
        told = orjson.loads(self._translated(known))
        if (client := self.seats.get(number)) is not None:
            told |= {"key": client.key, "host": client.host, "hosted": client.hosted}
        return orjson.dumps(told)

    def _number(self, old: int) -> int:
        """The number of whoever is now in that part."""
        client = self.seats.get(old)
        return GHOSTS + old if client is None else client.number

    def _translated(self, data: bytes) -> bytes:
        """Plain data, in which clients are numbers."""
        return _CLIENT.sub(
            lambda found: b"%s%d" % (found[1], self._number(int(found[2]))), self._reworded(data)
        )

    def _reworded(self, data: bytes) -> bytes:
        for old, new in self.words.items():
            data = data.replace(old, new)
        return data


class ContinuedLobby(Lobby):
    """A lobby like any other until its match begins; then it goes on in the middle of another."""

    def __init__(
        self,
        continuation: Continuation,
        clock: HeldClock,
        hall: "Hall",
        key: str,
        table: Table,
        seed: int | str = 0,
    ) -> None:
        super().__init__(hall, key, table, seed)
        self._continuation: Continuation | None = continuation
        self._clock = clock

    def _perform_all(self, effects: Iterable[Effect]) -> None:
        found = [*effects]
        began = next((n for n, each in enumerate(found) if isinstance(each, Began)), None)
        if self._continuation is None or began is None:
            super()._perform_all(filter(None, map(_without_ghosts, found)))
            return
        super()._perform_all(found[:began])  # what they are told until the match begins
        continuation, self._continuation = self._continuation, None
        self._jump(continuation)

    def _jump(self, continuation: Continuation) -> None:
        clients = [*self._clients]
        rerun, self.beginning, notes = continuation.go_on(
            self.key, clients, self.hall.stamp(), self._clock
        )
        self.table = self._talk = self.hall.tables[self.key] = rerun.table
        self._timers = rerun.table.timers
        self._match, self.seed = rerun.began, self.beginning.seed
        self._fetches, self.hosts = rerun.fetches, self._hosts_present()
        self.journal = Journal()
        self.journal.resume(notes, rerun.digest)
        take_over = continuation.game.take_over
        assert take_over is not None
        told = [
            (client, [self._codec.encode(each) for each in take_over(rerun.table, client)])
            for client in clients
        ]
        for client, frames in told:
            for frame in frames:  # which are not of the table, so the journal does not count them
                client.post(frame)


def _without_ghosts(effect: Effect) -> Any:
    """The effect on those who are there now; None if there is none."""
    match effect:
        case Send(to=to, message=message):
            clients = tuple(to) if isinstance(to, Iterable) else (to,)
            return Send(tuple(filter(_is_here, clients)), message)
        case Release(client=client) | Kick(client=client) | Drop(client=client):
            return effect if _is_here(client) else None
    return effect


def _is_here(client: Client) -> bool:
    return isinstance(client, Connection)
