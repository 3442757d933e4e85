"""Deltas: what has changed, in the words of the protocol."""

import enum

from games.quidditch.rules.entities import Entity
from games.quidditch.rules.pitch import Cell
from ludothek.contract.frozen import frozen


class DeltaType(enum.StrEnum):
    """The kinds of changes (deltaType)."""

    SNITCH_CATCH = "snitchCatch"
    BLUDGER_BEATING = "bludgerBeating"
    QUAFFLE_THROW = "quaffleThrow"
    SNITCH_SNATCH = "snitchSnatch"
    TROLL_ROAR = "trollRoar"
    ELF_TELEPORTATION = "elfTeleportation"
    GOBLIN_SHOCK = "goblinShock"
    BAN = "ban"
    BLUDGER_KNOCKOUT = "bludgerKnockout"
    MOVE = "move"
    WREST_QUAFFLE = "wrestQuaffle"
    FOOL_AWAY = "foolAway"
    PHASE_CHANGE = "phaseChange"
    GOAL_POINTS_CHANGE = "goalPointsChange"
    ROUND_CHANGE = "roundChange"
    SKIP = "skip"
    UNBAN = "unban"
    TURN_USED = "turnUsed"
    WOMBAT_POO = "wombatPoo"
    REMOVE_POO = "removePoo"


class Phase(enum.StrEnum):
    """The parts of a round, and the end (phaseType)."""

    BALL = "ballPhase"
    PLAYER = "playerPhase"
    FAN = "fanPhase"
    UNBAN = "unbanPhase"
    FINISH = "gameFinish"


class BanReason(enum.StrEnum):
    """The fouls of players and of fans (banReason)."""

    STOOGING = "stooging"
    BLATCHING = "blatching"
    FLACKING = "flacking"
    HAVERSACKING = "haversacking"
    SNITCHNIP = "snitchnip"
    SNITCH_SNATCH = "snitchSnatch"
    ELF_TELEPORTATION = "elfTeleportation"
    GOBLIN_SHOCK = "goblinShock"
    TROLL_ROAR = "trollRoar"
    WOMBAT_POO = "wombatPoo"


@frozen
class Delta:
    """A change; what its type does not use is None, and null in the messages."""

    type: DeltaType
    success: bool | None = None
    old: Cell | None = None
    new: Cell | None = None
    active: Entity | None = None
    passive: Entity | None = None
    phase: Phase | None = None
    left_points: int | None = None
    right_points: int | None = None
    round: int | None = None
    ban_reason: BanReason | None = None


@frozen
class Request:
    """What a client asks for: those fields of a deltaRequest that have a meaning there.

    Requests of fans name no active entity: the turn determines who acts.
    """

    type: DeltaType
    new: Cell | None = None
    active: Entity | None = None
    passive: Entity | None = None

    def __str__(self) -> str:
        """What was asked for, in the words of the protocol."""
        words: list[str] = [self.type]
        if self.active is not None:
            words.append(f"by {self.active}")
        if self.passive is not None:
            words.append(f"with {self.passive}")
        if self.new is not None:
            words.append(f"to ({self.new.x}, {self.new.y})")
        return " ".join(words)
