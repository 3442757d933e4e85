"""The ledger itself: what the next process reads is what was committed, or nothing at all."""

import os
import socket
import struct
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from transports import Farewell, LineFramer, Link, OutboxLimits, Tcp, Terms, open_listeners
from transports.commit_log import VERSION, read_log
from transports.complaint import Complaint
from transports.durable_link import DurableLink
from transports.ledger import MOST_BYTES, Ledger
from transports.ledger_files import LOG, NEW_LOG, tape_name
from transports.link_notes import BASE, apply, entries, entry
from transports.poller import Poller, open_poller
from transports.recovered_ledger import NoLedger, read_back
from transports.recovered_link import RecoveredInput, RecoveredLink
from transports.state import LinkState
from transports.tape import REPEATING, TRAY_BYTES


@attrs.define
class NotedStore:
    """Remembers what it keeps."""

    kept: dict[str, int] = attrs.field(factory=dict)

    def put(self, name: str, fd: int) -> None:
        assert name not in self.kept
        self.kept[name] = fd

    def remove(self, name: str) -> None:
        del self.kept[name]


@attrs.define
class House:
    """A poller with a ledger, and peers at the other ends of its links."""

    poller: Poller
    directory: Path
    store: NotedStore = attrs.field(factory=NotedStore)
    peers: list[socket.socket] = attrs.field(factory=list)
    most: int = MOST_BYTES
    ledger: Ledger = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        turns = self.poller.turns
        self.ledger = Ledger(self.directory, turns, self.store, most=self.most)
        self.poller.ledger = self.ledger

    def connect(self) -> DurableLink:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.peers.append(socket.create_connection(listener.getsockname()))
            ours, _ = listener.accept()
        ours.setblocking(False)
        number = self.ledger.custody.admit(ours.fileno())
        link = DurableLink(ours, LineFramer(), "peer", self.poller, self.ledger, number, host="h")
        link.go_on()  # as somebody who listens does
        return link


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_poller() as poller:
        assert poller is not None
        house = House(poller, tmp_path / "run")
        yield house
        for link in tuple(house.ledger.links.values()):
            link.abort()
        for peer in house.peers:
            peer.close()


async def test_notes_come_back_in_their_order_with_those_of_the_checkpoint_first(
    house: House,
) -> None:
    ledger = house.ledger
    assert ledger.checkpoint([b"one", b"two"])
    with house.poller.turns.turn():
        ledger.note(b"three")
        ledger.note(b"")
    with house.poller.turns.turn():
        ledger.note(b"five")
    assert read_back(house.directory).notes == [b"one", b"two", b"three", b"", b"five"]
    ledger.checkpoint([b"all"])
    assert read_back(house.directory).notes == [b"all"]


async def test_a_turn_that_is_not_over_has_not_happened(house: House) -> None:
    house.ledger.checkpoint([])
    with house.poller.turns.turn():
        house.ledger.note(b"half")
        assert read_back(house.directory).notes == []


async def test_the_next_process_knows_the_time_and_who_was_at_work(
    house: House, autojump_clock: trio.testing.MockClock
) -> None:
    house.ledger.checkpoint([])
    await trio.sleep(5)
    now = trio.current_time()
    with house.poller.turns.turn():
        house.ledger.note(b"x")
    house.ledger.at_work(17)
    past = read_back(house.directory)
    assert (past.time, past.at_work, past.same_boot) == (now, 17, True)


async def test_numbers_of_links_are_never_used_again(house: House) -> None:
    house.ledger.checkpoint([])
    house.connect().abort()
    link = house.connect()
    link.abort()
    house.ledger.checkpoint([])
    past = read_back(house.directory)
    assert past.links == {}
    assert past.last_number == 2
    again = Ledger(
        house.directory, house.poller.turns, house.store, recovered=past, names=["c7", "x"]
    )
    assert again.custody.admit(0) == 8


async def test_a_closed_link_leaves_nothing_behind(house: House) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    assert house.store.kept.keys() == {"c1"}
    link.abort()
    assert house.store.kept == {}
    with house.poller.turns.turn():
        pass
    assert read_back(house.directory).links == {}
    assert house.peers[0].recv(1) == b""


async def test_what_waits_for_a_slow_reader_is_known_to_the_byte(house: House) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    sock = socket.socket(fileno=socket.dup(link.fileno()))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 10_000)
    sock.close()
    frames = [bytes([65 + n % 26]) * 40_000 for n in range(100)]
    for frame in frames:
        link.post(frame)
    past = read_back(house.directory).links[link.number]
    stream = b"".join(frame + b"\n" for frame in frames)
    assert link.waiting_bytes > 10 * len(frames[0])
    for before, data in past.posted:
        assert stream[before : before + len(data)] == data
    assert max(before + len(data) for before, data in past.posted) == len(stream)
    covered = len(stream) - link.waiting_bytes
    for before, data in sorted(past.posted):
        assert before <= covered
        covered = max(covered, before + len(data))


async def test_more_output_than_the_tray_holds_is_in_the_log(house: House) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    with house.poller.turns.turn():
        link.post(b"x" * TRAY_BYTES)
        link.post(b"y")
    past = read_back(house.directory).links[link.number]
    assert past.posted == [(0, b"x" * TRAY_BYTES + b"\ny\n")]
    assert house.ledger.promise.given


async def test_a_broadcast_that_the_tray_cannot_hold_is_written_once(house: House) -> None:
    house.ledger.checkpoint([])
    links = [house.connect() for _ in range(20)]
    with house.poller.turns.turn():
        frame = b"x" * (TRAY_BYTES // 10)
        for link in links:
            link.post(b"to %d" % link.number)
            link.post(frame)
    pasts = read_back(house.directory).links
    for link in links:
        assert pasts[link.number].posted == [(0, b"to %d\n%b\n" % (link.number, frame))]
    assert (house.directory / LOG).stat().st_size < 2 * TRAY_BYTES


async def test_what_a_peer_of_single_bytes_costs_grows_only_with_their_number(
    house: House,
) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    sizes = []
    for _ in range(2):
        for _ in range(10_000):
            with house.poller.turns.turn():
                link.take(b"y")
        log = read_log((house.directory / LOG).read_bytes())
        sizes.append(sum(map(len, log.batches)))
    assert sizes[1] < 3 * sizes[0] < 3 * 10_000 * 40
    past = read_back(house.directory).links[link.number]
    framer = LineFramer()
    framer.resume(past.input.framer or b"", spoken=False)
    for chunk in past.input.chunks:
        framer.feed(chunk)
    assert framer.feed(b"\n") == [b"y" * 20_000]


async def test_a_farewell_is_known_before_the_link_is_closed(house: House) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    with house.poller.turns.turn():
        link.end(Farewell.KICKED)
    past = read_back(house.directory).links[link.number]
    assert (past.state, past.farewell) == (LinkState.ENDED, Farewell.KICKED)


async def test_a_turn_in_which_nothing_happens_costs_nothing(house: House) -> None:
    house.ledger.checkpoint([])
    before = (house.directory / LOG).read_bytes()
    with house.poller.turns.turn():
        pass
    assert (house.directory / LOG).read_bytes() == before


async def test_a_log_that_has_grown_much_wants_a_checkpoint(house: House) -> None:
    house.ledger.checkpoint([])
    for _ in range(4):
        assert not house.ledger.wants_checkpoint
        with house.poller.turns.turn():
            house.ledger.note(bytes(1024 * 1024))
    assert house.ledger.wants_checkpoint
    house.ledger.checkpoint([b"short"])
    assert not house.ledger.wants_checkpoint


async def test_a_log_that_may_not_grow_ends_the_promise_but_not_the_links(tmp_path: Path) -> None:
    async with open_poller() as poller:
        assert poller is not None
        house = House(poller, tmp_path, most=4 * 1024 * 1024)
        problems: list[str] = []
        house.ledger.promise.on_problem = problems.append
        house.ledger.checkpoint([b"x"])
        link = house.connect()
        with poller.turns.turn():
            house.ledger.note(bytes(5 * 1024 * 1024))
            link.post(b"still here")
        assert house.peers[0].recv(100) == b"still here\n"
        assert not house.ledger.promise.given
        assert problems == [house.ledger.promise.problem]
        assert house.store.kept == {}
        with pytest.raises(NoLedger):
            read_back(tmp_path)
        # Later there is room again.
        assert house.ledger.checkpoint([b"y"])
        assert house.ledger.promise.problem is None
        past = read_back(tmp_path)
        assert past.notes == [b"y"]
        assert past.links.keys() == {link.number}
        assert house.store.kept.keys() == {"c1"}
        link.abort()
        house.peers[0].close()


async def test_a_directory_that_cannot_be_used_is_a_problem_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with open_poller() as poller:
        assert poller is not None
        ledger = Ledger(tmp_path / "file", poller.turns, NotedStore())
        assert not ledger.checkpoint([b"x"])
        assert ledger.promise.problem == "the ledger cannot be written: File exists"


async def test_a_checkpoint_that_fails_leaves_nothing_open(house: House) -> None:
    (house.directory / LOG / "in the way").mkdir(parents=True)
    assert not house.ledger.checkpoint([])
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        assert not house.ledger.checkpoint([])
    assert len(os.listdir("/proc/self/fd")) == before


async def test_a_past_takes_no_room_once_there_was_none_for_a_future(house: House) -> None:
    house.ledger.checkpoint([])
    past = read_back(house.directory)
    house.ledger.tape.close()  # as when its process dies
    again = Ledger(house.directory, house.poller.turns, house.store, recovered=past)
    (house.directory / NEW_LOG / "in the way").mkdir(parents=True)
    assert not again.checkpoint([])
    assert not is_open(house.directory / tape_name(1))


def is_open(path: Path) -> bool:
    files = [os.path.realpath(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")]
    return any(file.startswith(str(path)) for file in files)


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:5000])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def make_foreign(file: Path) -> None:
    file.write_bytes(b"something else" * 1000)


def make_newer(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[16] = VERSION + 1
    file.write_bytes(data)


def damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[data.index(b"a note")] ^= 1
    file.write_bytes(data)


def lose_the_tape(file: Path) -> None:
    next(file.parent.glob("tape-*")).unlink()


def shorten_the_tape(file: Path) -> None:
    next(file.parent.glob("tape-*")).write_bytes(bytes(100))


def make_a_pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def make_a_directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def move_behind_a_link(file: Path) -> None:
    file.symlink_to(file.rename(file.with_name("elsewhere")))


def damage_the_tray(file: Path) -> None:
    tape = next(file.parent.glob("tape-*"))
    data = bytearray(tape.read_bytes())
    struct.pack_into("@QQ", data, len(data) - TRAY_BYTES, 1, TRAY_BYTES)
    struct.pack_into("@Q", data, len(data) - TRAY_BYTES + 16, TRAY_BYTES - 16 - 24 - 7)
    tape.write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (truncate, "truncated|damaged"),
        (empty, "empty"),
        (make_foreign, "not a ledger"),
        (make_newer, f"version {VERSION + 1}"),
        (damage, "a batch is damaged"),
        (lose_the_tape, "no file 'tape-1'"),
        (shorten_the_tape, "wrong size"),
        (Path.unlink, "no file 'ledger'"),
        (make_a_pipe, "'ledger' is no file"),
        (make_a_directory, "Is a directory"),
        (move_behind_a_link, "cannot be read"),
        (damage_the_tray, "its tray is damaged"),
    ],
)
async def test_files_that_are_not_ours_or_not_whole_are_no_past(
    house: House, harm: Callable[[Path], None], why: str
) -> None:
    house.ledger.checkpoint([b"a note" * 1000])
    harm(house.directory / LOG)
    with pytest.raises(NoLedger, match=why):
        read_back(house.directory)


async def test_files_of_another_user_are_no_past(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.ledger.checkpoint([])
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    with pytest.raises(NoLedger, match="'ledger' belongs to another user"):
        read_back(house.directory)


async def test_nothing_is_written_to_a_file_that_was_there_before(house: House) -> None:
    precious = house.directory.parent / "precious"
    precious.write_bytes(b"precious")
    house.directory.mkdir()
    for name in (NEW_LOG, tape_name(1)):
        (house.directory / name).symlink_to(precious)
    assert house.ledger.checkpoint([])
    assert precious.read_bytes() == b"precious"


@pytest.mark.parametrize("name", [LOG, tape_name(1)])
async def test_files_that_were_removed_are_missed_and_made_again(house: House, name: str) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    house.ledger.look()
    assert house.ledger.promise.given
    (house.directory / name).unlink()
    house.ledger.look()
    assert house.ledger.promise.problem == "the ledger was removed"
    assert house.ledger.checkpoint([b"anew"])
    past = read_back(house.directory)
    assert (past.notes, [*past.links]) == ([b"anew"], [link.number])


async def test_a_note_that_nobody_understands_is_no_past(house: House) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    with house.poller.turns.turn():
        house.ledger.draft.notes.append(entry(BASE, link.number.to_bytes(8, "little") + b"?"))
    with pytest.raises(NoLedger, match="a note about a link"):
        read_back(house.directory)


async def test_a_link_of_which_more_was_read_than_anybody_knows_is_not_served(
    house: House,
) -> None:
    house.ledger.checkpoint([])
    link = house.connect()
    house.peers[0].sendall(b"stolen\n")
    sock = socket.socket(fileno=socket.dup(link.fileno()))
    await trio.lowlevel.wait_readable(sock)
    past = read_back(house.directory).links[link.number]
    past.input.received = 0
    sock.recv(3)
    link.abort()
    again = DurableLink(sock, LineFramer(), "peer", house.poller, house.ledger, 1, host="h")
    again.resume(past)
    assert again.complaint is Complaint.INTERRUPTED


async def test_a_link_begins_in_the_turn_of_the_first_thing_that_is_said(house: House) -> None:
    house.ledger.checkpoint([])
    with socket.create_server(("127.0.0.1", 0)) as listener:
        house.peers.append(socket.create_connection(listener.getsockname()))
        ours, _ = listener.accept()
    ours.setblocking(False)
    link = DurableLink(
        ours, LineFramer(), "peer", house.poller, house.ledger, 1, host="h", welcome=b"101 "
    )
    house.ledger.checkpoint([])
    assert read_back(house.directory).links == {}
    with house.poller.turns.turn():
        house.ledger.note(b"a client")
        link.post(b"hello")
    past = read_back(house.directory)
    assert past.notes == [b"a client"]
    assert past.links[1].posted == [(0, b"101 hello\n")]


async def test_nobody_is_met_before_the_first_checkpoint(house: House) -> None:
    """Whoever is would be lost if the process died before the checkpoint."""
    met: list[DurableLink] = []

    async def serve(link: Link) -> None:
        assert isinstance(link, DurableLink)
        met.append(link)

    async with trio.open_nursery() as nursery:
        listeners = await open_listeners("127.0.0.1", 0)
        address = listeners[0].socket.getsockname()
        await nursery.start(
            partial(Tcp(LineFramer).serve, poller=house.poller), serve, listeners, nursery
        )
        house.peers.append(socket.create_connection(address))
        await wait_all_tasks_blocked(0.05)
        assert (met, house.store.kept) == ([], {})
        house.ledger.checkpoint([])
        with trio.fail_after(60):
            while not met:  # noqa: ASYNC110 - sockets are real
                await trio.sleep(0.01)
        assert len(house.store.kept) == 1
        met[0].abort()
        nursery.cancel_scope.cancel()


async def test_a_ledger_that_was_given_up_is_not_believed_even_if_it_cannot_be_removed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unlink(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(str(path))

    house.ledger.checkpoint([b"one"])
    monkeypatch.setattr(Path, "unlink", unlink)
    house.ledger.give_up("no reason")
    assert (house.directory / LOG).exists()
    with pytest.raises(NoLedger, match="given up"):
        read_back(house.directory)


async def test_who_was_at_work_is_still_known_when_all_of_the_past_is_repeated(
    house: House,
) -> None:
    """Otherwise a process that dies after that would not know whom to suspect."""
    house.ledger.checkpoint([])
    house.ledger.at_work(17)
    past = read_back(house.directory)
    again = Ledger(house.directory, house.poller.turns, house.store, recovered=past)
    again.repeating(3)
    assert read_back(house.directory).at_work == 3 | REPEATING
    again.repeating(0)
    assert read_back(house.directory).at_work == 17


async def test_a_descriptor_that_is_used_again_belongs_to_another_link(house: House) -> None:
    house.ledger.checkpoint([])
    house.ledger.custody.accepted(1000)
    assert [house.ledger.custody.admit(1000) for _ in range(3)] == [1, 2, 3]


# What a link does that goes on after another process


def resumed(house: House, past: RecoveredLink, terms: Terms) -> DurableLink:
    """A link at the beginning of its stream, of which the process before knew more."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        house.peers.append(socket.create_connection(listener.getsockname()))
        ours, _ = listener.accept()
    ours.setblocking(False)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    link = DurableLink(
        ours,
        LineFramer(),
        "peer",
        house.poller,
        house.ledger,
        past.number,
        host="h",
        terms=terms,
    )
    link.resume(past)
    return link


async def test_a_peer_that_reads_nothing_is_dropped_by_the_next_process_too(
    house: House, autojump_clock: trio.testing.MockClock
) -> None:
    past = RecoveredLink(1, "peer", "h", 0, posted=[(0, bytes(8_000_000))])
    terms = Terms(outbox=OutboxLimits(bytes=10_000_000, seconds=5.0))
    link = resumed(house, past, terms)
    assert link in house.poller.waiting.peers
    house.ledger.checkpoint([])
    with pytest.raises(trio.BrokenResourceError):
        await link.receive()
    assert link.complaint is Complaint.SLOW_WRITE


@pytest.mark.parametrize(
    ("terms", "chunks", "complaint"),
    [
        (Terms(idle_seconds=5.0), [], Complaint.SILENT),
        (Terms(frame_seconds=5.0), [b"half"], Complaint.HALF_MESSAGE),
    ],
)
async def test_a_peer_that_says_no_more_is_dropped_by_the_next_process_too(
    house: House,
    autojump_clock: trio.testing.MockClock,
    terms: Terms,
    chunks: list[bytes],
    complaint: Complaint,
) -> None:
    link = resumed(house, RecoveredLink(1, "peer", "h", 0, RecoveredInput(chunks=chunks)), terms)
    house.ledger.checkpoint([])
    await trio.sleep(6)
    assert link.complaint is complaint


async def test_what_was_not_handled_yet_survives_a_death_during_recovery(house: House) -> None:
    link = resumed(
        house, RecoveredLink(1, "peer", "h", 0, RecoveredInput(unheard=b"one\ntw")), Terms()
    )
    links: dict[int, RecoveredLink] = {}
    for kind, content in entries(b"".join(link.portrait())):
        apply(kind, content, links)
    assert links[1].input.unheard == b"one\ntw"


async def test_a_link_whose_output_is_not_all_known_is_not_served(house: House) -> None:
    link = resumed(house, RecoveredLink(1, "peer", "h", 0, posted=[(5, b"later")]), Terms())
    house.ledger.checkpoint([])
    assert (link.complaint, link.state) == (Complaint.INTERRUPTED, LinkState.CUT_OFF)
