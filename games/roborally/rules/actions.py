"""What players can do, named after the messages by which they do it."""

from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.geometry import Direction
from ludothek.contract.frozen import frozen


@frozen
class SetStartingPoint:
    player_id: int
    x: int
    y: int


@frozen
class BuyUpgrade:
    """Buy a card of the shop; None declines."""

    player_id: int
    card: Upgrade | None


@frozen
class SelectedCard:
    """Put a card of the hand into a register; None empties the register."""

    player_id: int
    card: Card | None
    register: int


@frozen
class PlayCard:
    """Play the card of the current register, an upgrade, or the turn after a reboot."""

    player_id: int
    card: Card | Upgrade


@frozen
class SelectedDamage:
    player_id: int
    cards: tuple[Card, ...]


@frozen
class DiscardSome:
    """Put cards from the hand on the player's deck, the first one on top."""

    player_id: int
    cards: tuple[Card, ...]


@frozen
class Boink:
    player_id: int
    orientation: Direction


@frozen
class EndTimer:
    """Time for programming is up; no player sends this, the clock does."""


Action = (
    SetStartingPoint
    | BuyUpgrade
    | SelectedCard
    | PlayCard
    | SelectedDamage
    | DiscardSome
    | Boink
    | EndTimer
)
