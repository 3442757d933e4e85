"""A running game as it is retold to a player who comes back."""

from collections.abc import Iterator
from typing import Any

from games.roborally import courses
from games.roborally.messages import (
    ActiveCard,
    ActivePhase,
    CardSelected,
    CheckpointMoved,
    CheckPointReached,
    CurrentCards,
    CurrentPlayer,
    Energy,
    GameStarted,
    Movement,
    NotYourCards,
    PickDamage,
    PlayerTurning,
    RefillShop,
    SelectionFinished,
    StartingPointTaken,
    TimerStarted,
    UpgradeBought,
    YourCards,
)
from games.roborally.rules import Damage, Phase, Player, Program, State

SOURCE = "reconnect"


def recap(state: State, player_id: int) -> Iterator[Any]:
    """The messages from which a client learns all it would know if it had never been away."""
    yield GameStarted(courses.game_map(state.course))
    yield ActivePhase(Phase.SETUP.value)
    yield RefillShop([str(card) for card in state.shop])
    for player in state.players:
        yield from _robot(state, player)
    if state.checkpoints != state.course.checkpoints:
        for number, cell in enumerate(state.checkpoints, 1):
            yield CheckpointMoved(number, cell.x, cell.y)
    if state.phase is not Phase.SETUP:
        yield ActivePhase(state.phase.value)
    for player in state.players:
        yield from _cards(state, player, player_id)
    yield from _moment(state, player_id)


def _robot(state: State, player: Player) -> Iterator[Any]:
    me, start, place = player.player_id, player.start, player.position
    if start is None:
        return
    yield StartingPointTaken(start.x, start.y, me)
    if place is not None and place != start:
        yield Movement(me, place.x, place.y)
    quarters = (player.facing.quarters - state.course.orientation.quarters) % 4
    turns = {1: ["right"], 2: ["right"] * 2, 3: ["left"]}.get(quarters, [])
    yield from (PlayerTurning(me, turn) for turn in turns)
    for upgrade in player.upgrades:
        yield UpgradeBought(me, str(upgrade))
    yield Energy(me, player.energy, SOURCE)
    if player.checkpoint:
        yield CheckPointReached(me, player.checkpoint)


def _cards(state: State, player: Player, player_id: int) -> Iterator[Any]:
    if state.phase is not Phase.PROGRAMMING:
        return
    if player.player_id == player_id:
        yield YourCards([str(card) for card in player.hand], len(player.deck))
    else:
        yield NotYourCards(player.player_id, len(player.hand), len(player.deck))
    for register, card in enumerate(player.registers, 1):
        if card is not None:
            yield CardSelected(player.player_id, register)
    if player.finished:
        yield SelectionFinished(player.player_id)


def _moment(state: State, player_id: int) -> Iterator[Any]:
    if state.timer:
        yield TimerStarted()
    if state.register:
        yield CurrentCards([*_active_cards(state)])
    pending = state.pending
    if isinstance(pending, Damage) and pending.player_id == player_id:
        yield PickDamage(pending.count)
    elif pending is not None and not isinstance(pending, Program | Damage):
        yield CurrentPlayer(pending.player_id)


def _active_cards(state: State) -> Iterator[ActiveCard]:
    for player in state.players:
        card = player.registers[state.register - 1]
        if player.active and card is not None:
            yield ActiveCard(player.player_id, str(card))
