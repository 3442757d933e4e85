"""The public face of the rules: start a match and answer its questions."""

import random

from games.quidditch.rules.config import Fixture, MatchConfig
from games.quidditch.rules.deltas import Delta, DeltaType, Request
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import PLAYERS, Entity, FanKind, fan_of
from games.quidditch.rules.flow import alternating, run, waiting
from games.quidditch.rules.legal import refusal
from games.quidditch.rules.mistakes import Mistake
from games.quidditch.rules.pitch import MIDDLE, Side
from games.quidditch.rules.snapshot import Fan, Player, Snapshot
from games.quidditch.rules.snitch import EVADES
from games.quidditch.rules.state import Progress, State, Step, Turn
from games.quidditch.rules.teams import Formation, Team, formation_refusal
from games.quidditch.rules.turns import perform
from games.quidditch.rules.victory import BANS_TO_LOSE
from ludothek.contract.mistakes import RuleViolation


def start(
    config: MatchConfig,
    left: Team,
    right: Team,
    left_formation: Formation,
    right_formation: Formation,
    rng: random.Random,
) -> Progress:
    """Begin with round 1; raises ValueError for a formation that the rules refuse."""
    teams = {Side.LEFT: left, Side.RIGHT: right}
    formations = {Side.LEFT: left_formation, Side.RIGHT: right_formation}
    for side, formation in formations.items():
        if (objection := formation_refusal(side, formation)) is not None:
            raise ValueError(str(objection))
    snapshot = Snapshot(
        delta=Delta(DeltaType.ROUND_CHANGE, round=1),
        players=tuple(
            Player(entity, formations[entity.side][entity.position]) for entity in PLAYERS
        ),
        fans=tuple(Fan(entity) for side, team in teams.items() for entity in _fans(side, team)),
        quaffle=MIDDLE,
        bludgers=(MIDDLE, MIDDLE),
    )
    draft = Draft.of(State(Fixture(config, left, right), snapshot), rng)
    draft.steps.append(Step(snapshot))
    run(draft)
    return draft.progress()


def _fans(side: Side, team: Team) -> list[Entity]:
    return [fan_of(side, kind) for kind in FanKind for _ in range(team.fans[kind])]


def answer(state: State, request: Request, rng: random.Random) -> Progress:
    """Do what is asked for and everything that follows from it, or raise RuleViolation."""
    mistake = refusal(state, request)
    if mistake is not None:
        raise RuleViolation(mistake)
    return _go_on(state, request, rng)


def skip(state: State, rng: random.Random) -> Progress:
    """Continue without an answer to the open question: nobody wants to act, or the time is up."""
    return _go_on(state, Request(DeltaType.SKIP), rng)


def _go_on(state: State, request: Request, rng: random.Random) -> Progress:
    if state.turn is None:
        raise RuleViolation(Mistake.MATCH_OVER)
    draft = Draft.of(state, rng)
    perform(draft, state.turn, request)
    run(draft)
    return draft.progress()


def resume(fixture: Fixture, snapshot: Snapshot, turn: Turn, rng: random.Random) -> State:
    """Return a state to continue from, with no more than what a client sees.

    What a client cannot know is drawn or assumed: the order of those who have yet to act, which
    team was the first with three bans, how long the snitch has been in the middle.
    """
    rest = waiting(snapshot)
    if turn.entity in rest:
        rest.remove(turn.entity)
    rests = snapshot.snitch == MIDDLE and snapshot.round > fixture.config.max_rounds + EVADES
    return State(
        fixture,
        snapshot,
        turn,
        queue=alternating(rest, rng),
        three_bans=tuple(side for side in Side if snapshot.banned(side) >= BANS_TO_LOSE),
        snitch_arrival=snapshot.round if rests else None,
    )
