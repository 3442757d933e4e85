"""A Penguins player on the wire: joins, plays, reports."""

import random
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from games.penguins import bots
from games.penguins.messages import (
    Error,
    ErrorPacket,
    Join,
    Joined,
    JoinPrepared,
    JoinRoom,
    Left,
    Memento,
    MoveRequest,
    Packet,
    Result,
    Room,
    WelcomeMessage,
)
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Thought, Utterance

if TYPE_CHECKING:
    from games.penguins.rules import State, Team


class PenguinsPlayer:
    """Plays one game after the other: the first where it was told to, the others anywhere."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._difficulty = options.difficulty
        self._reservation = options.reservation
        self._wanted = options.room or options.lobby
        self._rng = rng
        self._room_id: str | None = None
        self._forget()

    def _forget(self) -> None:
        self._team: Team | None = None
        self._state: State | None = None
        self._result: Result | None = None
        self._moves = 0
        self._errors = 0

    def greet(self) -> Iterator[Utterance]:
        if bots.is_quick(self._difficulty):
            yield self._join()
        else:
            # The process that thinks takes a while to start; the first move must not wait for it.
            yield Thought(bots.wake_up, lambda _: self._join())

    def _join(self) -> Packet:
        if self._reservation is not None:
            return JoinPrepared(self._reservation)
        if self._wanted is not None:
            return JoinRoom(self._wanted)
        return Join()

    def hear(self, message: Any) -> Iterator[Utterance]:
        match message:
            case Joined(room_id=room_id):
                self._room_id = room_id
            case Room(room_id=self._room_id, data=data):
                yield from self._hear_in_room(data)
            case Left(room_id=self._room_id):
                yield self._report()
                self._forget()
                self._room_id = None
                yield Join()
            case ErrorPacket(message=text, original_request=Join() | JoinRoom() | JoinPrepared()):
                raise BrokenProtocol(f"the server does not let us join: {text}")
            case ErrorPacket(original_request=Room(room_id=room_id)) if room_id != self._room_id:
                pass  # a move was on its way when its room came to its end
            case ErrorPacket():
                self._errors += 1
            case Room() | Left():
                pass  # another room of this connection; only the one joined last is played in
            case _:
                raise BrokenProtocol(f"the server sent {message}")

    def idle(self) -> Iterator[Utterance]:
        """The server does all the matching."""
        return iter(())

    def _hear_in_room(self, data: Any) -> Iterator[Utterance]:
        match data:
            case WelcomeMessage(color=team):
                self._team = team
            case Memento(state=state):
                self._state = state
            case MoveRequest():
                yield self._think()
            case Error():
                self._errors += 1
            case Result():
                self._result = data
            case _:
                raise BrokenProtocol(f"the server sent {type(data).__name__}")

    def _think(self) -> Utterance:
        if self._state is None:
            raise BrokenProtocol("the server asked for a move before it sent a state")
        self._moves += 1
        rng = random.Random(self._rng.getrandbits(64))
        decide = partial(bots.choose, self._state, self._difficulty, rng)
        say = partial(Room, self._room_id)
        return say(decide()) if bots.is_quick(self._difficulty) else Thought(decide, say)

    def _report(self) -> Report:
        if self._result is None:
            raise BrokenProtocol("the room is gone without a result")
        winner = self._result.winner
        own = [entry for entry in self._result.scores if entry.team is self._team]
        return Report(
            winner=winner.value if winner else None,
            points={entry.team.value: entry.fish for entry in self._result.scores},
            moves=self._moves,
            errors=self._errors,
            details={
                "won": winner is not None and winner is self._team,
                "team": self._team.value if self._team else None,
                "cause": own[0].cause.value if own else None,
            },
        )
