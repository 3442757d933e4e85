"""Which clause a message breaks, and what would have been right."""

from collections.abc import Mapping
from typing import Any, cast

from games.penguins.clauses import ours, protocol
from games.penguins.messages import (
    GAME_TYPE,
    Cancel,
    ErrorPacket,
    Join,
    JoinPrepared,
    JoinRoom,
    Observe,
    Packet,
    Pause,
    Prepare,
    Prepared,
    Room,
    Slot,
    Step,
    UnreadableMove,
)
from games.penguins.names import KIND_NAMES, NAMES
from games.penguins.rules import Move
from games.penguins.rules.mistakes import Mistake
from games.penguins.texts import in_words
from ludothek.contract import mistakes
from ludothek.contract.clauses import Breach, Clause
from ludothek.contract.codec import shown
from ludothek.contract.flaws import Flaw, FlawKind
from ludothek.contract.limit_clauses import limit_of

InRoom = JoinRoom | Room | Observe | Pause | Step | Cancel

_ELEMENTS: Mapping[type[Any], str] = {
    **NAMES,
    Room: "room",
    Prepare: "prepare",
    Prepared: "prepared",
    ErrorPacket: "errorpacket",
}
_MOVE = "/room/data"


def _element(packet: Packet) -> str:
    return _ELEMENTS[type(packet)]


# Packets that cannot be read

# What the framer says about a stream that it cannot cut into packets, or the codec about a packet.
_STREAMS: Mapping[str, tuple[Clause, str]] = {
    "a root other than <protocol>": (protocol.ROOT, "<protocol> before the first packet"),
    "a document inside of the document": (protocol.ROOT, "<protocol> only once"),
    "a document type declaration": (ours.PLAIN_XML, "XML without a DOCTYPE"),
    "a processing instruction": (ours.PLAIN_XML, "XML without processing instructions"),
    "a namespace": (ours.PLAIN_XML, "names without namespaces"),
}
_OF_SERVERS = {"joined", "left", "prepared", "observed", "joinedGameRoom", "errorpacket"}


def unreadable(flaw: Flaw) -> Breach:
    if flaw.kind is FlawKind.UNREADABLE:
        clause, expected = _stream(flaw.came)
        return Breach(clause, flaw.pointer, expected, flaw.came)
    return Breach.by(flaw, limit_of(flaw) or _unreadable(flaw))


def _stream(reason: str) -> tuple[Clause, str]:
    if reason.startswith("more than "):
        return ours.SMALL_PACKETS, "a packet with fewer parts"
    return _STREAMS.get(reason, (ours.WELL_FORMED, "well-formed XML"))


def _unreadable(flaw: Flaw) -> Clause:
    if flaw.kind is FlawKind.SYNTAX:
        return ours.WELL_FORMED
    if flaw.kind is FlawKind.UNKNOWN_TYPE:
        return protocol.PACKETS
    if flaw.message == "room":
        return protocol.MOVE_FORM
    return ours.SERVER_PACKETS if flaw.message in _OF_SERVERS else ours.KNOWN_CHILDREN


def unreadable_move(move: UnreadableMove) -> Breach:
    in_a_vector = "/@" in move.flaw.pointer
    return Breach.by(move.flaw, protocol.MOVE_VALUES if in_a_vector else protocol.MOVE_PARTS)


# Packets that are refused


def of_the_server(packet: Packet) -> Breach:
    name = _element(packet)
    return Breach(ours.SERVER_PACKETS, f"/{name}", "a packet of clients", name)


def unknown_room(packet: InRoom) -> Breach:
    pointer = f"/{_element(packet)}/@roomId"
    if packet.room_id is None:
        return Breach(_without_room(packet), pointer, "the attribute roomId", "nothing")
    match packet:
        case JoinRoom():
            clause, expected = protocol.ROOM_THERE, "an open room"
        case Room():
            clause, expected = protocol.OWN_ROOM, "the room of joined, until left"
        case _:
            clause, expected = ours.ADMIN_ROOM, "an open room"
    return Breach(clause, pointer, expected, shown(packet.room_id))


def _without_room(packet: InRoom) -> Clause:
    match packet:
        case JoinRoom():
            return protocol.ROOM_NAMED
        case Room():
            return protocol.MOVE_FORM
    return ours.ADMIN_ROOM


def full(room_id: str) -> Breach:
    return Breach(protocol.ROOM_FREE, "/joinRoom/@roomId", "a room with a free seat", room_id)


def not_a_member(room_id: str) -> Breach:
    return Breach(protocol.OWN_ROOM, "/room/@roomId", "the room of joined", f"{room_id}, of others")


def not_a_move(packet: Room) -> Breach:
    if packet.data is None:
        return Breach(protocol.MOVE_FORM, _MOVE, "one data", "nothing")
    cls = type(packet.data)
    came = KIND_NAMES.get(cls, cls.__name__.lower())
    return Breach(protocol.MOVE_FORM, f"{_MOVE}/@class", "move", came)


def unknown_reservation(packet: JoinPrepared) -> Breach:
    pointer, code = "/joinPrepared/@reservationCode", packet.reservation_code
    if code is None:
        return Breach(protocol.CODE_NAMED, pointer, "the attribute reservationCode", "nothing")
    return Breach(protocol.RESERVED, pointer, "a code that was not used yet", shown(code))


def unknown_game_type(packet: Join | Prepare) -> Breach:
    pointer, came = f"/{_element(packet)}/@gameType", packet.game_type
    return Breach(ours.GAME_TYPE, pointer, GAME_TYPE, "nothing" if came is None else shown(came))


def own_rooms(came: str = "one more") -> Breach:
    return Breach(ours.ROOMS_OF_ONE, "", "fewer rooms of one client or address", came)


def all_rooms() -> Breach:
    return Breach(ours.ROOMS_OF_ALL, "", "fewer open rooms", "one more")


def draining() -> Breach:
    return Breach(ours.DRAINING, "", "no new rooms before the end of the server", "one more")


# What administrators get wrong


def unauthenticated(packet: Packet) -> Breach:
    name = _element(packet)
    return Breach(ours.AUTHENTICATED, f"/{name}", "authenticate before it", name)


_PASSWORD = "/authenticate/@password"


def wrong_password() -> Breach:
    return Breach(ours.PASSWORD, _PASSWORD, "the administrators' password", "another one")


def early_password(seconds: float) -> Breach:
    return Breach(ours.PATIENCE, _PASSWORD, f"a password in {seconds:.0f} s", "one before that")


def wrong_number_of_slots(slots: tuple[Slot, ...]) -> Breach:
    return Breach(ours.SLOTS, "/prepare/slot", "one slot or two", str(len(slots)))


def slot_without_name(place: int) -> Breach:
    pointer = f"/prepare/slot[{place}]/@displayName"
    return Breach(ours.SLOTS, pointer, "the attribute displayName", "nothing")


def without_effect(request: Pause | Step) -> Breach:
    """What the room ignores."""
    if isinstance(request, Pause):
        now = "paused already" if request.pause else "not paused"
        return Breach(ours.PAUSE_CHANGES, "/pause/@pause", "a change", f"a room that is {now}")
    return Breach(ours.STEP_IN_PAUSE, "/step", "a game that has begun and is paused", "another one")


# Moves that lose the game


def not_your_turn(expected: object, got: object) -> Breach:
    return Breach(protocol.TURN, _MOVE, f"a move of {expected}", f"one of {got}")


def not_requested(move: Move | UnreadableMove) -> Breach:
    return Breach(protocol.REQUESTED, _MOVE, "a moveRequest before it", in_words(move))


def late(seconds: float, after: float) -> Breach:
    expected = f"a move within {seconds:g} s of the moveRequest"
    return Breach(protocol.IN_TIME, "", expected, f"one after {after:.3f} s")


def no_move(seconds: float) -> Breach:
    expected = f"a move within {seconds:g} s of the moveRequest"
    return Breach(protocol.IN_TIME, "", expected, "none")


def silent(seconds: float) -> Breach:
    expected = f"a move within {seconds:g} s while others wait for a room"
    return Breach(ours.IDLE_SEAT, "", expected, "none")


_RULES: Mapping[Mistake, tuple[Clause, str, str]] = {
    Mistake.NOT_OWN: (ours.OWN_PENGUIN, "from", "a field with a penguin of your own"),
    Mistake.PLACE_FIRST: (ours.PLACE_FIRST, "from", "no from before all penguins are placed"),
    Mistake.NOT_POSSIBLE: (ours.STRAIGHT, "to", "a field in a free straight line"),
    Mistake.ALL_PLACED: (ours.FOUR_PENGUINS, "from", "the field of one of your penguins"),
    Mistake.NOT_SINGLE_FISH: (ours.SINGLE_FISH, "to", "a field with exactly one fish"),
}


def against_the_rules(mistake: mistakes.Mistake, move: Move) -> Breach:
    clause, part, expected = _RULES[cast("Mistake", mistake)]
    came = f"{in_words(move)}. {mistake.value}"
    place = move.origin if part == "from" else move.target
    # Whoever counts fields in another way should hear of that, and not of fish.
    if place is not None and not place.bit and clause is not ours.PLACE_FIRST:
        clause, expected = ours.ON_BOARD, "a field of the board: x + y even, x up to 15, y up to 7"
    return Breach(clause, f"{_MOVE}/{part}", expected, came)
