"""Requests that are refused, in the words of the original server."""

from math import ceil
from typing import Any

import attrs

from games.penguins import breaches
from games.penguins.breaches import InRoom
from games.penguins.messages import (
    Authenticate,
    Cancel,
    Entry,
    Error,
    ErrorPacket,
    Join,
    Joined,
    JoinedGameRoom,
    JoinPrepared,
    Left,
    Memento,
    MoveRequest,
    Observe,
    Observed,
    Packet,
    Pause,
    Paused,
    Prepare,
    Prepared,
    Result,
    Room,
    Slot,
    Step,
    UnreadableMove,
    WelcomeMessage,
)
from games.penguins.names import write_value
from games.penguins.rules import Move, State
from games.penguins.texts import in_words
from ludothek.contract.clauses import Breach
from ludothek.contract.codec import camel_case

# What the classes of these messages are called there; the texts contain these names.
JAVA_NAMES = {
    Authenticate: "AuthenticateRequest",
    Prepare: "PrepareGameRequest",
    Slot: "SlotDescriptor",
    Observe: "ObservationRequest",
    Pause: "PauseGameRequest",
    Step: "StepRequest",
    Cancel: "CancelRequest",
    Joined: "sc.protocol.responses.JoinedRoomResponse",
    Prepared: "sc.protocol.responses.GamePreparedResponse",
    Observed: "sc.protocol.responses.ObservationResponse",
    JoinedGameRoom: "sc.protocol.responses.RoomWasJoinedEvent",
    Left: "sc.protocol.RemovedFromGame",
    ErrorPacket: "sc.protocol.responses.ErrorPacket",
    Room: "RoomPacket",
    WelcomeMessage: "WelcomeMessage",
    Memento: "MementoMessage",
    MoveRequest: "MoveRequest",
    Error: "ErrorMessage",
    Paused: "GamePaused",
    Result: "GameResult",
    State: "GameState",
    Entry: "PlayerScore",
}

# Which of their fields the texts show, where it is not all of them in our order.
JAVA_FIELDS: dict[type[Any], tuple[str, ...]] = {
    Prepare: ("game_type", "slots", "pause"),
    Error: ("original_message", "message"),
    State: ("turn",),
}
JAVA_FIELD_NAMES: dict[tuple[type[Any], str], str] = {(Prepare, "slots"): "slotDescriptors"}


# The longest text that quotes what a client has asked for, in characters.
MAX_TEXT = 1000


class Refusal(Exception):
    """A request cannot be granted; the text is for the client, whose connection stays open."""

    def __init__(self, text: str, breach: Breach) -> None:
        super().__init__(text[:MAX_TEXT])
        self.breach = breach


def _room(text: str, breach: Breach) -> Refusal:
    return Refusal(f"sc.api.plugins.exceptions.GameRoomException: {text}", breach)


def unknown_room(packet: InRoom) -> Refusal:
    text = f"Couldn't find a room with id {_java(packet.room_id)}"
    return _room(text, breaches.unknown_room(packet))


def room_full(room_id: str) -> Refusal:
    return _room(f"Room {room_id} is already full!", breaches.full(room_id))


def too_many_rooms(breach: Breach) -> Refusal:
    return _room("There are too many rooms already, try again later.", breach)


def in_too_many_rooms(count: int) -> Refusal:
    return _room(
        f"Client is in {count} rooms already", breaches.own_rooms(f"one more than {count}")
    )


def going_away() -> Refusal:
    return _room("The server is about to end and opens no more rooms.", breaches.draining())


def not_a_member(room_id: str) -> Refusal:
    return _room(f"Client is not a member of game {room_id}", breaches.not_a_member(room_id))


def not_a_move(packet: Room) -> Refusal:
    return _room(f"Received non-move packet: {_java(packet)}", breaches.not_a_move(packet))


def unknown_reservation(packet: JoinPrepared) -> Refusal:
    return Refusal(
        "sc.server.gaming.UnknownReservationException: "
        "Couldn't find a reservation for the provided token.",
        breaches.unknown_reservation(packet),
    )


_WRONG_PASSWORD = (
    "sc.server.network.AuthenticationFailedException: Failed to authenticate as administrator"
)


def authentication_failed() -> Refusal:
    return Refusal(_WRONG_PASSWORD, breaches.wrong_password())


def too_many_tries(seconds: float) -> Refusal:
    text = f"{_WRONG_PASSWORD}: too many wrong passwords, try again in {ceil(seconds)} s"
    return Refusal(text, breaches.early_password(ceil(seconds)))


def unauthenticated(request: Packet) -> Refusal:
    return Refusal(
        "sc.server.network.UnauthenticatedException: "
        f"Request {_java(request)} requires authentication",
        breaches.unauthenticated(request),
    )


def unknown_game_type(packet: Join | Prepare) -> Refusal:
    text = f"Unknown game type {_java(packet.game_type)}"
    return Refusal(_rescuable(text), breaches.unknown_game_type(packet))


def bad_slots(why: str, breach: Breach) -> Refusal:
    return Refusal(_rescuable(f"Cannot prepare a game: {why}"), breach)


def unhandled(packet: Packet) -> Refusal:
    text = f"Unhandled Packet of type: class {JAVA_NAMES[type(packet)]}"
    return Refusal(_rescuable(text), breaches.of_the_server(packet))


def sent_away(why: str) -> str:
    """What a client is told that has broken a limit."""
    return _rescuable(f"Disconnected: {why}")


def _rescuable(text: str) -> str:
    return f"sc.api.plugins.exceptions.RescuableClientException: {text}"


def _java(value: Any) -> str:
    """A value as Java prints it."""
    if value is None:
        return "null"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_java, value))}]"
    if isinstance(value, Move | UnreadableMove):
        return in_words(value)
    cls = type(value)
    if not attrs.has(cls):
        return write_value(value)
    names = JAVA_FIELDS.get(cls) or tuple(field.name for field in attrs.fields(cls))
    fields = (
        f"{JAVA_FIELD_NAMES.get((cls, name)) or camel_case(name)}={_java(getattr(value, name))}"
        for name in names
    )
    return f"{JAVA_NAMES[cls]}({', '.join(fields)})"
