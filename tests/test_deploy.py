"""What is in deploy/ fits the program."""

import configparser
import json
import re
from pathlib import Path

import click
import pytest

from ludothek import config
from ludothek.cli import cli

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def lines_of(unit: str, key: str) -> list[str]:
    text = (DEPLOY / unit).read_text()
    return re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)


def test_the_socket_unit_has_the_ports_of_the_shipped_configuration() -> None:
    ports = {int(port) for port in lines_of("platform.socket", "ListenStream")}
    assert {host.port for host in config.read(ROOT / "config" / "platform.toml").hosts} <= ports


@pytest.mark.parametrize("unit", ["platform.service", "platform@.service"])
def test_the_units_call_commands_that_exist(unit: str) -> None:
    commands = [
        line.split()[1:] for line in lines_of(unit, "Exec[A-Z][a-z]+") if "/platform" in line
    ]
    assert commands
    for name, *words in commands:
        words = [word.replace("%i", "hexxagon") for word in words if word != "$OPTIONS"]
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
        *("Description", "Conflicts", "EnvironmentFile", "ExecStart", "ExecReload"),
        *("StateDirectory", "RuntimeDirectory", "MemoryMax"),
    }


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
    for file in ("grafana-dashboard.json", "alerts.yml"):
        used = re.findall(r"ludothek_[a-z_]+", (DEPLOY / file).read_text())
        assert used
        assert {re.sub("_(bucket|sum|count)$", "", name) for name in used} <= described


def test_every_file_is_in_the_instructions() -> None:
    page = (ROOT / "docs" / "install.md").read_text()
    for file in DEPLOY.iterdir():
        assert f"`{file.name}`" in page or f"deploy/{file.name}" in page, file.name
