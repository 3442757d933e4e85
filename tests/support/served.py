"""A daemon with a page, in a process of its own, for tests that drive a browser."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import attrs
import httpx

from ludothek.contract import registry
from tests.support.program import PLATFORM

GAMES = tuple(registry.names())
ROOT = Path(__file__).parent.parent.parent
# Lines of TOML by game, for matches that are over in two seconds.
QUICK = {
    "quidditch": f'match = "{ROOT}/bench/quidditch.json"\naccounts = "memory"\n'
    "reconnect_seconds = 0.1",  # whoever leaves makes room for the next test
    "qwirkle": f'configuration = "{ROOT}/tests/data/qwirkle/quick.json"\n'
    "auto_skip = true\nstart_players = 2",
    "roborally": "max_rounds = 4",
}
# Until a test gives up on something that a busy machine is slow to do.
PATIENCE = 60.0
# A connection for each question: daemons die between two of them.
NEW = httpx.Limits(max_keepalive_connections=0)


@attrs.define(eq=False)
class Served:
    """A running daemon, the address of its page and the ports of its games."""

    process: "subprocess.Popen[str]"
    folder: Path
    url: str
    ports: dict[str, int]
    # For each of them, HTTPX reads all certificates of this machine if it is not told otherwise.
    _page: httpx.Client = attrs.field(init=False)
    _control: httpx.Client = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        page = httpx.HTTPTransport(limits=NEW, verify=False)
        control = httpx.HTTPTransport(
            uds=str(self.folder / "control.sock"), limits=NEW, verify=False
        )
        self._page = httpx.Client(transport=page, base_url=self.url, timeout=PATIENCE)
        self._control = httpx.Client(
            transport=control, base_url="http://localhost", timeout=PATIENCE
        )

    def get(self, path: str) -> Any:
        """What the page's interface answers; the truth, to which the browser is compared."""
        answer = self._page.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ctl(self, *arguments: str) -> str:
        """What an organiser's command prints."""
        command = [*PLATFORM, "ctl", "--control", str(self.folder / "control.sock"), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def close(self) -> None:
        """Ask nothing any more."""
        self._page.close()
        self._control.close()

    def look(self, path: str) -> Any:
        """What organisers are told; the truth about what they have done."""
        return self._order("GET", path)

    def invite(self) -> str:
        """A link that makes an organiser of a browser, once."""
        return str(self._order("POST", "/web")["url"])

    def _order(self, method: str, path: str) -> Any:
        answer = self._control.request(method, path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def login_link(self) -> str:
        """The same by the organiser's command."""
        return next(word for word in self.ctl("web").split() if word.startswith("http"))

    def running(self, game: str) -> set[str]:
        """The ids of the matches of a game that are being played."""
        lobbies = self.get("/api/matches")["lobbies"]
        return {each["match"] for each in lobbies if each["game"] == game and each["match"]}

    def ended(self, match: str) -> Any:
        """A match that is over, once its record is on disk."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            for each in self.get("/api/ended")["matches"]:
                if each["id"] == match:
                    return each
            time.sleep(0.02)  # nobody tells
        raise AssertionError(f"{match} has not ended")

    def record(self, match: str) -> Path:
        """The file that the daemon keeps of an ended match."""
        self.ended(match)
        (found,) = (self.folder / "state" / "matches").glob(f"*_{match}_*.match")
        return found

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()


@contextmanager
def serving(
    folder: Path,
    *arguments: str,
    games: Sequence[str] = GAMES,
    settings: Mapping[str, str] = QUICK,
) -> Iterator[Served]:
    """Serve games and the page on free ports, and end the daemon afterwards.

    `settings` are lines of TOML by game.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "platform.toml"
    config.write_text(_config(games, settings))
    own = (
        "--config",
        config,
        "--state-dir",
        folder / "state",
        "--control",
        folder / "control.sock",
    )
    command = [*PLATFORM, "run", *map(str, own), "--web", "0", "--seed", "1", *arguments]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            process_group=0,
        ) as process,
    ):
        try:
            served = Served(process, folder, *_ready(process, folder))
            yield served
            served.close()
        finally:
            _end(process)


def _config(games: Sequence[str], settings: Mapping[str, str]) -> str:
    hosts = [
        f'[[host]]\ngame = "{game}"\nport = 0\n[host.settings]\n{settings.get(game, "")}\n'
        for game in games
    ]
    return "\n".join(hosts)


def _ready(process: "subprocess.Popen[str]", folder: Path) -> tuple[str, dict[str, int]]:
    """What the daemon says once it serves: «GAME ready on ADDRESS», and the page's last."""
    ports: dict[str, int] = {}
    assert process.stdout is not None
    for line in process.stdout:
        name, _, address = line.strip().partition(" ready on ")
        if name == "page":
            return address, ports
        ports[name] = int(address.rpartition(":")[2])
    raise AssertionError((folder / "log").read_text())


def _end(process: "subprocess.Popen[str]") -> None:
    """Politely, and then whatever a durable daemon has left behind."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
