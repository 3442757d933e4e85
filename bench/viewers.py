"""What people who watch cost: the server's time, and the players'.

    python -m bench.viewers --write docs/performance.md --json results.json

A thousand viewers of one match that makes ten moves per second, then a hundred viewers of a hundred
such matches. In turns with ours, a plain Starlette server tells the same events to as many readers.
Then others play at half load, with and without viewers in turns. At last a browser opens the page.
"""

import http.client
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile

import attrs
import click

from bench.audience import Audience, ask, watched
from bench.connections import WebSocketConnection
from bench.contenders import daemon
from bench.disturbance import Attempts, Interval, watching
from bench.drawing import number
from bench.environment import environment, sentence
from bench.first_drawing import PageTrial, open_pages, pages_table
from bench.hexxagon_load import HexxagonLoad
from bench.load import Taken
from bench.measure import LOAD_CORE, Figure, Server, allow_files, python, running
from bench.report import check, put, spread, table
from bench.scaling import OTHER_FILES
from bench.trial import Stretch, under_load, warm_up

# Moves per second of a match that somebody watches.
RATE = 10.0
# Matches that keep the daemon at half load, and moves before anything counts.
GAMES = 50
WARM_UP = 6000
# Events of which the plain server has copies.
EVENTS = 80
# A match of so many moves per second takes ten seconds at least.
LONGEST = 9.0


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


@attrs.frozen(kw_only=True)
class CostTrial:
    """What one event cost for each viewer, in µs of the server's CPU."""

    scene: str
    ours: float
    plain: float
    event_bytes: float
    disturbed: float


@attrs.frozen(kw_only=True)
class DelayTrial:
    """How long players waited for a move, without viewers and with them."""

    scene: str
    without: Stretch
    watched: Stretch

    @property
    def disturbed(self) -> float:
        return max(self.without.disturbed, self.watched.disturbed)


@attrs.define
class Theatre:
    """A daemon, players at a measured pace, and seats for those who watch."""

    server: Server
    seed: int
    loads: dict[Scene, HexxagonLoad] = attrs.field(factory=dict)

    @property
    def page(self) -> int:
        return self.server.ports[1]

    def load(self, scene: Scene) -> HexxagonLoad:
        if scene not in self.loads:
            load = HexxagonLoad(self.server.port, WebSocketConnection.open, self.seed)
            load.connect(2 * scene.matches)
            self.loads[scene] = load
        return self.loads[scene]

    def deal(self, scene: Scene) -> list[str]:
        """Begin the matches of a scene, while no others are played; the paths of their streams."""
        self.load(scene).deal()
        lobbies = ask(self.page, "/api/matches")["lobbies"]
        return [f"/api/matches/{each['match']}/live" for each in lobbies if each["match"]]

    def play(self, scene: Scene, seconds: float) -> Taken:
        return self.load(scene).play(rate=RATE * scene.matches, seconds=seconds)

    @contextmanager
    def playing(self, scene: Scene, seconds: float) -> Iterator[None]:
        """Play in the background."""
        thread = threading.Thread(target=self.play, args=(scene, seconds))
        thread.start()
        try:
            yield
        finally:
            thread.join()

    def leave(self, scene: Scene) -> None:
        self.load(scene).leave()


@contextmanager
def theatre(seed: int) -> Iterator[Theatre]:
    with daemon("--game", "hexxagon", "--port", "0", "--web", "0", endpoints=2) as server:
        found = Theatre(server, seed)
        try:
            yield found
        finally:
            for load in found.loads.values():
                load.close()


# What a viewer costs


def record(house: Theatre) -> list[str]:
    """The events of a match, as a viewer hears them."""
    scene = Scene(1, 1)
    (path,) = house.deal(scene)
    connection = http.client.HTTPConnection("127.0.0.1", house.page, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    house.load(scene).play(rate=EVENTS, seconds=1.0)
    events: list[str] = []
    lines: list[str] = []
    while len(events) < EVENTS // 2:
        lines.append(answer.readline().decode())
        if lines[-1] == "\n":
            if lines[0].startswith("event: position"):
                events.append("".join(lines))
            lines.clear()
    connection.close()
    house.leave(scene)
    return events


@contextmanager
def plain_server(events: Sequence[str]) -> Iterator[Server]:
    with NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(events, file)
        file.flush()
        with running(python("bench.servers.plain_events", file.name)) as server:
            yield server


def try_cost(house: Theatre, plain: Server, scene: Scene, seconds: float) -> CostTrial:
    """Ours without viewers, ours with them, and the plain server, one after the other."""
    house.deal(scene)
    with watching(house.server) as alone:
        moves = house.play(scene, seconds).steps
    house.leave(scene)

    paths = house.deal(scene)
    with watched(house.page, paths * scene.viewers) as audience:
        audience.expect(len(paths) * scene.viewers)  # the positions in which they come
        play = lambda: house.play(scene, seconds).steps  # noqa: E731
        ours = _tell(house.server, audience, scene, play)
    house.leave(scene)

    stories = [f"/stories/{each}" for each in range(scene.matches)]
    order = f"/tell?stories={scene.matches}&rate={RATE:g}&seconds={seconds:g}"
    with watched(plain.port, stories * scene.viewers) as audience:
        tell = lambda: ask(plain.port, order)["told"] * scene.matches  # noqa: E731
        theirs = _tell(plain, audience, scene, tell)
    return CostTrial(
        scene=scene.name,
        ours=(ours.interval.cpu - alone.cpu * ours.events / moves) / ours.heard * 1e6,
        plain=theirs.interval.cpu / theirs.heard * 1e6,
        event_bytes=ours.bytes / ours.heard,
        disturbed=max(each.disturbed for each in (alone, ours.interval, theirs.interval)),
    )


@attrs.frozen(kw_only=True)
class Told:
    """What a server has told its viewers, and what it needed for that."""

    events: int
    heard: int  # by all together
    bytes: int
    interval: Interval


def _tell(server: Server, audience: Audience, scene: Scene, tell: Callable[[], int]) -> Told:
    heard, size = audience.heard, audience.bytes
    with watching(server) as interval:
        events = tell()
        audience.expect(heard + events * scene.viewers)
    return Told(
        events=events,
        heard=audience.heard - heard,
        bytes=audience.bytes - size,
        interval=interval,
    )


# What players notice


def try_delay(
    house: Theatre, others: HexxagonLoad, scene: Scene, rate: float, seconds: float, turn: int
) -> DelayTrial:
    """Others play at half load, once without viewers and once with them."""
    made: dict[bool, Stretch] = {}
    for seen in (False, True) if turn % 2 else (True, False):
        paths = house.deal(scene) * (scene.viewers if seen else 0)
        with watched(house.page, paths), house.playing(scene, LONGEST):
            made[seen] = under_load(house.server, others, seconds, rate)
        house.leave(scene)
    return DelayTrial(scene=scene.name, without=made[False], watched=made[True])


# All of it


@attrs.define
class Viewing:
    """All results, and how they are reported."""

    environment: dict[str, str]
    costs: list[CostTrial] = attrs.field(factory=list)
    delays: list[DelayTrial] = attrs.field(factory=list)
    pages: list[PageTrial] = attrs.field(factory=list)

    def write(self, page: Path) -> None:
        put(page, "viewers", self.text())

    def text(self) -> str:
        parts = [sentence(self.environment), self._costs(), self._delays(), pages_table(self.pages)]
        return "\n\n".join(parts)

    def _costs(self) -> str:
        header = (
            "viewers",
            "CPU µs per viewer and event",
            "plain Starlette",
            "plain ÷ ludothek",
            "bytes per event",
        )
        rows = []
        for scene in SCENES:
            made = [each for each in self.costs if each.scene == scene.name]
            if made:
                rows.append(
                    (
                        scene.name,
                        spread(Figure.of([each.ours for each in made])),
                        spread(Figure.of([each.plain for each in made])),
                        f"{Figure.of([each.plain / each.ours for each in made]).median:.2f}",
                        number(made[0].event_bytes),
                    )
                )
        return table(header, rows)

    def _delays(self) -> str:
        header = (
            "viewers",
            "half load without them: p50 / p99 ms",
            "with them: p50 / p99 ms",
            "p99 with ÷ without",
            "CPU µs per move of the others, with ÷ without",
        )
        rows = []
        for scene in SCENES:
            made = [each for each in self.delays if each.scene == scene.name]
            if made:
                rows.append(
                    (
                        scene.name,
                        _times([each.without for each in made]),
                        _times([each.watched for each in made]),
                        spread(Figure.of([each.watched.p99 / each.without.p99 for each in made])),
                        _ratio(made),
                    )
                )
        return table(header, rows)


def _times(made: Sequence[Stretch]) -> str:
    p50, p99 = (Figure.of([getattr(each, name) for each in made]) for name in ("p50", "p99"))
    return f"{number(p50.median)} / {spread(p99)}"


def _ratio(made: Sequence[DelayTrial]) -> str:
    found = [each.watched.cpu_micros / each.without.cpu_micros for each in made]
    return f"{Figure.of(found).median:.2f}"


def measure(results: Viewing, effort: "Effort", attempts: Attempts, seed: int) -> None:
    with theatre(seed) as house:
        with plain_server(record(house)) as plain:
            for _ in range(effort.rounds):
                for scene in SCENES:
                    cost = partial(try_cost, house, plain, scene, effort.seconds)
                    if made := attempts.make(f"cost of {scene.name}", cost):
                        results.costs.append(made)
        others = HexxagonLoad(house.server.port, WebSocketConnection.open, seed)
        others.connect(2 * GAMES)
        warm_up(others, WARM_UP)
        rate = under_load(house.server, others, effort.seconds).rate / 2
        for turn in range(effort.rounds):
            for scene in SCENES:
                delay = partial(try_delay, house, others, scene, rate, effort.seconds, turn)
                if found := attempts.make(f"delay by {scene.name}", delay):
                    results.delays.append(found)
        others.close()
        path = house.deal(SCENES[0])[0]
        results.pages += open_pages(house.page, path.split("/")[-2], effort.rounds)


@attrs.frozen
class Effort:
    """How often and for how long."""

    rounds: int = 7
    seconds: float = 5.0


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="Two short rounds: does it work at all?")
@click.option("--lenient", is_flag=True, help="Disturbed trials count.")
@click.option("--seed", default=1, help="Of the games that are played.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with a marked place.")
def main(quick: bool, lenient: bool, seed: int, raw: Path | None, page: Path | None) -> None:
    attempts = Attempts(lenient=quick or lenient)
    if page:
        attempts.require_strict()
        check(page, "viewers")
    most = max(scene.matches * (2 + scene.viewers) for scene in SCENES)
    allow_files(2 * (most + GAMES) + OTHER_FILES)
    os.sched_setaffinity(0, LOAD_CORE)
    results = Viewing(environment())
    measure(results, Effort(2, 2.0) if quick else Effort(), attempts, seed)
    click.echo(results.text())
    if raw:
        raw.write_text(json.dumps(attrs.asdict(results), indent=1))
    if page:
        attempts.require_all()
        results.write(page)


if __name__ == "__main__":
    sys.exit(main())
