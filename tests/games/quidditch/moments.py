"""Moments of a Quidditch match, set up by hand.

Players not mentioned in a scene hover at the upper or lower edge, out of everybody's way, and
nothing happens by chance unless the scene makes it certain.
"""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from games.quidditch.rules import (
    PLAYERS,
    BanReason,
    Cell,
    Delta,
    DeltaType,
    Entity,
    Fan,
    Fixture,
    MatchConfig,
    Phase,
    Player,
    Progress,
    Request,
    Side,
    Snapshot,
    State,
    Turn,
    TurnType,
    answer,
    skip,
)
from games.quidditch.rules.example import EXAMPLE_CONFIG, EXAMPLE_TEAM

EDGES = {entity: Cell(3 + entity.number % 7, 12 * (entity.number // 7)) for entity in PLAYERS}

NEVER = MatchConfig(
    max_rounds=30,
    throw_success=0,
    knock_out=0,
    catch_snitch=0,
    catch_quaffle=0,
    wrest_quaffle=0,
    extra_move=dict.fromkeys(EXAMPLE_CONFIG.extra_move, 0.0),
    foul_detection=dict.fromkeys(EXAMPLE_CONFIG.foul_detection, 0.0),
    fan_foul_detection=dict.fromkeys(EXAMPLE_CONFIG.fan_foul_detection, 0.0),
)
PHASES = {
    TurnType.MOVE: Phase.PLAYER,
    TurnType.ACTION: Phase.PLAYER,
    TurnType.FAN: Phase.FAN,
    TurnType.REMOVE_BAN: Phase.UNBAN,
}
# Somebody to wait for when the turn is over, so that the match does not run on.
NEXT = {
    Phase.PLAYER: (Entity.RIGHT_BEATER2,),
    Phase.FAN: (Entity.RIGHT_NIFFLER,),
    Phase.UNBAN: (Entity.RIGHT_BEATER2,),
}

Pair = tuple[int, int]


def config(**changes: Any) -> MatchConfig:
    return attrs.evolve(NEVER, **changes)


def strict(*reasons: str) -> MatchConfig:
    """A referee who sees these fouls, and no others."""
    seen = {BanReason(reason): 1.0 for reason in reasons}
    return config(
        foul_detection={**NEVER.foul_detection, **seen},
        fan_foul_detection={**NEVER.fan_foul_detection, **seen},
    )


def place(pair: Pair | None) -> Cell | None:
    return None if pair is None else Cell(*pair)


def picture(
    players: Mapping[str, Pair],
    *,
    quaffle: str | Pair = (8, 6),
    bludger1: Pair = (13, 0),
    bludger2: Pair = (13, 12),
    snitch: Pair | None = None,
    banned: Iterable[str] = (),
    knockout: Iterable[str] = (),
    used: Iterable[str] = (),
    cubes: Iterable[Pair] = (),
    points: Pair = (0, 0),
    goal: bool = False,
    phase: Phase = Phase.PLAYER,
    number: int = 1,
) -> Snapshot:
    cells = EDGES | {Entity(name): Cell(*pair) for name, pair in players.items()}
    holder = Entity(quaffle) if isinstance(quaffle, str) else None
    return Snapshot(
        delta=Delta(DeltaType.SKIP),
        players=tuple(
            Player(entity, cells[entity], entity in banned, entity in used, entity in knockout)
            for entity in PLAYERS
        ),
        fans=tuple(
            Fan(Entity(f"{side}{kind.capitalize()}"))
            for side in Side
            for kind, count in EXAMPLE_TEAM.fans.items()
            for _ in range(count)
        ),
        quaffle=Cell(*quaffle) if not isinstance(quaffle, str) else cells[Entity(quaffle)],
        bludgers=(Cell(*bludger1), Cell(*bludger2)),
        snitch=place(snitch),
        holder=holder,
        cubes=tuple(Cell(*cube) for cube in cubes),
        left_points=points[0],
        right_points=points[1],
        phase=phase,
        round=number,
        goal_was_thrown_this_round=goal,
    )


def scene(
    entity: str,
    kind: str = "move",
    players: Mapping[str, Pair] | None = None,
    *,
    chances: MatchConfig = NEVER,
    then: Iterable[str] | None = None,
    **details: Any,
) -> State:
    """It is an entity's turn; `then` says who is next."""
    turn = Turn(Entity(entity), TurnType(kind))
    phase = PHASES[turn.type]
    queue = NEXT[phase] if then is None else tuple(map(Entity, then))
    return State(
        Fixture(chances, EXAMPLE_TEAM, EXAMPLE_TEAM),
        picture(players or {}, phase=phase, **details),
        turn,
        queue=queue,
        three_bans=tuple(
            side
            for side in Side
            if sum(name.startswith(side) for name in details.get("banned", ())) >= 3
        ),
    )


def request(
    state: State, kind: str, new: Pair | None = None, passive: str | None = None
) -> Request:
    """What the entity on turn asks for; fans do not name themselves."""
    assert state.turn is not None
    active = None if state.turn.type is TurnType.FAN else state.turn.entity
    return Request(
        DeltaType(kind), place(new), active, None if passive is None else Entity(passive)
    )


def do(
    state: State,
    kind: str,
    new: Pair | None = None,
    passive: str | None = None,
    seed: int = 0,
) -> Progress:
    return answer(state, request(state, kind, new, passive), random.Random(seed))


def idle(state: State, seed: int = 0) -> Progress:
    return skip(state, random.Random(seed))


def deltas(progress: Progress) -> list[Delta]:
    return [step.delta for step in progress.steps]


def told(progress: Progress) -> list[str]:
    """The types of all deltas."""
    return [str(step.delta.type) for step in progress.steps]


def only(progress: Progress, kind: str) -> Delta:
    """The one delta of a type."""
    (delta,) = (delta for delta in deltas(progress) if delta.type == kind)
    return delta


def end(progress: Progress) -> Snapshot:
    return progress.state.snapshot


def cell(progress: Progress, entity: str) -> Cell:
    """Where a player ends up."""
    return end(progress).player(Entity(entity)).cell


def under(state: State, chances: MatchConfig) -> State:
    """The same scene with other probabilities."""
    return attrs.evolve(state, fixture=attrs.evolve(state.fixture, config=chances))
