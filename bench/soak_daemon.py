"""The daemon of a soak: every game on free ports, its metrics, its log and its end."""

import http.client
import json
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import trio
from prometheus_client.parser import text_string_to_metric_families

from bench.disturbance import Usage, usage_of
from bench.measure import CannotMeasure, Server, python, running
from ludothek.contract.game import Game

HERE = Path(__file__).parent

# Games with one match per address: every match gets an endpoint of its own.
ONE_PER_PORT = {"roborally"}

# Players come from this machine's own address, attackers from others of the same network.
LIMITS = '[limits]\nexempt = ["127.0.0.1/32"]\n'

# How many replays of Quidditch are kept; all replays of ten minutes would take a gigabyte.
REPLAYS = 200

TRIES = 10
SECONDS = 30.0  # for the daemon's answer to its organiser


def settings(game: str, lobbies: int) -> Mapping[str, Any]:
    """Settings for whole matches that are not too long, with room for all of them."""
    chosen: Mapping[str, Mapping[str, Any]] = {
        "hexxagon": {"max_lobbies": 2 * lobbies + 50},
        "penguins": {"max_rooms": 2 * lobbies + 100},
        "quidditch": {
            "match": str(HERE / "soak_quidditch.json"),
            "max_lobbies": lobbies + 10,
            "replays": REPLAYS,
        },
        "qwirkle": {"configuration": str(HERE / "qwirkle.json"), "auto_skip": True},
        "roborally": {"max_rounds": 6},
    }
    return chosen[game]


@attrs.frozen
class Numbers:
    """What the daemon reported about itself at one moment."""

    samples: Sequence[tuple[str, Mapping[str, str], float]]

    def total(self, name: str, **labels: str) -> float:
        """The sum of a metric over all endpoints, and over all labels that are not given."""
        return sum(
            value
            for found, has, value in self.samples
            if found == name and labels.items() <= has.items()
        )

    def by(self, name: str, label: str) -> Counter[str]:
        """A metric by the values of one label, without zeros."""
        found: Counter[str] = Counter()
        for each, has, value in self.samples:
            if each == name and value:
                found[has[label]] += int(value)
        return found

    def counts(self, name: str) -> tuple[list[float], list[int]]:
        """The bounds of a histogram, and how many were between them."""
        pairs = [
            (float(has["le"]), int(value))
            for found, has, value in self.samples
            if found == f"{name}_bucket"
        ]
        sums = [value for _, value in pairs]
        bounds = [bound for bound, _ in pairs[:-1]]
        return bounds, [after - before for before, after in zip([0, *sums], sums, strict=False)]


@attrs.define(eq=False)
class Daemon:
    """A running daemon and the ports of each game."""

    server: Server
    place: Path
    ports: Mapping[str, Sequence[int]]
    spare: Mapping[str, int]  # one more endpoint of each game, where nobody plays
    unanswered: int = 0  # requests; its organisers must be quick, and may ask again

    async def numbers(self) -> Numbers:
        text = await self._ask("GET", "/metrics")
        families = text_string_to_metric_families(text.decode())
        return Numbers([(s.name, s.labels, s.value) for family in families for s in family.samples])

    async def drain(self) -> None:
        await self._ask("POST", "/drain", b"{}")

    async def _ask(self, method: str, target: str, body: bytes = b"") -> bytes:
        for _ in range(TRIES):
            try:
                return await trio.to_thread.run_sync(self._exchange, method, target, body)
            except (OSError, http.client.HTTPException):
                self.unanswered += 1
                await trio.sleep(1)
        raise CannotMeasure("the daemon does not answer its organiser")

    def _exchange(self, method: str, target: str, body: bytes) -> bytes:
        connection = http.client.HTTPConnection("localhost", timeout=SECONDS)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(SECONDS)
        try:
            connection.sock.connect(str(self.place / "control.sock"))
            connection.request(method, target, body)
            return connection.getresponse().read()
        finally:
            connection.close()

    def usage(self) -> Usage:
        return usage_of(self.server.process.pid)

    def rss(self) -> float:
        """MiB of resident memory."""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
        return int(line.split()[1]) / 1024

    @property
    def ended(self) -> int | None:
        """Its exit code, once it has ended."""
        return self.server.process.poll()

    async def wait_end(self, seconds: float) -> int | None:
        """Its exit code, if it ends within that many seconds."""
        wait = partial(self.server.process.wait, timeout=seconds)
        with suppress(subprocess.TimeoutExpired):
            await trio.to_thread.run_sync(wait)
        return self.ended

    def missing_replays(self, matches: int) -> int:
        """How many files are missing after that many matches of Quidditch.

        Those of matches that were aborted at once, as attackers do, do not count: they share a
        tenth of the room, and may not push out any others.
        """
        folders = ("replays", "replays-with-snapshots")
        files = [path for folder in folders for path in (self.place / folder).glob("*.json")]
        kept = sum("_brief" not in path.name for path in files)
        return max(0, len(folders) * min(matches, REPLAYS - REPLAYS // 10) - kept)

    def missing_results(self, matches: Mapping[str, int]) -> int:
        """How many matches have ended without a line in the results file."""
        told: Counter[str] = Counter()
        for path in self.place.glob("results*.jsonl*"):
            told.update(json.loads(line)["game"] for line in path.read_text().splitlines())
        return sum(max(0, ended - told[game]) for game, ended in matches.items())

    def crash_reports(self) -> list[str]:
        """The end of each crash's traceback; the state directory goes away with the daemon."""
        reports = sorted((self.place / "crashes").glob("*"))
        return [json.loads(path.read_bytes())["traceback"][-1500:] for path in reports]

    def errors(self) -> list[str]:
        """Errors in its log, and lines that are not log lines at all, such as tracebacks."""
        return [*self._logged("error", "critical")]

    def warnings(self) -> Counter[str]:
        """Warnings in its log, and how often they occurred."""
        return Counter(self._logged("warning"))

    def _logged(self, *levels: str) -> Iterator[str]:
        for line in (self.place / "log").read_text().splitlines():
            whole = line.startswith("{")
            entry = json.loads(line) if whole else {"level": "error", "event": line}
            if entry["level"] in levels:
                yield str(entry["event"])


@contextmanager
def hosting(games: Sequence[Game], lobbies: int, seed: int) -> Iterator[Daemon]:
    """A daemon with all these games, with room for that many matches of each."""
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        hosts = [game.name for game in games for _ in range(_endpoints(game, lobbies))]
        spare = [game.name for game in games]
        written = (_host(game, lobbies) for game in (*hosts, *spare))
        (place / "soak.toml").write_text(LIMITS + "".join(written))
        own = ["--control", f"{place}/control.sock", "--state-dir", str(place)]
        own += ["--config", f"{place}/soak.toml", "--seed", str(seed), "--log-format", "json"]
        with (
            (place / "log").open("wb") as log,
            running(
                python("ludothek", "run", "--no-web", *own),
                endpoints=len(hosts) + len(spare),
                errors=log,
            ) as server,
        ):
            ports: dict[str, list[int]] = {}
            for game, port in zip(hosts, server.ports, strict=False):
                ports.setdefault(game, []).append(port)
            others = dict(zip(spare, server.ports[len(hosts) :], strict=True))
            yield Daemon(server, place, ports, others)


def _endpoints(game: Game, lobbies: int) -> int:
    return lobbies if game.name in ONE_PER_PORT else 1


def _host(game: str, lobbies: int) -> str:
    lines = (f"{key} = {json.dumps(value)}" for key, value in settings(game, lobbies).items())
    own = "\n".join(lines)
    return f'[[host]]\ngame = "{game}"\nport = 0\n[host.settings]\n{own}\n'
