"""What another process has left: the entries of a chronicle, read back."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs
import orjson

from ludothek.runtime.annals import NOTES, NOTES_HEAD, PAGE
from ludothek.runtime.note import Note, read_notes
from ludothek.runtime.record_lines import read_beginning, simple_beginning
from ludothek.runtime.rerun import Beginning
from ludothek.wire.wire import Target
from transports import Farewell
from transports.tape import REPEATING

# The kind of the entry about a lobby that may have ended the process.
SUSPICION = "suspicion"


class BadChronicle(Exception):
    """Entries that make no sense; the text says why."""


@attrs.define(kw_only=True)
class PastLobby:
    """A lobby that was open."""

    serial: int
    opened_from: str | None
    hosts: set[str]
    beginning: Beginning
    journal: list[bytes] = attrs.field(factory=list)  # notes, some of them compressed

    @property
    def notes(self) -> Sequence[Note]:
        return [*read_notes(b"".join(self.journal))]


@attrs.define(kw_only=True)
class PastClient:
    """A client that was connected."""

    number: int
    link: int | None  # None: a bot that the daemon has hosted, or a person on the page
    peer: str
    known: bytes  # see `ludothek.runtime.ghost`
    lobbies: Sequence[int]  # their serial numbers
    listener: int  # the serial number of a lobby; 0: the reception
    held: bytes | None  # the frame that it was held for
    farewell: Farewell | None
    parted: bool  # the reception knew that it was gone
    bot: Mapping[str, Any] | None
    person: Mapping[str, Any] | None


@attrs.define
class PastEndpoint:
    """What was alive at an endpoint."""

    memory: bytes = b"null"  # of its reception
    clients_met: int = 0
    opened: int = 0
    crashes: int = 0
    draining: bool = False
    recordings: Sequence[Target] = ()  # of the wire
    clients: dict[int, PastClient] = attrs.field(factory=dict)
    lobbies: dict[int, PastLobby] = attrs.field(factory=dict)  # in the order of their opening
    estates: dict[int, Mapping[str, Any]] = attrs.field(factory=dict)  # that may not be on disk

    @property
    def connections(self) -> int:
        return sum(client.link is not None for client in self.clients.values())

    @property
    def occupied(self) -> int:
        """How many lobbies somebody is in."""
        return len({serial for client in self.clients.values() for serial in client.lobbies})


class Past:
    """Everything that was alive in a daemon."""

    def __init__(self, entries: Iterable[bytes]) -> None:
        """Read the entries; raises BadChronicle."""
        self.endpoints: dict[str, PastEndpoint] = {}
        self.serial = 0  # the largest of a lobby or an estate
        # What `accuse` has told the process before, and how many in a row have died of it.
        self.suspicion: tuple[tuple[int, int], int] | None = None
        self._lobbies: dict[int, PastLobby] = {}
        self._closed: dict[int, PastLobby] = {}
        try:
            for entry in entries:
                self._take(entry)
            self._closed.clear()
        except Exception as error:  # entries that are damaged, or of another version
            raise BadChronicle(f"{type(error).__name__}: {error}") from error

    def _take(self, entry: bytes) -> None:
        if entry[:1] in (NOTES, PAGE):
            mark, serial = NOTES_HEAD.unpack_from(entry)
            content = entry[NOTES_HEAD.size :]
            if (lobby := self._lobbies.get(serial)) is not None:
                lobby.journal.append(zlib.decompress(content) if mark == PAGE else content)
            return
        told = orjson.loads(entry)
        if told["kind"] == SUSPICION:
            self.suspicion = (told["serial"], told["progress"]), told["deaths"]
            return
        if told["kind"] == "retired":
            retired = self.endpoints.pop(told["endpoint"], PastEndpoint())
            self.endpoints[told["now"]] = retired
            return
        self._take_in(self.endpoints.setdefault(told["endpoint"], PastEndpoint()), told)

    def _take_in(self, endpoint: PastEndpoint, told: dict[str, Any]) -> None:
        match told["kind"]:
            case "lobby":
                self._open(endpoint, told)
            case "closed":
                if (lobby := self._lobbies.pop(told["serial"], None)) is not None:
                    self._closed[lobby.serial] = lobby
                endpoint.lobbies.pop(told["serial"], None)
            case "client":
                endpoint.clients[told["number"]] = _client(told)
            case "owed":
                self._owe(endpoint, told)
            case "kept":
                endpoint.estates.pop(told["number"], None)
            case "gone":
                endpoint.clients.pop(told["number"], None)
            case "reception":
                endpoint.memory = orjson.dumps(told["memory"])
                endpoint.clients_met, endpoint.opened = told["clients"], told["opened"]
                endpoint.crashes, endpoint.draining = told["crashes"], told["draining"]
                endpoint.recordings = [(kind, key) for kind, key in told["recordings"]]
            case kind:
                raise BadChronicle(f"an entry of kind {kind!r}")

    def _owe(self, endpoint: PastEndpoint, told: dict[str, Any]) -> None:
        """A lobby has left something behind, perhaps in the step that has closed it."""
        number, serial, estate = told["number"], told["serial"], told["estate"]
        self.serial = max(self.serial, number)
        if serial:
            lobby = self._lobbies.get(serial) or self._closed[serial]
            notes = b64encode(b"".join(lobby.journal)).decode()
            beginning = simple_beginning(lobby.beginning)
            estate |= {"beginning": beginning, "pages": (), "notes": notes}
        endpoint.estates[number] = estate

    def _open(self, endpoint: PastEndpoint, told: dict[str, Any]) -> None:
        """A lobby has opened, or begun anew."""
        lobby = PastLobby(
            serial=told["serial"],
            opened_from=told["opened_from"],
            hosts={*told["hosts"]},
            beginning=read_beginning(told["beginning"]),
        )
        self.serial = max(self.serial, lobby.serial)
        self._lobbies[lobby.serial] = endpoint.lobbies[lobby.serial] = lobby

    def accuse(self, serial: int) -> tuple[int, int] | None:
        """The lobby that was at work when the process died, and how much it had been told.

        Chance may have it that a process is killed just then. But if the next one dies in the same
        lobby at the same point, as `suspicion` tells, then because of it.
        """
        lobby = self._lobbies.get(serial & ~REPEATING)
        return None if lobby is None else (serial, sum(map(len, lobby.journal)))

    @property
    def lobbies(self) -> int:
        """The number of open lobbies."""
        return len(self._lobbies)

    @property
    def connections(self) -> int:
        return sum(endpoint.connections for endpoint in self.endpoints.values())


def _client(told: dict[str, Any]) -> PastClient:
    held, farewell = told["held"], told["farewell"]
    return PastClient(
        number=told["number"],
        link=told["link"],
        peer=told["peer"],
        known=orjson.dumps(told["known"]),
        lobbies=told["lobbies"],
        listener=told["listener"],
        held=None if held is None else b64decode(held),
        farewell=None if farewell is None else Farewell[farewell],
        parted=told["parted"],
        bot=told["bot"],
        person=told.get("person"),  # which earlier versions did not know
    )
