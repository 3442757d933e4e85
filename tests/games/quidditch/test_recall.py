"""A reception that goes on in another process knows what the first one knew."""

import random
from pathlib import Path
from typing import Any

import pytest

from games.quidditch.accounts import KeptAccounts, MemoryAccounts, Verdict
from games.quidditch.messages import Lobbies, Undefined
from games.quidditch.notices import Played
from ludothek.contract import plain
from ludothek.contract.effects import Admit, Effect, Kick, Open, Send, Tell, Unhold
from ludothek.testing.dummies import DummyClient
from tests.games.quidditch.door import EVIL, HOME, LAB, Door, Slow

USERS = ("harry", "draco", "luna", "ron", "peter", "vernon")
LOBBIES = ("hogwarts", "hogsmeade", "azkaban")


def written(effect: Effect) -> Any:
    """What can be compared between two worlds, where clients are not the same objects."""
    match effect:
        case Open(lobby=lobby, table=table, chance=chance, opener=opener):
            return lobby, plain.write(table.recipe), chance, opener.number if opener else None
    return plain.write(effect)


def wander(door: Door, rng: random.Random) -> None:
    """One thing that may happen at the door."""
    before = len(door.effects)
    logged_in = [client for client in door.clients if client.visitor.user_name]
    match rng.randrange(8):
        case 0 | 1 | 2:
            client = door.connect(rng.choice((HOME, LAB, EVIL)))
            name, wrong = rng.choice(USERS), rng.random() < 0.3
            door.join(client, name, "wrong" if wrong else name, rng.choice(LOBBIES))
        case 3:
            door.say(door.connect(), Undefined("hello"))
        case 4 if door.clients:
            leave(door, rng.choice(door.clients))
        case 5 if logged_in:  # an organiser sends it out of its lobby
            client = rng.choice(logged_in)
            for table in door.desk.tables.values():
                tuple(table.leave(client))
            door.perform(door.reception.come_back(client))
        case 6:
            door.perform(door.reception.informed(LOBBIES[0], Played(rng.sample(USERS, 2))))
        case _:
            door.wait(rng.choice((0.01, 1, 1, 10, 100)))
    for effect in door.effects[before:]:
        match effect:
            case Kick(client=kicked) if kicked in door.clients:
                leave(door, kicked)
            case Tell(lobby=lobby):
                door.desk.tables.pop(lobby, None)


def leave(door: Door, client: Any) -> None:
    for table in door.desk.tables.values():
        tuple(table.leave(client))
    door.hang_up(client)


@pytest.mark.parametrize("seed", range(8))
def test_nobody_notices_that_another_process_goes_on(seed: int) -> None:
    doors, answers, successions = [], [], 0
    for mortal in (False, True):
        rng, fate = random.Random(seed), random.Random(seed)
        door = Door(
            max_accounts=4,
            max_lobbies=2,
            registrations_per_hour=6,
            login_seconds=0,
            lobbies_seconds=0,
        )
        for _ in range(400):
            wander(door, rng)
            if mortal and fate.random() < 0.2 and not door.held:
                successions += 1
                door.succeed()
        doors.append(door)
        answers.append([*map(written, door.effects)])
    assert successions > 10
    assert {type(each) for each in doors[1].effects} >= {Open, Admit, Kick, Tell, Unhold}
    assert answers[1] == answers[0]


def test_a_client_whose_password_is_being_checked_is_answered_by_the_next_process() -> None:
    door = Door(Slow())
    client = door.knock("harry", "harry")
    assert door.begun == ["harry"]
    door.succeed()
    assert door.answers == {}
    door.wait(1)
    assert door.answers == {client: "in"}


def test_guessing_is_as_slow_as_before() -> None:
    door = Door(Slow())
    door.guess(8, EVIL)
    door.succeed()
    again = door.guess(1, EVIL)
    other = Door(Slow())
    other.guess(8, EVIL)
    assert again == other.guess(1, EVIL) > 2


def test_no_address_takes_more_new_names_than_before() -> None:
    door = Door(registrations_per_hour=2)
    assert [door.log_in(name, "pw") for name in ("harry", "draco")] == ["in", "in"]
    door.succeed()
    assert door.log_in("luna", "pw") == "too many new user names come from this address"


def test_the_newest_login_counts_even_if_the_old_connection_is_younger() -> None:
    door = Door()
    old = door.connect()
    door.knock("harry", "harry")
    door.join(old, "harry", "harry")  # which replaces the younger connection
    door.succeed()
    door.effects.clear()
    door.knock("harry", "harry")
    assert [each.client for each in door.effects if isinstance(each, Kick)] == [old]


def test_only_who_was_not_told_yet_is_told_the_lobbies() -> None:
    door = Door(lobbies_seconds=1)
    door.connect()
    door.wait(2)
    door.say(door.connect(), Undefined("hello"))
    new = door.connect()
    door.succeed()
    door.effects.clear()
    door.wait(10)
    assert door.effects == [Send([new], Lobbies([]))]


def test_who_has_not_logged_in_still_has_to() -> None:
    door = Door(login_seconds=10)
    door.connect()
    door.succeed()
    door.wait(9)
    assert not any(isinstance(each, Kick) for each in door.effects)
    door.wait(1)
    assert any(isinstance(each, Kick) for each in door.effects)


def test_a_memory_of_another_version_is_done_without() -> None:
    door = Door()
    client = door.knock("harry", "harry")
    effects = door._receive_clients().recall(None, [client])
    assert tuple(effects) == ()


def test_what_is_remembered_is_the_same_object_until_something_changes() -> None:
    door = Door()
    door.knock("harry", "harry")
    before = door.reception.remember()
    assert door.reception.remember() is before
    door.knock("draco", "draco")
    assert door.reception.remember() is not before


def test_passwords_are_remembered_as_hashes() -> None:
    door = Door()
    door.knock("harry", "alohomora")
    assert b"alohomora" not in plain.write(door.reception.remember())


def test_accounts_that_are_in_files_from_now_on_are_forgotten(tmp_path: Path) -> None:
    accounts = MemoryAccounts(10)
    accounts.admit("harry", "hedwig")
    kept = KeptAccounts(tmp_path, 10)
    kept.recall(accounts.remember())
    assert kept.admit("harry", "other") is Verdict.NEW
    accounts = MemoryAccounts(10)
    accounts.recall(kept.remember())
    assert accounts.admit("harry", "other") is Verdict.NEW


def test_a_client_that_has_gone_meanwhile_is_not_waited_for() -> None:
    door = Door(login_seconds=10)
    silent = DummyClient(99)
    door.perform(door.reception.arrive(silent))  # and is lost before the next process begins
    door.succeed()
    door.wait(100)
    assert door.effects == []
