"""From XML elements to messages; raises CannotRead for anything else."""

from collections.abc import Iterator
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
    read_coordinate,
    read_flag,
    read_flat,
    read_int,
    read_team,
)
from games.penguins.rules import Board, Coordinates, Move, State, position
from ludothek.contract.codec import CannotRead

FIELDS = {"ONE": "R", "TWO": "B"} | {fish: fish for fish in "01234"}


def read_packet(element: Element, name: str | None = None) -> Packet:
    """The packet in an element; its tag names it unless something else does."""
    name = element.tag if name is None else name
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
            request = _only_child(element, "originalRequest")
            message = element.get("message", "")
            return ErrorPacket(message, read_packet(request, request.get("class", "")))
        case _ if name in FLAT and name != "slot":
            packet: Packet = _read_flat(FLAT[name], element)
            return packet
    raise CannotRead(f"unknown packet {name!r}")


def _read_flat(cls: type[Any], element: Element) -> Any:
    for child in _children(element):
        raise CannotRead(f"unknown element {child.tag!r} in {element.tag!r}")
    return read_flat(cls, element.get)


def _read_prepare(element: Element) -> Prepare:
    slots = tuple(_read_flat(Slot, child) for child in _children(element, "slot"))
    return Prepare(element.get("gameType"), read_flag(element.get("pause")), slots)


def _read_data(element: Element) -> RoomData:
    match kind := element.get("class"):
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
    raise CannotRead(f"unknown class of data {kind!r}")


def _read_move(element: Element) -> Move | UnreadableMove:
    parts = {child.tag: child for child in _children(element)}
    try:
        if len(parts) != sum(1 for _ in _children(element)):
            raise CannotRead("the same element twice")
        target = _read_coordinates(parts.pop("to", None))
        origin = _read_coordinates(parts.pop("from")) if "from" in parts else None
        if parts:
            raise CannotRead(f"unknown elements {', '.join(parts)}")
    except CannotRead:
        return UnreadableMove(tuple(_tag(child) for child in _children(element)))
    return Move(origin, target)


def _read_coordinates(element: Element | None) -> Coordinates:
    if element is None or any(True for _ in _children(element)):
        raise CannotRead("no coordinates")
    return Coordinates(read_coordinate(element.get("x")), read_coordinate(element.get("y")))


def _tag(element: Element) -> Tag:
    if any(name.startswith("{") for name in (element.tag, *element.attrib)):
        raise CannotRead("a namespace")  # it cannot be sent back to clients that know none
    attributes = tuple(element.attrib.items())
    children = tuple(_tag(child) for child in _children(element))
    return Tag(element.tag, attributes, children, "" if children else _text(element))


def _read_state(element: Element) -> State:
    fishes = [read_int(_text(child)) for child in _children(_child(element, "fishes"), "int")]
    last = _find(element, "lastMove")
    move = None if last is None else _read_move(last)
    if len(fishes) != 2 or isinstance(move, UnreadableMove):
        raise CannotRead("not a state")
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
        raise CannotRead("not a board") from None


def _read_result(element: Element) -> Result:
    scores = tuple(_read_entry(child) for child in _children(_child(element, "scores"), "entry"))
    winner = _find(element, "winner")
    return Result(scores, None if winner is None else read_team(winner.get("team")))


def _read_entry(element: Element) -> Entry:
    player, score = _child(element, "player"), _child(element, "score")
    parts = [read_int(_text(part)) for part in _children(score, "part")]
    if len(parts) != 2 or score.get("cause") not in Cause.__members__:
        raise CannotRead("not a score")
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
            raise CannotRead(f"unknown element {child.tag!r} in {element.tag!r}")
        yield child


def _only_child(element: Element, name: str) -> Element:
    children = list(_children(element, name))
    if len(children) != 1:
        raise CannotRead(f"expected one {name!r} in {element.tag!r}")
    return children[0]


def _find(element: Element, name: str) -> Element | None:
    return next((child for child in _children(element) if child.tag == name), None)


def _child(element: Element, name: str) -> Element:
    child = _find(element, name)
    if child is None:
        raise CannotRead(f"no {name!r} in {element.tag!r}")
    return child


def _text(element: Element) -> str:
    return (element.text or "").strip()
