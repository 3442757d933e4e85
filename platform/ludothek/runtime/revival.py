"""Bringing an endpoint back to life: what another process has left continues here."""

import enum
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import attrs
import structlog

from ludothek.contract import plain
from ludothek.contract.game import Game
from ludothek.contract.orders import Abort, OrderRefused
from ludothek.kit.reports import careful, words
from ludothek.runtime.companions import BringBots, Companions
from ludothek.runtime.ghost import introduce, update
from ludothek.runtime.held_clock import HeldClock
from ludothek.runtime.hosted_bot import HostedBot
from ludothek.runtime.person import Person
from ludothek.runtime.record import Record
from ludothek.runtime.recovery import PastClient, PastEndpoint, PastLobby
from ludothek.runtime.rerun import Diverged, Rerun
from ludothek.storage.crash_reports import crash_report
from transports import BUGS, Farewell, Link, as_bug
from transports.memory import MemoryLink, memory_link_pair

if TYPE_CHECKING:
    from ludothek.runtime.connection import Connection
    from ludothek.runtime.hall import Hall
    from ludothek.runtime.lobby import Lobby
    from ludothek.runtime.people import People

log = structlog.get_logger()


class Suspicion(enum.Enum):
    """Why a lobby must not continue: processes have died while it was at work at one point."""

    OF_MESSAGE = "processes have died of what this lobby was told next"
    OF_RERUN = "processes have died of repeating this lobby"


@attrs.define
class Survivors:
    """How much has survived, of how much."""

    matches: int = 0
    all_matches: int = 0
    connections: int = 0
    all_connections: int = 0

    def __add__(self, other: "Survivors") -> "Survivors":
        return Survivors(*map(sum, zip(attrs.astuple(self), attrs.astuple(other), strict=True)))


class Revival:
    """Makes the clients and lobbies of one endpoint again; all of it happens in one turn."""

    def __init__(
        self,
        game: Game,
        hall: "Hall",
        clock: HeldClock,
        past: PastEndpoint,
        connect: Callable[[PastClient, Link | None], "Connection"],
        suspect: Callable[[PastLobby], Suspicion | None],
        people: "People",
        bring_bots: BringBots,
    ) -> None:
        self._game = game
        self._hall = hall
        self._clock = clock
        self._past = past
        self._connect = connect
        self._suspect = suspect
        self._people = people
        self._bring_bots = bring_bots
        annals = hall.annals
        self._repeating = annals.repeating if annals is not None else lambda serial: None
        self._package = game.settings.__module__.rpartition(".")[0]
        self.clients: dict[int, Connection] = {}
        self._bots: list[HostedBot] = []
        self._persons: list[Person] = []
        self._lobbies: dict[int, Lobby] = {}
        self._heard: dict[int, bytes] = {}  # what is known about clients that a table hears
        self._broken: list[tuple[PastLobby, Rerun | None, Exception]] = []

    def revive(self) -> Survivors:
        """Bring everything back; raises nothing that concerns only one lobby or client."""
        hall, past = self._hall, self._past
        hall.opened, hall.crashes = past.opened, past.crashes
        hall.desk.draw_other_ids(past.clients_met, past.opened)
        for client in past.clients.values():
            self.clients[client.number] = self._revive_client(client)
        for lobby in past.lobbies.values():
            self._repeat(lobby)
        self._clock.shown = None
        for client in past.clients.values():
            self._place(client)
        for person in self._persons:
            self._people.recall(person)
        for bot in self._bots:
            self._bring_back(bot)
        self._ask_for_bots()
        for connection in self.clients.values():
            connection.touch()
        carried = self._carried()
        hall.foyer.recall(self._memory(), [one for one in self.clients.values() if not one.parted])
        for broken in self._broken:
            self._end(*broken)
        if carried.all_connections and not carried.connections:
            self._abort_matches()
        if past.draining:
            hall.drain()
        return carried

    def _abort_matches(self) -> None:
        """No connection has survived, as after a reboot: nobody has left, and so won or lost."""
        for lobby in [each for each in self._lobbies.values() if each.match_runs]:
            with suppress(OrderRefused):
                lobby.order(Abort())

    def _carried(self) -> Survivors:
        broken = {past.serial for past, _, _ in self._broken}  # matches, as far as we know
        running = [
            lobby
            for serial, lobby in self._lobbies.items()
            if serial not in broken and lobby.match_runs
        ]
        connected = [each for each in self._past.clients.values() if each.link is not None]
        return Survivors(
            len(running),
            len(running) + len(broken),
            sum(not self.clients[each.number].lost for each in connected),
            len(connected),
        )

    def _memory(self) -> Any:
        with careful("what the reception remembers"):
            return plain.read(self._past.memory, self._package, self.clients.get)
        return None

    # Clients

    def _revive_client(self, past: PastClient) -> "Connection":
        client = self._connect(past, self._inner_link(past))
        try:
            known = self._read(past.known)
            client.key, client.name, client.chats = known["key"], known["name"], known["chats"]
            client.visitor = known["visitor"]
        except Exception as error:  # of another version, or it could not be written
            log.warning("a client cannot go on", client=past.number, error=words(error))
            client.close(Farewell.FAULT)
        return client

    def _inner_link(self, past: PastClient) -> Link | None:
        """The server's end of a connection inside this process; None for any other one."""
        if past.bot is None and past.person is None:
            return None
        ours, theirs = memory_link_pair()
        try:
            theirs.owner = self._revive_owner(past, ours)
        except Exception as error:  # of another version; the others go on without it
            log.warning("a bot or person does not come back", error=words(error))
            ours.close()
        return theirs

    def _revive_owner(self, past: PastClient, link: MemoryLink) -> HostedBot | Person:
        if past.bot is not None:
            bot = HostedBot.recall(past.bot, self._hall.codec, link)
            self._bots.append(bot)
            return bot
        assert past.person is not None
        person = Person.recall(past.person, self._hall.codec, link)
        self._persons.append(person)
        return person

    def _bring_back(self, bot: HostedBot) -> None:
        lobby = self._hall.find(bot.lobby)
        if lobby is None:
            bot.link.close()
            return
        if lobby.companions is None:  # bots are not wanted any more, but were when it was opened
            lobby.companions = Companions(self._bring_bots)
        lobby.companions.bots.append(bot)
        if not all(client.hosted for client in lobby.clients):
            lobby.companions.greet()

    def _ask_for_bots(self) -> None:
        """Bots may have been about to come when the process died."""
        for lobby in self._lobbies.values():
            if lobby.companions is None or lobby.match_runs:
                continue
            hosted = [client.hosted for client in lobby.clients]
            if hosted and not any(hosted):
                lobby.companions.greet()

    def _read(self, data: bytes) -> Mapping[str, Any]:
        known: Mapping[str, Any] = plain.read(data, self._package, self.clients.get)
        return known

    def _place(self, past: PastClient) -> None:
        """Let a client be where it was."""
        client = self.clients[past.number]
        client.lobbies = tuple(
            lobby for serial in past.lobbies if (lobby := self._lobbies.get(serial))
        )
        listener = self._lobbies.get(past.listener)
        client.listener = listener or self._hall.foyer
        if client.closing:
            return
        # Only a table that hears a client changes what is known about it.
        update(client, self._read(self._heard.get(past.number, past.known)))

    # Lobbies

    def _repeat(self, past: PastLobby) -> None:
        rerun = None
        suspicion = self._suspect(past)
        try:
            if suspicion is Suspicion.OF_RERUN:
                raise Diverged(suspicion.value)
            self._repeating(past.serial)
            rerun = Rerun(self._game, past.beginning, self.clients.get, self._clock)
            for note in past.notes:
                rerun.repeat(note)
            if suspicion is not None:
                raise Diverged(suspicion.value)
        except BUGS as bug:
            self._broken.append((past, rerun, as_bug(bug)))
        self._repeating(0)
        if rerun is not None:
            self._lobbies[past.serial] = self._hall.reopen(past, rerun)
            self._keep_known(past, rerun)

    def _keep_known(self, past: PastLobby, rerun: Rerun) -> None:
        """Keep what is known about the clients that a table hears.

        Lobbies are repeated one after the other: the next one may be where a client was earlier.
        """
        for number, client in rerun.present.items():
            if number in self.clients and self._past.clients[number].listener == past.serial:
                self._heard[number] = introduce(client)

    def _end(self, past: PastLobby, rerun: Rerun | None, bug: Exception) -> None:
        """End a lobby that cannot be repeated, in its protocol's words if it has a table."""
        self._hall.crashes += 1
        with careful("lobby cannot be repeated"):
            lobby = past.beginning.lobby
            log.error("lobby cannot be repeated", lobby=lobby, exc_info=bug)
            self._keep_report(past, bug)
        clients = [
            self.clients[number]
            for number, client in self._past.clients.items()
            if past.serial in client.lobbies
        ]
        if rerun is not None:
            self._lobbies[past.serial].abandon(clients)
            return
        for connection in clients:
            if not connection.lobbies:
                connection.close(Farewell.FAULT)

    def _keep_report(self, past: PastLobby, bug: Exception) -> None:
        now = self._hall.clock.date()
        about = {
            **self._hall.about,
            "time": now.isoformat(),
            "traceback": "".join(traceback.format_exception(bug)),
        }
        record = Record(about=about, beginning=past.beginning, notes=past.notes, digest=0)
        self._hall.save(crash_report(now, bug, past.beginning.lobby, record.write))
