"""The nineteen courses of the rulebook, and courses of one's own from JSON files."""

import functools
import json
from importlib import resources
from pathlib import Path
from typing import Any

from games.roborally.courses.flaws import BadCourse
from games.roborally.courses.gamemap import from_game_map, game_map
from games.roborally.courses.text import from_text
from games.roborally.rules.course import Board, Course

_FILES = resources.files(__package__ or "")

NAMES: tuple[str, ...] = tuple(
    sorted(
        file.name.removesuffix(".txt") for file in _FILES.iterdir() if file.name.endswith(".txt")
    )
)


def load(name: str) -> Course:
    """Return a course of the rulebook; blanks and capital letters do not matter."""
    for known in NAMES:
        if known.lower() == name.replace(" ", "").lower():
            return _built_in(known)
    raise BadCourse(f"There is no course {name!r}; choose one of {', '.join(NAMES)}.")


@functools.cache
def _built_in(name: str) -> Course:
    return from_text((_FILES / f"{name}.txt").read_text("utf-8"))


def load_file(path: Path) -> Course:
    """Return the course in a JSON file: a message GameStarted, or an object with its gameMap.

    An optional object `meta` can hold `name`, `boards` (each with x, y, w, h, and start for the
    board of the start points) and `rebootRule`, which is "standard" unless all robots reboot on
    the start board.
    """
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadCourse(f"The course file cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise BadCourse("The course file has to hold one JSON object.")
    body = content.get("messageBody", content)
    if not isinstance(body, dict) or "gameMap" not in body:
        raise BadCourse("The course file has no gameMap.")
    meta = content.get("meta", {})
    if not isinstance(meta, dict):
        raise BadCourse("The meta of a course has to be an object.")
    name = str(meta.get("name", path.stem))
    token = meta.get("rebootRule", "standard") != "standard"
    return from_game_map(name, body["gameMap"], _boards(meta), token)


def recognise(columns: object) -> Course:
    """Return the course of a received `gameMap`, with its boards if it is in the rulebook."""
    for name in NAMES:
        if game_map(load(name)) == columns:
            return load(name)
    return from_game_map("unknown", columns)


def _boards(meta: dict[str, Any]) -> tuple[Board, ...]:
    boards = meta.get("boards", [])
    if not isinstance(boards, list):
        raise BadCourse("The boards of a course have to be a list.")
    return tuple(_board(number, board) for number, board in enumerate(boards, 1))


def _board(number: int, value: Any) -> Board:
    try:
        x, y, width, height = (int(value[key]) for key in ("x", "y", "w", "h"))
        return Board(str(value.get("id", number)), x, y, width, height, bool(value.get("start")))
    except (AttributeError, KeyError, TypeError, ValueError):
        raise BadCourse(f"Board {number} needs the numbers x, y, w and h.") from None
