"""Six computer players over the wire, and invariants after every message of theirs."""

from collections.abc import Iterable

import attrs
import pytest
from trio.testing import MockClock

from games.roborally import GAME
from games.roborally.player import RoboRallyPlayer
from games.roborally.rules import RegisterCard, Robot, State
from games.roborally.table import RoboRallyTable
from ludothek.testing.lockstep import Participant, perform
from tests.games.roborally.audit import audit
from tests.support.helpers import Fair, open_fair

# The players of this game are not those who act at random.
SIX = attrs.evolve(GAME, players=6, difficulties=GAME.difficulties[:-1])


def running(fair: Fair) -> State | None:
    (lobby,) = fair.endpoint.hall.lobbies.values()
    assert isinstance(lobby.table, RoboRallyTable)
    return lobby.table._match.state if lobby.table._match else None


@pytest.mark.parametrize(
    ("course", "checkpoints", "seed"),
    [("DizzyHighway", 1, 1), ("DizzyHighway", 1, 2), ("Twister", 4, 1), ("DeathTrap", 5, 1)],
)
async def test_six_players_finish_a_game(
    course: str, checkpoints: int, seed: int, mock_clock: MockClock
) -> None:
    settings = {"course": course, "min_players": 6}
    beginning: list[State] = []
    compared = 0

    def watch(actor: Participant) -> Iterable[bytes]:
        nonlocal compared
        state = running(fair)
        if state is not None:
            beginning.append(state)
            audit(state, beginning[0])
            compared += knows_all(actor, state)
        return ()

    async with open_fair("roborally", seed, settings) as fair:
        actors = await perform(fair, SIX, mock_clock, seed, watch)
        assert fair.endpoint.hall.crashes == 0
    reports = [actor.report for actor in actors]
    assert [report and report.errors for report in reports] == [0] * 6
    (winner,) = {report.winner for report in reports if report}
    assert [report.points[winner] for report in reports if report and winner] == [checkpoints] * 6
    assert compared > 30


def knows_all(actor: Participant, state: State) -> bool:
    """Whether it is this player's turn; then messages alone have told it where everything is."""
    player = actor.player
    assert isinstance(player, RoboRallyPlayer)
    if player._game is None or state.pending != RegisterCard(player._game.me):
        return False
    seen = {robot.player_id: robot for robot in player._game.robots.values()}
    assert seen == {each.player_id: Robot.of(each) for each in state.players}
    assert tuple(player._game.checkpoints) == state.checkpoints
    assert sorted(player._game.shop) == sorted(state.shop)
    # A SpamBlocker returns Spam that nobody else has seen.
    assert all(player._game.piles[card] <= state.piles[card] for card in state.piles)
    own = state.player(player._game.me)
    assert player._game.registers[state.register - 1] == own.registers[state.register - 1]
    return True
