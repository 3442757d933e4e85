"""What one player may know about a game."""

from collections.abc import Mapping

from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.course import Course
from games.roborally.rules.decisions import Decision
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.state import Player, State
from ludothek.contract.frozen import frozen


@frozen
class Robot:
    """What everybody knows about a player."""

    player_id: int
    position: Cell | None
    facing: Direction
    start: Cell | None
    energy: int
    checkpoint: int
    rebooted: bool
    upgrades: tuple[Upgrade, ...]

    @classmethod
    def of(cls, player: Player) -> "Robot":
        return cls(
            player.player_id,
            player.position,
            player.facing,
            player.start,
            player.energy,
            player.checkpoint,
            player.rebooted,
            player.upgrades,
        )


@frozen
class View:
    """A game as its player `player_id` sees it; a client can build it from messages alone."""

    course: Course
    player_id: int
    pending: Decision | None
    robots: tuple[Robot, ...]
    checkpoints: tuple[Cell, ...]  # where they are now
    shop: tuple[Upgrade, ...]
    piles: Mapping[Card, int]  # damage cards nobody has
    hand: tuple[Card, ...]
    registers: tuple[Card | None, ...]
    swapped: bool = False  # three cards have to be put back
    may_turn: bool = False  # a reboot allows one turn
    register: int = 0

    @classmethod
    def of(cls, state: State, player_id: int) -> "View":
        player = state.player(player_id)
        return cls(
            state.course,
            player_id,
            state.pending,
            tuple(Robot.of(other) for other in state.players),
            state.checkpoints,
            state.shop,
            state.piles,
            player.hand,
            player.registers,
            bool(player.swapped),
            player.may_turn,
            state.register,
        )

    @property
    def me(self) -> Robot:
        return next(robot for robot in self.robots if robot.player_id == self.player_id)
