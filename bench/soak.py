"""All games at once for minutes, with attackers beside them: does everything hold?

    python -m bench.soak --write docs/performance.md --json soak.json

One daemon on the first core hosts every game, a hundred lobbies each; all players and attackers
are one process on the last core. How fast players play is adjusted all the time, so that the daemon
uses the share of its core that --load says. At the end attackers go, and the daemon is drained:
every match that has begun must come to its end. The exit code is 1 if a promise was broken.
"""

import gc
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import attrs
import click
import trio

from bench.disturbance import Disturbed, undisturbed, watching
from bench.environment import environment
from bench.measure import LOAD_CORE, CannotMeasure, allow_files
from bench.report import check, put
from bench.soak_attacks import KINDS, Siege
from bench.soak_daemon import Daemon, Numbers, hosting
from bench.soak_players import Crowd, Pace
from bench.soak_report import Sample, Soak
from ludothek.contract.game import Game
from ludothek.contract.registry import load, names
from ludothek.observe import log
from ludothek.observe.traffic import quantile

FILES = 20_000
WARM = 60.0  # seconds that do not count, or a third of all
SAMPLE = 1.0
SCRAPE = 15.0  # Prometheus's default interval
ADJUST = 3.0
GO_AWAY = 15.0  # until the daemon has noticed that clients are gone
ARRIVAL = 120.0  # for all players to connect
REHEARSAL = 180.0  # for everybody's first match
END = 600.0  # for the last matches, which are played fast
ATTEMPTS = 2  # if others use the core meanwhile; each takes a quarter of an hour


@attrs.frozen
class Plan:
    """What was asked for."""

    games: list[Game]
    seconds: float
    lobbies: int
    load: float
    seed: int
    attacks: Sequence[str]

    @property
    def warm(self) -> float:
        return min(WARM, self.seconds / 3)


class Observer:
    """Observes the daemon from outside and records what it sees."""

    def __init__(self, daemon: Daemon, pace: Pace) -> None:
        self._daemon = daemon
        self._pace = pace
        self._began = trio.current_time()
        self.samples: list[Sample] = []
        self.lag_max = 0.0

    async def sample(self) -> None:
        while self._daemon.ended is None:
            now = trio.current_time() - self._began
            self.samples.append(Sample(now, self._daemon.rss(), self._daemon.usage().cpu))
            await trio.sleep(SAMPLE)

    async def adjust(self) -> None:
        """Keep the load where it should be; time in which others had the core counts as used."""
        while True:
            before, began = self._wanted(), trio.current_time()
            await trio.sleep(ADJUST)
            self._pace.adjust((self._wanted() - before) / (trio.current_time() - began))

    def _wanted(self) -> float:
        usage = self._daemon.usage()
        return usage.cpu + usage.waited

    async def scrape(self) -> None:
        while True:
            await trio.sleep(SCRAPE)
            await self.look()

    async def look(self) -> Numbers:
        """Read the daemon's metrics, and print the progress."""
        numbers = await self._daemon.numbers()
        lag = numbers.total("ludothek_loop_lag_max_seconds")
        self.lag_max = max(self.lag_max, lag)
        latest = self.samples[-1]
        matches = int(numbers.total("ludothek_matches", state="running"))
        click.echo(
            f"{latest.second:.0f} s: {matches} matches, {latest.rss:.0f} MiB, "
            f"lag up to {lag * 1e3:.0f} ms, speed {self._pace.speed:.2f}",
            err=True,
        )
        return numbers


async def soak(plan: Plan, daemon: Daemon) -> Soak:
    pace = Pace(plan.load)
    crowd = Crowd(daemon, plan.lobbies, plan.seed, pace)
    siege = Siege(daemon, plan.seed, plan.attacks)
    async with trio.open_nursery() as players:
        players.start_soon(crowd.play, plan.games)
        with trio.move_on_after(ARRIVAL):
            await crowd.seated.wait()
        click.echo("the first matches …", err=True)
        with trio.move_on_after(REHEARSAL):
            await crowd.rehearse()
        pace.hurry = False
        observer = Observer(daemon, pace)
        async with trio.open_nursery() as beside:
            beside.start_soon(observer.sample)
            beside.start_soon(observer.adjust)
            beside.start_soon(siege.lay, [game.name for game in plan.games])
            await trio.sleep(plan.warm)
            first, busy = await observer.look(), time.process_time()
            beside.start_soon(observer.scrape)
            with watching(daemon.server) as interval:
                await trio.sleep(plan.seconds - plan.warm)
                last = await observer.look()
            busy = time.process_time() - busy
            beside.cancel_scope.cancel()
        end, strangers = await until_gone(daemon, crowd)
        pace.hurry = crowd.leaving = True
        click.echo("the last matches …", err=True)
        await daemon.drain()
        exit_code = await daemon.wait_end(END)
        players.cancel_scope.deadline = trio.current_time() + GO_AWAY
    bounds, before = first.counts("ludothek_loop_lag_seconds")
    _, after = last.counts("ludothek_loop_lag_seconds")
    lags = [new - old for old, new in zip(before, after, strict=True)]

    def rate(direction: str) -> float:
        one, two = (
            each.total("ludothek_messages_total", direction=direction) for each in (first, last)
        )
        return (two - one) / interval.seconds

    return Soak(
        environment=environment(),
        seconds=plan.seconds,
        warm=plan.warm,
        lobbies=plan.lobbies,
        matches=crowd.ledger.ended(),
        begun=crowd.ledger.begun(),
        faults=crowd.ledger.faults(),
        accidents=crowd.ledger.accidents,
        crashes=end.by("ludothek_crashes_total", "what"),
        crash_reports=daemon.crash_reports(),
        log_errors=daemon.errors(),
        log_warnings=daemon.warnings(),
        missing_results=daemon.missing_results(crowd.ledger.ended()),
        unreported=int(
            end.total("ludothek_reports_failed_total") + end.total("ludothek_log_lines_lost_total")
        ),
        missing_replays=daemon.missing_replays(crowd.ledger.ended()["quidditch"]),
        unanswered=daemon.unanswered,
        write_failures=int(end.total("ludothek_write_failures_total")),
        exit_code=exit_code,
        samples=observer.samples,
        lag_p50=quantile(0.5, bounds, lags) or 0.0,
        lag_p99=quantile(0.99, bounds, lags) or 0.0,
        lag_max=observer.lag_max,
        messages_in=rate("in"),
        messages_out=rate("out"),
        drops=end.by("ludothek_drops_total", "reason"),
        attacks=siege.attacks,
        sent_away=siege.sent_away,
        endured=siege.endured,
        strangers=strangers,
        bots_share=busy / interval.seconds,
        disturbed=interval.disturbed,
    )


async def until_gone(daemon: Daemon, crowd: Crowd) -> tuple[Numbers, int]:
    """Wait until only players are left; returns how many others are still there."""
    end = trio.current_time() + GO_AWAY
    while True:
        await trio.sleep(1)
        numbers = await daemon.numbers()
        strangers = int(numbers.total("ludothek_clients", kind="remote")) - crowd.connected
        if strangers <= 0 or trio.current_time() > end:
            return numbers, strangers


@click.command(help=__doc__)
@click.option("--seconds", default=600.0, help="How long, without the end.")
@click.option("--lobbies", default=100, help="Matches of every game at once.")
@click.option("--games", "wanted", default="", metavar="NAME,…", help="Only these. [all]")
@click.option("--load", "share", default=0.55, help="Share of its core that the daemon uses.")
@click.option("--attackers/--no-attackers", default=True)
@click.option("--attacks", default="", metavar="KIND,…", help="Only these. [all]")
@click.option("--seed", default=1, help="Of the daemon, the players and the attackers.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with a marked place.")
def main(
    seconds: float,
    lobbies: int,
    wanted: str,
    share: float,
    attackers: bool,
    attacks: str,
    seed: int,
    raw: Path | None,
    page: Path | None,
) -> None:
    if page:
        check(page, "soak")
    games = [load(name) for name in (wanted.split(",") if wanted else names())]
    kinds = (attacks.split(",") if attacks else KINDS) if attackers else ()
    if unknown := set(kinds) - set(KINDS):
        raise click.BadParameter(f"{unknown}; known are {', '.join(KINDS)}")
    plan = Plan(games, seconds, lobbies, share, seed, kinds)
    log.setup("console", quiet=True)
    if allow_files(FILES) < 6 * len(games) * lobbies:
        raise CannotMeasure("too few files may be open for so many connections")
    os.sched_setaffinity(0, LOAD_CORE)
    gc.freeze()

    def once() -> Soak:
        with hosting(games, lobbies, seed) as daemon:
            result = trio.run(soak, plan, daemon)
        click.echo(result.text())
        if raw:
            raw.write_text(json.dumps(result.raw(), indent=1))
        return result

    try:
        result = undisturbed("soak", once, attempts=ATTEMPTS, lenient=page is None)
    except Disturbed as error:
        raise click.ClickException(f"not published: {error}") from None
    if page:
        put(page, "soak", result.text())
    sys.exit(0 if all(result.promises().values()) else 1)


if __name__ == "__main__":
    main()
