"""What upgrade cards do when they are played."""

from games.roborally.rules.actions import Boink
from games.roborally.rules.cards import REGISTERS, TEMPORARY, Card, Upgrade
from games.roborally.rules.decisions import RegisterCard
from games.roborally.rules.decks import draw_hand, show_hand
from games.roborally.rules.draft import Draft
from games.roborally.rules.elements import pay_energy
from games.roborally.rules.events import CardPlayed
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.programming import SWAPPED
from games.roborally.rules.robots import chain
from games.roborally.rules.shop import throw_away
from games.roborally.rules.state import Phase, Player, State
from games.roborally.rules.steps import Advance, Execute
from ludothek.contract.mistakes import RuleViolation

PASSIVE = frozenset({Upgrade.REAR_LASER, Upgrade.MEMORY_STICK})
IN_PROGRAMMING = frozenset({Upgrade.CACHE_MEMORY, Upgrade.MEMORY_SWAP, Upgrade.SPAM_BLOCKER})
IN_ACTIVATION = frozenset({Upgrade.DEFLECTOR_SHIELD, Upgrade.HACK, Upgrade.BOINK})


def check_upgrade(state: State, player: Player, card: Upgrade) -> None:
    if card not in player.upgrades:
        raise RuleViolation(Mistake.NOT_OWNED)
    if card in PASSIVE:
        raise RuleViolation(Mistake.PASSIVE)
    if state.phase not in _phases(card):
        raise RuleViolation(Mistake.WRONG_PHASE)
    if player.rebooted:
        raise RuleViolation(Mistake.REBOOTED)
    mistake = _obstacle(state, player, card)
    if mistake is not None:
        raise RuleViolation(mistake)


def _phases(card: Upgrade) -> tuple[Phase, ...]:
    if card in IN_PROGRAMMING:
        return (Phase.PROGRAMMING,)
    if card in IN_ACTIVATION:
        return (Phase.ACTIVATION,)
    return (Phase.PROGRAMMING, Phase.ACTIVATION)


def _obstacle(state: State, player: Player, card: Upgrade) -> Mistake | None:
    match card:
        case Upgrade.ADMIN_PRIVILEGE:
            return _privilege_obstacle(state, player)
        case Upgrade.DEFLECTOR_SHIELD if player.shielded:
            return Mistake.ALREADY_SHIELDED
        case Upgrade.DEFLECTOR_SHIELD if not player.energy:
            return Mistake.NO_ENERGY
        case Upgrade.MEMORY_SWAP if player.swapped:
            return Mistake.SWAP_UNFINISHED
        case Upgrade.MEMORY_SWAP | Upgrade.SPAM_BLOCKER if player.finished:
            return Mistake.ALREADY_FINISHED
        case Upgrade.HACK if player.registers[state.register - 1] is None:
            return Mistake.NOTHING_TO_HACK
        case Upgrade.BOINK if state.pending != RegisterCard(player.player_id):
            return Mistake.NOT_YOUR_TURN
    return None


def _privilege_obstacle(state: State, player: Player) -> Mistake | None:
    if state.register >= REGISTERS:
        return Mistake.NO_REGISTER_LEFT
    owned = player.upgrades.count(Upgrade.ADMIN_PRIVILEGE)
    if len(player.privileges) >= owned or state.register + 1 in player.privileges:
        return Mistake.ALREADY_PRIVILEGED
    return None


def play_upgrade(draft: Draft, player_id: int, card: Upgrade) -> None:
    if card is Upgrade.BOINK:
        return  # an announcement: the message Boink plays the card
    draft.tell(CardPlayed(player_id, card))
    if card in TEMPORARY:
        _use_up(draft, player_id, card)
    _effect(draft, draft.player(player_id), card)


def _use_up(draft: Draft, player_id: int, card: Upgrade) -> None:
    upgrades = list(draft.player(player_id).upgrades)
    upgrades.remove(card)
    draft.change(player_id, upgrades=tuple(upgrades))
    throw_away(draft, (card,))


def _effect(draft: Draft, player: Player, card: Upgrade) -> None:
    player_id = player.player_id
    match card:
        case Upgrade.ADMIN_PRIVILEGE:
            # For the next register whose order is not fixed yet; the protocol names none.
            draft.change(player_id, privileges=player.privileges | {draft.state.register + 1})
        case Upgrade.DEFLECTOR_SHIELD:
            draft.change(player_id, shielded=True)
            pay_energy(draft, player_id, 1, card.value)
        case Upgrade.HACK:
            _hack(draft, player)
        case Upgrade.MEMORY_SWAP:
            draft.change(player_id, swapped=draw_hand(draft, player_id, SWAPPED))
            show_hand(draft, player_id)
        case Upgrade.SPAM_BLOCKER:
            _block_spam(draft, player)
        case Upgrade.REPEAT_ROUTINE:
            draft.change(player_id, discard=(Card.REPEAT, *player.discard))


def _hack(draft: Draft, player: Player) -> None:
    card = player.registers[draft.state.register - 1]
    if player.acted and card is not None:
        draft.do_next(Execute(player.player_id, card))
    else:
        draft.change(player.player_id, hacks=player.hacks + 1)


def _block_spam(draft: Draft, player: Player) -> None:
    spam = tuple(card for card in player.hand if card is Card.SPAM)
    rest = tuple(card for card in player.hand if card is not Card.SPAM)
    draft.change(player.player_id, hand=rest)
    draft.give_back(*spam)
    draw_hand(draft, player.player_id, len(spam))
    show_hand(draft, player.player_id)


def check_boink(state: State, action: Boink) -> None:
    check_upgrade(state, state.player(action.player_id), Upgrade.BOINK)
    if chain(state, action.player_id, action.orientation) is None:
        raise RuleViolation(Mistake.BLOCKED)


def boink(draft: Draft, action: Boink) -> None:
    draft.tell(CardPlayed(action.player_id, Upgrade.BOINK))
    _use_up(draft, action.player_id, Upgrade.BOINK)
    draft.do_next(Advance(action.player_id, action.orientation, 1))
