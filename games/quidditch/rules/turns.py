"""A turn: from its first question to its end."""

from games.quidditch.rules import bans, bludgers, fans
from games.quidditch.rules.deltas import Delta, DeltaType, Request
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity
from games.quidditch.rules.legal import can_act
from games.quidditch.rules.moves import move
from games.quidditch.rules.pitch import Cell, Side
from games.quidditch.rules.state import Turn, TurnType
from games.quidditch.rules.throws import throw
from games.quidditch.rules.wresting import wrest


def perform(draft: Draft, turn: Turn, request: Request) -> None:
    """Do what is asked for, and continue with the next question of the turn or its end."""
    entity = turn.entity
    match request:
        case Request(type=DeltaType.SKIP):
            _skip(draft, turn)
            return
        case Request(type=DeltaType.MOVE, new=Cell() as cell):
            move(draft, entity, cell)
            _after_move(draft, entity)
            return
        case Request(type=DeltaType.UNBAN, new=Cell() as cell):
            bans.unban(draft, entity, cell)
            draft.turn = None
            return
        case Request(type=DeltaType.QUAFFLE_THROW, new=Cell() as cell):
            throw(draft, entity, cell)
        case Request(type=DeltaType.WREST_QUAFFLE):
            wrest(draft, entity)
        case Request(type=DeltaType.BLUDGER_BEATING, new=Cell() as cell, passive=Entity() as ball):
            bludgers.beat(draft, entity, ball, cell)
        case _:
            fans.act(draft, entity, request)
    end_turn(draft, entity)


def _skip(draft: Draft, turn: Turn) -> None:
    draft.tell(Delta(DeltaType.SKIP, active=turn.entity))
    match turn.type:
        case TurnType.MOVE:
            _offer_action(draft, turn.entity)
        case TurnType.REMOVE_BAN:
            bans.random_return(draft, turn.entity)
            draft.turn = None
        case _:
            end_turn(draft, turn.entity)


def _after_move(draft: Draft, entity: Entity) -> None:
    if draft.result is not None:
        return
    if draft.player(entity).banned:
        end_turn(draft, entity)
    elif not draft.extra_move and draft.chance(_extra_move(draft, entity)):
        draft.extra_move = True
    else:
        _offer_action(draft, entity)


def _extra_move(draft: Draft, entity: Entity) -> float:
    team = draft.fixture.left if entity.side is Side.LEFT else draft.fixture.right
    return draft.config.extra_move[team.players[entity.position].broom]


def _offer_action(draft: Draft, entity: Entity) -> None:
    draft.extra_move = False
    if can_act(draft.snapshot, entity):
        draft.turn = Turn(entity, TurnType.ACTION)
    else:
        end_turn(draft, entity)


def end_turn(draft: Draft, entity: Entity) -> None:
    draft.tell(Delta(DeltaType.TURN_USED, active=entity))
    draft.turn = None
    draft.extra_move = False
