"""platform check: lead a client through the situations of its protocol."""

import logging
import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import structlog
import trio

from ludothek.cli.columns import align
from ludothek.contract.game import Game
from ludothek.contract.names import printable
from ludothek.observe import terminal_json
from ludothek.settings.config_file import find_game
from ludothek.settings.fields import SettingsError, nearest
from transports import open_listeners

if TYPE_CHECKING:
    from ludothek.arena.bounds import Bounds
    from ludothek.check.checker import Checker, Onlooker
    from ludothek.check.trial import Trial
    from ludothek.check.verdict import Verdict
    from ludothek.contract.situation import Situation

# Seconds for a decision of a program, and of somebody who starts a client by hand.
PATIENCE, LONG_PATIENCE = 10.0, 300.0

# Seconds in which a program must have connected; some ask the network for updates first.
STARTUP = 60.0

# Seconds of a whole situation.
MATCH_SECONDS = 300.0

BROKEN, NOT_RUN = 1, 2

_file = click.Path(path_type=Path, dir_okay=False, writable=True)


@click.command()
@click.option("--game", "name", required=True, metavar="NAME", help="The game of the client.")
@click.option("--seat", type=click.IntRange(1), help="The client's seat in all matches; 1 begins.")
@click.option("--seed", type=int, default=1, show_default=True, help="Repeats the same boards.")
@click.option(
    "--only", "only", multiple=True, metavar="SITUATION", help="Check only this; may be repeated."
)
@click.option("--list", "listing", is_flag=True, help="List the situations and stop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--junit", "junit_file", type=_file, help="Write JUnit XML, for a CI.")
@click.option("--html", "html_file", type=_file, help="Write a self-contained page.")
@click.option(
    "--patience",
    type=click.FloatRange(0.1, 86400),
    help="Seconds for one decision of the client.  [10; 300 without COMMAND]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="HOST",
    help="Address to wait at without COMMAND.  [127.0.0.1]",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port to wait at without COMMAND; 0 picks a free one.  [0]",
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def check(
    ctx: click.Context,
    name: str,
    seat: int | None,
    seed: int,
    only: Sequence[str],
    listing: bool,
    as_json: bool,
    junit_file: Path | None,
    html_file: Path | None,
    patience: float | None,
    host: str,
    port: int,
    command: tuple[str, ...],
) -> None:
    """Check a client, clause by clause: start COMMAND, or wait for the client.

    In COMMAND, {host}, {port}, {lobby}, {name}, {password}, {reservation}, {team} and {difficulty}
    are replaced; a word is empty if the game has no such thing. Exit code 0: nothing is broken; 1:
    something is; 2: the check could not be run.
    """
    from ludothek.check.checker import Checker
    from ludothek.check.situations import absent, situations_of

    game = find_game(name, "--game")
    if listing:
        _list(situations_of(game), absent(game), as_json=as_json)
        return
    chosen = _chosen(game, only)
    files = [file for file in (junit_file, html_file) if file is not None]
    for problem in _problems(game, command, chosen, seat, files):
        raise SettingsError(problem)
    if not command and (unreachable := _cannot_listen(host, port)) is not None:
        raise SettingsError(unreachable)
    checker = Checker(
        game=game,
        command=command,
        situations=chosen,
        seed=seed,
        seat=None if seat is None else seat - 1,
        bounds=_bounds(command, patience),
        host=host,
        port=port,
        observer=_observer(game, host, waits=not command, quiet=as_json),
    )
    _quiet_log()
    trio.run(_run, checker)
    verdict = checker.verdict()
    _report(verdict, as_json=as_json, junit_file=junit_file, html_file=html_file)
    if verdict.not_run:
        ctx.exit(NOT_RUN)
    ctx.exit(0 if verdict.passed else BROKEN)


def _chosen(game: Game, names: Sequence[str]) -> "Sequence[Situation]":
    from ludothek.check.checker import find_situations
    from ludothek.check.situations import absent, situations_of

    try:
        return find_situations(game, names)
    except KeyError as error:
        wrong = str(error.args[0])
        if wrong in absent(game):
            reason = f"{game.name} has no {wrong}: {absent(game)[wrong]}"
            raise SettingsError(f"--only: {reason}") from None
        near = nearest(wrong, [each.name for each in situations_of(game)])
        raise SettingsError(f"--only: there is no situation {wrong!r}{near}") from None


def _problems(
    game: Game,
    command: Sequence[str],
    situations: "Sequence[Situation]",
    seat: int | None,
    files: Sequence[Path],
) -> Iterator[str]:
    """What would otherwise be noticed when the client has played for minutes."""
    from ludothek.arena.command_line import unknown_words, unusable
    from ludothek.arena.entrant import placeholders_of

    for problem in unknown_words(command, placeholders_of(game)):
        yield f"COMMAND: {problem}"
    if command and (unusable_because := unusable(command[0], Path())):
        yield f"COMMAND: {unusable_because}"
    for situation in situations:
        players = situation.players or game.players
        if seat is not None and seat > players:
            yield f"--seat: {situation.name} has {players} seats, not {seat}"
    for file in files:
        if not os.access(file.parent, os.W_OK):
            yield f"{file} cannot be written"


def _cannot_listen(host: str, port: int) -> str | None:
    """Why no client can be waited for at that address, or None."""

    async def try_to() -> None:
        for listener in await open_listeners(host, port):
            await listener.aclose()

    try:
        trio.run(try_to)
    except OSError as error:
        return f"cannot wait for a client at {host} port {port}: {error.strerror or error}"
    return None


def _bounds(command: Sequence[str], patience: float | None) -> "Bounds":
    from ludothek.arena.bounds import Bounds

    seconds = patience or (PATIENCE if command else LONG_PATIENCE)
    startup = max(seconds, STARTUP) if command else LONG_PATIENCE
    return Bounds(
        startup_seconds=startup, move_seconds=seconds, game_seconds=max(MATCH_SECONDS, seconds)
    )


def _observer(game: Game, host: str, *, waits: bool, quiet: bool) -> "Onlooker":
    from rich.console import Console

    from ludothek.check.checker import Onlooker
    from ludothek.check.reports.lines import line_of

    # What goes to a program is one document; people want to see that something happens.
    console = Console(stderr=quiet, highlight=False, soft_wrap=True)

    def began(situation: "Situation") -> None:
        if waits:
            console.print(f"{situation.name}: {situation.about}")

    def ended(trial: "Trial") -> None:
        console.print(line_of(trial))

    def listens(port: int, lobby: str) -> None:
        url = f"{game.transport.scheme}://{host}:{port}"
        console.print(f"waiting for a client at {url}, lobby {lobby} (where lobbies have names)")

    return Onlooker(began=began, ended=ended, listens=listens)


def _quiet_log() -> None:
    """What the server would log is in the report."""
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


async def _run(checker: "Checker") -> None:
    """Check until the end, or until somebody has seen enough."""
    async with trio.open_nursery() as nursery:
        await nursery.start(_obey, nursery.cancel_scope)
        await checker.run()
        nursery.cancel_scope.cancel()


async def _obey(
    scope: trio.CancelScope, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        task_status.started()
        async for _ in signals:
            scope.cancel()


def _report(
    verdict: "Verdict", *, as_json: bool, junit_file: Path | None, html_file: Path | None
) -> None:
    from rich.console import Console

    from ludothek.check.reports.document import document
    from ludothek.check.reports.junit import junit
    from ludothek.check.reports.lines import show
    from ludothek.check.reports.page import page

    if junit_file is not None:
        junit_file.write_bytes(junit(verdict))
    if html_file is not None:
        html_file.write_text(page(verdict), encoding="utf-8", errors="replace")
    if as_json:
        click.echo(terminal_json.dumps(document(verdict)))
    else:
        show(Console(highlight=False), verdict)


def _list(situations: "Sequence[Situation]", absent: "Mapping[str, str]", *, as_json: bool) -> None:
    if as_json:
        found = [{"name": each.name, "about": each.about} for each in situations]
        click.echo(terminal_json.dumps({"situations": found, "absent": dict(absent)}))
        return
    rows = [(each.name, each.about) for each in situations]
    rows += [(name, f"absent: {why}") for name, why in absent.items()]
    for line in align([("situation", "what happens"), *rows]):
        click.echo(printable(line))
