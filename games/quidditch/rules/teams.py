"""What a team brings along, and where it lines up."""

import enum
from collections import Counter
from collections.abc import Mapping

from games.quidditch.rules.entities import FanKind, Position
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


def team_refusal(team: Team, *, gender_balance: bool = True) -> str | None:
    """Return what a team does wrong, if anything."""
    return (
        _missing_broom(team)
        or (_too_many_of_one_sex(team) if gender_balance else None)
        or _wrong_fans(team)
    )


def _missing_broom(team: Team) -> str | None:
    used = {member.broom for member in team.players.values()}
    missing = [str(broom) for broom in Broom if broom not in used]
    if missing:
        return f"Each broom must be used by at least one player; nobody flies {', '.join(missing)}."
    return None


def _too_many_of_one_sex(team: Team) -> str | None:
    counts = Counter(member.sex for member in team.players.values())
    for sex, count in counts.items():
        if count > MOST_OF_ONE_SEX:
            return f"At most {MOST_OF_ONE_SEX} players may have the same sex; {count} have '{sex}'."
    return None


def _wrong_fans(team: Team) -> str | None:
    counts = {kind: team.fans.get(kind, 0) for kind in FanKind}
    lacking = [str(kind) for kind, count in counts.items() if count < 1]
    if lacking:
        return f"At least one fan of each kind must come; missing: {', '.join(lacking)}."
    if (total := sum(counts.values())) != FANS_PER_TEAM:
        return f"A team has {FANS_PER_TEAM} fans, not {total}."
    return None


def formation_refusal(side: Side, formation: Formation) -> str | None:
    """Return what a formation does wrong, if anything."""
    taken: dict[Cell, Position] = {}
    for position in Position:
        if position not in formation:
            return f"The {position} has no place."
        cell = formation[position]
        if reason := _bad_start(side, cell):
            return f"The {position} cannot start on ({cell[0]}, {cell[1]}): {reason}."
        if cell in taken:
            return f"The {position} and the {taken[cell]} cannot start on the same cell."
        taken[cell] = position
    return None


def _bad_start(side: Side, cell: Cell) -> str | None:
    if cell not in ON_PITCH:
        return "there is no such cell on the pitch"
    if cell in ALL_GOALS:
        return "it is a goal"
    if cell not in HALVES[side]:
        return "it is not in the own half"
    if cell in CENTRE_CIRCLE:
        return "it belongs to the centre circle"
    return None
