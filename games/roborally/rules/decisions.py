"""What the game can wait for; `state.pending` is one of these while the game runs."""

from games.roborally.rules.cards import Card
from ludothek.contract.frozen import frozen


@frozen
class StartPoint:
    """The player has to choose a start point: SetStartingPoint."""

    player_id: int


@frozen
class Purchase:
    """The player buys an upgrade or declines: BuyUpgrade."""

    player_id: int


@frozen
class Program:
    """All players fill their registers at the same time: SelectedCard, or EndTimer for all."""


@frozen
class RegisterCard:
    """The current player has to play the card of the register: PlayCard."""

    player_id: int


@frozen
class Damage:
    """A pile has too few cards: the player chooses `count` others: SelectedDamage.

    What is left of the pile of `kind` is taken in addition.
    """

    player_id: int
    kind: Card
    count: int


@frozen
class Routine:
    """The player chooses what the card in the register does: PlayCard with one of `options`."""

    player_id: int
    options: tuple[Card, ...]


Decision = StartPoint | Purchase | Program | RegisterCard | Damage | Routine
DECISIONS = (StartPoint, Purchase, Program, RegisterCard, Damage, Routine)
