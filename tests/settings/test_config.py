"""Configuration files: what they may say, and what is said of those with mistakes."""

import json
import os
from pathlib import Path

import attrs
import pytest

from games.roborally.courses import game_map, load
from ludothek.contract import registry as games
from ludothek.contract.situation import Situations
from ludothek.settings import config_file as config
from ludothek.settings import toml_file
from ludothek.settings.faults import Faults
from ludothek.settings.fields import SettingsError
from ludothek.settings.overrides import read_assignments

ROOT = Path(__file__).parents[2]

HEXXAGON = "[[host]]\ngame = 'hexxagon'\n"

CONFIG = """
grace_seconds = 2

[[host]]
game = "hexxagon"
host = "*"
port = 4445
settings = { max_strikes = 3, stuck = "end" }

[[host]]
game = "hexxagon"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "platform.toml"


def test_a_file_describes_the_daemon(path: Path) -> None:
    path.write_text(CONFIG)
    found = config.read(path)
    assert found.daemon.grace_seconds == 2
    first, second = found.hosts
    assert (first.game.name, first.host, first.port) == ("hexxagon", "*", 4445)
    assert (first.settings.max_strikes, first.settings.stuck.value) == (3, "end")
    assert (second.host, second.port, second.settings.max_strikes) == ("127.0.0.1", 4444, 10)


def test_an_editor_may_mark_the_file_as_utf_8(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + HEXXAGON.encode())
    assert len(config.read(path).hosts) == 1


LIMITS = f"""
[limits]
max_connections = 7
frame_seconds = 3

{HEXXAGON}
[host.limits]
frame_seconds = 4

[[host]]
game = "qwirkle"
"""


def test_limits_hold_for_all_hosts_but_for_those_with_their_own(path: Path) -> None:
    path.write_text(LIMITS)
    one, two = (host.limits for host in config.read(path).hosts)
    assert (one.max_connections, one.frame_seconds) == (7, 4)
    assert (two.max_connections, two.frame_seconds) == (7, 3)
    assert (one.max_lobbies, two.max_lobbies) == (2000, 2000)


def test_a_game_may_need_other_limits_unless_the_operator_sets_them(path: Path) -> None:
    for text, seconds in (("", 600), ("[limits]\nfirst_message_seconds = 20\n", 20)):
        path.write_text(text + HEXXAGON)
        assert config.read(path).hosts[0].limits.first_message_seconds == seconds


def test_limits_on_the_command_line_are_for_all_games() -> None:
    assignments = ["limits.max_lobbies=5", "hexxagon.max_strikes=3", "limits.exempt=[]"]
    found = read_assignments(assignments, ["hexxagon", "qwirkle"])
    host = config.make_host("qwirkle", "--set", found["qwirkle"], limits=found["limits"])
    assert (host.limits.max_lobbies, host.limits.exempt) == (5, [])
    alone = read_assignments(assignments[:1], ["hexxagon"])
    assert list(alone["limits"]) == ["max_lobbies"]
    with pytest.raises(SettingsError, match="--set limits: unknown setting 'max_lobby'; did you"):
        config.make_host("hexxagon", "--set", {}, limits={"max_lobby": 1})


NO_HOST = ": expected at least one [[host]] with a game"

MISTAKES = [
    # No hosts
    ("", NO_HOST),
    ("# nothing\n", NO_HOST),
    ("host = 5", ":1: expected at least one [[host]] with a game"),
    ("host = [1]", ":1: expected at least one [[host]] with a game"),
    ("host = []", ":1: expected at least one [[host]] with a game"),
    ("[host]\ngame = 'hexxagon'", ":1: expected at least one [[host]] with a game"),
    # Not TOML
    ("x = 1\ngrace = [", ": not TOML: Invalid value (at end of document)"),
    ("x = 1\ngrace 5", ": not TOML: Expected '=' after a key in a key/value pair (at line 2,"),
    ("x = 1\nx = 2\n", ": not TOML: Cannot overwrite a value (at line 2, column 6)"),
    (b"x = 1\ny = '\xff'", ": not TOML: byte 0xff in line 2 is not UTF-8"),
    ("x = 1".encode("utf-16"), ": not TOML: byte 0xff in line 1 is not UTF-8"),
    (b"\0", ": not TOML: Invalid statement (at line 1, column 1)"),
    ("x = " + "[" * 5000, ": not TOML that makes sense: nested too deeply"),
    ("x = " + "9" * 5000, ": not TOML: Exceeds the limit"),
    # The whole daemon
    (f"grace = 5\n{HEXXAGON}", ":1: unknown setting 'grace'; did you mean 'grace_seconds'?"),
    (f"\ngrace_seconds = -1\n{HEXXAGON}", ":2: grace_seconds: must be at least 0, not -1.0"),
    (f"grace_seconds = nan\n{HEXXAGON}", ":1: grace_seconds: must be at least 0, not nan"),
    (f"grace_seconds = 'x'\n{HEXXAGON}", ":1: grace_seconds: expected a number, not 'x'"),
    (f"{HEXXAGON}[zzz]\n", ":3: unknown setting 'zzz'; known are control_group"),
    (f"{HEXXAGON}[limit]\n", ":3: unknown setting 'limit'; did you mean 'limits'?"),
    (
        f"metrics_port = 4444\n{HEXXAGON}",
        ":1: metrics_port: port 4444 of 127.0.0.1 is taken by hexxagon on 127.0.0.1 port 4444",
    ),
    # Hosts
    ("[[host]]\ngame = 'hexagon'", ":2: host 1: there is no game 'hexagon'; did you mean 'hexx"),
    ("[[host]]\nport = 1", ":1: host 1: game is missing; known are hexxagon,"),
    ("[[host]]\ngame = 5", ":2: host 1: game: expected text, not 5"),
    (f"{HEXXAGON}port = 70000", ":3: host 1 (hexxagon): port: must be from 0 to 65535, not 70000"),
    (f"{HEXXAGON}port = -1", ":3: host 1 (hexxagon): port: must be from 0 to 65535, not -1"),
    (f"{HEXXAGON}port = '80'", ":3: host 1 (hexxagon): port: expected a whole number, not '80'"),
    (f"{HEXXAGON}host = ''", ":3: host 1 (hexxagon): host: must be a name, an address, or *"),
    (f"{HEXXAGON}host = 5", ":3: host 1 (hexxagon): host: expected text, not 5"),
    (f"{HEXXAGON}prot = 1", ":3: host 1 (hexxagon): unknown setting 'prot'; did you mean 'port'?"),
    (f"{HEXXAGON}settings = 1", ":3: host 1 (hexxagon): settings: expected a table, not 1"),
    (f"{HEXXAGON}stuck = 'end'", ":3: host 1 (hexxagon): stuck belongs in [host.settings]"),
    # Settings of games
    (
        f"{HEXXAGON}[host.settings]\nmax_strikes = '3'",
        ":4: host 1 (hexxagon): settings: max_strikes: expected a whole number, not '3'",
    ),
    (
        f"{HEXXAGON}\n{HEXXAGON}port = 1\n[host.settings]\n\nmax_strike = 3",
        ":9: host 2 (hexxagon): settings: unknown setting 'max_strike'; did you mean 'max_strikes'",
    ),
    (
        f"{HEXXAGON}settings = {{ stuck = 'wait' }}",
        ":3: host 1 (hexxagon): settings: stuck: expected one of pass, end, fill, not 'wait'",
    ),
    (
        "[[host]]\ngame = 'roborally'\nsettings.max_players = 2\nsettings.min_players = 3",
        ":4: host 1 (roborally): settings: min_players: must not be more than max_players",
    ),
    (
        "[[host]]\ngame = 'penguins'\nsettings.hard_seconds = 5\nsettings.soft_seconds = 6",
        ":4: host 1 (penguins): settings: soft_seconds: must be at most hard_seconds, which is 5.0",
    ),
    (
        "[[host]]\ngame = 'penguins'\nsettings.hard_seconds = 1",
        ":3: host 1 (penguins): settings: hard_seconds: must be at least soft_seconds, which is 2",
    ),
    (
        "[[host]]\ngame = 'qwirkle'\n[host.settings]\nconfiguration = '/nowhere.json'",
        ": host 1 (qwirkle): settings: /nowhere.json: No such file or directory",
    ),
    # Limits
    (f"{HEXXAGON}[limits]\nidle = 5", ":4: limits: unknown setting 'idle'; did you mean 'idle_se"),
    (f"{HEXXAGON}[limits]\n\nexempt = 'x'", ":5: limits: exempt: expected a list of texts, not"),
    (f"{HEXXAGON}[limits]\nexempt = [5]", ":4: limits: exempt: must be networks like '134.60"),
    (f"{HEXXAGON}[limits]\nexempt = ['10.0.0.5/8']", "(10.0.0.5/8 has host bits set), not"),
    (f"limits = 5\n{HEXXAGON}", ":1: limits: expected a table"),
    (
        f"{HEXXAGON}[host.limits]\nmax_lobbies = 0",
        ":4: host 1 (hexxagon): limits: max_lobbies: must be at least 1, not 0",
    ),
    (f"{HEXXAGON}limits = 5", ":3: host 1 (hexxagon): limits: expected a table, not 5"),
    # A text that looks like a key
    (
        f'{HEXXAGON}[host.settings]\nname = """\nmax_strikes = 1\n"""\nmax_strikes = 0',
        ":7: host 1 (hexxagon): settings: max_strikes: must be from 1 to",
    ),
]


@pytest.mark.parametrize(("content", "error"), MISTAKES)
def test_a_mistake_is_named_with_its_place_and_what_would_be_right(
    path: Path, content: str | bytes, error: str
) -> None:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SettingsError) as caught:
        config.read(path)
    problems = getattr(caught.value, "problems", [str(caught.value)])
    assert error in problems[-1]
    assert all(problem.startswith(str(path)) and "\n" not in problem for problem in problems)


def test_all_mistakes_are_found_at_once(path: Path) -> None:
    path.write_text(f"grace = 5\n{HEXXAGON}port = -1\n[host.settings]\nstuck = 'x'\nstick = 1")
    with pytest.raises(config.ConfigError) as caught:
        config.read(path)
    lines = [int(problem.split(":")[1]) for problem in caught.value.problems]
    assert lines == [1, 4, 6, 7]
    assert str(caught.value) == f"{caught.value.problems[0]} (3 more: platform check-config)"


@pytest.mark.parametrize(
    ("one", "two", "clash"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.1", "127.0.0.2", False),
        ("*", "127.0.0.1", True),
        ("::1", "*", True),
        ("0.0.0.0", "127.0.0.1", True),
        ("::", "::1", True),
        ("::", "127.0.0.1", False),
        ("0.0.0.0", "::", False),
        ("lab", "lab", True),
        ("lab", "127.0.0.1", False),  # nobody can know without asking; opening it will tell
    ],
)
def test_two_hosts_cannot_have_one_address(path: Path, one: str, two: str, clash: bool) -> None:
    hosts = [f"{HEXXAGON}port = 1\nhost = '{host}'\n" for host in (one, two)]
    path.write_text("".join(hosts))
    if not clash:
        assert len(config.read(path).hosts) == 2
        return
    with pytest.raises(SettingsError) as caught:
        config.read(path)
    assert str(caught.value) == (
        f"{path}:7: host 2 (hexxagon): port 1 of {two} is taken "
        f"by host 1 (hexxagon on {one} port 1)"
    )


def test_free_ports_never_clash(path: Path) -> None:
    path.write_text(f"{HEXXAGON}port = 0\n{HEXXAGON}port = 0\n")
    assert len(config.read(path).hosts) == 2


def test_what_is_no_readable_file_is_said(path: Path) -> None:
    for what, error in ((path, "No such file or directory"), (path.parent, "Is a directory")):
        with pytest.raises(SettingsError, match=f"^{what}: {error}$"):
            config.read(what)
    os.mkfifo(path)  # which nobody writes to
    with pytest.raises(SettingsError, match="not a regular file"):
        config.read(path)


def test_a_huge_file_is_not_read(path: Path) -> None:
    path.write_bytes(b"#" * (toml_file.MAX_BYTES + 1))
    with pytest.raises(SettingsError, match="longer than"):
        config.read(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_said(path: Path) -> None:
    path.write_text(HEXXAGON)
    path.chmod(0)
    with pytest.raises(SettingsError, match="Permission denied"):
        config.read(path)


NAMED_FILES = [
    ("quidditch", "match", (ROOT / "config" / "quidditch" / "match-normal.json").read_text()),
    ("qwirkle", "configuration", '{"turnTime": 5000}'),
    ("roborally", "course", json.dumps({"gameMap": game_map(load("DizzyHighway"))})),
]


@pytest.mark.parametrize(("game", "key", "content"), NAMED_FILES)
def test_other_contents_of_a_named_file_are_other_settings(
    path: Path, tmp_path: Path, game: str, key: str, content: str
) -> None:
    named = tmp_path / "game.json"
    named.write_text(content)
    path.write_text(f"[[host]]\ngame = '{game}'\n[host.settings]\n{key} = '{named}'")
    before = config.read(path).hosts
    assert config.read(path).hosts == before
    named.write_text(f"{content}\n")
    assert config.read(path).hosts != before


def test_text_that_names_no_file_is_not_looked_at(path: Path, tmp_path: Path) -> None:
    accounts = tmp_path / "accounts"
    accounts.mkdir()
    path.write_text(f"[[host]]\ngame = 'quidditch'\n[host.settings]\naccounts = '{accounts}'")
    before = config.read(path).hosts
    (accounts / "somebody.json").touch()  # a directory looks different with each new file
    assert config.read(path).hosts == before


def test_a_host_may_have_a_port_with_faults(path: Path) -> None:
    path.write_text(f"{HEXXAGON}[host.faults]\nport = 4445\ncut = 1\n[[host]]\ngame='qwirkle'")
    one, two = (host.faults for host in config.read(path).hosts)
    assert (one.port, one.cut, one.disconnect) == (4445, 1.0, 0.0)
    assert two.port is None


@pytest.mark.parametrize(
    ("faults", "problem"),
    [
        ("cut = 1", "host 1 (hexxagon): faults: port is missing"),
        ("port = 4444", "host 1 (hexxagon): faults: port 4444 of 127.0.0.1 is taken by host 1"),
        ("port = 4445\ncut = 1.5", ":5: host 1 (hexxagon): faults: cut: must be from 0 to 1"),
        ("port = 4445\nmerg = 1", "did you mean 'merge'?"),
        ("port = 4445\n[[host]]\ngame = 'qwirkle'\nport = 4445", "is taken by host 2 (qwirkle"),
        (
            "port = 1\n[[host]]\ngame = 'qwirkle'\n[host.faults]\nport = 1",
            "host 2 (qwirkle): faults: port 1 of 127.0.0.1 is taken by the faults of host 1",
        ),
    ],
)
def test_what_is_wrong_with_faults_is_told(path: Path, faults: str, problem: str) -> None:
    path.write_text(f"{HEXXAGON}[host.faults]\n{faults}\n")
    with pytest.raises(config.ConfigError) as error:
        config.read(path)
    (told,) = error.value.problems
    assert problem in told


def test_no_client_meets_fields_that_its_protocol_cannot_have() -> None:
    game = games.load("hexxagon")
    strict = attrs.evolve(game, situations=Situations(absent={"unknown-fields": "it is binary"}))
    assert Faults(unknown_fields=0.5).problem_with(game) is None
    assert Faults().problem_with(strict) is None
    problem = Faults(unknown_fields=0.5).problem_with(strict)
    assert problem == "unknown_fields: hexxagon cannot have them: it is binary"
