"""The talk outside of lobbies: welcome, listing, creating, joining."""

from collections.abc import Sequence
from typing import Any

import structlog

from games.hexxagon.messages import (
    NIL,
    AvailableLobbies,
    CreateNewLobby,
    GetAvailableLobbies,
    JoinLobby,
    Lobby,
    LobbyCreated,
    LobbyJoined,
    Uuid,
    Welcome,
)
from games.hexxagon.seat import Admission, is_name
from games.hexxagon.settings import Settings
from games.hexxagon.table import HexxagonTable
from games.hexxagon.user import User
from ludothek.chance import random_uuid
from ludothek.client import Client
from ludothek.hall import Hall
from ludothek.lobby import Lobby as OpenLobby
from ludothek.orders import Opening, OrderRefused
from transports import Farewell

log = structlog.get_logger()

WELCOME = "Welcome to Hexxagon!"

# The standard knows no lobby without a name.
DEFAULT_NAME = "Lobby"

# Clients on libwebsockets with a receive buffer of 64000 bytes take what fits into it for a whole
# message. The rest of an AvailableLobbies message needs less than 200 bytes.
MAX_LISTING_BYTES = 63_000
# What a lobby and each of its participants take, but for the names.
LOBBY_BYTES, PARTICIPANT_BYTES = 130, 80


class HexxagonReception:
    """Where clients are that sit in no lobby and play no game."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._settings = settings

    async def visit(self, client: Client) -> None:
        client.key = random_uuid(self._hall.ids)
        user = User(Uuid(client.key), self._settings)
        client.send(Welcome(welcome_message=WELCOME))
        while True:
            await self._answer(client, user, await client.receive())

    async def _answer(self, client: Client, user: User, message: Any) -> None:
        if objection := user.objection(message):
            self._strike(client, user, objection)
            return
        match message:
            case GetAvailableLobbies():
                client.send(AvailableLobbies(available_lobbies=self._listing()))
            case CreateNewLobby(lobby_name=name):
                client.send(self._create(user, name))
            case JoinLobby():
                await self._join(client, user, message)
            case _ if not user.comes_late(message):
                self._strike(client, user, f"{type(message).__name__} outside of lobby and game")

    def _strike(self, client: Client, user: User, reason: str) -> None:
        log.info("strike", reason=reason, count=user.strikes + 1)
        client.send(user.strike())
        if user.struck_out:
            client.close(Farewell.REFUSED)

    def _tables(self) -> list[HexxagonTable]:
        """The tables that still wait for their game to start."""
        tables = (lobby.table for lobby in self._hall.lobbies.values() if lobby.open)
        return [t for t in tables if isinstance(t, HexxagonTable) and t.waiting]

    def _listing(self) -> list[Lobby]:
        lobbies, room = [], MAX_LISTING_BYTES
        for lobby in (table.lobby() for table in self._tables()):
            room -= _size(lobby)
            if room < 0:
                break
            lobbies.append(lobby)
        return lobbies

    def _create(self, user: User, name: str) -> LobbyCreated:
        if not (is_name(name) and self._has_room(user)):
            return LobbyCreated(lobby_id=NIL, successfully_created=False)
        lobby = self._open(name, user)
        return LobbyCreated(lobby_id=Uuid(lobby.key), successfully_created=True)

    def _open(self, name: str, creator: User | None) -> OpenLobby:
        key = Uuid(random_uuid(self._hall.ids))
        return self._hall.open(
            key,
            lambda rng: HexxagonTable(
                key, name.strip(), creator, self._settings, self._hall.clock, rng, self._listing
            ),
        )

    def _has_room(self, user: User | None) -> bool:
        tables = self._tables()
        limit = self._settings.max_lobbies_per_client
        own = sum(table.creator is user and not table.occupied for table in tables)
        free = user is None or not limit or own < limit
        return len(tables) < self._settings.max_lobbies and free and self._hall.has_room

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
        if not self._has_room(None):
            raise OrderRefused(f"{len(self._hall.lobbies)} lobbies are open, no more fit")
        return self._open(name, None)

    def seat(self, lobby: OpenLobby, clients: Sequence[Client], *, spectator: bool) -> None:
        raise OrderRefused("Hexxagon clients join a lobby by themselves")


def _size(lobby: Lobby) -> int:
    """The most bytes a lobby can take in a listing, quotes and backslashes doubled."""
    participants = [n for n in (lobby.player_one_user_name, lobby.player_two_user_name) if n]
    names = "".join((lobby.lobby_name, *participants))
    text = len(names.encode()) + names.count('"') + names.count("\\")
    return LOBBY_BYTES + PARTICIPANT_BYTES * len(participants) + text
