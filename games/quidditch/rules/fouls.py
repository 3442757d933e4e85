"""Fouls of players: all of them are moves, and each may escape the referee."""

from collections.abc import Iterator

from games.quidditch.rules.deltas import BanReason
from games.quidditch.rules.entities import TEAMS, Entity, Role
from games.quidditch.rules.pitch import GOALS, KEEPER_ZONES, Cell
from games.quidditch.rules.snapshot import Snapshot


def fouls(before: Snapshot, entity: Entity, new: Cell) -> Iterator[BanReason]:
    """Yield the fouls of a move to another cell, in the order in which the referee checks them."""
    own, opponent = entity.side, entity.side.opponent
    other = before.at(new)
    if other is not None and other.entity.side is opponent:
        yield BanReason.BLATCHING
    if new in GOALS[own]:
        yield BanReason.FLACKING
    if before.snitch == new and entity.role is not Role.SEEKER:
        yield BanReason.SNITCHNIP
    if entity.role is Role.CHASER:
        if new in GOALS[opponent] and before.holder is entity:
            yield BanReason.HAVERSACKING
        if _stooging(before, entity, new):
            yield BanReason.STOOGING


def _stooging(before: Snapshot, chaser: Entity, new: Cell) -> bool:
    """Return whether a chaser enters the opposing keeper zone while another one is in it."""
    zone = KEEPER_ZONES[chaser.side.opponent]
    if new not in zone or before.player(chaser).cell in zone:
        return False
    mates = (before.player(mate) for mate in TEAMS[chaser.side] if mate is not chaser)
    return any(
        mate.entity.role is Role.CHASER and mate.cell in zone and not mate.banned for mate in mates
    )
