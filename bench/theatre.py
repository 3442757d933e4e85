"""A daemon whose matches are watched: players at a measured pace, and seats for viewers."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from bench.connections import WebSocketConnection
from bench.contenders import daemon
from bench.hexxagon_load import HexxagonLoad
from bench.measure import Server

# Moves per second of a match that somebody watches.
RATE = 10.0


@attrs.frozen
class Scene:
    """Matches, and how many people watch each."""

    matches: int
    viewers: int

    @property
    def name(self) -> str:
        everybody = f"{self.matches * self.viewers:,} viewers"
        return f"{everybody} of one match" if self.matches == 1 else f"{everybody}, a match each"


SCENES = (Scene(1, 1000), Scene(100, 1))


@attrs.define
class Theatre:
    """The daemon, and a stage for each scene."""

    server: Server
    seed: int
    label: str = ""  # what it is called beside others
    stages: "dict[tuple[Scene, bool], Stage]" = attrs.field(factory=dict)

    @property
    def page(self) -> int:
        return self.server.ports[1]

    def stage(self, scene: Scene, *, twin: bool = False) -> "Stage":
        """Where the matches of a scene are played, or others like them."""
        if (scene, twin) not in self.stages:
            load = HexxagonLoad(self.server.port, WebSocketConnection.open, self.seed)
            load.connect(2 * scene.matches)
            self.stages[scene, twin] = Stage(self, scene, load)
        return self.stages[scene, twin]

    def running(self) -> set[str]:
        """The ids of all matches that are being played."""
        lobbies = ask(self.page, "/api/matches")["lobbies"]
        return {each["match"] for each in lobbies if each["match"]}


@attrs.frozen(eq=False)
class Stage:
    """Matches that may be watched."""

    theatre: Theatre
    scene: Scene
    load: HexxagonLoad

    def deal(self) -> list[str]:
        """Begin them; the paths of their streams."""
        before = self.theatre.running()
        self.load.deal()
        new = self.theatre.running() - before
        return [f"/api/matches/{each}/live" for each in sorted(new)]

    def play(self, seconds: float) -> int:
        """Let them go on for so long; how many moves that were."""
        return self.load.play(rate=RATE * self.scene.matches, seconds=seconds).steps

    @contextmanager
    def playing(self, seconds: float) -> Iterator[list[int]]:
        """The same in the background; the list has the result afterwards."""
        moves: list[int] = []
        thread = threading.Thread(target=lambda: moves.append(self.play(seconds)))
        thread.start()
        try:
            yield moves
        finally:
            thread.join()

    def leave(self) -> None:
        self.load.leave()


def ask(port: int, path: str) -> Any:
    """What a server says, as JSON."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


@contextmanager
def theatre(seed: int, tree: Path | None = None, label: str = "") -> Iterator[Theatre]:
    """The daemon that is installed, or one whose source is in a tree."""
    arguments = ("--game", "hexxagon", "--port", "0", "--web", "0")
    with daemon(*arguments, endpoints=2, tree=tree) as server:
        found = Theatre(server, seed, label)
        try:
            yield found
        finally:
            for stage in found.stages.values():
                stage.load.close()
