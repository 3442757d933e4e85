"""The talk outside of lobbies: welcome, listing, creating, joining."""

from collections.abc import Sequence
from typing import Any, cast

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
        try:
            while True:
                await self._answer(client, user, await client.receive())
        finally:
            for lobby in user.lobbies:
                lobby.let(_table(lobby).abandon)

    async def _answer(self, client: Client, user: User, message: Any) -> None:
        if objection := user.objection(message):
            self._strike(client, user, objection)
            return
        match message:
            case GetAvailableLobbies():
                client.send(AvailableLobbies(available_lobbies=self._listing()))
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

    def _waiting(self) -> list[OpenLobby]:
        """The lobbies that still wait for their game to start."""
        lobbies = self._hall.lobbies.values()
        return [lobby for lobby in lobbies if lobby.open and _table(lobby).waiting]

    def _listing(self) -> list[Lobby]:
        lobbies, room = [], MAX_LISTING_BYTES
        for lobby in (_table(lobby).lobby() for lobby in self._waiting()):
            room -= _size(lobby)
            if room < 0:
                break
            lobbies.append(lobby)
        return lobbies

    def _create(self, client: Client, user: User, name: str) -> LobbyCreated:
        if not (is_name(name) and self._may_create(client, user) and self._make_room()):
            return LobbyCreated(lobby_id=NIL, successfully_created=False)
        lobby = self._open(name, client)
        user.own(lobby)
        return LobbyCreated(lobby_id=Uuid(lobby.key), successfully_created=True)

    def _open(self, name: str, creator: Client | None) -> OpenLobby:
        key = Uuid(random_uuid(self._hall.ids))
        return self._hall.open(
            key,
            lambda rng: HexxagonTable(
                key, name.strip(), self._settings, self._hall.clock, rng, self._listing
            ),
            opener=creator,
        )

    def _may_create(self, client: Client, user: User) -> bool:
        """Whether neither the client nor its address has too many lobbies already."""
        most = self._settings.max_lobbies_per_client
        unjoined = sum(_table(lobby).unjoined for lobby in user.lobbies)
        return self._hall.has_room_for(client) and (not most or unjoined < most)

    def _make_room(self) -> bool:
        """Whether one more lobby fits, perhaps in the place of one that nobody will miss."""
        waiting = self._waiting()
        if len(waiting) < self._settings.max_lobbies:
            return self._hall.has_room
        abandoned = [each for each in waiting if _table(each).abandoned]
        if not abandoned or self._hall.draining:
            return False
        oldest = min(abandoned, key=lambda each: _table(each).abandoned_since)
        oldest.let(oldest.table.time_up)
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
        return self._open(name, None)

    def seat(self, lobby: OpenLobby, clients: Sequence[Client], *, spectator: bool) -> None:
        raise OrderRefused("Hexxagon clients join a lobby by themselves")


def _table(lobby: OpenLobby) -> HexxagonTable:
    return cast("HexxagonTable", lobby.table)


def _size(lobby: Lobby) -> int:
    """The most bytes a lobby can take in a listing, quotes and backslashes doubled."""
    participants = [n for n in (lobby.player_one_user_name, lobby.player_two_user_name) if n]
    names = "".join((lobby.lobby_name, *participants))
    text = len(names.encode()) + names.count('"') + names.count("\\")
    return LOBBY_BYTES + PARTICIPANT_BYTES * len(participants) + text
