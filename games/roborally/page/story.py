"""What happens in a game of Robo Rally, in events that words.js has sentences for."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from games.roborally import messages as m
from games.roborally.rules import Phase
from games.roborally.table import RoboRallyTable
from ludothek.contract.page import Event
from ludothek.contract.table import Table


def tell(table: Table, message: Any) -> Iterable[Event]:
    """What everybody may know, once: not what is retold to somebody who comes back."""
    assert isinstance(table, RoboRallyTable)
    sentence, match = _SENTENCES.get(type(message)), table.latest_match
    if sentence is None or (match and any(message is each for each in match.retold)):
        return ()
    event = sentence(table, message)
    return () if event is None else (event,)


def _about(what: str, *fields: str) -> Callable[[RoboRallyTable, Any], Event]:
    """A sentence about the player of a message, with some of its other fields."""

    def sentence(table: RoboRallyTable, message: Any) -> Event:
        told = {field: getattr(message, field) for field in fields}
        return {"what": what, "name": _name(table, message.player_id), **told}

    return sentence


def _name(table: RoboRallyTable, player_id: int) -> str:
    found = (each.name for each in table.members if each.player_id == player_id)
    return table.names.get(player_id) or next(found, None) or f"#{player_id}"


def _card(card: str) -> Event:
    """A programming or damage card, as the page calls it."""
    return {"what": f"card_{card}"}


def _upgrades(names: Iterable[str]) -> Sequence[str]:
    """As printed: AdminPrivilege has two words."""
    return [re.sub("(?<=[a-z])(?=[A-Z])", " ", name) for name in names]


# Sentences of their own


def _phase(table: RoboRallyTable, message: m.ActivePhase) -> Event:
    match = table.latest_match
    phase = Phase(message.phase).name.lower()
    return {"what": f"phase_{phase}", "round": match.state.round if match else 1}


def _shop(table: RoboRallyTable, message: m.RefillShop | m.ExchangeShop) -> Event | None:
    """A shop that is full gets no new cards."""
    what = "shop_exchanged" if isinstance(message, m.ExchangeShop) else "shop_filled"
    return {"what": what, "cards": _upgrades(message.cards)} if message.cards else None


def _timer_ended(table: RoboRallyTable, message: m.TimerEnded) -> Event:
    late: Sequence[str] = [_name(table, each) for each in message.player_ids]
    return {"what": "timer_late", "names": late} if late else {"what": "timer_ended"}


def _revealed(table: RoboRallyTable, message: m.CurrentCards) -> Event:
    """The register is the present one: its cards have yet to be played."""
    match = table.latest_match
    cards = [
        {"what": "revealed_card", "name": _name(table, each.player_id), "card": _card(each.card)}
        for each in message.active_cards
    ]
    return {"what": "revealed", "register": match.state.register if match else 0, "cards": cards}


def _played(table: RoboRallyTable, message: m.CardPlayed) -> Event:
    name = _name(table, message.player_id)
    return {"what": "played", "name": name, "card": _card(message.card)}


def _bought(table: RoboRallyTable, message: m.UpgradeBought) -> Event:
    name = _name(table, message.player_id)
    return {"what": "bought", "name": name, "card": _upgrades([message.card])[0]}


def _damaged(table: RoboRallyTable, message: m.DrawDamage) -> Event:
    name = _name(table, message.player_id)
    return {"what": "damaged", "name": name, "cards": [*map(_card, message.cards)]}


def _turned(table: RoboRallyTable, message: m.PlayerTurning) -> Event:
    return {"what": f"turned_{message.direction}", "name": _name(table, message.player_id)}


def _energy(table: RoboRallyTable, message: m.Energy) -> Event:
    """Energy comes from cards and fields, and is paid for upgrades."""
    what = {"card": "energy_card", "field": "energy_field"}.get(message.source, "energy_paid")
    return {"what": what, "name": _name(table, message.player_id), "count": message.count}


def _said(table: RoboRallyTable, message: m.ReceivedChat) -> Event | None:
    if message.is_private:
        return None
    return {"what": "said", "name": _name(table, message.from_), "text": message.message}


def _connection(table: RoboRallyTable, message: m.ConnectionUpdate) -> Event:
    what = "came_back" if message.is_connected else _LOSSES[message.action]
    return {"what": what, "name": _name(table, message.player_id)}


_LOSSES = {"Remove": "left", "Ignore": "lost", "AIControl": "replaced"}


# Messages with cards that only their owner may see are not here, nor those that views show.
_SENTENCES: Mapping[type, Callable[[RoboRallyTable, Any], Event | None]] = {
    m.ReceivedChat: _said,
    m.ConnectionUpdate: _connection,
    m.CardPlayed: _played,
    m.ActivePhase: _phase,
    m.StartingPointTaken: _about("started", "x", "y"),
    m.RefillShop: _shop,
    m.ExchangeShop: _shop,
    m.UpgradeBought: _bought,
    m.ShuffleCoding: _about("shuffled"),
    m.SelectionFinished: _about("programmed"),
    m.TimerStarted: lambda table, message: {"what": "timer_started"},
    m.TimerEnded: _timer_ended,
    m.CurrentCards: _revealed,
    m.Movement: _about("moved", "x", "y"),
    m.DrawDamage: _damaged,
    m.PlayerShooting: lambda table, message: {"what": "shooting"},
    m.Reboot: _about("rebooted"),
    m.PlayerTurning: _turned,
    m.Energy: _energy,
    m.CheckPointReached: _about("reached", "number"),
    m.CheckpointMoved: lambda table, message: {
        "what": "checkpoint_moved",
        "number": message.checkpoint_id,
        "x": message.x,
        "y": message.y,
    },
}
