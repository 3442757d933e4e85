"""The course of a round: ball phase, player phase, fan phase, unban phase."""

import itertools
import random
from collections.abc import Callable, Iterable, Mapping

from games.quidditch.rules import bludgers, snitch
from games.quidditch.rules.deltas import Delta, DeltaType, Phase
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import BLUDGERS, Entity
from games.quidditch.rules.pitch import Side
from games.quidditch.rules.snapshot import Snapshot
from games.quidditch.rules.state import Turn, TurnType
from games.quidditch.rules.turns import end_turn
from games.quidditch.rules.victory import finish_by_bans


def run(draft: Draft) -> None:
    """Continue until somebody has to decide, or the match is over."""
    while draft.turn is None and draft.result is None:
        _PHASES[draft.snapshot.phase](draft)


def alternating(entities: Iterable[Entity], rng: random.Random) -> tuple[Entity, ...]:
    """Draw an order in which the teams alternate; the rest of the larger one comes at the end."""
    entities = list(entities)
    teams = [[entity for entity in entities if entity.side is side] for side in Side]
    rng.shuffle(teams)
    for team in teams:
        rng.shuffle(team)
    pairs = itertools.zip_longest(*teams)
    return tuple(entity for pair in pairs for entity in pair if entity is not None)


def waiting(snapshot: Snapshot) -> list[Entity]:
    """Return who still has a turn in the current phase."""
    match snapshot.phase:
        case Phase.PLAYER:
            return [p.entity for p in snapshot.players if not p.banned and not p.turn_used]
        case Phase.FAN:
            return [fan.entity for fan in snapshot.fans if not fan.banned and not fan.turn_used]
        case Phase.UNBAN if snapshot.goal_was_thrown_this_round:
            return [player.entity for player in snapshot.players if player.banned]
    return []


def _enter(draft: Draft, phase: Phase) -> None:
    draft.tell(Delta(DeltaType.PHASE_CHANGE, phase=phase))
    draft.queue = alternating(waiting(draft.snapshot), draft.rng)


def _next(draft: Draft) -> Entity | None:
    """Take whoever is next in this phase."""
    if not draft.queue:
        return None
    entity, *rest = draft.queue
    draft.queue = tuple(rest)
    return entity


def _ball_phase(draft: Draft) -> None:
    snitch.fly(draft)
    if draft.result is not None:
        return
    for bludger in draft.rng.sample(BLUDGERS, len(BLUDGERS)):
        bludgers.hunt(draft, bludger)
    _enter(draft, Phase.PLAYER)


def _player_phase(draft: Draft) -> None:
    entity = _next(draft)
    if entity is None:
        _enter(draft, Phase.FAN)
        draft.tell(Delta(DeltaType.REMOVE_POO))
    elif draft.player(entity).knockout:
        end_turn(draft, entity)
    else:
        draft.turn = Turn(entity, TurnType.MOVE)


def _fan_phase(draft: Draft) -> None:
    entity = _next(draft)
    if entity is None:
        _enter(draft, Phase.UNBAN)
    else:
        draft.turn = Turn(entity, TurnType.FAN)


def _unban_phase(draft: Draft) -> None:
    entity = _next(draft)
    if entity is not None:
        draft.turn = Turn(entity, TurnType.REMOVE_BAN)
        return
    finish_by_bans(draft)
    if draft.result is None:
        draft.tell(Delta(DeltaType.ROUND_CHANGE, round=draft.round + 1))


_PHASES: Mapping[Phase, Callable[[Draft], None]] = {
    Phase.BALL: _ball_phase,
    Phase.PLAYER: _player_phase,
    Phase.FAN: _fan_phase,
    Phase.UNBAN: _unban_phase,
}
