"""Every branch of throws, knock-outs, catches, fouls and fans, over the wire.

One of the clients asks for something, and both hear the same snapshots until somebody is asked
again or the match is over.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest
from trio.testing import MockClock

from games.quidditch.rules import Side, State
from tests.games.quidditch.moments import scene
from tests.games.quidditch.stage import chances, staged

Pair = tuple[int, int]

CERTAIN, IMPOSSIBLE = 1, 0


@attrs.frozen(kw_only=True)
class Play:
    """What is asked for in which scene, and the deltas that follow with either outcome."""

    turn: str
    kind: str = "move"
    players: Mapping[str, Pair] = attrs.field(factory=dict)
    details: Mapping[str, Any] = attrs.field(factory=dict)
    ask: str = "move"
    new: Pair | None = None
    passive: str | None = None
    chance: str = ""  # what is certain or else impossible
    also: Mapping[str, float] = attrs.field(factory=dict)
    certain: str
    impossible: str

    @property
    def state(self) -> State:
        return scene(self.turn, self.kind, self.players, **self.details)


THROW: dict[str, Any] = {"turn": "leftChaser1", "kind": "action", "ask": "quaffleThrow"}
HOLDING: dict[str, Any] = {"details": {"quaffle": "leftChaser1"}}
FAN: dict[str, Any] = {"kind": "fan"}

PLAYS = {
    "throw at a goal": Play(
        **THROW,
        **HOLDING,
        players={"leftChaser1": (10, 6)},
        new=(14, 6),
        chance="throw_success",
        certain="quaffleThrow+ goalPointsChange move turnUsed",
        impossible="quaffleThrow- turnUsed",
    ),
    "throw steeply at a goal": Play(
        **THROW,
        **HOLDING,
        players={"leftChaser1": (14, 2)},
        new=(14, 4),
        chance="throw_success",
        certain="quaffleThrow+ move turnUsed",
        impossible="quaffleThrow- turnUsed",
    ),
    "throw past a chaser": Play(
        **THROW,
        **HOLDING,
        players={"leftChaser1": (10, 6), "rightChaser1": (12, 6)},
        new=(14, 6),
        chance="catch_quaffle",
        also={"throw_success": 1},
        certain="quaffleThrow- turnUsed",
        impossible="quaffleThrow+ goalPointsChange move turnUsed",
    ),
    "throw past a beater": Play(
        **THROW,
        **HOLDING,
        players={"leftChaser1": (10, 6), "rightBeater1": (12, 6)},
        new=(14, 6),
        chance="catch_quaffle",
        also={"throw_success": 1},
        certain="quaffleThrow- foolAway turnUsed",
        impossible="quaffleThrow+ goalPointsChange move turnUsed",
    ),
    "throw to a mate": Play(
        **THROW,
        **HOLDING,
        players={"leftChaser1": (5, 5), "leftKeeper": (5, 8)},
        new=(5, 8),
        chance="throw_success",
        certain="quaffleThrow+ turnUsed",
        impossible="quaffleThrow- turnUsed",
    ),
    "throw of a keeper": Play(
        turn="leftKeeper",
        kind="action",
        players={"leftKeeper": (10, 6)},
        details={"quaffle": "leftKeeper"},
        ask="quaffleThrow",
        new=(14, 6),
        chance="throw_success",
        certain="quaffleThrow+ move turnUsed",
        impossible="quaffleThrow- turnUsed",
    ),
    "wresting": Play(
        turn="leftChaser1",
        kind="action",
        players={"leftChaser1": (5, 5), "rightChaser1": (6, 5)},
        details={"quaffle": "rightChaser1"},
        ask="wrestQuaffle",
        chance="wrest_quaffle",
        certain="wrestQuaffle+ turnUsed",
        impossible="wrestQuaffle- turnUsed",
    ),
    "beating": Play(
        turn="leftBeater1",
        kind="action",
        players={"leftBeater1": (5, 5), "rightSeeker": (7, 5)},
        details={"bludger1": (5, 5)},
        ask="bludgerBeating",
        new=(7, 5),
        passive="bludger1",
        chance="knock_out",
        certain="bludgerBeating bludgerKnockout+ turnUsed",
        impossible="bludgerBeating bludgerKnockout- turnUsed",
    ),
    "beating the holder": Play(
        turn="leftBeater1",
        kind="action",
        players={"leftBeater1": (5, 5), "rightChaser1": (7, 5)},
        details={"bludger1": (5, 5), "quaffle": "rightChaser1"},
        ask="bludgerBeating",
        new=(7, 5),
        passive="bludger1",
        chance="knock_out",
        certain="bludgerBeating foolAway bludgerKnockout+ turnUsed",
        impossible="bludgerBeating bludgerKnockout- turnUsed",
    ),
    "beating a beater": Play(
        turn="leftBeater1",
        kind="action",
        players={"leftBeater1": (5, 5), "rightBeater1": (7, 5)},
        details={"bludger1": (5, 5)},
        ask="bludgerBeating",
        new=(7, 5),
        passive="bludger1",
        chance="knock_out",
        certain="bludgerBeating turnUsed",
        impossible="bludgerBeating turnUsed",
    ),
    "flacking": Play(
        turn="leftSeeker",
        players={"leftSeeker": (3, 6)},
        new=(2, 6),
        chance="foul_detection__flacking",
        certain="move ban:flacking turnUsed",
        impossible="move turnUsed",
    ),
    "haversacking": Play(
        turn="leftChaser1",
        **HOLDING,
        players={"leftChaser1": (13, 6)},
        new=(14, 6),
        chance="foul_detection__haversacking",
        certain="move goalPointsChange ban:haversacking move turnUsed",
        impossible="move goalPointsChange move turnUsed",
    ),
    "stooging": Play(
        turn="leftChaser1",
        players={"leftChaser1": (11, 6), "leftChaser2": (13, 5)},
        new=(12, 6),
        chance="foul_detection__stooging",
        certain="move ban:stooging turnUsed",
        impossible="move turnUsed",
    ),
    "blatching": Play(
        turn="leftSeeker",
        players={"leftSeeker": (5, 5), "rightSeeker": (6, 5)},
        new=(6, 5),
        chance="foul_detection__blatching",
        certain="move move ban:blatching turnUsed",
        impossible="move move turnUsed",
    ),
    "blatching the holder": Play(
        turn="leftSeeker",
        players={"leftSeeker": (5, 5), "rightKeeper": (6, 5)},
        details={"quaffle": "rightKeeper"},
        new=(6, 5),
        chance="foul_detection__blatching",
        certain="move foolAway move ban:blatching turnUsed",
        impossible="move foolAway move turnUsed",
    ),
    "snitchnip": Play(
        turn="leftKeeper",
        players={"leftKeeper": (5, 5)},
        details={"snitch": (6, 5), "number": 13},
        new=(6, 5),
        chance="foul_detection__snitchnip",
        certain="move ban:snitchnip turnUsed",
        impossible="move turnUsed",
    ),
    "catching the snitch": Play(
        turn="leftSeeker",
        players={"leftSeeker": (5, 5)},
        details={"snitch": (6, 5), "number": 13},
        new=(6, 5),
        chance="catch_snitch",
        certain="move snitchCatch+ phaseChange:gameFinish",
        impossible="move snitchCatch- turnUsed",
    ),
    "catching the snitch in overtime": Play(
        turn="leftSeeker",
        players={"leftSeeker": (5, 5)},
        details={"snitch": (6, 5), "number": 14},
        new=(6, 5),
        chance="catch_snitch",
        certain="move snitchCatch+ phaseChange:gameFinish",
        impossible="move snitchCatch+ phaseChange:gameFinish",
    ),
    "an extra move": Play(
        turn="leftSeeker",
        players={"leftSeeker": (5, 5)},
        new=(6, 5),
        chance="extra_move__firebolt",
        certain="move",
        impossible="move turnUsed",
    ),
    "elf": Play(
        turn="leftElf",
        **FAN,
        **HOLDING,
        ask="elfTeleportation",
        passive="leftChaser1",
        chance="fan_foul_detection__elf_teleportation",
        certain="elfTeleportation ban:elfTeleportation turnUsed",
        impossible="elfTeleportation turnUsed",
    ),
    "goblin": Play(
        turn="leftGoblin",
        **FAN,
        ask="goblinShock",
        passive="rightSeeker",
        chance="fan_foul_detection__goblin_shock",
        certain="goblinShock ban:goblinShock turnUsed",
        impossible="goblinShock turnUsed",
    ),
    "goblin and the holder": Play(
        turn="rightGoblin",
        **FAN,
        **HOLDING,
        players={"leftChaser1": (5, 5)},
        ask="goblinShock",
        passive="leftChaser1",
        chance="fan_foul_detection__goblin_shock",
        certain="foolAway goblinShock ban:goblinShock turnUsed",
        impossible="foolAway goblinShock turnUsed",
    ),
    "troll": Play(
        turn="leftTroll",
        **FAN,
        **HOLDING,
        ask="trollRoar",
        chance="fan_foul_detection__troll_roar",
        certain="trollRoar ban:trollRoar turnUsed",
        impossible="trollRoar turnUsed",
    ),
    "niffler without a snitch": Play(
        turn="leftNiffler",
        **FAN,
        ask="snitchSnatch",
        chance="fan_foul_detection__snitch_snatch",
        certain="snitchSnatch ban:snitchSnatch turnUsed",
        impossible="snitchSnatch turnUsed",
    ),
    "wombat": Play(
        turn="leftWombat",
        **FAN,
        ask="wombatPoo",
        new=(8, 8),
        chance="fan_foul_detection__wombat_poo",
        certain="wombatPoo ban:wombatPoo turnUsed",
        impossible="wombatPoo turnUsed",
    ),
    "a bludger on its way": Play(
        turn="rightNiffler",
        **FAN,
        players={"leftChaser1": (8, 8)},
        details={"then": (), "bludger1": (8, 7), "quaffle": "leftChaser1"},
        ask="skip",
        chance="knock_out",
        certain="skip turnUsed phaseChange:unbanPhase roundChange "
        "foolAway bludgerKnockout+ phaseChange:playerPhase",
        impossible="skip turnUsed phaseChange:unbanPhase roundChange "
        "bludgerKnockout- phaseChange:playerPhase",
    ),
}


def words(delta: Any) -> str:
    """A delta in a word: what it was, and how it went."""
    mark = {True: "+", False: "-", None: ""}[delta["success"]]
    about = delta["banReason"] or delta["phase"]
    return f"{delta['deltaType']}{mark}" + (f":{about}" if about else "")


@pytest.mark.parametrize("chance", [CERTAIN, IMPOSSIBLE], ids=["certain", "impossible"])
@pytest.mark.parametrize("name", PLAYS)
async def test_what_follows(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    name: str,
    chance: int,
) -> None:
    play = PLAYS[name]
    config = chances(**{play.chance: chance, **play.also})
    async with staged(monkeypatch, tmp_path, play.state, config) as stage:
        side = Side.LEFT if play.turn.startswith("left") else Side.RIGHT
        shots, last = await stage.ask(side, ask(play))
    deltas = [shot["lastDeltaBroadcast"] for shot in shots]
    told = [words(delta) for delta in deltas if not _is_flight(delta)]
    expected = (play.certain if chance else play.impossible).split()
    assert told == expected
    over = expected[-1] == "phaseChange:gameFinish"
    assert last["payloadType"] == ("matchFinish" if over else "next")


def _is_flight(delta: Any) -> bool:
    """Bludgers fly on their own in the ball phase."""
    return delta["deltaType"] == "move" and delta["activeEntity"] in ("bludger1", "bludger2")


def ask(play: Play) -> dict[str, Any]:
    x, y = play.new or (None, None)
    return {
        "deltaType": play.ask,
        "xPosNew": x,
        "yPosNew": y,
        "activeEntity": None if play.kind == "fan" else play.turn,
        "passiveEntity": play.passive,
    }
