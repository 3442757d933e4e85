"""Frames to messages and back: containers, nulls, what is tolerated and what is not."""

import os
import random
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import attrs
import orjson
import pytest

from games.quidditch import messages as m
from games.quidditch import rules
from games.quidditch.codec.containers import timestamp
from games.quidditch.refusals import Offence, offence_of
from games.quidditch.rules import Delta, DeltaType, Entity, Phase
from ludothek.contract.codec import Malformed
from tests.games.quidditch.clients import container, wire
from tests.games.quidditch.moments import picture
from tests.games.quidditch.scene import BADGERS, CODEC, HERONS, LEFT, match_config

DELTA_FIELDS = [
    "deltaType success xPosOld yPosOld xPosNew yPosNew activeEntity passiveEntity phase leftPoints",
    "rightPoints round banReason",
]


def sent(message: Any) -> Any:
    return orjson.loads(CODEC.encode(message))


def read(payload_type: str, payload: Any) -> Any:
    return CODEC.decode(orjson.dumps(container(payload_type, payload)))


@pytest.fixture
def berlin() -> Iterator[None]:
    """A place with its own time zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Europe/Berlin"
    time.tzset()
    yield
    os.environ.pop("TZ")
    if before is not None:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize(
    ("date", "text"),
    [
        (datetime(2019, 4, 18, 15, 20, 12, 111_999, UTC), "2019-04-18 17:20:12.111"),
        (datetime(2019, 1, 31, 23, 59, 59, 7_000, UTC), "2019-02-01 00:59:59.007"),
        (datetime(2019, 7, 1, 0, 0, 0, 0, UTC), "2019-07-01 02:00:00.000"),
    ],
)
def test_timestamps_are_local_with_three_digits_of_milliseconds(date: datetime, text: str) -> None:
    assert timestamp(date) == text


def test_every_message_is_in_a_container() -> None:
    assert set(sent(m.JoinResponse("hello"))) == {"timestamp", "payloadType", "payload"}
    assert sent(m.JoinResponse("hello"))["payloadType"] == "joinResponse"
    assert sent(m.JoinResponse("hello"))["payload"] == {"message": "hello"}


def test_a_delta_has_all_thirteen_fields() -> None:
    fields = " ".join(DELTA_FIELDS).split()
    request = sent(m.DeltaRequest.of(rules.Request(DeltaType.TROLL_ROAR)))["payload"]
    assert list(request) == fields
    assert [request[field] for field in fields[1:]] == [None] * 12
    delta = sent(m.Snapshot(picture({})))["payload"]["lastDeltaBroadcast"]
    assert list(delta) == fields


def test_a_snapshot_looks_as_in_section_8() -> None:
    snapshot = picture(
        {"leftChaser1": (4, 4), "rightBeater2": (9, 9)},
        quaffle="leftChaser1",
        bludger1=(9, 9),
        cubes=[(1, 2)],
        points=(10, 20),
        banned=["rightSeeker"],
        phase=Phase.FAN,
        number=7,
        goal=True,
    )
    payload = sent(m.Snapshot(snapshot, ("peter",)))["payload"]
    assert list(payload) == [
        *("lastDeltaBroadcast", "phase", "spectatorUserName", "round", "leftTeam", "rightTeam"),
        *("balls", "wombatCubes", "goalWasThrownThisRound"),
    ]
    left, right = payload["leftTeam"], payload["rightTeam"]
    assert (payload["phase"], payload["round"], payload["spectatorUserName"]) == (
        *("fanPhase", 7),
        ["peter"],
    )
    assert (left["points"], right["points"]) == (10, 20)
    assert left["players"]["chaser1"] == {
        "xPos": 4,
        "yPos": 4,
        "banned": False,
        "holdsQuaffle": True,
        "turnUsed": False,
        "knockout": False,
    }
    assert right["players"]["beater2"]["holdsBludger"] is True
    assert set(right["players"]["seeker"]) == {"xPos", "yPos", "banned", "turnUsed", "knockout"}
    # «Never null»: a library rejects the whole snapshot then.
    assert right["players"]["seeker"]["banned"] is True
    assert isinstance(right["players"]["seeker"]["xPos"], int)
    assert len(left["fans"]) == 7
    assert left["fans"][0] == {"fanType": "goblin", "banned": False, "turnUsed": False}
    # «Falls der Schnatz noch nicht auf dem Spielfeld ist»
    assert payload["balls"]["snitch"] == {"xPos": None, "yPos": None}
    assert payload["balls"]["bludger1"] == {"xPos": 9, "yPos": 9}
    assert payload["wombatCubes"] == [{"xPos": 1, "yPos": 2}]
    assert payload["goalWasThrownThisRound"] is True


def test_matches_at_random_look_the_same_after_writing_and_reading() -> None:
    rng = random.Random(4)
    state = rules.example(rng)
    for _ in range(300):
        progress = rules.answer(state, rng.choice(rules.legal_requests(state)), rng)
        for step in progress.steps:
            message = m.Snapshot(step.snapshot, ("peter", "norbert"))
            assert CODEC.decode(CODEC.encode(message)) == message
        state = progress.state
        if state.over:
            state = rules.example(rng)


@pytest.mark.parametrize(
    "message",
    [
        HERONS,
        m.TeamFormation.of(LEFT),
        m.DeltaRequest.of(rules.Request(DeltaType.MOVE, rules.Cell(3, 4), Entity.LEFT_SEEKER)),
        m.ReconnectChat([m.GlobalChat("harry", "hi"), m.GlobalChat("draco", "ho")]),
        m.Lobbies([m.LobbyEntry(name="abc", match_started=True, connected_users=2)]),
        m.PrivateError(code=102, information="…", trigger_match_finish=True),
    ],
    ids=lambda message: type(message).__name__,
)
def test_messages_survive_a_round_trip(message: Any) -> None:
    assert CODEC.decode(CODEC.encode(message)) == message


@pytest.mark.parametrize("full", [True, False])
def test_a_reconnect_holds_containers_or_null(full: bool) -> None:
    start = m.MatchStart(
        match_config=match_config(),
        left_team_config=HERONS,
        right_team_config=BADGERS,
        left_team_user_name="harry",
        right_team_user_name="draco",
    )
    next_ = m.Next(Entity.LEFT_KEEPER, rules.TurnType.MOVE, 7500)
    message = m.Reconnect(
        m.Contained("2019-01-01 00:00:00.000", start),
        m.Contained("2019-01-01 00:00:01.000", m.Snapshot(picture({}))) if full else None,
        m.Contained("2019-01-01 00:00:02.000", next_) if full else None,
    )
    payload = sent(message)["payload"]
    assert payload["matchStart"]["payloadType"] == "matchStart"
    assert set(payload["matchStart"]["payload"]) == {
        *("matchConfig", "leftTeamConfig", "rightTeamConfig"),
        *("leftTeamUserName", "rightTeamUserName"),
    }
    assert payload["matchStart"]["payload"]["leftTeamConfig"] == wire(HERONS)
    if full:
        assert payload["next"]["payload"] == {
            "turn": "leftKeeper",
            "type": "move",
            "timeout": 7500,
        }
        assert payload["snapshot"]["payloadType"] == "snapshot"
    else:
        assert (payload["snapshot"], payload["next"]) == (None, None)
    again = CODEC.decode(CODEC.encode(message))
    assert (again.snapshot, again.next) == (message.snapshot, message.next)


# What is tolerated


def test_a_missing_field_of_a_delta_is_null_and_others_are_ignored() -> None:
    """The web client omits banReason and fills in the old place of a bludger."""
    payload = {
        "deltaType": "bludgerBeating",
        "xPosOld": 3,
        "yPosOld": 3,
        "xPosNew": 4,
        "yPosNew": 5,
        "activeEntity": "leftBeater1",
        "passiveEntity": "bludger1",
        "somethingElse": {"a": 1},
    }
    request = read("deltaRequest", payload).request
    assert request == rules.Request(
        DeltaType.BLUDGER_BEATING, rules.Cell(4, 5), Entity.LEFT_BEATER1, Entity.BLUDGER1
    )


def test_half_a_cell_is_no_cell() -> None:
    assert read("deltaRequest", {"deltaType": "move", "xPosNew": 3}).request.new is None


def test_pretty_json_in_any_order_is_read() -> None:
    value = {"payload": {"message": "brb"}, "payloadType": "pauseRequest"}
    frame = orjson.dumps(value, option=orjson.OPT_INDENT_2)
    assert CODEC.decode(frame) == m.PauseRequest("brb")


@pytest.mark.parametrize("payload", [{}, {"be": 8}, None, "text", [1], 3, True])
def test_an_undefined_payload_type_is_no_mistake(payload: Any) -> None:
    """«Falls der payloadType hier nicht definiert ist, wird er einfach ignoriert.»"""
    assert read("examplepayloadTypethatdoentexist", payload) == m.Undefined(
        "examplepayloadTypethatdoentexist"
    )


# What is not


@pytest.mark.parametrize(
    ("frame", "offence"),
    [
        (b"", Offence.JSON),
        (b"{", Offence.JSON),
        (b"\xff\xfe", Offence.JSON),
        (b'{"payloadType":"getReplay","payload":{}', Offence.JSON),
        (b"[]", Offence.CONTAINER),
        (b"3", Offence.CONTAINER),
        (b"null", Offence.CONTAINER),
        (b"{}", Offence.CONTAINER),
        (b'{"payloadType":"getReplay"}', Offence.CONTAINER),
        (b'{"payloadType":7,"payload":{}}', Offence.CONTAINER),
        (b'{"payloadType":"getReplay","payload":[]}', Offence.PAYLOAD),
        (b'{"payloadType":"getReplay","payload":null}', Offence.PAYLOAD),
        (b'{"lobby":"hogwarts","userName":"harry"}', Offence.CONTAINER),
    ],
)
def test_garbage_has_the_name_that_the_standard_gives_it(frame: bytes, offence: Offence) -> None:
    found = CODEC.decode(frame)
    assert isinstance(found, Malformed)
    assert offence_of(found.flaw) is offence


@pytest.mark.parametrize(
    ("payload_type", "payload", "words"),
    [
        ("sendDebug", {}, "information"),
        ("sendDebug", {"information": 3}, "expected str, not int @ $.information"),
        ("joinRequest", {"lobby": "abc", "userName": "abc", "mods": []}, "password"),
        ("deltaRequest", {"deltaType": "fly"}, "expected a deltaType, not 'fly'"),
        ("deltaRequest", {"deltaType": "move", "xPosNew": "3"}, "expected int, not str"),
        (
            "deltaRequest",
            {"deltaType": "move", "activeEntity": "hagrid"},
            "expected an entityID, not 'hagrid'",
        ),
        ("deltaRequest", {"deltaType": ["move"]}, "expected a deltaType, not a list"),
        ("teamFormation", {"players": {}}, "players.seeker"),
        ("teamConfig", wire(HERONS) | {"fans": {"goblins": "1"}}, "goblins"),
    ],
)
def test_a_wrong_payload_is_named_with_its_place(
    payload_type: str, payload: Any, words: str
) -> None:
    found = read(payload_type, payload)
    assert isinstance(found, Malformed)
    assert offence_of(found.flaw) is Offence.PAYLOAD
    assert words in found.reason


def said(payload_type: str, payload: Any) -> Any:
    """What the server takes it for when a client sends it."""
    return CODEC.decode_request(orjson.dumps(container(payload_type, payload)))


def test_only_a_picture_may_be_long() -> None:
    found = said("sendChat", {"information": "x" * 70_000})
    assert found == Malformed("sendChat: longer than 65536 bytes")
    assert offence_of(found.flaw) is Offence.PAYLOAD
    assert said("unheardOf", {"information": "x" * 70_000}) == m.Undefined("unheardOf")
    found = said("teamConfig", wire(HERONS) | {"motto": "x" * 70_000})
    assert found == Malformed("teamConfig: longer than 65536 bytes")


@pytest.mark.parametrize(
    "image", ["ab+/" * 90_000, "data:image/png;base64," + "ab+/" * 90_000, "=\r\n" * 20_000]
)
@pytest.mark.parametrize(("sign", "escaped"), [(b"/", b"\\/"), (b"=", b"\\u003d")])
def test_a_long_picture_is_read_however_it_is_escaped(
    image: str, sign: bytes, escaped: bytes
) -> None:
    frame = orjson.dumps(container("teamConfig", wire(HERONS) | {"image": image}))
    found = CODEC.decode_request(frame.replace(sign, escaped))
    assert isinstance(found, m.TeamConfig)
    assert found == attrs.evolve(HERONS, image=image)


@pytest.mark.parametrize("image", ["é" * 70_000, "a" * 70_000 + '\\"', "a" * 70_000 + "\U0001f600"])
def test_a_long_picture_is_nothing_but_base64(image: str) -> None:
    found = said("teamConfig", wire(HERONS) | {"image": image})
    assert isinstance(found, Malformed)
    assert offence_of(found.flaw) in (Offence.PAYLOAD, Offence.JSON)


@pytest.mark.parametrize("sign", [b"\x00", b"\n", b"\x1f"])
def test_control_characters_are_no_picture(sign: bytes) -> None:
    """They would be sent to everybody as escapes, which are six times as long."""
    frame = orjson.dumps(container("teamConfig", wire(HERONS) | {"image": "ab+/" * 20_000}))
    found = CODEC.decode_request(frame.replace(b"+", sign))
    assert isinstance(found, Malformed)


@pytest.mark.parametrize("payload_type", sorted(m.MESSAGES.keys() - m.REQUESTS))
@pytest.mark.parametrize("payload", [{}, {"information": "", "code": 1}])
def test_what_only_servers_say_is_not_allowed(payload_type: str, payload: Any) -> None:
    """«payloadType not allowed at this point»"""
    found = said(payload_type, payload)
    assert found == Malformed(f"{payload_type} is a message of the server.")
    assert offence_of(found.flaw) is Offence.NOT_ALLOWED


@pytest.mark.parametrize("mods", ["chat", {"chat": 1}, None, [1], 7])
def test_mods_are_a_list_of_texts(mods: Any) -> None:
    payload = {"lobby": "abc", "userName": "abc", "password": "", "mods": mods}
    assert isinstance(read("joinRequest", payload | {"isArtificialIntelligence": True}), Malformed)


def test_a_password_is_in_no_log() -> None:
    names = {"lobby": "abc", "userName": "abc", "password": "alohomora"}
    payload = names | {"isArtificialIntelligence": True, "mods": []}
    assert "alohomora" not in repr(read("joinRequest", payload))


def test_a_picture_is_in_no_log() -> None:
    assert len(repr(HERONS)) < 2000


def test_a_delta_is_read_as_it_was_written() -> None:
    delta = Delta(
        DeltaType.BLUDGER_KNOCKOUT,
        success=False,
        old=rules.Cell(0, 4),
        active=Entity.BLUDGER1,
        passive=Entity.RIGHT_KEEPER,
    )
    payload = sent(m.Snapshot(rules.apply_delta(picture({}), delta)))["payload"]
    assert read("deltaBroadcast", payload["lastDeltaBroadcast"]).delta == delta
