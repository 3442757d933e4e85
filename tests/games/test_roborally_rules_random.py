"""Whole games of six random players: whatever they do, nothing gets lost."""

import random

import pytest

from games.roborally import courses
from games.roborally.rules import Program, apply, ignore, rejoin, remove, start
from tests.games.roborally_audit import audit, random_action

ACTIONS = 400


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
