"""The Penguins player on the wire: where it joins, what it answers, what it reports."""

import random
from typing import Any

import pytest

from games.penguins.messages import (
    Cause,
    Entry,
    ErrorPacket,
    Join,
    Joined,
    JoinPrepared,
    JoinRoom,
    Left,
    Memento,
    MoveRequest,
    Result,
    Room,
    WelcomeMessage,
)
from games.penguins.player import PenguinsPlayer
from games.penguins.rules import Move, Team, generate, legal_actions, start
from ludothek.contract.player import BrokenProtocol, PlayerOptions, Report, Thought

RANDOM = 2
STATE = start(generate(42))
PLACEMENT = legal_actions(STATE)[0]


def player(**options: Any) -> PenguinsPlayer:
    options = {"difficulty": RANDOM, **options}
    return PenguinsPlayer(PlayerOptions(**options), random.Random(1))


def hear(somebody: PenguinsPlayer, *messages: Any) -> list[Any]:
    return [utterance for message in messages for utterance in somebody.hear(message)]


def sitting(**options: Any) -> PenguinsPlayer:
    """A player who knows its side and the first state."""
    somebody = player(**options)
    list(somebody.greet())
    room = Joined("R"), Room("R", WelcomeMessage(Team.ONE)), Room("R", Memento(STATE))
    assert hear(somebody, *room) == []
    return somebody


@pytest.mark.parametrize(
    ("options", "request_"),
    [
        ({}, Join()),
        ({"lobby": "R"}, JoinRoom("R")),
        ({"own": {"room": "R"}}, JoinRoom("R")),
        ({"own": {"reservation": "C"}}, JoinPrepared("C")),
        ({"own": {"reservation": "C", "room": "R"}}, JoinPrepared("C")),
    ],
)
def test_it_joins_where_it_was_told_to(options: dict[str, Any], request_: Any) -> None:
    assert list(player(**options).greet()) == [request_]


def test_a_thinker_wakes_up_before_it_joins() -> None:
    (thought,) = player(difficulty=0).greet()
    assert isinstance(thought, Thought)
    assert thought.say(thought.decide()) == Join()


def test_it_moves_when_asked() -> None:
    (answer,) = hear(sitting(), Room("R", MoveRequest()))
    assert answer.room_id == "R"
    assert answer.data in legal_actions(STATE)


def test_the_strongest_thinks_in_another_process() -> None:
    (thought,) = hear(sitting(difficulty=0), Room("R", MoveRequest()))
    assert isinstance(thought, Thought)
    move = legal_actions(STATE)[0]
    assert thought.say(move) == Room("R", move)


def test_it_reports_when_the_room_is_gone_and_joins_any_other() -> None:
    somebody = sitting(own={"reservation": "C"})
    (move,) = hear(somebody, Room("R", MoveRequest()))
    assert isinstance(move.data, Move)
    scores = (
        Entry(None, Team.ONE, Cause.REGULAR, "", 2, 30),
        Entry(None, Team.TWO, Cause.LEFT, "gone", 0, 20),
    )
    assert hear(somebody, Room("R", Result(scores, Team.ONE)), Left("R")) == [
        Report(
            winner="ONE",
            points={"ONE": 30, "TWO": 20},
            moves=1,
            errors=0,
            details={"won": True, "team": "ONE", "cause": "REGULAR"},
        ),
        Join(),
    ]


def test_errors_that_concern_no_join_are_counted() -> None:
    somebody = sitting()
    refused = ErrorPacket("no", Room("R", MoveRequest()))
    hear(somebody, refused, refused, Room("R", Result((), None)))
    report, _ = hear(somebody, Left("R"))
    assert report.errors == 2
    assert report.winner is None


def test_a_move_that_came_too_late_for_its_room_is_no_error_of_the_next_match() -> None:
    somebody = sitting()
    (move,) = hear(somebody, Room("R", MoveRequest()))
    hear(somebody, Room("R", Result((), None)), Left("R"), ErrorPacket("no such room", move))
    hear(somebody, Joined("S"), ErrorPacket("no such room", move), Room("S", Result((), None)))
    report, _ = hear(somebody, Left("S"))
    assert report.errors == 0


def test_other_rooms_are_not_played_in() -> None:
    assert hear(sitting(), Room("other", MoveRequest()), Left("other")) == []


@pytest.mark.parametrize(
    "message", [ErrorPacket("full", JoinRoom("R")), Join(), Room("R", PLACEMENT), Left("R")]
)
def test_a_server_that_breaks_the_protocol_is_noticed(message: Any) -> None:
    with pytest.raises(BrokenProtocol):
        hear(sitting(), message)


def test_a_request_without_a_state_is_noticed() -> None:
    somebody = player()
    with pytest.raises(BrokenProtocol):
        hear(somebody, Joined("R"), Room("R", MoveRequest()))


def test_silence_is_borne() -> None:
    assert list(player().idle()) == []
