"""What happened, named after the messages that tell it; the order is that of the messages.

Fields have the names of the protocol. `YourCards`, `CardsYouGotNow` and `PickDamage` are for the
player they name, `NotYourCards` is for all others, everything else is for everybody.
"""

import attrs

from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.geometry import Rotation


@attrs.frozen
class ActivePhase:
    phase: int


@attrs.frozen
class CurrentPlayer:
    player_id: int


@attrs.frozen
class StartingPointTaken:
    x: int
    y: int
    player_id: int


@attrs.frozen
class RefillShop:
    """Only the cards that are new."""

    cards: tuple[Upgrade, ...]


@attrs.frozen
class ExchangeShop:
    """The whole shop."""

    cards: tuple[Upgrade, ...]


@attrs.frozen
class UpgradeBought:
    player_id: int
    card: Upgrade


@attrs.frozen
class YourCards:
    """Private: the complete hand of its owner."""

    player_id: int
    cards_in_hand: tuple[Card, ...]
    cards_in_pile: int


@attrs.frozen
class NotYourCards:
    """For all but the owner; follows every `YourCards`."""

    player_id: int
    cards_in_hand: int
    cards_in_pile: int


@attrs.frozen
class ShuffleCoding:
    player_id: int


@attrs.frozen
class CardSelected:
    player_id: int
    register: int


@attrs.frozen
class SelectionFinished:
    player_id: int


@attrs.frozen
class TimerStarted:
    pass


@attrs.frozen
class TimerEnded:
    player_ids: tuple[int, ...]


@attrs.frozen
class CardsYouGotNow:
    """Private: what was drawn blindly into the open registers, in their order."""

    player_id: int
    cards: tuple[Card, ...]


@attrs.frozen
class ActiveCard:
    player_id: int
    card: Card


@attrs.frozen
class CurrentCards:
    active_cards: tuple[ActiveCard, ...]


@attrs.frozen
class CardPlayed:
    player_id: int
    card: Card | Upgrade


@attrs.frozen
class Movement:
    player_id: int
    x: int
    y: int


@attrs.frozen
class PlayerTurning:
    player_id: int
    direction: Rotation


@attrs.frozen
class DrawDamage:
    player_id: int
    cards: tuple[Card, ...]


@attrs.frozen
class PickDamage:
    """Private: the game waits for the damage this player chooses."""

    player_id: int
    count: int


@attrs.frozen
class PlayerShooting:
    pass


@attrs.frozen
class Reboot:
    player_id: int


@attrs.frozen
class Energy:
    """The new sum of a player and where the change came from."""

    player_id: int
    count: int
    source: str


@attrs.frozen
class CheckPointReached:
    player_id: int
    number: int


@attrs.frozen
class CheckpointMoved:
    checkpoint_id: int
    x: int
    y: int


@attrs.frozen
class GameFinished:
    player_id: int


Event = (
    ActivePhase
    | CurrentPlayer
    | StartingPointTaken
    | RefillShop
    | ExchangeShop
    | UpgradeBought
    | YourCards
    | NotYourCards
    | ShuffleCoding
    | CardSelected
    | SelectionFinished
    | TimerStarted
    | TimerEnded
    | CardsYouGotNow
    | CurrentCards
    | CardPlayed
    | Movement
    | PlayerTurning
    | DrawDamage
    | PickDamage
    | PlayerShooting
    | Reboot
    | Energy
    | CheckPointReached
    | CheckpointMoved
    | GameFinished
)
