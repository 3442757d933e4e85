"""The conversation inside a room: waiting, playing, pausing, ending."""

import random
from collections.abc import Hashable, Iterator, Sequence
from math import inf

from games.penguins import breaches, rules, texts
from games.penguins.match import Match
from games.penguins.member import Admission, Member, Violation
from games.penguins.messages import (
    Cancel,
    Cause,
    Error,
    Joined,
    Left,
    Memento,
    MoveRequest,
    Observed,
    Pause,
    Paused,
    Result,
    Room,
    RoomData,
    Step,
    UnreadableMove,
    WelcomeMessage,
)
from games.penguins.notices import Hurry, MakeRoom, ObserverLeft, Observing, Parting
from games.penguins.recipe import Recipe, Seat
from games.penguins.rules import SEEDS, Move, State, Team, generate
from games.penguins.settings import Settings
from ludothek.contract import orders
from ludothek.contract.clauses import Breach, Consequence
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Began, Close, Effect, Effects, Explain, Kick, Send
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.orders import Order, OrderRefused
from ludothek.contract.table import Awaited, Stage, Summary, Table
from ludothek.contract.timers import Timers
from transports import Farewell

Notice = Observing | ObserverLeft | Parting | Hurry | MakeRoom | Pause | Step | Cancel


# Timers: until a move is requested, whose state has already been sent, and for the move itself.
REQUEST, MOVE = "request", "move"


class PenguinsTable(Table):
    """Two seats, observers, and a game that begins when both seats are taken."""

    def __init__(self, recipe: Recipe, clock: Clock, rng: random.Random) -> None:
        self.recipe = recipe
        self.room_id = recipe.room_id
        self.result: Result | None = None  # when the game is over
        self.timers = Timers(clock.time)
        self._settings = recipe.settings
        self._clock = clock
        self._match = Match(list(map(_member, recipe.seats)), _first_state(recipe.settings, rng))
        self._observers: list[Client] = []  # may repeat: observing twice means hearing twice
        self._paused = recipe.paused
        self._started = False
        self._asked: float | None = None  # since when a move is expected
        self._shown: State | None = None  # last
        self.shows_again = False  # whether it was shown twice: before and after a pause

    @property
    def match(self) -> Match:
        return self._match

    @property
    def has_room(self) -> bool:
        """Whether a client without a reservation may come in."""
        members = self._match.members
        return len(members) < len(Team) or any(member.free for member in members)

    @property
    def player_count(self) -> int:
        return len(self._match.players)

    @property
    def reservations(self) -> list[str]:
        """The codes under which seats are reserved."""
        members = self._match.members
        return [member.reservation for member in members if member.reservation is not None]

    def seats(self, client: Client) -> bool:
        """Whether the client is a player here."""
        return self._match.member_of(client) is not None

    def will_ask(self, client: Client) -> bool:
        """Whether the client has been sent a state, and will be asked for its move in a moment."""
        return REQUEST in self.timers and self._match.on_turn.client is client

    @property
    def expects_a_move(self) -> bool:
        """Whether a move has been requested or will be in a moment."""
        return self._asked is not None or REQUEST in self.timers

    @property
    def awaited(self) -> Awaited:
        """Who has been asked for a move, and when."""
        client = None if self._asked is None else self._match.on_turn.client
        return {} if client is None else {client.number: self._asked}

    @property
    def silent_since(self) -> float:
        """Since when a requested move has been awaited; infinity if none is."""
        return inf if self._asked is None else self._asked

    @property
    def summary(self) -> Summary:
        running = Stage.RUNNING if self._started else Stage.WAITING
        members = self._match.members
        return Summary(
            name=self.recipe.name or "",  # not the id: whoever knows that can join
            stage=Stage.PAUSED if self._paused else running,
            players=[str(member) for member in members if member.client],
            spectators=[observer.key for observer in self._observers],
            facts={str(member): member.reservation for member in members if member.reservation},
            idle=not self._started,
        )

    def ignores(self, request: Pause | Step) -> bool:
        """Whether a request of an administrator would change nothing."""
        if isinstance(request, Pause):
            return request.pause is self._paused
        return not self._paused if self._started else not request.forced

    # What happens

    def enter(self, client: Client, admission: Admission) -> Effects:
        self._seat_for(admission.reservation).sit_down(client)
        yield Send(client, Joined(self.room_id))
        if self.player_count == len(Team):
            yield from self._start()

    def receive(self, client: Client, message: Room) -> Effects:
        member, move = self._match.member_of(client), message.data
        if member is None or not isinstance(move, Move | UnreadableMove):
            return ()
        return [*self._hurry(), *self._consider(member, move)]

    def leave(self, client: Client) -> Effects:
        """A connection has ended; for players that ends the game, for observers nothing changes."""
        self._forget_observer(client)
        gone = [member for member in self._match.members if member.client is client]
        for member in gone:
            reason = texts.has_left(member.departure)
            member.client, member.violation = None, Violation(Cause.LEFT, reason)
        if gone:
            yield from self._cancel()

    def time_up(self, timer: Hashable) -> Effects:
        if timer == REQUEST:
            return self._request()
        seconds = self._settings.hard_seconds
        return self._stop_waiting(seconds, breaches.no_move(seconds))

    def told(self, notice: Notice) -> Effects:
        match notice:
            case Hurry():
                return self._hurry()
            case Observing(client=client):
                self._observers.append(client)
                return (Send(client, Observed(self.room_id)),)
            case ObserverLeft(client=client):
                self._forget_observer(client)
                return ()
            case Parting(client=client, how=how):
                self._note_departure(client, how)
                return ()
            case Pause(pause=paused):
                return self._pause(paused)
            case Step(forced=forced):
                return self._step(forced)
            case Cancel():
                return self._cancel()
            case MakeRoom():
                seconds = self._settings.idle_seat_seconds
                return self._stop_waiting(seconds, breaches.silent(seconds))

    def order(self, order: Order) -> Effects:
        match order:
            case orders.Shutdown() | orders.Fault():
                return self._cancel()
            case orders.Abort(winner=winner):
                return self._cancel() if winner is None else self._award(winner)
            case orders.Pause():
                return self._pause(True)
            case orders.Resume():
                return self._pause(False)
            case orders.Step():
                if not (self._started and self._paused):
                    raise OrderRefused("only a running game that is paused can go step by step")
                return self._step()
            case orders.Start():
                raise OrderRefused("a game begins by itself when both players are there")
        raise OrderRefused("Penguins does not know this order")

    def take_over(self, past: "PenguinsTable") -> Iterator[Effect]:
        """Continue from the game of another table, with these players on the seats there."""
        self.timers.clear()
        self._match.before, self._match.state = past.match.before, past.match.state
        self._paused, self._asked = False, None
        yield from self._announce()
        if (seconds := past.thought) is None:
            yield from self._ask()
            return
        yield self._show_all()
        yield from self._request()
        self._asked = self._clock.time() - seconds
        self.timers.adopt(past.timers, MOVE)

    @property
    def thought(self) -> float | None:
        """For how many seconds a move has been expected; None if none is."""
        return None if self._asked is None else self._clock.time() - self._asked

    # What administrators and organisers want

    def _pause(self, paused: bool) -> Iterator[Effect]:
        """Stop after the move that was asked for, or go on."""
        if paused is self._paused:
            return
        yield from self._hurry()
        self._paused = paused
        yield self._tell(self._observers, Paused(paused))
        if self._started and not paused and self._asked is None:
            yield from self._ask()

    def _step(self, forced: bool = False) -> Iterator[Effect]:
        """While paused, ask for one move; a game that cannot begin is ended if forced."""
        if self._started and self._paused:
            yield from self._hurry()
            self.timers.stop(MOVE)  # its time starts over
            yield from self._ask()
        elif forced and not self._started:
            yield from self._end_early()

    def _cancel(self) -> Iterator[Effect]:
        yield from self._hurry()
        yield from self._end_early()

    def _award(self, winner: Client) -> Iterator[Effect]:
        member = self._match.member_of(winner)
        if member is None or not self._started:
            raise OrderRefused("the winner must be a player of a running game")
        yield from self._hurry()
        yield from self._end(self._match.awarded(member.team))

    # The course of the game

    def _start(self) -> Iterator[Effect]:
        self._started = True
        yield from self._announce()
        yield from self._go_on()

    def _announce(self) -> Iterator[Effect]:
        yield Began([member.label for member in self._match.members])
        for member in self._match.members:
            if member.client is not None:
                yield self._tell(member.client, WelcomeMessage(member.team))

    def _go_on(self) -> Effects:
        if self._paused:
            # The players will see this state when they are asked to continue.
            return (self._show(self._observers),)
        return self._ask()

    def _ask(self) -> Effects:
        client, gap = self._match.on_turn.client, self._settings.request_gap_seconds
        if gap and client is not None and not client.hosted:
            self.timers.start(REQUEST, gap)
            return (self._show_all(),)
        return (self._show_all(), *self._request())

    def _hurry(self) -> Effects:
        """Request the move at once that would be requested in a moment: nothing may overtake it.

        To the players it looks as if the request had been on its way already; so a move that
        arrives before counts as requested.
        """
        if REQUEST not in self.timers:
            return ()
        self.timers.stop(REQUEST)
        return self._request()

    def _request(self) -> Effects:
        self._asked = self._clock.time()
        member = self._match.on_turn
        if member.can_timeout:
            self.timers.start(MOVE, self._settings.hard_seconds)
        return () if member.client is None else (self._tell(member.client, MoveRequest()),)

    def _consider(self, member: Member, move: Move | UnreadableMove) -> Effects:
        if objection := self._objection(member, move):
            text, breach = objection
            return self._reject(member, move, breach, text, text)
        if self._is_late(member):
            return self._come_late(member)
        if isinstance(move, UnreadableMove):
            breach = breaches.unreadable_move(move)
            return self._reject_invalid(member, move, breach, texts.UNRECOGNISED)
        return self._move(member, move)

    def _objection(self, member: Member, move: Move | UnreadableMove) -> tuple[str, Breach] | None:
        """Why no move is allowed from that member now; None if it is."""
        on_turn = self._match.on_turn if self._started else member
        if member is not on_turn:
            text = texts.not_your_turn(on_turn, member, move)
            return text, breaches.not_your_turn(on_turn, member)
        if self._asked is None:
            return texts.not_requested(member), breaches.not_requested(move)
        return None

    def _is_late(self, member: Member) -> bool:
        if self._asked is None or not member.can_timeout:
            return False
        return self._clock.time() - self._asked > self._settings.soft_seconds

    def _come_late(self, member: Member) -> Effects:
        seconds, thought = self._settings.soft_seconds, self.thought or 0.0
        breach = breaches.late(seconds, thought)
        return self._time_out(member, Cause.SOFT_TIMEOUT, seconds, breach)

    def _move(self, member: Member, move: Move) -> Effects:
        try:
            self._match.go_on(rules.apply(self._match.state, move))
        except RuleViolation as violation:
            breach = breaches.against_the_rules(violation.mistake, move)
            return self._reject_invalid(member, move, breach, str(violation))
        self._asked = None
        if member.can_timeout:
            self.timers.stop(MOVE)
        if self._match.state.over:
            return (self._show_all(), *self._end(self._match.regular()))
        return self._go_on()

    def _reject_invalid(
        self, member: Member, move: Move | UnreadableMove, breach: Breach, mistake: str
    ) -> Iterator[Effect]:
        text = texts.invalid_move(member, move, mistake)
        yield self._tell(self._observers, Error(text, move))
        yield from self._reject(member, move, breach, text, texts.broken_rule(move, mistake))

    def _reject(
        self, member: Member, move: Move | UnreadableMove, breach: Breach, text: str, reason: str
    ) -> Iterator[Effect]:
        if member.client is not None:
            yield Explain(member.client, breach, Consequence.STRUCK)
            yield self._tell(member.client, Error(text, move))
        yield from self._lose(member, Violation(Cause.RULE_VIOLATION, reason))

    # The end

    def _stop_waiting(self, seconds: float, breach: Breach) -> Effects:
        """The next player has not moved for that many seconds."""
        soft = self._settings.hard_timeout_as_soft
        cause = Cause.SOFT_TIMEOUT if soft else Cause.HARD_TIMEOUT
        return self._time_out(self._match.on_turn, cause, seconds, breach)

    def _time_out(
        self, member: Member, cause: Cause, seconds: float, breach: Breach
    ) -> Iterator[Effect]:
        if member.client is not None:
            yield Explain(member.client, breach, Consequence.STRUCK)
        yield from self._lose(member, Violation(cause, texts.timed_out(seconds)))

    def _lose(self, member: Member, violation: Violation) -> Effects:
        member.violation = violation
        return self._end_early()

    def _end_early(self) -> Effects:
        for member in self._match.members:
            if member.client is None and member.violation is None:
                member.violation = Violation(Cause.LEFT, texts.has_left("NOT_CONNECTED"))
        timeouts = self._settings.winner_on_timeout
        return self._end(self._match.early(winner_on_timeout=timeouts))

    def _end(self, outcome: Result) -> Iterator[Effect]:
        self.result = outcome
        everybody = [*self._match.players, *self._observers]
        yield self._tell(everybody, outcome)
        yield Send(everybody, Left(self.room_id))
        yield self._match.ended(outcome)
        if self._settings.close_after_game:
            for player in self._match.players:
                yield Kick(player, Farewell.DONE)
        yield Close()

    # Who is who, and how they are told

    def _seat_for(self, reservation: str | None) -> Member:
        """The seat reserved under a code, or, without a code, the first free one."""
        members = self._match.members
        for member in members:
            if member.reservation == reservation and member.client is None:
                return member
        member = Member(tuple(Team)[len(members)], can_timeout=self._settings.players_time_out)
        members.append(member)
        return member

    def _note_departure(self, client: Client, how: str) -> None:
        for member in self._match.members:
            if member.client is client:
                member.departure = how

    def _forget_observer(self, client: Client) -> None:
        self._observers = [other for other in self._observers if other is not client]

    def _show_all(self) -> Send:
        return self._show([*self._observers, *self._match.players])

    def _show(self, to: Sequence[Client]) -> Send:
        state = self._match.state
        self.shows_again, self._shown = state is self._shown, state
        return self._tell(to, Memento(state))

    def _tell(self, to: Client | Sequence[Client], data: RoomData) -> Send:
        return Send(to, Room(self.room_id, data))


def _member(seat: Seat) -> Member:
    return Member(seat.team, seat.name, seat.can_timeout, seat.reservation)


def _first_state(settings: Settings, rng: random.Random) -> State:
    chosen = settings.board_seed
    return rules.start(generate(rng.choice(SEEDS) if chosen is None else chosen))
