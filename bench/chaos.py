"""All games at once while the daemon is killed again and again: does anybody notice?

    python -m bench.chaos --json chaos.json

A daemon with `--durable` hosts every game. Its serving process is killed with SIGKILL at random
moments. Players check everything that they hear: each byte, each message after the one before,
each result. At the end every match that has begun is played to its end. The exit code is 1 if a
promise was broken.
"""

import json
import os
import random
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import attrs
import click
import trio

from bench.chaos_crowd import Crowd
from bench.chaos_daemon import Control, Daemon, configuration, hosting
from bench.chaos_killer import Killer
from bench.chaos_organiser import Organiser
from bench.chaos_patience import Patience
from bench.chaos_report import Chaos
from bench.environment import environment
from bench.measure import LOAD_CORE, allow_files
from bench.report import check, put
from ludothek.contract.game import Game
from ludothek.contract.registry import load, names
from ludothek.observe import log

FILES = 4096
ARRIVAL = 60.0  # seconds for all clients to come
END = 180.0  # for the last matches
QUIET = 2.0  # for the last messages
SILENCE = 40.0  # after which nothing more will come; no turn takes longer
EXIT = 60.0  # for the daemon to end
PROGRESS = 10.0


@attrs.frozen
class Plan:
    """What was asked for."""

    games: Sequence[Game]
    seconds: float
    lobbies: int
    every: float  # 0: nobody is killed
    served: bool
    seed: int
    speed: float
    administrator: bool


async def chaos(plan: Plan, daemon: Daemon) -> Chaos:
    rng = random.Random(plan.seed)
    crowd = Crowd(await daemon.ports(), plan.lobbies, plan.seed, plan.speed)
    killer = Killer(daemon, crowd.wires, random.Random(rng.random()), plan.every, plan.served)
    organiser = Organiser(daemon.control, random.Random(rng.random()))
    async with trio.open_nursery() as clients:
        clients.start_soon(lambda: crowd.play(plan.games, killer, administrator=plan.administrator))
        clients.start_soon(_tell, crowd, killer)
        async with trio.open_nursery() as beside:
            beside.start_soon(killer.watch)
            beside.start_soon(organiser.run)
            if plan.every:
                beside.start_soon(killer.run)
            await trio.sleep(plan.seconds)
            beside.cancel_scope.cancel()
        click.echo("the last matches …", err=True)
        crowd.leave()
        with trio.move_on_after(END):
            await _end_matches(crowd, organiser)
        await trio.sleep(QUIET)
        loose_ends = [end for client in crowd.clients for end in client.loose_ends()]
        clients.cancel_scope.cancel()
    for wire in crowd.wires():
        wire.stream.socket.close()
    exit_code = await daemon.end(EXIT) if daemon.server else None
    return _report(plan, daemon, crowd, killer, organiser, loose_ends, exit_code)


async def _end_matches(crowd: Crowd, organiser: Organiser) -> None:
    """Wait until nobody plays any more; a match may still begin that was about to."""
    quiet = silent = 0
    while quiet < QUIET and silent < SILENCE:
        await organiser.resume_all()
        heard = crowd.findings.heard
        await trio.sleep(1)
        quiet = 0 if crowd.playing else quiet + 1
        silent = 0 if crowd.findings.heard > heard else silent + 1


async def _tell(crowd: Crowd, killer: Killer) -> None:
    began = trio.current_time()
    while True:
        await trio.sleep(PROGRESS)
        findings = crowd.findings
        click.echo(
            f"{trio.current_time() - began:.0f} s: {killer.kills} kills, {crowd.playing} players "
            f"in matches, {sum(findings.ledger.ended().values())} matches ended, "
            f"{findings.heard} messages, {len(findings.gaps)} gaps",
            err=True,
        )


def _report(
    plan: Plan,
    daemon: Daemon,
    crowd: Crowd,
    killer: Killer,
    organiser: Organiser,
    loose_ends: Sequence[str],
    exit_code: int | None,
) -> Chaos:
    findings = crowd.findings
    players = [client.player for client in crowd.clients]
    return Chaos(
        environment=environment(),
        seed=plan.seed,
        seconds=plan.seconds,
        every=plan.every,
        lobbies=plan.lobbies,
        clients=len(crowd.clients),
        kills=killer.kills,
        early=killer.early,
        pauses=killer.pauses,
        restarts=killer.restarts,
        begun=findings.ledger.begun(),
        ended=findings.ledger.ended(),
        faults=findings.ledger.faults(),
        differences=findings.chronicle.faults,
        compared=findings.chronicle.compared,
        gaps=findings.gaps,
        loose_ends=loose_ends,
        heard=findings.heard,
        said=findings.said,
        organiser_pauses=organiser.pauses,
        refusals=sum(each.refusals for each in players if isinstance(each, Patience)),
        results=daemon.results() if daemon.place else None,
        crashes=daemon.crash_reports() if daemon.place else (),
        log_errors=daemon.log_errors() if daemon.place else (),
        exit_code=exit_code,
    )


@click.command(help=__doc__)
@click.option("--seconds", default=300.0, help="How long, without the end.")
@click.option("--lobbies", default=20, help="Matches of every game at once.")
@click.option("--every", default=2.0, help="Seconds between two kills, on average; 0: no kills.")
@click.option("--served", is_flag=True, help="These seconds count only while somebody is served.")
@click.option("--games", "wanted", default="", metavar="NAME,…", help="Only these. [all]")
@click.option("--speed", default=1.0, help="How fast players play.")
@click.option("--seed", default=1, help="Of the daemon, the players and the kills.")
@click.option("--plain", is_flag=True, help="A daemon without --durable, which is not killed.")
@click.option(
    "--attach",
    type=click.Path(path_type=Path),
    metavar="CONTROL",
    help="Use the daemon with this control socket, whoever has started it.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Directory for the files of the daemon, its log among them. [one that is removed]",
)
@click.option("--configuration", "only_write", is_flag=True, help="Print one that fits, and end.")
@click.option("--json", "raw", type=click.Path(path_type=Path), help="Keep all results.")
@click.option("--write", "page", type=click.Path(path_type=Path), help="Page with a marked place.")
def main(
    seconds: float,
    lobbies: int,
    every: float,
    served: bool,
    wanted: str,
    speed: float,
    seed: int,
    plain: bool,
    attach: Path | None,
    keep: Path | None,
    only_write: bool,
    raw: Path | None,
    page: Path | None,
) -> None:
    games = [load(name) for name in (wanted.split(",") if wanted else names())]
    if only_write:
        click.echo(configuration(games, lobbies))
        return
    if page:
        check(page, "chaos")
    plan = Plan(
        games, seconds, lobbies, 0.0 if plain else every, served, seed, speed, attach is None
    )
    log.setup("console", quiet=True)
    allow_files(FILES)
    os.sched_setaffinity(0, LOAD_CORE)
    place: AbstractContextManager[Daemon] = (
        nullcontext(Daemon(Control(attach)))
        if attach
        else hosting(games, lobbies, seed, durable=not plain, kept=keep)
    )
    with place as daemon:
        result = trio.run(chaos, plan, daemon)
    click.echo(result.text())
    if raw:
        raw.write_text(json.dumps(result.raw(), indent=1))
    if page:
        put(page, "chaos", result.text())
    sys.exit(0 if all(result.promises().values()) else 1)


if __name__ == "__main__":
    main()
