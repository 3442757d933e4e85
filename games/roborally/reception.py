"""The conversation before the lobby: HelloClient, HelloServer, and the one lobby of a port."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from games.roborally import breaches
from games.roborally.match import rehearse
from games.roborally.member import Admission
from games.roborally.memory import Memory
from games.roborally.messages import VERSION, HelloClient, HelloServer
from games.roborally.notices import IdTaken, MakeRoom
from games.roborally.recipe import Recipe
from games.roborally.refusals import dismiss, refuse
from games.roborally.settings import OnDisconnect, Settings
from games.roborally.table import RoboRallyTable
from games.roborally.visitor import Visitor
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Admit,
    Effect,
    Effects,
    Explain,
    Kick,
    Open,
    Retire,
    Send,
    Tell,
)
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.timers import Timers
from ludothek.kit.greetings import Greetings
from transports import Farewell

# A group's name is shown only to the organiser; a longer one is cut.
MAX_GROUP = 64


class RoboRallyReception(Reception):
    """Opens the one lobby of a port, and lets clients in."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self._settings = settings
        self._greetings = Greetings(self.timers, desk.clock.time)
        self._opened = 0  # lobbies; the number of the latest is its key
        self._next_id = 1  # of a player; no lobby uses one again
        if settings.bots or settings.on_disconnect is OnDisconnect.AI:
            rehearse(settings.board)

    def adopt(self, settings: Settings) -> Effects:
        self._settings = settings
        yield Retire(self._lobby)  # there is only one lobby: the next one gets the new settings

    # What happens

    def begin(self) -> Effects:
        yield self._open()

    def remember(self) -> Memory:
        return Memory(self._opened, self._next_id)

    def recall(self, memory: Memory | None, clients: Sequence[Client]) -> Effects:
        if memory is None:  # of another version
            self._opened = max(map(int, self._desk.tables), default=0)
            self._next_id = table.last_id + 1 if (table := self._table) else 1
        else:
            self._opened, self._next_id = memory.opened, memory.next_id
        for client in clients:
            if not client.places:
                self._greetings.expect(client, self._settings.greeting_seconds)
        return ()

    def arrive(self, client: Client) -> Effects:
        client.visitor = Visitor()
        self._greetings.expect(client, self._settings.greeting_seconds)
        yield Send(client, HelloClient(VERSION))

    def receive(self, client: Client, message: Any) -> Effects:
        if not isinstance(message, HelloServer):
            yield from refuse(client, _not_hello(message), self._settings)
            return
        self._greetings.discard(client)
        if message.protocol != VERSION:
            breach = breaches.other_version(message.protocol)
            yield from dismiss(client, breach, f"This server speaks {VERSION} only.")
            yield Kick(client, Farewell.DONE)
            return
        group = client.visitor.group = message.group.strip()[:MAX_GROUP]
        if group != message.group:
            breach = breaches.untidy_group(message.group, MAX_GROUP)
            yield Explain(client, breach, Consequence.CORRECTED)
        yield from self._let_in(client)

    def come_back(self, client: Client) -> Effects:
        yield Kick(client, Farewell.DONE)

    def leave(self, client: Client) -> Effects:
        self._greetings.discard(client)
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        for client in self._greetings.take_late():
            breach = breaches.no_hello(self._settings.greeting_seconds)
            yield Explain(client, breach, Consequence.KICKED)
            yield Kick(client, Farewell.DONE)

    def informed(self, lobby: str, notice: IdTaken) -> Effects:
        self._next_id += 1
        return ()

    # The lobby

    @property
    def _lobby(self) -> str:
        """The key of the lobby, which may have closed."""
        return str(self._opened)

    @property
    def _table(self) -> RoboRallyTable | None:
        table = self._desk.tables.get(self._lobby)
        assert table is None or isinstance(table, RoboRallyTable)
        return table

    def _open(self) -> Open:
        self._opened += 1
        chance = self._desk.chance_for(self._lobby)
        recipe = Recipe(course=self._settings.board, settings=self._settings.for_tables)
        table = RoboRallyTable(recipe, self._desk.clock, chance.random())
        return Open(self._lobby, table, chance)

    def _let_in(self, client: Client) -> Iterator[Effect]:
        table = self._table
        if table is None:  # the last one crashed or was finished
            if self._desk.draining:
                yield from dismiss(client, breaches.ending(), "The server is about to end.")
                yield Kick(client, Farewell.DONE)
                return
            yield self._open()
        elif self._desk.is_crowded(self._lobby, client):
            idler = table.longest_watching(client.origin)
            if idler is None or self._desk.is_crowded(self._lobby, client, without=idler):
                yield from dismiss(client, breaches.crowded(), "The lobby is full.")
                yield Kick(client, Farewell.REFUSED)
                return
            yield Tell(self._lobby, MakeRoom(idler))
        yield Admit(client, self._lobby, Admission(self._next_id))


def _not_hello(message: Any) -> Breach:
    if isinstance(message, Malformed):
        return breaches.unreadable(message.flaw)
    return breaches.before_hello(message)
