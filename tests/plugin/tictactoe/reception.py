"""The conversation outside of lobbies: greeting, listing, opening, joining."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import attrs
from ludothek.api import (
    Admit,
    Breach,
    Client,
    Complaint,
    Consequence,
    Desk,
    Drop,
    Effect,
    Effects,
    Explain,
    Greetings,
    Malformed,
    Open,
    Opening,
    OrderRefused,
    Reception,
    Send,
    SettingsError,
    Timers,
    build,
    skeleton,
)

from tictactoe import breaches
from tictactoe.member import Admission, is_name
from tictactoe.messages import (
    Hello,
    Join,
    Leave,
    ListLobbies,
    Lobbies,
    Mark,
    NotJoined,
    OpenLobby,
    Welcome,
)
from tictactoe.recipe import Recipe
from tictactoe.refusals import refuse
from tictactoe.settings import Settings
from tictactoe.table import TicTacToeTable
from tictactoe.visitor import Visitor

# Of the key of a lobby; nobody has to read them aloud.
KEY_BITS = 64


class TicTacToeReception(Reception):
    """Hears the clients that are in no lobby."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._greetings = Greetings(self.timers, desk.clock.time)
        self._desk = desk
        self._settings = settings
        self._names: set[str] = set()  # as they look, of everybody who has said Hello

    def adopt(self, settings: Settings) -> Effects:
        self._settings = settings
        return ()

    def recall(self, memory: None, clients: Sequence[Client]) -> Effects:
        for client in clients:
            if client.name:
                self._names.add(skeleton(client.name))
            else:
                self._greetings.expect(client, self._settings.greeting_seconds)
        return ()

    # What happens

    def arrive(self, client: Client) -> Effects:
        client.visitor = Visitor()
        self._greetings.expect(client, self._settings.greeting_seconds)
        return ()

    def receive(self, client: Client, message: Any) -> Effects:
        match message:
            case Malformed(flaw=flaw):
                return self._refuse(client, breaches.unreadable(flaw))
            case Hello(name=name):
                return self._greet(client, name)
            case _ if not client.name:
                return self._refuse(client, breaches.no_hello(type(message).__name__))
            case ListLobbies():
                return [Send(client, self._lobbies())]
            case OpenLobby(name=name):
                return self._open_for(client, name)
            case Join():
                return self._join(client, message)
            case Mark(lobby=lobby) | Leave(lobby=lobby) if lobby == client.visitor.lobby:
                # It has crossed with the end of that lobby.
                return [Explain(client, breaches.late(message), Consequence.IGNORED)]
        return self._refuse(client, breaches.out_of_place(message, "outside"))

    def leave(self, client: Client) -> Effects:
        self._greetings.discard(client)
        self._names.discard(skeleton(client.name))
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        return [Drop(client, Complaint.SILENT) for client in self._greetings.take_late()]

    # Names

    def _greet(self, client: Client, name: str) -> Effects:
        if client.name:
            return self._refuse(client, breaches.second_hello())
        if not is_name(name):
            return self._refuse(client, breaches.bad_name(name))
        if skeleton(name) in self._names:
            return self._refuse(client, breaches.taken_name(name))
        client.name = name
        self._names.add(skeleton(name))
        self._greetings.discard(client)
        return [Send(client, Welcome(key=client.key))]

    # Lobbies

    @property
    def _tables(self) -> dict[str, TicTacToeTable]:
        tables = self._desk.tables.items()
        return {key: table for key, table in tables if isinstance(table, TicTacToeTable)}

    def _lobbies(self) -> Lobbies:
        return Lobbies(lobbies=[table.listed() for table in self._tables.values()])

    def _join(self, client: Client, join: Join) -> Effects:
        key = self._any_seat(client) if join.lobby is None else self._find(join.lobby)
        if key is not None and self._desk.is_crowded(key, client):
            full = NotJoined(reason="The lobby is full.")
            return [Explain(client, breaches.no_seat(join)), Send(client, full)]
        if key is not None:
            return [self._admit(client, key, spectator=join.spectator)]
        if join.lobby is None and not join.spectator:
            return self._open_for(client, client.name)
        missing = NotJoined(reason="There is no such lobby.")
        return [Explain(client, breaches.no_lobby(join)), Send(client, missing)]

    def _find(self, lobby: str) -> str | None:
        named = (key for key, table in self._tables.items() if table.summary.name == lobby)
        return lobby if lobby in self._desk.tables else next(named, None)

    def _any_seat(self, client: Client) -> str | None:
        free = (key for key, table in self._tables.items() if table.has_seat)
        return next((key for key in free if not self._desk.is_crowded(key, client)), None)

    def _admit(self, client: Client, key: str, *, spectator: bool) -> Admit:
        client.visitor.lobby = key
        return Admit(client, key, Admission(spectator))

    def _open_for(self, client: Client, name: str) -> Iterator[Effect]:
        if not is_name(name):
            yield from self._refuse(client, breaches.bad_name(name))
        elif not self._desk.has_room_for(client):
            yield Explain(client, breaches.no_room())
            yield Send(client, NotJoined(reason="No more lobbies can be opened now."))
        else:
            opening = self._open(name, self._settings, client)
            yield opening
            yield self._admit(client, opening.lobby, spectator=False)

    def _open(self, name: str, settings: Settings, opener: Client | None = None) -> Open:
        key = f"{self._desk.ids.getrandbits(KEY_BITS):016x}"
        chance = self._desk.chance_for(key)
        recipe = Recipe(key=key, name=name, settings=settings)
        table = TicTacToeTable(recipe, self._desk.clock, chance.random())
        return Open(key, table, chance, opener)

    # Organisers

    def open(self, opening: Opening) -> Effects:
        name = opening.name or "Lobby"
        if opening.file or not is_name(name):
            raise OrderRefused("a lobby has a short name and no file")
        if not self._desk.has_room:
            raise OrderRefused(f"{len(self._desk.tables)} lobbies are open, no more fit")
        return [self._open(name, self._settings_for(opening))]

    def _settings_for(self, opening: Opening) -> Settings:
        if not {*opening.settings} <= {"move_seconds"}:
            raise OrderRefused("the only setting of a lobby is move_seconds")
        try:
            wanted = build(Settings, opening.settings, "settings of the lobby")
        except SettingsError as error:
            raise OrderRefused(str(error)) from None
        if not opening.settings:
            return self._settings
        return attrs.evolve(self._settings, move_seconds=wanted.move_seconds)

    def _refuse(self, client: Client, breach: Breach) -> Iterator[Effect]:
        return refuse(client, breach, self._settings.max_refusals)
