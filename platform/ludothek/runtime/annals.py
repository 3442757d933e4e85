"""What is alive at one endpoint, as entries for the chronicle.

Lobbies are written as their happenings, to be repeated. What is known about connections and by the
reception is written as it is, whenever it has changed: they live too long to be repeated.
"""

from base64 import b64encode
from collections.abc import Callable, Iterator
from struct import Struct
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from ludothek.contract import plain
from ludothek.kit.reports import words
from ludothek.runtime.ghost import introduce
from ludothek.runtime.record_lines import simple_beginning
from ludothek.wire.wire import Wire
from transports.tape import LINK

if TYPE_CHECKING:
    from ludothek.runtime.chronicle import Chronicle
    from ludothek.runtime.clientele import Clientele
    from ludothek.runtime.connection import Connection
    from ludothek.runtime.estate import Estate
    from ludothek.runtime.hall import Hall
    from ludothek.runtime.hosted_bot import HostedBot
    from ludothek.runtime.lobby import Lobby
    from ludothek.runtime.person import Person

log = structlog.get_logger()

# An entry with notes of a lobby, perhaps compressed: the mark, and the lobby's serial number. All
# other entries are JSON.
NOTES, PAGE = b"n", b"z"
NOTES_HEAD = Struct("<cQ")

# What comes between the identity of an endpoint that is not configured any more and its number.
RETIRED = "/"

# Estates that are kept for a disk that is slow, or hangs; each may have some ten thousand bytes.
MOST_OWED = 1000


class Annals:
    """Notes what happens at one endpoint."""

    def __init__(
        self,
        chronicle: "Chronicle",
        identity: str,
        hall: "Hall",
        clients: "Clientele",
        wire: Wire | None,
    ) -> None:
        self.chronicle = chronicle
        self._identity = identity  # of the endpoint, the same in the next process
        self._hall = hall
        self._everybody = clients
        self._wire = wire
        self._clients: dict[Connection, None] = {}  # that may have changed in this turn
        self._gone: list[int] = []
        self._known: dict[Connection, bytes] = {}  # as it was last written
        self._entry_told = b""  # likewise, about the reception
        self._memory: tuple[Any, bytes] = None, b"null"  # what it remembers, and the same as bytes
        # What is not on disk yet, and, once it was handed to the writers, whether it is.
        self._owed: dict[int, tuple[Estate, Callable[[], bool] | None]] = {}
        self._ended = False
        self._note = chronicle.ledger.note
        self.at_work, self.repeating = chronicle.ledger.at_work, chronicle.ledger.repeating
        chronicle.annals.append(self)

    # What happens

    def opened(self, lobby: "Lobby") -> None:
        lobby.clerk.serial = self.chronicle.next_serial()
        self._note(self._lobby(lobby))

    def renewed(self, lobby: "Lobby") -> None:
        """Its earlier notes are not needed any more."""
        self._note(self._lobby(lobby))

    def noted(self, serial: int, note: bytes) -> None:
        """The lobby of that number is about to handle this."""
        self.at_work(serial)
        self._note(NOTES_HEAD.pack(NOTES, serial), note)

    def closed(self, lobby: "Lobby") -> None:
        self._note(self._entry("closed", serial=lobby.serial))

    def touch(self, client: "Connection | None" = None) -> None:
        """The reception, and perhaps what is known about a client, may change in this turn."""
        if client is not None:
            self._clients[client] = None
        self.at_work(LINK | client.link_id if client is not None and client.link_id else 0)
        self.chronicle.change(self)

    def gone(self, client: "Connection") -> None:
        """A connection is over."""
        self._clients.pop(client, None)
        if self._known.pop(client, None) is not None:
            self._gone.append(client.number)
        self.chronicle.change(self)

    def retire(self) -> None:
        """The endpoint is not configured any more, and another one may have its address soon.

        The next process must not take one for the other: they have clients of the same numbers.
        """
        identity = f"{self._identity}{RETIRED}{self.chronicle.next_serial()}"
        self._note(self._entry("retired", now=identity))
        self._identity = identity

    def end(self) -> None:
        """Nobody is there any more, nor will anybody come."""
        self._ended = True

    @property
    def are_over(self) -> bool:
        """Whether there is nothing left to write down, now or later."""
        return self._ended and not self._owed

    def owe(self, estate: "Estate", serial: int) -> int:
        """Keep the estate of a lobby until it is on disk; returns its number.

        That is 0 if the disk is so slow that too many are kept already. The serial number is 0 if
        the lobby is not open any more; otherwise its beginning and notes are not written again.
        """
        if len(self._owed) >= MOST_OWED:
            return 0
        number = self.chronicle.next_serial()
        self._owed[number] = estate, None
        self._note(self._owing(number, estate, serial))
        return number

    def _owing(self, number: int, estate: "Estate", serial: int = 0) -> bytes:
        told = estate.simple() if serial else estate.simple() | estate.simple_lobby()
        return self._entry("owed", number=number, serial=serial, estate=told)

    def handed_over(self, number: int, is_done: Callable[[], bool]) -> None:
        """An estate is being written, and this tells when it is."""
        self._owed[number] = self._owed[number][0], is_done

    def settle(self) -> None:
        """Forget what is on disk by now."""
        done = [number for number, (_, is_done) in self._owed.items() if is_done and is_done()]
        for number in done:
            del self._owed[number]
            self._note(self._entry("kept", number=number))

    # Entries

    def changes(self) -> Iterator[bytes]:
        """What has changed since this was last called."""
        clients, self._clients = self._clients, {}
        for client in clients:
            if (known := self._client(client)) != self._known.get(client):
                self._known[client] = plain.trimmed(known)
                yield known
        gone, self._gone = self._gone, []
        for number in gone:
            yield self._entry("gone", number=number)
        if (reception := self._reception()) != self._entry_told:
            self._entry_told = plain.trimmed(reception)
            yield reception

    def everything(self) -> Iterator[bytes]:
        """All that is alive."""
        yield self._reception()
        for client in sorted(self._everybody, key=lambda client: client.number):
            if client in self._known:
                yield self._client(client)
        for lobby in self._hall.lobbies.values():
            yield self._lobby(lobby)
            pages, notes = lobby.journal.content
            for page in pages:
                yield NOTES_HEAD.pack(PAGE, lobby.serial) + page
            yield NOTES_HEAD.pack(NOTES, lobby.serial) + notes
        for number, (estate, _) in self._owed.items():
            yield self._owing(number, estate)

    def _entry(self, kind: str, **what: Any) -> bytes:
        return orjson.dumps({"kind": kind, "endpoint": self._identity, **what})

    def _lobby(self, lobby: "Lobby") -> bytes:
        return self._entry(
            "lobby",
            serial=lobby.serial,
            opened_from=lobby.opened_from,
            hosts=sorted(lobby.bout.hosts),
            beginning=simple_beginning(lobby.clerk.beginning),
        )

    def _client(self, client: "Connection") -> bytes:
        try:
            return self._portrait(client, introduce(client), client.bot, client.person)
        except Exception as problem:  # then the next process hangs up on it, and on nobody else
            log.error("a client cannot be written down", client=client.number, error=words(problem))
            return self._portrait(client, b"null", None, None)

    def _portrait(
        self,
        client: "Connection",
        known: bytes,
        bot: "HostedBot | None",
        person: "Person | None",
    ) -> bytes:
        farewell, held = client.farewell, client.held_frame
        return self._entry(
            "client",
            number=client.number,
            link=client.link_id,
            peer=client.peer,
            known=orjson.Fragment(known),
            lobbies=[lobby.serial for lobby in client.lobbies],
            listener=getattr(client.listener, "serial", 0),
            held=None if held is None else b64encode(held).decode(),
            farewell=None if farewell is None else farewell.name,
            parted=client.parted,
            bot=None if bot is None else bot.remember(),
            person=None if person is None else person.remember(),
        )

    def _reception(self) -> bytes:
        hall = self._hall
        return self._entry(
            "reception",
            memory=orjson.Fragment(self._remembered()),
            clients=self._everybody.met,
            opened=hall.opened,
            crashes=hall.crashes,
            draining=hall.draining,
            recordings=[] if self._wire is None else [*self._wire.recordings],
        )

    def _remembered(self) -> bytes:
        memory = self._hall.foyer.reception.remember()
        if memory is not self._memory[0]:  # the same object is the same memory
            self._memory = memory, plain.write(memory)
        return self._memory[1]
