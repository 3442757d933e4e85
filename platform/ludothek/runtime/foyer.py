"""The foyer: the reception, and the clients that talk to it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import structlog

from ludothek.contract.effects import (
    RECEPTION_EFFECTS,
    Admit,
    Effect,
    Effects,
    Hold,
    Open,
    Pass,
    Retire,
    Tell,
    Unhold,
)
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.contract.reception import Adaptable, Organised, Reception, Seating
from ludothek.kit.reports import careful
from ludothek.runtime.actor import Actor
from ludothek.runtime.connection import Connection, connection
from ludothek.runtime.lobby import Lobby
from transports import as_bug

if TYPE_CHECKING:
    from ludothek.runtime.hall import Hall

log = structlog.get_logger()


class Foyer(Actor):
    """Where clients are while they are in no lobby, and from where they enter one."""

    _effects = RECEPTION_EFFECTS
    talk: Reception

    def __init__(self, hall: "Hall", reception: Reception) -> None:
        super().__init__(hall, reception)
        self._opened = ""  # the key of the latest lobby
        self._frame: bytes | None = None  # the one being handled

    @property
    def reception(self) -> Reception:
        return self.talk

    @property
    def facts(self) -> dict[str, Any]:
        return self.hall.facts

    def serves(self, client: Connection) -> bool:
        return not client.closing

    # Coming and going

    def begin(self) -> None:
        """Open; a bug here is raised, since a game without a reception is useless."""
        with self.hall.turns.turn():
            if self.hall.annals is not None:
                self.hall.annals.touch()  # what it opens now must not be opened again
            self._perform_all(self.reception.begin())
            self.hall.catch_up()

    def recall(self, memory: Any, clients: Sequence[Connection]) -> None:
        """Continue where the reception of another process has stopped."""
        self.step(self.reception.recall, (memory, clients), None)

    def arrive(self, client: Connection) -> None:
        """A client has connected."""
        self.let(self.reception.arrive, client, by=client)

    def part(self, client: Connection) -> None:
        """A client's connection is over."""
        with self.hall.turns.turn():
            for lobby in client.lobbies:
                lobby.leave(client)
            client.parted = True
            self.let(self.reception.leave, client, by=client)

    def take_back(self, client: Connection) -> None:
        """A client has left a lobby, but not the server."""
        if not client.closing:
            self.step(self.reception.come_back, (client,), client)

    def hear_of(self, lobby: Lobby, notice: Any) -> None:
        """A table has something to tell."""
        self.step(self.reception.informed, (lobby.key, notice), None)

    # What organisers and operators want

    def open_lobby(self, opening: Opening) -> Lobby:
        """Open a lobby for an organiser; raises OrderRefused."""
        assert isinstance(self.reception, Organised)
        self._opened = ""
        self._obey("the lobby could not be opened", self.reception.open, opening)
        lobby = self.hall.find(self._opened)
        if lobby is None:
            raise OrderRefused("the lobby could not be opened; the log says more")
        return lobby

    def seat(self, lobby: Lobby, clients: Sequence[Connection], *, spectator: bool) -> None:
        """Put clients into a lobby for an organiser; raises OrderRefused."""
        assert isinstance(self.reception, Seating)
        what = "the clients could not be seated"
        self._obey(what, self.reception.seat, lobby.key, clients, spectator)

    @property
    def adaptable(self) -> bool:
        """Whether the reception takes new settings while it is open."""
        return isinstance(self.reception, Adaptable)

    def adopt(self, settings: Any) -> None:
        """Hand new settings to the reception, which must be adaptable; raises OrderRefused."""
        assert isinstance(self.reception, Adaptable)
        self._obey("cannot take its new settings", self.reception.adopt, settings)

    def _obey(self, failure: str, act: Callable[..., Effects], *args: Any) -> None:
        """Let the reception obey; whoever gave the order is told of a bug, too."""
        crashes = self.hall.crashes
        self.let_obey(act, *args)
        if self.hall.crashes > crashes:
            raise OrderRefused(f"{failure}; the log says more")

    # Happenings

    def step(
        self,
        act: Callable[..., Effects],
        args: tuple[Any, ...],
        by: Connection | None,
        frame: bytes | None = None,
    ) -> None:
        if self.hall.annals is not None:
            self.hall.annals.touch(by)
        if by is None:
            super().step(act, args, by, frame)
            return
        by.revision += 1
        super().step(act, args, by, frame)
        for lobby in by.lobbies:  # whose tables may look at it before it says anything there
            lobby.clerk.acquaint(by)

    def hear(self, client: Connection, message: Any, frame: bytes | None) -> None:
        self._frame = frame
        super().hear(client, message, frame)
        self._frame = None

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Admit() | Pass() | Tell() | Retire():
                if lobby := self.hall.find(effect.lobby):
                    self._involve(lobby, effect)
            case Open(lobby=key, table=table, chance=chance, opener=opener):
                self.hall.open(key, table, chance, opener)
                self._opened = key
            case Hold(client=client):
                connection(client).hold(self._frame)
            case Unhold(client=client):
                connection(client).unhold()
            case _:
                super()._perform(effect)

    def _involve(self, lobby: Lobby, effect: Admit | Pass | Tell | Retire) -> None:
        match effect:
            case Admit(client=client, admission=admission, listen=listen):
                lobby.enter(connection(client), admission, listen=listen)
            case Pass(client=client, message=message):
                by = connection(client)
                lobby.step(lobby.table.receive, (client, message), by, self._frame)
            case Tell(notice=notice):
                lobby.step(lobby.table.told, (notice,), None)
            case Retire():
                lobby.finish()

    def close(self) -> None:
        """End, when nobody is here and nobody will come any more."""
        self.open = False
        self._alarm.cancel()

    def _fail(self, bug: BaseException, by: Connection | None) -> None:
        """Hang up on the client that has revealed a bug; everybody else goes on."""
        if by is not None:
            by.fail(as_bug(bug))
            return
        self.hall.crashes += 1
        with careful("reception crashed"):
            log.error("reception crashed", exc_info=bug)
