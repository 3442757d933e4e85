"""The Penguins packets to the byte, in both directions."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.penguins.codec import CODEC
from games.penguins.codec.writing import packet_tag, write_memento
from games.penguins.layout import Tag, layout
from games.penguins.messages import (
    Authenticate,
    Cancel,
    Cause,
    CloseConnection,
    Entry,
    Error,
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
from games.penguins.rules import (
    Coordinates,
    Move,
    State,
    Team,
    apply,
    generate,
    legal_actions,
    start,
)
from ludothek.contract.codec import Malformed
from tests.games.penguins.scene import NO_TARGET

SLIDE = Move(Coordinates(0, 7), Coordinates(17, 5))
PLACEMENT = Move(None, Coordinates(2, 4))

PACKETS = [
    Join(),
    Join("swc_2023_penguins"),
    Join("Häschen"),
    JoinRoom("R"),
    JoinRoom(None),
    JoinPrepared("C"),
    CloseConnection(),
    Authenticate("<&>\"'\t\n\r"),
    Prepare("swc_2023_penguins", True, (Slot("A", True, True), Slot("Häschen 🐧", False, False))),
    Prepare(None, False, ()),
    Observe("R"),
    Pause("R", True),
    Step("R"),
    Step("R", True),
    Cancel("R"),
    Joined("R"),
    Prepared("R", ()),
    Prepared("R", ("C1", "C2")),
    Observed("R"),
    JoinedGameRoom("R", 1),
    Left("R"),
    Room("R", WelcomeMessage(Team.TWO)),
    Room("R", MoveRequest()),
    Room("R", SLIDE),
    Room(None, PLACEMENT),
    Room("R", UnreadableMove((Tag("hint", (("a", "b"),), (Tag("c", text="d"),)),), NO_TARGET)),
    Room("R", Error("one\ntwo", PLACEMENT)),
    Room("R", Paused(True)),
    Room("R", Result((Entry("rad", Team.ONE, Cause.REGULAR, "", 1, 20),), None)),
    Room(
        "R",
        Result(
            (
                Entry("rad", Team.ONE, Cause.REGULAR, "", 2, 27),
                Entry(None, Team.TWO, Cause.LEFT, "Player left", 0, 15),
            ),
            Team.ONE,
        ),
    ),
    Room("R", Memento(start(generate(1)))),
    ErrorPacket("no", JoinRoom("nope")),
    ErrorPacket("no", Prepare("g", False, (Slot("A"),))),
    ErrorPacket("no", Room("R", SLIDE)),
    ErrorPacket("no", Room("R", Memento(start(generate(1))))),
    ErrorPacket("no", ErrorPacket("no", Left("R"))),
]


def states(seed: int) -> list[State]:
    rng = random.Random(seed)
    state = start(generate(seed))
    found = [state]
    while not state.over:
        state = apply(state, rng.choice(legal_actions(state)))
        found.append(state)
    return found


@pytest.mark.parametrize("packet", PACKETS)
def test_every_packet_survives_a_round_trip(packet: Packet) -> None:
    assert CODEC.decode(CODEC.encode(packet)) == packet


@pytest.mark.parametrize(
    ("packet", "text"),
    [
        (Join(), "  <join/>"),
        (Join("Häschen"), '  <join gameType="Häschen"/>'),
        (Joined("R"), '  <joined roomId="R"/>'),
        (
            Room("12345", MoveRequest()),
            '  <room roomId="12345">\n    <data class="moveRequest"/>\n  </room>',
        ),
        (
            Room("hi", SLIDE),
            '  <room roomId="hi">\n    <data class="move">\n      <from x="0" y="7"/>\n'
            '      <to x="17" y="5"/>\n    </data>\n  </room>',
        ),
        (
            Prepare("g", False, (Slot("A", True, False),)),
            '  <prepare gameType="g" pause="false">\n'
            '    <slot displayName="A" canTimeout="true" reserved="false"/>\n  </prepare>',
        ),
        (
            Authenticate("<&>\"'\t\n\rä∅🐧"),
            '  <authenticate password="&lt;&amp;&gt;&quot;&apos;&#x9;&#xa;&#xd;ä∅🐧"/>',
        ),
    ],
)
def test_the_layout_is_the_original_one(packet: Packet, text: str) -> None:
    assert CODEC.encode(packet).decode() == text


def test_a_state_at_turn_0_has_89_lines() -> None:
    lines = CODEC.encode(Room("R", Memento(start(generate(1))))).decode().splitlines()
    assert len(lines) == 89 + 4  # with room and data around it
    assert sum("lastMove" in line for line in lines) == 0


def test_the_fast_way_to_write_a_state_is_the_plain_way() -> None:
    for seed in range(5):
        for state in states(seed):
            assert write_memento("R", state) == layout(packet_tag(Room("R", Memento(state))))


def test_states_of_whole_games_survive_a_round_trip() -> None:
    for state in states(3):
        packet = Room("R", Memento(state))
        assert CODEC.decode(CODEC.encode(packet)) == packet


@pytest.mark.parametrize(
    ("text", "packet"),
    [
        ("<join gameType='a' colour='b'>text</join>", Join("a")),
        (
            "<prepare gameType='g'><slot displayName='A'/></prepare>",
            Prepare("g", False, (Slot("A"),)),
        ),
        ("<prepare gameType='g' pause='TRUE'/>", Prepare("g", False, ())),
        ("<pause roomId='R' pause='yes'/>", Pause("R", False)),
        ("<step roomId='R' forced='true'/>", Step("R", True)),
        ("<sc.protocol.CloseConnection/>", CloseConnection()),
        ("<sc.protocol.responses.CloseConnection/>", CloseConnection()),
        (
            "<room roomId='R'><!-- a -->"
            "<data class='sc.plugin2023.Move'><to y='4' x='2'/></data></room>",
            Room("R", PLACEMENT),
        ),
        (
            "<room roomId='R'><data class='move'><from x='0' y='7'><!-- a --></from>"
            "<to x='17' y='5'>\n<!-- b --></to></data></room>",
            Room("R", SLIDE),
        ),
        (
            "<room roomId='R'><data class='move'><to x='2' y='4' xml:lang='de'/></data></room>",
            Room("R", PLACEMENT),
        ),
    ],
)
def test_what_clients_write_differently_is_read(text: str, packet: Packet) -> None:
    assert CODEC.decode(text.encode()) == packet


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text",
        "<join>",
        "<join/><join/>",
        "<joined/>x",
        "<Join/>",
        "<join xmlns='a'/>",
        "<join><a/></join>",
        "<joinedGameRoom roomId='R'/>",
        "<joinedGameRoom roomId='R' playerCount='x'/>",
        "<errorpacket/>",
        "<errorpacket><originalRequest/></errorpacket>",
        "<errorpacket><originalRequest class='yarr'/></errorpacket>",
        "<room roomId='R'><data class='welcomeMessage'/></room>",
        "<room roomId='R'><data class='welcomeMessage' color='THREE'/></room>",
        "<room roomId='R'><data class='memento'/></room>",
        "<room roomId='R'><data class='memento'><state turn='0'/></data></room>",
        "<room roomId='R'><data class='result'/></room>",
        "<room roomId='R'><data class='result'><scores><entry/></scores></data></room>",
        "<room roomId='R'><data class='error'/></room>",
        "<!DOCTYPE join><join/>",
    ],
)
def test_what_is_no_packet_is_malformed(text: str) -> None:
    assert isinstance(CODEC.decode(text.encode()), Malformed)


@pytest.mark.parametrize(
    "move",
    [
        "<to xmlns='urn:x' x='1' y='1'/>",
        "<p:to xmlns:p='urn:x' x='1' y='1'/>",
        "<to xml:lang='de'/>",
        "<to><a xml:lang='de'/></to>",
        "<p:to x='1' y='1'/>",
    ],
)
def test_a_move_that_could_not_be_repeated_is_malformed(move: str) -> None:
    text = f"<room roomId='R'><data class='move'>{move}</data></room>"
    assert isinstance(CODEC.decode(text.encode()), Malformed)


@pytest.mark.parametrize("damage", ["<field>5</field>", "<field>1</field>" * 2, "", "<x/>"])
def test_a_state_with_a_damaged_board_is_malformed(damage: str) -> None:
    text = CODEC.encode(Room("R", Memento(start(generate(1))))).decode()
    assert isinstance(CODEC.decode(text.replace("<field>1</field>", damage, 1).encode()), Malformed)


@given(st.binary(max_size=200))
def test_no_bytes_ever_raise(frame: bytes) -> None:
    CODEC.decode(frame)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\n\r")))
def test_any_text_survives_as_an_attribute(text: str) -> None:
    if "￾" in text or "￿" in text:
        return  # not characters in XML
    packet: Any = Authenticate(text)
    assert CODEC.decode(CODEC.encode(packet)) == packet
