"""What each game costs: its own random players in whole matches, over real sockets.

    python -m bench.games --write docs/performance.md --json results.json

Beside every game, in the same run, echo servers on the same kind of transport are driven by the
same loop with messages of the same size, so that every figure is a ratio, too.
"""

import json
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import attrs
import click

from bench.disturbance import Attempts
from bench.drawing import Bar, bars, number
from bench.environment import environment, sentence
from bench.game_trial import Effort, GameTrial, try_game
from bench.measure import LOAD_CORE, Figure
from bench.report import check, draw, put, spread, table
from ludothek.contract.registry import load, names
from ludothek.observe import log


@attrs.define
class PerGame:
    """All trials, and how they are reported."""

    environment: dict[str, str]
    trials: list[GameTrial] = attrs.field(factory=list)

    def write(self, page: Path) -> None:
        figures = [
            Bar(game, Figure.of([trial.per_cpu_second for trial in made]), ours=True)
            for game, made in self._by_game().items()
        ]
        drawing = bars("Messages handled per second of server CPU", figures)
        put(page, "games", f"{self.text()}\n\n{draw(page, 'games', drawing)}")

    def text(self) -> str:
        header = (
            "game",
            "transport",
            "messages per CPU second",
            "CPU µs per message",
            "÷ plain echo",
            "÷ platform echo",
            "answers per message",
            "bytes in / out",
            "p50 / p99 ms",
            "KiB per idle connection",
            "KiB per match",
        )
        rows = [_row(game, made) for game, made in self._by_game().items()]
        return f"{sentence(self.environment)}\n\n{table(header, rows)}"

    def _by_game(self) -> dict[str, list[GameTrial]]:
        found: dict[str, list[GameTrial]] = {}
        for trial in self.trials:
            found.setdefault(trial.game, []).append(trial)
        return found


def _row(game: str, trials: Sequence[GameTrial]) -> Sequence[str]:
    def middle(name: str) -> float:
        return Figure.of([getattr(trial, name) for trial in trials]).median

    return (
        game,
        trials[0].transport,
        spread(Figure.of([trial.per_cpu_second for trial in trials])),
        number(middle("cpu_micros")),
        f"{Figure.of([t.cpu_micros / t.echo_micros for t in trials]).median:.2f}",
        f"{Figure.of([t.cpu_micros / t.platform_micros for t in trials]).median:.2f}",
        f"{middle('answers'):.1f}",
        f"{middle('bytes_in'):.0f} / {middle('bytes_out'):.0f}",
        f"{number(middle('p50'))} / {number(middle('p99'))}",
        number(middle("idle_kib")),
        number(middle("match_kib")),
    )


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="One short repetition: does it work at all?")
@click.option("--game", "wanted", multiple=True, metavar="NAME", help="Only these. [all]")
@click.option("--seed", default=1, help="Of the players.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with marked places.")
def main(
    quick: bool, wanted: Sequence[str], seed: int, raw: Path | None, page: Path | None
) -> None:
    attempts = Attempts(lenient=quick)
    if page:
        attempts.require_strict()
        check(page, "games")
    effort = Effort(repetitions=1, matches=8, seconds=2.0) if quick else Effort()
    log.setup("console")
    os.sched_setaffinity(0, LOAD_CORE)
    results = PerGame(environment())
    for _ in range(effort.repetitions):
        for name in wanted or names():
            if trial := attempts.make(name, partial(try_game, load(name), effort, seed)):
                results.trials.append(trial)
    click.echo(results.text())
    if raw:
        raw.write_text(json.dumps(attrs.asdict(results), indent=1))
    if page:
        attempts.require_all()
        results.write(page)


if __name__ == "__main__":
    sys.exit(main())
