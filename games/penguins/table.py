"""The talk inside a room: waiting, playing, pausing, ending."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from games.penguins import refusal, result, rules, texts
from games.penguins.messages import (
    Cause,
    Error,
    ErrorPacket,
    Joined,
    Left,
    Memento,
    MoveRequest,
    Observed,
    Paused,
    Result,
    Room,
    RoomData,
    UnreadableMove,
    WelcomeMessage,
)
from games.penguins.rules import Move, State, Team
from games.penguins.seat import Seat, Violation
from games.penguins.settings import Settings
from ludothek.contract import orders
from ludothek.contract.clock import Clock
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.orders import Order, OrderRefused
from ludothek.contract.table import Began, Close, Effect, Effects, Kick, Send, Summary
from ludothek.runtime.client import Client
from transports import Farewell


class PenguinsTable:
    """Two seats, observers, and a game that begins when both seats are taken."""

    def __init__(
        self,
        room_id: str,
        state: State,
        settings: Settings,
        clock: Clock,
        *,
        seats: Sequence[Seat] = (),
        paused: bool = False,
        name: str | None = None,
    ) -> None:
        self._room_id = room_id
        self._name = name or room_id  # for organisers; the protocol knows none
        self._state = state
        self._settings = settings
        self._clock = clock
        self._seats = list(seats)
        self._observers: list[Client] = []  # with repetitions: who observes twice hears twice
        self._paused = paused
        self._started = False
        self._asked: float | None = None  # since when a move is expected
        self._asking: float | None = None  # when it will be asked for; the state is sent already

    @property
    def has_room(self) -> bool:
        """Whether somebody without a reservation may come in."""
        return len(self._seats) < len(Team) or any(seat.free for seat in self._seats)

    @property
    def player_count(self) -> int:
        return sum(seat.client is not None for seat in self._seats)

    @property
    def reservations(self) -> list[str]:
        """The codes under which seats are reserved."""
        return [seat.reservation for seat in self._seats if seat.reservation is not None]

    def seats(self, client: Client) -> bool:
        """Whether the client is a player here."""
        return self._seat_of(client) is not None

    def will_ask(self, client: Client) -> bool:
        """Whether the client has been sent a state, and will be asked for its move in a moment."""
        return self._asking is not None and self._next_seat.client is client

    @property
    def summary(self) -> Summary:
        state = "paused" if self._paused else "running" if self._started else "waiting"
        return Summary(
            name=self._name,
            state=state,
            players=[str(seat) for seat in self._seats if seat.client],
            spectators=[observer.key for observer in self._observers],
            facts={str(s): s.reservation for s in self._seats if s.reservation},
            idle=not self._started,
        )

    @property
    def silent_since(self) -> float:
        """Since when a requested move has been awaited; infinity if none is."""
        return inf if self._asked is None else self._asked

    @property
    def deadline(self) -> float:
        if self._asking is not None:
            return self._asking
        if self._asked is None or not self._next_seat.can_timeout:
            return inf
        return self._asked + self._settings.hard_seconds

    # What happens

    def enter(self, client: Client, request: str | None) -> Effects:
        """Take the seat reserved under a code, or without one the first that is free."""
        self._seat_for(request).take(client)
        client.place = self._room_id
        yield Send(client, Joined(self._room_id))
        if self.player_count == len(Team):
            yield from self._start()

    def receive(self, client: Client, message: Room) -> Effects:
        yield from self.hurry()
        seat = self._seat_of(client)
        if seat is None:
            yield _refuse(client, refusal.not_a_member(self._room_id), message)
        elif not isinstance(message.data, Move | UnreadableMove):
            yield _refuse(client, refusal.not_a_move(message), message)
        else:
            yield from self._consider(seat, message.data)

    def leave(self, client: Client) -> Effects:
        yield from self.depart(client, "LOST_CONNECTION")

    def depart(self, client: Client, how: str) -> Effects:
        """A connection has ended; for players that ends the game, for observers nothing."""
        self._observers = [other for other in self._observers if other is not client]
        seats = [seat for seat in self._seats if seat.client is client]
        for seat in seats:
            seat.client, seat.violation = None, Violation(Cause.LEFT, texts.has_left(how))
        if seats:
            yield from self.hurry()
            yield from self._end_early()

    def time_up(self) -> Effects:
        if self._asking is not None:
            yield from self.hurry()
            return
        cause = Cause.HARD_TIMEOUT
        if self._settings.hard_timeout_as_soft:
            cause = Cause.SOFT_TIMEOUT
        reason = texts.timed_out(self._settings.hard_seconds)
        yield from self._lose(self._next_seat, Violation(cause, reason))

    # What the organiser wants

    def order(self, order: Order) -> Effects:
        match order:
            case orders.Shutdown() | orders.Fault():
                yield from self.cancel()
            case orders.Abort(winner=winner):
                yield from self._abort(winner)
            case orders.Pause():
                yield from self.pause(True)
            case orders.Resume():
                yield from self.pause(False)
            case orders.Step():
                if not (self._started and self._paused):
                    raise OrderRefused("only a running game that is paused can go step by step")
                yield from self.step()
            case orders.Start():
                raise OrderRefused("a game begins by itself when both players are there")
            case _:
                raise OrderRefused("Penguins does not know this order")

    def observe(self, client: Client) -> Effects:
        self._observers.append(client)
        yield Send(client, Observed(self._room_id))

    def pause(self, paused: bool) -> Effects:
        """Stop after the move that was asked for, or go on."""
        if paused is self._paused:
            return
        yield from self.hurry()
        self._paused = paused
        yield self._tell(self._observers, Paused(paused))
        if self._started and not paused and self._asked is None:
            yield from self._ask()

    def step(self, forced: bool = False) -> Effects:
        """While paused, ask for one move; a game that cannot begin is ended if forced."""
        if self._started and self._paused:
            yield from self.hurry()
            yield from self._ask()
        elif forced and not self._started:
            yield from self._end_early()

    def cancel(self) -> Effects:
        yield from self.hurry()
        yield from self._end_early()

    def reclaim(self) -> Effects:
        """Others need the room whose next player has been silent for too long."""
        soft = self._settings.hard_timeout_as_soft
        cause = Cause.SOFT_TIMEOUT if soft else Cause.HARD_TIMEOUT
        reason = texts.timed_out(self._settings.idle_seat_seconds)
        yield from self._lose(self._next_seat, Violation(cause, reason))

    def _abort(self, winner: Client | None) -> Iterator[Effect]:
        if winner is None:
            yield from self.cancel()
            return
        seat = self._seat_of(winner)
        if seat is None or not self._started:
            raise OrderRefused("the winner must be a player of a running game")
        yield from self.hurry()
        yield from self._end(result.awarded(self._seats, self._state, seat.team))

    # The course of the game

    def _start(self) -> Iterator[Effect]:
        self._started = True
        yield Began([result.player_name(seat) for seat in self._seats])
        for seat in self._seats:
            if seat.client is not None:
                yield self._tell([seat.client], WelcomeMessage(seat.team))
        yield from self._go_on()

    def _go_on(self) -> Iterator[Effect]:
        if self._paused:
            # The players will see this state when they are asked to go on.
            yield self._tell(self._observers, Memento(self._state))
        else:
            yield from self._ask()

    def _ask(self) -> Iterator[Effect]:
        yield self._show_all()
        client, gap = self._next_seat.client, self._settings.request_gap_seconds
        self._asking = self._clock.time()
        if gap and client is not None and not client.hosted:
            self._asking += gap
        else:
            yield from self.hurry()

    def hurry(self) -> Effects:
        """Ask for the move now that is to be asked for in a moment: nothing overtakes a request.

        To the players it looks as if it had been on its way already; so a move that comes before
        has been asked for.
        """
        if self._asking is not None:
            self._asking, self._asked = None, self._clock.time()
            if (client := self._next_seat.client) is not None:
                yield self._tell([client], MoveRequest())

    def _consider(self, seat: Seat, move: Move | UnreadableMove) -> Iterator[Effect]:
        if objection := self._objection(seat, move):
            yield from self._reject(seat, move, objection, objection)
        elif self._is_late(seat):
            reason = texts.timed_out(self._settings.soft_seconds)
            yield from self._lose(seat, Violation(Cause.SOFT_TIMEOUT, reason))
        elif isinstance(move, UnreadableMove):
            yield from self._reject_invalid(seat, move, texts.UNRECOGNISED)
        else:
            yield from self._move(seat, move)

    def _objection(self, seat: Seat, move: Move | UnreadableMove) -> str | None:
        """Why no move may come from there now, if so."""
        if self._started and seat is not self._next_seat:
            return texts.not_your_turn(self._next_seat, seat, move)
        if self._asked is None:
            return texts.not_requested(seat)
        return None

    def _is_late(self, seat: Seat) -> bool:
        if self._asked is None or not seat.can_timeout:
            return False
        return self._clock.time() - self._asked > self._settings.soft_seconds

    def _move(self, seat: Seat, move: Move) -> Iterator[Effect]:
        try:
            self._state = rules.apply(self._state, move)
        except RuleViolation as violation:
            yield from self._reject_invalid(seat, move, str(violation))
            return
        self._asked = None
        if self._state.over:
            yield self._show_all()
            yield from self._end(result.regular(self._seats, self._state))
        else:
            yield from self._go_on()

    def _reject_invalid(
        self, seat: Seat, move: Move | UnreadableMove, mistake: str
    ) -> Iterator[Effect]:
        text = texts.invalid_move(seat, move, mistake)
        yield self._tell(self._observers, Error(text, move))
        yield from self._reject(seat, move, text, texts.broken_rule(move, mistake))

    def _reject(
        self, seat: Seat, move: Move | UnreadableMove, text: str, reason: str
    ) -> Iterator[Effect]:
        if seat.client is not None:
            yield self._tell([seat.client], Error(text, move))
        yield from self._lose(seat, Violation(Cause.RULE_VIOLATION, reason))

    # The end

    def _lose(self, seat: Seat, violation: Violation) -> Iterator[Effect]:
        seat.violation = violation
        yield from self._end_early()

    def _end_early(self) -> Iterator[Effect]:
        for seat in self._seats:
            if seat.client is None and seat.violation is None:
                seat.violation = Violation(Cause.LEFT, texts.has_left("NOT_CONNECTED"))
        timeouts = self._settings.winner_on_timeout
        yield from self._end(result.early(self._seats, self._state, winner_on_timeout=timeouts))

    def _end(self, outcome: Result) -> Iterator[Effect]:
        for player in self._players:
            player.place = None
        everybody = [*self._players, *self._observers]
        yield self._tell(everybody, outcome)
        yield Send(everybody, Left(self._room_id))
        yield result.ended(self._seats, outcome, self._state)
        if self._settings.close_after_game:
            for player in self._players:
                yield Kick(player, Farewell.DONE)
        yield Close()

    # Who is who, and how they are told

    @property
    def _next_seat(self) -> Seat:
        return self._seats[self._state.team.index]

    @property
    def _players(self) -> list[Client]:
        return [seat.client for seat in self._seats if seat.client is not None]

    def _seat_for(self, reservation: str | None) -> Seat:
        for seat in self._seats:
            if seat.reservation == reservation and seat.client is None:
                return seat
        seat = Seat(tuple(Team)[len(self._seats)], can_timeout=self._settings.players_time_out)
        self._seats.append(seat)
        return seat

    def _seat_of(self, client: Client) -> Seat | None:
        """The client's seat; if it has both, the first one, whoever's turn it is."""
        return next((seat for seat in self._seats if seat.client is client), None)

    def _show_all(self) -> Send:
        return self._tell([*self._observers, *self._players], Memento(self._state))

    def _tell(self, clients: Sequence[Client], data: RoomData) -> Send:
        return Send(tuple(clients), Room(self._room_id, data))


def _refuse(client: Client, why: refusal.Refusal, request: Any) -> Send:
    return Send(client, ErrorPacket(str(why), request))
