"""The file of a tournament: every mistake in it is named, with its line."""

import os
from pathlib import Path

import pytest

from ludothek.arena.entrant import PLACEHOLDERS, Entrant, Kind
from ludothek.arena.plan import Format, Plan, Seeding
from ludothek.arena.plan_file import PlanError, read
from ludothek.contract import registry
from ludothek.settings.fields import SettingsError

EXAMPLES = Path(__file__).parents[2] / "config" / "arena"

SMALL = """\
game = "hexxagon"
seed = 3
[[entrant]]
name = "Ada"
bot = 0
[[entrant]]
name = "Bo"
bot = "random"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.toml"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def mistakes(path: Path, text: str) -> list[str]:
    """All of them, without the file's name."""
    with pytest.raises(PlanError) as caught:
        read(written(path, text))
    return [problem.removeprefix(f"{path}:") for problem in caught.value.problems]


def test_little_is_enough(path: Path) -> None:
    plan = read(written(path, SMALL))
    assert (plan.title, plan.game, plan.format) == ("cup", "hexxagon", Format.ROUND_ROBIN)
    assert (plan.players, plan.games, plan.seed) == (2, 2, 3)
    assert plan.entrants == (
        Entrant(name="Ada", kind=Kind.BOT),
        Entrant(name="Bo", kind=Kind.BOT, difficulty=3),
    )
    assert plan.schedule().size({}) == 2


def test_bots_can_be_given_less_time_to_think(path: Path) -> None:
    ada, bo = read(written(path, SMALL.replace("bot = 0", "bot = 0\nthink_seconds = 0.1"))).entrants
    assert (ada.think_seconds, bo.think_seconds) == (0.1, 1.0)


def test_only_bots_can_be_told_how_long_to_think(path: Path) -> None:
    text = SMALL.replace("bot = 0", "remote = true\nthink_seconds = 1")
    assert mistakes(path, text) == ["6: entrant 1 (Ada): think_seconds is only for a bot"]


def test_bots_must_have_some_time_to_think(path: Path) -> None:
    (mistake,) = mistakes(path, SMALL.replace("bot = 0", "bot = 0\nthink_seconds = 0"))
    assert mistake.endswith("think_seconds: must be from 0.001 to 3600.0, not 0.0")


def test_bots_must_think_for_less_than_a_move_may_take(path: Path) -> None:
    text = SMALL.replace("bot = 0", "bot = 0\nthink_seconds = 5") + "[bounds]\nmove_seconds = 5\n"
    (mistake,) = mistakes(path, text)
    assert mistake == "6: entrant 1 (Ada): think_seconds: must be less than move_seconds, 5"


def test_a_swiss_tournament_cannot_have_too_many_games_in_all_its_rounds(path: Path) -> None:
    head = 'game = "hexxagon"\nformat = "swiss"\ngames = 400\n'
    many = "".join(f'[[entrant]]\nname = "Bot {n}"\nbot = 0\n' for n in range(1000))
    (mistake,) = mistakes(path, head + many)
    assert "2,200,000 in all" in mistake


def test_every_mistake_is_named_with_its_line(path: Path) -> None:
    text = """\
game = "hexagon"
formt = "swiss"
seed = -1
concurrency = "many"
[bounds]
memory_megabytes = 1
cpu_second = 5
[[entrant]]
name = "Ada"
command = "no-such-program {prot}"
[[entrant]]
name = "ada"
bot = 0
remote = true
[[entrant]]
bott = 1
[[entrant]]
name = "Dee"
command = "./missing.sh {host}"
folder = "."
difficulty = "hard"
[[entrant]]
name = "Eve"
command = "sh 'unclosed"
[[entrant]]
name = "Fay"
remote = true
folder = "."
"""
    assert mistakes(path, text) == [
        "1: there is no game 'hexagon'; did you mean 'hexxagon'?",
        "2: unknown setting 'formt'; did you mean 'format'?",
        "3: seed: must be from 0 to 9223372036854775807, not -1",
        "4: concurrency: expected a whole number, not 'many'",
        "6: bounds: memory_megabytes: must be from 16 to 1048576, not 1",
        "7: bounds: unknown setting 'cpu_second'; did you mean 'cpu_seconds'?",
        "10: entrant 1 (Ada): command: {prot} is unknown; did you mean 'port'?",
        "10: entrant 1 (Ada): command: there is no program 'no-such-program'",
        "14: entrant 2 (ada): expected one of command, bot and remote, not bot and remote",
        "12: entrant 2 (ada): entrant 1 has the same name",
        "16: entrant 3: unknown setting 'bott'; did you mean 'bot'?",
        "15: entrant 3: name is missing",
        "15: entrant 3: expected one of command, bot and remote, which is missing",
        "21: entrant 4 (Dee): difficulty: expected a whole number, not 'hard'",
        f"19: entrant 4 (Dee): command: there is no file {path.parent / 'missing.sh'}",
        "24: entrant 5 (Eve): command: No closing quotation",
        "28: entrant 6 (Fay): folder is only for a command",
    ]


def test_a_wrong_value_hides_no_mistake_elsewhere(path: Path) -> None:
    text = SMALL.replace("seed = 3", "seed = -3\ngames = 3\nrounds = 3\nhost = 5")
    assert [each.partition(":")[0] for each in mistakes(path, text)] == ["2", "5", "3", "4"]
    text = SMALL.replace("seed = 3", 'players = 3\nformat = "swis"\nrounds = 3')
    assert [each.partition(":")[0] for each in mistakes(path, text)] == ["3", "2"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("seed = 3", "players = 3"), "2: players: hexxagon has 2 players, not 3"),
        (
            ("seed = 3", "games = 3"),
            "2: games: must be a multiple of 2, so that everybody takes each seat as often, not 3",
        ),
        (("seed = 3", "rounds = 3"), "2: rounds is only for the format 'swiss'"),
        (("seed = 3", "[sprt]\nelo1 = 5"), "2: sprt is only for the format 'sprt'"),
        (
            ("seed = 3", 'format = "sprt"\n[sprt]\nelo0 = 30'),
            "3: sprt: elo1: must be above elo0, which is 30",
        ),
        (("seed = 3", "max_strikes = 3"), "2: max_strikes belongs in [settings]"),
        (
            ("seed = 3", "[settings]\nmax_strike = 3"),
            "3: settings: unknown setting 'max_strike'; did you mean 'max_strikes'?",
        ),
        (
            ("seed = 3", 'format = "gauntlet"\nchallenger = "Adda"'),
            "3: there is no entrant 'Adda'; did you mean 'Ada'?",
        ),
        (
            ("seed = 3", 'format = "league"'),
            "2: format: expected one of round robin, gauntlet, swiss, knockout, sprt, not 'league'",
        ),
        (('bot = "random"', "bot = 4"), None),
        (
            ('bot = "random"', 'bot = "randon"'),
            "8: entrant 2 (Bo): bot: there is no difficulty 'randon'; did you mean 'random'?",
        ),
        (
            ('bot = "random"', "remote = true"),
            "6: entrant 2 (Bo): it connects from elsewhere, so the tournament needs a port",
        ),
        (
            ('name = "Bo"', 'name = " Bo"'),
            "7: entrant 2 ( Bo): name: must be visible, without spaces around it, not ' Bo'",
        ),
        (
            ('bot = "random"', 'command = ["sh", 5]'),
            "8: entrant 2 (Bo): command: expected text, or a list of words",
        ),
        (
            ('bot = "random"', 'command = "sh"\nfolder = "x"'),
            None,
        ),
        (
            ('bot = "random"', 'bot = 2\noptions = { lobbyid = "x" }'),
            "9: entrant 2 (Bo): options: unknown option 'lobbyid'; did you mean 'lobby_id'?",
        ),
        (
            ('bot = "random"', 'remote = true\noptions = { port = "http" }'),
            "9: entrant 2 (Bo): options: port: expected a number from 1 to 65535, not 'http'",
        ),
        (
            ("seed = 3", "games = 200002"),
            "2: games: 200,002 of each pairing are 200,002 in all, which are too many; at most "
            "200,000 are possible",
        ),
        (
            ('[[entrant]]\nname = "Bo"\nbot = "random"\n', ""),
            "3: too few entrants: a game needs 2, and there are 1",
        ),
    ],
)
def test_each_kind_of_mistake(path: Path, change: tuple[str, str], expected: str | None) -> None:
    found = mistakes(path, SMALL.replace(*change))
    if expected is not None:
        assert found == [expected]
    assert len(found) == 1


def test_a_test_of_three_and_a_knockout_of_many_players_are_mistakes(path: Path) -> None:
    third = '[[entrant]]\nname = "Cy"\nbot = 1\n'
    text = SMALL.replace("seed = 3", 'format = "sprt"') + third
    assert mistakes(path, text) == ["2: sprt compares two entrants, and there are 3"]
    text = text.replace("hexxagon", "qwirkle").replace("sprt", "knockout")
    text = text.replace("\n[[", "\nplayers = 3\n[[", 1).replace('"random"', "2")
    assert mistakes(path, text) == ["2: knockout needs games of two players, not of 3"]


def test_an_unknown_list_of_tables_has_a_line_too(path: Path) -> None:
    text = SMALL + '[[entrants]]\nname = "Cy"\nbot = 1\n'
    assert mistakes(path, text) == ["9: unknown setting 'entrants'; did you mean 'entrant'?"]


def test_games_without_options_know_none(path: Path) -> None:
    text = SMALL.replace("hexxagon", "qwirkle").replace('"random"', "2\noptions = { team = 1 }")
    assert mistakes(path, text) == ["9: entrant 2 (Bo): options: unknown option 'team'"]


@pytest.mark.parametrize(
    ("format_", "ending"),
    [("round robin", "; choose fewer with the key groups"), ("gauntlet", "")],
)
def test_too_many_groups_are_a_mistake(path: Path, format_: str, ending: str) -> None:
    many = "".join(f'[[entrant]]\nname = "Bot {n}"\nbot = 1\n' for n in range(40))
    text = f'game = "roborally"\nplayers = 6\nformat = "{format_}"\n{many}'
    (mistake,) = mistakes(path, text)
    assert mistake.startswith("3: ")
    assert mistake.endswith(f" groups of 6 are too many{ending}")


def test_no_entrants_no_game_no_file(path: Path) -> None:
    with pytest.raises(PlanError) as caught:
        read(written(path, "entrant = 3"))
    assert caught.value.problems == [
        f"{path}: game is missing; known are {', '.join(registry.names())}",
        f"{path}:1: expected [[entrant]] tables, each with a name",
    ]
    with pytest.raises(SettingsError, match="No such file"):
        read(path.with_name("other.toml"))
    with pytest.raises(SettingsError, match="not TOML"):
        read(written(path, "game ="))


def test_programs_and_files_are_found_next_to_the_file(path: Path) -> None:
    folder = path.parent / "team"
    folder.mkdir()
    (folder / "play.sh").write_text("#!/bin/sh\n")
    (folder / "team.json").write_text("{}")
    text = SMALL.replace("hexxagon", "quidditch").replace(
        'bot = "random"',
        'command = "./play.sh {port} --team {team}"\nfolder = "team"\n'
        'options = { team = "team/team.json" }\nenvironment = { JAVA = 17 }',
    )
    assert mistakes(path, text) == [
        f"8: entrant 2 (Bo): command: {folder / 'play.sh'} cannot be executed"
    ]
    (folder / "play.sh").chmod(0o755)
    entrant = read(written(path, text)).entrants[1]
    assert entrant.command == ("./play.sh", "{port}", "--team", "{team}")
    assert entrant.folder == str(folder)
    assert entrant.options == {"team": str(folder / "team.json")}
    assert entrant.environment == {"JAVA": "17"}


def test_a_file_that_a_game_wants_of_a_player_must_be_there(path: Path) -> None:
    text = SMALL.replace("hexxagon", "quidditch") + 'options = { team = "nowhere.json" }\n'
    assert mistakes(path, text) == [
        f"9: entrant 2 (Bo): options: team: there is no file {path.parent / 'nowhere.json'}"
    ]


def test_the_same_words_are_known_for_all_games_and_no_others(path: Path) -> None:
    known = " ".join(f"{{{word}}}" for word in (*PLACEHOLDERS, "lobby_id"))
    good = SMALL.replace('bot = "random"', f'command = "sh {known}"')
    read(written(path, good))
    (mistake,) = mistakes(path, good.replace("{lobby_id}", "{room}"))
    assert mistake.startswith("8: entrant 2 (Bo): command: {room} is unknown")


def test_settings_that_name_files_are_relative_to_the_file(path: Path) -> None:
    source = EXAMPLES.parent / "qwirkle" / "tournament.json"
    (path.parent / "own.json").write_text(source.read_text())
    text = SMALL.replace("hexxagon", "qwirkle").replace(
        "seed = 3", '[settings]\nconfiguration = "own.json"'
    )
    assert read(written(path, text)).settings == {"configuration": str(path.parent / "own.json")}
    missing = path.parent / "other.json"
    assert mistakes(path, text.replace("own", "./other")) == [
        f"2: settings: {missing}: No such file or directory"
    ]


def test_games_of_the_command_line_take_precedence(path: Path) -> None:
    assert read(written(path, SMALL), games=8).games == 8
    with pytest.raises(PlanError, match="multiple of 2"):
        read(path, games=7)


def test_what_may_change_between_two_runs(path: Path) -> None:
    plan = read(written(path, SMALL))
    for same in ("seed = 3\ngames = 10", 'seed = 3\ntitle = "Cup"', "seed = 3\nconcurrency = 4"):
        assert read(written(path, SMALL.replace("seed = 3", same))).digest == plan.digest
    for other in ("seed = 4", "seed = 3\n[bounds]\nprocesses = 9", 'seed = 3\nformat = "gauntlet"'):
        assert read(written(path, SMALL.replace("seed = 3", other))).digest != plan.digest
    swiss = read(written(path, SMALL.replace("seed = 3", 'format = "swiss"')))
    more = read(path, games=4)
    assert swiss.digest != more.digest


def test_a_plan_can_be_written_and_read(path: Path) -> None:
    for example in examples():
        plan = read(example)
        assert Plan.from_json(plan.to_json()) == plan
        assert Plan.from_json(plan.to_json()).digest == plan.digest


def examples() -> list[Path]:
    return sorted(EXAMPLES.glob("*.toml"))


@pytest.fixture(autouse=True)
def _platform_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where the examples find the program."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "platform").write_text("#!/bin/sh\n")
    (programs / "platform").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")


@pytest.mark.parametrize("example", examples(), ids=lambda path: path.stem)
def test_examples_are_right(example: Path) -> None:
    plan = read(example)
    assert plan.game == example.stem.partition("-")[0]
    assert plan.schedule().size({}) >= 4


def test_there_are_two_examples_for_each_game_and_all_formats() -> None:
    plans = [read(example) for example in examples()]
    for name in registry.names():
        assert sum(plan.game == name for plan in plans) >= 2
    assert {plan.format for plan in plans} == {*Format}
    assert {entrant.kind for plan in plans for entrant in plan.entrants} == {*Kind}


def test_lots_decide_about_a_knockout_if_asked_for(path: Path) -> None:
    third = '[[entrant]]\nname = "Cy"\nbot = 1\n'
    text = SMALL.replace("seed = 3", 'format = "knockout"') + third
    fixed = read(written(path, text))
    assert fixed.seeding is Seeding.FILE
    assert {f.seats for f in fixed.schedule().fixtures({})} == {(1, 2), (2, 1)}
    drawn = {
        frozenset(next(read(path).schedule().fixtures({})).seats)
        for seed in range(12)
        if written(path, text.replace("[[", f'seeding = "draw"\nseed = {seed}\n[[', 1))
    }
    assert len(drawn) == 3
