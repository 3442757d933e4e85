"""Every clause of Quidditch is broken over a real socket, and the server names it and no other."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import trio

from games.quidditch import GAME, artefacts, breaches
from games.quidditch.messages import DeltaRequest
from games.quidditch.rules import Cell, DeltaType, LineUpMistake, Mistake, Objection, Position
from ludothek.contract.orders import Abort, Pause
from ludothek.testing.breaches import (
    Case,
    Cases,
    breakable,
    broken,
    explanations,
    hear_of_breach,
    misnamed,
)
from tests.games.quidditch.clients import container, join, places, wire
from tests.games.quidditch.conformance.open_stage import Stage, open_stage
from tests.games.quidditch.moments import Pair, scene
from tests.games.quidditch.scene import HERONS, LEFT, changed, match_config
from tests.support.helpers import NOON, cut_off
from tests.support.raw_websocket import BINARY, RawPeer, frame

CASES: Cases[Stage] = Cases()
breaks = CASES.breaks


def says(
    clause: str, pointer: str, message: Any, consequence: str = "kicked", **settings: Any
) -> None:
    """The first message of a client."""

    @breaks(clause, pointer, consequence, **settings)
    async def play(stage: Stage) -> None:
        await (await stage.connect()).say(message)


def tells(
    clause: str, pointer: str, name: str, payload: Any, consequence: str = "kicked", **settings: Any
) -> None:
    """A message of somebody who has logged in, and is a spectator."""

    @breaks(clause, pointer, consequence, **settings)
    async def play(stage: Stage) -> None:
        await (await stage.login()).say(name, payload)


def enrols(clause: str, pointer: str, path: str, value: Any, **settings: Any) -> None:
    """A team with one wrong value."""
    tells(clause, pointer, "teamConfig", wire(changed(HERONS, {path: value})), **settings)


def lines_up(clause: str, position: Position, cell: Pair) -> None:
    """A formation with one player on a wrong cell."""

    @breaks(clause, f"/payload/players/{position}", "kicked")
    async def play(stage: Stage) -> None:
        left, _ = await stage.teams()
        await left.say("teamFormation", places({**LEFT, position: Cell(*cell)}))


def answers(
    clause: str,
    field: str,
    turn: str,
    request: Mapping[str, Any],
    players: Mapping[str, Pair] | None = None,
    **details: Any,
) -> None:
    """A wrong answer in a scene where it is somebody's turn: an entity and, after a space, its
    type unless that is a move."""
    entity, _, kind = turn.partition(" ")

    @breaks(clause, f"/payload/{field}", "kicked")
    async def play(stage: Stage) -> None:
        state = scene(entity, kind or "move", players, **details)
        active, _ = await stage.match(state)
        named = {} if kind == "fan" else {"activeEntity": entity}
        await active.say("deltaRequest", {**named, **request})


# What cannot be read

says("2.2", "/payloadType", {"lobby": "hogwarts", "userName": "luna"})
says("2.2", "/payloadType", {"payloadType": 7, "payload": {}})
says("2.2", "/payload", {"payloadType": "joinRequest"})
says("4.1.1", "", b"joinRequest")
says("4.1.1", "", b'["joinRequest"]')
says("4.1.2", "/payloadType", container("JoinRequest", {}), "ignored")
says("4.3.3.1", "/payloadType", container("joinResponse", {"message": ""}))
says("4.5.2.1.1", "/payload/userName", container("joinRequest", {"lobby": "hogwarts"}))
says("13.4.5.2", "/payload", container("joinRequest", None))
says("13.4.5.2", "/payload/isArtificialIntelligence", join("luna", isArtificialIntelligence=0))
says("13.4.5.2", "/payload/mods/0", join("luna", mods=[1]))
says("ours.many-values", "", join("luna", x=[[]] * 9000))
says("ours.too-long", "", container("sendChat", {"information": "x" * 70_000}))
tells("4.1.2", "/payloadType", "PauseRequest", {"message": ""}, "ignored")
tells("4.3.3.1", "/payloadType", "matchConfig", wire(match_config()))
tells("4.4.2.1.1", "/payload/information", "sendDebug", {"info": ""})
TEAM = wire(HERONS)
tells("5.3.2.2", "/payload/motto", "teamConfig", {k: v for k, v in TEAM.items() if k != "motto"})
tells("5.3.2.2", "/payload/colors/primary", "teamConfig", TEAM | {"colors": {}})
tells("5.2.8.1", "/payload/image", "teamConfig", TEAM | {"image": None})
tells("5.2.8.1", "/payload/image", "teamConfig", TEAM | {"image": "ä" * 70_000})
tells("7.2.1.1", "/payload/players/seeker", "teamFormation", {"players": {}})
SNAPSHOT = {"testType": "snapshot-delta-snapshot", "snapshot": {}, "delta": {}}
tells("8.1.1", "/payload/snapshot", "testRequest", SNAPSHOT)
tells("8.2.4.1", "/payload/phase", "deltaRequest", {"deltaType": "skip", "phase": "player"})
tells("10.2.3.1", "/payload/deltaType", "deltaRequest", {"deltaType": "Skip"})
for field in ("activeEntity", "passiveEntity"):
    tells("10.2.4.1", f"/payload/{field}", "deltaRequest", {"deltaType": "skip", field: "seeker"})
tells("10.2.5.1", "/payload/banReason", "deltaRequest", {"deltaType": "skip", "banReason": ""})
tells("10.3.1.1", "/payload/deltaType", "deltaRequest", {"xPosNew": 3})
tells("13.4.5.2", "/payload/xPosNew", "deltaRequest", {"deltaType": "move", "xPosNew": "3"})
tells("11.2.1.1", "/payload/message", "pauseRequest", {"information": ""})
tells("11.2.2.1", "/payload/message", "continueRequest", {"information": ""})
tells("14.2.2.1.1", "/payload/information", "sendChat", {"message": ""})
tells("14.6.2.1", "/payload/snapshot", "testRequest", {"testType": "snapshot-delta-snapshot"})


@breaks("2.1", "", "kicked")
async def a_binary_frame(stage: Stage) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", stage.server.port) as stream:
        peer = RawPeer(stream)
        await peer.shake()
        await peer.write(frame(BINARY, b"{}"))
        await hear_of_breach(stage.server.endpoint)


# The login

EVERYBODY_COUNTS: dict[str, Any] = {"exempt": []}
says("4.5.1", "/payloadType", container("getReplay", {}))
says("4.5.2", "/payload/mods/1", join("luna", mods=["chat", "nargles"]))
says("4.5.1.1.1", "/payload/userName", join("l\u00fcna"))
says("4.5.1.1.2", "/payload/userName", join("lu"))
says("4.5.1.2.1", "/payload/lobby", join("luna", lobby="the lobby"))
says("4.5.1.2.2", "/payload/lobby", join("luna", lobby="x" * 41))
says("13.4.5.1", "/payload/password", join("luna", password="\x07"))
says("13.4.5.1", "/payload/password", join("luna", password="x" * 129))
says("ours.organiser", "/payload/userName", join("Organiser"))
tells("4.5.1", "/payloadType", "joinRequest", join("luna")["payload"])


def comes_second(clause: str, pointer: str, request: Any, **settings: Any) -> None:
    """Somebody logs in after luna, who is in hogwarts."""

    @breaks(clause, pointer, "kicked", **settings)
    async def play(stage: Stage) -> None:
        await stage.login()
        await (await stage.connect()).say(request)


comes_second("4.5.4", "/payload/password", join("luna", password="radish"))
comes_second("ours.new-names", "", join("harry"), registrations_per_hour=1, limits=EVERYBODY_COUNTS)
comes_second("ours.lobbies-of-all", "", join("harry", lobby="azkaban"), max_lobbies=1)
comes_second(
    "ours.lobbies-of-address",
    "",
    join("harry", lobby="azkaban"),
    limits={"max_lobbies_per_address": 1, **EVERYBODY_COUNTS},
)
comes_second(
    "ours.crowded",
    "",
    join("harry"),
    limits={"max_clients_per_lobby_and_address": 1, **EVERYBODY_COUNTS},
)


@breaks("ours.login-time", "", "kicked", login_seconds=0.01)
async def silence(stage: Stage) -> None:
    await stage.connect()


# Teams and formations

enrols("5.2.1.1", "/payload/name", "name", "Die Gr\u00f6ssten")
enrols("5.2.1.1", "/payload/players/beater2/name", "players.beater2.name", "Fred & George")
enrols("5.2.1.2", "/payload/name", "name", "x" * 41)
enrols("5.2.1.2", "/payload/players/seeker/name", "players.seeker.name", "Al")
enrols("5.2.2.1", "/payload/motto", "motto", "<b>fly</b>")
enrols("5.2.2.2", "/payload/motto", "motto", "no")
enrols("5.2.4.1", "/payload/players/keeper/sex", "players.keeper.sex", "w")
enrols("5.2.5.1", "/payload/players/keeper/broom", "players.keeper.broom", "nimbus2000")
enrols("5.2.6.1", "/payload/colors/primary", "colors.primary", "#C80010")
enrols("5.2.8.1", "/payload/image", "image", "A" * 360_001)
enrols("5.2.8.1", "/payload/image", "image", "?", strict_images=True)
enrols("5.2.8.1", "/payload/image", "image", "R0lGODlh", strict_images=True)
enrols("5.3.2.1", "/payload/colors/secondary", "colors.secondary", HERONS.colors.primary)
enrols("14.3.1.1", "/payload/players", "players.keeper.sex", "f")
enrols("ours.all-brooms", "/payload/players", "players.seeker.broom", "tinderblast")
enrols("ours.fans", "/payload/fans", "fans.trolls", 0)
enrols("ours.fans", "/payload/fans", "fans.goblins", 5)
lines_up("7.1.1", Position.KEEPER, (2, 6))
lines_up("15.1", Position.SEEKER, (0, 0))
lines_up("15.1", Position.SEEKER, (9, 2))
lines_up("15.1", Position.SEEKER, (7, 6))
lines_up("ours.own-start", Position.BEATER2, LEFT[Position.BEATER1])
tells("2.1.1", "/payloadType", "teamFormation", places(LEFT))
tells("2.1.1", "/payloadType", "deltaRequest", {"deltaType": "skip"})


@breaks("4.5.5", "/payloadType", "refused")
async def a_team_during_a_match(stage: Stage) -> None:
    left, _ = await stage.teams()
    await left.say("teamConfig", TEAM)


@breaks("13.4.5.3", "/payloadType", "kicked")
async def a_second_formation(stage: Stage) -> None:
    left, _ = await stage.teams()
    await left.say("teamFormation", places(LEFT))
    await left.say("teamFormation", places(LEFT))


@breaks("ours.formation-again", "/payloadType", "refused")
async def a_formation_after_coming_back(stage: Stage) -> None:
    first, _ = await stage.match()
    cut_off(first.peer.link)
    await stage.until(lambda: len(stage.server.endpoint.clients) == 1)
    back = await stage.login(first.name)
    await back.say("teamFormation", places(LEFT))


# Answers

SEEKER: dict[str, Pair] = {"leftSeeker": (5, 5)}
BEATER: dict[str, Any] = {"players": {"leftBeater1": (5, 5)}, "bludger1": (5, 5)}
MOVE, THROW, BEAT, UNBAN = "move", "quaffleThrow", "bludgerBeating", "unban"


def asking(kind: str, new: tuple[int | None, int | None] = (None, None), **rest: Any) -> Any:
    x, y = new
    return {"deltaType": kind, "xPosNew": x, "yPosNew": y, **rest}


def beating(x: int, y: int, ball: str = "bludger1") -> Any:
    return asking(BEAT, (x, y), passiveEntity=ball)


answers("2.3", "xPosNew", "leftSeeker", asking(MOVE, (7, 5)), SEEKER)
answers("2.4", "xPosNew", "leftSeeker", asking(MOVE, (0, 0)), SEEKER)
answers("2.5", "xPosNew", "leftBeater1 action", beating(9, 5), **BEATER)
answers("9.2.2.1", "deltaType", "leftSeeker", asking(UNBAN, (5, 5)), SEEKER)
answers("9.2.2.1", "deltaType", "leftBeater1 action", asking(MOVE, (5, 6)), **BEATER)
BANNED: dict[str, Any] = {"banned": ["leftChaser1"]}
answers("9.2.2.1", "deltaType", "leftChaser1 removeBan", asking(MOVE, (5, 6)), **BANNED)
answers("10.1.1", "deltaType", "leftSeeker", asking("snitchCatch", success=True))
answers("10.2.1.1", "xPosNew", "leftSeeker", asking(MOVE, (17, 5)), SEEKER)
answers("10.2.1.1", "xPosNew", "leftSeeker", asking(MOVE, (None, 5)), SEEKER)
answers("10.2.2.1", "yPosNew", "leftSeeker", asking(MOVE, (5, 13)), SEEKER)
answers("10.2.2.1", "yPosNew", "leftSeeker", asking(MOVE, (5, None)), SEEKER)
answers("10.4.2.1", "passiveEntity", "leftBeater1 action", beating(6, 5, "quaffle"), **BEATER)
answers("10.4.2.1", "passiveEntity", "leftBeater1 action", beating(6, 5, "bludger2"), **BEATER)
answers("10.4.4.1", "activeEntity", "leftChaser1 action", asking(THROW, (6, 5)))
answers("10.4.6.1", "deltaType", "leftElf fan", asking("wombatPoo", (5, 5)))
answers("10.4.10.1", "passiveEntity", "leftElf fan", asking("elfTeleportation"))
answers("10.4.12.1", "passiveEntity", "leftGoblin fan", asking("goblinShock"))
answers("10.4.16.1", "activeEntity", "leftSeeker", asking(MOVE, (5, 6), activeEntity=None), SEEKER)
answers("10.4.16.1", "activeEntity", "leftSeeker", asking("skip", activeEntity="rightSeeker"))
answers("10.4.18.1", "activeEntity", "leftChaser1 action", asking("wrestQuaffle"))
answers("ours.no-cube", "xPosNew", "leftSeeker", asking(MOVE, (6, 5)), SEEKER, cubes=[(6, 5)])
HOLDING: dict[str, Any] = {"players": {"leftChaser1": (5, 5)}, "quaffle": "leftChaser1"}
answers("ours.thrown-away", "xPosNew", "leftChaser1 action", asking(THROW, (5, 5)), **HOLDING)
IN_THE_WAY: dict[str, Any] = {**BEATER, "players": {**BEATER["players"], "leftKeeper": (6, 5)}}
answers("ours.bludger-line", "xPosNew", "leftBeater1 action", beating(7, 5), **IN_THE_WAY)
TARGET: dict[str, Any] = {"passiveEntity": "leftSeeker"}
answers(
    "ours.present-target",
    "passiveEntity",
    "leftElf fan",
    asking("elfTeleportation", **TARGET),
    banned=["leftSeeker"],
)
answers("ours.opponent", "passiveEntity", "leftGoblin fan", asking("goblinShock", **TARGET))
answers("ours.free-cell", "xPosNew", "leftWombat fan", asking("wombatPoo", (8, 6)))
answers("ours.own-half", "xPosNew", "leftChaser1 removeBan", asking(UNBAN, (11, 5)), **BANNED)
answers("ours.own-half", "xPosNew", "leftChaser1 removeBan", asking(UNBAN, (2, 6)), **BANNED)
SKIP = {"deltaType": "skip"}


@breaks("9.1.1", "", "refused")
async def answering_for_the_other_side(stage: Stage) -> None:
    _, waiting = await stage.match()
    await waiting.say("deltaRequest", SKIP)


@breaks("9.1.2", "", "ignored")
async def answering_for_somebody_else_of_the_team(stage: Stage) -> None:
    active, _ = await stage.match(scene("leftSeeker"))
    await active.say("deltaRequest", asking(MOVE, (3, 6), activeEntity="leftKeeper"))


@breaks("ours.after-the-end", "/payloadType", "ignored")
async def answering_after_the_end(stage: Stage) -> None:
    active, _ = await stage.match()
    stage.order(Abort())
    await active.say("deltaRequest", SKIP)


# Pauses, talk and replays

LONG = {"message": "x" * 501}
tells("11.1.1", "/payloadType", "pauseRequest", {"message": ""}, "refused")
tells("11.1.2", "/payloadType", "continueRequest", {"message": ""}, "refused")
tells("13.1.1", "/payloadType", "getReplay", {})
tells("14.1.1", "/payloadType", "sendChat", {"information": "hi"}, "refused")
tells("14.1.1", "/payloadType", "getReplayWithSnapshot", {}, "refused")


@breaks("11.1.3", "/payloadType", "refused")
async def a_pause_of_an_ai(stage: Stage) -> None:
    ai, _ = await stage.teams(isArtificialIntelligence=True)
    await ai.say("pauseRequest", {"message": ""})


@breaks("13.4.5.4", "/payloadType", "refused")
async def answering_during_a_pause(stage: Stage) -> None:
    active, _ = await stage.match()
    await active.say("pauseRequest", {"message": ""})
    await active.say("deltaRequest", SKIP)


@breaks("ours.pause-again", "/payloadType", "refused")
async def pausing_again_and_again(stage: Stage) -> None:
    first, second = await stage.match()
    await first.say("pauseRequest", {"message": ""})
    await second.hear("pauseResponse")
    await second.say("continueRequest", {"message": ""})
    await first.hear_until("next")
    await first.say("pauseRequest", {"message": ""})


@breaks("ours.organisers-pause", "/payloadType", "refused")
async def ending_a_pause_of_the_organiser(stage: Stage) -> None:
    active, _ = await stage.match()
    stage.order(Pause())
    await active.say("continueRequest", {"message": ""})


@breaks("ours.text-length", "/payload/message", "corrected")
async def a_long_reason_for_a_pause(stage: Stage) -> None:
    active, _ = await stage.match()
    await active.say("pauseRequest", LONG)


@breaks("ours.text-length", "/payload/information", "refused")
async def a_long_chat_message(stage: Stage) -> None:
    luna = await stage.login(mods=["chat"])
    await luna.say("sendChat", {"information": "x" * 501})


@breaks("ours.text-rate", "", "refused")
async def a_flood_of_chat(stage: Stage) -> None:
    luna = await stage.login(mods=["chat"])
    for n in range(22):
        await luna.say("sendChat", {"information": str(n)})


# All of them

# What takes more than one client to break, or more than one message to see.
ELSEWHERE = {"2.1.2", "4.5.3", "ours.logins-waiting"}


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_breach_names_its_clause_and_no_other(
    case: Case[Stage], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_stage(case.settings, monkeypatch) as stage:
        await case.play(stage)
        await hear_of_breach(stage.server.endpoint)
        assert broken(stage.server.endpoint) == {case.broken}
        assert all(each.breach.came for each in explanations(stage.server.endpoint))


async def test_both_connections_of_a_user_are_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    """«Error goes to the old logon, Warning goes to the new logon.»"""
    async with open_stage({}, monkeypatch) as stage:
        old, new = await stage.login(), await stage.login()
        await old.hear_until("privateError")
        await new.hear("privateWarning")
        assert broken(stage.server.endpoint) == {
            ("4.5.3", "", "kicked"),
            ("4.5.3", "/payload/userName", "corrected"),
        }


async def test_a_player_who_does_not_line_up_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "match.json"
    hurried = match_config(timings__team_formation_timeout=20)
    path.write_bytes(artefacts.write(hurried, NOON))
    async with open_stage({"match": str(path)}, monkeypatch) as stage:
        left, right = await stage.teams()
        for client in (left, right):
            error = await client.hear_until("privateError")
            assert error["code"] == 101
            assert "2.1.2 expected teamFormation" in error["information"]
        assert broken(stage.server.endpoint) == {("2.1.2", "", "kicked")}


def test_every_bad_example_that_cannot_be_read_breaks_its_clause() -> None:
    assert misnamed(GAME, breaches.unreadable) == {}


def test_every_clause_that_can_be_broken_is_broken_here() -> None:
    assert breakable(GAME.clauses) == CASES.clauses | ELSEWHERE


@pytest.mark.parametrize("mistake", Mistake)
def test_every_mistake_of_the_rules_breaks_a_clause(mistake: Mistake) -> None:
    breach = breaches.against_the_rules(mistake, DeltaRequest(delta_type=DeltaType.MOVE))
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected


@pytest.mark.parametrize("mistake", LineUpMistake)
def test_every_mistake_of_a_team_breaks_a_clause(mistake: LineUpMistake) -> None:
    breach = breaches.line_up(Objection(mistake, "something", Position.SEEKER))
    assert GAME.clauses[breach.clause.id] is breach.clause
    assert breach.expected
