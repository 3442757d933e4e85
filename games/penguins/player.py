"""A Penguins player on the wire: joins, plays, reports."""

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.penguins import bots
from games.penguins.knowledge import Knowledge
from games.penguins.messages import (
    CloseConnection,
    ErrorPacket,
    Join,
    Joined,
    JoinPrepared,
    JoinRoom,
    Left,
    MoveRequest,
    Packet,
    Room,
)
from games.penguins.rules import legal_actions
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Question, Thought, Utterance

# The option for the code of a seat.
RESERVATION = "reservation"


class PenguinsPlayer:
    """Plays one game after another: the first where it was told to, the others anywhere."""

    def __init__(self, options: PlayerOptions, rng: random.Random) -> None:
        self._difficulty = options.difficulty
        self._seconds = options.think_seconds
        self._asks = options.asks
        self._reservation = options.own.get(RESERVATION)
        self._wanted = options.own.get("room") or options.lobby
        self._rng = rng
        self._room_id: str | None = None
        self._knowledge = Knowledge()

    def greet(self) -> Iterator[Utterance]:
        if self._asks or bots.is_quick(self._difficulty):
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
                self._knowledge.learn(data)
                if isinstance(data, MoveRequest):
                    yield self._think()
            case Left(room_id=self._room_id):
                yield self._knowledge.report()
                self._knowledge = Knowledge()
                self._room_id = None
                yield Join()
            case ErrorPacket(message=text, original_request=Join() | JoinRoom() | JoinPrepared()):
                raise BrokenProtocol(f"the server does not let us join: {text}")
            case ErrorPacket(original_request=Room(room_id=room_id)) if room_id != self._room_id:
                pass  # a move was on its way when its room was closed
            case ErrorPacket():
                self._knowledge.errors += 1
            case Room() | Left():
                pass  # another room of this connection; it plays only in the one it joined last
            case _:
                raise BrokenProtocol(f"the server sent {message}")

    def idle(self) -> Iterator[Utterance]:
        """The server does all the matching."""
        return iter(())

    def resign(self) -> Iterator[Utterance]:
        """The protocol has no other way to leave a room."""
        yield CloseConnection()

    def _think(self) -> Utterance:
        state = self._knowledge.state
        if state is None:
            raise BrokenProtocol("the server asked for a move before it sent a state")
        say = partial(Room, self._room_id)
        if self._asks:
            return Question(legal_actions(state), say)
        rng = random.Random(self._rng.getrandbits(64))
        decide = partial(bots.choose, state, self._difficulty, rng, self._seconds)
        return say(decide()) if bots.is_quick(self._difficulty) else Thought(decide, say)
