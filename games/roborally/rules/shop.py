"""The upgrade shop: refill, exchange, purchases."""

from games.roborally.rules.actions import BuyUpgrade
from games.roborally.rules.cards import COSTS, MOST_PER_KIND, TEMPORARY, Upgrade
from games.roborally.rules.decisions import Purchase
from games.roborally.rules.draft import Draft
from games.roborally.rules.elements import pay_energy
from games.roborally.rules.events import ExchangeShop, RefillShop, UpgradeBought
from games.roborally.rules.mistakes import Mistake
from games.roborally.rules.state import Phase, Player, State
from ludothek.contract.mistakes import RuleViolation


def refresh(draft: Draft) -> None:
    """Refill the slots of cards that were bought, or exchange all if there was no interest."""
    if draft.state.bought:
        draft.tell(RefillShop(refill(draft)))
    else:
        throw_away(draft, draft.state.shop)
        draft.evolve(shop=())
        draft.tell(ExchangeShop(refill(draft)))
    draft.evolve(bought=False)


def refill(draft: Draft) -> tuple[Upgrade, ...]:
    """Offer one card for each player and return the new ones."""
    slots = len(draft.state.players)
    throw_away(draft, draft.state.shop[slots:])
    kept = draft.state.shop[:slots]
    drawn = _draw(draft, slots - len(kept))
    draft.evolve(shop=kept + drawn)
    return drawn


def throw_away(draft: Draft, cards: tuple[Upgrade, ...]) -> None:
    draft.evolve(upgrade_discard=cards + draft.state.upgrade_discard)


def _draw(draft: Draft, count: int) -> tuple[Upgrade, ...]:
    state = draft.state
    if len(state.upgrade_deck) < count:
        again = list(state.upgrade_discard)
        draft.rng.shuffle(again)
        draft.evolve(upgrade_deck=state.upgrade_deck + tuple(again), upgrade_discard=())
    deck = draft.state.upgrade_deck
    draft.evolve(upgrade_deck=deck[count:])
    return deck[:count]


def check_purchase(state: State, action: BuyUpgrade) -> None:
    if state.phase is not Phase.UPGRADE:
        raise RuleViolation(Mistake.WRONG_PHASE)
    if state.pending != Purchase(action.player_id):
        raise RuleViolation(Mistake.NOT_YOUR_TURN)
    if action.card is None:
        return
    player = state.player(action.player_id)
    if action.card not in state.shop:
        raise RuleViolation(Mistake.NOT_IN_SHOP)
    if COSTS[action.card] > player.energy:
        raise RuleViolation(Mistake.TOO_EXPENSIVE)
    if _full(player, action.card):
        raise RuleViolation(Mistake.TOO_MANY_UPGRADES)


def _full(player: Player, card: Upgrade) -> bool:
    same = [owned for owned in player.upgrades if (owned in TEMPORARY) == (card in TEMPORARY)]
    return len(same) >= MOST_PER_KIND


def buy(draft: Draft, action: BuyUpgrade) -> None:
    draft.next_step()
    if action.card is None:
        return
    shop = list(draft.state.shop)
    shop.remove(action.card)
    draft.evolve(shop=tuple(shop), bought=True)
    upgrades = (*draft.player(action.player_id).upgrades, action.card)
    draft.change(action.player_id, upgrades=upgrades)
    draft.tell(UpgradeBought(action.player_id, action.card))
    pay_energy(draft, action.player_id, COSTS[action.card], "upgrade")
