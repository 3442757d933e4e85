"""A server that was stopped, or busy for a minute, decides no match and drops nobody."""

import signal
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

import attrs
import pytest
import trio

import games.penguins.table as penguins
import games.quidditch.rules as quidditch_rules
import games.qwirkle.umpire as qwirkle
import games.roborally.match as roborally
from games.penguins.messages import Memento, MoveRequest
from games.penguins.rules import legal_actions
from tests.attacks.arena import BRIEF, GAMES, Arena
from tests.games.penguins.scene import XmlPeer, join_two
from tests.support.helpers import open_server
from tests.support.program import running
from transports import PatientClock, given_back
from transports.stream_link import StreamLink

STALL_SECONDS = 60.0

SETTINGS = BRIEF | {"penguins": {"players_time_out": True}}


@attrs.define(eq=False)
class Machine(trio.abc.Instrument):
    """Real time, plus the stalls that this machine seems to have had."""

    stopped: bool
    stalled: float = 0.0
    _waiting: int = 0  # stalls that begin as soon as the loop sleeps

    def time(self) -> float:
        return perf_counter() + self.stalled

    def stall(self) -> None:
        """Compute for a minute, or be stopped for a minute in the next sleep."""
        if self.stopped:
            self._waiting = 1
        else:
            self.stalled += STALL_SECONDS

    def after_io_wait(self, timeout: float) -> None:
        self.stalled += self._waiting * STALL_SECONDS
        self._waiting = 0


def run(machine: Machine, main: Callable[[], Awaitable[Any]]) -> Any:
    clock = PatientClock(machine.time)
    return trio.run(main, clock=clock, instruments=[machine, clock])


# Where a game penalises a player for being slow.
PENALTIES = {
    "penguins": (penguins.PenguinsTable, ("_lose",)),
    "qwirkle": (qwirkle.Umpire, ("_punish_slowness",)),
    "quidditch": (quidditch_rules, ("skip",)),
    "roborally": (roborally.Match, ("_play_silent",)),
}


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Who was penalised, in all games."""
    found: list[str] = []
    for game, (place, names) in PENALTIES.items():
        for name in names:
            monkeypatch.setattr(place, name, noting(found, game, getattr(place, name)))
    return found


def noting(found: list[str], note: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def noted(*args: Any) -> Any:
        found.append(note)
        return call(*args)

    return noted


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("stopped", [False, True], ids=["busy", "stopped"])
def test_stalls_decide_no_match_and_drop_nobody(
    game: str, stopped: bool, late: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a player says, a minute passes before it is heard; its time is some seconds."""
    machine = Machine(stopped)
    send = StreamLink.send

    async def say(link: StreamLink, frame: bytes) -> None:
        machine.stall()
        await send(link, frame)

    async def main() -> None:
        async with open_server(game, SETTINGS.get(game)) as server:
            await Arena(server).play_match()
            assert server.endpoint.hall.crashes == 0
            assert sum(server.endpoint.traffic.drops.values()) == 0
        assert late == []
        assert given_back() == pytest.approx(machine.stalled, rel=0.01)

    monkeypatch.setattr(StreamLink, "send", say)
    run(machine, main)
    assert machine.stalled > 10 * STALL_SECONDS


@pytest.mark.parametrize("hard", [1, 10], ids=["hard limit", "soft limit"])
async def test_a_daemon_that_was_stopped_takes_the_move_that_came_meanwhile(hard: int) -> None:
    """The program itself, really stopped for longer than a player has; thus in real time."""
    limits = {"players_time_out": "true", "soft_seconds": "1", "hard_seconds": str(hard)}
    settings = [word for key, value in limits.items() for word in ("--set", f"{key}={value}")]
    async with (
        running("--game", "penguins", "--port", "0", *settings) as daemon,
        await trio.open_tcp_stream("127.0.0.1", daemon.port) as one,
        await trio.open_tcp_stream("127.0.0.1", daemon.port) as two,
    ):
        players = await join_two(XmlPeer(one), XmlPeer(two))
        state, _ = [await player.hear_state() for player in players]
        mover = players[state.team.index]
        assert await mover.hear_data() == MoveRequest()
        daemon.process.send_signal(signal.SIGSTOP)
        await mover.make(legal_actions(state)[0])
        await trio.sleep(1.5)
        daemon.process.send_signal(signal.SIGCONT)
        after = await mover.hear_data()
        assert isinstance(after, Memento), f"the game was over: {after}"
        assert after.state.turn == state.turn + 1
