"""Six Robo Rally bots play on every course: does every game come to an end, and how soon?"""

import itertools
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import attrs
import click

from games.roborally import courses
from games.roborally.bots import DIFFICULTIES, choose
from games.roborally.rules import View, apply, start

PLAYERS = range(1, 7)
MAX_ROUNDS = 300


@attrs.frozen
class Played:
    """One game on one course."""

    course: str
    seed: int
    winner: int | None
    rounds: int
    actions: int
    events: int
    seconds: float


def play(course: str, seed: int, difficulty: int, seconds: float) -> Played:
    began = time.monotonic()
    rng = random.Random(seed)
    state, told = start(courses.load(course), PLAYERS, rng)
    actions, events = 0, len(told)
    while not state.over and state.round <= MAX_ROUNDS:
        view = View.of(state, state.deciding[0])
        state, told = apply(state, choose(view, difficulty, rng, seconds), rng)
        actions += 1
        events += len(told)
    elapsed = round(time.monotonic() - began, 1)
    return Played(course, seed, state.winner, state.round, actions, events, elapsed)


@click.command()
@click.option("--course", "names", multiple=True, help="Only this course; can be repeated.")
@click.option("--seeds", default=5, help="Games on each course, with seeds from 1 on.")
@click.option("--level", default="search", type=click.Choice(DIFFICULTIES))
@click.option("--seconds", default=1.0, help="Time for one decision of the search.")
@click.option("--workers", default=2, help="Processes to play in.")
def main(names: tuple[str, ...], seeds: int, level: str, seconds: float, workers: int) -> None:
    """Print one line of JSON for each game; fail if one does not come to an end."""
    games = list(itertools.product(names or courses.NAMES, range(1, seeds + 1)))
    columns = zip(*games, strict=True)
    constant = itertools.repeat(DIFFICULTIES.index(level)), itertools.repeat(seconds)
    unfinished = 0
    with ProcessPoolExecutor(workers) as pool:
        for played in pool.map(play, *columns, *constant):
            sys.stdout.write(json.dumps(attrs.asdict(played)) + "\n")
            sys.stdout.flush()
            unfinished += played.winner is None
    sys.exit(f"{unfinished} games without a winner" if unfinished else 0)


if __name__ == "__main__":
    main()
