"""What every game promises; a game added later is covered by being there."""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from ludothek.contract.codec import Malformed
from ludothek.contract.game import Game
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.registry import load, names
from tests.support.company import Actor, Meddler, nobody_meddles, perform
from tests.support.helpers import open_fair

DATA = Path(__file__).parents[1] / "data"

GAMES = [pytest.param(load(name), id=name) for name in names()]

every_game = pytest.mark.parametrize("game", GAMES)

# What makes a match short where players who act at random would take very long to end it.
BRIEF: dict[str, dict[str, Any]] = {
    "roborally": {"max_rounds": 4},
    "quidditch": {"match": str(DATA / "quidditch" / "brief.json")},
}

GARBAGE = (
    b"",
    b"\x00",
    b"null",
    b"[]",
    b"{}",
    b'"text"',
    b"1e999",
    b"-",
    b"{" * 2000,
    b"[" * 10_000 + b"]" * 10_000,
    b"\xff\xfe\xfd",
    b'{"messageType":null}',
    b'{"messageType":"\\ud800"}',
    b"<protocol><join/>",
    b"</protocol>",
    b"<a b='",
    b"9" * 400,
)


async def play(
    game: Game, clock: MockClock, seed: int, meddler: Meddler = nobody_meddles
) -> list[Actor]:
    async with open_fair(game.name, seed, BRIEF.get(game.name)) as fair:
        actors = await perform(fair, game, clock, seed, meddler)
        assert fair.endpoint.hall.crashes == 0
        assert all(actor.link.farewell is None for actor in actors)
    return actors


@every_game
@pytest.mark.parametrize("seed", range(2))
async def test_seeded_random_play_reaches_the_end(
    game: Game, seed: int, mock_clock: MockClock
) -> None:
    actors = await play(game, mock_clock, seed)
    assert [actor.report is not None for actor in actors] == [True] * game.players
    assert [actor.report.errors for actor in actors if actor.report] == [0] * game.players


@every_game
async def test_the_same_seed_gives_the_same_bytes(game: Game, mock_clock: MockClock) -> None:
    first, again = [
        [actor.transcript for actor in await play(game, mock_clock, seed=7)] for _ in range(2)
    ]
    assert first == again


@every_game
async def test_another_seed_gives_another_game(game: Game, mock_clock: MockClock) -> None:
    one, two = [
        [actor.transcript for actor in await play(game, mock_clock, seed)] for seed in (1, 2)
    ]
    assert one != two


@every_game
async def test_every_message_survives_a_round_trip(game: Game, mock_clock: MockClock) -> None:
    for actor in await play(game, mock_clock, seed=5):
        for _, frame in actor.transcript:
            message = actor.codec.decode(frame)
            assert not isinstance(message, Malformed)
            assert actor.codec.decode(actor.codec.encode(message)) == message


@every_game
def test_legal_actions_are_accepted_and_others_refused(game: Game) -> None:
    rules, rng = game.rules, random.Random(3)
    elsewhere = [action for seed in range(5) for action in _some_actions(game, seed)]
    state = rules.start(rng)
    refused = 0
    while not rules.over(state):
        legal = list(rules.legal_actions(state))
        assert legal, "somebody can act until the end"
        for action in rng.sample(legal, min(5, len(legal))):
            rules.apply(state, action, rng)
        for action in rng.sample(elsewhere, 5):
            if action not in legal:
                refused += 1
                with pytest.raises(RuleViolation):
                    rules.apply(state, action, rng)
        state = rules.apply(state, rng.choice(legal), rng)
    assert refused > 20
    with pytest.raises(RuleViolation):
        rules.apply(state, legal[0], rng)


def _some_actions(game: Game, seed: int) -> Iterable[object]:
    """Actions that were legal at some time in another game."""
    rng = random.Random(seed)
    state = game.rules.start(rng)
    while not game.rules.over(state):
        actions = list(game.rules.legal_actions(state))
        yield rng.choice(actions)
        state = game.rules.apply(state, rng.choice(actions), rng)


@every_game
@pytest.mark.parametrize("seed", range(6))
async def test_garbage_at_any_point_crashes_nothing(
    game: Game, seed: int, mock_clock: MockClock
) -> None:
    """Nonsense, damaged messages, and real ones at the wrong time or from the wrong player."""
    rng = random.Random(seed)
    heard: list[bytes] = []

    def meddle(actor: Actor) -> Iterable[bytes]:
        heard.extend(frame for _, frame in actor.transcript[-2:])
        if rng.random() < 0.1:
            yield _nonsense(rng, heard)

    async with open_fair(game.name, seed, BRIEF.get(game.name)) as fair:
        await perform(fair, game, mock_clock, seed, meddle)
        assert fair.endpoint.hall.crashes == 0


@every_game
async def test_a_match_goes_well_beside_all_kinds_of_garbage(
    game: Game, mock_clock: MockClock
) -> None:
    async with open_fair(game.name, settings=BRIEF.get(game.name)) as fair:
        for garbage in GARBAGE:
            await fair.connect().send(garbage)
        actors = await perform(fair, game, mock_clock, seed=1)
        assert all(actor.report for actor in actors)
        assert fair.endpoint.hall.crashes == 0


def _nonsense(rng: random.Random, heard: list[bytes]) -> bytes:
    frame = rng.choice(heard) if heard else b"{}"
    return rng.choice(
        (
            rng.choice(GARBAGE),
            frame,
            frame[: rng.randrange(len(frame) + 1)],
            _damaged(rng, frame),
        )
    )


def _damaged(rng: random.Random, frame: bytes) -> bytes:
    damaged = bytearray(frame)
    for _ in range(rng.randint(1, 4)):
        if damaged:
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
    return bytes(damaged)
