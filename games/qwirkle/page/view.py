"""A position of Qwirkle, as people see it."""

from typing import Any

from games.qwirkle import rules
from games.qwirkle.match import TURN, Match
from games.qwirkle.messages import ClientInfo
from games.qwirkle.table import QwirkleTable
from ludothek.contract.page import PlayerView, View
from ludothek.contract.table import Table


def scenery(table: Table) -> Any:
    """What there is to play with; a tournament has nothing of its own to show."""
    if not isinstance(table, QwirkleTable):
        return None
    variant = table.match.variant
    return {
        "kinds": variant.color_shape_count,  # of colours, and of shapes
        "tiles": variant.total,
        "hand": variant.max_hand_tiles,
    }


def view(table: Table, everything: bool) -> View | None:
    """The position; hands and bag are hidden things."""
    if not isinstance(table, QwirkleTable) or not table.match.started:
        return None
    match, winner = table.match, table.winner
    return View(
        stage=table.stage,
        players=[_seat(match, player, everything) for player in table.starters],
        move=table.moves,
        board=_board(table, everything),
        winner=winner.client.client_name if winner else None,
        reason=table.reason,
    )


def _board(table: QwirkleTable, everything: bool) -> dict[str, Any]:
    position, last = table.match.position, table.last_move
    placed = position.board.placements()
    board: dict[str, Any] = {
        "tiles": [[each.x, each.y, each.tile.color, each.tile.shape] for each in placed],
        "last": [[each.x, each.y] for each in last.placements] if last else [],
        "bag": len(position.bag),
    }
    if everything:
        # A bag is drawn from its end.
        board["next"] = [*map(_kind, reversed(position.bag))]
    return board


def _seat(match: Match, player: ClientInfo, everything: bool) -> PlayerView:
    """A player who has left is no longer ranked and has no tiles."""
    if player not in match.players:
        return PlayerView(name=player.client_name, gone=True)
    position = match.position
    seat, turn = position.seat(player.client_id), _is_asked(match, player)
    own: dict[str, Any] = {"tiles": len(seat.hand)}
    if everything:
        own["hand"] = [*map(_kind, seat.hand)]
    return PlayerView(
        name=player.client_name,
        score=seat.score,
        turn=turn,
        clock=round(match.timers.left(TURN), 3) if turn else None,
        ticking=turn and not match.timers.paused,
        own=own,
    )


def _is_asked(match: Match, player: ClientInfo) -> bool:
    position = match.position
    asked = not (match.ended or position.turn_over or position.end)
    return asked and position.active.player == player.client_id


def _kind(tile: rules.Tile) -> list[int]:
    return [tile.color, tile.shape]
