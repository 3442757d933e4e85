"""Chance that can be repeated."""

import re

from ludothek.chance import Chance, random_uuid


def test_the_same_names_grow_the_same_seed() -> None:
    assert Chance(1).child("lobby", 5) == Chance(1).child("lobby", 5)


def test_other_names_or_seeds_grow_others() -> None:
    seeds = {
        Chance(1).child("lobby", 5).seed,
        Chance(1).child("lobby", 6).seed,
        Chance(1).child("ids").seed,
        Chance(2).child("ids").seed,
        Chance(1).child("ids").child("ids").seed,
    }
    assert len(seeds) == 5


def test_ids_are_random_uuids_in_lower_case() -> None:
    rng = Chance(1).random()
    ids = {random_uuid(rng) for _ in range(100)}
    assert len(ids) == 100
    shape = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    assert all(shape.fullmatch(each) for each in ids)
