"""Our daemon beside other game servers with the same game, and echo servers beside one in C.

    python -m bench.compare --write docs/performance.md --json results.json

All servers take turns, and every trial has a fresh process. See bench/README.md.
"""

import json
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import attrs
import click

from bench.comparison import MARKS, Comparison
from bench.contenders import PLAIN, TUNED, contenders, echoes
from bench.disturbance import Attempts
from bench.duel import fight
from bench.environment import environment
from bench.measure import LOAD_CORE, SERVER_CORE
from bench.peer_load import installed
from bench.report import check
from bench.trial import Effort, try_echo, try_memory, try_speed

CONNECTIONS = 100

# Rounds of a comparison with another commit; a few seconds each.
ROUNDS = 20


@attrs.frozen
class Plan:
    """What is measured, and for how long."""

    repetitions: int
    games: Sequence[int]
    memory: tuple[int, int]  # matches before and after
    effort: Effort


FULL = Plan(5, (50, 200), (50, 200), Effort(warm_up=6000, seconds=2.0))
QUICK = Plan(1, (50,), (20, 60), Effort(warm_up=300, seconds=0.5))


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="One short repetition: does it work at all?")
@click.option("--repetitions", type=click.IntRange(1), help="Rounds over all servers.")
@click.option("--games", multiple=True, type=click.IntRange(1), help="Matches at once.")
@click.option("--seed", default=1, help="Of the games that are played.")
@click.option("--only", multiple=True, metavar="TEXT", help="Servers whose name contains it.")
@click.option(
    "--against",
    metavar="COMMIT",
    help=f"Only what a move costs, beside our daemon at this commit, {PLAIN} and {TUNED}.",
)
@click.option(
    "--durable",
    is_flag=True,
    help=f"Only what a move costs with --durable, beside our daemon without it, {PLAIN} and "
    f"{TUNED}; with --against, beside that commit as well.",
)
@click.option("--lenient", is_flag=True, help="Use disturbed trials, too. --quick implies it.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all single results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with marked places.")
def main(
    quick: bool,
    repetitions: int | None,
    games: Sequence[int],
    seed: int,
    only: Sequence[str],
    against: str | None,
    durable: bool,
    lenient: bool,
    raw: Path | None,
    page: Path | None,
) -> None:
    plan = QUICK if quick else FULL
    plan = attrs.evolve(
        plan, repetitions=repetitions or plan.repetitions, games=games or plan.games
    )
    attempts = Attempts(lenient=quick or lenient)
    if page:
        if against or durable or only:
            raise click.UsageError("only a comparison of all servers is published")
        attempts.require_strict()
        check(page, *MARKS)
    if SERVER_CORE == LOAD_CORE:
        raise click.ClickException("two cores are needed: one for the servers, one for the load")
    if not installed():
        click.echo("without boardgame.io, Colyseus and ws: see bench/README.md", err=True)
    os.sched_setaffinity(0, LOAD_CORE)
    if against or durable:
        rounds = repetitions or ROUNDS
        duel = fight(against, rounds, plan.games[0], seed, attempts, lasting=durable)
        click.echo(duel.text())
        return
    comparison = Comparison(environment(), short=quick)
    for repetition in range(plan.repetitions):
        click.echo(f"repetition {repetition + 1} of {plan.repetitions}", err=True)
        _compare(
            comparison, plan, seed, lambda name: not only or any(o in name for o in only), attempts
        )
        if raw:
            raw.write_text(json.dumps(comparison.raw(), indent=1))
    click.echo(comparison.text())
    if page:
        attempts.require_all()
        comparison.write(page)


def _compare(
    comparison: Comparison,
    plan: Plan,
    seed: int,
    wanted: Callable[[str], bool],
    attempts: Attempts,
) -> None:
    """Every server once, in turn."""
    effort = plan.effort
    servers = [server for server in contenders() if wanted(server.name)]
    for echo in filter(lambda echo: wanted(echo.name), echoes()):
        trial = partial(try_echo, echo, CONNECTIONS, effort)
        comparison.add(attempts.make(f"{echo.name}, echo", trial))
    for server in servers:
        memory = partial(try_memory, server, *plan.memory, seed)
        comparison.add(attempts.make(f"{server.name}, memory", memory))
    for games in plan.games:
        for server in servers:
            speed = partial(try_speed, server, games, effort, seed)
            comparison.add(attempts.make(f"{server.name}, {games} matches", speed))


if __name__ == "__main__":
    sys.exit(main())
