"""The clerk of a lobby: keeps its journal, from which its table can be repeated."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ludothek.contract import plain
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import Effects, Renew
from ludothek.kit.reports import words
from ludothek.runtime.connection import Connection
from ludothek.runtime.ghost import introduce
from ludothek.runtime.journal import Journal
from ludothek.runtime.note import HALVES, NoteKind
from ludothek.runtime.recovery import PastLobby
from ludothek.runtime.rerun import Beginning, Prologue, Rerun

if TYPE_CHECKING:
    from ludothek.contract.client import Client
    from ludothek.runtime.hall import Hall


class Clerk:
    """Writes down how a table began and everything that it hears."""

    __slots__ = (
        "_hall",
        "_prologue",
        "_revisions",
        "beginning",
        "journal",
        "renewal",
        "seed",
        "serial",
    )

    def __init__(
        self,
        hall: "Hall",
        lobby: str,
        seed: int | str,
        recipe: Any,
        prologue: Prologue | None = None,
    ) -> None:
        self.serial = 0  # of the lobby: unlike all others of the daemon, also of earlier processes
        self.beginning: Beginning
        self.journal: Journal
        self.renewal: Renew | None = None  # what the current step leads to
        self.seed: int | str  # of the table's generator
        self._hall = hall
        self._prologue = prologue
        # Of clients by number, when they were last introduced. They are not kept themselves: people
        # come and go for days before a journal ends.
        self._revisions: dict[int, int]
        self._begin(lobby, seed, recipe, ())

    def _begin(
        self, lobby: str, seed: int | str, recipe: Any, present: Collection[Connection]
    ) -> None:
        """Begin a journal from which this table can be repeated."""
        self.seed = seed
        self.journal = Journal()
        self._revisions = {}
        met: dict[int, bytes] = {}
        try:
            met.update((client.number, introduce(client)) for client in present)
            data = plain.write(
                recipe, lambda client: met.update({client.number: introduce(client)})
            )
        except plain.NotPlain as problem:
            data = b"null"
            self.journal.give_up(str(problem))
        if recipe is None:
            self.journal.give_up("a table without a recipe")
        time, date = self._hall.stamp()
        self.beginning = Beginning(
            lobby=lobby,
            seed=seed,
            time=time,
            date=date,
            recipe=data,
            introduced=met,
            present=tuple(client.number for client in present),
            prologue=self._prologue,
        )

    def renew(self, present: Collection[Connection]) -> bool:
        """Forget everything if the step leads to that; these clients are in the lobby."""
        renewal = self._reseed()
        if renewal is not None:
            self._begin(self.beginning.lobby, self.seed, renewal.recipe, present)
        return renewal is not None

    def remember(self) -> None:
        """Forget nothing even so, as the past is still needed."""
        if self._reseed() is not None:
            self._write(NoteKind.SEEDED, None, str(self.seed).encode())

    def _reseed(self) -> Renew | None:
        """What comes now cannot be computed from the record of what was before."""
        renewal, self.renewal = self.renewal, None
        if renewal is not None:
            self.seed = self._hall.seed_after(self.beginning.lobby, self.seed)
            renewal.chance.seed(self.seed)
        return renewal

    def resume(self, past: PastLobby, rerun: Rerun) -> None:
        """Continue where the clerk of another process has stopped."""
        self.serial, self.beginning, self.seed = past.serial, past.beginning, rerun.seed
        self.journal = Journal()
        self.journal.resume(past.notes, rerun.digest)

    # Happenings

    def note(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None,
    ) -> None:
        """Write down a happening, before the table hears of it."""
        hall = self._hall
        if frame is not None and by is not None and self._revisions.get(by.number) == by.revision:
            # As nearly always: a message of a client that is known.
            note = self.journal.note(hall.stamp(), NoteKind.RECEIVE, by.number, frame)
            if hall.annals is not None:
                hall.annals.noted(self.serial, note)
            return
        try:
            if by is not None:
                self.acquaint(by)
            if frame is not None:
                self._write(NoteKind.RECEIVE, by, frame)
            else:
                self._write(*self._put(act.__name__, args, by))
        except Exception as problem:  # whatever it is: the match goes on without a record
            self.journal.give_up(words(problem))
            told = [arg for arg in args if arg is not by]
            self._write(
                NoteKind.UNWRITTEN, by, f"{act.__name__} {words(told)}".encode(errors=HALVES)
            )

    def note_fetched(self, client: Connection, frame: bytes, made: datetime) -> None:
        """A client is sent the long message that it has asked for."""
        self._write(NoteKind.FETCHED, client, made.isoformat().encode())
        self.journal.sent(frame, (client,))

    def _put(
        self, what: str, args: tuple[Any, ...], by: Connection | None
    ) -> tuple[NoteKind, Connection | None, bytes]:
        """A happening other than a frame, as it is written."""
        match what:
            case "receive" if isinstance(args[1], Malformed):
                return NoteKind.MALFORMED, by, args[1].reason.encode(errors=HALVES)
            case "enter":
                return NoteKind.ENTER, by, self._plain(args[1])
            case "leave":
                return NoteKind.LEAVE, by, b""
            case "time_up":
                return NoteKind.TIME_UP, None, words(args[0]).encode(errors=HALVES)
            case "order" | "told":
                return NoteKind[what.upper()], None, self._plain(args[0])
            case "worked":
                return NoteKind.WORKED, by, self._plain(args)
        raise plain.NotPlain(f"cannot write down {what}")

    def _plain(self, value: Any) -> bytes:
        met: list[Client] = []
        data = plain.write(value, met.append)
        for client in met:
            if not self.journal.knows(client.number):
                self._introduce(client)
        return data

    def _write(self, kind: NoteKind, by: "Client | None", content: bytes) -> None:
        number = 0 if by is None else by.number
        note = self.journal.note(self._hall.stamp(), kind, number, content)
        if self._hall.annals is not None:
            self._hall.annals.noted(self.serial, note)

    # Clients

    def acquaint(self, client: Connection) -> None:
        """The reception may have changed what is known about a client."""
        if self._revisions.get(client.number) != client.revision:
            self._revisions[client.number] = client.revision
            self._introduce(client)

    def part(self, client: Connection) -> None:
        """A client has left; if it comes back, it is introduced again."""
        self._revisions.pop(client.number, None)

    def _introduce(self, client: "Client") -> None:
        """Write down what is known about a client, unless that was done before."""
        known = introduce(client)
        if self.journal.introduce(client.number, known):
            self._write(NoteKind.INTRODUCED, client, known)
