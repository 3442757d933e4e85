"""X-Forwarded-For: only what proxies of ours have added to it is believed."""

import pytest

from transports.address import Address
from transports.forwarded import BadForwarding, forwarded_for

PROXIES = ("127.0.0.1", "10.0.0.1", "10.0.0.2")


def client(*values: str) -> str | None:
    address = forwarded_for(values, PROXIES.__contains__)
    return None if address is None else str(address)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], None),
        ([""], None),
        ([" , "], None),
        (["203.0.113.7"], "203.0.113.7:0"),
        (["198.51.100.1, 203.0.113.7"], "203.0.113.7:0"),
        (["198.51.100.1", "203.0.113.7"], "203.0.113.7:0"),
        (["198.51.100.1, 203.0.113.7, 10.0.0.2, 10.0.0.1"], "203.0.113.7:0"),
        (["203.0.113.7,10.0.0.2", "10.0.0.1"], "203.0.113.7:0"),
        (["10.0.0.2, 10.0.0.1"], "10.0.0.2:0"),
        (["nonsense, 203.0.113.7"], "203.0.113.7:0"),
        (["127.0.0.1, 203.0.113.7"], "203.0.113.7:0"),
        (["2001:db8::7"], "[2001:db8::7]:0"),
        (["[2001:db8::7]"], "[2001:db8::7]:0"),
        (["[2001:db8::7]:4711"], "[2001:db8::7]:4711"),
        (["203.0.113.7:4711"], "203.0.113.7:4711"),
        (["::ffff:203.0.113.7"], "203.0.113.7:0"),
        ([", 203.0.113.7 ,"], "203.0.113.7:0"),
    ],
)
def test_the_last_address_that_is_no_proxy_counts(values: list[str], expected: str | None) -> None:
    assert client(*values) == expected


@pytest.mark.parametrize(
    "value",
    [
        "unknown",
        "203.0.113.7, unknown",
        "nonsense, 10.0.0.1",
        "1.2.3",
        "1.2.3.4:99999",
        "[1.2",
        ":",
    ],
)
def test_a_proxy_that_names_no_address_is_not_believed(value: str) -> None:
    with pytest.raises(BadForwarding):
        client(value)


def test_an_address_without_a_port_is_written_with_one_all_the_same() -> None:
    assert str(Address("203.0.113.7")) == "203.0.113.7:0"
    assert str(Address("")) == "?"
