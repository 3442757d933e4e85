"""What is stored comes back under its name; what cannot be stored is known."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ludothek.contract.registry import load
from ludothek.daemon.messenger import Messenger
from ludothek.daemon.ports import Ports
from ludothek.daemon.store import Store, is_name, listener_name
from ludothek.settings.config_file import Host
from tests.support.helpers import sockets_to_close


class Holder:
    """A service manager's side of the store."""

    def __init__(self, path: Path) -> None:
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.listening.bind(str(path))
        self.listening.setblocking(False)
        self.held: dict[str, list[int]] = {}

    def hear(self) -> None:
        while True:
            try:
                text, descriptors, _, _ = socket.recv_fds(self.listening, 4096, 4)
            except BlockingIOError:
                return
            told = dict(line.split("=", 1) for line in text.decode().splitlines())
            if "FDSTORE" in told:
                self.held.setdefault(told["FDNAME"], []).extend(descriptors)
            if "FDSTOREREMOVE" in told:
                for descriptor in self.held.pop(told["FDNAME"], []):
                    os.close(descriptor)

    def close(self) -> None:
        self.listening.close()
        for descriptors in self.held.values():
            for descriptor in descriptors:
                os.close(descriptor)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[Holder]:
    with closing(Holder(tmp_path / "notify")) as holder:
        yield holder


@pytest.fixture
def messenger(holder: Holder) -> Iterator[Messenger]:
    with closing(Messenger(holder.listening.getsockname())) as messenger:
        yield messenger


@pytest.fixture
def store(messenger: Messenger) -> Store:
    return Store(messenger)


def pair() -> tuple[socket.socket, socket.socket]:
    both = socket.socketpair()
    sockets_to_close.extend(both)
    return both


def inheriting(messenger: Messenger, held: dict[str, list[int]]) -> Store:
    """The store of the next process."""
    store = Store(messenger)
    for name, descriptors in held.items():
        for descriptor in descriptors:
            store._inherit(name, os.dup(descriptor))
    return store


def test_a_connection_goes_on_when_its_process_has_closed_it(store: Store, holder: Holder) -> None:
    ours, theirs = pair()
    assert store.put("c17", ours.fileno())
    ours.close()
    holder.hear()
    theirs.sendall(b"still there?")
    successor = inheriting(store._messenger, holder.held)
    found = successor.take()
    assert [*found] == ["c17"]
    with found["c17"] as again:
        assert again.recv(100) == b"still there?"
        assert not again.getblocking()
        assert not os.get_inheritable(again.fileno())
    assert successor.take() == {}


def test_what_is_removed_is_held_no_longer(store: Store, holder: Holder) -> None:
    ours, theirs = pair()
    store.put("c17", ours.fileno())
    store.remove("c17")
    store.remove("never there")
    holder.hear()
    assert holder.held == {}
    ours.close()
    assert theirs.recv(1) == b""


def test_a_successor_can_remove_what_it_has_inherited(store: Store, holder: Holder) -> None:
    store.put("c1", pair()[0].fileno())
    holder.hear()
    successor = inheriting(store._messenger, holder.held)
    for found in successor.take().values():
        found.close()
    successor.remove("c1")
    holder.hear()
    assert holder.held == {}


def test_more_than_fit_are_lost_and_known_until_they_are_gone(messenger: Messenger) -> None:
    store = Store(messenger, room=2)
    descriptor = pair()[0].fileno()
    assert [store.put(f"c{number}", descriptor) for number in range(4)] == [
        True,
        True,
        False,
        False,
    ]
    assert store.lost == {"c2", "c3"}
    store.remove("c3")
    assert store.lost == {"c2"}
    store.remove("c0")
    assert store.put("c4", descriptor)
    assert store.count == 2


def test_all_names_together_fit_into_one_variable(messenger: Messenger) -> None:
    store = Store(messenger, names_bytes=20)
    descriptor = pair()[0].fileno()
    assert store.put("x" * 9, descriptor)
    assert store.put("y" * 9, descriptor)
    assert not store.put("z", descriptor)
    store.remove("x" * 9)
    assert store.put("z", descriptor)


def test_with_a_manager_that_does_not_read_some_wait_and_the_rest_are_lost(
    store: Store, holder: Holder
) -> None:
    descriptor = pair()[0].fileno()
    names = [f"c{number}" for number in range(2000)]
    for name in names:
        store.put(name, descriptor)
    assert 0 < len(store.lost) < len(names)
    for name in names[5:1000]:
        store.remove(name)
    for _ in names:
        holder.hear()
        store.put("c0", descriptor)  # which takes along what waits
    holder.hear()
    assert {*holder.held} == {*names[:5], *names[1000:]} - store.lost


def test_without_a_manager_everything_is_lost(tmp_path: Path) -> None:
    with closing(Messenger(str(tmp_path / "nobody"))) as messenger:
        store = Store(messenger)
        assert not store.put("c1", pair()[0].fileno())
        assert store.lost == {"c1"}


@pytest.mark.parametrize("name", ["", "a:b", "ä", "a\nb", "x" * 256])
def test_a_name_is_checked(store: Store, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        store.put(name, 0)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "*", "::1", "bücher.example", "a-b", "x" * 300, "weird:\n#host"]
)
def test_every_address_makes_a_name(host: str) -> None:
    name = listener_name("hexxagon", host, 4444)
    assert is_name(f"{name}#12")
    assert "#" not in name


def test_addresses_that_differ_have_names_that_differ() -> None:
    names = {
        listener_name(game, host, port)
        for game in ("hexxagon", "qwirkle")
        for host in ("*", "127.0.0.1", "::", "_", "a-0")
        for port in (0, 4444)
    }
    assert len(names) == 20


def test_there_is_none_without_a_manager() -> None:
    assert Store.of({"FDSTORE": "100"}, Messenger()) is None


def test_a_manager_may_say_how_much_it_holds(messenger: Messenger) -> None:
    for told, fits in (("1", False), ("2", True), ("", True), ("many", True), ("²", True)):
        store = Store.of({"FDSTORE": told}, messenger)
        assert store is not None
        store.put("c1", 0)
        assert store.put("c2", 0) is fits


# Listening sockets


def host(game: str = "hexxagon", port: int = 0) -> Host:
    return Host(game=load(game), settings=None, host="127.0.0.1", port=port)


async def test_listeners_come_back_to_the_endpoints_of_their_addresses(
    store: Store, holder: Holder
) -> None:
    wanted = [host(), host(), host("penguins")]
    ports = []
    for each in wanted:
        (listener,) = await Ports(store=store).listen(each)
        ports.append(listener.socket.getsockname()[1])
        listener.socket.close()  # as when the process is killed
    assert len(set(ports)) == 3
    holder.hear()
    # In another order, as systemd does it.
    successor = inheriting(store._messenger, dict(reversed(holder.held.items())))
    found = []
    for each in wanted:
        (listener,) = await Ports(store=successor).listen(each)
        found.append(listener.socket.getsockname()[1])
        await listener.aclose()
    assert found == ports
    holder.hear()
    assert holder.held == {}


async def test_those_of_addresses_that_are_not_wanted_any_more_are_closed(
    store: Store, holder: Holder
) -> None:
    (listener,) = await Ports(store=store).listen(host())
    address = listener.socket.getsockname()
    listener.socket.close()
    holder.hear()
    successor = inheriting(store._messenger, holder.held)
    Ports(store=successor).tidy_up([])
    holder.hear()
    assert holder.held == {}
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address)


def test_a_connection_that_was_stored_twice_can_be_ended(store: Store, holder: Holder) -> None:
    ours, theirs = pair()
    for _ in range(2):
        store.put("c1", ours.fileno())
    holder.hear()
    ours.close()
    found = inheriting(store._messenger, holder.held).take()
    store.remove("c1")
    holder.hear()
    found["c1"].close()
    assert theirs.recv(1) == b""  # nobody else has a copy


def test_the_listening_sockets_of_a_socket_unit_are_not_in_the_store(messenger: Messenger) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        store = inheriting(messenger, {"platform.socket": [listener.fileno()]})
    assert store.count == 0
    assert store.take() == {}


async def test_a_removed_endpoint_does_not_keep_its_address(store: Store, holder: Holder) -> None:
    (listener,) = await Ports(store=store).listen(host())
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    (listener,) = await Ports(store=store).listen(host("penguins", port))
    await listener.aclose()
    holder.hear()
    assert holder.held == {}


async def test_whoever_is_accepted_is_told_of(store: Store) -> None:
    told: list[socket.socket] = []
    (listener,) = await Ports(store=store, accepted=told.append).listen(host())
    with socket.create_connection(listener.socket.getsockname()):
        async with await listener.accept():
            assert len(told) == 1
    await listener.aclose()
