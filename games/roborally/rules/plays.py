"""PlayCard: the card of the register, upgrades, choices, and the turn after a reboot."""

from games.roborally.rules.actions import PlayCard
from games.roborally.rules.cards import TURNS, Card, Upgrade
from games.roborally.rules.decisions import RegisterCard, Routine
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import CardPlayed
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.robots import QUARTERS, turn
from games.roborally.rules.state import Phase, Player, State
from games.roborally.rules.steps import Execute, Hacked
from games.roborally.rules.upgrades import check_upgrade, play_upgrade
from ludothek.contract.mistakes import RuleViolation


def check_play(state: State, action: PlayCard) -> None:
    player = state.player(action.player_id)
    if isinstance(state.pending, Routine):
        _check_choice(state.pending, action)
    elif isinstance(action.card, Upgrade):
        check_upgrade(state, player, action.card)
    elif not _is_register_card(state, action) and not _is_free_turn(player, action.card):
        raise RuleViolation(_card_mistake(state, player, action.card))


def _check_choice(pending: Routine, action: PlayCard) -> None:
    if pending.player_id != action.player_id:
        raise RuleViolation(Mistake.WAITING_FOR_ROUTINE)
    if action.card not in pending.options:
        raise RuleViolation(Mistake.NOT_A_CHOICE)


def _is_register_card(state: State, action: PlayCard) -> bool:
    mine = state.pending == RegisterCard(action.player_id)
    return mine and action.card == register_card(state, action.player_id)


def _is_free_turn(player: Player, card: Card) -> bool:
    return player.may_turn and card in TURNS


def _card_mistake(state: State, player: Player, card: Card) -> Mistake:
    if player.rebooted:
        return Mistake.NO_TURN_LEFT if card in TURNS else Mistake.REBOOTED
    if state.phase is not Phase.ACTIVATION:
        return Mistake.WRONG_PHASE
    if state.pending != RegisterCard(player.player_id):
        return Mistake.NOT_YOUR_TURN
    return Mistake.NOT_IN_REGISTER


def register_card(state: State, player_id: int) -> Card | None:
    return state.player(player_id).registers[state.register - 1]


def play(draft: Draft, action: PlayCard) -> None:
    player_id, card = action.player_id, action.card
    if isinstance(card, Upgrade):
        play_upgrade(draft, player_id, card)
    elif isinstance(draft.state.pending, Routine):
        draft.next_step()
        draft.tell(CardPlayed(player_id, card))
        draft.do_next(Execute(player_id, card))
    elif _is_register_card(draft.state, action):
        draft.next_step()
        draft.change(player_id, acted=True)
        draft.tell(CardPlayed(player_id, card))
        draft.do_next(Execute(player_id, card), Hacked(player_id))
    else:
        draft.change(player_id, may_turn=False)
        draft.tell(CardPlayed(player_id, card))
        turn(draft, player_id, *QUARTERS[card])
