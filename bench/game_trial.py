"""What one game's server does with the game's own players, and with idle connections."""

import json
import random
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from bench.bots import Crowd, EchoVoice, PlayerVoice, Tally, open_wire
from bench.contenders import daemon
from bench.disturbance import Interval, watching
from bench.measure import CannotMeasure, Server, percentile, python, running
from bench.servers.ludothek_echo import TRANSPORTS
from ludothek.contract.clock import Clock
from ludothek.contract.game import Game
from ludothek.contract.player import PlayerOptions
from ludothek.settings.fields import build

HERE = Path(__file__).parent

# Settings with which players wait for nothing but the server.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "hexxagon": {"max_lobbies": 1000},
    "penguins": {"request_gap_seconds": 0},
    "quidditch": {"match": str(HERE / "quidditch.json"), "accounts": "memory"},
    "qwirkle": {"configuration": str(HERE / "qwirkle.json"), "auto_skip": True},
    "roborally": {"max_rounds": 8},
}

# Games with one match per address: every match gets an endpoint of its own.
ONE_PER_PORT = {"roborally"}

# Games whose players name the lobby they want; in others, whoever comes next is the opponent.
NAMED_LOBBIES = {"hexxagon", "quidditch"}

GET_GOING_SECONDS = 1.0
MOST_STRETCHES = 8
ENOUGH_TIMES = 200


@attrs.frozen
class Effort:
    """How much is measured."""

    repetitions: int = 3
    matches: int = 20
    seconds: float = 4.0
    connections: int = 200


@attrs.frozen(kw_only=True)
class GameTrial:
    """What one game's server did in one trial."""

    game: str
    transport: str
    handled: int  # messages from clients
    per_cpu_second: float  # messages handled
    cpu_micros: float  # per message handled
    answers: float  # messages sent per message handled
    bytes_in: float  # per message handled
    bytes_out: float
    p50: float  # milliseconds from a request to the next message, a single match
    p99: float
    matches: int  # completed matches, once for each player that reported one
    idle_kib: float  # per idle connection
    match_kib: float  # per running match with its connections
    echo_micros: float  # CPU per message of a plain echo server
    platform_micros: float  # and of the platform with an echo game
    disturbed: float  # share of the time in which others had a core, in the worst part


def transport_kind(game: Game) -> str:
    """The echo server's transport that is the same as a game's, or nearest to it."""
    framer = getattr(game.transport, "framer", None)
    if framer is None:
        return "websocket"
    return "xml" if "Xml" in repr(framer) else "lines"


@contextmanager
def serving(game: Game, matches: int) -> Iterator[Server]:
    """A daemon with this game, with room for that many matches."""
    endpoints = matches if game.name in ONE_PER_PORT else 1
    settings = "".join(
        f"{key} = {json.dumps(value)}\n" for key, value in SETTINGS.get(game.name, {}).items()
    )
    host = f'[[host]]\ngame = "{game.name}"\nport = 0\n[host.settings]\n{settings}\n'
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as config:
        config.write(host * endpoints)
        config.flush()
        with daemon("--config", config.name, endpoints=endpoints) as server:
            yield server


class Company:
    """Random players of one game, a few for every match."""

    def __init__(self, game: Game, server: Server, seed: int) -> None:
        self._game = game
        self._server = server
        self._seed = seed
        self._codec = game.codec(Clock(), build(game.settings, SETTINGS.get(game.name, {}), ""))
        self._voices: list[PlayerVoice] = []
        self._matches = 0
        self.crowd = Crowd()

    def begin(self, count: int) -> None:
        """Begin that many more matches: first one player of each sits down, then the next."""
        matches = range(self._matches, self._matches + count)
        self._matches += count
        for place in range(self._game.players):
            self.crowd.settle()
            for match in matches:
                self._seat(match, place)

    def get_going(self) -> None:
        """Play for a moment that does not count: logins, passwords, first states."""
        self.crowd.run(GET_GOING_SECONDS)
        self.crowd.tally = Tally()

    def _seat(self, match: int, place: int) -> None:
        game, ports = self._game, self._server.ports
        options = PlayerOptions(
            lobby=f"bench{match}" if game.name in NAMED_LOBBIES else None,
            username=f"Bench{match}x{place}",
            difficulty=len(game.difficulties) - 1,
        )
        player = game.player(options, random.Random(f"{self._seed}/{match}/{place}"))
        voice = PlayerVoice(player, self._codec)
        self._voices.append(voice)
        self.crowd.add(open_wire(game.transport, ports[match % len(ports)]), voice)

    @property
    def reports(self) -> int:
        return sum(len(voice.reports) for voice in self._voices)


def try_game(game: Game, effort: Effort, seed: int) -> GameTrial:
    kind = transport_kind(game)
    micros, alone = _single_match(game, effort, seed)
    with serving(game, effort.matches) as server:
        company = Company(game, server, seed)
        company.begin(effort.matches)
        company.get_going()
        with watching(server) as busy:
            company.crowd.run(effort.seconds)
        tally = company.crowd.tally
        company.crowd.close()
    plain, platform = (_echo(module, kind, tally, effort) for module in ("plain", "ludothek"))
    idle, match = _memory(game, effort, seed)
    return GameTrial(
        game=game.name,
        transport=kind,
        handled=tally.said,
        per_cpu_second=tally.said / busy.cpu,
        cpu_micros=busy.cpu / tally.said * 1e6,
        answers=tally.heard / tally.said,
        bytes_in=tally.said_bytes / tally.said,
        bytes_out=tally.heard_bytes / tally.heard,
        p50=percentile(micros, 0.5) / 1e3,
        p99=percentile(micros, 0.99) / 1e3,
        matches=company.reports // game.players,
        idle_kib=idle,
        match_kib=match,
        echo_micros=plain[0],
        platform_micros=platform[0],
        disturbed=max(part.disturbed for part in (alone, busy, plain[1], platform[1])),
    )


def _single_match(game: Game, effort: Effort, seed: int) -> tuple[list[float], Interval]:
    """Response times when nobody else is there, neither in the server nor in our loop."""
    with serving(game, 1) as server:
        company = Company(game, server, seed)
        company.begin(1)
        company.get_going()
        # Between two matches players may wait for seconds until they find each other again.
        with watching(server) as interval:
            for _ in range(MOST_STRETCHES):
                company.crowd.run(effort.seconds / 2)
                if len(company.crowd.tally.micros) >= ENOUGH_TIMES:
                    break
        micros = company.crowd.tally.micros
        company.crowd.close()
    if not micros:
        raise CannotMeasure("two players did not find each other")
    return micros, interval


def _memory(game: Game, effort: Effort, seed: int) -> tuple[float, float]:
    """KiB per connection and per match that is added to a few existing ones."""
    few = max(1, effort.matches // 4)
    with serving(game, effort.matches) as server:
        company = Company(game, server, seed)
        company.begin(few)
        company.crowd.run(effort.seconds / 8)
        before = server.memory()
        company.begin(effort.matches - few)
        company.crowd.run(effort.seconds / 8)
        match = (server.memory() - before) / (effort.matches - few)
        company.crowd.close()
    with serving(game, 1) as server:
        wires = [open_wire(game.transport, server.port) for _ in range(effort.connections // 4)]
        before = server.memory()
        more = effort.connections - len(wires)
        wires += [open_wire(game.transport, server.port) for _ in range(more)]
        idle = (server.memory() - before) / more
        for wire in wires:
            wire.socket.close()
    return idle, match


def _echo(module: str, kind: str, like: Tally, effort: Effort) -> tuple[float, Interval]:
    """CPU per message of an echo server with messages as long as those of a game."""
    size = max(16, round(like.said_bytes / like.said))
    frame = b"<m>%b</m>" % (b"x" * (size - 7)) if kind == "xml" else b"x" * size
    with running(python(f"bench.servers.{module}_echo", kind)) as server:
        crowd = Crowd()
        for _ in range(2 * effort.matches):
            crowd.add(open_wire(TRANSPORTS[kind], server.port), EchoVoice(frame))
        crowd.run(effort.seconds / 8)
        heard = crowd.tally.heard
        with watching(server) as interval:
            crowd.run(effort.seconds / 4)
        heard = crowd.tally.heard - heard
        crowd.close()
    return interval.cpu / heard * 1e6, interval
