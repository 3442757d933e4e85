"""How one game of a tournament ended."""

import enum
from collections.abc import Sequence

import attrs


class Reason(enum.StrEnum):
    """Why a game ended for one entrant as it did."""

    REGULAR = "regular"  # by the rules of the game, or by somebody else's fault
    NOT_STARTED = "not started"  # the command cannot be run
    NEVER_CONNECTED = "never connected"
    CONNECTED_TWICE = "connected twice"
    WRONG_NAME = "wrong name"  # said to be somebody else
    CRASHED = "crashed"  # by a signal, or with an exit code other than 0
    EXITED = "exited"  # with exit code 0, before the end
    LEFT = "left"  # the connection was closed before the end
    SILENT = "silent"  # no move in time
    OVERTIME = "overtime"  # the game took longer than its bound
    ILLEGAL = "illegal"  # something that the rules or the protocol forbid
    FLOOD = "flood"  # more messages than the server takes
    MEMORY = "memory"
    CPU = "cpu"
    PROCESSES = "processes"
    FILES = "files"


@attrs.frozen(kw_only=True)
class Thinking:
    """How long an entrant took for its moves, in seconds."""

    moves: int = 0
    p50: float = 0.0
    p99: float = 0.0
    longest: float = 0.0
    total: float = 0.0


@attrs.frozen(kw_only=True)
class Finish:
    """How a game ended for one entrant."""

    rank: int | None = None  # from 1; shared by those who are equal; None: nobody has one
    points: int | None = None  # as the game counts them
    reason: Reason = Reason.REGULAR
    words: str = ""  # one sentence for people; empty for a regular end
    thinking: Thinking = Thinking()
    log: str | None = None  # file in the tournament's folder with the program's output


@attrs.frozen(kw_only=True)
class Outcome:
    """How a game ended, or that it failed through no fault of the entrants."""

    number: int  # of the task
    finishes: tuple[Finish, ...] = ()  # in the order of turns
    seconds: float = 0.0
    record: str | None = None  # file in the tournament's folder
    failure: str | None = None  # ours: nothing else is valid, and the game is to be repeated


def shares(finishes: Sequence[Finish]) -> tuple[float, ...]:
    """What each entrant gets of the game, from 0 to 1: the part of the others that it has beaten.

    With two players this is 1 for a win, 0.5 for a draw, 0 for a loss. Without a decision all are
    equal.
    """
    others = len(finishes) - 1
    ranks = [finish.rank if finish.rank is not None else len(finishes) for finish in finishes]
    return tuple(
        (sum(rank < other for other in ranks) + (ranks.count(rank) - 1) / 2) / others
        for rank in ranks
    )
