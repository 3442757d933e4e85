"""platform ctl coverage as a lecturer reads it."""

import csv
from pathlib import Path

import pytest
import trio
from click.testing import CliRunner, Result

from ludothek.cli.commands import cli
from tests.support.organiser_console import Organiser, open_client, open_control

HOSTILE = "=cmd(); =1+1;@x;\uff1dy"
HARMLESS = "'=cmd();' =1+1;'@x;'\uff1dy"


async def _ctl(organiser: Organiser, *words: str) -> Result:
    words = ("ctl", "coverage", *words, "--control", str(organiser.path))
    return await trio.to_thread.run_sync(CliRunner().invoke, cli, words)


async def test_a_table_shows_who_has_never_sent_what(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as ann:
        _, lobby = await organiser.lobby()
        await ann.join(lobby, "Ann")
        said = await _ctl(organiser, "--game", "hexxagon")
    assert said.exit_code == 0, said.output
    lines = [" ".join(line.split()) for line in said.output.splitlines()]
    assert "message JoinLobby 1 1 used" in lines
    assert "message GameMove 0 0 never used" in lines
    (row,) = [line for line in lines if line.startswith("Ann ")]
    assert "GameMove" in row
    assert "JoinLobby" not in row


async def test_csv_has_a_line_for_each_client_and_item_and_no_formulas(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser, open_client(organiser.hexxagon) as client:
        _, lobby = await organiser.lobby()
        await client.join(lobby, HOSTILE)
        said = await _ctl(organiser, "--csv")
    assert said.exit_code == 0, said.output
    rows = list(csv.DictReader(said.output.splitlines()))
    assert {row["client"] for row in rows} == {HARMLESS}
    counts = {(row["kind"], row["item"]): (row["count"], row["status"]) for row in rows}
    assert len(counts) == len(rows)
    assert counts["message", "JoinLobby"] == ("1", "used")
    assert counts["message", "GameMove"] == ("0", "never used")


@pytest.mark.parametrize(
    ("words", "code"), [(("--csv", "--json"), 2), (("--game", "chess"), 1), (("--json",), 0)]
)
async def test_exit_codes(tmp_path: Path, words: tuple[str, ...], code: int) -> None:
    async with open_control(tmp_path) as organiser:
        assert (await _ctl(organiser, *words)).exit_code == code
