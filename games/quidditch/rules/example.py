"""A typical match, for use where no configuration is at hand."""

import random

from games.quidditch.rules.config import MatchConfig
from games.quidditch.rules.deltas import BanReason
from games.quidditch.rules.entities import FanKind, Position
from games.quidditch.rules.game import start
from games.quidditch.rules.pitch import WIDTH, Cell
from games.quidditch.rules.state import State
from games.quidditch.rules.teams import Broom, Formation, Sex, Team, TeamPlayer

_FOULS = (
    BanReason.FLACKING,
    BanReason.HAVERSACKING,
    BanReason.STOOGING,
    BanReason.BLATCHING,
    BanReason.SNITCHNIP,
)
_FAN_FOULS = (
    BanReason.ELF_TELEPORTATION,
    BanReason.GOBLIN_SHOCK,
    BanReason.TROLL_ROAR,
    BanReason.SNITCH_SNATCH,
    BanReason.WOMBAT_POO,
)

EXAMPLE_CONFIG = MatchConfig(
    max_rounds=13,
    throw_success=0.9,
    knock_out=0.5,
    catch_snitch=0.5,
    catch_quaffle=0.5,
    wrest_quaffle=0.5,
    extra_move=dict(zip(Broom, (0.3, 0.4, 0.5, 0.6, 0.7), strict=True)),
    foul_detection=dict.fromkeys(_FOULS, 0.5),
    fan_foul_detection=dict.fromkeys(_FAN_FOULS, 0.3),
)

EXAMPLE_TEAM = Team(
    players={
        Position.SEEKER: TeamPlayer(Broom.FIREBOLT, Sex.FEMALE),
        Position.KEEPER: TeamPlayer(Broom.TINDERBLAST, Sex.MALE),
        Position.CHASER1: TeamPlayer(Broom.NIMBUS2001, Sex.FEMALE),
        Position.CHASER2: TeamPlayer(Broom.COMET260, Sex.MALE),
        Position.CHASER3: TeamPlayer(Broom.COMET260, Sex.FEMALE),
        Position.BEATER1: TeamPlayer(Broom.CLEANSWEEP11, Sex.MALE),
        Position.BEATER2: TeamPlayer(Broom.CLEANSWEEP11, Sex.FEMALE),
    },
    fans={
        FanKind.GOBLIN: 1,
        FanKind.TROLL: 1,
        FanKind.ELF: 2,
        FanKind.NIFFLER: 1,
        FanKind.WOMBAT: 2,
    },
)

LEFT_FORMATION: Formation = {
    Position.SEEKER: Cell(7, 2),
    Position.KEEPER: Cell(3, 6),
    Position.CHASER1: Cell(6, 4),
    Position.CHASER2: Cell(6, 6),
    Position.CHASER3: Cell(6, 8),
    Position.BEATER1: Cell(5, 5),
    Position.BEATER2: Cell(5, 7),
}
RIGHT_FORMATION: Formation = {
    position: Cell(WIDTH - 1 - cell.x, cell.y) for position, cell in LEFT_FORMATION.items()
}


def example(rng: random.Random) -> State:
    """Start a match between two equal teams."""
    teams = (EXAMPLE_TEAM, EXAMPLE_TEAM)
    return start(EXAMPLE_CONFIG, *teams, LEFT_FORMATION, RIGHT_FORMATION, rng).state
