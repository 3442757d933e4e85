"""Our own bots come through every situation of every game, and break nothing."""

from collections.abc import Set

import pytest
from trio.testing import MockClock

from ludothek.check.situations import situations_of
from ludothek.check.verdict import Status, Verdict
from ludothek.contract import registry
from ludothek.contract.reach import bound_messages
from tests.check.remote import led_through
from tests.support.helpers import unhurried_clock

# Messages that our bots never send, or not in these matches. All other clauses are reached.
UNSAID: dict[str, Set[str]] = {
    "hexxagon": {"LeaveLobby", "LeaveGame"},
    "penguins": {
        *("JoinRoom", "JoinPrepared"),
        *("Authenticate", "Prepare", "Observe", "Pause", "Step", "Cancel"),
    },
    "qwirkle": {
        *("TileSwapRequest", "MessageSend", "SpectatorJoinRequest", "LeavingRequest"),
        *("ScoreRequest", "TurnTimeLeftRequest", "TotalTimeRequest"),
        *("BagRequest", "PlayerHandsRequest", "GameDataRequest"),
    },
    "roborally": {
        *("SendChat", "SelectedDamage", "DiscardSome", "Boink"),
        *("PlayCard AdminPrivilege", "PlayCard DeflectorShield", "PlayCard CacheMemory"),
        *("PlayCard Hack", "PlayCard MemorySwap", "PlayCard SpamBlocker", "PlayCard RepeatRoutine"),
    },
    "quidditch": {
        *("SendDebug", "SendChat", "TestRequest", "GetReplay", "GetReplayWithSnapshot"),
        *("PauseRequest", "ContinueRequest", "DeltaRequest unban"),
        *("DeltaRequest bludgerBeating", "DeltaRequest quaffleThrow", "DeltaRequest wrestQuaffle"),
    },
}


@pytest.fixture
def clock() -> MockClock:
    return unhurried_clock()


@pytest.mark.parametrize("name", UNSAID)
async def test_our_bots_break_nothing_and_reach_what_they_can(name: str, clock: MockClock) -> None:
    game = registry.load(name)
    weakest = len(game.difficulties) - 1
    # Stronger opponents would have to think, for which no clock jumps.
    easy = [each for each in situations_of(game) if each.strength in (None, weakest)]
    verdict = (await led_through(game, easy)).verdict()
    assert [trial for trial in verdict.trials if not trial.passed] == []
    assert [trial for trial in verdict.trials if trial.remarks] == []
    assert verdict.complete
    bound = bound_messages(game)
    missed = [each.clause for each in verdict.of(Status.NOT_REACHED)]
    reachable = {each.id: {*bound[each.id]} for each in missed if not (each.rare or each.unseen)}
    assert {key: names for key, names in reachable.items() if not names <= UNSAID[name]} == {}
    _assert_that_the_situations_were_real(verdict)


def _assert_that_the_situations_were_real(verdict: Verdict) -> None:
    """They are no empty promises: the match ends early where it has to."""
    trials = {each.situation.name: each for each in verdict.trials}
    moves = {key: max(each.messages.values(), default=0) for key, each in trials.items()}
    whole = moves[next(key for key in trials if key.startswith("match-"))]
    assert moves["server-shuts-down"] < whole
    assert moves["seats-are-taken"] < whole
    assert sum(trials["server-shuts-down"].messages.values()) < sum(
        trials["unknown-fields"].messages.values()
    )
    if verdict.game.name in ("hexxagon", "penguins", "quidditch"):  # others send nobody away
        assert moves["opponent-is-expelled"] < whole
    if (broken := trials.get("connection-breaks")) is not None:
        assert 2 in broken.messages.values()  # it has come twice
    if (timed := trials.get("time-runs-out")) is not None:
        assert timed.seconds > 2
