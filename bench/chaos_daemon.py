"""The daemon of a chaos run: started here with its guardian, or found running elsewhere."""

import http.client
import json
import os
import signal
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs
import trio

from bench.chaos_guests import PASSWORD
from bench.measure import CannotMeasure, Server, child_of, memory_place, python, running
from bench.soak_daemon import ONE_PER_PORT, settings
from ludothek.contract.game import Game

# The endpoint of the lobby in which a hosted bot plays.
HOSTED = "hexxagon"

SECONDS = 20.0  # for an answer
TRIES = 60
AGAIN = 0.25


class Unanswered(Exception):
    """The daemon was killed while it was to answer; what it was asked for may have been done."""


class Refused(Exception):
    """The daemon does not do what it was asked for."""


@attrs.frozen
class Control:
    """The organiser's socket."""

    path: Path

    async def ask(self, method: str, target: str, body: Any = None) -> Any:
        """The answer; raises Unanswered, Refused."""
        exchange = partial(self.exchange, method, target, body)
        try:
            status, answer = await trio.to_thread.run_sync(exchange)
        except (OSError, http.client.HTTPException) as error:
            raise Unanswered(repr(error)) from None
        if status >= 500:
            raise Unanswered(f"{status}: {answer[:200]!r}")
        if status >= 400:
            raise Refused(f"{status}: {answer[:200]!r}")
        return json.loads(answer)

    async def insist(self, method: str, target: str, body: Any = None) -> Any:
        """The same, until there is an answer."""
        for _ in range(TRIES):
            with suppress(Unanswered):
                return await self.ask(method, target, body)
            await trio.sleep(AGAIN)
        raise CannotMeasure("the daemon does not answer its organiser")

    def exchange(self, method: str, target: str, body: Any = None) -> tuple[int, bytes]:
        """Status and answer, without an event loop; raises OSError, HTTPException."""
        connection = http.client.HTTPConnection("localhost", timeout=SECONDS)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(SECONDS)
        try:
            connection.sock.connect(str(self.path))
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, target, data)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


@attrs.define(eq=False)
class Daemon:
    """Where it listens, and which of its processes serves."""

    control: Control
    server: Server | None = None  # what was started: the guardian, or the daemon itself
    place: Path | None = None  # its state directory
    durable: bool = True

    async def ports(self) -> Mapping[str, Sequence[int]]:
        """The ports of each game, in the order of the configuration."""
        status = await self.control.insist("GET", "/status")
        found: dict[str, list[int]] = {}
        for endpoint in status["endpoints"]:
            port = urlsplit(endpoint["url"]).port
            assert port is not None
            found.setdefault(endpoint["game"], []).append(port)
        return found

    async def serving(self) -> int | None:
        """The process that serves, or is about to; None while there is none."""
        if self.server is not None:
            return child_of(self.server.process.pid)
        try:
            return int((await self.control.ask("GET", "/status"))["pid"])
        except Unanswered:
            return None

    async def kill(self) -> bool:
        """Kill it and wait until it is dead; False if there was nothing to kill."""
        pid = await self.serving()
        if pid is None:
            return False
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            return False
        try:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
            await trio.lowlevel.wait_readable(handle)
        except ProcessLookupError:
            return False
        finally:
            os.close(handle)
        return True

    async def end(self, seconds: float) -> int | None:
        """Drain the daemon, if it was started here; its exit code, if it ends in that time."""
        assert self.server is not None
        await self.control.insist("POST", "/drain", {})
        wait = partial(self.server.process.wait, timeout=seconds)
        with suppress(subprocess.TimeoutExpired):
            await trio.to_thread.run_sync(wait)
        return self.server.process.poll()

    # What it leaves behind

    def results(self) -> Counter[str]:
        """Lines of the results file, by game."""
        assert self.place is not None
        told: Counter[str] = Counter()
        for path in self.place.glob("results*.jsonl*"):
            told.update(json.loads(line)["game"] for line in path.read_text().splitlines())
        return told

    def crash_reports(self) -> list[str]:
        """The end of each crash's traceback; the state directory goes away with the daemon."""
        assert self.place is not None
        reports = sorted((self.place / "crashes").glob("*"))
        return [f"{path.name}: {path.read_bytes()[-1500:]!r}" for path in reports]

    def log_errors(self) -> list[str]:
        """Errors in its log, and lines that are not log lines at all, such as tracebacks."""
        assert self.place is not None
        found = []
        for line in (self.place / "log").read_text().splitlines():
            try:
                entry = json.loads(line)
            except ValueError:  # a traceback, or a line that its writer could not finish
                entry = {"level": "error", "event": line}
            if entry["level"] in ("error", "critical"):
                found.append(str(entry.get("event")) + str(entry.get("exception", ""))[-500:])
        return found


def configuration(games: Sequence[Game], lobbies: int) -> str:
    """What a daemon needs for a chaos run, in TOML."""
    hosts = [
        _host(game.name, settings(game.name, lobbies))
        for game in games
        for _ in range(lobbies if game.name in ONE_PER_PORT else 1)
    ]
    for game in games:
        if game.name == HOSTED:
            own = {"bots": 1, "bot_difficulty": len(game.difficulties) - 1}
            hosts.append(_host(game.name, own))
    return "".join(hosts)


def _host(game: str, own: Mapping[str, Any]) -> str:
    chosen = dict(own)
    if game == "penguins":
        chosen["password"] = PASSWORD
    lines = "\n".join(f"{key} = {json.dumps(value)}" for key, value in chosen.items())
    return f'[[host]]\ngame = "{game}"\nport = 0\n[host.settings]\n{lines}\n'


@contextmanager
def hosting(
    games: Sequence[Game], lobbies: int, seed: int, *, durable: bool, kept: Path | None
) -> Iterator[Daemon]:
    """A daemon of our own with all these games, with room for that many matches of each.

    Its files, the log among them, can be kept.
    """
    with ExitStack() as stack:
        temporary = tempfile.TemporaryDirectory(prefix="chaos-")
        name = stack.enter_context(temporary) if kept is None else str(kept)
        runtime = stack.enter_context(memory_place())
        place = Path(name)
        text = configuration(games, lobbies)
        (place / "chaos.toml").write_text(text)
        own = ["--control", f"{place}/control.sock", "--state-dir", str(place)]
        own += ["--config", f"{place}/chaos.toml", "--seed", str(seed), "--log-format", "json"]
        own += ["--durable", "--runtime-dir", str(runtime)] if durable else []
        with (
            (place / "log").open("wb") as log,
            running(
                python("ludothek", "run", "--no-web", *own),
                endpoints=text.count("[[host]]"),
                errors=log,
            ) as server,
        ):
            yield Daemon(Control(place / "control.sock"), server, place, durable)
