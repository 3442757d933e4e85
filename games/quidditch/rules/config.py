"""What a match configuration says about the rules."""

from collections.abc import Mapping

from games.quidditch.rules.deltas import BanReason
from games.quidditch.rules.teams import Broom, Team
from ludothek.contract.frozen import frozen


@frozen
class MatchConfig:
    """Probabilities from 0 (never) to 1 (always), and the round after which overtime begins."""

    max_rounds: int
    throw_success: float  # for each cell of the distance
    knock_out: float
    catch_snitch: float
    catch_quaffle: float
    wrest_quaffle: float
    extra_move: Mapping[Broom, float]
    foul_detection: Mapping[BanReason, float]  # flacking to snitchnip
    fan_foul_detection: Mapping[BanReason, float]  # elfTeleportation to wombatPoo
    carries_bludgers: bool = True  # whether a beater takes along the bludgers on his cell


@frozen
class Fixture:
    """What is fixed before the first round."""

    config: MatchConfig
    left: Team
    right: Team
