"""Games and tournaments as text for a terminal, with everything that players hide."""

from collections.abc import Iterator

from games.qwirkle.match import Match
from games.qwirkle.messages import ClientInfo
from games.qwirkle.rules import Board, Tile
from games.qwirkle.table import QwirkleTable
from games.qwirkle.tournament import Tournament
from ludothek.contract.names import printable
from ludothek.contract.table import Table

LEGEND = "A3 is a tile of colour 0, which is shown as a letter, and of shape 3"
NO_TILE = "."
LETTERS = 26


def draw(table: Table) -> str:
    """A game with its board, hands and scores, or how far a tournament is."""
    if isinstance(table, Tournament):
        return "\n".join(_tournament(table))
    assert isinstance(table, QwirkleTable)
    return "\n".join(_game(table))


def _game(table: QwirkleTable) -> Iterator[str]:
    match = table.match
    yield f"{printable(match.name)}: {match.state.value}"
    yield ""
    if match.started:
        yield from _board(match.position.board)
        yield ""
    yield from _players(match)
    yield f"{len(match.bag)} tiles in the bag"
    if spectators := table.summary.spectators:
        yield f"watched by {', '.join(map(printable, spectators))}"
    if table.winner is not None:
        yield f"won by {_name(table.winner.client)}"
    if match.started:
        yield LEGEND


def _board(board: Board) -> Iterator[str]:
    """The top row has the largest y."""
    placements = board.placements()
    xs = [placement.x for placement in placements] or [0]
    ys = [placement.y for placement in placements] or [0]
    columns = range(min(xs), max(xs) + 1)
    for y in range(max(ys), min(ys) - 1, -1):
        yield f"{y:>4} |{''.join(f'{_cell(board, x, y):>4}' for x in columns)}"
    yield f"     +{'-' * 4 * len(columns)}"
    yield f"      {''.join(f'{x:>4}' for x in columns)}"


def _cell(board: Board, x: int, y: int) -> str:
    tile = board.tile((x, y))
    return NO_TILE if tile is None else _sign(tile)


def _sign(tile: Tile) -> str:
    color = chr(ord("A") + tile.color) if tile.color < LETTERS else f"{tile.color}."
    return f"{color}{tile.shape}"


def _players(match: Match) -> Iterator[str]:
    names = {player: _name(player) for player in match.players}
    width = max(map(len, names.values()), default=0)
    for player, score in match.scores.items():
        mark = ">" if player == match.current and not match.ended else " "
        hand = " ".join(map(_sign, match.hand(player)))
        yield f"{mark} {names[player]:<{width}}  {score:>4} points  {hand}".rstrip()


def _name(player: ClientInfo) -> str:
    return f"{player.client_id} {printable(player.client_name)}"


def _tournament(tournament: Tournament) -> Iterator[str]:
    summary = tournament.summary
    facts = summary.facts
    yield f"{printable(summary.name)}: {summary.state}, round {facts['round']}"
    yield f"games of this round: {', '.join(map(str, facts['games'])) or 'none'}"
    yield f"still in: {', '.join(map(printable, summary.players)) or 'nobody'}"
    if facts["winner"] is not None:
        yield f"won by client {facts['winner']}"
