"""From messages to XML elements."""

from functools import lru_cache

from games.penguins.layout import Tag, escape, layout
from games.penguins.messages import (
    Entry,
    Error,
    ErrorPacket,
    Memento,
    MoveRequest,
    Packet,
    Prepare,
    Prepared,
    Result,
    Room,
    RoomData,
    UnreadableMove,
)
from games.penguins.names import KIND_NAMES, NAMES, write_flat, write_value
from games.penguins.rules import Coordinates, Move, State, Team
from games.penguins.rules.board import SIZE

FIELDS = {"R": "ONE", "B": "TWO"}
SIGNS = "1234RB"  # of the masks of a board


def write_packet(packet: Packet) -> str:
    match packet:
        case Room(room_id=room_id, data=Memento(state=state)):
            return write_memento(room_id or "", state)
        case Room(room_id=str(room_id), data=MoveRequest()):
            return _move_request(room_id)
    return layout(packet_tag(packet))


def packet_tag(packet: Packet) -> Tag:
    match packet:
        case Room(room_id=room_id, data=data):
            said = () if data is None else (_data(data),)
            return Tag("room", _attributes(("roomId", room_id)), said)
        case Prepare(game_type=game_type, pause=pause, slots=slots):
            attributes = _attributes(("gameType", game_type), ("pause", write_value(pause)))
            return Tag("prepare", attributes, tuple(write_flat("slot", slot) for slot in slots))
        case Prepared(room_id=room_id, reservations=codes):
            children = tuple(Tag("reservation", text=code) for code in codes)
            return Tag("prepared", _attributes(("roomId", room_id)), children)
        case ErrorPacket(message=message, original_request=request):
            return Tag("errorpacket", (("message", message),), (_original(packet_tag(request)),))
    return write_flat(NAMES[type(packet)], packet)


def _attributes(*pairs: tuple[str, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in pairs if value is not None)


def _original(request: Tag) -> Tag:
    return Tag("originalRequest", (("class", request.name), *request.attributes), request.children)


def _data(data: RoomData) -> Tag:
    match data:
        case Move() | UnreadableMove():
            return _data_tag("move", _move(data))
        case Error(message=message, original_message=move):
            original = Tag("originalMessage", (("class", "move"),), _move(move))
            return Tag("data", (("class", "error"), ("message", message)), (original,))
        case Result():
            return _data_tag("result", _result(data))
        case Memento(state=state):
            return _data_tag("memento", (_state(state),))
    return write_flat("data", data, ("class", KIND_NAMES[type(data)]))


def _data_tag(kind: str, children: tuple[Tag, ...]) -> Tag:
    return Tag("data", (("class", kind),), children)


def _move(move: Move | UnreadableMove) -> tuple[Tag, ...]:
    if isinstance(move, UnreadableMove):
        return move.children
    target = _coordinates("to", move.target)
    return (target,) if move.origin is None else (_coordinates("from", move.origin), target)


def _coordinates(name: str, place: Coordinates) -> Tag:
    return Tag(name, (("x", str(place.x)), ("y", str(place.y))))


# Results


def _fragment(name: str, aggregation: str) -> Tag:
    how = (Tag("aggregation", text=aggregation), Tag("relevantForRanking", text="true"))
    return Tag("fragment", (("name", name),), how)


DEFINITION = Tag(
    "definition", children=(_fragment("Siegpunkte", "SUM"), _fragment("Fische", "AVERAGE"))
)


def _result(result: Result) -> tuple[Tag, ...]:
    scores = Tag("scores", children=tuple(_entry(entry) for entry in result.scores))
    if result.winner is None:
        return DEFINITION, scores
    return DEFINITION, scores, Tag("winner", (("team", result.winner.value),))


def _entry(entry: Entry) -> Tag:
    player = Tag("player", _attributes(("name", entry.name), ("team", entry.team.value)))
    parts = tuple(Tag("part", text=str(part)) for part in (entry.points, entry.fish))
    score = Tag("score", (("cause", entry.cause.value), ("reason", entry.reason)), parts)
    return Tag("entry", children=(player, score))


# States


def _state(state: State) -> Tag:
    team = Tag("startTeam", text=Team.ONE.value)
    board = Tag("board", children=tuple(map(_row, state.board.rows())))
    move = () if state.last_move is None else (_last_move(state.last_move),)
    fishes = Tag("fishes", children=tuple(Tag("int", text=str(fish)) for fish in state.fish))
    attributes = (("class", "state"), ("turn", str(state.turn)))
    return Tag("state", attributes, (team, board, *move, fishes))


def _row(fields: str) -> Tag:
    children = tuple(Tag("field", text=FIELDS.get(field, field)) for field in fields)
    return Tag("list", children=children)


def _last_move(move: Move) -> Tag:
    return Tag("lastMove", children=_move(move))


def write_memento(room_id: str, state: State) -> str:
    """The same as from tags, but several times faster: most of what is ever sent are states."""
    masks = [mask.to_bytes(SIZE, "little") for mask in state.board.fish + state.board.penguins]
    rows = "\n".join(map(_row_lines, zip(*masks, strict=True)))
    move = "" if state.last_move is None else _last_move_lines(state.last_move)
    one, two = state.fish
    return (
        f'  <room roomId="{escape(room_id)}">\n'
        '    <data class="memento">\n'
        f'      <state class="state" turn="{state.turn}">\n'
        f"        <startTeam>{Team.ONE.value}</startTeam>\n"
        f"        <board>\n{rows}\n        </board>\n"
        f"{move}"
        "        <fishes>\n"
        f"          <int>{one}</int>\n"
        f"          <int>{two}</int>\n"
        "        </fishes>\n"
        "      </state>\n"
        "    </data>\n"
        "  </room>"
    )


# A move changes two rows at most, so nearly all of them have been written before.
@lru_cache(maxsize=4096)
def _row_lines(masks: tuple[int, ...]) -> str:
    """The lines of a row; each mask holds the columns with one kind of field."""
    fields = ["0"] * SIZE
    for sign, mask in zip(SIGNS, masks, strict=True):
        for column in range(SIZE):
            if mask >> column & 1:
                fields[column] = sign
    lines = "\n".join([_FIELD_LINES[field] for field in fields])
    return f"          <list>\n{lines}\n          </list>"


_FIELD_LINES = {sign: layout(Tag("field", text=FIELDS.get(sign, sign)), 6) for sign in f"0{SIGNS}"}


@lru_cache(maxsize=4096)
def _last_move_lines(move: Move) -> str:
    return layout(_last_move(move), 4) + "\n"


# Every match requests thirty moves or more in the same words.
@lru_cache(maxsize=1024)
def _move_request(room_id: str) -> str:
    return layout(packet_tag(Room(room_id, MoveRequest())))
