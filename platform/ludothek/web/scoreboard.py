"""A tournament as the page shows it, from its database; for a process of its own."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import orjson

from ludothek.arena.database import BadDatabase, Database, open_to_read
from ludothek.arena.findings.document import document
from ludothek.arena.findings.findings import Findings, find
from ludothek.contract import registry

# Games of one tournament; more would take too long to count again after each.
MOST_GAMES = 50_000
# Of a database.
MOST_BYTES = 512 * 1024 * 1024
# Entrants of whom is told what each has got against each; nobody reads a larger table.
MOST_CROSSED = 64
# Games that are told with the standings; people ask for older ones.
LATEST = 50
# Characters of a title, and names of those who are ahead.
MOST_TEXT = 200
MOST_BEST = 3

_RECORD = re.compile(r"\w[\w-]{0,99}\.match", re.ASCII)
_KEPT = ("played", "size", "complete", "standings", "bracket", "sprt", "lost", "time")
_GAME = ("number", "round", "seats", "points", "shares", "reasons", "seconds", "ended")


def game_id(tournament: str, number: int) -> str:
    """What the page calls a game; no match of the state directory has such an id."""
    return f"{tournament}~{number}"


def draw_up(path: Path, tournament: str) -> bytes:
    """Two lines of JSON: a summary, and everything but older games.

    What cannot be shown has only a summary, whose `problem` says why.
    """
    try:
        with _opened(path) as database:
            return b"\n".join(map(orjson.dumps, _told(tournament, database)))
    except BadDatabase as problem:
        told = {"id": tournament, "title": path.name, "problem": _public(problem, path)}
        return orjson.dumps(told)


def _told(tournament: str, database: Database) -> tuple[dict[str, Any], dict[str, Any]]:
    findings = find(database.plan(), database.outcomes())
    games = database.latest(LATEST)
    summary = _summary(tournament, findings, games)
    told = document(findings, (), ())
    return summary, summary | {
        **{key: told[key] for key in _KEPT},
        "meetings": _meetings(findings),
        "better": _better(findings),
        "failures": len(database.failures()),
        "games": [_game(tournament, game, findings.complete) for game in games],
    }


def list_games(
    path: Path, tournament: str, complete: bool, players: Sequence[str], before: int, limit: int
) -> bytes:
    """Games in which all these have played, the latest first, as JSON."""
    try:
        with _opened(path) as database:
            games = database.latest(limit + 1, before=before or None, players=players)
    except BadDatabase as problem:
        return orjson.dumps({"error": _public(problem, path)})
    shown = [_game(tournament, game, complete) for game in games[:limit]]
    rest = shown[-1]["number"] if len(games) > limit else None
    return orjson.dumps({"games": shown, "next": rest})


def find_game(path: Path, tournament: str, complete: bool, number: int) -> bytes:
    """Where the record of a game is, and how it ended, as JSON; null if nobody may see it."""
    with suppress(BadDatabase), _opened(path) as database:
        game = database.game(number)
        if game is not None and _is_open(game, complete):
            path = database.folder / game["record"]
            # A database may name anything.
            if _RECORD.fullmatch(game["record"]) and path.is_file() and not path.is_symlink():
                told = _game(tournament, game, complete)
                stamp = path.stat().st_mtime_ns
                return orjson.dumps({"record": str(path), "stamp": stamp, "game": told})
    return b"null"


@contextmanager
def _opened(path: Path) -> Iterator[Database]:
    """A database of bearable size; raises BadDatabase, whatever is wrong with what it holds."""
    if path.exists() and not path.is_file():  # whoever opens a pipe waits for its writer
        raise BadDatabase(f"{path} is not a file")
    try:
        with open_to_read(path) as database:
            if path.stat().st_size > MOST_BYTES or database.count() > MOST_GAMES:
                raise BadDatabase(f"{path} is too large to be shown")
            yield database
    except BadDatabase:
        raise
    except Exception as error:  # somebody else may have written anything
        raise BadDatabase(f"{path} holds no tournament: {type(error).__name__}") from error


def _public(problem: BadDatabase, path: Path) -> str:
    """In words that do not tell where it is."""
    return str(problem).replace(str(path), path.name)[:MOST_TEXT]


def _summary(
    tournament: str, findings: Findings, games: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    plan = findings.plan
    best = [each.name for each in findings.standings if each.place == 1 and each.games]
    return {
        "id": tournament,
        "title": plan.title[:MOST_TEXT],
        "game": plan.game,
        "game_title": registry.load(plan.game).title,
        "format": plan.format.value,
        "players": plan.players,
        "entrants": len(plan.entrants),
        "played": findings.played,
        "size": findings.size,
        "complete": findings.complete,
        "best": best[:MOST_BEST],
        "ended": max((game["ended"] for game in games), default=None),
        "problem": None,
    }


def _meetings(findings: Findings) -> list[list[Any]] | None:
    """What each has got against each, in the order of the standings."""
    order = [standing.entrant for standing in findings.standings]
    if len(order) > MOST_CROSSED:
        return None
    meetings = [[findings.meetings[one][two] for two in order] for one in order]
    return [[[each.points, each.games] if each.games else None for each in row] for row in meetings]


def _better(findings: Findings) -> list[float | None]:
    """How likely it is that each is better than the next one in the standings."""
    found: list[float | None] = []
    for one, two in pairwise(findings.standings):
        known = one.games and two.games
        found.append(round(findings.superiority[one.entrant][two.entrant], 4) if known else None)
    return [*found, None]


def _game(tournament: str, game: Mapping[str, Any], complete: bool) -> dict[str, Any]:
    recorded = isinstance(game["record"], str)
    shown = recorded and _is_open(game, complete)
    return {key: game[key] for key in _GAME} | {
        "match": game_id(tournament, game["number"]) if shown else None,
        "waits": recorded and not shown,
    }


def _is_open(game: Mapping[str, Any], complete: bool) -> bool:
    """Whether its record gives nothing away: other games of its rotation have the same seed."""
    return complete or game["rotated"] == len(game["seats"])
