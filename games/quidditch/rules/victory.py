"""Who wins, and why."""

from games.quidditch.rules.deltas import Delta, DeltaType, Phase
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.pitch import Side
from games.quidditch.rules.snapshot import Snapshot
from games.quidditch.rules.state import Result, VictoryReason

BANS_TO_LOSE = 3


def finish(draft: Draft, winner: Side, reason: VictoryReason) -> None:
    """End the match at once."""
    draft.tell(Delta(DeltaType.PHASE_CHANGE, phase=Phase.FINISH))
    draft.result = Result(winner, reason, draft.round)
    draft.turn = None
    draft.queue = ()


def finish_by_catch(draft: Draft, catcher: Side) -> None:
    """End the match because the snitch was caught.

    Three bans disqualify here, too, unless a goal in this round would have brought everybody back.
    """
    banished = () if draft.snapshot.goal_was_thrown_this_round else draft.three_bans
    if len(banished) == 1:
        finish(draft, banished[0].opponent, VictoryReason.DISQUALIFICATION)
        return
    leader = _leader(draft.snapshot)
    if banished:
        reasons = (
            VictoryReason.BOTH_DISQUALIFICATION_MOST_POINTS,
            VictoryReason.BOTH_DISQUALIFICATION_SNITCH_CATCH,
        )
    else:
        reasons = (VictoryReason.MOST_POINTS, VictoryReason.POINTS_EQUAL_SNITCH_CATCH)
    if leader is not None:
        finish(draft, leader, reasons[0])
    else:
        finish(draft, catcher, reasons[1])


def finish_by_bans(draft: Draft) -> None:
    """End the match after a round if a team has three banned players."""
    if not draft.three_bans:
        return
    if len(draft.three_bans) == 1:
        finish(draft, draft.three_bans[0].opponent, VictoryReason.DISQUALIFICATION)
    elif (leader := _leader(draft.snapshot)) is not None:
        finish(draft, leader, VictoryReason.BOTH_DISQUALIFICATION_MOST_POINTS)
    else:
        finish(draft, draft.three_bans[-1], VictoryReason.BOTH_DISQUALIFICATION_LAST)


def finish_without_catch(draft: Draft) -> None:
    """End a match in which nobody is left to catch the snitch; no reason is defined for it."""
    snapshot = draft.snapshot
    fewer_bans = min(Side, key=snapshot.banned)
    finish(draft, _leader(snapshot) or fewer_bans, VictoryReason.MOST_POINTS)


def _leader(snapshot: Snapshot) -> Side | None:
    if snapshot.left_points == snapshot.right_points:
        return None
    return max(Side, key=snapshot.points)
