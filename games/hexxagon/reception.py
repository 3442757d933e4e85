"""The talk outside of lobbies: welcome, listing, creating, joining."""

from collections.abc import Sequence
from math import inf
from typing import Any

import structlog

from games.hexxagon.listing import Listing, table_of
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
from games.hexxagon.seat import Admission, is_name
from games.hexxagon.settings import Settings
from games.hexxagon.table import HexxagonTable
from games.hexxagon.user import User
from ludothek.contract.chance import random_uuid
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby as OpenLobby
from transports import Farewell

log = structlog.get_logger()

WELCOME = "Welcome to Hexxagon!"

# The standard knows no lobby without a name.
DEFAULT_NAME = "Lobby"


class HexxagonReception:
    """Where clients are that sit in no lobby and play no game."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._settings = settings
        self._listing = Listing()

    async def visit(self, client: Client) -> None:
        client.key = random_uuid(self._hall.ids)
        user = User(Uuid(client.key), self._settings)
        client.send(Welcome(welcome_message=WELCOME))
        try:
            while True:
                await self._answer(client, user, await client.receive())
        finally:
            for lobby in user.lobbies:
                lobby.let(table_of(lobby).abandon)

    async def _answer(self, client: Client, user: User, message: Any) -> None:
        if objection := user.objection(message):
            self._strike(client, user, objection)
            return
        match message:
            case GetAvailableLobbies():
                client.send(self._listing.message())
            case CreateNewLobby(lobby_name=name):
                client.send(self._create(client, user, name))
            case JoinLobby():
                await self._join(client, user, message)
            case _ if not user.comes_late(message):
                self._strike(client, user, f"{type(message).__name__} outside of lobby and game")

    def _strike(self, client: Client, user: User, reason: str) -> None:
        log.info("strike", reason=reason, count=user.strikes + 1)
        client.send(user.strike())
        if user.struck_out:
            client.close(Farewell.REFUSED)

    def _create(self, client: Client, user: User, name: str) -> LobbyCreated:
        if not (is_name(name) and self._may_create(client, user) and self._make_room(user.key)):
            return LobbyCreated(lobby_id=NIL, successfully_created=False)
        lobby = self._open(name, client)
        user.own(lobby)
        return LobbyCreated(lobby_id=Uuid(lobby.key), successfully_created=True)

    def _open(self, name: str, creator: Client | None = None) -> OpenLobby:
        key, clock = Uuid(random_uuid(self._hall.ids)), self._hall.clock
        # Only its id: a creator that knows its lobbies and is known to them would be garbage that
        # stays in memory until somebody looks for it.
        by = Uuid(creator.key) if creator else None
        lobby = self._hall.open(
            key,
            lambda rng: HexxagonTable(
                key, name.strip(), self._settings, clock, rng, self._listing.message, by
            ),
            opener=creator,
        )
        self._listing.add(lobby)
        return lobby

    def _may_create(self, client: Client, user: User) -> bool:
        """Whether neither the client nor its address has too many lobbies already."""
        most = self._settings.max_lobbies_per_client
        unjoined = sum(table_of(lobby).unjoined for lobby in user.lobbies)
        return self._hall.has_room_for(client) and (not most or unjoined < most)

    def _make_room(self, asking: Uuid | None = None) -> bool:
        """Whether one more lobby fits, perhaps in the place of one that others need more."""
        if len(self._listing.waiting) < self._settings.max_lobbies:
            return self._hall.has_room
        if self._hall.draining:
            return False
        silent_since = self._hall.clock.time() - (self._settings.idle_seat_seconds or inf)
        dispensable = self._listing.dispensable(silent_since, asking)
        if dispensable is None:
            return False
        dispensable.let(dispensable.table.time_up)
        return True

    def adopt(self, settings: Settings) -> None:
        self._settings = settings

    async def _join(self, client: Client, user: User, join: JoinLobby) -> None:
        if lobby := self._hall.find(join.lobby_id):
            await lobby.attend(client, Admission(user, join.user_name))
        else:
            client.send(LobbyJoined(lobby_id=join.lobby_id, successfully_joined=False))

    # What an organiser may ask for

    def open(self, opening: Opening) -> OpenLobby:
        if opening.file or opening.settings or opening.tournament:
            raise OrderRefused("a Hexxagon lobby has a name and nothing else to set")
        name = DEFAULT_NAME if opening.name is None else opening.name
        if not is_name(name):
            raise OrderRefused(f"{name!r} cannot be the name of a lobby")
        if not self._make_room():
            raise OrderRefused(f"{len(self._hall.lobbies)} lobbies are open, no more fit")
        return self._open(name)

    def seat(self, lobby: OpenLobby, clients: Sequence[Client], *, spectator: bool) -> None:
        raise OrderRefused("Hexxagon clients join a lobby by themselves")
