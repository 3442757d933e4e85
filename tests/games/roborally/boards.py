"""Games of Robo Rally written as text boards: a robot is its player's number and an arrow."""

import random
import re

import attrs
import pytest

from games.roborally import rendering
from games.roborally.courses.signs import DIRECTIONS
from games.roborally.courses.text import columns
from games.roborally.rules import (
    Action,
    Card,
    Cell,
    Course,
    Damage,
    Direction,
    Mistake,
    Phase,
    Program,
    RegisterCard,
    Routine,
    State,
    apply,
    default_action,
    start,
)
from games.roborally.rules.draft import Draft
from games.roborally.rules.events import DrawDamage, Event
from games.roborally.rules.game import run
from games.roborally.rules.steps import Stage, Step
from ludothek.contract.mistakes import RuleViolation

ROBOT = re.compile(r"(\d)([v^<>])")

Robots = dict[int, tuple[tuple[int, int], str]]


def scene(text: str) -> State:
    """Return a game on the course in the text, with the robots that stand there.

    The antenna is out of the way, beyond a gap on the right, unless the text has one.
    """
    lines = [
        [_split(square) for square in line.split()] for line in text.split("\n") if line.strip()
    ]
    plain = [[square for square, _ in line] for line in lines]
    if not any("A" in square for line in plain for square in line):
        plain = [[*line, "-", "-"] for line in plain]
        plain[0][-1] = "A<"
    course = Course("scene", columns("\n".join(map(" ".join, plain))), ())
    robots = {
        number: ((x, len(lines) - 1 - n), facing)
        for n, line in enumerate(lines)
        for x, (_, robot) in enumerate(line)
        for number, facing in robot
    }
    return on(course, robots)


def _split(square: str) -> tuple[str, list[tuple[int, str]]]:
    parts = square.split("+")
    robots = [(int(m[1]), m[2]) for part in parts if (m := ROBOT.fullmatch(part))]
    fields = [part for part in parts if not ROBOT.fullmatch(part)]
    return "+".join(fields) or ".", robots


def on(course: Course, robots: Robots) -> State:
    """Return a game in the activation phase, with robots at these places: {1: ((x, y), ">")}."""
    state, _ = start(course, sorted(robots), random.Random(1))
    players = tuple(
        attrs.evolve(
            player,
            position=Cell(*robots[player.player_id][0]),
            start=Cell(*robots[player.player_id][0]),
            facing=DIRECTIONS[robots[player.player_id][1]],
        )
        for player in state.players
    )
    return attrs.evolve(
        state, players=players, order=state.player_ids, register=1, agenda=(Program(),)
    )


def change(state: State, player_id: int, **changes: object) -> State:
    draft = Draft(state, random.Random(1))
    draft.change(player_id, **changes)
    return draft.state


def play(state: State, *steps: Step) -> tuple[State, tuple[Event, ...]]:
    """Perform the steps and everything that follows from them."""
    return run(Draft(attrs.evolve(state, agenda=(*steps, Program())), random.Random(1)))


def board(state: State) -> list[list[str]]:
    """Return the squares of a scene as they would be written, without gap and antenna."""
    robots = {p.player_id: (p.position, p.facing) for p in state.players if p.position}
    table = rendering.rows(state.course, robots, state.checkpoints)
    return [row[:-2] for row in table] if table[0][-1] == "A<" else table


def squares(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n") if line.strip()]


def places(state: State) -> dict[int, Cell | None]:
    return {p.player_id: p.position for p in state.players}


def facings(state: State) -> dict[int, Direction]:
    return {p.player_id: p.facing for p in state.players}


def hits(events: tuple[Event, ...]) -> dict[int, int]:
    """Return how many damage cards each player took."""
    return {e.player_id: len(e.cards) for e in events if isinstance(e, DrawDamage)}


FLOOR = "\n".join(["1>  .  .  .  .  .  .  .  .  ."] + [".  " * 10] * 3)


def program(state: State, player_id: int, *names: Card, deck: tuple[Card, ...] = ()) -> State:
    """Put cards into the registers of a player, starting with the first."""
    registers = (*names, *[None] * (5 - len(names)))
    return change(state, player_id, registers=registers, deck=deck, discard=())


def run_registers(state: State, count: int) -> tuple[State, tuple[Event, ...]]:
    """Play this many registers of all players, without board elements."""
    state = attrs.evolve(state, phase=Phase.ACTIVATION, register=0)
    state, told = play(state, *[Stage.REGISTER] * count)
    while isinstance(state.pending, RegisterCard | Damage | Routine):
        (player_id,) = state.deciding
        state, events = apply(state, default_action(state, player_id), random.Random(1))
        told += events
    return state, told


def refused(state: State, action: Action) -> Mistake:
    with pytest.raises(RuleViolation) as error:
        apply(state, action, random.Random(1))
    assert isinstance(error.value.mistake, Mistake)
    return error.value.mistake


def do(state: State, *actions: Action) -> tuple[State, tuple[Event, ...]]:
    told: tuple[Event, ...] = ()
    for action in actions:
        state, events = apply(state, action, random.Random(1))
        told += events
    return state, told
