"""What a board must show: read from the rules' own state, as a record brings it back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.hexxagon.rules import BLOCKED, ONE, TWO, tiles
from games.penguins.rules.board import Coordinates, bits, coordinates
from games.quidditch.rules import BLUDGERS, Entity, Side
from ludothek.contract import registry
from ludothek.runtime.record import Record
from ludothek.runtime.replay import Replay


def repeated(path: Path, game: str) -> Iterator[tuple[int, Any]]:
    """The table after each note of a record, with the number of the note."""
    replay = Replay(registry.load(game), Record.read(path.read_bytes()))
    for _ in replay:
        yield replay.done, replay.rerun.table


def hexxagon(table: Any) -> Any:
    state = table.match.state
    return {
        "one": [*tiles(state.stones(ONE))],
        "two": [*tiles(state.stones(TWO))],
        "blocked": [*tiles(BLOCKED)],
        "last": [state.last.origin, state.last.target] if state.last else [],
    }


def penguins(table: Any) -> Any:
    state = table.match.state
    fish = {
        _hexagon(bit): count for count, mask in enumerate(state.board.fish, 1) for bit in bits(mask)
    }
    teams = {
        team: sorted(map(_hexagon, bits(mask)))
        for team, mask in zip(("ONE", "TWO"), state.board.penguins, strict=True)
    }
    ice = {*fish, *teams["ONE"], *teams["TWO"]}
    everywhere = [_hexagon(1 << number) for number in range(64)]
    return {
        **teams,
        "fish": fish,
        "water": sorted(at for at in everywhere if at not in ice),
        "last": [_place(state.last_move.target)] if state.last_move else [],
    }


def _hexagon(bit: int) -> str:
    return _place(coordinates(bit))


def _place(place: Coordinates) -> str:
    return f"{place.x}|{place.y}"


def qwirkle(table: Any) -> Any:
    position, last = table.match.position, table.last_move
    return {
        "tiles": sorted(
            (f"{each.x},{each.y}", str(each.tile.color), str(each.tile.shape))
            for each in position.board.placements()
        ),
        "last": sorted(f"{each.x},{each.y}" for each in last.placements) if last else [],
        "bag": str(len(position.bag)),
    }


def roborally(table: Any) -> Any:
    match = table.latest_match
    numbers = {player: str(number) for number, player in enumerate(match.names, 1)}
    there = [each for each in match.state.players if each.position is not None]
    return {
        "robots": {
            numbers[each.player_id]: (_cell(each.position), each.facing.value) for each in there
        },
        "turned": {numbers[each.player_id]: each.facing.value for each in there},
        "energy": {_cell(at): str(cubes) for at, cubes in match.state.energy.items()},
        "checkpoints": {
            str(number): _cell(at) for number, at in enumerate(match.state.checkpoints, 1)
        },
    }


def _cell(cell: Any) -> str:
    return f"{cell[0]},{cell[1]}"


def quidditch(table: Any) -> Any:
    sight = table.match.sight if table.match else table.outcome.sight
    snapshot = sight.snapshot
    if snapshot is None:  # the teams are still lining up
        return None
    balls = dict(zip(BLUDGERS, snapshot.bludgers, strict=True)) | {Entity.QUAFFLE: snapshot.quaffle}
    if snapshot.snitch is not None:
        balls[Entity.SNITCH] = snapshot.snitch
    players = snapshot.players
    return {
        "players": {str(each.entity): _cell_of_pitch(each.cell) for each in players},
        "banned": sorted(str(each.entity) for each in players if each.banned),
        "knockout": sorted(str(each.entity) for each in players if each.knockout),
        "holder": [str(snapshot.holder)] if snapshot.holder else [],
        "balls": {str(ball): _cell_of_pitch(cell) for ball, cell in balls.items()},
        "cubes": sorted(map(_cell_of_pitch, snapshot.cubes)),
        "fans": sorted(
            (str(fan.entity), fan.banned) for side in Side for fan in snapshot.fans_of(side)
        ),
    }


def _cell_of_pitch(cell: Any) -> str:
    return f"{cell[0]}|{cell[1]}"
