"""The conversation outside of games, which the document calls the lobby; what organisers may do."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import structlog

from games.qwirkle import breaches, configuration
from games.qwirkle.codec import Tolerated
from games.qwirkle.configuration import Configuration, ConfigurationError
from games.qwirkle.member import Admission
from games.qwirkle.memory import Memory
from games.qwirkle.messages import (
    ConnectAccepted,
    ConnectRequest,
    Error,
    GameJoinRequest,
    GameListRequest,
    GameListResponse,
    NotAllowed,
    SpectatorJoinRequest,
)
from games.qwirkle.notices import (
    Away,
    Back,
    Enrol,
    Forget,
    GameOver,
    GamePaused,
    PlayerCame,
    Relay,
    RoundDrawn,
    RoundOpened,
)
from games.qwirkle.recipe import Recipe, TournamentRecipe
from games.qwirkle.refusals import (
    MAX_NAME,
    Objection,
    greeting_objection,
    ignore,
    objection,
    tolerate,
)
from games.qwirkle.sentences import sentence
from games.qwirkle.settings import Settings
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tables import make_table
from games.qwirkle.tournament import Tournament
from games.qwirkle.visitor import Visitor, game_of, is_free
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.effects import (
    Admit,
    Effect,
    Effects,
    Explain,
    Kick,
    Open,
    Pass,
    Retire,
    Send,
    Tell,
)
from ludothek.contract.orders import Opening, OrderRefused, Start
from ludothek.contract.reception import Desk, Reception
from ludothek.contract.timers import Timers
from ludothek.kit.greetings import Greetings
from transports import Farewell

log = structlog.get_logger()

# What a client may say whether or not it has just been in a game.
LOBBY_REQUESTS = (ConnectRequest, GameListRequest, GameJoinRequest, SpectatorJoinRequest)


class QwirkleReception(Reception):
    """Hears the clients that are in no game, and opens games."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self.timers = Timers(desk.clock.time)
        self._desk = desk
        self._settings = settings
        self._greetings = Greetings(self.timers, desk.clock.time)
        self._latest_id = 0  # of a game or tournament
        self._standing: list[str] = []  # open games that need no organiser
        self._tournaments: list[str] = []
        self._listed = GameListResponse([])

    def begin(self) -> Effects:
        return self.adopt(self._settings)

    def remember(self) -> Memory:
        return Memory(self._latest_id, tuple(self._standing))

    def recall(self, memory: Memory | None, clients: Sequence[Client]) -> Effects:
        if memory is None:  # of another version
            self._latest_id = max(map(int, self._desk.tables), default=0)
        else:
            self._latest_id, self._standing = memory.latest_id, [*memory.standing]
        tables = self._desk.tables.items()
        self._tournaments = [key for key, table in tables if isinstance(table, Tournament)]
        for client in clients:
            if client.visitor is None:
                self._greetings.expect(client, self._settings.greeting_seconds)
        for key, tournament in self._open_tournaments():
            yield from self._catch_up(key, tournament, clients)
        yield from self._keep_open()

    def adopt(self, settings: Settings) -> Effects:
        self._settings = settings
        if settings.open_games and not self._full_at:
            log.warning("open games wait for an organiser's order to start")
        standing = [(key, table) for key in self._standing if (table := self._game(key))]
        outdated = [key for key, table in standing if not table.match.players]
        self._standing = [key for key, table in standing if table.match.players]
        yield from map(Retire, outdated)
        yield from self._keep_open(len(outdated))

    # Clients

    def arrive(self, client: Client) -> Effects:
        self._greetings.expect(client, self._settings.greeting_seconds)
        return ()

    def receive(self, client: Client, message: Any) -> Effects:
        if not isinstance(message, Tolerated):
            return self._hear(client, message)
        match [*self._hear(client, message.message)]:
            case [Pass(lobby=game)]:
                return (Pass(client, game, message),)  # who hears it explains it
            case effects:
                return (tolerate(client, message), *effects)

    def _hear(self, client: Client, message: Any) -> Effects:
        if isinstance(message, Error):
            return ignore(client, message)
        visitor: Visitor | None = client.visitor
        if visitor is None:
            return self._greet(client, message)
        if not isinstance(message, LOBBY_REQUESTS) and game_of(client, self._desk.tables):
            return (Pass(client, visitor.game, message),)
        if found := objection(message, visitor.standing):
            return found.answer(client)
        if isinstance(message, GameListRequest):
            return (Send(client, self._list()),)
        return self._join(client, message)

    def come_back(self, client: Client) -> Effects:
        if is_free(client, self._desk.tables):
            yield from self._tell_tournaments(Back(client))

    def leave(self, client: Client) -> Effects:
        self._greetings.discard(client)
        yield from self._quit(client)
        yield from self._tell_tournaments(Away(client))
        client.visitor = None

    def time_up(self, timer: Hashable) -> Effects:
        seconds = self._settings.greeting_seconds
        for client in self._greetings.take_late():
            yield Explain(client, breaches.too_late(seconds), Consequence.KICKED)
            yield Kick(client, Farewell.DONE)

    def _greet(self, client: Client, message: Any) -> Effects:
        if found := greeting_objection(message):
            yield from found.answer(client)
            return
        self._greetings.discard(client)
        client.name = message.client_name
        client.visitor = Visitor(message.client_type)
        yield Send(client, ConnectAccepted(client.number))
        if self._settings.seat_arrivals:
            yield from self._seat_arrival(client)

    def _seat_arrival(self, client: Client) -> Iterator[Effect]:
        admission = _admission(client, spectator=False)
        for key in self._standing:
            if (table := self._game(key)) and not table.entry_breach(admission):
                yield from self._seat(client, key, admission)
                return

    def _join(
        self, client: Client, request: GameJoinRequest | SpectatorJoinRequest
    ) -> Iterator[Effect]:
        key = str(request.game_id)
        admission = _admission(client, spectator=isinstance(request, SpectatorJoinRequest))
        if breach := self._join_breach(key, client, admission):
            yield from Objection(NotAllowed, request.unique_id, breach).answer(client)
        else:
            yield from self._seat(client, key, admission)

    def _join_breach(self, key: str, client: Client, admission: Admission) -> Breach | None:
        """Why a client cannot join of its own accord; None if it can."""
        table = self._game(key)
        if table is None:
            return breaches.no_such_game(key)
        if table.match.is_tournament and not admission.spectator:
            return breaches.tournament(key)
        if breach := table.entry_breach(admission):
            return breach
        return breaches.crowded(key) if self._desk.is_crowded(key, client) else None

    def _seat(self, client: Client, key: str, admission: Admission) -> Iterator[Effect]:
        yield from self._quit(client)
        yield from self._tell_tournaments(Away(client))
        client.visitor.game = key
        yield Admit(client, key, admission)

    def _quit(self, client: Client) -> Iterator[Effect]:
        """Give up the place that a client still has in an ended game."""
        if client.visitor is not None and game_of(client, self._desk.tables):
            yield Tell(client.visitor.game, Forget(client))

    # Games

    def informed(
        self, lobby: str, notice: PlayerCame | GamePaused | GameOver | RoundDrawn | Relay
    ) -> Iterator[Effect]:
        match notice:
            case PlayerCame():
                yield from self._keep_open()
            case GamePaused(tournament=tournament):
                yield Tell(tournament, notice)
            case GameOver(tournament=tournament):
                surplus = self._surplus()
                yield from map(Retire, surplus)
                yield from self._keep_open(len(surplus))
                if tournament is not None:
                    yield Tell(tournament, notice)
            case RoundDrawn():
                yield from self._open_round(lobby, notice)
            case Relay(order=order, games=games):
                yield from (Tell(game, order) for game in games)

    def _list(self) -> GameListResponse:
        """The same object, encoded only once, until a game appears, changes or goes."""
        games = [table.match.info for _, table in self._games()]
        if games != self._listed.games:
            self._listed = GameListResponse(games)
        return self._listed

    def _game(self, key: str) -> QwirkleTable | None:
        table = self._desk.tables.get(key)
        return table if isinstance(table, QwirkleTable) else None

    def _games(self) -> list[tuple[str, QwirkleTable]]:
        tables = self._desk.tables.items()
        return [(key, table) for key, table in tables if isinstance(table, QwirkleTable)]

    @property
    def _full_at(self) -> int:
        """How many players start an open game; 0: an organiser starts it."""
        settings = self._settings
        return settings.full_at(settings.standard) if settings.auto_start else 0

    def _keep_open(self, closing: int = 0) -> Iterator[Open]:
        """Make sure that newcomers find a game to join; `closing` others are just being closed."""
        self._standing = [
            key for key in self._standing if (table := self._game(key)) and table.has_room
        ]
        missing = self._settings.open_games - len(self._standing)
        for _ in range(min(missing, self._desk.room + closing)):
            opening = self._open_game(self._settings.standard, full_at=self._full_at)
            self._standing.append(opening.lobby)
            yield opening

    def _open_game(
        self,
        config: Configuration,
        name: str | None = None,
        *,
        tournament: str | None = None,
        full_at: int = 0,
    ) -> Open:
        self._latest_id += 1
        number = self._latest_id
        recipe = Recipe(
            game_id=number,
            name=name or f"Spiel {number}",
            config=config,
            settings=self._settings.for_tables,
            tournament=tournament,
            full_at=full_at,
        )
        return self._opening(str(number), recipe)

    def _opening(self, key: str, recipe: Recipe | TournamentRecipe) -> Open:
        chance = self._desk.chance_for(key)
        return Open(key, make_table(recipe, self._desk.clock, chance.random()), chance)

    def _surplus(self) -> list[str]:
        """The ended games that are too many for the list."""
        ended = [(table.worth, key) for key, table in self._games() if table.match.ended]
        ended.sort(key=lambda entry: entry[0])
        return [key for _, key in ended[: max(0, len(ended) - self._settings.ended_games)]]

    def _open_round(self, tournament: str, drawn: RoundDrawn) -> Iterator[Effect]:
        games = []
        for name, players in drawn.games.items():
            opening = self._open_game(drawn.config, name, tournament=tournament)
            games.append(opening.lobby)
            yield opening
            for client in players:
                yield from self._seat(client, opening.lobby, _admission(client, spectator=False))
        yield Tell(tournament, RoundOpened(games))
        yield from (Tell(game, Start()) for game in games)

    # Tournaments

    def _open_tournaments(self) -> Iterator[tuple[str, Tournament]]:
        for key in self._tournaments:
            if isinstance(table := self._desk.tables.get(key), Tournament):
                yield key, table

    def _tell_tournaments(self, notice: Away | Back) -> Iterator[Tell]:
        """A participant comes or goes: a tournament cannot look into the lobby by itself."""
        for key, tournament in self._open_tournaments():
            if notice.client in tournament.participants:
                yield Tell(key, notice)

    def _catch_up(
        self, key: str, tournament: Tournament, clients: Sequence[Client]
    ) -> Iterator[Tell]:
        """Games, and clients in them, may not have come over into this process."""
        tables = self._desk.tables
        for client in tournament.participants:
            present = client in clients and is_free(client, tables)
            if present is not tournament.expects(client):
                yield Tell(key, Back(client) if present else Away(client))
        for game in tournament.running:
            if game not in tables:
                yield Tell(key, GameOver(game, None, key))

    # Organisers

    def open(self, opening: Opening) -> Effects:
        """A game that waits for the organiser's orders, or a tournament."""
        if opening.name is not None and not opening.name.strip():
            raise OrderRefused("a game's name must not be empty")
        if opening.name is not None and len(opening.name) > MAX_NAME:
            raise OrderRefused(f"a game's name must not be longer than {MAX_NAME} characters")
        if not self._desk.has_room:
            raise OrderRefused(f"{len(self._desk.tables)} games are open, no more fit")
        settings = dict(opening.settings)
        is_tournament = settings.pop("tournament", False)
        if type(is_tournament) is not bool:
            raise OrderRefused("settings: tournament: expected true or false")
        config = self._configuration(opening, settings)
        if is_tournament:
            return (self._open_tournament(config, opening.name),)
        return (self._open_game(config, opening.name),)

    def _configuration(self, opening: Opening, settings: dict[str, Any]) -> Configuration:
        try:
            base = self._settings.organised
            if opening.file:
                base = configuration.read(opening.file.content, opening.file.name)
            return configuration.build(base, settings, "settings")
        except ConfigurationError as error:
            raise OrderRefused(str(error)) from None

    def _open_tournament(self, config: Configuration, name: str | None) -> Open:
        self._latest_id += 1
        key = str(self._latest_id)
        recipe = TournamentRecipe(
            key=key,
            name=name or f"Turnier {key}",
            config=config,
            settings=self._settings.for_tables,
        )
        self._tournaments = [*(key for key, _ in self._open_tournaments()), key]
        return self._opening(key, recipe)

    def seat(self, lobby: str, clients: Sequence[Client], spectator: bool) -> Effects:
        """Put waiting clients into a game, or on the list of a tournament, all or none.

        Those who are already there by their own choice just stay.
        """
        wanted = [*dict.fromkeys(clients)]
        if game := self._game(lobby):
            wanted = [each for each in wanted if not game.seats(each, spectator=spectator)]
        for client in wanted:
            self._check_free(client)
        if isinstance(table := self._desk.tables.get(lobby), Tournament):
            table.check(wanted, spectator=spectator)
            yield Tell(lobby, Enrol(wanted))
            return
        admissions = {client: _admission(client, spectator=spectator) for client in wanted}
        for client, admission in admissions.items():
            self._check_seat(lobby, client, admission, len(wanted))
        for client, admission in admissions.items():
            yield from self._seat(client, lobby, admission)

    def _check_free(self, client: Client) -> None:
        if client.visitor is None:
            raise OrderRefused(f"client {client.number} has not said who it is")
        if not is_free(client, self._desk.tables):
            raise OrderRefused(f"client {client.number} is in a game")

    def _check_seat(self, key: str, client: Client, admission: Admission, count: int) -> None:
        table = self._game(key)
        if table is None:
            raise OrderRefused(f"game {key} does not exist any more")
        if breach := table.entry_breach(admission):
            reason = sentence(breach.clause)
            raise OrderRefused(f"client {client.number} cannot be seated: {reason}")
        if not admission.spectator and count > table.seats_left:
            raise OrderRefused(f"game {key} has seats for {table.seats_left} more players only")


def _admission(client: Client, *, spectator: bool) -> Admission:
    visitor: Visitor = client.visitor
    return Admission(visitor.client_type, spectator)
