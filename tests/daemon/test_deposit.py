"""What a guardian does with the descriptors that its daemon stores."""

import os
import select
import socket
from collections.abc import Iterator

import attrs
import pytest

from ludothek.daemon.deposit import Deposit


@attrs.frozen
class Scene:
    deposit: Deposit
    epoll: select.epoll
    peers: list[socket.socket] = attrs.field(factory=list)

    def hold(self, name: str) -> tuple[socket.socket, int]:
        """Store one end of a connection; returns the other end and the descriptor."""
        ours, theirs = socket.socketpair()
        self.peers.append(theirs)
        descriptor = ours.detach()
        self.deposit.hold(name, descriptor)
        return theirs, descriptor

    def told(self) -> set[int]:
        return {descriptor for descriptor, _ in self.epoll.poll(0)}


@pytest.fixture
def scene() -> Iterator[Scene]:
    with select.epoll() as epoll:
        scene = Scene(Deposit(epoll, room=2), epoll)
        yield scene
        for name in {*scene.deposit.names.values()}:
            scene.deposit.release(name)
        for peer in scene.peers:
            peer.close()


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def test_without_room_a_descriptor_is_closed(scene: Scene) -> None:
    held = [scene.hold(name)[1] for name in ("c1", "c2", "c3")]
    assert [is_open(descriptor) for descriptor in held] == [True, True, False]
    assert [*scene.deposit.names.values()] == ["c1", "c2"]


def test_all_descriptors_of_a_name_are_released_and_no_others(scene: Scene) -> None:
    (_, kept), (peer, released) = scene.hold("c1"), scene.hold("c2")
    scene.deposit.release("c2")
    scene.deposit.release("never stored")
    assert (is_open(kept), is_open(released)) == (True, False)
    assert peer.recv(1) == b""
    assert scene.deposit.names == {kept: "c1"}


def test_a_connection_is_forgotten_when_it_is_over_and_everything_was_read(scene: Scene) -> None:
    peer, descriptor = scene.hold("c1")
    assert scene.told() == set()
    peer.close()
    assert scene.told() == {descriptor}
    scene.deposit.notice_end(descriptor, served=True)
    assert not is_open(descriptor)
    assert scene.deposit.names == {}


@pytest.mark.parametrize(("said", "served"), [(b"my last move", True), (b"", False)])
def test_last_words_are_kept_until_somebody_can_have_read_them(
    scene: Scene, said: bytes, served: bool
) -> None:
    peer, descriptor = scene.hold("c1")
    peer.sendall(said)
    peer.close()
    scene.deposit.notice_end(descriptor, served=served)
    assert is_open(descriptor)
    assert scene.told() == set()  # not again and again
    if said:
        assert os.read(descriptor, 100) == said
    scene.deposit.look_again()
    assert scene.told() == {descriptor}
    scene.deposit.notice_end(descriptor, served=True)
    assert not is_open(descriptor)
