"""Requests that are refused, in the words of the original server."""

from math import ceil
from typing import Any

import attrs

from games.penguins.messages import (
    Authenticate,
    Cancel,
    Entry,
    Error,
    ErrorPacket,
    Joined,
    JoinedGameRoom,
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

    def __init__(self, text: str) -> None:
        super().__init__(text[:MAX_TEXT])


def _room(text: str) -> Refusal:
    return Refusal(f"sc.api.plugins.exceptions.GameRoomException: {text}")


def unknown_room(room_id: str | None) -> Refusal:
    return _room(f"Couldn't find a room with id {_java(room_id)}")


def room_full(room_id: str | None) -> Refusal:
    return _room(f"Room {room_id} is already full!")


def too_many_rooms() -> Refusal:
    return _room("There are too many rooms already, try again later.")


def in_too_many_rooms(count: int) -> Refusal:
    return _room(f"Client is in {count} rooms already")


def going_away() -> Refusal:
    return _room("The server is about to end and opens no more rooms.")


def not_a_member(room_id: str) -> Refusal:
    return _room(f"Client is not a member of game {room_id}")


def not_a_move(packet: Room) -> Refusal:
    return _room(f"Received non-move packet: {_java(packet)}")


def unknown_reservation() -> Refusal:
    return Refusal(
        "sc.server.gaming.UnknownReservationException: "
        "Couldn't find a reservation for the provided token."
    )


def authentication_failed() -> Refusal:
    return Refusal(
        "sc.server.network.AuthenticationFailedException: Failed to authenticate as administrator"
    )


def too_many_tries(seconds: float) -> Refusal:
    text = str(authentication_failed())
    return Refusal(f"{text}: too many wrong passwords, try again in {ceil(seconds)} s")


def unauthenticated(request: Packet) -> Refusal:
    return Refusal(
        "sc.server.network.UnauthenticatedException: "
        f"Request {_java(request)} requires authentication"
    )


def unknown_game_type(game_type: str | None) -> Refusal:
    return _rescuable(f"Unknown game type {_java(game_type)}")


def bad_slots(why: str) -> Refusal:
    return _rescuable(f"Cannot prepare a game: {why}")


def sent_away(why: str) -> Refusal:
    return _rescuable(f"Disconnected: {why}")


def unhandled(packet: Packet) -> Refusal:
    return _rescuable(f"Unhandled Packet of type: class {JAVA_NAMES[type(packet)]}")


def _rescuable(text: str) -> Refusal:
    return Refusal(f"sc.api.plugins.exceptions.RescuableClientException: {text}")


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
