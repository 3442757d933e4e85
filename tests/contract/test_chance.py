"""Chance that can be repeated, and that tells nothing about itself."""

import copy
import pickle
import re
import subprocess
import sys
from collections import Counter

import pytest

from ludothek.contract.chance import Chance, KeyedRandom, random_uuid
from tests.support.mersenne import follows_mersenne_twister


def test_the_same_names_grow_the_same_seed() -> None:
    assert Chance(1).child("lobby", 5) == Chance(1).child("lobby", 5)


def test_other_names_or_seeds_grow_others() -> None:
    seeds = {
        Chance(1).child("lobby", 5).seed,
        Chance(1).child("lobby", 6).seed,
        Chance(1).child("ids").seed,
        Chance(2).child("ids").seed,
        Chance(1).child("ids").child("ids").seed,
        Chance(1).child("a", "b").seed,
        Chance(1).child("a:b").seed,
        Chance(1).child("a', 'b").seed,
    }
    assert len(seeds) == 8


def test_a_seed_that_nobody_has_chosen_cannot_be_guessed() -> None:
    seeds = {Chance().seed for _ in range(10)} | {Chance(1).child("ids").seed}
    assert len(seeds) == 11
    assert all(re.fullmatch("[0-9a-f]{64}", str(seed)) for seed in seeds)
    assert str(Chance(12345)) == "Chance()"  # as little as possible ends up in a log


def test_ids_are_random_uuids_in_lower_case() -> None:
    rng = Chance(1).random()
    ids = {random_uuid(rng) for _ in range(100)}
    assert len(ids) == 100
    shape = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    assert all(shape.fullmatch(each) for each in ids)


def test_what_was_given_out_does_not_tell_what_comes_next() -> None:
    rng = Chance(1).random()
    assert not follows_mersenne_twister([rng.getrandbits(32) for _ in range(1000)])


# The generator itself


def test_the_same_seed_gives_the_same_numbers_in_another_process() -> None:
    code = (
        "from ludothek.contract.chance import Chance as C; print(C(7).child('x').random().random())"
    )
    numbers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for hash_seed in ("1", "2")
    }
    assert numbers == {str(Chance(7).child("x").random().random())}


def test_everything_the_games_draw_comes_from_the_keyed_hash() -> None:
    def draw(rng: KeyedRandom) -> list[object]:
        deck = list(range(50))
        rng.shuffle(deck)
        return [
            deck,
            rng.choice(deck),
            rng.choices(deck, k=3),
            rng.sample(deck, 5),
            rng.randrange(1000),
            rng.randint(1, 6),
            rng.uniform(0, 1),
            rng.gauss(0, 1),
            rng.randbytes(9),
        ]

    assert draw(KeyedRandom(1)) == draw(KeyedRandom(1))
    assert draw(KeyedRandom(1)) != draw(KeyedRandom(2))


def test_a_generator_without_a_seed_is_like_no_other() -> None:
    assert KeyedRandom().getrandbits(64) != KeyedRandom().getrandbits(64)


def test_a_generator_can_be_seeded_again() -> None:
    rng = KeyedRandom("a")
    first = rng.getrandbits(999), rng.gauss(0, 1)
    rng.seed("a")
    assert (rng.getrandbits(999), rng.gauss(0, 1)) == first


@pytest.mark.parametrize("drawn", [0, 1, 63, 64, 65, 200])
def test_copies_go_on_alike(drawn: int) -> None:
    rng = KeyedRandom(5)
    rng.randbytes(drawn)
    rng.gauss(0, 1)  # makes two, and keeps one
    state = rng.getstate()
    copies = [pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng), KeyedRandom()]
    copies[2].setstate(state)
    expected = rng.gauss(0, 1), rng.randbytes(100)
    assert [(each.gauss(0, 1), each.randbytes(100)) for each in copies] == [expected] * 3


def test_numbers_have_as_many_bits_as_wanted_however_they_are_drawn() -> None:
    rng = KeyedRandom(3)
    for bits in (*range(70), 511, 512, 513, 5000):
        drawn = [rng.getrandbits(bits) for _ in range(40)]
        assert max(drawn) < 1 << bits
        assert not bits or max(drawn).bit_length() > bits - 8
    with pytest.raises(ValueError, match="non-negative"):
        rng.getrandbits(-1)


def test_no_number_is_preferred() -> None:
    rng = KeyedRandom(4)
    dice = Counter(rng.randrange(6) for _ in range(6000))
    assert set(dice) == set(range(6))
    assert all(850 < count < 1150 for count in dice.values())
    halves = [rng.random() for _ in range(6000)]
    assert all(0 <= half < 1 for half in halves)
    assert 0.48 < sum(halves) / len(halves) < 0.52
