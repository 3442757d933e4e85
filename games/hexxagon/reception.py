"""The conversation outside of lobbies: welcome, listing, creating, joining."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, cast

from games.hexxagon import breaches
from games.hexxagon.listing import Listing
from games.hexxagon.member import Admission, is_name
from games.hexxagon.messages import (
    NIL,
    CreateNewLobby,
    GetAvailableLobbies,
    JoinLobby,
    LobbyCreated,
    LobbyJoined,
    Uuid,
    Welcome,
)
from games.hexxagon.notices import CreatorLeft, ListWanted, MakeRoom
from games.hexxagon.recipe import Recipe
from games.hexxagon.refusals import strike
from games.hexxagon.settings import Preparation, Settings
from games.hexxagon.table import HexxagonTable
from games.hexxagon.visitor import Visitor
from ludothek.contract.chance import random_uuid
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.effects import Admit, Effect, Effects, Explain, Open, Send, Tell
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.timers import Timers
from ludothek.settings.fields import SettingsError, build

WELCOME = "Welcome to Hexxagon!"

# The standard has no lobbies without a name.
DEFAULT_NAME = "Lobby"


class HexxagonReception(Reception):
    """Hears the clients that are neither in a lobby nor in a game."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self._settings = settings
        self._listing = Listing(lambda table: desk.tables.get(table.lobby_id) is table)

    def adopt(self, settings: Settings) -> Effects:
        self._settings = settings
        return ()

    # What happens

    def recall(self, memory: None, clients: Sequence[Client]) -> Effects:
        for table in self._desk.tables.values():
            self._list(cast("HexxagonTable", table))
        return ()

    def arrive(self, client: Client) -> Effects:
        client.key = random_uuid(self._desk.ids)
        client.visitor = Visitor(Uuid(client.key))
        yield Send(client, Welcome(welcome_message=WELCOME))

    def receive(self, client: Client, message: Any) -> Effects:
        visitor: Visitor = client.visitor
        if objection := visitor.objection(message):
            return strike(client, visitor, objection, self._settings.max_strikes)
        match message:
            case GetAvailableLobbies():
                return [Send(client, self._listing.message())]
            case CreateNewLobby(lobby_name=name):
                return self._create(client, visitor, name)
            case JoinLobby():
                return self._join(client, message)
        if self._settings.lenient_races and visitor.comes_late(message):
            return [Explain(client, breaches.late(message), Consequence.IGNORED)]
        return strike(client, visitor, breaches.outside(message), self._settings.max_strikes)

    def leave(self, client: Client) -> Effects:
        for lobby in self._lobbies_of(client.visitor):
            yield Tell(lobby, CreatorLeft())

    def informed(self, lobby: str, notice: ListWanted) -> Effects:
        yield Send(notice.client, self._listing.message())

    # Lobbies

    def _join(self, client: Client, join: JoinLobby) -> Iterator[Effect]:
        if join.lobby_id in self._desk.tables:
            yield Admit(client, join.lobby_id, Admission(join.user_name))
            return
        yield Explain(client, breaches.not_there(join.lobby_id))
        yield Send(client, LobbyJoined(lobby_id=join.lobby_id, successfully_joined=False))

    def _create(self, client: Client, visitor: Visitor, name: str) -> Iterator[Effect]:
        breach = self._creation_breach(client, name)
        room = self._room(visitor.key) if breach is None else None
        if room is None:
            yield Explain(client, breach or breaches.all_lobbies())
            yield Send(client, LobbyCreated(lobby_id=NIL, successfully_created=False))
            return
        yield from room
        if name != name.strip():
            untidy = breaches.untidy_name("/lobbyName", name)
            yield Explain(client, untidy, Consequence.CORRECTED)
        opening = self._open(name, client)
        # Closed lobbies are forgotten here, so that memory does not grow over days of play.
        visitor.lobbies = [*self._lobbies_of(visitor), Uuid(opening.lobby)]
        yield opening
        created = LobbyCreated(lobby_id=Uuid(opening.lobby), successfully_created=True)
        yield Send(client, created)

    def _open(self, name: str, creator: Client | None = None, *, private: bool = False) -> Open:
        key = Uuid(random_uuid(self._desk.ids))
        chance = self._desk.chance_for(key)
        recipe = Recipe(
            lobby_id=key,
            name=name.strip(),
            settings=self._settings,
            creator=Uuid(creator.key) if creator else None,
            private=private,
        )
        table = HexxagonTable(recipe, self._desk.clock, chance.random())
        self._list(table)
        return Open(key, table, chance, creator)

    def _list(self, table: HexxagonTable) -> None:
        if not table.recipe.private:
            self._listing.add(table)

    def _lobbies_of(self, visitor: Visitor) -> list[Uuid]:
        return [lobby for lobby in visitor.lobbies if lobby in self._desk.tables]

    def _creation_breach(self, client: Client, name: str) -> Breach | None:
        """Why a client may not create a lobby of that name, however much room there is."""
        if not is_name(name):
            return breaches.bad_name("/lobbyName", name)
        if self._may_create(client):
            return None
        return breaches.own_lobbies() if self._desk.has_room else breaches.all_lobbies()

    def _may_create(self, client: Client) -> bool:
        """Whether neither the client nor its address has too many lobbies already."""
        most = self._settings.max_lobbies_per_client
        unjoined = sum(
            table.creator == client.key and table.unjoined for table in self._listing.waiting
        )
        return self._desk.has_room_for(client) and (not most or unjoined < most)

    def _room(self, asking: Uuid | None = None) -> list[Tell] | None:
        """What has to happen before one more lobby fits, perhaps in the place of a less needed one;
        None if it cannot fit."""
        if len(self._listing.waiting) < self._settings.max_lobbies:
            return [] if self._desk.has_room else None
        if self._desk.draining:
            return None
        silent_since = self._desk.clock.time() - (self._settings.idle_seat_seconds or inf)
        dispensable = self._listing.dispensable(silent_since, asking)
        return None if dispensable is None else [Tell(dispensable.lobby_id, MakeRoom())]

    # Organisers

    def open(self, opening: Opening) -> Effects:
        if opening.file:
            raise OrderRefused("a Hexxagon lobby needs no file")
        name = DEFAULT_NAME if opening.name is None else opening.name
        if not is_name(name):
            raise OrderRefused(f"{name!r} cannot be the name of a lobby")
        try:
            private = build(Preparation, opening.settings, "hexxagon").private
        except SettingsError as error:
            raise OrderRefused(str(error)) from None
        room = self._room_for(private=private)
        if room is None:
            raise OrderRefused(f"{len(self._desk.tables)} lobbies are open, no more fit")
        return [*room, self._open(name, private=private)]

    def _room_for(self, *, private: bool) -> list[Tell] | None:
        """The same as `_room`; a private lobby takes no room in the list."""
        if not private:
            return self._room()
        return [] if self._desk.has_room else None
