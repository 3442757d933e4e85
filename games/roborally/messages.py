"""The messages of the LMU protocol 2.0 for Robo Rally, in the order of the document."""

from typing import Any

import attrs

VERSION = "Version 2.0"
TO_ALL = -1


class ClientMessage:
    """What a client says."""


class ServerMessage:
    """What only the server says."""


# 2 Verbindungsaufbau


@attrs.frozen
class HelloClient(ServerMessage):
    protocol: str


@attrs.frozen
class HelloServer(ClientMessage):
    group: str
    is_ai: bool
    protocol: str


@attrs.frozen
class Welcome(ServerMessage):
    player_id: int


# 3 Lobby


@attrs.frozen
class PlayerValues(ClientMessage):
    name: str
    figure: int


@attrs.frozen
class PlayerAdded(ServerMessage):
    player_id: int
    name: str
    figure: int


@attrs.frozen
class SetStatus(ClientMessage):
    ready: bool


@attrs.frozen
class PlayerStatus(ServerMessage):
    player_id: int
    ready: bool


@attrs.frozen
class GameStarted(ServerMessage):
    game_map: Any  # lists of x, y and field objects, as a course file has them


# 4 Chatnachrichten


@attrs.frozen
class SendChat(ClientMessage):
    message: str
    to: int


@attrs.frozen
class ReceivedChat(ServerMessage):
    message: str
    from_: int
    is_private: bool


# 5 Besondere Nachrichten


@attrs.frozen
class Error(ServerMessage):
    error: str


@attrs.frozen
class ConnectionUpdate(ServerMessage):
    player_id: int
    is_connected: bool
    action: str


# 6 Spielkarten


@attrs.frozen
class PlayCard(ClientMessage):
    card: str


@attrs.frozen
class CardPlayed(ServerMessage):
    player_id: int
    card: str


# 7 Spielzug abhandeln


@attrs.frozen
class CurrentPlayer(ServerMessage):
    player_id: int


@attrs.frozen
class ActivePhase(ServerMessage):
    phase: int


# 7.1 Aufbauphase


@attrs.frozen
class SetStartingPoint(ClientMessage):
    x: int
    y: int


@attrs.frozen
class StartingPointTaken(ServerMessage):
    x: int
    y: int
    player_id: int


# 7.2 Upgradephase


@attrs.frozen
class RefillShop(ServerMessage):
    cards: list[str]


@attrs.frozen
class ExchangeShop(ServerMessage):
    cards: list[str]


@attrs.frozen
class BuyUpgrade(ClientMessage):
    is_buying: bool
    card: str | None = None


@attrs.frozen
class UpgradeBought(ServerMessage):
    player_id: int
    card: str


# 7.3 Programmierphase


@attrs.frozen
class YourCards(ServerMessage):
    cards_in_hand: list[str]
    cards_in_pile: int


@attrs.frozen
class NotYourCards(ServerMessage):
    player_id: int
    cards_in_hand: int
    cards_in_pile: int


@attrs.frozen
class ShuffleCoding(ServerMessage):
    player_id: int


@attrs.frozen(kw_only=True)
class SelectedCard(ClientMessage):
    card: str | None = None
    register: int


@attrs.frozen
class CardSelected(ServerMessage):
    player_id: int
    register: int


@attrs.frozen
class SelectionFinished(ServerMessage):
    player_id: int


@attrs.frozen
class TimerStarted(ServerMessage):
    pass


@attrs.frozen
class TimerEnded(ServerMessage):
    player_ids: list[int]


@attrs.frozen
class CardsYouGotNow(ServerMessage):
    cards: list[str]


# 7.4 Aktivierungsphase


@attrs.frozen
class ActiveCard:
    player_id: int
    card: str


@attrs.frozen
class CurrentCards(ServerMessage):
    active_cards: list[ActiveCard]


# 8 Aktionen, Ereignisse und Effekte


@attrs.frozen
class Movement(ServerMessage):
    player_id: int
    x: int
    y: int


@attrs.frozen
class DrawDamage(ServerMessage):
    player_id: int
    cards: list[str]


@attrs.frozen
class PickDamage(ServerMessage):
    count: int


@attrs.frozen
class SelectedDamage(ClientMessage):
    cards: list[str]


@attrs.frozen
class PlayerShooting(ServerMessage):
    pass


@attrs.frozen
class Reboot(ServerMessage):
    player_id: int


@attrs.frozen
class PlayerTurning(ServerMessage):
    player_id: int
    direction: str


@attrs.frozen
class Energy(ServerMessage):
    player_id: int
    count: int
    source: str


@attrs.frozen
class CheckPointReached(ServerMessage):
    player_id: int
    number: int


@attrs.frozen
class GameFinished(ServerMessage):
    player_id: int


@attrs.frozen
class DiscardSome(ClientMessage):
    cards: list[str]


@attrs.frozen
class Boink(ClientMessage):
    orientation: str


@attrs.frozen
class CheckpointMoved(ServerMessage):
    checkpoint_id: int
    x: int
    y: int


MESSAGES: dict[str, type] = {
    message.__name__: message
    for side in (ClientMessage, ServerMessage)
    for message in side.__subclasses__()
}
