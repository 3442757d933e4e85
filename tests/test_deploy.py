"""What is in deploy/ fits the program."""

import configparser
import json
import re
import shutil
import subprocess
from pathlib import Path

import click
import pytest

from ludothek.cli.commands import cli
from ludothek.daemon.guarded import AGAIN
from ludothek.daemon.signals import RESTART
from ludothek.settings import config_file as config

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def lines_of(unit: str, key: str) -> list[str]:
    text = (DEPLOY / unit).read_text()
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def test_the_socket_unit_has_the_ports_of_the_shipped_configuration() -> None:
    ports = {int(port) for port in lines_of("platform.socket", "ListenStream")}
    assert {host.port for host in config.read(ROOT / "config" / "platform.toml").hosts} <= ports


def test_no_outgoing_connection_takes_a_port_of_a_game_or_of_nginx() -> None:
    (reserved,) = re.findall(
        "^net.ipv4.ip_local_reserved_ports = (.*)$",
        (DEPLOY / "ludothek.sysctl").read_text(),
        re.MULTILINE,
    )
    ephemeral = range(32768, 61000)  # unless somebody has told Linux otherwise
    ports = {host.port for host in config.read(ROOT / "config" / "platform.toml").hosts}
    nginx = (DEPLOY / "nginx" / "ludothek-stream.conf").read_text()
    ports |= {int(port) for port in re.findall(r"listen (\d+) ssl", nginx)}
    assert {port for port in ports if port in ephemeral} == {*map(int, reserved.split(","))}


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_the_units_call_commands_that_exist(unit: str) -> None:
    commands = [
        line.split()[1:] for line in lines_of(unit, "Exec[A-Z][a-z]+") if "/platform" in line
    ]
    assert commands
    for name, *words in commands:
        words = [word.replace("%i", "hexxagon") for word in words]
        # Raises UsageError for whatever the program does not know.
        cli.commands[name].make_context(name, words, parent=click.Context(cli))


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_a_polite_end_fits_into_the_time_that_systemd_grants(unit: str) -> None:
    (seconds,) = lines_of(unit, "TimeoutStopSec")
    assert float(seconds) > 2 * config.Daemon().grace_seconds
    (signs_of_life,) = lines_of(unit, "WatchdogSec")
    assert float(signs_of_life) >= 10


def test_the_template_differs_only_where_it_has_to() -> None:
    one, each = (
        {line for line in (DEPLOY / unit).read_text().splitlines() if line and line[0] != "#"}
        for unit in ("platform.service", "platform@.service")
    )
    keys = {line.partition("=")[0] for line in one ^ each}
    assert keys == {
        *("Description", "Conflicts", "After", "ExecStart", "ExecReload"),
        *("StateDirectory", "RuntimeDirectory", "MemoryMax"),
    }


def test_whoever_is_kept_out_by_a_service_is_kept_out_by_its_sockets_too() -> None:
    for key in ("IPAddressDeny", "IPAddressAllow"):
        (wanted,) = lines_of("platform.service", key)
        assert lines_of("platform.socket", key) == [wanted]


def test_one_process_and_a_process_for_each_game_do_not_meet() -> None:
    rivals = lines_of("platform@.service", "Conflicts")
    assert rivals == ["platform.service platform.socket"]
    assert rivals[0] in lines_of("platform@.service", "After")


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_a_reload_checks_the_file_that_the_daemon_reads(unit: str) -> None:
    (start,) = lines_of(unit, "ExecStart")
    check, hang_up = lines_of(unit, "ExecReload")
    file = start.partition("--config ")[2].split()[0]
    assert check.endswith(f"platform check-config {file}")
    assert hang_up == "/bin/kill -HUP $MAINPID"


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_a_service_is_never_given_up(unit: str) -> None:
    assert lines_of(unit, "StartLimitIntervalSec") == ["0"]
    assert lines_of(unit, "Restart") == ["on-failure"]


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_systemd_holds_the_sockets_of_as_many_clients_as_may_come(unit: str) -> None:
    (held,) = lines_of(unit, "FileDescriptorStoreMax")
    hosts = config.read(ROOT / "config" / "platform.toml").hosts
    listeners = 2 * len(hosts)  # one for each IP version
    assert int(held) >= max(host.limits.max_connections for host in hosts) + listeners
    assert f"FDSTORE={held}" in lines_of(unit, "Environment")
    (most,) = lines_of(unit, "LimitNOFILE")
    assert int(most) > 2 * int(held)  # inherited ones, and new ones


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_a_restart_is_no_stop(unit: str) -> None:
    (start,) = lines_of(unit, "ExecStart")
    assert " run --durable " in start
    assert lines_of(unit, "RestartKillSignal") == [RESTART.name]
    for key in ("SuccessExitStatus", "RestartForceExitStatus"):
        assert lines_of(unit, key) == [str(AGAIN)]
    assert lines_of(unit, "RestartSec") == ["0"]
    assert lines_of(unit, "RuntimeDirectoryPreserve") == ["restart"]


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_the_journal_gets_the_log_and_knows_what_is_urgent(unit: str) -> None:
    assert lines_of(unit, "StandardOutput") == ["null"]  # which has text that is no JSON
    assert lines_of(unit, "StandardError") == ["journal"]
    assert lines_of(unit, "SyslogLevel") == ["err"]  # for what does not come from the log
    (start,) = lines_of(unit, "ExecStart")
    assert start.endswith("--log-format json")


def test_what_root_removes_is_not_named_by_the_daemon() -> None:
    """It could lead root elsewhere by a symbolic link, if a * stood for something of its own."""
    text = (DEPLOY / "ludothek.tmpfiles").read_text()
    paths = re.findall(r"^e (\S+) ", text, re.MULTILINE)
    assert paths
    for path in paths:
        assert re.fullmatch(r"/var/lib/ludothek(/\*)?/\w+", path)


def test_the_journal_and_the_dashboard_can_be_read() -> None:
    journal = configparser.ConfigParser()
    journal.read(DEPLOY / "journald.conf")
    assert "SystemMaxUse" in journal["Journal"]
    board = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert all("ludothek_" in text or "process_" in text for text in expressions)
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places)


def test_dashboard_and_alerts_name_numbers_that_are_described() -> None:
    described = set(re.findall(r"`(ludothek_\w+)`", (ROOT / "docs" / "watching.md").read_text()))
    for file in ("grafana-dashboard.json", "prometheus/ludothek-alerts.yml"):
        used = re.findall(r"ludothek_[a-z_]+", (DEPLOY / file).read_text())
        assert used
        assert {re.sub("_(bucket|sum|count)$", "", name) for name in used} <= described


def test_restarts_and_lost_lines_raise_an_alarm() -> None:
    alerts = (DEPLOY / "prometheus" / "ludothek-alerts.yml").read_text()
    for number in ("process_start_time_seconds", "ludothek_log_lines_lost_total"):
        assert number in alerts


# The instructions

PAGE = (ROOT / "docs" / "install.md").read_text()


def commands() -> list[str]:
    """All lines of the instructions that somebody types."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [line.strip() for block in blocks for line in block.splitlines()]


def test_every_file_is_in_the_instructions() -> None:
    for file in DEPLOY.rglob("*"):
        if file.is_file():
            name = str(file.relative_to(DEPLOY))
            assert f"`{name}`" in PAGE or f"deploy/{name}" in PAGE, name


def test_the_instructions_name_files_that_exist() -> None:
    names = re.findall(r"\b(?:deploy|config)/[\w./@-]*\w", "\n".join(commands()))
    assert len(names) > 10
    for name in names:
        assert (ROOT / name).exists(), name


def test_directories_that_a_clean_system_lacks_are_made() -> None:
    for command in commands():
        if command.startswith("install") and re.search(r"/etc/\w+\.d/", command):
            assert " -D " in command


def test_sockets_and_service_both_stop_before_either_starts() -> None:
    """With one command for both, a client that connects can start the service in between."""
    assert not re.search(r"restart platform\.socket", PAGE)
    starts = [n for n, line in enumerate(commands()) if line.startswith("systemctl start")]
    assert starts
    for n in starts:
        assert commands()[n] == "systemctl start platform.socket platform.service"
        before = commands()[:n]
        assert "systemctl stop platform.socket platform.service" in before[-4:]


def test_commands_of_a_table_can_be_copied() -> None:
    for row in re.findall(r"^\|.*\|$", PAGE, re.MULTILINE):
        assert "\\" not in row  # a | in a cell has to be escaped, and nobody types it so


def test_commands_of_the_program_exist() -> None:
    inline = re.findall(r"`(platform [^`]*)`", PAGE)
    for command in (*commands(), *inline):
        call = re.search(r"(?:^|/bin/|ludothek )platform ((?:ctl )?[a-z][a-z-]+)", command)
        if call:
            group, *rest = call[1].split()
            found = cli.commands[group]
            if isinstance(found, click.Group) and rest:
                assert rest[0] in found.commands, command


# The files that are parts of others


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool")
def test_prometheus_takes_its_files(tmp_path: Path) -> None:
    for file in (DEPLOY / "prometheus").iterdir():
        shutil.copy(file, tmp_path)
    jobs = (tmp_path / "ludothek.yml").read_text()
    (tmp_path / "prometheus.yml").write_text(f"rule_files:\n  - ludothek-alerts.yml\n{jobs}")
    done = subprocess.run(
        ["promtool", "check", "config", str(tmp_path / "prometheus.yml")],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "rule files found" in done.stdout
