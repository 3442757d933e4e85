"""Which requests the rules allow."""

from collections.abc import Callable, Iterator, Mapping

from games.quidditch.rules.bludgers import REACH
from games.quidditch.rules.checks import CHECKS
from games.quidditch.rules.deltas import DeltaType, Request
from games.quidditch.rules.entities import BLUDGERS, PLAYERS, Entity, FanKind, Role
from games.quidditch.rules.fans import DEEDS
from games.quidditch.rules.mistakes import Mistake
from games.quidditch.rules.pitch import CELLS, HALVES, NEIGHBOURS, distance
from games.quidditch.rules.snapshot import Snapshot
from games.quidditch.rules.state import State, TurnType
from games.quidditch.rules.wresting import can_wrest


def refusal(state: State, request: Request) -> Mistake | None:
    """Return why a request is not allowed now, or None if it is."""
    turn = state.turn
    if turn is None:
        return Mistake.MATCH_OVER
    anonymous = turn.type is TurnType.FAN or request.type is DeltaType.SKIP
    if request.active is not turn.entity and not (anonymous and request.active is None):
        return Mistake.WRONG_ENTITY
    if request.type is DeltaType.SKIP:
        return None
    return CHECKS[turn.type](state.snapshot, turn.entity, request)


def legal_requests(state: State) -> list[Request]:
    """Return all that may be asked for in the open turn; skipping it is always possible."""
    turn = state.turn
    if turn is None:
        return []
    snapshot, entity, check = state.snapshot, turn.entity, CHECKS[turn.type]
    legal = [
        request
        for request in _CANDIDATES[turn.type](snapshot, entity)
        if check(snapshot, entity, request) is None
    ]
    return [*legal, Request(DeltaType.SKIP, active=entity)]


def can_act(snapshot: Snapshot, entity: Entity) -> bool:
    """Return whether there is anything for a player to do after moving."""
    if entity.role is Role.BEATER:
        return snapshot.player(entity).cell in snapshot.bludgers
    return snapshot.holder is entity or can_wrest(snapshot, entity)


def _moves(snapshot: Snapshot, entity: Entity) -> Iterator[Request]:
    cell = snapshot.player(entity).cell
    for new in (cell, *NEIGHBOURS[cell]):
        yield Request(DeltaType.MOVE, new=new, active=entity)


def _actions(snapshot: Snapshot, entity: Entity) -> Iterator[Request]:
    if snapshot.holder is entity:
        for cell in CELLS:
            yield Request(DeltaType.QUAFFLE_THROW, new=cell, active=entity)
    elif entity.role is Role.CHASER:
        yield Request(DeltaType.WREST_QUAFFLE, active=entity)
    elif entity.role is Role.BEATER:
        start = snapshot.player(entity).cell
        for cell in (cell for cell in CELLS if distance(cell, start) <= REACH):
            for bludger in BLUDGERS:
                yield Request(DeltaType.BLUDGER_BEATING, cell, entity, bludger)


def _deeds(snapshot: Snapshot, entity: Entity) -> Iterator[Request]:
    deed = DEEDS[entity.kind]
    match entity.kind:
        case FanKind.ELF | FanKind.GOBLIN:
            for target in PLAYERS:
                yield Request(deed, passive=target)
        case FanKind.WOMBAT:
            for cell in CELLS:
                yield Request(deed, new=cell)
        case _:
            yield Request(deed)


def _returns(snapshot: Snapshot, entity: Entity) -> Iterator[Request]:
    for cell in HALVES[entity.side]:
        yield Request(DeltaType.UNBAN, new=cell, active=entity)


_CANDIDATES: Mapping[TurnType, Callable[[Snapshot, Entity], Iterator[Request]]] = {
    TurnType.MOVE: _moves,
    TurnType.ACTION: _actions,
    TurnType.FAN: _deeds,
    TurnType.REMOVE_BAN: _returns,
}
