"""One line for each match that ends, whatever ends it: in the log and in results.jsonl."""

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest
import structlog
from structlog.testing import LogCapture
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.game import Game, load, names
from ludothek.contract.orders import Abort
from ludothek.contract.results import ranked
from ludothek.runtime.lobby import Lobby
from ludothek.storage.results import Results
from ludothek.storage.state import StateDirectory
from tests.games.test_every_game import BRIEF
from tests.support.company import Actor, Meddler, nobody_meddles, perform
from tests.support.helpers import Fair, open_fair

every_game = pytest.mark.parametrize("game", [pytest.param(load(n), id=n) for n in names()])

FIELDS = ["time", "game", "endpoint", "lobby", "players", "winner"]
FIELDS += ["reason", "moves", "seconds", "record"]


@pytest.fixture
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


async def play(
    game: Game,
    clock: MockClock,
    path: Path,
    act: Callable[[Fair, Lobby, Actor], object] | None = None,
) -> list[dict[str, Any]]:
    """Let a match begin, and act then; returns what is in the file."""
    state = StateDirectory(path)
    async with open_fair(game.name, 1, BRIEF.get(game.name)) as fair:
        fair.endpoint._results = Results(state)
        await perform(fair, game, clock, 1, _in_the_middle(fair, act) if act else nobody_meddles)
        for _ in range(10):
            clock.jump(30)  # for whoever is waited for
            await wait_all_tasks_blocked()
    state.close()
    lines = path / "results.jsonl"
    return [*map(orjson.loads, lines.read_bytes().splitlines())] if lines.exists() else []


def _in_the_middle(fair: Fair, act: Callable[[Fair, Lobby, Actor], object]) -> Meddler:
    due = [act]

    def meddle(actor: Actor) -> Iterable[bytes]:
        running = [one for one in fair.endpoint.hall.lobbies.values() if not one.table.summary.idle]
        if running and due:
            due.pop()(fair, running[0], actor)
        return ()

    return meddle


def check(game: Game, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The one line, in which everything makes sense."""
    (line,) = lines
    assert [*line] == FIELDS
    assert (line["game"], line["endpoint"], line["record"]) == (game.name, game.name, None)
    assert datetime.fromisoformat(line["time"]).tzinfo is not None
    players = line["players"]
    assert [*players[0]] == ["name", "seat", "score", "rank"]
    assert [each["seat"] for each in players] == [*range(1, game.players + 1)]
    assert all(each["name"] for each in players)
    ranks = [each["rank"] for each in players]
    assert ranks == [None] * len(ranks) or 1 in ranks
    if line["winner"] is not None:
        assert line["winner"] in [each["name"] for each in players if each["rank"] == 1]
    assert line["seconds"] >= 0
    assert isinstance(line["moves"], int)
    assert line["reason"]
    return line


@every_game
async def test_a_match_that_is_played_to_its_end(
    game: Game, mock_clock: MockClock, tmp_path: Path, logs: LogCapture
) -> None:
    line = check(game, await play(game, mock_clock, tmp_path))
    assert line["moves"] > 0
    assert line["reason"] not in ("left", "aborted", "shutdown", "fault", "closed")
    assert None not in [each["score"] for each in line["players"]]
    assert 1 in [each["rank"] for each in line["players"]]
    (told,) = [entry for entry in logs.entries if entry["event"] == "match ended"]
    assert told["log_level"] == "info"  # not only for those who want to know more
    for field in ("winner", "reason", "moves", "seconds", "lobby"):
        assert told[field] == line[field]


@every_game
async def test_a_match_that_a_player_leaves(
    game: Game, mock_clock: MockClock, tmp_path: Path
) -> None:
    line = check(
        game, await play(game, mock_clock, tmp_path, lambda fair, lobby, actor: actor.link.close())
    )
    assert line["reason"] in ("left", "timeout", "violationOfProtocol")


@every_game
async def test_a_match_that_the_organiser_ends(
    game: Game, mock_clock: MockClock, tmp_path: Path
) -> None:
    def abort(fair: Fair, lobby: Lobby, actor: Actor) -> None:
        mock_clock.jump(1000)
        lobby.let(lobby.table.order, Abort())

    line = check(game, await play(game, mock_clock, tmp_path, abort))
    assert line["reason"] == "aborted"
    assert 1000 <= line["seconds"] < 2000


@every_game
async def test_a_match_that_the_daemon_ends(
    game: Game, mock_clock: MockClock, tmp_path: Path
) -> None:
    def end(fair: Fair, lobby: Lobby, actor: Actor) -> None:
        fair.endpoint.close()

    assert check(game, await play(game, mock_clock, tmp_path, end))["reason"] == "shutdown"


@every_game
@pytest.mark.parametrize("speechless", [False, True])
async def test_a_match_that_a_bug_ends(
    game: Game,
    speechless: bool,
    mock_clock: MockClock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(fair: Fair, lobby: Lobby, actor: Actor) -> None:
        if speechless:
            monkeypatch.setattr(type(lobby.table), "order", lambda *_: 1 / 0)
        lobby.let(lambda: 1 / 0)  # type: ignore[arg-type,return-value]
        monkeypatch.undo()

    line = check(game, await play(game, mock_clock, tmp_path, crash))
    assert line["reason"] == "fault"


def test_ranks() -> None:
    def ranks(*scores: int | None, winner: int | None = None, decided: bool = True) -> list[Any]:
        players = [("x", score) for score in scores]
        return [place.rank for place in ranked(players, winner, decided=decided)]

    assert ranks(3, 5, 3, None, winner=1) == [2, 1, 2, 4]
    assert ranks(3, 3) == [1, 1]
    assert ranks(3, 5, winner=0) == [1, 2]  # the other one has left
    assert ranks(3, 5, decided=False) == [None, None]
