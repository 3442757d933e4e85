"""What players can do, named after the messages by which they do it."""

import attrs

from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.geometry import Direction


@attrs.frozen
class SetStartingPoint:
    player_id: int
    x: int
    y: int


@attrs.frozen
class BuyUpgrade:
    """Buy a card of the shop; None declines."""

    player_id: int
    card: Upgrade | None


@attrs.frozen
class SelectedCard:
    """Put a card of the hand into a register; None empties the register."""

    player_id: int
    card: Card | None
    register: int


@attrs.frozen
class PlayCard:
    """Play the card of the current register, an upgrade, or the turn after a reboot."""

    player_id: int
    card: Card | Upgrade


@attrs.frozen
class SelectedDamage:
    player_id: int
    cards: tuple[Card, ...]


@attrs.frozen
class DiscardSome:
    """Put cards of the hand on the own deck, the first one topmost."""

    player_id: int
    cards: tuple[Card, ...]


@attrs.frozen
class Boink:
    player_id: int
    orientation: Direction


@attrs.frozen
class EndTimer:
    """Time for programming is over; no player sends this, the clock does."""


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
