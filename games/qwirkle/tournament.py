"""A knock-out tournament: rounds of small games, whose winners play the next round."""

import random
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import structlog

from games.qwirkle.messages import ClientType, GameState
from games.qwirkle.notices import (
    Away,
    Back,
    Enrol,
    GameOver,
    GamePaused,
    Relay,
    RoundDrawn,
    RoundOpened,
)
from games.qwirkle.recipe import TournamentRecipe
from games.qwirkle.table import STAGES
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Close, Effect, Effects, Inform, Release
from ludothek.contract.orders import (
    Abort,
    Fault,
    Order,
    OrderRefused,
    Pause,
    Resume,
    Shutdown,
    Start,
)
from ludothek.contract.table import Summary, Table
from ludothek.contract.timers import Timers

log = structlog.get_logger()

# Its timers: the time until the next round, and the time in the list after the end.
ROUND, LISTED = "round", "listed"


class Tournament(Table):
    """A table at which nobody sits: it has games opened, waits for them to end, opens more.

    The participants are clients in the lobby. Clients notice a tournament only by its games, which
    nobody can join without being invited. What becomes of both it hears from the reception.
    """

    def __init__(self, recipe: TournamentRecipe, clock: Clock, rng: random.Random) -> None:
        self.recipe = recipe
        self.timers = Timers(clock.time)
        self._state = GameState.NOT_STARTED
        self._winner: Client | None = None
        self._name = recipe.name
        self._config = recipe.config
        self._ended_seconds = recipe.settings.ended_seconds
        self._participants: list[Client] = []  # those still in, in the order of pairing
        self._away: set[Client] = set()  # those of them who are not in the lobby
        self._through: list[Client] = []  # those in the next round without a game
        self._games: Sequence[str] = ()  # of this round
        self._paused: set[str] = set()  # those that an organiser has paused
        self._winners: dict[str, int | None] = {}  # of those games that are over
        self._rounds = 0
        self._played = 0

    @property
    def summary(self) -> Summary:
        return Summary(
            name=self._name,
            stage=STAGES[self._state],
            state=self._state.value,
            players=[client.name for client in self._participants],
            facts={
                "round": self._rounds,
                "games": [int(game) for game in self._games],
                "winner": self._winner and self._winner.number,
                "configuration": self._config.attributes(),
            },
            idle=self._state is not GameState.IN_PROGRESS,
        )

    @property
    def participants(self) -> Sequence[Client]:
        """Those still in, who may be needed for another round."""
        return () if self._state is GameState.ENDED else self._participants

    def expects(self, client: Client) -> bool:
        """Whether it takes the client to be in the lobby, for the next round."""
        return client in self.participants and client not in self._away

    def check(self, clients: Sequence[Client], *, spectator: bool) -> None:
        """Raise OrderRefused if these clients cannot take part."""
        if self._state is not GameState.NOT_STARTED:
            raise OrderRefused("the tournament has started already")
        if spectator:
            raise OrderRefused("a tournament has no spectators, only its games have")
        for client in clients:
            if client.visitor.client_type is not ClientType.PLAYER:
                raise OrderRefused(f"client {client.number} is a spectator")

    # Nobody comes in here: participants wait in the lobby, like everybody else.

    def enter(self, client: Client, admission: Any) -> Effects:
        yield Release(client)

    def receive(self, client: Client, message: Any) -> Effects:
        return ()

    def leave(self, client: Client) -> Effects:
        return ()

    # What happens

    def told(self, notice: Enrol | Away | Back | RoundOpened | GamePaused | GameOver) -> Effects:
        match notice:
            case Enrol(clients=clients):
                known = self._participants
                self._participants = [*known, *(each for each in clients if each not in known)]
            case Away(client=client):
                self._away.add(client)
            case Back(client=client):
                self._away.discard(client)
            case RoundOpened(games=games):
                self._games = games
            case GamePaused(game=game, paused=True):
                self._paused.add(game)
            case GamePaused(game=game):
                self._paused.discard(game)
            case GameOver(game=game, winner=winner) if game in self.running:
                self._winners[game] = winner
                if self._state is GameState.IN_PROGRESS and not self.running:
                    self._end_round()
        return ()

    def time_up(self, timer: Hashable) -> Effects:
        return (Close(),) if timer == LISTED else self._begin_round()

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown() | Fault():
                yield Close()
            case _ if self._state is GameState.ENDED:
                raise OrderRefused("the tournament has ended")
            case Start():
                yield from self._start()
            case Pause() | Resume():
                yield self._relay(order)
            case Abort(winner=winner):
                yield self._abort(winner)
            case _:
                raise OrderRefused("a tournament cannot do this, but its games may")

    @property
    def running(self) -> list[str]:
        """The games of this round that are not over yet."""
        return [game for game in self._games if game not in self._winners]

    def _relay(self, order: Pause | Resume) -> Inform:
        """Pass it on to the games that can obey; the others need not."""
        resumes = isinstance(order, Resume)
        games = [game for game in self.running if (game in self._paused) is resumes]
        if not games:
            raise OrderRefused("no game of this tournament can do this now")
        return Inform(Relay(order, games))

    def _abort(self, winner: Client | None) -> Inform:
        if winner is not None and winner not in self._participants:
            raise OrderRefused("the winner must be a participant of the tournament")
        self._end(winner)
        return Inform(Relay(Abort(), self.running))

    # Rounds

    def _start(self) -> Iterator[Effect]:
        if self._state is not GameState.NOT_STARTED:
            raise OrderRefused("the tournament has started already")
        if len(self._present()) < 2:
            raise OrderRefused("a tournament needs at least two participants in the lobby")
        self._state = GameState.IN_PROGRESS
        yield from self._begin_round()

    def _begin_round(self) -> Iterator[Effect]:
        self._participants = self._present()
        if len(self._participants) < 2:
            self._end(next(iter(self._participants), None))
            return
        self._rounds += 1
        self._through = []
        games = {}
        for group in groups(self._participants, threes=self._config.can_seat(3)):
            if len(group) == 1:
                self._through += group
            else:
                self._played += 1
                games[f"{self._name}, Spiel {self._played}"] = group
        self._games, self._winners = (), {}
        yield Inform(RoundDrawn(self._config, games))

    def _end_round(self) -> None:
        winners = [self._winners[game] for game in self._games]
        numbered = {client.number: client for client in self._participants}
        survivors = [numbered[number] for number in winners if number in numbered]
        # Those who had no opponent come first, so as to have one in the next round.
        self._participants = [*self._through, *survivors]
        if len(self._participants) < 2:
            self._end(next(iter(self._participants), None))  # even if it hangs up right now
        else:
            # Time to look at the result, as after every turn.
            self.timers.start(ROUND, self._config.time_visualization / 1000)

    def _present(self) -> list[Client]:
        """Those who have left the server, or play elsewhere when a round begins, are out."""
        return [client for client in self._participants if client not in self._away]

    def _end(self, winner: Client | None) -> None:
        self._state = GameState.ENDED
        self._winner = winner
        self.timers.clear()
        self.timers.start(LISTED, self._ended_seconds)
        log.info(
            "tournament over",
            tournament=self._name,
            winner=winner and winner.number,
            rounds=self._rounds,
        )


def groups(players: Sequence[Client], *, threes: bool) -> list[list[Client]]:
    """Pairs; if the number is odd, three play together, or the last one is through."""
    found = [[*players[n : n + 2]] for n in range(0, len(players), 2)]
    if threes and len(players) % 2 and len(found) > 1:
        found[-2:] = [found[-2] + found[-1]]
    return found
