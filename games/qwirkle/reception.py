"""The talk outside of games, which the document calls the lobby; and what an organiser may do."""

from collections.abc import Callable, Sequence
from itertools import count
from math import inf
from typing import Any

import structlog
import trio

from games.qwirkle import configuration
from games.qwirkle.company import Admission
from games.qwirkle.configuration import Configuration, ConfigurationError
from games.qwirkle.messages import (
    ConnectAccepted,
    ConnectRequest,
    Error,
    GameJoinRequest,
    GameListRequest,
    GameListResponse,
    NotAllowed,
    ParsingError,
    SpectatorJoinRequest,
)
from games.qwirkle.rights import Standing, objection
from games.qwirkle.session import Session
from games.qwirkle.settings import Settings
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tournament import Tournament
from games.qwirkle.visitor import Visitor
from ludothek.contract.orders import Opening, OrderRefused
from ludothek.runtime.client import Client
from ludothek.runtime.hall import Hall
from ludothek.runtime.lobby import Lobby

log = structlog.get_logger()

# The name of a client is part of nearly every message about it, that of a game of every list.
MAX_NAME = 256

NO_SUCH_GAME = "Das Spiel gibt es nicht."
CROWDED = "Es sind schon zu viele Zuschauer da."

# What a client may say whether or not it has just been in a game.
LOBBY_TALK = (ConnectRequest, GameListRequest, GameJoinRequest, SpectatorJoinRequest)


class QwirkleReception:
    """Where clients are that are in no game, and where games are opened."""

    def __init__(self, hall: Hall, settings: Settings) -> None:
        self._hall = hall
        self._ids = count(1)
        self._visitors: dict[Client, Visitor] = {}
        self._standing: list[Lobby] = []  # the open games that need no organiser
        self._listed = GameListResponse([])
        self.adopt(settings)

    def adopt(self, settings: Settings) -> None:
        self._settings = settings
        self._full_at = settings.full_at(settings.standard) if settings.auto_start else 0
        if settings.open_games and not self._full_at:
            log.warning("open games wait for an organiser's order to start")
        for lobby in self._standing:
            if not lobby.table.summary.players:
                lobby.shut_down()  # and another one shall take its place
        self._keep_open()

    # Clients

    async def visit(self, client: Client) -> None:
        visitor = await self._greet(client)
        if visitor is None:
            return
        self._visitors[client] = visitor
        try:
            if self._settings.seat_arrivals:
                self._seat_arrival(visitor)
            while True:
                await self._serve(visitor)
        finally:
            del self._visitors[client]
            visitor.gone = True
            visitor.quit()

    async def _greet(self, client: Client) -> Visitor | None:
        with trio.move_on_after(self._settings.greeting_seconds or inf):
            while True:
                message = await client.receive()
                if error := _greeting_error(message):
                    client.send(error)
                elif isinstance(message, ConnectRequest):
                    client.name = message.client_name
                    client.send(ConnectAccepted(client.number))
                    return Visitor(client, message.client_type)
        log.info("client did not say who it is", seconds=self._settings.greeting_seconds)
        return None

    async def _serve(self, visitor: Visitor) -> None:
        if visitor.summoned and visitor.lobby is not None:
            await visitor.attend(visitor.lobby)
        else:
            await visitor.talk(self._answer)

    def _answer(self, visitor: Visitor, message: Any) -> None:
        if isinstance(message, Error):
            return  # some clients tell us that they cannot read something
        if visitor.lobby and (table := visitor.table) and not isinstance(message, LOBBY_TALK):
            visitor.lobby.let(table.receive, visitor.client, message)
        elif error := objection(message, visitor.standing):
            visitor.client.send(error)
        elif isinstance(message, GameListRequest):
            visitor.client.send(self._list())
        else:
            self._join(visitor, message)

    def _join(self, visitor: Visitor, request: GameJoinRequest | SpectatorJoinRequest) -> None:
        spectator = isinstance(request, SpectatorJoinRequest)
        lobby = self._hall.find(str(request.game_id))
        if lobby is None:
            visitor.client.send(NotAllowed(NO_SUCH_GAME, request.unique_id))
        elif refusal := _join_refusal(lobby, visitor.admission(spectator=spectator)):
            visitor.client.send(NotAllowed(refusal, request.unique_id))
        elif self._hall.is_crowded(lobby, visitor.client):
            visitor.client.send(NotAllowed(CROWDED, request.unique_id))
        else:
            visitor.take_seat(lobby, spectator=spectator)

    # Games

    def _list(self) -> GameListResponse:
        """The same object, which is written once, until a game appears, changes or goes."""
        games = [table.session.info for _, table in self._games()]
        if games != self._listed.games:
            self._listed = GameListResponse(games)
        return self._listed

    def _games(self) -> list[tuple[Lobby, QwirkleTable]]:
        lobbies = (lobby for lobby in self._hall.lobbies.values() if lobby.open)
        return [(each, each.table) for each in lobbies if isinstance(each.table, QwirkleTable)]

    def _keep_open(self) -> None:
        """See to it that somebody who comes finds a game to join."""
        self._standing = [lobby for lobby in self._standing if _has_room(lobby)]
        while len(self._standing) < self._settings.open_games and self._hall.has_room:
            config = self._settings.standard
            self._standing.append(self._open_game(config, self._changed, full_at=self._full_at))

    def _open_game(
        self,
        config: Configuration,
        changed: Callable[[QwirkleTable], None],
        name: str | None = None,
        *,
        is_tournament: bool = False,
        full_at: int = 0,
    ) -> Lobby:
        number = next(self._ids)
        session = Session(
            game_id=number,
            name=name or f"Spiel {number}",
            config=config,
            is_tournament=is_tournament,
            material=config.rules(self._settings.end_bonus, self._settings.refill),
            now=self._hall.clock.time,
        )
        return self._hall.open(
            str(number),
            lambda rng: QwirkleTable(session, self._settings, rng, changed, full_at=full_at),
        )

    def _changed(self, table: QwirkleTable) -> None:
        if table.session.ended:
            self._forget_oldest()
        self._keep_open()

    def _forget_oldest(self) -> None:
        ended = [(table.worth, lobby) for lobby, table in self._games() if table.session.ended]
        ended.sort(key=lambda entry: entry[0])
        for _, lobby in ended[: max(0, len(ended) - self._settings.ended_games)]:
            lobby.close()

    # The organiser

    def open(self, opening: Opening) -> Lobby:
        """A game that waits for the organiser's orders, or a tournament."""
        if opening.name is not None and not opening.name.strip():
            raise OrderRefused("a game's name must not be empty")
        if opening.name is not None and len(opening.name) > MAX_NAME:
            raise OrderRefused(f"a game's name must not be longer than {MAX_NAME} characters")
        if not self._hall.has_room:
            raise OrderRefused(f"{len(self._hall.lobbies)} games are open, no more fit")
        config = self._configuration(opening)
        if opening.tournament:
            return self._open_tournament(config, opening.name)
        return self._open_game(config, self._changed, opening.name)

    def _configuration(self, opening: Opening) -> Configuration:
        try:
            base = self._settings.organised
            if opening.file:
                base = configuration.read(opening.file.content, opening.file.name)
            return configuration.build(base, opening.settings, "settings")
        except ConfigurationError as error:
            raise OrderRefused(str(error)) from None

    def seat(self, lobby: Lobby, clients: Sequence[Client], *, spectator: bool) -> None:
        """Put clients that wait into a game, or into the list of a tournament, all or none.

        Who sits there already, by its own wish, just stays.
        """
        wanted = [
            client for client in dict.fromkeys(clients) if not _sits(client, lobby, spectator)
        ]
        visitors = [self._waiting(client) for client in wanted]
        if isinstance(lobby.table, Tournament):
            lobby.table.enrol(visitors, spectator=spectator)
            return
        for visitor in visitors:
            self._check_seat(lobby, visitor, len(visitors), spectator=spectator)
        for visitor in visitors:
            visitor.take_seat(lobby, spectator=spectator)

    def _waiting(self, client: Client) -> Visitor:
        visitor = self._visitors.get(client)
        if visitor is None:
            raise OrderRefused(f"client {client.number} has not said who it is")
        if not visitor.is_free:
            raise OrderRefused(f"client {client.number} is in a game")
        return visitor

    def _check_seat(self, lobby: Lobby, visitor: Visitor, count: int, *, spectator: bool) -> None:
        if not lobby.open or not isinstance(lobby.table, QwirkleTable):
            raise OrderRefused(f"game {lobby.key} does not exist any more")
        refusal = lobby.table.refusal(visitor.admission(spectator=spectator))
        if refusal is not None:
            raise OrderRefused(f"client {visitor.client.number} cannot be seated: {refusal}")
        seats = lobby.table.seats_left
        if not spectator and count > seats:
            raise OrderRefused(f"game {lobby.key} has seats for {seats} more players only")

    def _seat_arrival(self, visitor: Visitor) -> None:
        admission = visitor.admission(spectator=False)
        for lobby in self._standing:
            if isinstance(lobby.table, QwirkleTable) and not lobby.table.refusal(admission):
                visitor.take_seat(lobby, spectator=False)
                return

    def _open_tournament(self, config: Configuration, name: str | None) -> Lobby:
        key = str(next(self._ids))

        def play(visitors: Sequence[Visitor], title: str) -> Lobby:
            game = self._open_game(config, changed, title, is_tournament=True)
            self.seat(game, [visitor.client for visitor in visitors], spectator=False)
            return game

        def changed(table: QwirkleTable) -> None:
            self._changed(table)
            lobby.let(tournament.heed, table)

        tournament = Tournament(
            name or f"Turnier {key}", config, play, self._hall.clock, self._settings.ended_seconds
        )
        lobby = self._hall.open(key, lambda rng: tournament)
        return lobby


def _greeting_error(message: Any) -> Error | None:
    if isinstance(message, Error):
        return None
    if isinstance(message, ConnectRequest) and len(message.client_name) > MAX_NAME:
        return ParsingError(f"Der Name ist länger als {MAX_NAME} Zeichen.", message.unique_id)
    return objection(message, Standing.STRANGER)


def _join_refusal(lobby: Lobby, admission: Admission) -> str | None:
    """Why a client cannot join of its own accord, if it cannot."""
    if not isinstance(lobby.table, QwirkleTable):
        return NO_SUCH_GAME
    if lobby.table.session.is_tournament and not admission.spectator:
        return "Die Spieler eines Turniers bestimmt der Ausrichter."
    return lobby.table.refusal(admission)


def _sits(client: Client, lobby: Lobby, spectator: bool) -> bool:
    table = lobby.table
    return isinstance(table, QwirkleTable) and table.seats(client, spectator=spectator)


def _has_room(lobby: Lobby) -> bool:
    return lobby.open and isinstance(lobby.table, QwirkleTable) and lobby.table.has_room
