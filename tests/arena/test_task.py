"""Games of a tournament as plain data."""

import pickle

import pytest

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.outcome import Finish, Outcome, Reason, Thinking, shares
from ludothek.arena.plainly import from_json, to_json
from ludothek.arena.task import Task

TASK = Task(
    number=7,
    game="qwirkle",
    settings={"end_bonus": 6, "refill": "own_turn"},
    seed=2**63,
    entrants=(
        Entrant(name="Ada", kind=Kind.COMMAND, command=("python3", "ada.py", "{host}")),
        Entrant(name="Bo", kind=Kind.BOT, difficulty=1, options={"team": "bo.json"}),
    ),
    bounds=Bounds(processes=3),
    folder="games",
)
OUTCOME = Outcome(
    number=7,
    finishes=(
        Finish(rank=1, points=31, thinking=Thinking(moves=4, p50=0.5, total=2.0)),
        Finish(rank=2, reason=Reason.NEVER_CONNECTED, words="Bo has not come.", log="7-bo.log"),
    ),
    seconds=1.5,
    record="7.record",
)


def test_other_processes_get_the_same() -> None:
    assert pickle.loads(pickle.dumps((TASK, OUTCOME))) == (TASK, OUTCOME)
    assert from_json(Task, to_json(TASK)) == TASK
    assert from_json(Outcome, to_json(OUTCOME)) == OUTCOME


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([1, 2], (1, 0)),
        ([2, 1], (0, 1)),
        ([1, 1], (0.5, 0.5)),
        ([None, None], (0.5, 0.5)),
        ([1, 2, 3], (1, 0.5, 0)),
        ([1, 2, 2], (1, 0.25, 0.25)),
        ([1, 1, 3, 4], (5 / 6, 5 / 6, 1 / 3, 0)),
        ([2, None, 1], (0.5, 0, 1)),
    ],
)
def test_a_share_is_the_part_of_the_others_that_was_beaten(
    ranks: list[int | None], expected: tuple[float, ...]
) -> None:
    assert shares([Finish(rank=rank) for rank in ranks]) == pytest.approx(expected)
