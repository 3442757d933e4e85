"""What clients of one address may have of a hall."""

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from ludothek.contract.effects import Effects
from ludothek.runtime.connection import Connection
from ludothek.runtime.hall import Hall
from ludothek.settings.limits import Limits
from tests.support.helpers import memory_link_pair
from tests.support.toy import open_toy, toy_client, toy_hall

LIMITS = Limits(exempt=["127.0.0.0/8"], max_lobbies_per_address=2)


def client_from(hall: Hall, peer: str, *, hosted: bool = False) -> Connection:
    link, _ = memory_link_pair()
    link.peer = peer
    return toy_client(hall, 1, link, hosted=hosted)


@pytest.fixture
def hall(nursery: trio.Nursery) -> Hall:
    return toy_hall(nursery, limits=LIMITS)


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("192.0.2.1:4711", "192.0.2.1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("this server", "this server"),
        ("?", "?"),
    ],
)
async def test_a_client_comes_from_a_host(hall: Hall, peer: str, host: str) -> None:
    assert client_from(hall, peer).host == host


async def test_an_address_has_its_share_and_others_have_theirs(hall: Hall) -> None:
    for key in ("a", "b"):
        assert hall.desk.has_room_for(client_from(hall, "192.0.2.1:1"))
        open_toy(hall, key, opener=client_from(hall, "192.0.2.1:1"))
    assert not hall.desk.has_room_for(client_from(hall, "192.0.2.1:2"))
    assert hall.desk.has_room_for(client_from(hall, "192.0.2.2:1"))
    assert hall.desk.has_room


async def test_a_network_of_ipv6_is_one_address(hall: Hall) -> None:
    for n in range(2):
        open_toy(hall, str(n), opener=client_from(hall, f"[2001:db8::{n}]:1"))
    assert not hall.desk.has_room_for(client_from(hall, "[2001:db8::ffff]:1"))
    assert hall.desk.has_room_for(client_from(hall, "[2001:db8:0:1::1]:1"))


def fail() -> Effects:
    raise RuntimeError("a bug")


@pytest.mark.parametrize("crash", [True, False])
async def test_a_lobby_that_is_gone_counts_no_more(hall: Hall, crash: bool) -> None:
    opener = client_from(hall, "192.0.2.1:1")
    lobbies = [open_toy(hall, key, opener=opener) for key in ("a", "b")]
    if crash:
        lobbies[0].let(fail)
    else:
        lobbies[0].close()
    await wait_all_tasks_blocked()
    assert hall.desk.has_room_for(opener)
    open_toy(hall, "c", opener=opener)
    assert not hall.desk.has_room_for(opener)


@pytest.mark.parametrize(
    ("peer", "hosted"), [("127.0.0.1:1", False), ("this server", False), ("192.0.2.1:1", True)]
)
async def test_some_have_no_share(hall: Hall, peer: str, hosted: bool) -> None:
    opener = client_from(hall, peer, hosted=hosted)
    for n in range(10):
        assert hall.desk.has_room_for(opener)
        open_toy(hall, str(n), opener=opener)


async def test_a_share_can_be_unlimited(hall: Hall) -> None:
    hall.quotas.limits = attrs.evolve(LIMITS, max_lobbies_per_address=0)
    opener = client_from(hall, "192.0.2.1:1")
    for n in range(10):
        open_toy(hall, str(n), opener=opener)
    assert hall.desk.has_room_for(opener)
