"""A position of Robo Rally, as people see it."""

from math import inf
from typing import Any

from games.roborally.match import DECISION, Match
from games.roborally.rules import Phase, Player, State
from games.roborally.table import RoboRallyTable
from ludothek.contract.page import PlayerView, View
from ludothek.contract.table import Stage, Table

# A register with a card that is not revealed yet.
COVERED = ""


def view(table: Table, everything: bool) -> View | None:
    """The position; hands, decks and registers that are not revealed are hidden things."""
    assert isinstance(table, RoboRallyTable)
    match = table.latest_match
    if match is None:
        return None
    ended = match.ended
    return View(
        stage=Stage.ENDED if ended else table.summary.stage,
        players=_seats(table, match, everything),
        move=match.moves,
        board=_board(match.state, everything),
        winner=ended.winner if ended else None,
        reason=ended.reason if ended else None,
    )


# The course


def _board(state: State, everything: bool) -> dict[str, Any]:
    board: dict[str, Any] = {
        "round": state.round,
        "phase": state.phase.name.lower(),
        "register": state.register,
        "timer": state.timer,
        "waits": None if state.pending is None else type(state.pending).__name__,
        "checkpoints": [[*cell] for cell in state.checkpoints],
        "energy": [[*cell, cubes] for cell, cubes in state.energy.items()],
        "shop": [*map(str, state.shop)],
    }
    if everything:
        board["upgrade_deck"] = [*map(str, state.upgrade_deck)]
    return board


# The players


def _seats(table: RoboRallyTable, match: Match, everything: bool) -> list[PlayerView]:
    """In the order in which they connected; that of turns changes with every register."""
    state = match.state
    players = {player.player_id: player for player in state.players}
    there = {member.player_id for member in table.members if member.client}
    asked = () if match.ended else state.deciding
    left = table.timers.left(DECISION) if asked else inf
    seats = []
    for number, (player_id, name) in enumerate(match.names.items(), 1):
        player, turn = players.get(player_id), player_id in asked
        timed = turn and left < inf
        seats.append(
            PlayerView(
                name=name,
                score=None if player is None else player.checkpoint,
                turn=turn,
                clock=round(left, 3) if timed else None,
                ticking=timed and not table.timers.paused,
                gone=player is None or player_id not in there,
                own={"number": number, **_robot(state, player, everything)} if player else {},
            )
        )
    return seats


def _robot(state: State, player: Player, everything: bool) -> dict[str, Any]:
    robot: dict[str, Any] = {
        "id": player.player_id,
        "at": None if player.position is None else [*player.position],
        "facing": player.facing.value,
        "energy": player.energy,
        "registers": _registers(state, player, everything),
        "cards": len(player.hand),
        "pile": len(player.deck),
        "upgrades": [*map(str, player.upgrades)],
        "finished": player.finished,
        "rebooted": player.rebooted,
        "shielded": player.shielded,
        "acted": player.acted and state.phase is Phase.ACTIVATION,
    }
    if everything:
        robot["hand"] = [*map(str, player.hand)]
        robot["deck"] = [*map(str, player.deck)]
        robot["discard"] = [*map(str, player.discard)]
    return robot


def _registers(state: State, player: Player, everything: bool) -> list[str | None]:
    """Cards by name, or covered; None where there is none.

    Registers are revealed one by one. A robot that reboots or whose player is gone loses its
    cards, so whatever is in a register up to the present one has been revealed.
    """
    cards = [None if card is None else str(card) for card in player.registers]
    if everything:
        return cards
    return [
        card if card is None or number <= state.register else COVERED
        for number, card in enumerate(cards, 1)
    ]
