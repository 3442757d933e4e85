"""platform matches: ended matches that have a record."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import click

from ludothek.cli.console import table
from ludothek.cli.state_option import state_option
from ludothek.contract.names import printable, skeleton
from ludothek.observe import terminal_json
from ludothek.runtime.record import BadRecord, about_record
from ludothek.storage.match_files import FOLDER, newest_first, word_for, word_of

COLUMNS = ("time", "game", "lobby", "players", "winner", "reason", "moves", "seconds", "record")

# The part of a file's name that says when the match ended; hardly ever do two end at once.
_STAMP = 22


@click.command()
@click.option("--game", metavar="GAME", help="Only matches of this game.")
@click.option(
    "--player", metavar="NAME", help="Only matches in which somebody of this name played."
)
@click.option("--last", type=click.IntRange(1), metavar="N", help="Only the newest N of them.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@state_option
def matches(
    game: str | None, player: str | None, last: int | None, as_json: bool, state: Path
) -> None:
    """List ended matches, the newest first; `platform replay` repeats them.

    The last column is the beginning of the name of a file under matches/ in the state directory.
    """
    bad: list[str] = []
    wanted = (about for about in _read(state, game, bad) if player is None or _has(about, player))
    found = [*islice(wanted, last)]
    if as_json:
        click.echo(terminal_json.dumps(found))
    else:
        for line in table(COLUMNS, _rows(found)):
            click.echo(line)
    if bad:
        more = f", and {len(bad) - 1} more" if len(bad) > 1 else ""
        click.echo(printable(f"skipped what is no record: {bad[0]}{more}"), err=True)
    elif not found:
        click.echo(printable(f"no such matches in {state / FOLDER}"), err=True)


def _read(state: Path, game: str | None, bad: list[str]) -> Iterator[Mapping[str, Any]]:
    for path in newest_first(state):
        if game is not None and word_of(path.name) != word_for(game):
            continue
        try:
            with path.open("rb") as file:
                about = _checked(about_record(file))
        except FileNotFoundError:  # a daemon has just removed it to make room
            continue
        except OSError as error:
            bad.append(f"{path.name}: {error.strerror or error}")
        except (BadRecord, KeyError, TypeError, ValueError) as error:
            bad.append(f"{path.name}: {error}")
        else:
            yield {**about, "record": path.name}


def _checked(about: Mapping[str, Any]) -> dict[str, Any]:
    """What a record says about its match; raises KeyError, TypeError, ValueError."""
    datetime.fromisoformat(about["time"])
    for place in about["players"]:
        place["name"], place["score"]
    told = {key: value for key, value in about.items() if key not in ("digest", "record")}
    return {key: told[key] for key in COLUMNS[:-1]} | told


def _has(about: Mapping[str, Any], player: str) -> bool:
    return skeleton(player) in {skeleton(str(each["name"])) for each in about["players"]}


def _rows(found: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    stamps = Counter(about["record"][:_STAMP] for about in found)
    for about in found:
        stamp = about["record"][:_STAMP]
        when = datetime.fromisoformat(about["time"]).astimezone()
        yield {
            **about,
            "time": when.replace(tzinfo=None).isoformat(" ", "seconds"),
            "players": [f"{each['name']} {_score(each['score'])}" for each in about["players"]],
            "record": stamp if stamps[stamp] == 1 else about["record"],
        }


def _score(score: Any) -> str:
    return "-" if score is None else str(score)
