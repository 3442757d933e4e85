"""Damage cards go from finite piles to the discard piles of the players."""

from collections import Counter
from collections.abc import Mapping

from games.roborally.rules.actions import SelectedDamage
from games.roborally.rules.cards import Card
from games.roborally.rules.decisions import Damage
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import DrawDamage, PickDamage
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.state import State
from games.roborally.rules.steps import Suffer
from ludothek.contract.mistakes import RuleViolation

# Players who do not choose get these, as far as available: the least bad ones first.
RESERVES: tuple[Card, ...] = (Card.TROJAN, Card.VIRUS, Card.WORM, Card.SPAM)


def suffer(draft: Draft, step: Suffer) -> None:
    """Give damage to a robot; if the pile is too small, its player has to choose first."""
    piles = draft.state.piles
    have = min(step.count, piles[step.kind])
    missing = min(step.count - have, sum(piles.values()) - piles[step.kind])
    if missing:
        if not draft.player(step.player_id).absent:
            draft.tell(PickDamage(step.player_id, missing))
        draft.do_next(Damage(step.player_id, step.kind, missing))
    elif have:
        _take(draft, step.player_id, (step.kind,) * have)


def check_damage(state: State, action: SelectedDamage) -> None:
    pending = state.pending
    if not isinstance(pending, Damage):
        raise RuleViolation(Mistake.NOT_ASKED)
    if pending.player_id != action.player_id:
        raise RuleViolation(Mistake.WAITING_FOR_DAMAGE)
    if len(action.cards) != pending.count:
        raise RuleViolation(Mistake.WRONG_COUNT)
    wanted, others = Counter(action.cards), choices(state.piles, pending)
    if any(number > others.get(card, 0) for card, number in wanted.items()):
        raise RuleViolation(Mistake.NO_SUCH_DAMAGE)


def choose_damage(draft: Draft, cards: tuple[Card, ...]) -> None:
    """Answer the pending decision about damage."""
    decision = draft.next_step()
    if isinstance(decision, Damage):
        rest = (decision.kind,) * draft.state.piles[decision.kind]
        _take(draft, decision.player_id, rest + cards)


def choices(piles: Mapping[Card, int], decision: Damage) -> Counter[Card]:
    """Return which cards a player chooses from: all but the kind that has run out."""
    return Counter({card: piles[card] for card in RESERVES if card is not decision.kind})


def default_damage(piles: Mapping[Card, int], decision: Damage) -> tuple[Card, ...]:
    return tuple(choices(piles, decision).elements())[: decision.count]


def _take(draft: Draft, player_id: int, cards: tuple[Card, ...]) -> None:
    piles = Counter(draft.state.piles)
    piles.subtract(cards)
    draft.evolve(piles=dict(piles))
    draft.change(player_id, discard=cards + draft.player(player_id).discard)
    draft.tell(DrawDamage(player_id, cards))
