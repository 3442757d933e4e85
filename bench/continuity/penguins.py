"""Penguins: in every room of a connection, each state is the one before plus its last move."""

from collections.abc import Sequence
from typing import Any

import attrs

from bench.continuity.gap import Answers, News, gap, require
from games.penguins import rules
from games.penguins.messages import (
    Cause,
    ErrorPacket,
    Join,
    Joined,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    Left,
    Memento,
    MoveRequest,
    Observe,
    Observed,
    Pause,
    Paused,
    Prepare,
    Prepared,
    Result,
    Room,
    WelcomeMessage,
)
from games.penguins.rules import Move, State, Team
from ludothek.contract.mistakes import RuleViolation


@attrs.define
class _Seat:
    """A room as one of its players or an observer sees it."""

    observing: bool = False
    team: Team | None = None
    state: State | None = None
    asked: bool = False  # for the move that follows the state
    move: Move | None = None  # our answer
    paused: bool = False
    shown: int = 0  # states since the pause began, which will be shown again
    again: bool = False  # the state that was shown last comes again
    result: Result | None = None

    def hear(self, data: Any) -> None:
        require(self.result is None, f"{type(data).__name__} after the result")
        require(not self.again or isinstance(data, Memento), "no state after the pause")
        match data:
            case WelcomeMessage(color=team):
                require(self.team is None and self.state is None, "welcome again")
                self.team = team
            case Memento(state=state):
                self._see(state)
            case MoveRequest():
                require(self._on_turn and not self.asked, "a request that nobody waits for")
                self.asked = True
            case Paused(paused=paused):
                require(paused is not self.paused, f"paused {paused} again")
                self.paused = paused
                self.again, self.shown = not paused and self.shown > 0, 0
            case Result():
                self._end(data)

    @property
    def _on_turn(self) -> bool:
        return self.state is not None and self.state.team is self.team and not self.state.over

    @property
    def owes_request(self) -> bool:
        return not self.observing and self._on_turn and not self.asked

    def _see(self, state: State) -> None:
        self.shown += self.paused
        require(self.observing or self.team is not None, "no welcome")
        if self.again:
            require(state == self.state, "another state than before the pause")
            self.again = False
            return
        if self.state is not None:
            self._follow(self.state, state)
        elif not self.observing:
            require(state.turn == 0, f"the first state is that of turn {state.turn}")
        self.state, self.asked, self.move = state, False, None

    def _follow(self, before: State, after: State) -> None:
        require(after.turn == before.turn + 1, f"turn {after.turn} after turn {before.turn}")
        require(not self.owes_request, f"no request for the move of turn {after.turn}")
        if not self.observing and self._on_turn:
            require(after.last_move == self.move, f"turn {after.turn}: not the move we have made")
        try:
            expected = None if after.last_move is None else rules.apply(before, after.last_move)
        except RuleViolation:
            expected = None
        require(after == expected, f"turn {after.turn} is not by the rules")

    def _end(self, result: Result) -> None:
        state = self.state
        require(state is not None and state.over, "a result before the end")
        assert state is not None
        fish = tuple(entry.fish for entry in result.scores)
        causes = {entry.cause for entry in result.scores}
        require(fish == state.fish, f"the result has {fish}, the last state {state.fish}")
        require(result.winner is rules.winner(state), "the winner is not by the rules")
        require(causes == {Cause.REGULAR}, f"the end is not regular: {result}")
        self.result = result


class PenguinsContinuity:
    """All rooms of one connection."""

    def __init__(self) -> None:
        self._answers = Answers()
        self._rooms: dict[str | None, _Seat] = {}
        self._counts: dict[str | None, int] = {}  # players, as administrators are told
        self._prepared: dict[str | None, bool] = {}  # whether the game begins paused
        self._preparing: list[bool] = []
        self._repeated = False

    def said(self, message: Any) -> None:
        match message:
            case Join() | JoinRoom() | JoinPrepared():
                self._answers.expect(Joined)
            case Observe():
                self._answers.expect(Observed, ErrorPacket)  # it may have ended meanwhile
            case Prepare(pause=paused):
                self._answers.expect(Prepared)
                self._preparing.append(paused)
            case Room(room_id=room_id, data=Move() as move) if room_id in self._rooms:
                self._rooms[room_id].move = move

    def heard(self, message: Any) -> None:
        self._repeated = False
        match message:
            case Joined(room_id=room_id):
                self._answers.take(message)
                self._enter(room_id, _Seat())
            case Observed(room_id=room_id):
                self._answers.take(message)
                self._enter(room_id, _Seat(True, paused=self._prepared.pop(room_id, False)))
            case Prepared(room_id=room_id):
                self._answers.take(message)
                self._prepared[room_id] = self._preparing.pop(0)
            case JoinedGameRoom(room_id=room_id, player_count=count):
                before = self._counts.pop(room_id, 0)
                require(count == before + 1, f"{count} players after {before}")
                if count < len(Team):
                    self._counts[room_id] = count
            case Room(room_id=room_id, data=data):
                seat = self._seat(room_id)
                self._repeated = seat.again
                seat.hear(data)
            case Left(room_id=room_id):
                require(self._seat(room_id).result is not None, "no result")
                del self._rooms[room_id]
            case ErrorPacket(original_request=Pause()):
                pass  # the game has ended in the meantime
            case ErrorPacket(message=text):
                self._answers.take(message) if self._answers.owed else gap(f"refused: {text}")

    def news(self, message: Any, frame: bytes) -> News | None:
        public = isinstance(message, Room) and isinstance(message.data, Memento | Result)
        return News.of(message.data, frame) if public and not self._repeated else None

    @property
    def owed(self) -> Sequence[str]:
        owed = self._answers.owed
        for room_id, seat in self._rooms.items():
            if seat.owes_request and not seat.paused:
                owed.append(f"MoveRequest in {room_id}")
            if seat.again:
                owed.append(f"Memento in {room_id}")
            if seat.result is not None or (seat.state and seat.state.over):
                owed.append(f"the end in {room_id}")
        return owed

    def _enter(self, room_id: str | None, seat: _Seat) -> None:
        require(room_id not in self._rooms, f"{room_id} entered again")
        self._rooms[room_id] = seat

    def _seat(self, room_id: str | None) -> _Seat:
        require(room_id in self._rooms, f"{room_id} is not our room")
        return self._rooms[room_id]
