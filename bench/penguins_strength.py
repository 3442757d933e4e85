"""How much stronger the searching Penguins bot is than the greedy one."""

import argparse
import json
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import attrs

from games.penguins.bots import DIFFICULTIES, choose
from games.penguins.rules import Team, apply, generate, start, winner

SEARCH, GREEDY = DIFFICULTIES.index("search"), DIFFICULTIES.index("greedy")


@attrs.frozen
class Outcome:
    """How one game ended for the searching side."""

    result: str
    margin: int


def play(number: int, seconds: float) -> Outcome:
    """One game on its own board; the sides alternate with the number."""
    rng = random.Random(number)
    searcher = Team.TWO if number % 2 else Team.ONE
    # Both sides play each board, so that no board favours one of them.
    state = start(generate(number // 2))
    while not state.over:
        difficulty = SEARCH if state.team is searcher else GREEDY
        state = apply(state, choose(state, difficulty, rng, seconds))
    margin = state.fish[searcher.index] - state.fish[searcher.other.index]
    return Outcome({searcher: "won", None: "drawn"}.get(winner(state), "lost"), margin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0.2, help="for each move of the search")
    parser.add_argument("--processes", type=int, default=None)
    arguments = parser.parse_args()
    with ProcessPoolExecutor(arguments.processes) as pool:
        one_game = partial(play, seconds=arguments.seconds)
        outcomes = list(pool.map(one_game, range(arguments.games)))
    results = Counter(outcome.result for outcome in outcomes)
    report = {
        "games": arguments.games,
        "seconds": arguments.seconds,
        "won": results["won"],
        "drawn": results["drawn"],
        "lost": results["lost"],
        "mean_margin": round(sum(outcome.margin for outcome in outcomes) / len(outcomes), 2),
    }
    sys.stdout.write(json.dumps(report) + "\n")


if __name__ == "__main__":
    main()
