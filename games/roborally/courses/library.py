"""The nineteen courses of the rulebook, and custom courses from JSON files."""

import functools
import json
from importlib import resources
from pathlib import Path
from typing import Any

from games.roborally.courses.flaws import BadCourse
from games.roborally.courses.gamemap import from_game_map, game_map
from games.roborally.courses.text import from_text
from games.roborally.rules.course import Board, Course
from ludothek.kit.files import read_small_file

# The largest course of the rulebook has 16 KiB, pretty-printed several times that.
MAX_FILE_BYTES = 1024 * 1024

# Whether robots of all boards reboot on the start board, in the words of `rebootRule`.
REBOOT_RULES = {
    "standard": False,
    "any robot reboots on the token on the start board": True,
}

_FILES = resources.files(__package__ or "")

NAMES: tuple[str, ...] = tuple(
    sorted(
        file.name.removesuffix(".txt") for file in _FILES.iterdir() if file.name.endswith(".txt")
    )
)


def load(name: str) -> Course:
    """Return a course of the rulebook; blanks and upper case do not matter."""
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
    board of the start points) and `rebootRule`, one of REBOOT_RULES.
    """
    try:
        content = json.loads(read_small_file(path, MAX_FILE_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
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
    return from_game_map(name, body["gameMap"], _boards(meta), _start_token(meta))


def _start_token(meta: dict[str, Any]) -> bool:
    rule = meta.get("rebootRule", "standard")
    if not isinstance(rule, str) or rule not in REBOOT_RULES:
        known = " or ".join(f'"{known}"' for known in REBOOT_RULES)
        raise BadCourse(f"The rebootRule of a course has to be {known}.")
    return REBOOT_RULES[rule]


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
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        raise BadCourse(f"Board {number} needs the numbers x, y, w and h.") from None
