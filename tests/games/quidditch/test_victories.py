"""Every way to win, over the wire; and deltas that end the match by being wrong."""

from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from games.quidditch.rules import Side
from tests.games.quidditch.moments import scene
from tests.games.quidditch.stage import chances, staged

LEFT_OUT = ["leftChaser1", "leftChaser2", "leftChaser3"]
RIGHT_OUT = ["rightChaser1", "rightChaser2", "rightBeater1"]

# The last fan of a round skips, or the left seeker catches the snitch.
LAST: dict[str, Any] = {"entity": "leftNiffler", "kind": "fan", "then": ()}
CATCH: dict[str, Any] = {
    "entity": "leftSeeker",
    "players": {"leftSeeker": (5, 5)},
    "snitch": (6, 5),
    "number": 13,
}


@pytest.mark.parametrize(
    ("moment", "winner", "reason", "points"),
    [
        (LAST | {"banned": LEFT_OUT}, "draco", "disqualification", (0, 0)),
        (LAST | {"banned": RIGHT_OUT, "points": (0, 90)}, "harry", "disqualification", (0, 90)),
        (
            LAST | {"banned": LEFT_OUT + RIGHT_OUT, "points": (20, 10)},
            *("harry", "bothDisqualificationMostPoints", (20, 10)),
        ),
        (
            LAST | {"banned": LEFT_OUT + RIGHT_OUT, "points": (10, 10)},
            *("draco", "bothDisqualificationPointsEqualLastDisqualification", (10, 10)),
        ),
        (
            CATCH | {"banned": LEFT_OUT + RIGHT_OUT, "points": (0, 30)},
            *("harry", "bothDisqualificationPointsEqualSnitchCatch", (30, 30)),
        ),
        (CATCH, "harry", "mostPoints", (30, 0)),
        (CATCH | {"points": (0, 40)}, "draco", "mostPoints", (30, 40)),
        (CATCH | {"points": (0, 30)}, "harry", "pointsEqualSnitchCatch", (30, 30)),
        (CATCH | {"banned": LEFT_OUT}, "draco", "disqualification", (30, 0)),
    ],
)
async def test_who_wins_and_why(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    moment: dict[str, Any],
    winner: str,
    reason: str,
    points: tuple[int, int],
) -> None:
    request: dict[str, Any] = {"deltaType": "skip"}
    if moment["entity"] == "leftSeeker":
        request = {"deltaType": "move", "xPosNew": 6, "yPosNew": 5, "activeEntity": "leftSeeker"}
    state = scene(**moment)
    async with staged(monkeypatch, tmp_path, state, chances(catch_snitch=1)) as stage:
        shots, last = await stage.ask(Side.LEFT, request)
    assert shots[-1]["phase"] == "gameFinish"
    assert last["payload"] == {
        "endRound": state.snapshot.round,
        "leftPoints": points[0],
        "rightPoints": points[1],
        "winnerUserName": winner,
        "victoryReason": reason,
    }
    teams = shots[-1]["leftTeam"], shots[-1]["rightTeam"]
    assert tuple(team["points"] for team in teams) == points


ACTING: dict[str, Any] = {
    "entity": "leftChaser1",
    "kind": "action",
    "players": {"leftChaser1": (5, 5)},
    "quaffle": "leftChaser1",
}
BEATING: dict[str, Any] = {
    "entity": "leftBeater1",
    "kind": "action",
    "players": {"leftBeater1": (5, 5), "leftSeeker": (6, 5)},
    "bludger1": (5, 5),
}
MOVING: dict[str, Any] = {
    "entity": "leftSeeker",
    "players": {"leftSeeker": (5, 5)},
    "cubes": [(5, 6)],
}
BACK: dict[str, Any] = {"entity": "leftSeeker", "kind": "removeBan", "banned": ["leftSeeker"]}
ELF: dict[str, Any] = {"entity": "leftElf", "kind": "fan", "banned": ["rightSeeker"]}
GOBLIN: dict[str, Any] = {"entity": "leftGoblin", "kind": "fan"}
WOMBAT: dict[str, Any] = {"entity": "leftWombat", "kind": "fan", "cubes": [(8, 8)]}


@pytest.mark.parametrize(
    ("moment", "kind", "new", "passive"),
    [
        (MOVING, "move", (5, 7), None),
        (MOVING, "move", (5, 6), None),
        (MOVING, "move", (17, 5), None),
        (MOVING, "bludgerBeating", (5, 6), "bludger1"),
        (MOVING, "snitchCatch", None, None),
        (ACTING, "quaffleThrow", (5, 5), None),
        (ACTING, "quaffleThrow", (0, 0), None),
        (ACTING, "quaffleThrow", None, None),
        (ACTING, "wrestQuaffle", None, None),
        (ACTING, "move", (5, 6), None),
        (BEATING, "bludgerBeating", (5, 9), "bludger1"),
        (BEATING, "bludgerBeating", (8, 5), "bludger1"),
        (BEATING, "bludgerBeating", (5, 6), "bludger2"),
        (BEATING, "bludgerBeating", (5, 6), "quaffle"),
        (BEATING, "quaffleThrow", (5, 6), None),
        (BACK, "unban", (12, 6), None),
        (BACK, "unban", (2, 6), None),
        (BACK, "unban", None, None),
        (BACK, "move", (5, 5), None),
        (ELF, "elfTeleportation", None, "rightSeeker"),
        (ELF, "elfTeleportation", None, "quaffle"),
        (ELF, "elfTeleportation", None, None),
        (ELF, "goblinShock", None, "rightKeeper"),
        (GOBLIN, "goblinShock", None, "leftKeeper"),
        (GOBLIN, "goblinShock", None, "leftElf"),
        (WOMBAT, "wombatPoo", (8, 8), None),
        (WOMBAT, "wombatPoo", (8, 6), None),
        (WOMBAT, "wombatPoo", (-1, 3), None),
        (WOMBAT, "trollRoar", None, None),
    ],
)
async def test_what_the_rules_do_not_allow_loses(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    moment: dict[str, Any],
    kind: str,
    new: tuple[int, int] | None,
    passive: str | None,
) -> None:
    """«Alles was der Spiellogik aus dem Lastenheft widerspricht, ist eine Protokollverletzung»"""
    x, y = new or (None, None)
    active = None if moment.get("kind") == "fan" else moment["entity"]
    request: dict[str, Any] = {"deltaType": kind, "xPosNew": x, "yPosNew": y}
    request |= {"activeEntity": active, "passiveEntity": passive}
    async with staged(monkeypatch, tmp_path, scene(**moment), chances()) as stage:
        harry, draco = stage.clients.values()
        await harry.say("deltaRequest", request)
        error = await harry.hear("privateError")
        assert (error["code"], error["triggerMatchFinish"]) == (102, True)
        for client in (harry, draco):
            assert (await client.hear("snapshot"))["phase"] == "gameFinish"
            end = await client.hear("matchFinish")
            assert (end["winnerUserName"], end["victoryReason"]) == ("draco", "violationOfProtocol")
        await harry.peer.hear_end()
