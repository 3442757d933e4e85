"""The messages of the LMU protocol 2.0 for Robo Rally, in the order of the document."""

from typing import Any

from ludothek.contract.frozen import frozen

VERSION = "Version 2.0"
TO_ALL = -1


class ClientMessage:
    """What a client says."""


class ServerMessage:
    """What only the server says."""


# 2 Verbindungsaufbau


@frozen
class HelloClient(ServerMessage):
    protocol: str


@frozen
class HelloServer(ClientMessage):
    group: str
    is_ai: bool
    protocol: str


@frozen
class Welcome(ServerMessage):
    player_id: int


# 3 Lobby


@frozen
class PlayerValues(ClientMessage):
    name: str
    figure: int


@frozen
class PlayerAdded(ServerMessage):
    player_id: int
    name: str
    figure: int


@frozen
class SetStatus(ClientMessage):
    ready: bool


@frozen
class PlayerStatus(ServerMessage):
    player_id: int
    ready: bool


@frozen
class GameStarted(ServerMessage):
    game_map: Any  # lists of x, y and field objects, as in a course file


# 4 Chatnachrichten


@frozen
class SendChat(ClientMessage):
    message: str
    to: int


@frozen
class ReceivedChat(ServerMessage):
    message: str
    from_: int
    is_private: bool


# 5 Besondere Nachrichten


@frozen
class Error(ServerMessage):
    error: str


@frozen
class ConnectionUpdate(ServerMessage):
    player_id: int
    is_connected: bool
    action: str


# 6 Spielkarten


@frozen
class PlayCard(ClientMessage):
    card: str


@frozen
class CardPlayed(ServerMessage):
    player_id: int
    card: str


# 7 Spielzug abhandeln


@frozen
class CurrentPlayer(ServerMessage):
    player_id: int


@frozen
class ActivePhase(ServerMessage):
    phase: int


# 7.1 Aufbauphase


@frozen
class SetStartingPoint(ClientMessage):
    x: int
    y: int


@frozen
class StartingPointTaken(ServerMessage):
    x: int
    y: int
    player_id: int


# 7.2 Upgradephase


@frozen
class RefillShop(ServerMessage):
    cards: list[str]


@frozen
class ExchangeShop(ServerMessage):
    cards: list[str]


@frozen
class BuyUpgrade(ClientMessage):
    is_buying: bool
    card: str | None = None


@frozen
class UpgradeBought(ServerMessage):
    player_id: int
    card: str


# 7.3 Programmierphase


@frozen
class YourCards(ServerMessage):
    cards_in_hand: list[str]
    cards_in_pile: int


@frozen
class NotYourCards(ServerMessage):
    player_id: int
    cards_in_hand: int
    cards_in_pile: int


@frozen
class ShuffleCoding(ServerMessage):
    player_id: int


@frozen(kw_only=True)
class SelectedCard(ClientMessage):
    card: str | None = None
    register: int


@frozen
class CardSelected(ServerMessage):
    player_id: int
    register: int


@frozen
class SelectionFinished(ServerMessage):
    player_id: int


@frozen
class TimerStarted(ServerMessage):
    pass


@frozen
class TimerEnded(ServerMessage):
    player_ids: list[int]


@frozen
class CardsYouGotNow(ServerMessage):
    cards: list[str]


# 7.4 Aktivierungsphase


@frozen
class ActiveCard:
    player_id: int
    card: str


@frozen
class CurrentCards(ServerMessage):
    active_cards: list[ActiveCard]


# 8 Aktionen, Ereignisse und Effekte


@frozen
class Movement(ServerMessage):
    player_id: int
    x: int
    y: int


@frozen
class DrawDamage(ServerMessage):
    player_id: int
    cards: list[str]


@frozen
class PickDamage(ServerMessage):
    count: int


@frozen
class SelectedDamage(ClientMessage):
    cards: list[str]


@frozen
class PlayerShooting(ServerMessage):
    pass


@frozen
class Reboot(ServerMessage):
    player_id: int


@frozen
class PlayerTurning(ServerMessage):
    player_id: int
    direction: str


@frozen
class Energy(ServerMessage):
    player_id: int
    count: int
    source: str


@frozen
class CheckPointReached(ServerMessage):
    player_id: int
    number: int


@frozen
class GameFinished(ServerMessage):
    player_id: int


@frozen
class DiscardSome(ClientMessage):
    cards: list[str]


@frozen
class Boink(ClientMessage):
    orientation: str


@frozen
class CheckpointMoved(ServerMessage):
    checkpoint_id: int
    x: int
    y: int


MESSAGES: dict[str, type] = {
    message.__name__: message
    for side in (ClientMessage, ServerMessage)
    for message in side.__subclasses__()
}

# What clients may say.
REQUESTS = {name for name, message in MESSAGES.items() if issubclass(message, ClientMessage)}
