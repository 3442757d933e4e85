"""What a player can do, and what is done for one who does not answer."""

import itertools
from collections.abc import Iterable, Iterator
from typing import TypeVar

from games.roborally.rules.actions import (
    Action,
    Boink,
    BuyUpgrade,
    DiscardSome,
    EndTimer,
    PlayCard,
    SelectedCard,
    SelectedDamage,
    SetStartingPoint,
)
from games.roborally.rules.cards import REGISTERS, Card
from games.roborally.rules.damage import choices, default_damage
from games.roborally.rules.decisions import (
    Damage,
    Program,
    Purchase,
    RegisterCard,
    Routine,
    StartPoint,
)
from games.roborally.rules.geometry import Direction
from games.roborally.rules.plays import register_card
from games.roborally.rules.programming import SWAPPED, hand_without
from games.roborally.rules.referee import allows
from games.roborally.rules.setup import free_starts
from games.roborally.rules.state import State

T = TypeVar("T")


def legal_actions(state: State, player_id: int) -> list[Action]:
    """Return everything a player may do now, whether the game waits for it or not.

    Of cards to put on the deck only one order is listed for each choice, and for CacheMemory only
    single cards: all orders would be millions.
    """
    return [action for action in _candidates(state, player_id) if allows(state, action)]


def _candidates(state: State, player_id: int) -> Iterator[Action]:
    player = state.player(player_id)
    for cell in free_starts(state):
        yield SetStartingPoint(player_id, cell.x, cell.y)
    for upgrade in (*_distinct(state.shop), None):
        yield BuyUpgrade(player_id, upgrade)
    for register in range(1, REGISTERS + 1):
        for card in (*_distinct(hand_without(player, register)), None):
            yield SelectedCard(player_id, card, register)
    for playable in (*Card, *_distinct(player.upgrades)):
        yield PlayCard(player_id, playable)
    for direction in Direction:
        yield Boink(player_id, direction)
    choices_of_hand = itertools.combinations(sorted(player.hand), SWAPPED if player.swapped else 1)
    for cards in _distinct(choices_of_hand):
        yield DiscardSome(player_id, cards)
    if isinstance(state.pending, Damage):
        kinds = sorted(choices(state.piles, state.pending))
        for cards in itertools.combinations_with_replacement(kinds, state.pending.count):
            yield SelectedDamage(player_id, cards)


def _distinct(things: Iterable[T]) -> list[T]:
    return list(dict.fromkeys(things))


def default_action(state: State, player_id: int) -> Action:
    """Return what is done for a player who does not answer while the game waits."""
    match state.pending:
        case StartPoint():
            cell = free_starts(state)[0]
            return SetStartingPoint(player_id, cell.x, cell.y)
        case Purchase():
            return BuyUpgrade(player_id, None)
        case Program():
            return _default_selection(state, player_id)
        case RegisterCard() if card := register_card(state, player_id):
            return PlayCard(player_id, card)
        case Damage() as damage:
            return SelectedDamage(player_id, default_damage(state.piles, damage))
        case Routine(_, options):
            return PlayCard(player_id, options[0])
    raise ValueError("the game waits for nobody")


def _default_selection(state: State, player_id: int) -> Action:
    player = state.player(player_id)
    for register in (n for n, card in enumerate(player.registers, 1) if card is None):
        for card in player.hand:
            selection = SelectedCard(player_id, card, register)
            if allows(state, selection):
                return selection
    return EndTimer()  # a hand of nothing but repetitions cannot fill the first register
