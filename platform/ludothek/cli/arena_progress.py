"""How a tournament is going: a screen on a terminal, lines elsewhere."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import attrs
import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ludothek.arena.conductor import Conductor
from ludothek.arena.findings.findings import Findings, find
from ludothek.arena.findings.grids import number, standings
from ludothek.arena.formats.schedule import Fixture
from ludothek.arena.outcome import Outcome, Reason, shares
from ludothek.cli.columns import align
from ludothek.contract.names import printable

# Seconds between two looks at the standings. With many entrants these take some time to compute:
# then it is longer, so that no more than this part of the time is spent on them.
PERIOD, PART = 1.0, 0.05

# Lines of the standings that are shown while games are played.
ROWS = 20


@attrs.define
class Speed:
    """How fast games end, and how long it will still take."""

    begun: float = attrs.field(factory=time.monotonic)
    ended: int = 0

    def words(self, conductor: Conductor) -> str:
        seconds = max(time.monotonic() - self.begun, 1e-9)
        per_minute = 60 * self.ended / seconds
        size, played = conductor.schedule.size(conductor.results), conductor.played
        words = f"{played} of {size} games"
        if not self.ended:
            return words
        left = timedelta(seconds=round(max(0, size - played) * seconds / self.ended))
        return f"{words}, {per_minute:.1f} games per minute, {left} left"


@attrs.define
class ProgressLines:
    """One line per game."""

    conductor: Conductor = attrs.field(init=False)
    pace: Speed = attrs.field(factory=Speed)

    def begun(self, conductor: Conductor) -> None:
        self.conductor = conductor
        self.say(self.pace.words(conductor))

    def started(self, fixture: Fixture) -> None:
        pass

    def ended(self, fixture: Fixture, outcome: Outcome) -> None:
        self.pace.ended += 1
        self.say(f"{story(self.conductor, fixture, outcome)}; {self.pace.words(self.conductor)}")

    def failed(self, fixture: Fixture, failure: str) -> None:
        self.say(f"game {fixture.number}: our fault, it is repeated: {failure}")

    def say(self, text: str) -> None:
        try:
            click.echo(printable(text))
        except BrokenPipeError:  # nobody reads any more, and the games are worth it all the same
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@attrs.define
class ProgressScreen:
    """A bar, the standings so far, and the latest game."""

    live: Live
    conductor: Conductor = attrs.field(init=False)
    pace: Speed = attrs.field(factory=Speed)
    _next: float = 0.0  # when to draw again
    _news: str = ""
    _order: str = ""  # what Ctrl-C has brought about

    def begun(self, conductor: Conductor) -> None:
        self.conductor = conductor
        self._draw()

    def started(self, fixture: Fixture) -> None:
        pass

    def ended(self, fixture: Fixture, outcome: Outcome) -> None:
        self.pace.ended += 1
        self._news = story(self.conductor, fixture, outcome)
        if time.monotonic() >= self._next:
            self._draw()

    def failed(self, fixture: Fixture, failure: str) -> None:
        self._news = f"game {fixture.number}: our fault, it is repeated: {failure}"
        self._draw()

    def say(self, text: str) -> None:
        self._order = text
        self._draw()

    def _draw(self) -> None:
        begun = time.monotonic()
        conductor = self.conductor
        size = conductor.schedule.size(conductor.results)
        parts: list[RenderableType] = [
            Text(printable(self.pace.words(conductor))),
            _line(ProgressBar(total=max(size, 1), completed=conductor.played, width=60)),
            _table(conductor),
            Text(printable(self._news), style="dim"),
        ]
        if self._order:
            parts.append(Text(printable(self._order), style="bold"))
        self.live.update(Group(*parts), refresh=True)
        ended = time.monotonic()
        self._next = ended + max(PERIOD, (ended - begun) / PART)


@contextmanager
def watching() -> Iterator[ProgressLines | ProgressScreen]:
    """Reports the progress to people."""
    if not sys.stdout.isatty():
        yield ProgressLines()
        return
    with Live(console=Console(), auto_refresh=False, transient=True) as live:
        yield ProgressScreen(live)


def show_at_end(conductor: Conductor) -> None:
    """The standings, as lines that stay."""
    table = standings(_findings(conductor))
    for line in align([table.head, *table.rows]):
        click.echo(line)


def story(conductor: Conductor, fixture: Fixture, outcome: Outcome) -> str:
    """A game in one line."""
    names = conductor.plan.names
    results = ", ".join(
        f"{names[entrant]} {number(share)}"
        for entrant, share in zip(fixture.seats, shares(outcome.finishes), strict=True)
    )
    faults = [
        finish.words or f"{names[entrant]}: {finish.reason}"
        for entrant, finish in zip(fixture.seats, outcome.finishes, strict=True)
        if finish.reason is not Reason.REGULAR
    ]
    return " ".join([f"game {fixture.number}: {results}", *(f"({fault})" for fault in faults)])


def _findings(conductor: Conductor) -> Findings:
    return find(conductor.plan, conductor.outcomes, conductor.schedule)


def _line(part: RenderableType) -> Table:
    """A part that does not end its line by itself."""
    line = Table.grid()
    line.add_row(part)
    return line


def _table(conductor: Conductor) -> Table:
    found = standings(_findings(conductor))
    drawn = Table(box=None, pad_edge=False)
    for column, title in enumerate(found.head):
        drawn.add_column(title, justify="left" if column < found.words else "right")
    for row in found.rows[:ROWS]:
        drawn.add_row(*(Text(printable(cell)) for cell in row))
    return drawn
