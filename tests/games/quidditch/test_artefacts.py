"""Match and team configurations: as files, and as a player sends them."""

import base64
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from games.quidditch import artefacts, teams
from games.quidditch.artefacts import BadArtefact
from games.quidditch.messages import MatchConfig, TeamConfig
from games.quidditch.settings import Settings
from ludothek.settings.fields import SettingsError, build
from tests.games.quidditch.clients import wire
from tests.games.quidditch.scene import BADGERS, CONFIG, HERONS, ROOT, changed, match_config

DATA = ROOT / "tests" / "data" / "quidditch"
MATCHES = sorted(CONFIG.glob("match-*.json"))
TEAMS = sorted(CONFIG.glob("team-*.json"))


# Files


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_shipped_matches_are_right_and_written_as_we_write_them(path: Path) -> None:
    content = path.read_bytes()
    config = artefacts.load_match(path)
    again = artefacts.write(config, datetime(2019, 5, 18, tzinfo=UTC))
    assert orjson.loads(again)["payload"] == orjson.loads(content)["payload"]
    assert orjson.loads(content)["payloadType"] == "matchConfig"


def test_a_tournament_gives_slow_readers_a_moment() -> None:
    """A known AI drops snapshots that arrive faster than it thinks."""
    timings = artefacts.load_match(CONFIG / "match-tournament.json").timings
    gaps = {
        timings.min_player_phase_animation_duration,
        timings.min_fan_phase_animation_duration,
        timings.min_ball_phase_animation_duration,
        timings.min_unban_phase_animation_duration,
    }
    assert gaps <= set(range(20, 51))


@pytest.mark.parametrize("path", TEAMS, ids=lambda path: path.stem)
def test_shipped_teams_are_right_even_for_a_strict_server(path: Path) -> None:
    config = artefacts.load_team(path)
    assert teams.objection(config, strict_image=True) is None
    again = artefacts.write(config, datetime(2019, 5, 18, tzinfo=UTC))
    assert artefacts.read(again, TeamConfig, "again") == config


def test_the_built_in_match_is_the_normal_one() -> None:
    assert artefacts.standard_match() == artefacts.load_match(CONFIG / "match-normal.json")
    assert teams.objection(artefacts.standard_team(), strict_image=True) is None


def test_files_without_a_container_and_with_unknown_fields_are_read() -> None:
    config = artefacts.load_match(DATA / "team08_matchConfig.json")
    assert (config.max_rounds, config.probabilities.throw_success) == (40, 0.6)
    team = artefacts.load_team(DATA / "team10_ki_teamConfig.json")
    assert team.name == "Die Baumfreunde"
    assert teams.objection(team) is None
    assert teams.objection(team, strict_image=True) is None  # its picture is a data URI


def test_a_file_may_begin_with_a_byte_order_mark() -> None:
    content = b"\xef\xbb\xbf" + (CONFIG / "match-quick.json").read_bytes()
    assert artefacts.read(content, MatchConfig, "x").max_rounds == 13


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"[]", "instead of an object"),
        (b"{}", "required field missing @ $.maxRounds"),
        (b'{"payloadType":"teamConfig","payload":{}}', "expected a matchConfig, not a teamConfig"),
        (b'{"payloadType":"matchConfig"}', "matchConfig"),
    ],
)
def test_what_is_no_match_file_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "match.json"
    path.write_bytes(content)
    with pytest.raises(BadArtefact, match=re.escape(words)) as caught:
        artefacts.load_match(path)
    assert str(path) in str(caught.value)


def test_numbers_as_text_are_refused_by_name() -> None:
    with pytest.raises(BadArtefact) as caught:
        artefacts.load_match(DATA / "team05_server_matchconfig.json")
    assert "expected int, not str @ $.maxRounds" in str(caught.value)
    with pytest.raises(BadArtefact, match=re.escape("$.fans.goblins")):
        artefacts.load_team(DATA / "team05_teamConfig.json")


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("max_rounds", 12, "maxRounds: must be from 13 to 100, not 12"),
        ("max_rounds", 101, "maxRounds: must be from 13 to 100"),
        ("probabilities.throw_success", 1.1, "probabilities.throwSuccess: must be from 0 to 1"),
        ("probabilities.extra_move.firebolt", -0.1, "probabilities.extraMove.firebolt"),
        ("probabilities.foul_detection.snitchnip", 2, "probabilities.foulDetection.snitchnip"),
        ("probabilities.fan_foul_detection.wombat_poo", 1.01, "fanFoulDetection.wombatPoo"),
        ("timings.player_turn_timeout", 0, "timings.playerTurnTimeout: must be from 1 to"),
        ("timings.min_fan_phase_animation_duration", -1, "minFanPhaseAnimationDuration"),
        ("timings.fan_turn_timeout", 10**12, "timings.fanTurnTimeout"),
    ],
)
def test_values_out_of_their_range_are_named(path: str, value: Any, words: str) -> None:
    with pytest.raises(BadArtefact, match=re.escape(words)):
        artefacts.check_match(changed(match_config(), {path: value}), "x")


@pytest.mark.parametrize("value", [0, 1, 0.5])
def test_both_ends_of_a_probability_are_included(value: float) -> None:
    config = match_config(probabilities__knock_out=value)
    assert artefacts.check_match(config, "x") is config


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"match": "nowhere.json"}, "match: nowhere.json: No such file"),
        ({"match": str(DATA)}, "Is a directory"),
        ({"match": "/dev/zero"}, "not a regular file"),
        ({"match": str(DATA / "team05_server_matchconfig.json")}, "$.maxRounds"),
        ({"accounts": str(CONFIG / "team-herons.json")}, "expected a directory"),
    ],
)
def test_a_bad_setting_is_refused_at_the_start(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=re.escape(words)):
        build(Settings, settings, "test")


# Teams

WRONG: list[tuple[str, Any, str]] = [
    ("name", "ab", "/payload/name: expected 3 to 40"),
    ("name", "x" * 41, "/payload/name: expected 3 to 40"),
    ("name", "Dämonen", "/payload/name: expected"),
    ("name", "Herons\n", "/payload/name: expected"),
    ("motto", "no", "motto"),
    ("motto", "<b>fly</b>", "motto"),
    ("motto", "x" * 201, "motto"),
    ("colors.primary", "F4D03F", "/payload/colors/secondary: expected another colour"),
    ("colors.primary", "c80010", "/payload/colors/primary: expected six"),
    ("colors.secondary", "12345", "/payload/colors/secondary: expected six"),
    ("colors.secondary", "12345G", "/payload/colors/secondary"),
    ("image", "A" * 400_000, "/payload/image: expected at most 360000 characters"),
    ("fans.goblins", 2, "8 fans"),
    ("fans.trolls", 0, "no troll"),
    ("fans.elves", -1, "no elf"),
    ("players.keeper.broom", "nimbus2000", "/payload/players/keeper/broom: expected a broom"),
    ("players.seeker.broom", "tinderblast", "nobody flies firebolt"),
    ("players.keeper.sex", "f", "At most four players"),
    ("players.keeper.sex", "x", "/payload/players/keeper/sex"),
    ("players.beater2.name", "Bo", "/payload/players/beater2/name"),
    ("players.beater2.name", "Fred & George", "/payload/players/beater2/name"),
]


@pytest.mark.parametrize(("path", "value", "words"), WRONG)
def test_a_team_that_breaks_a_rule_is_refused(path: str, value: Any, words: str) -> None:
    team: TeamConfig = changed(HERONS, {path: value})
    assert words in str(teams.objection(team))


def test_teams_that_keep_the_rules_are_accepted() -> None:
    assert teams.objection(HERONS) is None
    assert teams.objection(BADGERS) is None
    assert teams.objection(changed(HERONS, {"motto": "Yes: we'll win; no? Well - fly!"})) is None
    assert teams.objection(changed(HERONS, {"colors.primary": "F4D03E"})) is None


def test_without_gender_balance_everybody_may_be_a_witch() -> None:
    sexes = {f"players.{place}.sex": "f" for place in ("keeper", "chaser2", "beater1")}
    witches: TeamConfig = changed(HERONS, sexes)
    assert "At most four" in str(teams.objection(witches))
    assert teams.objection(witches, gender_balance=False) is None


def _resized(png: bytes) -> bytes:
    return png.replace((256).to_bytes(4, "big"), (255).to_bytes(4, "big"), 1)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda png: base64.b64encode(_resized(png)).decode(), "256x256"),
        (lambda png: base64.b64encode(b"GIF89a" + png).decode(), "256x256"),
        (lambda png: "?" + base64.b64encode(png).decode(), "no base64"),
        (lambda png: "awers24356", "/payload/image: "),
        (lambda png: "ä" + base64.b64encode(png).decode(), "no base64"),
    ],
)
def test_only_a_strict_server_looks_at_pictures(spoil: Callable[[bytes], str], words: str) -> None:
    team: TeamConfig = changed(HERONS, {"image": spoil(base64.b64decode(HERONS.image))})
    assert teams.objection(team) is None
    assert words in str(teams.objection(team, strict_image=True))


def test_a_real_picture_is_passed_on_as_it_came() -> None:
    team = artefacts.load_team(DATA / "team10_ki_teamConfig.json")
    assert len(team.image) > 100_000
    assert wire(team)["image"] == team.image
