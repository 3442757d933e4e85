"""Replays: what is in them, who gets them, and that the deltas alone tell the whole match."""

import random
import re
import tracemalloc
from typing import Any

import attrs
import orjson
import pytest

from games.quidditch import messages as m
from games.quidditch import replay_files, rules
from games.quidditch.codec.frames import READER
from games.quidditch.mods import Mod
from games.quidditch.notices import Played
from games.quidditch.replay import ContainerLog, Transcript
from games.quidditch.rules import DeltaType, Snapshot
from ludothek.contract.codec import Malformed
from ludothek.contract.keeping import Claim
from tests.games.quidditch.clients import wire
from tests.games.quidditch.scene import (
    BADGERS,
    CODEC,
    HERONS,
    LEFT,
    RIGHT,
    Person,
    Scene,
    changed,
    match_config,
)
from tests.support.helpers import NOON

KEYS = [
    "lobby matchConfig leftTeamConfig rightTeamConfig leftTeamUserName rightTeamUserName",
    "spectatorUserName firstSnapshot log",
]


def play(scene: Scene, seed: int = 1) -> None:
    """Both do random legal things until the end."""
    rng = random.Random(seed)
    while scene.running:
        person, _ = scene.on_turn()
        scene.say(person, m.DeltaRequest.of(rng.choice(rules.legal_requests(scene.state))))


def played(seed: int = 1) -> tuple[Scene, Person, list[Any]]:
    """A match, somebody who watched it, and all that was told."""
    scene = Scene(seed=seed)
    watcher = scene.enter("peter", Mod.REPLAY_WITH_SNAPSHOT)
    scene.game()
    play(scene, seed)
    return scene, watcher, watcher.hears()


def payload(scene: Scene, person: Person, request: Any) -> Any:
    (replay,) = scene.say(person, request)
    frame = orjson.loads(CODEC.encode(replay))
    assert frame["payloadType"] == m.payload_type(type(replay))
    return frame["payload"]


def test_a_replay_has_all_deltas_and_the_end() -> None:
    scene, watcher, told = played()
    replay = payload(scene, watcher, m.GetReplay())
    assert set(replay) == {*" ".join(KEYS).split(), "startTimeStamp", "startTimestamp"}
    assert (replay["lobby"], replay["spectatorUserName"]) == ("hogwarts", ["peter"])
    assert (replay["leftTeamUserName"], replay["rightTeamUserName"]) == ("harry", "draco")
    assert replay["matchConfig"] == wire(match_config())
    assert (replay["leftTeamConfig"], replay["rightTeamConfig"]) == (wire(HERONS), wire(BADGERS))
    shots = [orjson.loads(each.payload) for each in told if isinstance(each, m.Snapshot)]
    assert replay["firstSnapshot"] == shots[0]
    *deltas, end = replay["log"]
    assert {entry["payloadType"] for entry in deltas} == {"deltaBroadcast"}
    assert [e["payload"] for e in deltas] == [shot["lastDeltaBroadcast"] for shot in shots[1:]]
    assert end["payloadType"] == "matchFinish"
    assert end["payload"]["winnerUserName"] == told[-1].winner_user_name
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}", end["timestamp"])


def test_a_replay_with_snapshots_has_all_that_was_told() -> None:
    scene, watcher, told = played()
    replay = payload(scene, watcher, m.GetReplayWithSnapshot())
    assert set(replay) == {*" ".join(KEYS).split(), "startTimestamp"}
    kinds = (m.MatchStart, m.Snapshot, m.Next, m.MatchFinish)
    expected = [each for each in told if isinstance(each, kinds)]
    assert [CODEC.decode(orjson.dumps(entry)) for entry in replay["log"]] == [
        CODEC.decode(CODEC.encode(each)) for each in expected
    ]
    assert isinstance(expected[0], m.MatchStart)
    assert replay["log"][0]["payloadType"] == "matchStart"


@pytest.mark.parametrize("seed", range(4))
def test_the_deltas_alone_tell_the_whole_match(seed: int) -> None:
    """«auch ohne Verwendung der folgenden Snapshots moeglich …, den aktuellen Zustand korrekt zu
    erfassen»: from the replay that a client gets, with what it saw as the proof."""
    scene, watcher, told = played(seed)
    replay = payload(scene, watcher, m.GetReplay())
    snapshot: Snapshot = READER.read("snapshot", replay["firstSnapshot"]).snapshot
    seen = [each.snapshot for each in told if isinstance(each, m.Snapshot)]
    assert len(seen) == len(replay["log"])  # the first one has no entry, the end has one
    apart = 0
    for entry, shown in zip(replay["log"][:-1], seen[1:], strict=True):
        delta = READER.read("deltaBroadcast", entry["payload"]).delta
        snapshot = rules.apply_delta(snapshot, delta)
        # While one player is on another's cell, a snapshot shows the other one where the next
        # move will put him; then both views agree again.
        apart = 0 if snapshot == shown else apart + 1
        assert apart <= 2, (delta, _difference(snapshot, shown))
    assert apart == 0


def _difference(one: Snapshot, other: Snapshot) -> list[str]:
    names = [field.name for field in attrs.fields(Snapshot)]
    return [name for name in names if getattr(one, name) != getattr(other, name)]


@pytest.mark.parametrize("seed", range(4))
def test_no_snapshot_shows_two_players_on_one_cell(seed: int) -> None:
    _, _, told = played(seed)
    for message in told:
        if isinstance(message, m.Snapshot):
            cells = [player.cell for player in message.snapshot.players if not player.banned]
            assert len(set(cells)) == len(cells)


def test_while_a_match_is_recorded_it_takes_little_memory() -> None:
    """A hundred matches at once are nothing unusual."""
    _, _, told = played(3)
    start = next(each for each in told if isinstance(each, m.MatchStart))
    tracemalloc.start()
    try:
        transcript = Transcript("hogwarts", "", start)
        for message in told:
            if isinstance(message, m.Snapshot):
                transcript.snapshot("", message)
            elif isinstance(message, m.Next):
                transcript.next("", message)
        assert tracemalloc.get_traced_memory()[0] < 200 * 1024
        record = transcript.finish("", told[-1], [])
        del transcript
        assert tracemalloc.get_traced_memory()[0] < 100 * 1024
    finally:
        tracemalloc.stop()
    assert len(record.replay_with_snapshot().content) > 1024 * 1024


def test_pictures_are_not_compressed_while_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of them would take 25 ms, at the start of each match and in the middle of all others."""
    noted: list[bytes] = []
    monkeypatch.setattr(ContainerLog, "add", lambda self, container: noted.append(container))
    picture = "A" * 100_000
    scene = Scene()
    left, right = scene.enter("harry"), scene.enter("draco")
    scene.say(left, changed(HERONS, {"image": picture}))
    scene.say(right, changed(BADGERS, {"image": picture}))
    scene.say(left, m.TeamFormation.of(LEFT))
    scene.say(right, m.TeamFormation.of(RIGHT))
    assert noted
    assert max(map(len, noted)) < 10_000


def test_both_kinds_are_saved_in_containers_under_safe_names() -> None:
    scene, _, _ = played()
    assert [save.folder for save in scene.saved] == ["replays", "replays-with-snapshots"]
    for save, name in zip(scene.saved, ("replay", "replayWithSnapshot"), strict=True):
        assert re.fullmatch(r"[\d-]{23}_hogwarts_harry_draco_[0-9a-f]{3}\.json", save.name)
        kept = orjson.loads(save.content())
        assert set(kept) == {"timestamp", "payloadType", "payload"}
        assert kept["payloadType"] == name
        assert kept["payload"]["log"][-1]["payloadType"] == "matchFinish"


def test_a_match_that_was_hardly_played_says_so_in_its_name() -> None:
    scene = Scene()
    left, _ = scene.game()
    scene.say(left, Malformed("x"))
    assert [save.name.endswith("_brief.json") for save in scene.saved] == [True] * 2
    assert not scene.notices


def test_no_replay_is_written_where_none_is_to_be_kept() -> None:
    scene = Scene(replays=0)
    left, right = scene.game()
    scene.say(left, Malformed("x"))
    assert scene.saved == []
    assert payload(scene, right, m.GetReplay())["leftTeamUserName"] == "harry"


def test_those_who_have_played_keep_their_names() -> None:
    scene = Scene()
    left, _ = scene.game()
    scene.skip_until(lambda state: state.snapshot.round == 3)
    scene.say(left, Malformed("x"))
    assert "brief" not in scene.saved[0].name
    assert scene.notices == [Played(("harry", "draco"))]


@pytest.mark.parametrize("brief", [True, False])
@pytest.mark.parametrize("hosts", [[], ["10.0.0.1"], ["10.0.0.1", "2001:db8::1"]])
@pytest.mark.parametrize("again", ["", "-2", "-100"])
def test_a_name_says_for_whom_a_replay_is_kept(hosts: list[str], again: str, brief: bool) -> None:
    places = replay_files.tags(hosts)
    assert len(places) == len(hosts)
    name = replay_files.name(NOON, "hogwarts", ("harry", "draco"), places, brief=brief)
    claim = replay_files.claim(name.replace(".json", f"{again}.json"))
    assert (claim.owners[1], claim.slight) == (["harry", "draco"], brief)
    assert set(places) <= set(claim.owners[0])


def test_a_file_that_is_no_replay_is_nobodys() -> None:
    assert replay_files.claim("notes.txt") == Claim()


def test_there_is_no_replay_before_the_first_match() -> None:
    """«falls es noch kein Spiel in dieser lobby gab wird der Client gekickt»"""
    scene = Scene()
    for number, request in enumerate((m.GetReplay(), m.GetReplayWithSnapshot())):
        person = scene.enter(f"peter{number}", Mod.REPLAY_WITH_SNAPSHOT)
        (error,) = scene.say(person, request)
        assert error.code == 254
        assert person.kicked


def test_during_a_match_there_is_the_one_before() -> None:
    """«Das getReplay bezieht sich immer auf das letzte MatchFinish»"""
    scene = Scene()
    left, right = scene.game()
    scene.say(left, Malformed("x"))
    luna = scene.enter("luna")
    scene.say(luna, HERONS)
    scene.say(right, BADGERS)
    assert payload(scene, luna, m.GetReplay())["leftTeamUserName"] == "harry"
    assert scene.running


def test_a_match_that_never_began_has_a_replay_without_snapshots() -> None:
    scene = Scene()
    left, right = scene.players()
    scene.say(left, Malformed("x"))
    replay = payload(scene, right, m.GetReplay())
    assert replay["firstSnapshot"] is None
    assert [entry["payloadType"] for entry in replay["log"]] == ["matchFinish"]
    assert replay["log"][0]["payload"]["endRound"] == 0


def test_everybody_who_has_watched_is_named() -> None:
    """«alle Spieler welche mindesten einmal das Spiel betreten haben»"""
    scene = Scene()
    scene.leave(scene.enter("early"))
    first = scene.enter("first")
    left, right = scene.game()
    scene.leave(first)
    scene.leave(scene.enter("brief"))
    scene.say(left, Malformed("x"))
    scene.enter("late")
    assert payload(scene, right, m.GetReplay())["spectatorUserName"] == ["first", "brief"]


def test_a_violation_is_a_part_of_the_replay() -> None:
    scene = Scene()
    left, right = scene.game()
    scene.say(left, Malformed("x"))
    *_, last, _end = payload(scene, right, m.GetReplay())["log"]
    assert last["payload"]["deltaType"] == DeltaType.PHASE_CHANGE
    assert last["payload"]["phase"] == "gameFinish"


def test_a_long_match_takes_little_room() -> None:
    scene, _, told = played(2)
    record = scene.table._arena.record
    assert record is not None
    raw = sum(len(each.payload) for each in told if isinstance(each, m.Snapshot))
    assert len(record.snapshots) < raw / 30
