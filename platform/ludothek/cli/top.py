"""platform ctl top: what the daemon is doing right now."""

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import click

from ludothek.cli.console import Console, Failed, form, pass_console, where
from ludothek.cli.rates import Look, compare
from ludothek.observe import terminal_json

# The daemon lists its clients only if they are at most this many: it has games to serve.
MAX_CLIENTS = 1000


@click.command()
@click.option("--once", is_flag=True, help="Print one table; the default without a terminal.")
@click.option(
    "--interval",
    type=click.FloatRange(0.1, 3600),
    default=1.0,
    show_default=True,
    help="Seconds between refreshes.",
)
@click.option(
    "--busiest",
    type=click.IntRange(0, 100),
    default=5,
    show_default=True,
    help="How many of the busiest lobbies and clients.",
)
@where
@form
@pass_console
def top(console: Console, once: bool, interval: float, busiest: int) -> None:
    """Watch the daemon at work; q quits.

    For each game: messages and kilobytes in and out per second, the median and the 99th percentile
    of handling times, what is queued for slow clients, and the clients dropped since the start.
    """
    # Imported here because it is slow to load, and other commands do not need it.
    from ludothek.cli.top_screen import show

    if once or console.json or not sys.stdout.isatty():
        before = _look(console, busiest)
        time.sleep(interval)
        found = compare(before, _look(console, busiest), busiest)
        if console.json:
            click.echo(terminal_json.dumps(found))
        else:
            show(found)
    else:
        with suppress(KeyboardInterrupt):
            _watch(console, interval, busiest)


def _look(console: Console, busiest: int) -> Look:
    status = console.ask("GET", "status")
    few = busiest and status["clients"] <= MAX_CLIENTS
    return Look(status, console.ask("GET", "clients") if few else None)


def _watch(console: Console, interval: float, busiest: int) -> None:
    from ludothek.cli.top_screen import Screen

    now = _look(console, busiest)  # a daemon that is absent at the start will hardly come
    with _keys() as wait_for_key, Screen() as screen:
        screen.show(compare(None, now, busiest))
        while wait_for_key(interval) not in ("q", "Q"):
            try:
                before, now = now, _look(console, busiest)
                screen.show(compare(before, now, busiest))
            except Failed as problem:
                screen.say(f"{problem.message}; trying again")


@contextmanager
def _keys() -> Iterator[Callable[[float], str]]:
    """A function that waits up to some seconds for a key; without a keyboard it only waits."""
    if not sys.stdin.isatty():
        yield _wait
        return

    def wait(seconds: float) -> str:
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else ""

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin)
        yield wait
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _wait(seconds: float) -> str:
    time.sleep(seconds)
    return ""
