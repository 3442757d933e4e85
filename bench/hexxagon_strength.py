"""Two Hexxagon bots play a series against each other: how strong, how deep, how fast."""

import functools
import json
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import attrs
import click

from games.hexxagon.bots import DIFFICULTIES, Search, choose
from games.hexxagon.rules import Move, Side, State, Stuck, apply, legal_actions, start

OPENING_PLIES = 2
# Six times a usual game: a series ends even if both bots only trade stones.
MAX_TURN = 500


@attrs.define
class Tally:
    """What one bot did in one game."""

    moves: int = 0
    depths: int = 0
    slowest: float = 0.0


@attrs.frozen
class Played:
    """One finished game, seen by the first bot."""

    lead: int
    plies: int
    finished: bool
    tallies: tuple[Tally, Tally]


@attrs.frozen
class Pairing:
    """Who plays under which conditions."""

    difficulties: tuple[int, int]
    seconds: float
    stuck: Stuck


def think(
    pairing: Pairing, difficulty: int, state: State, rng: random.Random, tally: Tally
) -> Move:
    began = time.monotonic()
    if difficulty:
        move = choose(state, difficulty, rng, pairing.seconds, pairing.stuck)
    else:
        # Like `choose`, but the depth can be read afterwards.
        search = Search(time.monotonic, began + pairing.seconds, pairing.stuck)
        move = search.think(state, rng)
        tally.depths += search.depth
    tally.moves += 1
    tally.slowest = max(tally.slowest, time.monotonic() - began)
    return move


def opened(rng: random.Random, stuck: Stuck) -> State:
    state = start()
    for _ in range(OPENING_PLIES):
        state = apply(state, rng.choice(legal_actions(state)), stuck)
    return state


def play(pairing: Pairing, number: int) -> Played:
    """Play game `number`; two consecutive games share the opening and swap the sides."""
    state = opened(random.Random(number // 2), pairing.stuck)
    rng = random.Random(number)
    first = (Side.PLAYERONE, Side.PLAYERTWO)[number % 2]
    tallies = (Tally(), Tally())
    while not state.over and state.turn < MAX_TURN:
        index = 0 if state.active is first else 1
        move = think(pairing, pairing.difficulties[index], state, rng, tallies[index])
        state = apply(state, move, pairing.stuck)
    lead = state.points(first) - state.points(first.other)
    return Played(lead, state.turn - 1, state.over, tallies)


def bot(name: str, tallies: list[Tally]) -> dict[str, object]:
    moves = sum(tally.moves for tally in tallies)
    return {
        "bot": name,
        "mean_depth": round(sum(tally.depths for tally in tallies) / max(moves, 1), 2),
        "slowest_move_seconds": round(max(tally.slowest for tally in tallies), 4),
    }


def summary(pairing: Pairing, games: list[Played]) -> dict[str, object]:
    one, two = (DIFFICULTIES[difficulty] for difficulty in pairing.difficulties)
    return {
        "games": len(games),
        "seconds_per_move": pairing.seconds,
        "stuck": pairing.stuck.value,
        "won": sum(game.lead > 0 for game in games),
        "lost": sum(game.lead < 0 for game in games),
        "tied": sum(game.lead == 0 for game in games),
        "unfinished": sum(not game.finished for game in games),
        "mean_lead": round(sum(game.lead for game in games) / len(games), 2),
        "mean_plies": round(sum(game.plies for game in games) / len(games), 1),
        "first": bot(one, [game.tallies[0] for game in games]),
        "second": bot(two, [game.tallies[1] for game in games]),
    }


def sample(games: int) -> list[tuple[State, Move]]:
    """Return positions of greedy games, each with the move made."""
    rng = random.Random(0)
    found = []
    for _ in range(games):
        state = start()
        while not state.over:
            move = choose(state, DIFFICULTIES.index("greedy"), rng)
            found.append((state, move))
            state = apply(state, move)
    return found


def microseconds(call: Callable[[State, Move], object]) -> float:
    """Return the average cost of one call over the sample, the best of five rounds."""
    positions = sample(20)
    rounds = []
    for _ in range(5):
        began = time.perf_counter()
        for state, move in positions:
            call(state, move)
        rounds.append((time.perf_counter() - began) / len(positions))
    return round(min(rounds) * 1e6, 2)


@click.command()
@click.option("--games", default=100, help="Number of games.")
@click.option("--seconds", default=0.2, help="Time for one move of the search.")
@click.option("--first", default="search", type=click.Choice(DIFFICULTIES))
@click.option("--second", default="greedy", type=click.Choice(DIFFICULTIES))
@click.option("--stuck", default="pass", type=click.Choice([rule.value for rule in Stuck]))
@click.option("--workers", default=2, help="Processes to play in.")
def main(games: int, seconds: float, first: str, second: str, stuck: str, workers: int) -> None:
    """Play FIRST against SECOND with alternating sides and print one line of JSON."""
    pairing = Pairing(
        (DIFFICULTIES.index(first), DIFFICULTIES.index(second)), seconds, Stuck(stuck)
    )
    costs = {
        "apply_us": microseconds(apply),
        "legal_actions_us": microseconds(lambda state, move: legal_actions(state)),
    }
    with ProcessPoolExecutor(workers) as pool:
        played = list(pool.map(functools.partial(play, pairing), range(games)))
    sys.stdout.write(json.dumps(summary(pairing, played) | costs) + "\n")


if __name__ == "__main__":
    main()
