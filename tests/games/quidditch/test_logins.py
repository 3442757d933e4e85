"""The queue in front of the passwords, in virtual time: who waits how long, and who does not."""

import threading
from collections.abc import Iterator
from itertools import count
from math import inf
from pathlib import Path

import argon2
import attrs
import orjson
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from games.quidditch.accounts import KeptAccounts
from games.quidditch.logins import AT_ONCE, MOST_OF_ADDRESS, MOST_WAITING, Logins
from games.quidditch.notices import Played
from games.quidditch.reception import QuidditchReception
from games.quidditch.settings import Settings
from ludothek.contract.effects import Explain
from ludothek.kit.fair_queue import FairQueue
from ludothek.settings.fields import build
from ludothek.testing.dummies import DummyClient
from tests.games.quidditch.clients import join
from tests.games.quidditch.door import EVIL, HOME, LAB, Door, DummyDesk, Slow
from tests.support.helpers import Fair, MemoryLink, Peer, memory_link_pair, open_fair

CROWDED = "too many logins wait already; try again later"


def test_a_few_mistakes_cost_no_time() -> None:
    door = Door()
    door.log_in("harry", "hedwig")
    assert door.guess(5, HOME) == 0
    assert door.log_in("harry", "hedwig") == "in"
    assert door.time < 1.5


def test_guessing_takes_ever_longer() -> None:
    door = Door()
    door.log_in("harry", "hedwig")
    assert door.guess(40, EVIL) > 600


def test_guessing_one_password_for_many_names_takes_ever_longer() -> None:
    door = Door()
    for n in range(60):
        door.log_in(f"user{n}", "secret", LAB)
    took = [door.guess(1, EVIL, f"user{n}") for n in range(60)]
    assert took[:30] == [0] * 30
    assert sum(took) > 300


def test_one_right_password_does_not_pay_for_many_wrong_ones() -> None:
    door = Door()
    for n in range(60):
        door.log_in(f"user{n}", "secret", LAB)
    door.log_in("eve", "evil", LAB)
    start = door.time
    for n in range(60):
        door.guess(1, EVIL, f"user{n}")
        assert door.log_in("eve", "evil", EVIL) == "in"
    assert door.time - start > 300


def test_nobody_can_be_locked_out() -> None:
    """A user with the right password gets in within seconds, however many guess from elsewhere."""
    door = Door()
    door.log_in("harry", "hedwig")
    guessers = {f"10.6.6.{n}": door.knock("harry", "wrong", f"10.6.6.{n}") for n in range(50)}
    for second in range(200):
        door.wait(1)
        for address, client in guessers.items():
            if client in door.answers:
                guessers[address] = door.knock("harry", "wrong", address)
        if second % 20 == 19:
            start = door.time
            assert door.log_in("harry", "hedwig") == "in"
            assert door.time - start < 5


def test_guessing_one_name_from_everywhere_takes_longer() -> None:
    door = Door()
    door.log_in("harry", "hedwig")
    took = [door.guess(1, f"10.6.6.{n}") for n in range(60)]
    assert took[:10] == [0] * 10
    assert took[20:] == [pytest.approx(3)] * 40


def test_guesses_at_the_same_time_are_made_one_after_the_other() -> None:
    door = Door(Slow())
    for _ in range(50):
        door.knock("harry", "wrong", EVIL)
    door.wait(60)
    assert 5 < len(door.begun) < 15


def test_who_guesses_delays_nobody_else_at_its_address() -> None:
    door = Door(Slow())
    for _ in range(12):
        door.knock("harry", "wrong", LAB)
    door.wait(60)
    start = door.time
    assert door.log_in("luna", "luna", LAB) == "in"
    assert door.time - start < 3


def test_a_class_behind_one_address_gets_in() -> None:
    """Thirty people and their computer players, one mistake each: seconds, not minutes."""
    door = Door(Slow())
    right = [door.knock(f"user{n}", f"user{n}") for n in range(60)]
    wrong = [door.knock(f"user{n}", "wrong") for n in range(30)]
    door.wait(150)  # a second for each password, one at a time
    assert {door.answers[client] for client in right} == {"in"}
    assert {door.answers[client] for client in wrong} == {"wrong password"}


@pytest.mark.parametrize(("address", "most"), [(HOME, 1), (LAB, AT_ONCE)])
def test_few_passwords_are_checked_at_once(address: str, most: int) -> None:
    """Each takes memory and processor time."""
    door = Door(Slow())
    for n in range(8):
        door.knock(f"user{n}", f"user{n}", address)
    assert len(door.begun) == most
    door.knock("draco", "draco", EVIL)
    assert len(door.begun) == AT_ONCE
    door.wait(1)
    assert len(door.begun) == AT_ONCE + most
    door.wait(10)
    assert len(door.begun) == 9


@pytest.mark.parametrize("address", [HOME, LAB])
def test_whoever_hangs_up_leaves_the_line(address: str) -> None:
    door = Door(Slow())
    crowd = [door.knock(f"user{n}", f"user{n}", address) for n in range(20)]
    door.wait(0.5)
    for client in crowd:
        door.hang_up(client)
    start = door.time
    assert door.log_in("harry", "harry", address) == "in"
    assert door.time - start < 3
    assert len(door.begun) <= 3
    assert door.waiting == 0
    assert not any(client in door.answers for client in crowd)


def test_whoever_hangs_up_while_its_password_is_checked_keeps_the_others_waiting() -> None:
    """Otherwise more passwords could be checked at a time than the machine can bear."""
    door = Door(Slow())
    for n in range(AT_ONCE):
        door.hang_up(door.knock(f"user{n}", "wrong", f"10.6.6.{n}"))
    door.knock("harry", "harry")
    assert len(door.begun) == AT_ONCE
    door.wait(1)
    assert len(door.begun) == AT_ONCE + 1


def test_a_guess_counts_although_the_guesser_has_hung_up() -> None:
    door = Door(Slow())
    for _ in range(100):
        door.hang_up(door.knock("harry", "wrong", EVIL))
        door.wait(1)
    assert len(door.begun) < 20


def test_the_line_of_an_address_has_an_end() -> None:
    door = Door(Slow())
    for n in range(MOST_OF_ADDRESS + 1):  # one of them is served
        door.knock(f"user{n}", f"user{n}")
    assert door.answers == {}
    assert door.log_in("harry", "harry") == CROWDED
    (explained,) = [effect for effect in door.effects if isinstance(effect, Explain)]
    assert explained.breach.clause.id == "ours.logins-waiting"
    start = door.time
    assert door.log_in("draco", "draco", EVIL) == "in"
    assert door.time - start < 3


def test_new_names_come_back_with_time() -> None:
    door = Door(registrations_per_hour=10)
    for n in range(10):
        assert door.log_in(f"user{n}", "x") == "in"
    assert door.log_in("user10", "x") == "too many new user names come from this address"
    assert door.log_in("user9", "x") == "in"
    assert door.log_in("user10", "x", EVIL) == "in"
    door.wait(360)
    assert door.log_in("user11", "x") == "in"


@pytest.mark.parametrize(("per_hour", "address"), [(0, HOME), (3, LAB)])
def test_new_names_without_a_limit(per_hour: int, address: str) -> None:
    door = Door(registrations_per_hour=per_hour)
    for n in range(20):
        assert door.log_in(f"user{n}", "x", address) == "in"


def braked_door() -> Door:
    """Somebody has guessed at harry's password, and the next guess has to wait."""
    door = Door()
    door.log_in("harry", "hedwig")
    door.guess(12, LAB)
    return door


def test_braked_guesses_fill_no_places_of_others_at_a_shared_address() -> None:
    door = braked_door()
    for _ in range(MOST_WAITING + 10):
        door.knock("harry", "wrong", LAB)
    assert door.waiting == MOST_WAITING
    start = door.time
    assert door.log_in("luna", "radish", LAB) == "in"
    assert door.time == start


def test_who_gives_up_waiting_makes_nobody_search_the_queue(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thousand clients hanging up at the same moment would have it searched a thousand times."""
    door = braked_door()
    crowd = [door.knock("harry", "wrong", LAB) for _ in range(50)]
    assert door.waiting == 50
    searches: list[int] = []
    monkeypatch.setattr(FairQueue, "take", lambda self, *how: searches.append(1))
    for client in crowd:
        door.hang_up(client)
    assert door.waiting == 0
    assert not searches


def test_who_has_to_wait_makes_nobody_search_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    door = braked_door()
    searches: list[int] = []
    monkeypatch.setattr(FairQueue, "take", lambda self, *how: searches.append(1))
    for _ in range(50):
        door.knock("harry", "wrong", LAB)
    assert door.waiting == 50
    assert not searches


def test_those_who_have_hung_up_fill_no_places_of_others() -> None:
    """However fast they arrive: it takes a second until each of them is noticed."""
    door = Door(Slow())
    for n in range(3 * MOST_OF_ADDRESS):
        client = door.knock(f"user{n}", f"user{n}", EVIL)
        assert client not in door.answers
        door.hang_up(client, noticed=False)
        door.wait(0.003)
    assert door.waiting <= MOST_OF_ADDRESS


def test_whoever_comes_again_and_again_has_nobody_looked_for_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Asking a thousand clients whether they are still there takes milliseconds."""
    door = braked_door()
    for _ in range(300):
        door.knock("harry", "wrong", LAB)
    looks: list[object] = []
    monkeypatch.setattr(DummyDesk, "has_hung_up", lambda self, client: looks.append(client))
    for _ in range(100):
        door.knock("harry", "wrong", LAB)
        door.wait(0.001)
    assert 300 <= len(looks) < 3000


def test_no_password_is_checked_for_those_who_have_hung_up() -> None:
    door = Door(Slow())
    crowd = [door.knock(f"user{n}", f"user{n}", LAB) for n in range(20)]
    for client in crowd:
        door.hang_up(client, noticed=False)
    door.knock("harry", "harry", LAB)
    door.wait(10)
    assert door.begun == ["user0", "user1", "harry"]
    assert len(door.answers) == 1
    assert door.waiting == 0


def test_two_who_get_in_at_the_same_moment_find_each_other() -> None:
    """A lobby is opened only once, although neither finds it when its password is checked."""
    door = Door(lobbies_seconds=0)
    for name in ("harry", "draco"):
        door.hang_up(door.knock(name, name, LAB))
        door.guess(6, LAB, name)
    door.opened.clear()
    door.desk.tables.clear()
    crowd = [door.knock(name, name, LAB) for name in ("harry", "draco")]
    assert door.waiting == 2
    door.wait(10)
    assert [door.answers[client] for client in crowd] == ["in", "in"]
    assert door.opened == ["hogwarts"]
    assert door.desk.tables["hogwarts"].summary.spectators == ("harry", "draco")


def test_whoever_logs_in_again_under_another_name_leaves_the_first_as_it_was() -> None:
    door = Door()
    client = door.knock("harry", "hedwig")
    door.perform(door.reception.come_back(client))
    door.join(client, "draco", "ferret")
    assert door.desk.tables["hogwarts"].summary.spectators == ("harry", "draco")


@pytest.mark.parametrize("back", [True, False])
def test_whoever_is_gone_is_replaced_by_nobody(back: bool) -> None:
    door = Door()
    client = door.knock("harry", "hedwig")
    door.perform((door.reception.come_back if back else door.reception.leave)(client))
    door.answers.clear()
    assert door.log_in("harry", "hedwig") == "in"
    assert client not in door.answers


def test_whoever_is_gone_is_not_waited_for() -> None:
    door = Door(login_seconds=10.0, lobbies_seconds=1.0)
    client = DummyClient()
    door.perform(door.reception.arrive(client))
    door.hang_up(client)
    door.wait(20)
    assert door.answers == {}
    assert door.reception.timers.deadline == inf


def test_those_who_have_played_keep_their_names() -> None:
    door = Door(max_accounts=1)
    client = door.knock("harry", "hedwig")
    door.perform(door.reception.informed("hogwarts", Played(["harry"])))
    door.hang_up(client)
    assert door.log_in("draco", "ferret") == "accounts cannot be used at the moment"
    assert door.log_in("harry", "hedwig") == "in"


def test_that_somebody_has_played_is_written_beside_the_games(tmp_path: Path) -> None:
    accounts = KeptAccounts(tmp_path, 10)
    accounts.admit("harry", "hedwig")
    door = Door(accounts)
    door.perform(door.reception.informed("hogwarts", Played(["harry"])))
    (chore,) = door.chores
    assert (tmp_path / "harry").read_text().count("\n") == 1
    chore.do()
    assert (tmp_path / "harry").read_text().endswith("\nplayed\n")


def test_new_settings_hurry_only_those_who_come_now() -> None:
    door = Door(login_seconds=0, lobbies_seconds=0)
    old, new = DummyClient(1), DummyClient(2)
    door.perform(door.reception.arrive(old))
    settings = build(Settings, {"login_seconds": 10.0, "lobbies_seconds": 0}, "test")
    door.perform(door.reception.adopt(settings))
    door.perform(door.reception.arrive(new))
    door.wait(9)
    assert door.answers == {}
    door.wait(2)
    assert door.answers == {new: "no joinRequest came in time"}


def test_new_settings_count_from_now_on() -> None:
    door = Door(registrations_per_hour=1)
    door.log_in("harry", "x")
    assert door.log_in("draco", "x") != "in"
    settings = build(Settings, {"registrations_per_hour": 0}, "test")
    door.perform(door.reception.adopt(settings))
    assert door.log_in("draco", "x") == "in"


# With connections


@attrs.define
class Crowd:
    """Clients whose logins wait, because as many passwords as allowed are being checked."""

    fair: Fair
    _names: Iterator[int] = attrs.field(factory=count)

    def __attrs_post_init__(self) -> None:
        self.logins._hands = 0

    @property
    def logins(self) -> Logins:
        reception = self.fair.endpoint.hall.foyer.reception
        assert isinstance(reception, QuidditchReception)
        return reception._logins

    async def knock(self, address: str) -> MemoryLink:
        ours, theirs = memory_link_pair()
        theirs.peer = f"{address}:40000"
        self.fair.nursery.start_soon(self.fair.endpoint.welcome, theirs)
        await Peer(ours).say(join(f"user{next(self._names)}"))
        await wait_all_tasks_blocked()
        return ours


async def test_whoever_is_sent_away_waits_no_longer(mock_clock: MockClock) -> None:
    """The server shuts down: nobody may keep it waiting by being delayed."""
    async with open_fair("quidditch") as fair:
        crowd = Crowd(fair)
        link = await crowd.knock(EVIL)
        assert crowd.logins.waiting == 1
        (client,) = fair.endpoint.clients
        client.close()
        await wait_all_tasks_blocked()
        assert crowd.logins.waiting == 0
        assert link.received() == []


async def test_what_somebody_says_who_waits_is_heard_afterwards(mock_clock: MockClock) -> None:
    async with open_fair("quidditch") as fair:
        crowd = Crowd(fair)
        link = await crowd.knock(HOME)
        await link.send(b"nonsense")
        await wait_all_tasks_blocked()
        assert link.received() == []
        crowd.logins._hands = AT_ONCE
        await crowd.knock(EVIL)
        first, *_, last = map(orjson.loads, link.received())
        assert first["payloadType"] == "joinResponse"
        assert last["payload"]["code"] == 251


async def test_whoever_hangs_up_while_it_waits_is_noticed(mock_clock: MockClock) -> None:
    async with open_fair("quidditch") as fair:
        crowd = Crowd(fair)
        link = await crowd.knock(EVIL)
        link.close()
        mock_clock.jump(1)
        await wait_all_tasks_blocked()
        assert crowd.logins.waiting == 0
        assert not fair.endpoint.clients


async def test_no_more_passwords_are_hashed_at_once_than_the_machine_can_bear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = most = 0
    original = argon2.PasswordHasher.hash

    def hash_(self: argon2.PasswordHasher, password: str) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        try:
            return original(self, password)
        finally:
            running -= 1

    monkeypatch.setattr(argon2.PasswordHasher, "hash", hash_)
    async with open_fair("quidditch", settings={"accounts": str(tmp_path)}) as fair:
        peers = [Peer(fair.connect()) for _ in range(8)]
        for number, peer in enumerate(peers):
            await peer.say(join(f"user{number}", lobby=f"lobby{number}"))
        for peer in peers:
            assert (await peer.hear())["payloadType"] == "joinResponse"
    assert 1 <= most <= AT_ONCE


async def test_a_disk_that_hangs_does_not_keep_the_daemon_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hangs, released = threading.Event(), threading.Event()

    def hang(self: argon2.PasswordHasher, password: str) -> str:
        hangs.set()
        released.wait(120)
        return ""

    monkeypatch.setattr(argon2.PasswordHasher, "hash", hang)
    try:
        with trio.fail_after(60):
            async with open_fair("quidditch", settings={"accounts": str(tmp_path)}) as fair:
                await Peer(fair.connect()).say(join("harry"))
                await trio.to_thread.run_sync(hangs.wait)
        assert not released.is_set()
    finally:
        released.set()
