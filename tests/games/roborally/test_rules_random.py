"""Whole games of six random players: whatever they do, nothing gets lost."""

import random

import pytest

from games.roborally import courses
from games.roborally.rules import (
    Action,
    Boink,
    BuyUpgrade,
    Card,
    Direction,
    DiscardSome,
    PlayCard,
    Program,
    SelectedCard,
    SelectedDamage,
    SetStartingPoint,
    Upgrade,
    apply,
    default_action,
    ignore,
    legal_actions,
    rejoin,
    remove,
    start,
)
from ludothek.contract.mistakes import RuleViolation
from tests.games.roborally.audit import audit, random_action

ACTIONS = 250


@pytest.mark.parametrize("name", courses.NAMES)
def test_cards_energy_and_robots_are_conserved(name: str) -> None:
    """V37: cards are conserved at all times; likewise energy, and no two robots share a field."""
    rng = random.Random(name)
    state, _ = start(courses.load(name), range(1, 7), rng)
    beginning = state
    for _ in range(ACTIONS):
        if state.over:
            break
        state, _ = apply(state, random_action(state, rng), rng)
        audit(state, beginning)
    assert state.round > 1


def nonsense(rng: random.Random) -> Action:
    """Return any action at all, by anybody."""
    player_id, number = rng.randrange(0, 8), rng.randrange(-2, 30)
    cards = tuple(rng.choices(list(Card), k=rng.randrange(0, 6)))
    actions: list[Action] = [
        SetStartingPoint(player_id, number, rng.randrange(-2, 30)),
        BuyUpgrade(player_id, rng.choice([*Upgrade, None])),
        SelectedCard(player_id, rng.choice([*Card, None]), number),
        PlayCard(player_id, rng.choice([*Card, *Upgrade])),
        SelectedDamage(player_id, cards),
        DiscardSome(player_id, cards),
        Boink(player_id, rng.choice(list(Direction))),
    ]
    return rng.choice(actions)


@pytest.mark.parametrize("seed", range(2))
def test_nonsense_is_refused_or_harmless(seed: int) -> None:
    rng = random.Random(seed)
    state, _ = start(courses.load("Twister"), range(1, 7), rng)
    beginning, refused = state, 0
    for _ in range(ACTIONS // 2):
        for _ in range(5):
            try:
                state, _ = apply(state, nonsense(rng), rng)
            except RuleViolation:
                refused += 1
            audit(state, beginning)
        state, _ = apply(state, random_action(state, rng), rng)
    assert refused > 0


def test_no_action_is_listed_twice() -> None:
    rng = random.Random(1)
    state, _ = start(courses.load("Twister"), range(1, 4), rng)
    while state.round < 3:
        for player_id in state.player_ids:
            actions = legal_actions(state, player_id)
            assert len(actions) == len(set(actions))
        state, _ = apply(state, random_action(state, rng), rng)


@pytest.mark.parametrize("seed", range(4))
def test_players_may_come_and_go_at_any_time(seed: int) -> None:
    rng = random.Random(seed)
    state, _ = start(courses.load(rng.choice(courses.NAMES)), range(1, 7), rng)
    beginning = state
    while not state.over and state.round < 6:
        if rng.random() < 0.02:
            player = rng.choice(state.players)
            leave = remove if rng.random() < 0.2 else rejoin if player.absent else ignore
            state, _ = leave(state, player.player_id, rng)
        elif state.deciding:
            state, _ = apply(state, random_action(state, rng), rng)
        else:
            state, _ = rejoin(state, state.player_ids[0], rng)
        audit(state, beginning)
        assert state.over or state.deciding or all(p.absent for p in state.players)
        assert not isinstance(state.pending, Program) or state.deciding


@pytest.mark.parametrize("seed", range(8))
def test_whoever_the_game_waits_for_can_do_something_even_after_all_were_gone(seed: int) -> None:
    rng = random.Random(seed)
    state, _ = start(courses.load(rng.choice(courses.NAMES)), range(1, 4), rng)
    beginning = state
    for _ in range(ACTIONS):
        if state.over:
            break
        state, _ = apply(state, random_action(state, rng), rng)
        if rng.random() < 0.1:
            for player_id in rng.sample(state.player_ids, 3):
                state, _ = ignore(state, player_id, rng)
            assert state.over or not state.deciding
            for player_id in rng.sample(state.player_ids, rng.randint(1, 3)):
                state, _ = rejoin(state, player_id, rng)
        elif absent := [p.player_id for p in state.players if p.absent]:
            state, _ = rejoin(state, rng.choice(absent), rng)
        audit(state, beginning)
        for player_id in state.deciding:
            assert not state.player(player_id).absent
            apply(state, default_action(state, player_id), random.Random(1))
