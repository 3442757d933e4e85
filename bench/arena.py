"""What a tournament costs beside the programs in it: per game, and on a cluster.

Random games of Hexxagon are played by the rules alone, and by the arena with built-in bots. What
the bots do beside the rules (reading and writing messages) counts for the arena. Games of programs
are measured by the CPU time of the serving process alone.

A Dask cluster on this machine plays games of Quidditch, which take half a second, with one worker
and with two, each on a core of its own. Scheduler and client have no other cores, so what
they need (some ten milliseconds of CPU per game) is missing with two workers.
"""

import argparse
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import attrs
import click
import trio

from games.hexxagon import rules
from ludothek.arena.bounds import Bounds
from ludothek.arena.cluster_pool import ClusterPool
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.pool import Pool
from ludothek.arena.serving import Serving
from ludothek.arena.task import Task

# Difficulties in Hexxagon and Quidditch.
RANDOM, STRONGEST = 3, 0

# Games that are played before anything counts.
WARM_UP = 20

# Seconds for a move of bots that search, and moves of their games.
THINK, TURNS = 0.05, 60

# How many of the games that a cluster plays are played by these.
FEWER = 5

Make = Callable[[int, Path], Task]

PROGRAM = (
    *(sys.executable, "-m", "ludothek", "bot", "--game", "hexxagon", "--difficulty", "3"),
    *("--address", "{host}", "--port", "{port}", "--lobby", "{lobby}", "--username", "{name}"),
)


def bots(number: int, folder: Path) -> Task:
    entrants = [Entrant(name=f"Bot {n}", kind=Kind.BOT, difficulty=RANDOM) for n in (1, 2)]
    return Task(
        number=number,
        game="hexxagon",
        settings={},
        seed=number,
        entrants=tuple(entrants),
        bounds=Bounds(),
        folder=str(folder),
    )


def thinkers(number: int, folder: Path) -> Task:
    entrants = [Entrant(name=f"Bot {n}", kind=Kind.BOT, difficulty=STRONGEST) for n in (1, 2)]
    return attrs.evolve(bots(number, folder), game="quidditch", entrants=tuple(entrants))


def searchers(number: int, folder: Path) -> Task:
    """Bots that compute until the time for their move is over, as most programs of students do."""
    entrants = [
        Entrant(name=f"Bot {n}", kind=Kind.BOT, difficulty=STRONGEST, think_seconds=THINK)
        for n in (1, 2)
    ]
    settings = {"max_turns": TURNS}
    return attrs.evolve(bots(number, folder), entrants=tuple(entrants), settings=settings)


def programs(number: int, folder: Path) -> Task:
    entrants = [Entrant(name=f"Ada {n}", kind=Kind.COMMAND, command=PROGRAM) for n in (1, 2)]
    return attrs.evolve(bots(number, folder), entrants=tuple(entrants))


def play_by_rules(seed: int) -> None:
    """A random game and nothing else."""
    rng = random.Random(seed)
    state = rules.start()
    while not state.over:
        state = rules.apply(state, rng.choice(rules.legal_actions(state)))


def cpu_of(pid: int) -> float:
    """CPU seconds of one process, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def milliseconds_by_rules(games: int) -> float:
    started = time.process_time()
    for seed in range(games):
        play_by_rules(seed)
    return 1000 * (time.process_time() - started) / games


def milliseconds_by_arena(games: int, make: Callable[[int, Path], Task], folder: Path) -> float:
    """CPU milliseconds of the serving process per game."""
    serving = Serving()
    try:
        for number in range(min(WARM_UP, games)):
            _check(serving, make(number, folder))
        before = cpu_of(serving.pid)
        for number in range(games):
            _check(serving, make(number, folder))
        return 1000 * (cpu_of(serving.pid) - before) / games
    finally:
        serving.close()


def _check(serving: Serving, task: Task) -> None:
    outcome = serving.play(task, []).outcome
    assert outcome.failure is None, outcome.failure
    assert all(not finish.words for finish in outcome.finishes), outcome


@contextmanager
def cluster(workers: int, folder: Path) -> Iterator[str]:
    """The address of a scheduler with so many workers on this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    commands = [["scheduler", "--port", str(port)]]
    commands += [["worker", address, "--no-nanny", "--nthreads", "1"]] * workers
    common = ("--host", "127.0.0.1", "--no-dashboard")
    processes = []
    try:
        for what, *words in commands:
            command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *words, *common]
            processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=folder))
        yield address
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


async def games_per_second(
    address: str, workers: int, make: Make, games: int, folder: Path
) -> float:
    async with ClusterPool(address) as pool:
        with trio.fail_after(60):
            while pool.slots < workers:
                await _play_all(pool, make, 1, folder)
                await trio.sleep(1)
        await _play_all(pool, make, min(WARM_UP, games // 2), folder)
        started = trio.current_time()
        await _play_all(pool, make, games, folder)
        return games / (trio.current_time() - started)


async def _play_all(pool: Pool, make: Make, games: int, folder: Path) -> None:
    async with trio.open_nursery() as nursery:
        for number in range(games):
            nursery.start_soon(_play, pool, make(number, folder))


async def _play(pool: Pool, task: Task) -> None:
    outcome = await pool.play(task)
    assert outcome.failure is None, outcome.failure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--programs", type=int, default=10, help="games between programs")
    parser.add_argument("--cluster", type=int, default=100, help="games for each cluster; 0: none")
    parser.add_argument("--repetitions", type=int, default=3, help="of each cluster, in turn")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = milliseconds_by_rules(args.games)
        click.echo(f"rules alone:               {alone:6.1f} ms of CPU per game")
        arena = milliseconds_by_arena(args.games, bots, folder)
        click.echo(
            f"arena, two random bots:    {arena:6.1f} ms, so {arena - alone:.1f} beside the rules"
        )
        if args.programs:
            served = milliseconds_by_arena(args.programs, programs, folder)
            click.echo(f"arena, two programs:       {served:6.1f} ms in the serving process")
        for what, make, games in (
            ("computing", thinkers, args.cluster),
            ("until the clock stops them", searchers, args.cluster // FEWER),
        ):
            rates: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(args.repetitions if games else 0):
                for workers, found in rates.items():
                    with cluster(workers, folder) as address:
                        rate = trio.run(games_per_second, address, workers, make, games, folder)
                    found.append(rate)
                    click.echo(f"cluster, {workers} worker(s): {rate:6.2f} games per second")
            if games:
                one, two = map(statistics.median, rates.values())
                click.echo(f"two workers, {what}: {two / one:.2f} times as fast as one")


if __name__ == "__main__":
    main()
