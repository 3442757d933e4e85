"""What happened in the rules, as messages, and who may hear it."""

import enum
from typing import Any

import attrs

from games.roborally import messages
from games.roborally.rules import Event, events


def may_hear(player_id: int, event: Event) -> bool:
    """Whether an event is told to a member; this is the only place that keeps hands secret."""
    match event:
        case events.YourCards() | events.CardsYouGotNow() | events.PickDamage():
            return event.player_id == player_id
        case events.NotYourCards():
            return event.player_id != player_id
    return True


def message(event: Event) -> Any:
    """The message that reports an event; both have the same name and fields."""
    kind = messages.MESSAGES[type(event).__name__]
    return kind(*(_plain(getattr(event, field.name)) for field in attrs.fields(kind)))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, events.ActiveCard):
        return messages.ActiveCard(value.player_id, str(value.card))
    return value.value if isinstance(value, enum.Enum) else value
