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

from ludothek.contract.orders import Abort
from ludothek.runtime.lobby import Lobby
from ludothek.storage.results import Results
from ludothek.storage.state import StateDirectory
from ludothek.testing.fair import Fair
from ludothek.testing.lockstep import Meddler, Participant, nobody_meddles, perform
from ludothek.testing.suite import Suite

FIELDS = ["time", "game", "endpoint", "lobby", "players", "winner"]
FIELDS += ["reason", "moves", "seconds", "record"]

# What is done in the middle of a match.
Act = Callable[[Fair, Lobby, Participant], object]


class ResultSuite(Suite):
    """How a match ended, for those who were not there."""

    @pytest.fixture
    def logs(self) -> LogCapture:
        capture = LogCapture()
        structlog.configure(processors=[capture])
        return capture

    async def results(
        self, clock: MockClock, path: Path, act: Act | None = None
    ) -> list[dict[str, Any]]:
        """Let a match begin, then act; returns what is in the file."""
        state = StateDirectory(path)
        async with self.open_fair(results=Results(state)) as fair:
            meddler = _in_the_middle(fair, act) if act else nobody_meddles
            await perform(fair, self.game, clock, 1, meddler)
            for _ in range(10):
                clock.jump(30)  # for anybody the others wait for
                await wait_all_tasks_blocked()
        state.close()
        lines = path / "results.jsonl"
        return [*map(orjson.loads, lines.read_bytes().splitlines())] if lines.exists() else []

    def check(self, lines: list[dict[str, Any]]) -> dict[str, Any]:
        """The only line, after checking that it is consistent."""
        (line,) = lines
        assert [*line] == FIELDS
        name = self.game.name
        assert (line["game"], line["endpoint"], line["record"]) == (name, name, None)
        assert datetime.fromisoformat(line["time"]).tzinfo is not None
        players = line["players"]
        assert [*players[0]] == ["name", "seat", "score", "rank"]
        assert [each["seat"] for each in players] == [*range(1, self.game.players + 1)]
        assert all(each["name"] for each in players)
        ranks = [each["rank"] for each in players]
        assert ranks == [None] * len(ranks) or 1 in ranks
        if line["winner"] is not None:
            assert line["winner"] in [each["name"] for each in players if each["rank"] == 1]
        assert line["seconds"] >= 0
        assert isinstance(line["moves"], int)
        assert line["reason"]
        return line

    @pytest.mark.trio
    async def test_a_match_that_is_played_to_its_end(
        self, mock_clock: MockClock, tmp_path: Path, logs: LogCapture
    ) -> None:
        line = self.check(await self.results(mock_clock, tmp_path))
        assert line["moves"] > 0
        assert line["reason"] not in ("left", "aborted", "shutdown", "fault", "closed")
        assert None not in [each["score"] for each in line["players"]]
        assert 1 in [each["rank"] for each in line["players"]]
        (told,) = [entry for entry in logs.entries if entry["event"] == "match ended"]
        assert told["log_level"] == "info"  # not only with -v
        for field in ("winner", "reason", "moves", "seconds", "lobby"):
            assert told[field] == line[field]

    @pytest.mark.trio
    async def test_a_match_that_a_player_leaves(
        self, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        def hang_up(fair: Fair, lobby: Lobby, player: Participant) -> None:
            player.link.close()

        line = self.check(await self.results(mock_clock, tmp_path, hang_up))
        assert line["reason"] in ("left", "timeout", "violationOfProtocol")

    @pytest.mark.trio
    async def test_a_match_that_the_organiser_ends(
        self, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        def abort(fair: Fair, lobby: Lobby, player: Participant) -> None:
            mock_clock.jump(1000)
            lobby.order(Abort())

        line = self.check(await self.results(mock_clock, tmp_path, abort))
        assert line["reason"] == "aborted"
        assert 1000 <= line["seconds"] < 2000

    @pytest.mark.trio
    async def test_a_match_that_the_daemon_ends(
        self, mock_clock: MockClock, tmp_path: Path
    ) -> None:
        def end(fair: Fair, lobby: Lobby, player: Participant) -> None:
            fair.endpoint.close()

        line = self.check(await self.results(mock_clock, tmp_path, end))
        assert line["reason"] == "shutdown"

    @pytest.mark.trio
    @pytest.mark.parametrize("speechless", [False, True])
    async def test_a_match_that_a_bug_ends(
        self,
        speechless: bool,
        mock_clock: MockClock,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        def crash(fair: Fair, lobby: Lobby, player: Participant) -> None:
            if speechless:
                monkeypatch.setattr(type(lobby.table), "order", lambda *_: 1 / 0)
            lobby.let(lambda: 1 / 0)  # type: ignore[arg-type,return-value]
            monkeypatch.undo()

        line = self.check(await self.results(mock_clock, tmp_path, crash))
        assert line["reason"] == "fault"


def _in_the_middle(fair: Fair, act: Act) -> Meddler:
    due = [act]

    def meddle(player: Participant) -> Iterable[bytes]:
        running = [one for one in fair.endpoint.hall.lobbies.values() if not one.table.summary.idle]
        if running and due:
            due.pop()(fair, running[0], player)
        return ()

    return meddle
