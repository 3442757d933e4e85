"""What players ask for: their messages as actions of the rules, and back."""

import enum
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from games.roborally import breaches, rules
from games.roborally.messages import (
    Boink,
    BuyUpgrade,
    DiscardSome,
    PlayCard,
    SelectedCard,
    SelectedDamage,
    SetStartingPoint,
)
from games.roborally.refusals import Refused
from games.roborally.rules import Action, Card, Direction, Upgrade

E = TypeVar("E", bound=enum.StrEnum)


def _word(kind: type[E], place: str, text: str) -> E:
    try:
        return kind(text)
    except ValueError:
        raise Refused(breaches.unknown_word(kind, place, text)) from None


def _cards(texts: Sequence[str]) -> tuple[Card, ...]:
    return tuple(_word(Card, f"cards/{n}", text) for n, text in enumerate(texts))


def _set_starting_point(player_id: int, message: SetStartingPoint) -> Action:
    return rules.SetStartingPoint(player_id, message.x, message.y)


def _buy_upgrade(player_id: int, message: BuyUpgrade) -> Action:
    if not message.is_buying:
        return rules.BuyUpgrade(player_id, None)
    if message.card is None:
        raise Refused(breaches.no_card_to_buy())
    return rules.BuyUpgrade(player_id, _word(Upgrade, "card", message.card))


def _selected_card(player_id: int, message: SelectedCard) -> Action:
    card = None if message.card is None else _word(Card, "card", message.card)
    return rules.SelectedCard(player_id, card, message.register)


def _play_card(player_id: int, message: PlayCard) -> Action:
    if message.card in set(Upgrade):
        return rules.PlayCard(player_id, Upgrade(message.card))
    return rules.PlayCard(player_id, _word(Card, "card", message.card))


def _selected_damage(player_id: int, message: SelectedDamage) -> Action:
    return rules.SelectedDamage(player_id, _cards(message.cards))


def _discard_some(player_id: int, message: DiscardSome) -> Action:
    return rules.DiscardSome(player_id, _cards(message.cards))


def _boink(player_id: int, message: Boink) -> Action:
    return rules.Boink(player_id, _word(Direction, "orientation", message.orientation))


_TRANSLATE: dict[type, Callable[[int, Any], Action]] = {
    SetStartingPoint: _set_starting_point,
    BuyUpgrade: _buy_upgrade,
    SelectedCard: _selected_card,
    PlayCard: _play_card,
    SelectedDamage: _selected_damage,
    DiscardSome: _discard_some,
    Boink: _boink,
}


def action(player_id: int, request: Any) -> Action:
    """The action that a player's request asks for.

    Raises:
      Refused: it has a name for a card or direction that the protocol does not know.
    """
    return _TRANSLATE[type(request)](player_id, request)


def request(action: Action) -> Any:
    """The message by which a client asks for an action; clients cannot end the timer."""
    match action:
        case rules.SetStartingPoint(x=x, y=y):
            return SetStartingPoint(x, y)
        case rules.BuyUpgrade(card=upgrade):
            return BuyUpgrade(upgrade is not None, upgrade and upgrade.value)
        case rules.SelectedCard(card=card, register=register):
            return SelectedCard(card=card and card.value, register=register)
        case rules.PlayCard(card=card):
            return PlayCard(card.value)
        case rules.SelectedDamage(cards=cards):
            return SelectedDamage([card.value for card in cards])
        case rules.DiscardSome(cards=cards):
            return DiscardSome([card.value for card in cards])
        case rules.Boink(orientation=orientation):
            return Boink(orientation.value)
    raise ValueError(action)
