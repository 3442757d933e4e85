"""How often the strongest Qwirkle bot beats the greedy one: `python bench/qwirkle_strength.py`."""

import argparse
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from games.qwirkle import bots, rules

STRONGEST, GREEDY = 0, bots.DIFFICULTIES.index("greedy")


def play(game: int, seconds: float, seed: int) -> tuple[int, int]:
    """Final points of the strongest and of the greedy bot; they take turns at beginning."""
    rng = random.Random(f"{seed}/{game}")
    players = (STRONGEST, GREEDY) if game % 2 == 0 else (GREEDY, STRONGEST)
    state = rules.start(rules.Variant(), players, rng)
    while not state.end:
        player = state.active.player
        action = bots.choose(rules.view(state, player), player, rng, seconds)
        state = rules.apply(state, action, rng)
    return state.scores[STRONGEST], state.scores[GREEDY]


def main() -> None:
    """Play all games and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=0.2, help="time to think per move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    began = time.monotonic()
    with ProcessPoolExecutor(options.workers) as pool:
        one = partial(play, seconds=options.seconds, seed=options.seed)
        results = list(pool.map(one, range(options.games)))
    summary = {
        "game": "qwirkle",
        "games": options.games,
        "seconds_per_move": options.seconds,
        "wins": sum(strong > greedy for strong, greedy in results),
        "draws": sum(strong == greedy for strong, greedy in results),
        "losses": sum(strong < greedy for strong, greedy in results),
        "mean_lead": round(sum(a - b for a, b in results) / len(results), 2),
        "took_seconds": round(time.monotonic() - began, 1),
    }
    sys.stdout.write(json.dumps(summary) + "\n")


if __name__ == "__main__":
    main()
