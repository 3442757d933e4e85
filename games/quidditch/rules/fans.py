"""What fans do: the effect comes first, then the referee may notice it."""

from collections.abc import Mapping

from games.quidditch.rules import snitch
from games.quidditch.rules.bans import ban
from games.quidditch.rules.deltas import BanReason, Delta, DeltaType, Request
from games.quidditch.rules.draft import Draft
from games.quidditch.rules.entities import Entity, FanKind
from games.quidditch.rules.pitch import Cell
from games.quidditch.rules.places import free_cells
from games.quidditch.rules.quaffle import clear_goals, fool_away

DEEDS: Mapping[FanKind, DeltaType] = {
    FanKind.GOBLIN: DeltaType.GOBLIN_SHOCK,
    FanKind.TROLL: DeltaType.TROLL_ROAR,
    FanKind.ELF: DeltaType.ELF_TELEPORTATION,
    FanKind.NIFFLER: DeltaType.SNITCH_SNATCH,
    FanKind.WOMBAT: DeltaType.WOMBAT_POO,
}


def act(draft: Draft, fan: Entity, request: Request) -> None:
    """Let a fan do what its kind does; the request has already been checked."""
    match request:
        case Request(type=DeltaType.ELF_TELEPORTATION, passive=Entity() as target):
            _teleport(draft, fan, target)
        case Request(type=DeltaType.GOBLIN_SHOCK, passive=Entity() as target):
            _shock(draft, fan, target)
        case Request(type=DeltaType.TROLL_ROAR):
            _roar(draft, fan)
        case Request(type=DeltaType.SNITCH_SNATCH):
            _snatch(draft, fan)
        case Request(type=DeltaType.WOMBAT_POO, new=Cell() as cell):
            draft.tell(Delta(DeltaType.WOMBAT_POO, new=cell, active=fan))
    clear_goals(draft)
    foul = BanReason(request.type)
    if draft.chance(draft.config.fan_foul_detection[foul]):
        ban(draft, fan, foul)


def _teleport(draft: Draft, elf: Entity, target: Entity) -> None:
    new = draft.pick(free_cells(draft.snapshot))
    _relocate(draft, DeltaType.ELF_TELEPORTATION, elf, target, new)


def _shock(draft: Draft, goblin: Entity, target: Entity) -> None:
    if draft.snapshot.holder is target:
        fool_away(draft, target)
    new = draft.free_neighbour(draft.player(target).cell)
    _relocate(draft, DeltaType.GOBLIN_SHOCK, goblin, target, new)


def _relocate(draft: Draft, deed: DeltaType, fan: Entity, target: Entity, new: Cell) -> None:
    old = draft.player(target).cell
    draft.tell(Delta(deed, old=old, new=new, active=fan, passive=target))


def _roar(draft: Draft, troll: Entity) -> None:
    """The roar itself tells where the quaffle goes: there is no foolAway."""
    old = draft.snapshot.quaffle
    holder = draft.snapshot.holder
    new = old if holder is None else draft.free_neighbour(old)
    draft.tell(Delta(DeltaType.TROLL_ROAR, old=old, new=new, active=troll, passive=holder))


def _snatch(draft: Draft, niffler: Entity) -> None:
    """Without a snitch, and in overtime, there is nothing but the attempt."""
    old = draft.snapshot.snitch
    fixed = old is None or snitch.in_overtime(draft)
    new = old if old is None or fixed else draft.free_neighbour(old)
    draft.tell(
        Delta(DeltaType.SNITCH_SNATCH, old=old, new=new, active=niffler, passive=Entity.SNITCH)
    )
