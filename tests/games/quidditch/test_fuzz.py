"""Anything at any time: nothing breaks, and every match ends."""

import random
from typing import Any

import orjson
import pytest

from games.quidditch import messages as m
from games.quidditch import rules
from games.quidditch.mods import Mod
from games.quidditch.rules import BanReason, Cell, DeltaType, Entity, Phase, Request
from ludothek.contract.codec import Malformed
from ludothek.contract.flaws import FlawKind
from ludothek.contract.orders import Abort, Expel, Order, OrderRefused, Pause, Resume
from tests.games.quidditch.clients import container
from tests.games.quidditch.scene import (
    BADGERS,
    CODEC,
    HERONS,
    LEFT,
    RIGHT,
    Person,
    Scene,
    animated,
    changed,
    flawed,
    match_config,
)

NAMES = ("harry", "draco", "luna")


def random_delta(rng: random.Random) -> dict[str, Any]:
    """A delta whose fields have the right types, but nothing else about it is right."""

    def some(values: Any) -> Any:
        return rng.choice([None, *values])

    return {
        "deltaType": rng.choice(list(DeltaType)),
        "success": some([True, False]),
        "xPosOld": some(range(17)),
        "yPosOld": some(range(13)),
        "xPosNew": some(range(17)),
        "yPosNew": some(range(13)),
        "activeEntity": some(Entity),
        "passiveEntity": some(Entity),
        "phase": some(Phase),
        "leftPoints": some([0, 10, -5, 2**60]),
        "rightPoints": some([0, 10]),
        "round": some([1, 99]),
        "banReason": some(BanReason),
    }


@pytest.mark.parametrize("seed", range(5))
def test_the_test_mod_answers_whatever_is_asked(seed: int) -> None:
    rng = random.Random(seed)
    state = rules.example(rng)
    for _ in range(rng.randrange(200)):
        state = rules.answer(state, rng.choice(rules.legal_requests(state)), rng).state
        if state.over:
            break
    snapshot = orjson.loads(m.Snapshot(state.snapshot, ("abc",)).payload)
    scene = Scene()
    peter = scene.enter("peter", Mod.TEST)
    answered = 0
    for _ in range(200):
        if rng.random() < 0.3:
            damage(rng, snapshot)
        payload = {"testType": "snapshot-delta-snapshot", "snapshot": snapshot}
        frame = orjson.dumps(container("testRequest", payload | {"delta": random_delta(rng)}))
        message = CODEC.decode(frame)
        assert isinstance(message, m.TestRequest), message
        (response,) = scene.say(peter, message)
        CODEC.encode(response)
        answered += isinstance(response, m.TestResponse)
    assert answered == 200


def damage(rng: random.Random, snapshot: Any) -> None:
    """Make a snapshot that no match would show, but that is well-formed."""
    team = snapshot[rng.choice(["leftTeam", "rightTeam"])]
    player = team["players"][rng.choice(list(team["players"]))]
    player |= {"xPos": rng.randrange(17), "yPos": rng.randrange(13)}
    player |= {"banned": rng.random() < 0.5, "knockout": rng.random() < 0.5}
    if "holdsQuaffle" in player:
        player["holdsQuaffle"] = rng.random() < 0.5
    if team["fans"] and rng.random() < 0.2:
        team["fans"].pop()
    places = [{"xPos": 3, "yPos": 3}, {"xPos": 0, "yPos": 0}]
    snapshot["balls"]["snitch"] = rng.choice([*places, {"xPos": None, "yPos": None}])
    snapshot["balls"]["quaffle"] = rng.choice(places)
    snapshot["wombatCubes"] = rng.choice([[], places, places + places])


def utterance(rng: random.Random, scene: Scene, person: Person) -> Any:
    """Something that is allowed about half of the time."""
    cells = [Cell(rng.randrange(17), rng.randrange(13)) for _ in range(2)]
    makers: list[Any] = [
        lambda: HERONS,
        lambda: BADGERS,
        lambda: m.TeamFormation.of(LEFT),
        lambda: m.TeamFormation.of(RIGHT),
        lambda: m.PauseRequest("brb"),
        lambda: m.ContinueRequest("on"),
        lambda: m.SendChat("hi"),
        lambda: m.SendDebug("hi"),
        lambda: m.Undefined("hi"),
    ]
    rare: list[Any] = [
        lambda: m.GetReplay(),
        lambda: m.GetReplayWithSnapshot(),
        lambda: Malformed("x"),
        lambda: flawed(rng.choice(list(FlawKind))),
        lambda: changed(HERONS, {"name": "x"}),
        lambda: m.DeltaRequest.of(
            Request(rng.choice(list(DeltaType)), cells[0], rng.choice(list(Entity)))
        ),
    ]
    if scene.running and scene.match._turn and rng.random() < 0.9:
        return m.DeltaRequest.of(rng.choice(rules.legal_requests(scene.state)))
    return rng.choice(rare if rng.random() < 0.05 else makers)()


def happen(rng: random.Random, scene: Scene) -> None:
    """One thing that may happen to a lobby."""
    people = list(scene.people.values())
    chance = rng.random()
    if not people or chance < 0.05:
        name = rng.choice(NAMES)
        old = next((each for each in people if each.name == name), None)
        mods = rng.sample(list(Mod), 3)
        scene.enter(name, *mods, ai=rng.random() < 0.3, replaces_other=old is not None)
        if old:
            scene.leave(old)
    elif chance < 0.07:
        scene.leave(rng.choice(people))
    elif chance < 0.2:
        scene.wait(rng.choice([0.01, 0.5, 3, 3, 3, 40]))
    elif chance < 0.21:
        client = rng.choice(people).client
        orders: list[Order] = [Pause(), Resume(), Abort(winner=client), Expel(client)]
        try:
            scene.order(rng.choice(orders))
        except OrderRefused:
            return
        scene.people = {c: p for c, p in scene.people.items() if not p.released}
    else:
        person = rng.choice(people)
        scene.say(person, utterance(rng, scene, person))


@pytest.mark.parametrize("animation", [0, 200])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_the_table_holds(seed: int, animation: int) -> None:
    rng = random.Random(seed)
    config = animated(animation) if animation else match_config()
    scene = Scene(config, seed, empty_lobby_seconds=1000)
    starts = 0
    for _ in range(1200):
        was_running = scene.running
        happen(rng, scene)
        starts += scene.running and not was_running
        assert scene.table.timers.deadline > scene.time
        assert not scene.closed
        assert {p.name for p in scene.people.values()} >= set(scene.table.summary.spectators)
    assert starts > 2
    for person in list(scene.people.values()):
        scene.leave(person)
    scene.wait(5000)
    assert scene.closed
    assert len(scene.saved) >= 2 * starts  # two replays of every match
