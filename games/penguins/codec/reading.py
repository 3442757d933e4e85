"""From XML elements to messages; raises CannotRead for anything else."""

from collections.abc import Iterator
from itertools import count
from typing import Any
from xml.etree.ElementTree import Element

from games.penguins.layout import Tag
from games.penguins.messages import (
    Cause,
    Entry,
    Error,
    ErrorPacket,
    Memento,
    Packet,
    Prepare,
    Prepared,
    Result,
    Room,
    RoomData,
    Slot,
    UnreadableMove,
)
from games.penguins.names import (
    FLAT,
    FLAT_KINDS,
    at,
    read_coordinate,
    read_flag,
    read_flat,
    read_int,
    read_team,
    wrong,
)
from games.penguins.rules import Board, Coordinates, Move, State, position
from ludothek.contract.codec import CannotRead, shown
from ludothek.contract.flaws import Flaw, FlawKind

FIELDS = {"ONE": "R", "TWO": "B"} | {fish: fish for fish in "01234"}


def read_packet(element: Element, name: str | None = None) -> Packet:
    """The packet in an element; its tag names it unless something else does."""
    name = element.tag if name is None else name
    try:
        return _read_packet(element, name)
    except CannotRead as error:
        known = error.flaw.kind is not FlawKind.UNKNOWN_TYPE
        raise at(f"/{name}", error, name) if known else error from None


def _read_packet(element: Element, name: str) -> Packet:
    match name:
        case "room":
            data = None if not len(element) else _read_data(_only_child(element, "data"))
            return Room(element.get("roomId"), data)
        case "prepare":
            return _read_prepare(element)
        case "prepared":
            codes = tuple(_text(child) for child in _children(element, "reservation"))
            return Prepared(element.get("roomId"), codes)
        case "errorpacket":
            return _read_errorpacket(element)
        case _ if name in FLAT and name != "slot":
            packet: Packet = _read_flat(FLAT[name], element)
            return packet
    text = f"unknown packet {name!r}"
    expected = "join, joinRoom, joinPrepared or room"
    raise CannotRead(text, Flaw(FlawKind.UNKNOWN_TYPE, expected, shown(name), "/*"))


def _read_errorpacket(element: Element) -> ErrorPacket:
    request = _only_child(element, "originalRequest")
    try:
        packet = read_packet(request, request.get("class", ""))
    except CannotRead as error:
        raise wrong(str(error), "a packet", error.flaw.came, "/originalRequest") from None
    return ErrorPacket(element.get("message", ""), packet)


def _read_flat(cls: type[Any], element: Element) -> Any:
    for child in _children(element):
        raise _unknown(child, element)
    return read_flat(cls, element.get)


def _read_prepare(element: Element) -> Prepare:
    slots = tuple(map(_read_slot, _children(element, "slot"), count(1)))
    return Prepare(element.get("gameType"), read_flag(element.get("pause")), slots)


def _read_slot(element: Element, place: int) -> Slot:
    try:
        slot: Slot = _read_flat(Slot, element)
    except CannotRead as error:
        raise at(f"/slot[{place}]", error) from None
    return slot


def _read_data(element: Element) -> RoomData:
    try:
        return _read_kind(element, element.get("class"))
    except CannotRead as error:
        raise at("/data", error) from None


def _read_kind(element: Element, kind: str | None) -> RoomData:
    match kind:
        case "move" | "sc.plugin2023.Move":
            return _read_move(element)
        case "memento":
            return Memento(_read_state(_only_child(element, "state")))
        case "error":
            move = _read_move(_only_child(element, "originalMessage"))
            return Error(element.get("message", ""), move)
        case "result":
            return _read_result(element)
        case _ if kind in FLAT_KINDS:
            data: RoomData = _read_flat(FLAT_KINDS[kind], element)
            return data
    raise wrong(f"unknown class of data {kind!r}", "move", shown(kind), "/@class")


def _read_move(element: Element) -> Move | UnreadableMove:
    parts = {child.tag: child for child in _children(element)}
    try:
        if len(parts) != sum(1 for _ in _children(element)):
            raise _superfluous(element)
        target = _read_coordinates(parts.pop("to", None), "/to")
        origin = _read_coordinates(parts.pop("from"), "/from") if "from" in parts else None
        if parts:
            raise _superfluous(element)
    except CannotRead as error:
        children = tuple(_tag(child) for child in _children(element))
        return UnreadableMove(children, at("/room/data", error).flaw)
    return Move(origin, target)


def _superfluous(element: Element) -> CannotRead:
    """The first child that is neither from nor to, or comes twice."""
    tags = [child.tag for child in _children(element)]
    known = ("from", "to")
    place = next(n for n, tag in enumerate(tags) if tag not in known or tag in tags[:n])
    expected = "one to and at most one from"
    return wrong("unknown elements", expected, shown(tags[place]), f"/*[{place + 1}]")


def _read_coordinates(element: Element | None, step: str) -> Coordinates:
    if element is None:
        flaw = Flaw(FlawKind.MISSING, f"the element {step[1:]}", "nothing", step)
        raise CannotRead("no coordinates", flaw)
    for child in _children(element):
        raise at(step, _unknown(child, element))
    axis = "x"
    try:
        x = read_coordinate(element.get("x"))
        axis = "y"
        return Coordinates(x, read_coordinate(element.get("y")))
    except CannotRead as error:
        raise at(f"{step}/@{axis}", error) from None


def _tag(element: Element) -> Tag:
    if any(name.startswith("{") for name in (element.tag, *element.attrib)):
        # It cannot be sent back to clients that know none.
        raise CannotRead("a namespace", Flaw.of_frame("a namespace"))
    attributes = tuple(element.attrib.items())
    children = tuple(_tag(child) for child in _children(element))
    return Tag(element.tag, attributes, children, "" if children else _text(element))


def _read_state(element: Element) -> State:
    fishes = [read_int(_text(child)) for child in _children(_child(element, "fishes"), "int")]
    last = _find(element, "lastMove")
    move = None if last is None else _read_move(last)
    if len(fishes) != 2 or isinstance(move, UnreadableMove):
        raise wrong("not a state", "a state", "something else")
    board = _read_board(_child(element, "board"))
    return position(board, read_int(element.get("turn")), (fishes[0], fishes[1]), move)


def _read_board(element: Element) -> Board:
    try:
        return Board.from_rows(
            [
                "".join(FIELDS[_text(field)] for field in _children(row, "field"))
                for row in _children(element, "list")
            ]
        )
    except (KeyError, ValueError):
        raise wrong("not a board", "a board", "something else") from None


def _read_result(element: Element) -> Result:
    scores = tuple(_read_entry(child) for child in _children(_child(element, "scores"), "entry"))
    winner = _find(element, "winner")
    return Result(scores, None if winner is None else read_team(winner.get("team")))


def _read_entry(element: Element) -> Entry:
    player, score = _child(element, "player"), _child(element, "score")
    parts = [read_int(_text(part)) for part in _children(score, "part")]
    if len(parts) != 2 or score.get("cause") not in Cause.__members__:
        raise wrong("not a score", "a score", "something else")
    return Entry(
        name=player.get("name"),
        team=read_team(player.get("team")),
        cause=Cause(score.get("cause")),
        reason=score.get("reason", ""),
        points=parts[0],
        fish=parts[1],
    )


# Finding elements


def _children(element: Element, name: str | None = None) -> Iterator[Element]:
    """The child elements, which must all have that name if one is given."""
    for child in element:
        if name is not None and child.tag != name:
            raise _unknown(child, element, name)
        yield child


def _unknown(child: Element, element: Element, expected: str = "no element") -> CannotRead:
    text = f"unknown element {child.tag!r} in {element.tag!r}"
    return wrong(text, expected, shown(child.tag), f"/*[{[*element].index(child) + 1}]")


def _only_child(element: Element, name: str) -> Element:
    children = list(_children(element, name))
    if len(children) != 1:
        came = f"{len(children)} of them"
        raise wrong(f"expected one {name!r} in {element.tag!r}", f"one {name}", came, f"/{name}")
    return children[0]


def _find(element: Element, name: str) -> Element | None:
    return next((child for child in _children(element) if child.tag == name), None)


def _child(element: Element, name: str) -> Element:
    child = _find(element, name)
    if child is None:
        raise wrong(f"no {name!r} in {element.tag!r}", name, "nothing", f"/{name}")
    return child


def _text(element: Element) -> str:
    return (element.text or "").strip()
