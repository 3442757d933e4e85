"""What a team brings along, and where it lines up."""

import enum
from collections import Counter
from collections.abc import Mapping

from games.quidditch.rules.entities import FanKind, Position
from games.quidditch.rules.mistakes import LineUpMistake
from games.quidditch.rules.pitch import ALL_GOALS, CENTRE_CIRCLE, HALVES, ON_PITCH, Cell, Side
from ludothek.contract.frozen import frozen

FANS_PER_TEAM = 7
MOST_OF_ONE_SEX = 4


class Sex(enum.StrEnum):
    MALE = "m"
    FEMALE = "f"


class Broom(enum.StrEnum):
    TINDERBLAST = "tinderblast"
    CLEANSWEEP11 = "cleansweep11"
    COMET260 = "comet260"
    NIMBUS2001 = "nimbus2001"
    FIREBOLT = "firebolt"


@frozen
class TeamPlayer:
    """A player as the team's configuration describes him or her."""

    broom: Broom
    sex: Sex


@frozen
class Team:
    """A line-up: who flies what, and how many fans of each kind have come."""

    players: Mapping[Position, TeamPlayer]
    fans: Mapping[FanKind, int]


Formation = Mapping[Position, Cell]


@frozen
class Objection:
    """What is wrong with a team or a formation, and where."""

    mistake: LineUpMistake
    came: str
    position: Position | None = None  # None: it is about the team as a whole

    def __str__(self) -> str:
        return f"{self.came}. {self.mistake.value}"


def team_refusal(team: Team, *, gender_balance: bool = True) -> Objection | None:
    """Return what a team does wrong, if anything."""
    return (
        _missing_broom(team)
        or (_too_many_of_one_sex(team) if gender_balance else None)
        or _wrong_fans(team)
    )


def _missing_broom(team: Team) -> Objection | None:
    used = {member.broom for member in team.players.values()}
    missing = [str(broom) for broom in Broom if broom not in used]
    if missing:
        return Objection(LineUpMistake.MISSING_BROOM, f"nobody flies {', '.join(missing)}")
    return None


def _too_many_of_one_sex(team: Team) -> Objection | None:
    counts = Counter(member.sex for member in team.players.values())
    for sex, count in counts.items():
        if count > MOST_OF_ONE_SEX:
            return Objection(LineUpMistake.ONE_SEX, f"{count} have '{sex}'")
    return None


def _wrong_fans(team: Team) -> Objection | None:
    counts = {kind: team.fans.get(kind, 0) for kind in FanKind}
    lacking = [str(kind) for kind, count in counts.items() if count < 1]
    if lacking:
        return Objection(LineUpMistake.MISSING_FANS, f"no {', no '.join(lacking)}")
    if (total := sum(counts.values())) != FANS_PER_TEAM:
        return Objection(LineUpMistake.NUMBER_OF_FANS, f"{total} fans")
    return None


def formation_refusal(side: Side, formation: Formation) -> Objection | None:
    """Return what a formation does wrong, if anything."""
    taken: set[Cell] = set()
    for position in Position:
        if position not in formation:
            return Objection(LineUpMistake.NO_PLACE, "nothing", position)
        cell = formation[position]
        mistake = LineUpMistake.SAME_CELL if cell in taken else _bad_start(side, cell)
        if mistake is not None:
            return Objection(mistake, f"({cell[0]}, {cell[1]})", position)
        taken.add(cell)
    return None


def _bad_start(side: Side, cell: Cell) -> LineUpMistake | None:
    if cell not in ON_PITCH:
        return LineUpMistake.OFF_PITCH
    if cell in ALL_GOALS:
        return LineUpMistake.GOAL
    if cell not in HALVES[side]:
        return LineUpMistake.OTHER_HALF
    return LineUpMistake.CENTRE if cell in CENTRE_CIRCLE else None
