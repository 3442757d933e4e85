"""What the web page shows of Quidditch, and that it never runs ahead of what spectators get."""

import random
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import attrs
import orjson
import pytest

from games.quidditch import bots, rules
from games.quidditch import messages as m
from games.quidditch.mods import Mod
from games.quidditch.page import PAGE
from games.quidditch.rules import (
    CELLS,
    BanReason,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Phase,
    Side,
    VictoryReason,
)
from ludothek.contract.effects import Effects, Send
from ludothek.contract.orders import Abort, Pause
from tests.games.quidditch.moments import scene as moment
from tests.games.quidditch.scene import BADGERS, HERONS, LEFT, RIGHT, Scene, animated, skip

HOSTILE = "</script>\u202e{name}\x00"
HERE, THERE = Cell(3, 4), Cell(5, 6)
CHASER, BEATER, SEEKER = Entity.LEFT_CHASER1, Entity.LEFT_BEATER1, Entity.LEFT_SEEKER
OPPONENT, ELF = Entity.RIGHT_CHASER2, Entity.RIGHT_ELF
ELF_BAN, NIP = BanReason.ELF_TELEPORTATION, BanReason.SNITCHNIP
STRONGEST = 0


class Watched(Scene):
    """A lobby, and what strangers' browsers have been told about it."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.told: list[Any] = []
        super().__init__(*args, **named)

    def _perform(self, effects: Effects) -> None:
        known = len(self.effects)
        super()._perform(effects)
        for effect in self.effects[known:]:
            if isinstance(effect, Send):
                self.told += PAGE.tell(self.table, effect.message)

    def view(self, *, everything: bool = False) -> Any:
        view = PAGE.view(self.table, everything)
        return None if view is None else orjson.loads(orjson.dumps(view.simple()))

    def still(self) -> Any:
        """The view without clocks."""
        view = self.view()
        for seat in view["players"]:
            del seat["clock"], seat["ticking"]
        return view

    def show(self, state: rules.State) -> None:
        """Put the match into another situation, which everybody has seen."""
        match = self.match
        match._state = state
        match._show(state.snapshot)
        match._conclude()

    def play(self, rng: random.Random) -> None:
        """Let a bot answer for whoever is asked."""
        person, turn = self.on_turn()
        state = self.state
        seen = rules.resume(state.fixture, state.snapshot, turn, rng)
        self.say(person, m.DeltaRequest.of(bots.choose(seen, STRONGEST, rng)))


def place(cell: Cell) -> list[int]:
    return [cell.x, cell.y]


# The position


def matches(board: Mapping[str, Any], seen: rules.Snapshot) -> None:
    """Everything is where a snapshot has it."""
    assert board["players"] == {each.entity: place(each.cell) for each in seen.players}
    for key, flag in {"banned": "banned", "knockout": "knockout", "used": "turn_used"}.items():
        assert board[key] == [each.entity for each in seen.players if getattr(each, flag)]
    for side in Side:
        fans = seen.fans_of(side)
        for key, flag in {"banned": "banned", "used": "turn_used"}.items():
            shown = board["fans"][side][key]
            assert shown == [n for n, fan in enumerate(fans) if getattr(fan, flag)]
    balls = {"bludger1": seen.bludgers[0], "bludger2": seen.bludgers[1], "quaffle": seen.quaffle}
    if seen.snitch:
        balls["snitch"] = seen.snitch
    assert board["balls"] == {name: place(cell) for name, cell in balls.items()}
    assert board["cubes"] == [*map(place, seen.cubes)]
    assert (board["holder"], board["round"]) == (seen.holder, seen.round)
    assert board["phase"] == seen.phase


@pytest.mark.parametrize("seed", range(2))
def test_everything_is_where_the_last_snapshot_has_it_and_can_be_put_into_words(seed: int) -> None:
    lobby, rng = Watched(seed=seed), random.Random(seed)
    lobby.game()
    luna = lobby.enter("luna")
    while lobby.running:
        matches(lobby.view()["board"], lobby.match.seen or pytest.fail("nothing was seen"))
        lobby.play(rng)
    (finish,) = luna.hears(m.MatchFinish)
    view = lobby.view()
    assert view["stage"] == "ended"
    assert [seat["score"] for seat in view["players"]] == [finish.left_points, finish.right_points]
    assert view["winner"] == finish.winner_user_name
    assert view["reason"] == finish.victory_reason
    assert view["board"]["phase"] == Phase.FINISH
    for event in lobby.told:
        for texts in words().values():
            assert unspoken(event, texts) == []


def test_the_one_who_is_asked_has_the_clock_and_the_last_moves_are_marked() -> None:
    lobby = Watched()
    lobby.game()
    asked = lobby.view()["board"]["asked"]
    assert asked == {"entity": lobby.state.turn.entity, "type": "move"}  # type: ignore[union-attr]
    lobby.wait(2)
    on_turn = {seat["name"]: (seat["turn"], seat["clock"]) for seat in lobby.view()["players"]}
    mine = lobby.on_turn()[0].name
    assert on_turn.pop(mine) == (True, 3.0)
    assert [*on_turn.values()] == [(False, None)]
    marks = lobby.view()["board"]["last"]
    assert [mark["type"] for mark in marks] == ["move", "move"]
    assert [mark["old"] for mark in marks] == [[8, 6], [8, 6]]
    assert [mark["new"] for mark in marks] == [*map(place, lobby.state.snapshot.bludgers)]
    person, turn = lobby.on_turn()
    lobby.say(person, skip(turn))
    assert lobby.view()["board"]["last"] == []
    assert lobby.view()["move"] == 1


def test_the_scenery_has_teams_and_pitch_but_no_pictures_and_stays_until_the_next_match() -> None:
    lobby = Watched()
    assert (PAGE.scenery(lobby.table), lobby.view()) == (None, None)
    lobby.players()
    scenery: Any = PAGE.scenery(lobby.table)
    written = orjson.dumps(scenery).decode()
    assert HERONS.image not in written
    assert len(written) < 10_000
    assert [team["name"] for team in scenery["teams"]] == [HERONS.name, BADGERS.name]
    assert scenery["teams"][0]["primary"] == f"#{HERONS.colors.primary}"
    assert scenery["teams"][1]["players"]["keeper"]["name"] == BADGERS.players.keeper.name
    assert sorted(map(tuple, scenery["pitch"]["cells"])) == sorted(CELLS)
    lobby.order(Abort())
    assert PAGE.scenery(lobby.table) == scenery
    assert lobby.view()["stage"] == "ended"
    assert lobby.view()["reason"] == "aborted"


def test_the_fans_of_the_scenery_are_those_of_snapshots() -> None:
    lobby = Watched()
    lobby.game()
    scenery: Any = PAGE.scenery(lobby.table)
    for side, team in zip(Side, scenery["teams"], strict=True):
        assert team["fans"] == [fan.kind for fan in lobby.state.snapshot.fans_of(side)]


def test_a_pause_stops_the_clocks_and_names_who_wanted_it() -> None:
    lobby = Watched()
    left, _ = lobby.game()
    lobby.say(left, m.PauseRequest("brb"))
    view = lobby.view()
    assert view["stage"] == "paused"
    assert view["board"]["pause"] == {"by": "harry", "halted": False}
    assert not any(seat["ticking"] for seat in view["players"])
    lobby.say(left, m.ContinueRequest(""))
    assert lobby.view()["board"]["pause"] is None
    lobby.order(Pause())
    assert lobby.view()["board"]["pause"] == {"by": "organiser", "halted": True}


def test_a_player_is_gone_until_he_is_back() -> None:
    lobby = Watched()
    _, right = lobby.game()
    lobby.leave(right)
    assert [seat["gone"] for seat in lobby.view()["players"]] == [False, True]
    lobby.enter("draco")
    assert [seat["gone"] for seat in lobby.view()["players"]] == [False, False]
    assert lobby.told[-1] == {"what": "back", "name": "draco"}


# What nobody may know yet


def test_the_view_never_runs_ahead_of_what_spectators_get() -> None:
    lobby, rng = Watched(animated(1000)), random.Random(1)
    lobby.game()
    luna = lobby.enter("luna")
    lobby.wait(20)
    heard: list[Any] = []
    for _ in range(60):
        if lobby.match._turn is not None:
            before = lobby.still()
            lobby.play(rng)
            sent = luna.hears()
            heard += sent
            if not sent:  # the animation is not over
                assert lobby.still() == before
        lobby.wait(0.5)
        heard += luna.hears()
        snapshots = [each for each in heard if isinstance(each, m.Snapshot)]
        board = lobby.view()["board"]
        matches(board, snapshots[-1].snapshot)
        question = heard[-1] if isinstance(heard[-1], m.Next) else None
        expected = question and {"entity": question.turn, "type": question.type}
        assert board["asked"] == expected


def test_nobody_sees_formations_before_both_teams_have_lined_up() -> None:
    lobby = Watched()
    left, right = lobby.players()
    before = lobby.still()
    assert [seat["turn"] for seat in before["players"]] == [True, True]
    lobby.say(left, m.TeamFormation.of(LEFT))
    assert lobby.still() == before
    assert lobby.view(everything=True)["board"]["players"] == {
        f"left{position.capitalize()}": place(cell) for position, cell in LEFT.items()
    }
    lobby.say(right, m.TeamFormation.of(RIGHT))
    assert len(lobby.view()["board"]["players"]) == 14


def test_nobody_sees_who_has_a_turn_later_until_the_match_is_over() -> None:
    lobby = Watched()
    lobby.game()
    board = lobby.view()["board"]
    assert not {"queue", "again"} & board.keys()
    everything = lobby.view(everything=True)["board"]
    assert everything["queue"] == [*lobby.state.queue]
    assert {key: everything[key] for key in board} == board


def test_what_is_told_to_one_client_is_not_told_to_all() -> None:
    lobby = Watched()
    lobby.game()
    lobby.told.clear()
    luna = lobby.enter("luna", Mod.CHAT)
    assert lobby.told == [{"what": "came", "name": "luna"}]
    assert len(luna.hears()) > 2  # among them the course of the match


# What happens, in words


def test_hostile_words_are_told_as_they_are() -> None:
    lobby = Watched()
    left, _ = lobby.game()
    lobby.say(left, m.PauseRequest(HOSTILE))
    assert lobby.told[-1] == {"what": "paused", "name": "harry", "text": HOSTILE}
    luna = lobby.enter("luna", Mod.CHAT)
    lobby.say(luna, m.SendChat(HOSTILE))
    assert lobby.told[-1] == {"what": "chat", "name": "luna", "text": HOSTILE}
    lobby.say(luna, m.ContinueRequest(""))
    assert lobby.told[-1] == {"what": "stays_paused", "name": "luna", "text": ""}
    lobby.say(left, m.ContinueRequest(""))
    assert lobby.told[-1] == {"what": "goes_on", "name": "harry", "text": ""}


def test_a_missed_turn_is_told_and_a_used_one_is_not() -> None:
    lobby = Watched()
    lobby.game()
    turn = ["rightSeeker", "leftChaser2"]
    lobby.show(moment("leftKeeper", knockout=["rightSeeker"], then=turn))
    lobby.told.clear()
    lobby.skip()
    assert [event["what"] for event in lobby.told] == ["skip", "turnUsed"]
    assert lobby.told[1]["who"]["name"] == BADGERS.players.seeker.name


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """The texts of words.js by language."""
    source = PAGE.files.joinpath("words.js").read_text("utf-8")
    tables = re.split(r"^  (\w+): \{$", source, flags=re.MULTILINE)[1:]
    entry = re.compile(r'^    (?:"([^"]+)"|(\w+)):\s+"((?:[^"\\]|\\.)*)",$', re.MULTILINE)
    return {
        language: {quoted or bare: text for quoted, bare, text in entry.findall(table)}
        for language, table in zip(tables[::2], tables[1::2], strict=True)
    }


def unspoken(event: Mapping[str, Any], texts: Mapping[str, str]) -> list[str]:
    """What the sentence for an event lacks: itself, or values for its holes."""
    if event["what"] not in texts:
        return [event["what"]]
    holes = re.findall(r"\{(\w+)", texts[event["what"]])
    missing = [f"{event['what']}: {hole}" for hole in holes if hole not in event]
    for value in event.values():
        if isinstance(value, Mapping):
            missing += unspoken(value, texts)
    return missing


def changes() -> Iterator[tuple[str, Delta]]:
    """At least one delta of each type, with the sentence that it gets."""
    flown: dict[str, Any] = {"old": HERE, "new": THERE}
    points: dict[str, Any] = {"left_points": 40, "right_points": 10}
    failed: dict[str, Any] = {"success": False}
    done: dict[str, Any] = {"success": True}
    kind = DeltaType
    yield "snitchCatch", Delta(kind.SNITCH_CATCH, active=SEEKER, **done, **points)
    yield "snitch_missed", Delta(kind.SNITCH_CATCH, active=SEEKER, **failed, **points)
    yield (
        "bludgerBeating",
        Delta(kind.BLUDGER_BEATING, active=BEATER, passive=Entity.BLUDGER1, **flown),
    )
    yield "quaffleThrow", Delta(kind.QUAFFLE_THROW, active=CHASER, **done, **flown)
    yield "throw_strays", Delta(kind.QUAFFLE_THROW, active=CHASER, **failed, **flown)
    thrown: dict[str, Any] = {"active": CHASER, "passive": Entity.LEFT_KEEPER, **flown}
    yield "throw_caught", Delta(kind.QUAFFLE_THROW, **done, **thrown)
    yield "throw_reaches", Delta(kind.QUAFFLE_THROW, **failed, **thrown)
    lost: dict[str, Any] = {**thrown, "passive": OPPONENT}
    yield "throw_intercepted", Delta(kind.QUAFFLE_THROW, **failed, **lost)
    niffled: dict[str, Any] = {"active": Entity.LEFT_NIFFLER, "passive": Entity.SNITCH}
    yield "snitchSnatch", Delta(kind.SNITCH_SNATCH, **niffled, **flown)
    yield "snatch_in_vain", Delta(kind.SNITCH_SNATCH, **niffled)
    roar: dict[str, Any] = {"active": Entity.LEFT_TROLL, "old": HERE}
    yield "trollRoar", Delta(kind.TROLL_ROAR, new=THERE, passive=OPPONENT, **roar)
    yield "roar_in_vain", Delta(kind.TROLL_ROAR, new=HERE, **roar)
    yield "elfTeleportation", Delta(kind.ELF_TELEPORTATION, active=ELF, passive=CHASER, **flown)
    shocked: dict[str, Any] = {"active": Entity.LEFT_GOBLIN, "passive": OPPONENT}
    yield "goblinShock", Delta(kind.GOBLIN_SHOCK, **shocked, **flown)
    for reason in BanReason:
        whom = ELF if reason in (ELF_BAN,) else CHASER
        yield "ban", Delta(kind.BAN, passive=whom, ban_reason=reason)
    hit: dict[str, Any] = {"active": Entity.BLUDGER2, "passive": OPPONENT, "old": HERE}
    yield "bludgerKnockout", Delta(kind.BLUDGER_KNOCKOUT, new=THERE, **done, **hit)
    yield "knockout_fails", Delta(kind.BLUDGER_KNOCKOUT, **failed, **hit)
    yield "move", Delta(kind.MOVE, active=CHASER, **flown)
    yield "stays", Delta(kind.MOVE, active=CHASER, old=HERE, new=HERE)
    yield "appears", Delta(kind.MOVE, active=Entity.SNITCH, new=HERE)
    yield "snitch_moves", Delta(kind.MOVE, active=Entity.SNITCH, **flown)
    yield "bludger_moves", Delta(kind.MOVE, active=Entity.BLUDGER1, **flown)
    yield "quaffle_moves", Delta(kind.MOVE, active=Entity.QUAFFLE, **flown)
    wrested: dict[str, Any] = {"active": CHASER, "passive": OPPONENT, **flown}
    yield "wrestQuaffle", Delta(kind.WREST_QUAFFLE, **done, **wrested)
    yield "wrest_fails", Delta(kind.WREST_QUAFFLE, **failed, **wrested)
    yield "foolAway", Delta(kind.FOOL_AWAY, active=Entity.QUAFFLE, passive=CHASER, **flown)
    for phase in Phase:
        yield f"phase.{phase}", Delta(kind.PHASE_CHANGE, phase=phase)
    yield "goalPointsChange", Delta(kind.GOAL_POINTS_CHANGE, **points)
    yield "roundChange", Delta(kind.ROUND_CHANGE, round=3)
    yield "skip", Delta(kind.SKIP, active=Entity.RIGHT_WOMBAT)
    yield "unban", Delta(kind.UNBAN, active=CHASER, new=HERE)
    yield "turnUsed", Delta(kind.TURN_USED, active=CHASER)
    yield "wombatPoo", Delta(kind.WOMBAT_POO, active=Entity.LEFT_WOMBAT, new=HERE)
    yield "removePoo", Delta(kind.REMOVE_POO, active=CHASER, old=HERE)
    yield "cubes_vanish", Delta(kind.REMOVE_POO)


def test_every_delta_has_a_sentence_in_every_language() -> None:
    lobby = Watched()
    lobby.game()
    snapshot = lobby.state.snapshot
    assert {delta.type for _, delta in changes()} == set(DeltaType)
    for what, delta in changes():
        (event,) = PAGE.tell(lobby.table, m.Snapshot(attrs.evolve(snapshot, delta=delta)))
        assert event["what"] == what
        for language, texts in words().items():
            assert unspoken(event, texts) == [], language


def test_all_texts_exist_in_both_languages_with_the_same_holes() -> None:
    english, german = words()["en"], words()["de"]
    assert english.keys() == german.keys()
    assert len(english) > 100
    for key, text in english.items():
        assert set(re.findall(r"\{\w+", text)) == set(re.findall(r"\{\w+", german[key])), key


def test_every_reason_to_win_has_a_text() -> None:
    assert {f"reason.{reason}" for reason in VictoryReason} <= words()["en"].keys()
