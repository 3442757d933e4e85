"""Robo Rally bots play games on one course: who wins, how soon, how many programs a second."""

import functools
import json
import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import attrs
import click

from games.roborally import courses
from games.roborally.bots import DIFFICULTIES, choose
from games.roborally.rules import Phase, Program, State, View, apply, start
from games.roborally.search import Search

FIRST = 1


@attrs.frozen
class Pairing:
    """Player 1 against a number of others, on one course."""

    course: str
    first: int
    others: int
    opponents: int
    seconds: float
    rounds: int

    def difficulty(self, player_id: int) -> int:
        return self.first if player_id == FIRST else self.others


@attrs.frozen
class Played:
    """One game, seen by player 1."""

    winner: int | None
    rounds: int
    checkpoint: int
    slowest: float


def play(pairing: Pairing, seed: int) -> Played:
    rng = random.Random(seed)
    ids = range(FIRST, pairing.opponents + FIRST + 1)
    state, _ = start(courses.load(pairing.course), ids, rng)
    slowest = 0.0
    while not state.over and state.round <= pairing.rounds:
        player_id = state.deciding[0]
        began = time.monotonic()
        action = choose(
            View.of(state, player_id), pairing.difficulty(player_id), rng, pairing.seconds
        )
        slowest = max(slowest, time.monotonic() - began)
        state, _ = apply(state, action, rng)
    return Played(state.winner, state.round, state.player(FIRST).checkpoint, slowest)


def summary(pairing: Pairing, games: list[Played]) -> dict[str, object]:
    won = [game for game in games if game.winner == FIRST]
    return {
        "course": pairing.course,
        "first": DIFFICULTIES[pairing.first],
        "others": f"{pairing.opponents} {DIFFICULTIES[pairing.others]}",
        "games": len(games),
        "won": len(won),
        "lost": sum(game.winner not in (FIRST, None) for game in games),
        "unfinished": sum(game.winner is None for game in games),
        "median_rounds_of_wins": statistics.median(game.rounds for game in won) if won else None,
        "slowest_decision_seconds": round(max(game.slowest for game in games), 3),
    }


def programs_per_second(course: str, hands: int = 20) -> int:
    """Return how many complete programs the search tries, with nine cards on the start point."""
    rng = random.Random(0)
    programs, seconds = 0, 0.0
    for _ in range(hands):
        state = programming(course, rng)
        search = Search.of(View.of(state, FIRST), time.monotonic, float("inf"))
        began = time.perf_counter()
        search.think()
        seconds += time.perf_counter() - began
        programs += search.programs
    return round(programs / seconds)


def programming(course: str, rng: random.Random) -> State:
    """Return a game of two in its first programming phase."""
    state, _ = start(courses.load(course), [1, 2], rng)
    while not isinstance(state.pending, Program) or state.phase is not Phase.PROGRAMMING:
        view = View.of(state, state.deciding[0])
        state, _ = apply(state, choose(view, DIFFICULTIES.index("random"), rng), rng)
    return state


@click.command()
@click.option("--course", default="DizzyHighway", type=click.Choice(courses.NAMES))
@click.option("--games", default=50, help="Number of games.")
@click.option("--first", default="search", type=click.Choice(DIFFICULTIES))
@click.option("--others", default="random", type=click.Choice(DIFFICULTIES))
@click.option("--opponents", default=5, help="Number of other players.")
@click.option("--seconds", default=1.0, help="Time for one decision of the search.")
@click.option("--rounds", default=60, help="A game that takes longer counts as unfinished.")
@click.option("--workers", default=2, help="Processes to play in.")
def main(
    course: str,
    games: int,
    first: str,
    others: str,
    opponents: int,
    seconds: float,
    rounds: int,
    workers: int,
) -> None:
    """Let player 1 play against the others and print one line of JSON."""
    levels = DIFFICULTIES.index(first), DIFFICULTIES.index(others)
    pairing = Pairing(course, *levels, opponents, seconds, rounds)
    with ProcessPoolExecutor(workers) as pool:
        played = list(pool.map(functools.partial(play, pairing), range(games)))
    speed = {"programs_per_second": programs_per_second(course)}
    sys.stdout.write(json.dumps(summary(pairing, played) | speed) + "\n")


if __name__ == "__main__":
    main()
