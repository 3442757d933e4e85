"""Which action is allowed when, and what it does."""

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
from games.roborally.rules.damage import check_damage, choose_damage
from games.roborally.rules.decisions import Damage, Program, Routine
from games.roborally.rules.draft import Draft
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.plays import check_play, play
from games.roborally.rules.programming import check_discard, check_selection, discard_some, select
from games.roborally.rules.setup import check_start, set_start
from games.roborally.rules.shop import buy, check_purchase
from games.roborally.rules.state import State
from games.roborally.rules.upgrades import boink, check_boink
from ludothek.contract.mistakes import RuleViolation


def check(state: State, action: Action) -> None:
    """Raise RuleViolation unless the action is allowed."""
    if state.over:
        raise RuleViolation(Mistake.GAME_OVER)
    if isinstance(action, EndTimer):
        if not isinstance(state.pending, Program):
            raise RuleViolation(Mistake.WRONG_PHASE)
        return
    if not any(p.player_id == action.player_id and not p.absent for p in state.players):
        raise RuleViolation(Mistake.NOT_PLAYING)
    if isinstance(state.pending, Damage) and not isinstance(action, SelectedDamage):
        raise RuleViolation(Mistake.WAITING_FOR_DAMAGE)
    if isinstance(state.pending, Routine) and not isinstance(action, PlayCard):
        raise RuleViolation(Mistake.WAITING_FOR_ROUTINE)
    _check_kind(state, action)


def _check_kind(state: State, action: Action) -> None:
    match action:
        case SetStartingPoint():
            check_start(state, action)
        case BuyUpgrade():
            check_purchase(state, action)
        case SelectedCard():
            check_selection(state, action)
        case DiscardSome():
            check_discard(state, action)
        case PlayCard():
            check_play(state, action)
        case Boink():
            check_boink(state, action)
        case SelectedDamage():
            check_damage(state, action)


def allows(state: State, action: Action) -> bool:
    try:
        check(state, action)
    except RuleViolation:
        return False
    return True


def act(draft: Draft, action: Action) -> None:
    """Do what an allowed action does at once; the agenda holds what follows from it."""
    match action:
        case SetStartingPoint():
            set_start(draft, action)
        case BuyUpgrade():
            buy(draft, action)
        case SelectedCard():
            select(draft, action)
        case DiscardSome():
            discard_some(draft, action)
        case PlayCard():
            play(draft, action)
        case Boink():
            boink(draft, action)
        case SelectedDamage():
            choose_damage(draft, action.cards)
        case EndTimer():
            draft.next_step()
