"""The queue in front of the passwords, in virtual time: who waits how long, and who does not."""

from collections.abc import Iterable
from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock

from games.quidditch.accounts import Accounts, MemoryAccounts, Unregistered, Verdict
from games.quidditch.logins import MOST_OF_ADDRESS, MOST_WAITING, LoginRefused, Logins
from ludothek.kit.fair_queue import FairQueue
from ludothek.runtime.client import Client
from tests.support.helpers import MemoryLink, memory_link_pair
from tests.support.quidditch import CODEC

HOME, LAB, EVIL = "10.0.0.1", "134.60.0.1", "10.6.6.6"


def client(address: str = HOME) -> Client:
    link, _ = memory_link_pair()
    link.peer = f"{address}:40000"
    return Client(1, link, CODEC)


def logins(accounts: Accounts | None = None, registrations_per_hour: int = 100) -> Logins:
    return Logins(
        accounts or MemoryAccounts(10_000),
        trio.current_time,
        lambda host: host == LAB,
        registrations_per_hour,
    )


class Slow:
    """Accounts that take a second for each password, which is the user's name."""

    def __init__(self) -> None:
        self.checked: list[str] = []

    async def admit(self, name: str, password: str, *, register: bool = True) -> Verdict:
        self.checked.append(name)
        await trio.sleep(1)
        if name.startswith("new") and not register:
            raise Unregistered(name)
        return Verdict.KNOWN if password == name else Verdict.WRONG

    def played(self, names: Iterable[str]) -> None:
        raise AssertionError("no match is played here")


async def guess(logins: Logins, times: int, address: str, name: str = "harry") -> float:
    """Seconds that so many wrong passwords take, one after the other."""
    start = trio.current_time()
    for _ in range(times):
        assert await logins.admit(client(address), name, "wrong") is Verdict.WRONG
    return trio.current_time() - start


async def test_a_few_mistakes_cost_no_time(autojump_clock: MockClock) -> None:
    desk = logins()
    await desk.admit(client(), "harry", "hedwig")
    assert await guess(desk, 5, HOME) == 0
    assert await desk.admit(client(), "harry", "hedwig") is Verdict.KNOWN
    assert trio.current_time() < 1.5


async def test_guessing_takes_ever_longer(autojump_clock: MockClock) -> None:
    desk = logins()
    await desk.admit(client(), "harry", "hedwig")
    assert await guess(desk, 40, EVIL) > 600


async def test_guessing_one_password_for_many_names_takes_ever_longer(
    autojump_clock: MockClock,
) -> None:
    desk = logins()
    for n in range(60):
        await desk.admit(client(LAB), f"user{n}", "secret")
    took = [await guess(desk, 1, EVIL, f"user{n}") for n in range(60)]
    assert took[:30] == [0] * 30
    assert sum(took) > 300


async def test_one_right_password_does_not_pay_for_many_wrong_ones(
    autojump_clock: MockClock,
) -> None:
    desk = logins()
    for n in range(60):
        await desk.admit(client(LAB), f"user{n}", "secret")
    await desk.admit(client(LAB), "eve", "evil")
    start = trio.current_time()
    for n in range(60):
        await guess(desk, 1, EVIL, f"user{n}")
        assert await desk.admit(client(EVIL), "eve", "evil")
    assert trio.current_time() - start > 300


async def test_nobody_can_be_locked_out(autojump_clock: MockClock) -> None:
    """Whoever knows the password gets in within seconds, however many guess from elsewhere."""
    desk = logins()
    await desk.admit(client(), "harry", "hedwig")
    async with trio.open_nursery() as nursery:
        for n in range(50):
            nursery.start_soon(guess, desk, 50, f"10.6.6.{n}")
        for _ in range(10):
            await trio.sleep(20)
            with trio.fail_after(5):
                assert await desk.admit(client(), "harry", "hedwig") is Verdict.KNOWN
        nursery.cancel_scope.cancel()


async def test_guessing_one_name_from_everywhere_takes_longer(autojump_clock: MockClock) -> None:
    desk = logins()
    await desk.admit(client(), "harry", "hedwig")
    took = [await guess(desk, 1, f"10.6.6.{n}") for n in range(60)]
    assert took[:10] == [0] * 10
    assert took[20:] == [pytest.approx(3)] * 40


async def test_guesses_at_the_same_time_are_made_one_after_the_other(
    autojump_clock: MockClock,
) -> None:
    desk = logins(accounts := Slow())
    async with trio.open_nursery() as nursery:
        for _ in range(50):
            nursery.start_soon(desk.admit, client(EVIL), "harry", "wrong")
        await trio.sleep(60)
        assert len(accounts.checked) < 15
        nursery.cancel_scope.cancel()


async def test_who_guesses_delays_nobody_else_at_its_address(autojump_clock: MockClock) -> None:
    desk = logins(Slow())
    async with trio.open_nursery() as nursery:
        for _ in range(12):
            nursery.start_soon(desk.admit, client(LAB), "harry", "wrong")
        await trio.sleep(60)
        with trio.fail_after(3):
            assert await desk.admit(client(LAB), "luna", "luna")
        nursery.cancel_scope.cancel()


async def test_a_class_behind_one_address_gets_in(autojump_clock: MockClock) -> None:
    """Thirty people and their computer players, a mistake each: seconds, not minutes."""
    desk = logins(Slow())
    with trio.fail_after(150):  # a second for each password, one at a time
        async with trio.open_nursery() as nursery:
            for n in range(60):
                nursery.start_soon(desk.admit, client(), f"user{n}", f"user{n}")
            for n in range(30):
                nursery.start_soon(desk.admit, client(), f"user{n}", "wrong")


@pytest.mark.parametrize("address", [HOME, LAB])
async def test_whoever_hangs_up_leaves_the_line(autojump_clock: MockClock, address: str) -> None:
    desk = logins(accounts := Slow())
    links: list[MemoryLink] = []
    async with trio.open_nursery() as nursery:

        async def visit(name: str) -> None:
            link, other = memory_link_pair()
            link.peer = f"{address}:40000"
            links.append(other)
            try:
                await desk.admit(Client(1, link, CODEC), name, name)
            except trio.EndOfChannel:
                gone.append(name)

        gone: list[str] = []
        for n in range(20):
            nursery.start_soon(visit, f"user{n}")
        await trio.sleep(0.5)
        for link in links:
            link.close()
        with trio.fail_after(3):
            assert await desk.admit(client(address), "harry", "harry")
    assert len(gone) == 20
    assert len(accounts.checked) <= 3
    assert desk.waiting == 0


async def test_whoever_is_sent_away_waits_no_longer(autojump_clock: MockClock) -> None:
    """The server ends: nobody shall keep it waiting by being delayed."""
    desk = logins(MemoryAccounts(10))
    await desk.admit(client(), "harry", "hedwig")
    await guess(desk, 20, EVIL)
    somebody = client(EVIL)
    async with trio.open_nursery() as nursery:

        async def wait() -> None:
            with pytest.raises(trio.EndOfChannel):
                await desk.admit(somebody, "harry", "wrong")

        nursery.start_soon(wait)
        await trio.sleep(2)
        assert desk.waiting == 1
        somebody.close()
        await trio.sleep(1.5)
        assert desk.waiting == 0


async def test_the_line_of_an_address_has_an_end(autojump_clock: MockClock) -> None:
    desk = logins(Slow())
    async with trio.open_nursery() as nursery:
        for n in range(MOST_OF_ADDRESS + 1):
            nursery.start_soon(desk.admit, client(), f"user{n}", f"user{n}")
        await trio.sleep(0.5)
        with pytest.raises(LoginRefused, match="too many logins"):
            await desk.admit(client(), "harry", "harry")
        with trio.fail_after(3):
            assert await desk.admit(client(EVIL), "draco", "draco")
        nursery.cancel_scope.cancel()


async def test_new_names_come_back_with_time(autojump_clock: MockClock) -> None:
    desk = logins(registrations_per_hour=10)
    for n in range(10):
        await desk.admit(client(), f"user{n}", "x")
    with pytest.raises(LoginRefused, match="too many new user names"):
        await desk.admit(client(), "user10", "x")
    assert await desk.admit(client(), "user9", "x") is Verdict.KNOWN
    assert await desk.admit(client(EVIL), "user10", "x") is Verdict.NEW
    await trio.sleep(360)
    assert await desk.admit(client(), "user11", "x") is Verdict.NEW


@pytest.mark.parametrize(("per_hour", "address"), [(0, HOME), (3, LAB)])
async def test_new_names_without_a_limit(
    autojump_clock: MockClock, per_hour: int, address: str
) -> None:
    desk = logins(registrations_per_hour=per_hour)
    for n in range(20):
        assert await desk.admit(client(address), f"user{n}", "x") is Verdict.NEW


async def braked_logins() -> Logins:
    """Where somebody has guessed the password of harry, and the next guess has to wait."""
    desk = logins()
    await desk.admit(client(), "harry", "hedwig")
    await guess(desk, 12, LAB)
    return desk


async def test_braked_guesses_fill_no_places_of_others_at_a_shared_address(
    autojump_clock: MockClock,
) -> None:
    desk = await braked_logins()
    async with trio.open_nursery() as nursery:

        async def try_once() -> None:
            with suppress(LoginRefused):
                await desk.admit(client(LAB), "harry", "wrong")

        for _ in range(MOST_WAITING + 10):
            nursery.start_soon(try_once)
        await trio.sleep(0.1)
        assert desk.waiting == MOST_WAITING
        assert await desk.admit(client(LAB), "luna", "radish") is Verdict.NEW
        nursery.cancel_scope.cancel()


async def test_who_gives_up_waiting_makes_nobody_search_the_queue(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thousand who hang up at the same moment would have it searched a thousand times."""
    desk = await braked_logins()
    async with trio.open_nursery() as nursery:
        for _ in range(50):
            nursery.start_soon(desk.admit, client(LAB), "harry", "wrong")
        await trio.sleep(0.1)
        searches: list[int] = []
        monkeypatch.setattr(FairQueue, "take", lambda self, *how: searches.append(1))
        nursery.cancel_scope.cancel()
    assert desk.waiting == 0
    assert not searches


async def test_whoever_comes_again_and_again_has_nobody_searched_for_each_time(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To ask a thousand clients whether they are still there takes milliseconds."""
    desk = await braked_logins()
    async with trio.open_nursery() as nursery:
        for _ in range(300):
            nursery.start_soon(desk.admit, client(LAB), "harry", "wrong")
        await trio.sleep(0.1)
        looks: list[Client] = []
        monkeypatch.setattr(Client, "gone", property(lambda client: looks.append(client)))
        for _ in range(100):
            nursery.start_soon(desk.admit, client(LAB), "harry", "wrong")
        await trio.sleep(0.1)
        assert 300 <= len(looks) < 3000
        nursery.cancel_scope.cancel()
