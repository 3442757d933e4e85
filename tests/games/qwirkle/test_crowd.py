"""Many games at once on one endpoint, over real sockets."""

import pytest
import trio

from tests.games.qwirkle.whole_games import play_games, recount


@pytest.mark.parametrize(
    ("games", "players", "config"),
    [
        (30, 3, {"colorShapeCount": 4, "tileCount": 2, "maxHandTiles": 4}),
        (30, 2, {"colorShapeCount": 3, "tileCount": 1, "maxHandTiles": 2}),
        (2, 4, {}),
    ],
    ids=["middle", "small", "printed"],
)
async def test_games_at_once_end_with_correct_results(
    games: int, players: int, config: dict[str, int]
) -> None:
    with trio.fail_after(60):
        groups = await play_games(games, players, config)
    for group in groups:
        for recorder in group:
            assert recorder.news[0] == group[0].news[0]
            winner = recorder.winner
            assert winner.leaderboard == recount(recorder.news)
            assert winner.score == max(winner.leaderboard.values())
            (report,) = recorder.reports
            assert report.errors == 0
            assert report.winner == winner.client.client_name
