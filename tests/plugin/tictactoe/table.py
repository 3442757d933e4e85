"""The conversation inside a lobby."""

import random
from collections.abc import Hashable, Iterator
from math import ceil, inf
from typing import Any

from ludothek.api import (
    Abort,
    Began,
    Breach,
    Client,
    Clock,
    Close,
    Consequence,
    Effect,
    Effects,
    Expel,
    Explain,
    Fault,
    Malformed,
    Members,
    Order,
    OrderRefused,
    Pause,
    Release,
    Resume,
    RuleViolation,
    Send,
    Shutdown,
    Stage,
    Summary,
    Table,
    Timers,
)

from tictactoe import breaches, messages, rules
from tictactoe.match import Match
from tictactoe.member import Admission, Member
from tictactoe.messages import Closed, Joined, Leave, Left, Mark, NotJoined, Over, Position, Started
from tictactoe.recipe import Recipe
from tictactoe.refusals import refuse
from tictactoe.rules import Side

MOVE, WAITING = "move", "waiting"


class TicTacToeTable(Table):
    """Two seats; the match begins when both are taken, and the lobby ends with it."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        self.recipe = recipe
        self.timers = Timers(clock.time)
        self.match: Match | None = None
        self._key = recipe.key
        self._settings = recipe.settings
        self._rng = rng
        self._members: Members[Member] = Members()
        self.timers.start(WAITING, self._settings.waiting_seconds or inf)

    @property
    def has_seat(self) -> bool:
        return self.match is None and len(self._players) < 2

    @property
    def summary(self) -> Summary:
        if self.match is None:
            stage = Stage.WAITING
        else:
            stage = Stage.PAUSED if self.timers.paused else Stage.RUNNING
        return Summary(
            name=self.recipe.name,
            stage=stage,
            players=[member.name for member in self._players],
            spectators=[member.name for member in self._members if member.spectator],
            facts={"board": self.match.state.cells} if self.match else {},
            idle=self.match is None,
        )

    def listed(self) -> messages.Lobby:
        """The lobby as clients are told of it."""
        return messages.Lobby(
            key=self._key,
            name=self.recipe.name,
            players=[member.name for member in self._players],
            running=self.match is not None,
        )

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        if not (admission.spectator or self.has_seat):
            yield Explain(client, breaches.no_seat())
            yield Send(client, NotJoined(reason="All seats are taken."))
            yield Release(client)
            return
        self._members.add(Member(client, admission.spectator))
        yield Send(client, Joined(lobby=self._key, spectator=admission.spectator))
        if self.match is not None:
            yield Send(client, self._started(self.match))
            yield Send(client, self._position(self.match))
        elif len(self._players) == 2:
            yield from self._start()

    def receive(self, client: Client, message: Any) -> Effects:
        member = self._members.of(client)
        if member is None:
            return ()
        match message:
            case Malformed(flaw=flaw):
                return self._refuse(member, breaches.unreadable(flaw))
            case Mark():
                return self._mark(member, message)
            case Leave():
                return self._let_go(member)
        return self._refuse(member, breaches.out_of_place(message, "inside"))

    def leave(self, client: Client) -> Effects:
        member = self._members.of(client)
        return () if member is None else self._depart(member)

    def time_up(self, timer: Hashable) -> Effects:
        if timer == MOVE and self.match is not None:
            return self._award(self.match, self.match.state.active.other, "timeout")
        return self._close("Nobody has come to play.")

    def order(self, order: Order) -> Effects:
        match order:
            case Shutdown() | Fault():
                return self._stop(None)
            case Abort(winner=winner):
                return self._stop(winner)
            case Pause() | Resume():
                return self._pause(paused=isinstance(order, Pause))
            case Expel(client=client):
                return self._expel(client)
        raise OrderRefused("a match begins with two players, who take turns by themselves")

    # What it brings about

    def _start(self) -> Iterator[Effect]:
        players = self._players
        self._rng.shuffle(players)
        for member, side in zip(players, Side, strict=True):
            member.side = side
        self.match = Match({member.side: member.name for member in players if member.side})
        self.timers.clear()
        yield Began([*self.match.names.values()])
        yield Send(self._members.clients, self._started(self.match))
        yield from self._ask(self.match)

    def _ask(self, match: Match) -> Iterator[Effect]:
        """Show the board to everybody; it is the next one's turn from now on."""
        self.timers.start(MOVE, self._settings.move_seconds or inf)
        yield Send(self._members.clients, self._position(match))

    def _mark(self, member: Member, mark: Mark) -> Effects:
        match = self.match
        if match is None:
            return self._refuse(member, breaches.not_begun())
        if self.timers.paused or mark.move < match.state.moves:  # it has crossed with our news
            return [Explain(member.client, breaches.late(mark), Consequence.IGNORED)]
        if member.side is not match.state.active or mark.move > match.state.moves:
            return self._refuse(member, breaches.not_your_turn(match.state.moves, mark))
        try:
            match.state = rules.apply(match.state, mark.cell)
        except RuleViolation as violation:
            return self._refuse(member, breaches.against_the_rules(violation.mistake, mark))
        return self._end(match) if match.state.over else self._ask(match)

    def _pause(self, *, paused: bool) -> Iterator[Effect]:
        if self.match is None or self.timers.paused is paused:
            raise OrderRefused("only a running match can be paused, and only a paused one resumed")
        if paused:
            self.timers.pause()
        else:
            self.timers.resume()
        yield Send(self._members.clients, self._position(self.match))

    def _expel(self, client: Client) -> Iterator[Effect]:
        member = self._members.of(client)
        if member is None:
            raise OrderRefused("this client is not in the lobby")
        return self._let_go(member)

    def _let_go(self, member: Member) -> Iterator[Effect]:
        yield Send(member.client, Left(lobby=self._key))
        yield Release(member.client)  # then the core calls `leave`

    def _depart(self, member: Member) -> Iterator[Effect]:
        self._members.remove(member)
        if self.match is not None and member.side is not None:
            yield from self._award(self.match, member.side.other, "left")
        elif not self._players:
            yield from self._close("The last player has left.")

    # The end

    def _stop(self, winner: Client | None) -> Effects:
        member = self._members.of(winner) if winner is not None else None
        if winner is not None and (member is None or member.side is None):
            raise OrderRefused("only a player of a running match can win it")
        if self.match is None:
            return self._close("The server has closed the lobby.")
        return self._award(self.match, member.side if member else None, "aborted")

    def _award(self, match: Match, winner: Side | None, reason: str) -> Iterator[Effect]:
        match.award(winner, reason)
        return self._end(match)

    def _end(self, match: Match) -> Iterator[Effect]:
        over = Over(board=match.state.cells, winner=match.winner, reason=match.reason)
        yield Send(self._members.clients, over)
        yield match.result()
        yield Close()

    def _close(self, reason: str) -> Iterator[Effect]:
        yield Send(self._members.clients, Closed(lobby=self._key, reason=reason))
        yield Close()

    # What is told

    def _started(self, match: Match) -> Started:
        return Started(x=match.names[Side.X], o=match.names[Side.O])

    def _position(self, match: Match) -> Position:
        left = self.timers.left(MOVE)
        return Position(
            board=match.state.cells,
            move=match.state.moves,
            active=match.state.active.value,
            paused=self.timers.paused,
            seconds=None if left == inf else ceil(left),
        )

    def _refuse(self, member: Member, breach: Breach) -> Iterator[Effect]:
        return refuse(member.client, breach, self._settings.max_refusals)

    @property
    def _players(self) -> list[Member]:
        """Those who have a seat, in the order in which they came."""
        return [member for member in self._members if not member.spectator]
