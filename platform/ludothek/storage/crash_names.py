"""The names of crash reports: a crash that happens often must not push out reports of others."""

import hashlib
import re
import traceback
from collections import deque
from datetime import datetime

from ludothek.contract.keeping import Claim

# How many of the innermost stack frames identify a crash.
FRAMES = 5

_NAME = re.compile(r"\d{8}-\d{6}-([0-9a-f]{8})-")


def crash_file(time: datetime, bug: BaseException, lobby: str) -> str:
    """The name of a report: when, what, where."""
    return f"{time:%Y%m%d-%H%M%S}-{fingerprint(bug)}-{lobby}.json"


def crash_claim(name: str) -> Claim:
    """Each kind of crash has a share of its own."""
    found = _NAME.match(name)
    return Claim(((found[1],),)) if found else Claim()


def fingerprint(bug: BaseException) -> str:
    """Equal for crashes of one kind in one place, whatever their messages say."""
    while isinstance(bug, BaseExceptionGroup):
        bug = bug.exceptions[0]
    innermost = deque(traceback.walk_tb(bug.__traceback__), maxlen=FRAMES)
    places = [f"{frame.f_code.co_filename}:{line}" for frame, line in innermost]
    return hashlib.sha256("\n".join((type(bug).__name__, *places)).encode()).hexdigest()[:8]
