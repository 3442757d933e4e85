"""A table made again: from its recipe, its seed, and everything that it was told."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

import attrs

from ludothek.contract import plain
from ludothek.contract.chance import Chance
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Codec, Malformed
from ludothek.contract.effects import (
    TABLE_EFFECTS,
    Began,
    Close,
    Drop,
    Effect,
    Effects,
    Ended,
    Fetch,
    Kick,
    Release,
    Save,
    Send,
    Work,
)
from ludothek.contract.game import Game
from ludothek.contract.orders import Fault, OrderRefused, Shutdown
from ludothek.contract.table import Table
from ludothek.observe import log_context
from ludothek.runtime.begun import Begun
from ludothek.runtime.ending import FAULT, SHUTDOWN, untold
from ludothek.runtime.ghost import Ghost, update
from ludothek.runtime.held_clock import HeldClock, Moment
from ludothek.runtime.journal import Journal
from ludothek.runtime.note import HALVES, Note, NoteKind

# Orders that end everything, and what is said about a match that they end.
_ENDINGS = {Shutdown: SHUTDOWN, Fault: FAULT}


class Diverged(Exception):
    """The repeated table does something else than the original; the text says where."""


@attrs.frozen(kw_only=True)
class Beginning:
    """How a table began."""

    lobby: str
    seed: int | str
    time: float
    date: float
    recipe: bytes  # as plain data
    introduced: Mapping[int, bytes]  # clients that the recipe names, or who are there already
    present: Sequence[int] = ()  # the numbers of the latter, in order of arrival
    prologue: "Prologue | None" = None  # where its matches begin; None: as always


@attrs.frozen
class Prologue:
    """A position in which other matches begin: a table, and what it was told until then."""

    beginning: Beginning
    notes: Sequence[Note]

    def again(self, game: Game) -> "Rerun":
        """The table in that position, made once more; raises Diverged."""
        rerun = Rerun(game, self.beginning)
        for note in self.notes:
            rerun.repeat(note)
        return rerun

    def go_on(self, game: Game, table: Table, effects: Effects) -> Effects:
        """The effects of a step of another table; a match that begins in it continues from here.

        What the table would say about the first position is not sent.
        """
        found = [*effects]
        began = next((n for n, each in enumerate(found) if isinstance(each, Began)), None)
        if began is None:
            return found
        assert game.take_over is not None
        rest = [each for each in found[began + 1 :] if not isinstance(each, Send)]
        return [*found[:began], *game.take_over(table, self.again(game).table), *rest]


class Rerun:
    """Repeats a table note by note, without a core: nothing is sent, kept or waited for."""

    def __init__(
        self,
        game: Game,
        beginning: Beginning,
        find: Callable[[int], Client | None] = lambda number: None,
        clock: HeldClock | None = None,
    ) -> None:
        """Make the table; `find` knows clients that are more than a memory.

        The clock is for a table that goes on after the rerun; meanwhile it shows the past.

        Raises:
          Diverged: it cannot be made.
        """
        self.game = game
        self.moment = Moment(beginning.time, beginning.date)
        held = clock or HeldClock(Clock())
        held.shown = self.moment
        self.clock = held.clock
        self.clients: dict[int, Client] = {}  # that the table has heard of
        self.present: dict[int, Client] = {}  # those who are in the lobby, in order of arrival
        self.began: Begun | None = None  # the current match
        self.ended: list[Ended] = []
        self.closed = False
        self.deaf: set[int] = set()  # numbers of clients that nothing reaches any more
        self.fetches: list[Fetch] = []  # long messages that are not made yet
        self.work: list[Work] = []
        self.saves: list[Save] = []  # files that the latest note asks to keep
        self.timer: object = None  # the latest that was due
        self.seed = beginning.seed  # the latest of the table's generator
        self._ending = ""  # why everything ends now, if it does
        self.heard: Callable[[Any], None] | None = None  # told of each message that is sent
        self._lobby = beginning.lobby
        self._prologue = beginning.prologue
        self._find = find
        self._journal = Journal()
        self._package = game.settings.__module__.rpartition(".")[0]
        try:
            for number, known in beginning.introduced.items():
                self._introduce(number, known)
            self.present.update((number, self._client(number)) for number in beginning.present)
            recipe = self._read(beginning.recipe)
            self.settings = recipe.settings  # with which its lobby was opened
            self._codec: Codec = game.codec(self.clock, self.settings)
            self._rng = Chance(beginning.seed).random()
            self.table: Table = game.table(recipe, self.clock, self._rng)
        except Diverged as problem:
            raise Diverged(f"the table cannot be made: {problem}") from None
        except Exception as error:
            raise Diverged(f"the table cannot be made: {type(error).__name__}: {error}") from error

    @property
    def digest(self) -> int:
        """Of everything that was sent."""
        return self._journal.digest

    @property
    def result(self) -> Ended | None:
        """How its latest match has ended; one that is still running is cut off here."""
        if self.began is not None:
            return self._told(untold(self.began.began))
        return self.ended[-1] if self.ended else None

    def frame_for(self, client: Client, frame: bytes) -> bytes:
        """A frame as one of its receivers gets it."""
        return self._codec.address(frame, client.key)

    def repeat(self, note: Note) -> Sequence[tuple[Sequence[Client], bytes]]:
        """Let the table hear a note again; returns what it sends, each with its receivers.

        Raises:
          Diverged: what it has sent before this note differs, or the note makes no sense to it.
          Exception: a bug of the table, as in the original.
        """
        if note.digest != self.digest:
            raise Diverged("something else was sent")
        self.moment.time, self.moment.date = note.time, note.date
        self.saves = []
        if note.kind is NoteKind.INTRODUCED:
            self._introduce(note.client, note.content)
            return ()
        if note.kind is NoteKind.SEEDED:
            self.seed = note.content.decode()
            self._rng.seed(self.seed)
            return ()
        token = log_context.repeated.set(True)
        try:
            if note.kind is NoteKind.FETCHED:
                return [self._made(note)]
            return [*self._perform(self._act(note))]
        finally:
            log_context.repeated.reset(token)

    def probe(self) -> None:
        """Ask the table what it is asked apart from happenings; raises its bugs."""
        self.table.summary  # noqa: B018
        for fetch in self.fetches:
            self._codec.encode(fetch.make())

    # Happenings

    def _act(self, note: Note) -> Effects:
        table = self.table
        match note.kind:
            case NoteKind.ENTER:
                client = self._client(note.client)
                self.present[note.client] = client  # one that enters again keeps its place
                return table.enter(client, self._read(note.content))
            case NoteKind.RECEIVE:
                message = self._codec.decode_request(note.content)
                return table.receive(self._client(note.client), message)
            case NoteKind.MALFORMED:
                malformed = Malformed(note.content.decode(errors=HALVES))
                return table.receive(self._client(note.client), malformed)
            case NoteKind.LEAVE:
                if self.present.pop(note.client, None) is not None:  # it has hung up by itself
                    self.deaf.add(note.client)
                return table.leave(self._client(note.client))
            case NoteKind.ORDER:
                return self._obey(self._read(note.content))
            case NoteKind.TIME_UP:
                return self._ring()
            case NoteKind.TOLD:
                return table.told(self._read(note.content))
            case NoteKind.WORKED:
                about, result = self._read(note.content)
                self.work = [work for work in self.work if work.about != about]
                return table.worked(about, result)
        raise Diverged(f"a note of kind {note.kind!r}")

    def _ring(self) -> Effects:
        self.timer = self.table.timers.take_due()
        if self.timer is None:
            raise Diverged("no timer is due")
        return self.table.time_up(self.timer)

    def _obey(self, order: Any) -> Effects:
        self._ending = _ENDINGS.get(type(order), "")
        try:
            return tuple(self.table.order(order))
        except OrderRefused:
            return ()

    def _introduce(self, number: int, content: bytes) -> None:
        known = self._read(content)
        client = self.clients.get(number) or self._find(number)
        if client is None:
            client = Ghost(number, **known)
        else:
            update(client, known)
        self.clients[number] = client

    def _client(self, number: int) -> Client:
        if number not in self.clients:
            raise Diverged(f"client {number} was never introduced")
        return self.clients[number]

    def _read(self, content: bytes) -> Any:
        try:
            return plain.read(content, self._package, self.clients.get)
        except plain.NotPlain as error:
            raise Diverged(str(error)) from None

    # Effects

    def _perform(self, effects: Effects) -> Iterator[tuple[Sequence[Client], bytes]]:
        if self._prologue is not None:
            effects = self._prologue.go_on(self.game, self.table, effects)
        for effect, to, frame in [*map(self._prepare, effects)]:
            if type(effect) is Send:
                self._journal.sent(frame, to)
                if self.heard is not None:
                    self.heard(effect.message)
                yield to, frame
            else:
                self._note(effect)

    def _prepare(self, effect: Effect) -> tuple[Effect, Sequence[Client], bytes]:
        """An effect, who gets its message, and that message; fails where the original fails."""
        if type(effect) is Send:
            to = tuple(effect.to) if isinstance(effect.to, Iterable) else (effect.to,)
            return effect, to, self._codec.encode(effect.message)
        if type(effect) not in TABLE_EFFECTS:
            raise TypeError(f"a lobby cannot perform {effect!r}")
        return effect, (), b""

    def _note(self, effect: Effect) -> None:
        match effect:
            case Release(client=client) | Kick(client=client) | Drop(client=client):
                self._let_go(client.number, effect)
            case Began():
                now = self.moment
                self.began = Begun.at(effect, now.time, now.date, self.game.name, self._lobby)
            case Ended():
                self._end(effect)
            case Close():
                self.closed = True
                if self.began is not None:
                    self._end(untold(self.began.began))
            case _:
                self._want(effect)

    def _want(self, effect: Effect) -> None:
        """Remember what the table wants to have done; the rest is nothing to the table itself."""
        match effect:
            case Fetch(to=client):
                self._client(client.number)
                if effect not in self.fetches:
                    self.fetches.append(effect)
            case Work():
                self.work.append(effect)
            case Save():
                self.saves.append(effect)

    def _let_go(self, number: int, effect: Release | Kick | Drop) -> None:
        if not isinstance(effect, Drop):  # which takes a moment
            self.present.pop(number, None)
        if not isinstance(effect, Release):
            self.deaf.add(number)

    def _end(self, ended: Ended) -> None:
        """A match is over; one that never began or is already over does not count."""
        if self.began is not None:
            self.began = None
            self.ended.append(self._told(ended))

    def _told(self, ended: Ended) -> Ended:
        return attrs.evolve(ended, reason=self._ending) if self._ending else ended

    def _made(self, note: Note) -> tuple[Sequence[Client], bytes]:
        """The long message that a client was sent at this point."""
        fetch = next((each for each in self.fetches if each.to.number == note.client), None)
        if fetch is None:
            raise Diverged(f"client {note.client} has not asked for a long message")
        self.fetches.remove(fetch)
        made = datetime.fromisoformat(note.content.decode())
        codec = self.game.codec(Clock(date=lambda: made), self.settings)
        frame = codec.encode(fetch.make())
        self._journal.sent(frame, (fetch.to,))
        return (fetch.to,), frame
