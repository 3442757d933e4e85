"""What the codec reads and writes by hand is what its general parts read and write."""

import json
from datetime import datetime, timedelta
from typing import Any

import attrs
import orjson
from hypothesis import example, given
from hypothesis import strategies as st

from games.hexxagon.codec import CODEC
from games.hexxagon.messages import NIL, TILE_NAMES, Board, GameMove, GameStatus, Tile, Uuid
from ludothek.contract.codec import CannotRead, Malformed, read_request

USER = "301a0c7d-3cba-4642-8b52-53a6f189a81b"
ALL = (1 << 61) - 1


def read_in_general(frame: bytes) -> Any:
    """As the codec reads every request but a move."""
    try:
        value = read_request(frame)
        return CODEC._request_reader.read(value.get("messageType"), value)
    except CannotRead as error:
        return Malformed(str(error), flaw=error.flaw)


def told(message: Any) -> Any:
    """All that others see of a message, with the types of its values."""
    if isinstance(message, Malformed):
        return message.reason, message.flaw
    parts = [getattr(message, field.name) for field in attrs.fields(type(message))]
    return type(message), [(type(part), part) for part in parts]


# Reading

uuids = st.uuids().map(str)
strange_ids = st.one_of(
    uuids.map(str.upper),
    uuids.map(lambda text: text[:-1]),
    uuids.map(lambda text: text.replace("-", "_")),
    uuids.map(lambda text: f"{{{text}}}"),
    uuids.map(lambda text: text[:-1] + "\u0660"),  # a digit, but none of ours
    uuids.map(lambda text: text[:-1] + "\u0130"),  # two characters in lower case
    uuids.map(lambda text: text[:-1] + "\n"),
)
tiles = st.integers(0, 62).map(lambda number: f"TILE_{number}")
strange_tiles = st.sampled_from(["tile_1", "TILE_01", "TILE_1 ", "TILE_", "1", "TILE_\u0661"])
others = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**63), 2**64 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(),
        st.text(min_size=36, max_size=36),
    ),
    lambda inner: st.lists(inner, max_size=37) | st.dictionaries(st.text(), inner, max_size=37),
    max_leaves=40,
)
values = st.one_of(uuids, strange_ids, tiles, strange_tiles, others)
names = st.sampled_from(["messageType", "userId", "gameId", "moveFrom", "moveTo", "moveto", "more"])
kinds = st.sampled_from(["GameMove", "GameMove ", "gameMove", "LeaveGame", "GameStatus", "Move"])
moves = st.tuples(
    st.just(("messageType", "GameMove")),
    st.tuples(st.just("userId"), uuids | strange_ids),
    st.tuples(st.just("gameId"), uuids | strange_ids),
    st.tuples(st.just("moveFrom"), tiles),
    st.tuples(st.just("moveTo"), tiles),
).map(list)
more = st.lists(st.tuples(names, values | kinds), max_size=3)


def escaped(text: str, *, every: bool) -> str:
    """A text in JSON; with every character as a number, or as few as possible."""
    if not every:
        return json.dumps(text, ensure_ascii=False)
    units = text.encode("utf-16-be", "surrogatepass")
    return (
        '"' + "".join(f"\\u{units[n]:02x}{units[n + 1]:02x}" for n in range(0, len(units), 2)) + '"'
    )


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    """Something like a move: in any order, with fields that are there twice, not at all, or odd."""
    fields = draw(st.permutations([*draw(moves), *draw(more)]))
    if draw(st.booleans()) and fields:
        fields = fields[1:]
    every, blank = draw(st.booleans()), draw(st.sampled_from(["", " ", "\n", "\t \r"]))
    parts = [
        f"{blank}{escaped(name, every=every)}{blank}:{blank}"
        + (escaped(value, every=every) if isinstance(value, str) else json.dumps(value))
        for name, value in fields
    ]
    return f"{blank}{{{','.join(parts)}{blank}}}{blank}".encode("utf-8", "surrogatepass")


def around(value: str) -> bytes:
    """A move whose first tile is this, as JSON."""
    text = (
        f'{{"messageType":"GameMove","userId":"{USER}","gameId":"{USER}",'
        f'"moveFrom":{value},"moveTo":"TILE_2"}}'
    )
    return text.encode()


@given(requests())
@example(around('"TILE_1"'))
@example(b"\xef\xbb\xbf" + around('"TILE_1"'))
@example(around('"TILE_1"') + b"\0")
@example(around('"TILE_1"')[:-1])
@example(around("NaN"))
@example(around("-0"))
@example(around("1e0"))
@example(around("1.0"))
@example(around("9" * 400))
@example(around("Infinity"))
@example(around('"TILE_\\ud800"'))
@example(around('"TILE_1","moveFrom":null'))
@example(around('null,"moveFrom":"TILE_1"'))
@example(around("[" * 900 + "]" * 900))
@example(around("[" * 5000 + "]" * 5000))
@example(around('"TILE_1"').replace(b"GameMove", b"GameStatus"))
@example(around('"TILE_1"').replace(b'"GameMove"', b'["GameMove"]'))
@example(around('"TILE_1"').replace(b"GameMove", b"\\u0047ameMove"))
@example(b"[%b]" % around('"TILE_1"'))
@example(b'"GameMove"')
def test_a_request_is_read_by_hand_as_in_general(frame: bytes) -> None:
    assert told(CODEC.decode_request(frame)) == told(read_in_general(frame))


@given(requests(), st.integers(0, 400), st.binary(max_size=3))
def test_a_damaged_request_is_refused_by_hand_as_in_general(
    frame: bytes, place: int, noise: bytes
) -> None:
    frame = frame[:place] + noise + frame[place + 1 :]
    assert told(CODEC.decode_request(frame)) == told(read_in_general(frame))


# Writing

dates = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1))
keys = uuids.map(Uuid)
tile = st.sampled_from([None, *TILE_NAMES])
player = st.text(st.characters(exclude_categories=["Cs"]), max_size=64)
statuses = st.builds(
    GameStatus,
    *(keys, keys, keys),
    *(player, player),
    *(st.booleans(), st.booleans()),
    *(st.integers(0, 61), st.integers(0, 61)),
    st.builds(Board, st.integers(0, ALL), st.integers(0, ALL)),
    st.integers(0, 2**31),
    *(dates, dates),
    keys,
    *(st.booleans(), st.booleans()),
    *(tile, tile),
    st.none() | keys,
)


@given(statuses)
def test_a_status_is_written_by_hand_as_in_general(status: GameStatus) -> None:
    parts = {"messageType": "GameStatus", "userId": NIL, **CODEC._writers[GameStatus](status)}
    assert CODEC.encode(status) == orjson.dumps(parts)


@given(statuses, st.timedeltas(timedelta(0), timedelta(seconds=2)))
def test_statuses_with_much_in_common_are_not_mistaken_for_one_another(
    status: GameStatus, later: timedelta
) -> None:
    """What statuses have in common is remembered."""
    for other in (
        attrs.evolve(status, player_one_left=not status.player_one_left),
        attrs.evolve(status, player_two_left=not status.player_two_left),
        attrs.evolve(status, action_date=status.action_date + later),
        attrs.evolve(status, action_date=status.creation_date, creation_date=status.action_date),
        attrs.evolve(status, player_one=status.player_two, player_two=status.player_one),
        attrs.evolve(status, last_move_from=status.last_move_to),
    ):
        for each in (status, other):
            read = CODEC.decode(CODEC.encode(each))
            assert read.player_one_left == each.player_one_left
            parts = {"messageType": "GameStatus", "userId": NIL, **CODEC._writers[GameStatus](each)}
            assert CODEC.encode(each) == orjson.dumps(parts)


@given(st.builds(GameMove, keys, keys, *2 * [st.sampled_from([*TILE_NAMES]).map(Tile)]))
def test_a_move_is_read_as_it_was_written(move: GameMove) -> None:
    assert CODEC.decode_request(CODEC.encode(move)) == move
