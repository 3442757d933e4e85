"""Our daemon beside another commit's, or durable beside not: servers take quick turns.

What else happens on the machine changes from second to second. So each server is loaded only for a
moment before the next one's turn, and only adjacent turns are compared.
"""

from contextlib import ExitStack
from functools import partial

import attrs

from bench.contenders import OURS, PLAIN, TUNED, Contender, Load, contenders, durable, ours
from bench.disturbance import Attempts
from bench.drawing import number
from bench.former import checked_out
from bench.measure import Figure, Server
from bench.report import spread, table
from bench.trial import playing, under_load, warm_up

WARM_UP = 6000  # moves
MOMENT = 0.5  # seconds


@attrs.define
class Duel:
    """CPU per move of each server, in all rounds in which none of them was disturbed."""

    first: str  # that the others are compared with
    rounds: list[dict[str, float]] = attrs.field(factory=list)

    def text(self) -> str:
        servers = self.rounds[0] if self.rounds else ()
        rows = [
            (
                server,
                number(Figure.of([each[server] for each in self.rounds]).median),
                spread(Figure.of([each[self.first] / each[server] for each in self.rounds])),
            )
            for server in servers
        ]
        header = ("server", "CPU µs per move", f"{self.first} ÷ it")
        return f"{len(self.rounds)} rounds\n\n{table(header, rows)}"


def fight(
    commit: str | None, rounds: int, games: int, seed: int, attempts: Attempts, *, lasting: bool
) -> Duel:
    """Our daemon, at another commit too, and the servers that are nearest to it from either side;
    `lasting`: durable first."""
    with ExitStack() as stack:
        servers = [durable(), ours()] if lasting else [ours()]
        if commit is not None:
            tree = stack.enter_context(checked_out(commit))
            servers.append(ours(f"{OURS} at {commit}", tree))
        servers += [each for each in contenders() if each.name in (PLAIN, TUNED)]
        running = [(each, *_ready(each, games, seed, stack)) for each in servers]
        duel = Duel(servers[0].name)
        for number in range(rounds):
            turn = number % len(running)  # no server is always the first
            made = {}
            for contender, server, load in running[turn:] + running[:turn]:
                moment = partial(under_load, server, load, MOMENT)
                if stretch := attempts.make(contender.name, moment):
                    made[contender.name] = stretch.cpu_micros
            if len(made) == len(running):
                duel.rounds.append(made)
        return duel


def _ready(contender: Contender, games: int, seed: int, stack: ExitStack) -> tuple[Server, Load]:
    server, load = stack.enter_context(playing(contender, seed))
    load.connect(2 * games)
    warm_up(load, WARM_UP)
    return server, load
