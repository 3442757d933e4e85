"""platform arena: tournaments of programs, from a file to a table."""

import shlex
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import trio

from ludothek.cli.columns import align
from ludothek.cli.speaking import complain
from ludothek.contract.names import printable
from ludothek.observe import terminal_json
from ludothek.settings.fields import SettingsError

if TYPE_CHECKING:
    from ludothek.arena.conductor import Completion, Conductor
    from ludothek.arena.database import Database
    from ludothek.arena.findings.findings import Findings
    from ludothek.arena.plan import Plan
    from ludothek.arena.pool import Pool

INTERRUPTED, MISTAKEN = 1, 2

# Modules of the arena are imported late: no other command needs them.

database_option = click.option(
    "--db",
    "database",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("arena.db"),
    show_default=True,
    help="Where results are kept; records and logs are in a folder next to it.",
)
file_argument = click.argument("path", metavar="FILE", type=click.Path(path_type=Path))


@click.group()
def arena() -> None:
    """Run tournaments between programs, and rate them."""


@arena.command()
@file_argument
@click.pass_context
def check(ctx: click.Context, path: Path) -> None:
    """Check the file of a tournament without playing; names every mistake."""
    plan = _read(ctx, path)
    size = plan.schedule().size({})
    most = "at most " if plan.format.value == "sprt" else ""
    what = f"{plan.format.value} of {len(plan.entrants)} at {plan.game}, {most}{size} games"
    click.echo(printable(f"{path}: ok: {what}"))


@arena.command()
@file_argument
@database_option
@click.option(
    "--games",
    type=click.IntRange(2),
    metavar="N",
    help="Games of each pairing, instead of the number in the file.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster with this scheduler, as in tcp://lab-01:8786.",
)
@click.pass_context
def run(
    ctx: click.Context, path: Path, database: Path, games: int | None, cluster: str | None
) -> None:
    """Play the games of a tournament that are not in the database yet.

    Ctrl-C finishes the games that are running, a second one abandons them. The same command
    resumes the tournament.
    """
    from ludothek.arena.conductor import Completion
    from ludothek.arena.database import BadDatabase, CannotWrite, InUse, open_to_write
    from ludothek.arena.pool import PoolLost
    from ludothek.cli.arena_progress import show_at_end

    plan = _read(ctx, path, games)
    try:
        with open_to_write(database, plan) as opened:
            ending, conductor = trio.run(_conduct, plan, opened, cluster)
    except BadDatabase as error:
        raise SettingsError(str(error)) from None
    except (CannotWrite, InUse, PoolLost) as error:
        raise click.ClickException(str(error)) from None
    show_at_end(conductor)
    if ending is Completion.COMPLETE:
        return
    if conductor.trouble:
        complain(conductor.trouble)
    click.echo(f"go on with: {_resuming(path, database, games, cluster)}", err=True)
    ctx.exit(INTERRUPTED)


@arena.command()
@database_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the standings as CSV.")
@click.option(
    "--html",
    "page_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a self-contained page.",
)
def show(database: Path, as_json: bool, as_csv: bool, page_file: Path | None) -> None:
    """Show standings, encounters, reasons and time, also while the tournament is running.

    Ratings are Elo with a mean of 1500 and 95 % confidence intervals. The last column of the
    standings is the likelihood of being better than the next.
    """
    from ludothek.arena.database import BadDatabase, open_to_read
    from ludothek.arena.findings.document import document
    from ludothek.arena.findings.findings import find
    from ludothek.arena.findings.poster import poster
    from ludothek.arena.findings.spreadsheet import spreadsheet

    if as_json + as_csv + (page_file is not None) > 1:
        raise click.UsageError("--json, --csv and --html exclude each other")
    try:
        with open_to_read(database) as opened:
            findings = find(opened.plan(), opened.outcomes())
            games, failures = opened.games(), opened.failures()
    except BadDatabase as error:
        raise click.ClickException(str(error)) from None
    if as_json:
        click.echo(terminal_json.dumps(document(findings, games, failures)))
    elif as_csv:
        click.echo(spreadsheet(findings), nl=False)
    elif page_file:
        page_file.write_text(poster(findings, games), encoding="utf-8")
    else:
        for line in _text(findings):
            click.echo(line)


def _read(ctx: click.Context, path: Path, games: int | None = None) -> "Plan":
    from ludothek.arena.plan_file import PlanError, read

    try:
        return read(path, games)
    except PlanError as error:
        for problem in error.problems:
            complain(problem)
        ctx.exit(MISTAKEN)


def _text(findings: "Findings") -> Sequence[str]:
    from ludothek.arena.findings.grids import grids, remarks

    lines = [printable(remark) for remark in remarks(findings)]
    for table in grids(findings):
        lines += ["", f"{table.title}:", *align([table.head, *table.rows])]
    return lines


async def _conduct(
    plan: "Plan", database: "Database", cluster: str | None
) -> "tuple[Completion, Conductor]":
    from ludothek.arena.conductor import Conductor
    from ludothek.cli.arena_progress import watching

    async with make_pool(cluster) as pool:
        with watching() as observer:
            conductor = Conductor(plan, database, pool, observer)
            async with trio.open_nursery() as nursery:
                await nursery.start(_obey, conductor)
                ending = await conductor.run()
                nursery.cancel_scope.cancel()
    return ending, conductor


async def _obey(
    conductor: "Conductor", task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """End as signals demand: the first Ctrl-C lets games end, all others do not."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        task_status.started()
        polite = True
        async for number in signals:
            if number == signal.SIGINT and polite and conductor.running:
                polite = False
                games = f"{conductor.running} game{'s' * (conductor.running > 1)}"
                text = f"finishing {games}; Ctrl-C once more gives up"
                conductor.observer.say(text)
                conductor.stop()
            else:
                conductor.give_up()


def make_pool(cluster: str | None) -> "Pool":
    """Where games are played: on this machine, or on a cluster."""
    if cluster is None:
        from ludothek.arena.local_pool import LocalPool

        return LocalPool()
    from ludothek.arena.cluster_pool import ClusterPool

    return ClusterPool(cluster)


def _resuming(path: Path, database: Path, games: int | None, cluster: str | None) -> str:
    words = ["platform", "arena", "run", str(path), "--db", str(database)]
    if games is not None:
        words += ["--games", str(games)]
    if cluster is not None:
        words += ["--cluster", cluster]
    return printable(shlex.join(words))
