"""The programming phase: hands, registers and the timer."""

from collections import Counter

from games.roborally.rules.actions import DiscardSome, SelectedCard
from games.roborally.rules.cards import HAND, REGISTERS, REPEATING, Card, Upgrade
from games.roborally.rules.decks import (
    discard_hand,
    draw,
    draw_hand,
    put_on_deck,
    show_hand,
    without,
)
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import (
    CardSelected,
    CardsYouGotNow,
    SelectionFinished,
    TimerEnded,
    TimerStarted,
)
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.state import NO_REGISTERS, Phase, Player, State
from ludothek.contract.mistakes import RuleViolation

SWAPPED = 3  # cards drawn and put back by a MemorySwap


def deal(draft: Draft, player_id: int) -> None:
    sticks = draft.player(player_id).upgrades.count(Upgrade.MEMORY_STICK)
    draw_hand(draft, player_id, HAND + sticks)
    show_hand(draft, player_id)


def was_dealt(player: Player) -> bool:
    """Whether a player has cards for this round: at least five, in the hand or in registers."""
    return bool(player.hand) or player.registers != NO_REGISTERS


def interrupt(draft: Draft, player_id: int) -> None:
    """Keep the cards of a player who is gone for its return, in the hand unless it has finished.

    Otherwise a player could get new cards by dropping the connection.
    """
    _undo_swap(draft, draft.player(player_id))
    player = draft.player(player_id)
    if not player.finished:
        cards = tuple(card for card in player.registers if card is not None)
        draft.change(player_id, hand=player.hand + cards, registers=NO_REGISTERS)


def drop_program(draft: Draft, player_id: int) -> None:
    """Discard all cards of this round: the robot stands still until the next one."""
    discard_hand(draft, player_id)
    player = draft.player(player_id)
    cards = tuple(card for card in player.registers if card is not None)
    draft.change(player_id, finished=False, registers=NO_REGISTERS, discard=cards + player.discard)


def check_selection(state: State, action: SelectedCard) -> None:
    player = state.player(action.player_id)
    if state.phase is not Phase.PROGRAMMING:
        raise RuleViolation(Mistake.WRONG_PHASE)
    if action.register not in range(1, REGISTERS + 1):
        raise RuleViolation(Mistake.NO_SUCH_REGISTER)
    if player.finished:
        raise RuleViolation(Mistake.ALREADY_FINISHED)
    hand = hand_without(player, action.register)
    if action.card is None:
        return
    if action.card not in hand:
        raise RuleViolation(Mistake.NOT_IN_HAND)
    if action.card in REPEATING and action.register == 1:
        raise RuleViolation(Mistake.NOTHING_TO_REPEAT)
    if player.swapped and len(hand) <= SWAPPED:
        raise RuleViolation(Mistake.SWAP_UNFINISHED)


def select(draft: Draft, action: SelectedCard) -> None:
    player = draft.player(action.player_id)
    hand = hand_without(player, action.register)
    if action.card is not None:
        hand = without(hand, (action.card,))
    registers = list(player.registers)
    registers[action.register - 1] = action.card
    draft.change(action.player_id, hand=hand, registers=tuple(registers))
    draft.tell(CardSelected(action.player_id, action.register))
    if None not in registers:
        _finish(draft, action.player_id)


def hand_without(player: Player, register: int) -> tuple[Card, ...]:
    """Return the hand as it is once the card of a register is back in it."""
    card = player.registers[register - 1]
    return player.hand if card is None else (*player.hand, card)


def _finish(draft: Draft, player_id: int) -> None:
    draft.change(player_id, finished=True)
    draft.tell(SelectionFinished(player_id))
    if not draft.state.timer and draft.state.deciding:
        draft.evolve(timer=True)
        draft.tell(TimerStarted())


def end_programming(draft: Draft) -> None:
    """Fill the registers of those who were too slow, and discard everything that is left."""
    slow = [p.player_id for p in draft.state.players if not p.finished and not p.absent]
    if slow or draft.state.timer:
        draft.tell(TimerEnded(tuple(slow)))
    for player in draft.state.players:
        if player.absent:
            drop_program(draft, player.player_id)
        else:
            _undo_swap(draft, player)
            discard_hand(draft, player.player_id)
    for player_id in slow:
        _fill(draft, player_id)
    draft.evolve(timer=False)


def _undo_swap(draft: Draft, player: Player) -> None:
    """Put back the drawn cards for a player who did not choose, or others if they are in use."""
    if player.swapped:
        drawn = tuple((Counter(player.swapped) & Counter(player.hand)).elements())
        others = without(player.hand, drawn)
        put_on_deck(draft, player.player_id, (drawn + others)[:SWAPPED])
        draft.change(player.player_id, swapped=())


def _fill(draft: Draft, player_id: int) -> None:
    registers = draft.player(player_id).registers
    cards = draw(draft, player_id, registers.count(None))
    blind = iter(cards)
    filled = tuple(next(blind, None) if card is None else card for card in registers)
    draft.change(player_id, registers=filled)
    draft.tell(CardsYouGotNow(player_id, cards))


def check_discard(state: State, action: DiscardSome) -> None:
    player = state.player(action.player_id)
    if state.phase is not Phase.PROGRAMMING:
        raise RuleViolation(Mistake.WRONG_PHASE)
    if not player.swapped and Upgrade.CACHE_MEMORY not in player.upgrades:
        raise RuleViolation(Mistake.NOT_OWNED)
    if Counter(action.cards) - Counter(player.hand):
        raise RuleViolation(Mistake.NOT_IN_HAND)
    if player.swapped and len(action.cards) != SWAPPED:
        raise RuleViolation(Mistake.WRONG_COUNT)
    left = len(player.hand) - len(action.cards)
    if left < player.registers.count(None):
        raise RuleViolation(Mistake.TOO_FEW_LEFT)


def discard_some(draft: Draft, action: DiscardSome) -> None:
    put_on_deck(draft, action.player_id, action.cards)
    draft.change(action.player_id, swapped=())
    show_hand(draft, action.player_id)
