"""Everybody and everything that can act or be acted on, with the names of the protocol."""

import enum
import functools
from collections.abc import Mapping

from games.quidditch.rules.pitch import Side


class Role(enum.StrEnum):
    """What a player does in the team."""

    SEEKER = "seeker"
    KEEPER = "keeper"
    CHASER = "chaser"
    BEATER = "beater"


class Position(enum.StrEnum):
    """One of the seven places in a team; the keys of `players` in the messages."""

    SEEKER = "seeker"
    KEEPER = "keeper"
    CHASER1 = "chaser1"
    CHASER2 = "chaser2"
    CHASER3 = "chaser3"
    BEATER1 = "beater1"
    BEATER2 = "beater2"

    @functools.cached_property
    def role(self) -> Role:
        return Role(self.rstrip("123"))


class FanKind(enum.StrEnum):
    """What a fan is, which decides what it can do (fanType)."""

    GOBLIN = "goblin"
    TROLL = "troll"
    ELF = "elf"
    NIFFLER = "niffler"
    WOMBAT = "wombat"


class Entity(enum.StrEnum):
    """An entityID. Fans of one kind and team share theirs."""

    LEFT_SEEKER = "leftSeeker"
    LEFT_KEEPER = "leftKeeper"
    LEFT_CHASER1 = "leftChaser1"
    LEFT_CHASER2 = "leftChaser2"
    LEFT_CHASER3 = "leftChaser3"
    LEFT_BEATER1 = "leftBeater1"
    LEFT_BEATER2 = "leftBeater2"
    RIGHT_SEEKER = "rightSeeker"
    RIGHT_KEEPER = "rightKeeper"
    RIGHT_CHASER1 = "rightChaser1"
    RIGHT_CHASER2 = "rightChaser2"
    RIGHT_CHASER3 = "rightChaser3"
    RIGHT_BEATER1 = "rightBeater1"
    RIGHT_BEATER2 = "rightBeater2"
    SNITCH = "snitch"
    BLUDGER1 = "bludger1"
    BLUDGER2 = "bludger2"
    QUAFFLE = "quaffle"
    LEFT_GOBLIN = "leftGoblin"
    LEFT_TROLL = "leftTroll"
    LEFT_ELF = "leftElf"
    LEFT_NIFFLER = "leftNiffler"
    LEFT_WOMBAT = "leftWombat"
    RIGHT_GOBLIN = "rightGoblin"
    RIGHT_TROLL = "rightTroll"
    RIGHT_ELF = "rightElf"
    RIGHT_NIFFLER = "rightNiffler"
    RIGHT_WOMBAT = "rightWombat"

    @functools.cached_property
    def side(self) -> Side:
        """The team of a player or fan; raises ValueError for a ball."""
        for side in Side:
            if self.startswith(side):
                return side
        raise ValueError(f"the {self} belongs to no team")

    @functools.cached_property
    def is_player(self) -> bool:
        return self in PLAYERS

    @functools.cached_property
    def is_fan(self) -> bool:
        return self in FANS

    @functools.cached_property
    def number(self) -> int:
        """The place of a player among all fourteen."""
        return PLAYERS.index(self)

    @functools.cached_property
    def position(self) -> Position:
        """The place of a player in the team."""
        return Position(self.removeprefix(self.side).lower())

    @functools.cached_property
    def role(self) -> Role:
        """The role of a player."""
        return self.position.role

    @functools.cached_property
    def handles_quaffle(self) -> bool:
        """Whether this is a player who can hold the quaffle."""
        return self.is_player and self.role in (Role.CHASER, Role.KEEPER)

    @functools.cached_property
    def kind(self) -> FanKind:
        """What a fan is."""
        return FanKind(self.removeprefix(self.side).lower())


def player_of(side: Side, position: Position) -> Entity:
    return Entity(f"{side}{position.capitalize()}")


def fan_of(side: Side, kind: FanKind) -> Entity:
    return Entity(f"{side}{kind.capitalize()}")


# All players, the left team first; `Entity.number` is the index into this.
PLAYERS: tuple[Entity, ...] = tuple(player_of(side, place) for side in Side for place in Position)
FANS: frozenset[Entity] = frozenset(fan_of(side, kind) for side in Side for kind in FanKind)
BLUDGERS: tuple[Entity, Entity] = (Entity.BLUDGER1, Entity.BLUDGER2)

TEAMS: Mapping[Side, tuple[Entity, ...]] = {
    side: tuple(entity for entity in PLAYERS if entity.startswith(side)) for side in Side
}
SEEKERS: tuple[Entity, Entity] = (Entity.LEFT_SEEKER, Entity.RIGHT_SEEKER)
