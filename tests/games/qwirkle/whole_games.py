"""Whole Qwirkle games, many at once, and an independent recount of their scores."""

import random
from collections.abc import Iterable, Mapping
from typing import Any

import attrs
import trio

from games.qwirkle import bots
from games.qwirkle.codec import QwirkleCodec
from games.qwirkle.messages import (
    ClientInfo,
    CurrentPlayer,
    News,
    StartGame,
    TileOnPosition,
    Update,
    Winner,
)
from games.qwirkle.player import QwirklePlayer
from games.qwirkle.settings import Settings
from ludothek.contract.orders import Start
from ludothek.contract.player import PlayerOptions, Report
from ludothek.runtime.playing import play
from tests.games.qwirkle.party import QUIET, open_game
from tests.support.helpers import Server, open_server

# Nothing but moves changes the score.
FAIR_PLAY: dict[str, Any] = {
    "turnTime": 600_000,
    "timeVisualization": 0,
    "slowMovePenalty": 0,
    "maxPlayerNumber": 0,
}

CODEC = QwirkleCodec(Settings())

Cell = tuple[int, int]


@attrs.define(eq=False)
class Recorder:
    """A computer player that records what everybody hears in its games."""

    player: QwirklePlayer
    news: list[News] = attrs.field(factory=list)
    reports: list[Report] = attrs.field(factory=list)

    def greet(self) -> Iterable[Any]:
        return self.player.greet()

    def hear(self, message: Any) -> Iterable[Any]:
        if isinstance(message, StartGame | CurrentPlayer | Update | Winner):
            self.news.append(message)
        return self.player.hear(message)

    def idle(self) -> Iterable[Any]:
        return ()  # waits to be seated, like the known bots

    @property
    def winner(self) -> Winner:
        last = self.news[-1]
        assert isinstance(last, Winner)
        return last


async def play_games(games: int, players: int, config: Mapping[str, Any]) -> list[list[Recorder]]:
    """So many games at once over real sockets; returns when the last has ended."""
    groups = [[recorder_of(str(game), n) for n in range(players)] for game in range(games)]
    async with open_server("qwirkle", QUIET | {"auto_skip": True}) as server:
        async with trio.open_nursery() as nursery:
            for group in groups:
                for recorder in group:
                    nursery.start_soon(run_recorder, server, recorder)
            await _seat_all(server, groups, FAIR_PLAY | {**config})
        assert server.endpoint.hall.crashes == 0
    return groups


def recorder_of(game: str, n: int) -> Recorder:
    names = ("greedy", "random")
    options = PlayerOptions(
        username=f"{game}/{n}", difficulty=bots.DIFFICULTIES.index(names[n % len(names)])
    )
    return Recorder(QwirklePlayer(options, random.Random(f"{game}/{n}")))


async def run_recorder(server: Server, recorder: Recorder, games: int = 1) -> None:
    async with server.transport.connect("127.0.0.1", server.port) as link:
        await play(link, CODEC, recorder, recorder.reports.append, games=games)


async def _seat_all(server: Server, groups: list[list[Recorder]], config: dict[str, Any]) -> None:
    """Like an organiser who waits until all are there, and then starts every game."""
    endpoint = server.endpoint
    count = sum(map(len, groups))
    while sum(bool(client.name) for client in endpoint.clients) < count:
        await trio.lowlevel.checkpoint()
    by_name = {client.name: client for client in endpoint.clients}
    lobbies = []
    for game, group in enumerate(groups):
        lobbies.append(open_game(endpoint, **config))
        clients = [by_name[f"{game}/{n}"] for n in range(len(group))]
        endpoint.hall.foyer.seat(lobbies[-1], clients, spectator=False)
    for lobby in lobbies:
        lobby.order(Start())


# The recount knows nothing of our rules: it follows the document's wording.


def recount(news: list[News], bonus: int = 6) -> dict[ClientInfo, int]:
    """The final scores of a game without penalties, from what everybody has heard."""
    start = news[0]
    assert isinstance(start, StartGame)
    size, count = start.config.max_hand_tiles, start.config.color_shape_count
    bag = start.config.total - size * len(start.clients)
    scores = dict.fromkeys(start.clients, 0)
    hands = dict.fromkeys(start.clients, size)
    board: dict[Cell, TileOnPosition] = {}
    active = start.clients[0]
    for message in news:
        if isinstance(message, CurrentPlayer):
            active = message.client
            bag = _draw(hands, active, size, bag)
        elif isinstance(message, Update):
            assert message.number_tiles_in_bag == bag
            new = {(tile.coord_x, tile.coord_y): tile for tile in message.updates}
            assert not new.keys() & board.keys()
            board |= new
            scores[active] += worth(board, new.keys(), count)
            hands[active] -= len(new)
    following = start.clients[(start.clients.index(active) + 1) % len(start.clients)]
    bag = _draw(hands, following, size, bag)
    for player, tiles in hands.items():
        scores[player] += bonus if not bag and not tiles else 0
    return scores


def _draw(hands: dict[ClientInfo, int], player: ClientInfo, size: int, bag: int) -> int:
    drawn = min(size - hands[player], bag)
    hands[player] += drawn
    return bag - drawn


def worth(board: Mapping[Cell, TileOnPosition], new: Iterable[Cell], count: int) -> int:
    """What new tiles on a board earn; asserts that all their lines are legal."""
    lines = {line for cell in new for line in (_line(board, cell, 1, 0), _line(board, cell, 0, 1))}
    points = 0
    for line in lines:
        if len(line) > 1:
            kinds = [(board[cell].tile.color, board[cell].tile.shape) for cell in line]
            colors, shapes = {color for color, _ in kinds}, {shape for _, shape in kinds}
            assert len(set(kinds)) == len(kinds)
            assert sorted((len(colors), len(shapes))) == [1, len(line)]
            points += len(line) * (2 if len(line) == count else 1)
    return points or 1


def _line(board: Mapping[Cell, TileOnPosition], cell: Cell, dx: int, dy: int) -> frozenset[Cell]:
    found = {cell}
    for sign in (-1, 1):
        x, y = cell[0] + sign * dx, cell[1] + sign * dy
        while (x, y) in board:
            found.add((x, y))
            x, y = x + sign * dx, y + sign * dy
    return frozenset(found)
