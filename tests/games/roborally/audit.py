"""Invariants of every state of a game of Robo Rally."""

import random
from collections import Counter

from games.roborally.rules import Action, Card, State, legal_actions
from games.roborally.rules.cards import DAMAGE, UPGRADE_DECK
from games.roborally.rules.game import CUBES
from games.roborally.rules.steps import Fall

BOX = sum(DAMAGE.values()) + len(UPGRADE_DECK)
OWN_CARDS = 20


def audit(state: State, beginning: State) -> None:
    """Fail unless cards and energy are complete and every robot stands where it can."""
    assert cards(state) == BOX + OWN_CARDS * len(state.players)
    assert min(state.piles.values()) >= 0
    assert energy(state) == energy(beginning) >= CUBES
    assert state.bank >= 0
    assert all(player.energy >= 0 for player in state.players)
    check_places(state)


def cards(state: State) -> int:
    """Count all cards, except for those that RepeatRoutine adds to the game."""
    upgrades = [state.upgrade_deck, state.upgrade_discard, state.shop]
    upgrades += [player.upgrades for player in state.players]
    programming = Counter(
        card
        for p in state.players
        for card in (*p.deck, *p.hand, *p.discard, *p.registers)
        if card not in (None, Card.REPEAT)
    )
    return sum(map(len, upgrades)) + sum(state.piles.values()) + programming.total()


def energy(state: State) -> int:
    return state.bank + sum(state.energy.values()) + sum(p.energy for p in state.players)


def check_places(state: State) -> None:
    falling = {step.player_id for step in state.agenda if isinstance(step, Fall)}
    started = [p for p in state.players if p.start is not None]
    places = [p.position for p in started if p.player_id not in falling]
    assert None not in places
    assert len(places) == len(set(places))
    assert set(places) <= state.course.floor


def random_action(state: State, rng: random.Random) -> Action:
    """Return any action of a player for whom the game waits, or sometimes of another one."""
    others = state.player_ids if rng.random() < 0.1 else ()
    for player_id in (*rng.sample(others, len(others)), rng.choice(state.deciding)):
        if actions := legal_actions(state, player_id):
            return rng.choice(actions)
    raise AssertionError(f"nobody can do anything: {state.pending}")
