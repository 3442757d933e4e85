"""Quidditch bots play matches against each other: who wins, why, how fast they decide."""

import functools
import json
import random
import statistics
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import attrs
import click

from games.quidditch import artefacts, bots, rules
from games.quidditch.bots import DIFFICULTIES
from games.quidditch.pace import rules_config
from games.quidditch.rules import Side, VictoryReason
from games.quidditch.teams import line_up


@attrs.frozen
class Pairing:
    """Two levels; the first one plays on the left in every other match."""

    first: int
    second: int
    match_file: Path | None

    def side(self, seed: int) -> Side:
        return Side.RIGHT if seed % 2 else Side.LEFT


@attrs.frozen
class Played:
    """One match, seen by the first level."""

    side: Side
    winner: Side
    reason: VictoryReason
    rounds: int
    points: int
    conceded: int
    decisions: int
    seconds: float  # thinking time of the first one
    slowest: float

    @property
    def won(self) -> bool:
        return self.winner is self.side


def play(pairing: Pairing, seed: int) -> Played:
    rng, ours = random.Random(seed), pairing.side(seed)
    levels = {ours: pairing.first, ours.opponent: pairing.second}
    file = pairing.match_file
    config = artefacts.load_match(file) if file else artefacts.standard_match()
    team = line_up(artefacts.standard_team())
    left, right = (bots.line_up(side, levels[side], rng) for side in Side)
    probabilities = rules_config(config, carry_bludgers=True)
    state = rules.start(probabilities, team, team, left, right, rng).state
    times = []
    while state.turn is not None:
        side = state.turn.side
        began = time.thread_time()  # CPU time, since others may use the machine, too
        request = bots.choose(state, levels[side], rng)
        if side is ours:
            times.append(time.thread_time() - began)
        state = rules.answer(state, request, rng).state
    assert state.result is not None
    result, snapshot = state.result, state.snapshot
    return Played(
        side=ours,
        winner=result.winner,
        reason=result.reason,
        rounds=result.end_round,
        points=snapshot.points(ours),
        conceded=snapshot.points(ours.opponent),
        decisions=len(times),
        seconds=sum(times),
        slowest=max(times),
    )


def summary(pairing: Pairing, games: list[Played]) -> dict[str, object]:
    won = [game for game in games if game.won]
    lost = [game for game in games if not game.won]
    decisions = sum(game.decisions for game in games)
    return {
        "first": DIFFICULTIES[pairing.first],
        "second": DIFFICULTIES[pairing.second],
        "matches": len(games),
        "won": len(won),
        "won_on_the_left": sum(game.side is Side.LEFT for game in won),
        "won_on_the_right": sum(game.side is Side.RIGHT for game in won),
        "wins_by": Counter(str(game.reason) for game in won),
        "losses_by": Counter(str(game.reason) for game in lost),
        "mean_points": statistics.mean(game.points for game in games),
        "mean_points_of_second": statistics.mean(game.conceded for game in games),
        "median_rounds": statistics.median(game.rounds for game in games),
        "mean_decision_ms": round(1000 * sum(game.seconds for game in games) / decisions, 3),
        "slowest_decision_ms": round(1000 * max(game.slowest for game in games), 1),
    }


@click.command()
@click.option("--matches", default=100, help="Number of matches; sides change after each.")
@click.option("--first", default=DIFFICULTIES[0], type=click.Choice(DIFFICULTIES))
@click.option("--second", default=DIFFICULTIES[-1], type=click.Choice(DIFFICULTIES))
@click.option(
    "--match",
    "match_file",
    type=click.Path(path_type=Path),
    help="A match configuration; otherwise the built-in one.",
)
@click.option("--workers", default=2, help="Processes to play in.")
def main(matches: int, first: str, second: str, match_file: Path | None, workers: int) -> None:
    """Let two levels play against each other and print one line of JSON."""
    pairing = Pairing(DIFFICULTIES.index(first), DIFFICULTIES.index(second), match_file)
    with ProcessPoolExecutor(workers) as pool:
        played = list(pool.map(functools.partial(play, pairing), range(matches)))
    sys.stdout.write(json.dumps(summary(pairing, played)) + "\n")


if __name__ == "__main__":
    main()
