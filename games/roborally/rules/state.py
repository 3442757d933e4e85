"""A game of Robo Rally at one moment."""

import enum
from collections.abc import Mapping

from games.roborally.rules.cards import REGISTERS, Card, Upgrade
from games.roborally.rules.course import Course
from games.roborally.rules.decisions import DECISIONS, Decision, Program
from games.roborally.rules.geometry import Cell, Direction
from games.roborally.rules.steps import Step
from ludothek.contract.frozen import frozen


class Phase(enum.IntEnum):
    """The numbers of the protocol."""

    SETUP = 0
    UPGRADE = 1
    PROGRAMMING = 2
    ACTIVATION = 3


NO_REGISTERS: tuple[Card | None, ...] = (None,) * REGISTERS


@frozen
class Player:
    """A player with robot, cards and what lasts for a round or for a register.

    Piles have their top card first. A robot has no position before it has started and while it
    is falling.
    """

    player_id: int
    facing: Direction
    position: Cell | None = None
    start: Cell | None = None
    energy: int = 5
    checkpoint: int = 0  # the number of the last one reached
    deck: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()
    discard: tuple[Card, ...] = ()
    registers: tuple[Card | None, ...] = NO_REGISTERS
    upgrades: tuple[Upgrade, ...] = ()
    absent: bool = False  # the robot stays, but its player is not asked

    finished: bool = False  # all registers were filled in time
    swapped: tuple[Card, ...] = ()  # drawn by a MemorySwap that is not finished yet
    rebooted: bool = False  # does nothing more in this round
    may_turn: bool = False  # a reboot allows one turn
    spoiled: frozenset[int] = frozenset()  # registers in which a damage card was played
    privileges: frozenset[int] = frozenset()  # registers for which AdminPrivilege was used

    acted: bool = False  # the card of this register has been played
    hacks: int = 0  # played before the card of this register
    shielded: bool = False

    @property
    def active(self) -> bool:
        """Whether the player plays the cards of this round."""
        return not self.rebooted and not self.absent


@frozen
class State:
    """Everything about a game; players are in the order in which they connected."""

    course: Course
    players: tuple[Player, ...]
    agenda: tuple[Step, ...]
    checkpoints: tuple[Cell, ...]  # where they are now
    energy: Mapping[Cell, int]  # cubes on the energy spaces
    bank: int
    piles: Mapping[Card, int]  # damage cards nobody has
    upgrade_deck: tuple[Upgrade, ...]
    upgrade_discard: tuple[Upgrade, ...] = ()
    shop: tuple[Upgrade, ...] = ()
    bought: bool = False  # somebody bought an upgrade in this round
    timer: bool = False  # runs while the last ones fill their registers
    phase: Phase = Phase.SETUP
    round: int = 1
    register: int = 0  # 1 to 5 in the activation phase
    order: tuple[int, ...] = ()  # of the players in this register
    winner: int | None = None

    @property
    def over(self) -> bool:
        return self.winner is not None or not self.players

    @property
    def pending(self) -> Decision | None:
        """What the game waits for; None when it is over or everybody is absent."""
        if not self.agenda or all(player.absent for player in self.players):
            return None
        head = self.agenda[0]
        return head if isinstance(head, DECISIONS) else None

    @property
    def deciding(self) -> tuple[int, ...]:
        """The players for whom the game waits."""
        pending = self.pending
        if pending is None:
            return ()
        if isinstance(pending, Program):
            unfinished = (p for p in self.players if not p.finished and not p.absent)
            return tuple(player.player_id for player in unfinished)
        return (pending.player_id,)

    @property
    def player_ids(self) -> tuple[int, ...]:
        return tuple(player.player_id for player in self.players)

    def player(self, player_id: int) -> Player:
        """Return a player who takes part; raises KeyError for anybody else."""
        for player in self.players:
            if player.player_id == player_id:
                return player
        raise KeyError(player_id)

    def at(self, cell: Cell) -> Player | None:
        """Return whose robot stands on a cell."""
        return next((player for player in self.players if player.position == cell), None)
