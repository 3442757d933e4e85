"""Limits as an operator sets them, and the doorman who counts connections."""

import resource
from math import inf

import pytest
import structlog
import trio
from structlog.testing import LogCapture

from ludothek.contract.chance import Chance
from ludothek.daemon import descriptors
from ludothek.daemon.endpoints import Endpoints
from ludothek.observe.traffic import Traffic
from ludothek.runtime.doorman import REMEMBERED, Doorman, GuardedDoor
from ludothek.runtime.guarded_nursery import Guarded
from ludothek.settings.config_file import make_host
from ludothek.settings.fields import SettingsError, build
from ludothek.settings.limits import Limits, origin
from tests.support.helpers import open_server
from tests.support.toy import ToyCodec
from transports import Complaint, Rate, Terms, open_poller

FULL, CROWDED = Complaint.TOO_MANY_CONNECTIONS, Complaint.TOO_MANY_FROM_ADDRESS


def test_limits_become_the_terms_of_a_connection() -> None:
    terms = Limits(
        frame_seconds=7, outbox_bytes=5000, outbox_total_bytes=2**20, messages_per_second=50
    ).terms
    assert (terms.frame_seconds, terms.outbox.bytes, terms.outbox.total) == (7, 5000, 2**20)
    assert terms.messages == Rate(50, 2000)


def test_nothing_means_no_limit() -> None:
    terms = Limits(
        first_message_seconds=0,
        frame_seconds=0,
        messages_per_second=0,
        bytes_per_second=0,
    ).terms
    assert (terms.first_seconds, terms.idle_seconds, terms.frame_seconds) == (inf, inf, inf)
    assert (terms.messages, terms.bytes) == (None, None)


def test_all_connections_share_their_terms() -> None:
    limits = Limits()
    assert limits.terms is limits.terms


@pytest.mark.parametrize("exempt", [["134.60.0.0/8"], ["lab"], [5.5], [""], ["1.2.3.4/33"]])
def test_what_is_no_network_is_refused(exempt: list[str]) -> None:
    with pytest.raises(SettingsError, match="must be networks like '134"):
        build(Limits, {"exempt": exempt}, "test")


def test_exempt_is_a_list() -> None:
    with pytest.raises(SettingsError, match="expected a list of texts, not 'lab'"):
        build(Limits, {"exempt": "lab"}, "test")


@pytest.mark.parametrize(
    ("host", "exempt"),
    [
        ("127.0.0.1", False),
        ("134.60.1.2", True),
        ("::ffff:134.60.1.2", True),
        ("134.61.1.2", False),
        ("2001:db8::5", True),
        ("fe80::1%eth0", False),
        ("", False),
        ("unix", False),
    ],
)
def test_networks_are_exempt_with_all_their_addresses(host: str, exempt: bool) -> None:
    assert Limits(exempt=["134.60.0.0/16", "2001:db8::/32"]).exempts(host) is exempt


@pytest.mark.parametrize("network", ["::ffff:134.60.0.0/112", "::ffff:0:0/96"])
def test_networks_of_ipv4_may_be_written_as_those_of_ipv6(network: str) -> None:
    limits = Limits(exempt=[network])
    assert limits.exempts("134.60.1.2")
    assert not limits.exempts("2001:db8::5")


def test_a_trusted_proxy_is_never_exempt() -> None:
    limits = Limits(exempt=["127.0.0.0/8"], trusted_proxies=["127.0.0.2"])
    assert [limits.exempts(f"127.0.0.{n}") for n in (1, 2)] == [True, False]
    assert [limits.trusts(host) for host in ("127.0.0.1", "127.0.0.2", "")] == [False, True, False]
    assert limits.trusts("::ffff:127.0.0.2")


def test_a_proxy_that_has_named_nobody_yet_is_counted_for_the_whole_daemon_only() -> None:
    limits = Limits(max_connections=3, max_connections_per_address=1)
    doorman = Doorman(lambda: 0.0)
    answers = [doorman.enter("", limits) for _ in range(4)]
    assert [isinstance(answer, Terms) for answer in answers] == [True, True, True, False]
    assert answers[3] is FULL


@pytest.mark.parametrize("origins", [["example.org"], [""], [5], ["http://x y"], ["https://"]])
def test_what_is_no_origin_is_refused(origins: list[str]) -> None:
    with pytest.raises(SettingsError, match="allowed_origins: must be origins like"):
        build(Limits, {"allowed_origins": origins}, "test")


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("10.0.0.1", "10.0.0.2", False),
        ("10.0.0.1", "::ffff:10.0.0.1", True),
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_an_address_is_what_one_place_has_to_itself(one: str, two: str, same: bool) -> None:
    assert (origin(one) == origin(two)) is same


def test_an_address_has_only_so_many_connections() -> None:
    doorman, limits = Doorman(lambda: 0.0), Limits(max_connections_per_address=2)
    answers = [doorman.enter("10.0.0.1", limits) for _ in range(3)]
    assert answers[2] is CROWDED
    assert doorman.enter("10.0.0.2", limits) is not CROWDED
    doorman.leave("10.0.0.1")
    assert doorman.enter("10.0.0.1", limits) is not CROWDED


def test_many_may_share_an_address_that_is_exempt() -> None:
    doorman, limits = (
        Doorman(lambda: 0.0),
        Limits(max_connections_per_address=2, exempt=["10.0.0.0/24"]),
    )
    assert {type(doorman.enter("10.0.0.9", limits)) for _ in range(50)} == {Terms}


def test_the_daemon_has_only_so_many_connections_whoever_asks() -> None:
    doorman, limits = Doorman(lambda: 0.0), Limits(max_connections=3, exempt=["10.0.0.0/8"])
    answers = [doorman.enter(f"10.0.0.{n}", limits) for n in range(4)]
    assert answers[3] is FULL
    doorman.leave("10.0.0.0")
    assert doorman.enter("10.0.0.7", limits) is not FULL


def test_endpoints_count_together_but_have_their_own_limits() -> None:
    doorman = Doorman(lambda: 0.0)
    strict, open_ = (
        GuardedDoor(doorman, Limits(max_connections_per_address=most), ToyCodec(), Traffic())
        for most in (1, 5)
    )
    assert isinstance(open_.enter("10.0.0.1"), Terms)
    assert strict.enter("10.0.0.1") is CROWDED
    assert isinstance(open_.enter("10.0.0.1"), Terms)
    assert strict.words(CROWDED) == b"too_many_from_address"
    assert (strict.traffic.drops[CROWDED.key], open_.traffic.drops[CROWDED.key]) == (1, 0)


def test_a_full_house_is_logged_once_however_many_knock() -> None:
    structlog.configure(processors=[logs := LogCapture()])
    doorman, limits = Doorman(lambda: 0.0), Limits(max_connections=1)
    for host in ("10.0.0.1", *["10.0.0.2"] * 50, "10.0.0.3"):
        doorman.enter(host, limits)
    warned = [entry["address"] for entry in logs.entries if entry["log_level"] == "warning"]
    assert warned == ["10.0.0.2"]


def test_clients_of_an_address_share_its_messages_even_one_after_the_other() -> None:
    doorman, limits = Doorman(lambda: 0.0), Limits(address_messages_per_second=1, exempt=[])
    first = doorman.enter("10.0.0.1", limits)
    assert isinstance(first, Terms)
    assert first.address is not None
    first.address.take(100, lambda: 0.0)
    doorman.leave("10.0.0.1")
    again, other = (doorman.enter(host, limits) for host in ("10.0.0.1", "10.0.0.2"))
    assert isinstance(again, Terms)
    assert isinstance(other, Terms)
    assert again.address is first.address
    assert other.address is not first.address


def test_addresses_do_not_pile_up() -> None:
    times = [0.0]
    doorman, limits = Doorman(lambda: times[-1]), Limits(exempt=[])
    for n in range(REMEMBERED + 100):
        host = f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}"
        terms = doorman.enter(host, limits)
        assert isinstance(terms, Terms)
        assert terms.address is not None
        terms.address.take(10, lambda: times[-1])
        doorman.leave(host)
        times.append(n / 100)
    assert len(doorman._origins) <= REMEMBERED


def test_connections_leave_descriptors_for_the_daemon(monkeypatch: pytest.MonkeyPatch) -> None:
    for descriptors_, room in ((64, 32), (220, 120)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, soft=descriptors_: (soft, 4096))
        doorman = Endpoints(Chance(1)).doorman
        answers = [doorman.enter("127.0.0.1", Limits()) for _ in range(room + 1)]
        assert answers[room] is FULL
        assert FULL not in answers[:room]


def test_browsers_leave_most_descriptors_to_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (500, 4096))
    assert [descriptors.room_for_page(wanted) for wanted in (20, 2500)] == [20, 100]
    doorman = Endpoints(Chance(1)).doorman
    doorman.reserve(100)
    answers = [doorman.enter("127.0.0.1", Limits()) for _ in range(301)]
    assert answers[300] is FULL
    assert FULL not in answers[:300]


@pytest.mark.parametrize(
    ("soft", "hard", "asked"),
    [
        (1024, 4096, (4096, 4096)),
        (1024, 10**9, (descriptors.MOST, 10**9)),
        (1024, -1, (descriptors.MOST, -1)),
        (4096, 4096, None),
        (10**6, 10**9, None),
        (-1, -1, None),
    ],
)
def test_the_system_is_asked_for_as_many_descriptors_as_it_gives(
    soft: int, hard: int, asked: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, pair: answers.append(pair))
    descriptors.raise_limit()
    assert answers == ([] if asked is None else [asked])


async def test_changed_limits_hold_for_those_who_come_later() -> None:
    limits = {"max_clients_per_lobby": 5}
    async with open_server("roborally", limits=limits) as server, server.connect() as early:
        await early.hear()
        server.endpoint.limit(Limits(max_connections=1))
        async with server.connect() as late:
            answer = await late.hear()
            assert answer["messageBody"] == {"error": "Disconnected: the server is full."}
            await late.hear_end()
        assert server.endpoint.hall.quotas.limits.max_clients_per_lobby == 200
        await early.say({"messageType": "Boink", "messageBody": {}})
        assert (await early.hear())["messageType"] == "Error"


async def test_limits_are_changed_with_the_configuration_and_that_is_said() -> None:
    endpoints = Endpoints(Chance(1))
    strict = {"max_lobbies": 3}
    await endpoints.bind([make_host("hexxagon", "test", {}, port=0)])
    async with open_poller() as poller, trio.open_nursery() as nursery:
        await endpoints.open(nursery, Guarded(nursery), nursery, poller)
        for said in (["limits of hexxagon on 127.0.0.1 port 0"], []):
            changes = await endpoints.change(
                [make_host("hexxagon", "test", {}, port=0, limits=strict)]
            )
            assert changes.changed == said
            assert endpoints.all[0].hall.quotas.limits.max_lobbies == 3
        nursery.cancel_scope.cancel()
