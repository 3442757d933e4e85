"""Files about crashes: frequent ones must not push out reports of others."""

import hashlib
import re
import traceback
from collections import deque
from collections.abc import Callable
from datetime import datetime

from ludothek.contract.effects import Save
from ludothek.contract.keeping import Claim, Room
from ludothek.storage.match_files import ENDING

FOLDER = "crashes"

# How many of the innermost stack frames identify a crash.
FRAMES = 5

# Of all reports: a client that finds a way to crash lobbies must not fill the disk.
MAX_FILES = 1000
MAX_BYTES = 256 * 1024 * 1024

_NAME = re.compile(r"\d{8}-\d{6}-([0-9a-f]{8})-")


def crash_claim(name: str) -> Claim:
    """Each kind of crash has its own share of the room."""
    found = _NAME.match(name)
    return Claim(((found[1],),)) if found else Claim()


def crash_report(
    time: datetime, bug: BaseException, lobby: str, content: Callable[[], bytes]
) -> Save:
    """A file of the report, which is a record; its name says when, what and where."""
    name = f"{time:%Y%m%d-%H%M%S}-{fingerprint(bug)}-{lobby}.{ENDING}"
    room = Room(files=MAX_FILES, bytes=MAX_BYTES, claim=crash_claim)
    return Save(FOLDER, name, content, room)


def fingerprint(bug: BaseException) -> str:
    """Equal for crashes of the same type in the same place, whatever their messages are."""
    bug = _only(bug)
    innermost = deque(traceback.walk_tb(bug.__traceback__), maxlen=FRAMES)
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in innermost]
    return hashlib.sha256("\n".join((type(bug).__name__, *places)).encode()).hexdigest()[:8]


def bug_place(bug: BaseException) -> str:
    """What has happened where, in words that another process and another version can compare."""
    bug = _only(bug)
    for frame, _ in deque(traceback.walk_tb(bug.__traceback__), maxlen=1):
        code = frame.f_code
        return f"{type(bug).__name__} in {frame.f_globals.get('__name__')}.{code.co_qualname}"
    return type(bug).__name__


def _only(bug: BaseException) -> BaseException:
    while isinstance(bug, BaseExceptionGroup):
        bug = bug.exceptions[0]
    return bug
