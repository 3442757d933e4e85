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
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import NamedTemporaryFile

import attrs
import click

from bench.audience import Audience, watched
from bench.delays import GAMES, Delay, Ratio, measure_delay
from bench.disturbance import Attempts, Interval, watching
from bench.drawing import number
from bench.environment import environment, sentence
from bench.first_drawing import PageTrial, open_pages, pages_table
from bench.former import checked_out
from bench.measure import LOAD_CORE, Figure, Server, allow_files, python, running
from bench.report import check, put, spread, table
from bench.scaling import OTHER_FILES
from bench.theatre import RATE, SCENES, Scene, Theatre, ask, theatre

# Events of which the plain server has copies.
EVENTS = 80
# How often each thing is measured.
ROUNDS = 7
# What can be measured alone.
PARTS = ("costs", "delays", "pages")


@attrs.frozen(kw_only=True)
class CostTrial:
    """What one event cost for each viewer, in µs of the server's CPU."""

    scene: str
    ours: float
    plain: float
    event_bytes: float
    disturbed: float


# What a viewer costs


def record(house: Theatre) -> list[str]:
    """The events of a match, as a viewer hears them."""
    stage = house.stage(Scene(1, 1))
    (path,) = stage.deal()
    connection = http.client.HTTPConnection("127.0.0.1", house.page, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    stage.load.play(rate=EVENTS, seconds=1.0)
    events: list[str] = []
    lines: list[str] = []
    while len(events) < EVENTS // 2:
        lines.append(answer.readline().decode())
        if lines[-1] == "\n":
            if lines[0].startswith("event: position"):
                events.append("".join(lines))
            lines.clear()
    connection.close()
    stage.leave()
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
    stage = house.stage(scene)
    stage.deal()
    with watching(house.server) as alone:
        moves = stage.play(seconds)
    stage.leave()

    paths = stage.deal()
    with watched(house.page, paths * scene.viewers) as audience:
        audience.expect(len(paths) * scene.viewers)  # the positions in which they come
        ours = _tell(house.server, audience, scene, partial(stage.play, seconds))
    stage.leave()

    stories = [f"/stories/{each}" for each in range(scene.matches)]
    order = f"/tell?stories={scene.matches}&rate={RATE:g}&seconds={seconds:g}"
    with watched(plain.port, stories * scene.viewers) as audience:
        tell = lambda: ask(plain.port, order)["told"] * scene.matches  # noqa: E731
        theirs = _tell(plain, audience, scene, tell)
    return CostTrial(
        scene=scene.name + house.label,
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


# All of it


@attrs.define
class Viewing:
    """All results, and how they are reported."""

    environment: dict[str, str]
    costs: list[CostTrial] = attrs.field(factory=list)
    delays: list[Delay] = attrs.field(factory=list)
    pages: list[PageTrial] = attrs.field(factory=list)

    def write(self, page: Path) -> None:
        put(page, "viewers", self.text())

    def text(self) -> str:
        parts = [sentence(self.environment)]
        parts += [self._costs()] if self.costs else []
        parts += [self._delays()] if self.delays else []
        parts += [pages_table(self.pages)] if self.pages else []
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
        for scene in dict.fromkeys(each.scene for each in self.costs):
            made = [each for each in self.costs if each.scene == scene]
            rows.append(
                (
                    scene,
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
            "p50 ms at half load, without / with them",
            "with ÷ without",
            "p99 ms, without / with",
            "with ÷ without",
            "p99 ms of the median stretch",
            "with ÷ without",
            "CPU µs per move, with ÷ without",
            "pairs of stretches",
        )
        rows = [
            (
                each.scene,
                *_compared(each.p50),
                *_compared(each.p99),
                *_compared(each.usual_p99),
                f"{each.cpu:.2f}",
                _pairs(each),
            )
            for each in self.delays
        ]
        return table(header, rows)


def _compared(ratio: Ratio) -> tuple[str, str]:
    return (
        f"{number(ratio.without)} / {number(ratio.watched)}",
        f"{ratio.value:.3f} ({ratio.least:.3f} to {ratio.most:.3f})",
    )


def _pairs(delay: Delay) -> str:
    return f"{delay.pairs} of {delay.pairs + delay.dropped}"


@attrs.frozen
class Effort:
    """How often and for how long."""

    rounds: int = ROUNDS
    seconds: float = 5.0
    pairs: int = 100


@attrs.frozen
class Measuring:
    """How often and for how long things are measured, of which daemons."""

    houses: Sequence[Theatre]
    effort: Effort
    attempts: Attempts
    seed: int

    def costs(self) -> Iterator[CostTrial]:
        with plain_server(record(self.houses[0])) as plain:
            for _, scene, house in product(range(self.effort.rounds), SCENES, self.houses):
                cost = partial(try_cost, house, plain, scene, self.effort.seconds)
                if made := self.attempts.make(f"cost of {scene.name}{house.label}", cost):
                    yield made

    def delays(self) -> Iterator[Delay]:
        for scene, house in product(SCENES, self.houses):
            delay = partial(measure_delay, house, scene, self.effort.pairs, self.seed)
            if made := self.attempts.make(f"delay by {scene.name}{house.label}", delay):
                yield made

    def pages(self) -> Iterator[PageTrial]:
        house = self.houses[0]
        stage = house.stage(SCENES[0])
        path = stage.deal()[0]
        yield from open_pages(house.page, path.split("/")[-2], self.effort.rounds)
        stage.leave()


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="Two short rounds: does it work at all?")
@click.option("--lenient", is_flag=True, help="Disturbed trials count.")
@click.option("--only", type=click.Choice(PARTS), multiple=True, help="Not everything.")
@click.option("--rounds", type=int, help="How often everything but the delay is measured.")
@click.option("--pairs", default=Effort().pairs, help="Pairs of stretches for the delay.")
@click.option("--against", metavar="COMMIT", help="Measure the daemon of that commit, too.")
@click.option("--seed", default=1, help="Of the games that are played.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with a marked place.")
def main(
    quick: bool,
    lenient: bool,
    only: tuple[str, ...],
    rounds: int | None,
    pairs: int,
    against: str | None,
    seed: int,
    raw: Path | None,
    page: Path | None,
) -> None:
    attempts = Attempts(lenient=quick or lenient)
    if page:
        attempts.require_strict()
        check(page, "viewers")
        if only or against:
            raise click.UsageError("only everything can be published, and only of one commit")
    most = max(scene.matches * (4 + scene.viewers) for scene in SCENES)
    allow_files(2 * (most + GAMES) + OTHER_FILES)
    os.sched_setaffinity(0, LOAD_CORE)
    results = Viewing(environment())
    effort = Effort(2, 2.0, 4) if quick else Effort(rounds or ROUNDS, pairs=pairs)
    with ExitStack() as stack:
        houses = [stack.enter_context(theatre(seed))]
        if against:
            tree = stack.enter_context(checked_out(against))
            houses.append(stack.enter_context(theatre(seed, tree, f", at {against}")))
        measuring = Measuring(houses, effort, attempts, seed)
        for part in only or PARTS:
            getattr(results, part).extend(getattr(measuring, part)())
    click.echo(results.text())
    if raw:
        raw.write_text(json.dumps(attrs.asdict(results), indent=1))
    if page:
        attempts.require_all()
        results.write(page)


if __name__ == "__main__":
    sys.exit(main())
