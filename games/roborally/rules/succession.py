"""Others take the places of all players, and the game continues."""

import random
from collections.abc import Mapping, Sequence

import attrs

from games.roborally.rules.decisions import Program
from games.roborally.rules.draft import Draft
from games.roborally.rules.game import run
from games.roborally.rules.programming import deal, interrupt, was_dealt
from games.roborally.rules.state import State
from games.roborally.rules.steps import Call, Stage, Step


def succeed(state: State, player_ids: Sequence[int], rng: random.Random) -> State:
    """The same game with these players, all of whom are there.

    While players program, they begin again with the same cards: no message could tell them what
    others have put into their registers.
    """
    draft = Draft(_renamed(state, dict(zip(state.player_ids, player_ids, strict=True))), rng)
    draft.change_all(absent=False)
    if isinstance(draft.state.pending, Program):
        draft.change_all(finished=False)
        draft.evolve(timer=False)
        for player_id in player_ids:
            interrupt(draft, player_id)
            if not was_dealt(draft.player(player_id)):
                deal(draft, player_id)
    return run(draft)[0]


def _renamed(state: State, ids: Mapping[int, int]) -> State:
    return attrs.evolve(
        state,
        players=tuple(attrs.evolve(one, player_id=ids[one.player_id]) for one in state.players),
        agenda=tuple(_assigned(step, ids) for step in state.agenda),
        order=tuple(ids[player_id] for player_id in state.order),
    )


def _assigned(step: Step, ids: Mapping[int, int]) -> Step:
    if isinstance(step, Stage | Program):
        return step
    if isinstance(step, Call):
        decision = step.decision
        return Call(attrs.evolve(decision, player_id=ids[decision.player_id]))
    return attrs.evolve(step, player_id=ids[step.player_id])
