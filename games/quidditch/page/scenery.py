"""What stays the same during a match: the pitch, the teams, how long it may take."""

from collections.abc import Iterable
from typing import Any

from games.quidditch.configs import TeamConfig
from games.quidditch.messages import MatchStart
from games.quidditch.rules import ALL_GOALS, CELLS, CENTRE_CIRCLE, KEEPER_ZONES, Cell, Position
from games.quidditch.rules.pitch import HEIGHT, WIDTH
from games.quidditch.rules.snitch import APPEARANCE
from games.quidditch.table import QuidditchTable
from games.quidditch.teams import line_up
from ludothek.contract.table import Table


def scenery(table: Table) -> dict[str, Any] | None:
    """The pitch, and who plays on it. The teams' pictures stay behind: strangers drew them."""
    assert isinstance(table, QuidditchTable)
    start = start_of(table)
    if start is None:
        return None
    return {
        "pitch": PITCH,
        "teams": [_team(start.left_team_config), _team(start.right_team_config)],
        "maxRounds": start.match_config.max_rounds,
        "snitchRound": APPEARANCE,
        "patience": table.recipe.settings.reconnect_seconds,
    }


def start_of(table: QuidditchTable) -> MatchStart | None:
    """How the match began that is being played or was played last."""
    match = table.match or table.outcome
    return match.start if match else None


def _team(config: TeamConfig) -> dict[str, Any]:
    players = {str(place): getattr(config.players, place) for place in Position}
    return {
        "name": config.name,
        "motto": config.motto,
        "primary": f"#{config.colors.primary}",
        "secondary": f"#{config.colors.secondary}",
        "players": {
            place: {"name": each.name, "broom": each.broom} for place, each in players.items()
        },
        # In the order in which snapshots have them.
        "fans": [str(kind) for kind, count in line_up(config).fans.items() for _ in range(count)],
    }


def place(cell: Cell) -> list[int]:
    return [cell.x, cell.y]


def _places(cells: Iterable[Cell]) -> list[list[int]]:
    return [place(cell) for cell in sorted(cells)]


PITCH = {
    "width": WIDTH,
    "height": HEIGHT,
    "cells": _places(CELLS),
    "zones": [_places(zone) for zone in KEEPER_ZONES.values()],
    "goals": _places(ALL_GOALS),
    "centre": _places(CENTRE_CIRCLE),
}
