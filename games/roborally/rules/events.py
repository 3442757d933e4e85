"""What happened, named after the messages that report it, and in the order of the messages.

Fields have the names of the protocol. `YourCards`, `CardsYouGotNow` and `PickDamage` are for the
player they name, `NotYourCards` is for all others, everything else is for everybody.
"""

from games.roborally.rules.cards import Card, Upgrade
from games.roborally.rules.geometry import Rotation
from ludothek.contract.frozen import frozen


@frozen
class ActivePhase:
    phase: int


@frozen
class CurrentPlayer:
    player_id: int


@frozen
class StartingPointTaken:
    x: int
    y: int
    player_id: int


@frozen
class RefillShop:
    """Only the cards that are new."""

    cards: tuple[Upgrade, ...]


@frozen
class ExchangeShop:
    """The whole shop."""

    cards: tuple[Upgrade, ...]


@frozen
class UpgradeBought:
    player_id: int
    card: Upgrade


@frozen
class YourCards:
    """Private: the complete hand of its owner."""

    player_id: int
    cards_in_hand: tuple[Card, ...]
    cards_in_pile: int


@frozen
class NotYourCards:
    """For all but the owner; follows every `YourCards`."""

    player_id: int
    cards_in_hand: int
    cards_in_pile: int


@frozen
class ShuffleCoding:
    player_id: int


@frozen
class CardSelected:
    player_id: int
    register: int


@frozen
class SelectionFinished:
    player_id: int


@frozen
class TimerStarted:
    pass


@frozen
class TimerEnded:
    player_ids: tuple[int, ...]


@frozen
class CardsYouGotNow:
    """Private: what was drawn blindly into the open registers, in order."""

    player_id: int
    cards: tuple[Card, ...]


@frozen
class ActiveCard:
    player_id: int
    card: Card


@frozen
class CurrentCards:
    active_cards: tuple[ActiveCard, ...]


@frozen
class CardPlayed:
    player_id: int
    card: Card | Upgrade


@frozen
class Movement:
    player_id: int
    x: int
    y: int


@frozen
class PlayerTurning:
    player_id: int
    direction: Rotation


@frozen
class DrawDamage:
    player_id: int
    cards: tuple[Card, ...]


@frozen
class PickDamage:
    """Private: the game waits for the damage this player chooses."""

    player_id: int
    count: int


@frozen
class PlayerShooting:
    pass


@frozen
class Reboot:
    player_id: int


@frozen
class Energy:
    """The new total of a player and the source of the change."""

    player_id: int
    count: int
    source: str


@frozen
class CheckPointReached:
    player_id: int
    number: int


@frozen
class CheckpointMoved:
    checkpoint_id: int
    x: int
    y: int


@frozen
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
