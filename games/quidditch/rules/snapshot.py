"""Everything that everybody may see of a match at one moment."""

import attrs

from games.quidditch.rules.deltas import Delta, Phase
from games.quidditch.rules.entities import Entity, FanKind, Role
from games.quidditch.rules.pitch import Cell, Side
from ludothek.contract.frozen import frozen


@attrs.frozen(cache_hash=True)
class Player:
    """A player; one who is banned keeps the cell he left."""

    entity: Entity
    cell: Cell
    banned: bool = False
    turn_used: bool = False
    knockout: bool = False


@attrs.frozen(cache_hash=True)
class Fan:
    entity: Entity
    banned: bool = False
    turn_used: bool = False

    @property
    def kind(self) -> FanKind:
        return self.entity.kind


@frozen
class Snapshot:
    """A snapshot of the protocol without the names of spectators.

    Players are in the order of `entities.PLAYERS`, fans in a stable order, the left team's first.
    Records that did not change are the same objects as in the snapshot before.
    """

    delta: Delta  # lastDeltaBroadcast
    players: tuple[Player, ...]
    fans: tuple[Fan, ...]
    quaffle: Cell
    bludgers: tuple[Cell, Cell]
    snitch: Cell | None = None
    holder: Entity | None = None  # of the quaffle
    cubes: tuple[Cell, ...] = ()
    left_points: int = 0
    right_points: int = 0
    phase: Phase = Phase.BALL
    round: int = 1
    goal_was_thrown_this_round: bool = False
    # Which fan was banned in the turn that is not over yet. Nobody can see that, as fans of a kind
    # look alike, but everybody sees afterwards which of them has used its turn.
    banned_fan: int | None = attrs.field(default=None, eq=False, repr=False)

    def player(self, entity: Entity) -> Player:
        return self.players[entity.number]

    def team(self, side: Side) -> tuple[Player, ...]:
        return self.players[:7] if side is Side.LEFT else self.players[7:]

    def fans_of(self, side: Side) -> tuple[Fan, ...]:
        return tuple(fan for fan in self.fans if fan.entity.side is side)

    def points(self, side: Side) -> int:
        return self.left_points if side is Side.LEFT else self.right_points

    def banned(self, side: Side) -> int:
        """Return how many players of a team are currently banned."""
        return sum(player.banned for player in self.team(side))

    def at(self, cell: Cell) -> Player | None:
        """Return who is on a cell; banned players are nowhere."""
        for player in self.players:
            if player.cell == cell and not player.banned:
                return player
        return None

    def holds(self, player: Player) -> bool:
        """Return holdsQuaffle, or for a beater holdsBludger; seekers hold nothing."""
        if player.entity.role is Role.BEATER:
            return not player.banned and player.cell in self.bludgers
        return self.holder is player.entity
