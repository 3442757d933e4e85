"""A knock-out tournament: rounds of small games, whose winners play the next round."""

import enum
from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from typing import Any

import structlog

from games.qwirkle.configuration import Configuration
from games.qwirkle.messages import ClientType
from games.qwirkle.table import QwirkleTable
from games.qwirkle.visitor import Visitor
from ludothek.contract.clock import Clock
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
from ludothek.contract.table import Close, Effects, Release, Summary
from ludothek.runtime.client import Client
from ludothek.runtime.lobby import Lobby

log = structlog.get_logger()


class TournamentState(enum.Enum):
    WAITING = "NOT_STARTED"
    RUNNING = "IN_PROGRESS"
    ENDED = "ENDED"


class Tournament:
    """A table at which nobody sits: it opens games, waits for their ends and opens the next.

    The participants are clients in the lobby. The clients do not hear of a tournament but by its
    games, which nobody can join unasked.
    """

    def __init__(
        self,
        name: str,
        config: Configuration,
        play: Callable[[Sequence[Visitor], str], Lobby],
        clock: Clock,
        ended_seconds: float,
    ) -> None:
        self.deadline = inf
        self.winner: Visitor | None = None
        self.state = TournamentState.WAITING
        self._name = name
        self._config = config
        self._play = play  # opens a game of that name with these players
        self._clock = clock
        self._ended_seconds = ended_seconds
        self._participants: list[Visitor] = []  # who is still in, in the order of pairing
        self._through: list[Visitor] = []  # who is in the next round without a game
        self._games: list[Lobby] = []  # of this round
        self._rounds = 0
        self._played = 0

    @property
    def summary(self) -> Summary:
        return Summary(
            name=self._name,
            state=self.state.value,
            players=[visitor.client.name for visitor in self._participants],
            facts={
                "round": self._rounds,
                "games": [int(game.key) for game in self._games],
                "winner": self.winner and self.winner.client.number,
                "configuration": self._config.attributes(),
            },
            idle=self.state is not TournamentState.RUNNING,
        )

    # Nobody comes here: a participant waits in the lobby, like all others.

    def enter(self, client: Client, request: Any) -> Effects:
        yield Release(client)

    def receive(self, client: Client, message: Any) -> Effects:
        return ()

    def leave(self, client: Client) -> Effects:
        return ()

    # What happens

    def enrol(self, visitors: Sequence[Visitor], *, spectator: bool) -> None:
        """Let clients take part."""
        if self.state is not TournamentState.WAITING:
            raise OrderRefused("the tournament has started already")
        if spectator:
            raise OrderRefused("a tournament has no spectators, only its games have")
        for visitor in visitors:
            if visitor.client_type is not ClientType.PLAYER:
                raise OrderRefused(f"client {visitor.client.number} is a spectator")
        self._participants += [each for each in visitors if each not in self._participants]

    def heed(self, table: QwirkleTable) -> Effects:
        """One of the games has changed; after the last one has ended comes the next round."""
        running = self.state is TournamentState.RUNNING
        if running and table.session.ended and all(map(_has_ended, self._games)):
            self._end_round()
        return ()

    def time_up(self) -> Effects:
        self.deadline = inf
        if self.state is TournamentState.ENDED:
            yield Close()
        else:
            self._begin_round()

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown() | Fault():
                yield Close()
            case _ if self.state is TournamentState.ENDED:
                raise OrderRefused("the tournament has ended")
            case Start():
                self._start()
            case Pause() | Resume():
                self._pass_on(order)
            case Abort():
                self._abort(order)
            case _:
                raise OrderRefused("a tournament cannot do this, but its games may")

    def _pass_on(self, order: Pause | Resume) -> None:
        """To the games; those that cannot obey, since they are over, need not."""
        obeyed = 0
        for game in self._games:
            with suppress(OrderRefused):
                game.let(game.table.order, order)
                obeyed += 1
        if not obeyed:
            raise OrderRefused("no game of this tournament can do this now")

    def _abort(self, order: Abort) -> None:
        winner = next((each for each in self._participants if each.client is order.winner), None)
        if order.winner is not None and winner is None:
            raise OrderRefused("the winner must be a participant of the tournament")
        self._end(winner)
        for game in self._games:
            if not _has_ended(game):
                game.let(game.table.order, Abort())

    # Rounds

    def _start(self) -> None:
        if self.state is not TournamentState.WAITING:
            raise OrderRefused("the tournament has started already")
        if len(self._present()) < 2:
            raise OrderRefused("a tournament needs at least two participants in the lobby")
        self.state = TournamentState.RUNNING
        self._begin_round()

    def _begin_round(self) -> None:
        self._participants = self._present()
        if len(self._participants) < 2:
            self._end(next(iter(self._participants), None))
            return
        self._rounds += 1
        self._games, self._through = [], []
        for group in groups(self._participants, threes=self._config.can_seat(3)):
            if len(group) == 1:
                self._through += group
            else:
                self._played += 1
                self._games.append(self._play(group, f"{self._name}, Spiel {self._played}"))
        for game in self._games:
            game.let(game.table.order, Start())

    def _end_round(self) -> None:
        survivors = [self._winner_of(game) for game in self._games]
        # Who had no opponent comes first, so as to have one in the next round.
        self._participants = [*self._through, *filter(None, survivors)]
        if len(self._participants) < 2:
            self._end(next(iter(self._participants), None))  # even if it hangs up right now
        else:
            # Time to look at the result, as after every turn.
            self.deadline = self._clock.time() + self._config.time_visualization / 1000

    def _present(self) -> list[Visitor]:
        """Who leaves the server, or plays elsewhere when a round begins, is out."""
        return [visitor for visitor in self._participants if visitor.is_free]

    def _winner_of(self, game: Lobby) -> Visitor | None:
        result = game.table.winner if isinstance(game.table, QwirkleTable) else None
        number = result and result.client.client_id
        return next((each for each in self._participants if each.client.number == number), None)

    def _end(self, winner: Visitor | None) -> None:
        self.state = TournamentState.ENDED
        self.winner = winner
        self.deadline = self._clock.time() + self._ended_seconds
        log.info(
            "tournament over",
            tournament=self._name,
            winner=winner and winner.client.number,
            rounds=self._rounds,
        )


def groups(players: Sequence[Visitor], *, threes: bool) -> list[list[Visitor]]:
    """Two by two; of an odd number three play together, or the last one is through."""
    found = [[*players[n : n + 2]] for n in range(0, len(players), 2)]
    if threes and len(players) % 2 and len(found) > 1:
        found[-2:] = [found[-2] + found[-1]]
    return found


def _has_ended(game: Lobby) -> bool:
    return isinstance(game.table, QwirkleTable) and game.table.session.ended
