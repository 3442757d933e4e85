"""Browsers, and programs that pretend to be some, that mean harm."""

import gzip
import hashlib
import resource
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

import orjson
import pytest
import structlog
import trio
from starlette.types import Message
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.runtime.record import BadRecord
from ludothek.web.compressed import COMPRESSED, DECOMPRESSED, Inflated, inflate
from ludothek.web.repeater import (
    ANSWER,
    LONG_PAUSE,
    MEMORY,
    MOST_FOR_ONE,
    MOST_WAITING,
    PATIENCE,
    PAUSE,
    WORKERS,
    NotShown,
    Repeater,
    open_workers,
)
from ludothek.web.shelf import PAUSE as SHELF_PAUSE
from ludothek.web.shelf import Shelf
from tests.support.page import open_page
from tests.support.program import running

# Requests


@pytest.mark.parametrize("key", ["limit", "before"])
async def test_a_number_of_any_length_is_no_bug(tmp_path: Path, key: str) -> None:
    async with open_page(tmp_path) as browser:
        assert await browser.get(f"/api/ended?{key}={'9' * 5000}") == {"matches": [], "next": None}


async def test_an_answer_without_a_body_has_none_where_events_would_follow(tmp_path: Path) -> None:
    """Whatever came after its head would be taken for the next answer, maybe to somebody else."""
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play(games=20)
        match = await browser.running_match()
        for path in ("/api/live", f"/api/matches/{match}/live"):
            assert (await browser.http.head(path)).status_code == 405


async def test_nobody_is_sent_to_an_address_that_the_request_has_chosen(tmp_path: Path) -> None:
    async with open_page(tmp_path, web_host="*") as browser:
        for path in ("/api/games/", "/m/x/", "/hall/"):
            answer = await browser.http.get(path, headers={"host": "evil.example"})
            assert answer.status_code == 404, path
            assert "location" not in answer.headers


async def test_a_network_of_ipv6_addresses_counts_as_one_viewer_address(tmp_path: Path) -> None:
    proxy = {"trusted_proxies": ["127.0.0.0/8"]}
    async with (
        open_page(tmp_path, limits=proxy, web_viewers_per_address=1) as browser,
        browser.follow("/api/live", **{"x-forwarded-for": "2001:db8::1"}),
    ):
        for claims in ("2001:db8::2", "2001:db8::ffff:1:2:3", "192.0.2.1, 2001:db8::3"):
            headers = {"x-forwarded-for": claims}
            assert (await browser.http.get("/api/live", headers=headers)).status_code == 503
        async with browser.follow("/api/live", **{"x-forwarded-for": "2001:db8:0:1::1"}):
            pass


async def test_browsers_cannot_take_the_descriptors_that_players_need(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, 300))

    places = ("--state-dir", str(tmp_path), "--control", str(tmp_path / "control"))
    ports = ("--port", "0", "--web", "0")
    async with (
        running("--game", "qwirkle", *ports, *places, endpoints=2, preexec_fn=limit) as daemon,
        AsyncExitStack() as browsers,
    ):
        page = int(daemon.ready[1].rstrip("/").rpartition(":")[2])
        for _ in range(350):
            stream = await trio.open_tcp_stream("127.0.0.1", page)
            await browsers.enter_async_context(stream)
        for _ in range(100):
            with trio.fail_after(10):
                stream = await trio.open_tcp_stream("127.0.0.1", daemon.port)
                await browsers.enter_async_context(stream)
                hello = {"uniqueId": 100, "clientName": "Ann", "clientType": "PLAYER"}
                await stream.send_all(orjson.dumps(hello) + b"\n")
                assert b'"uniqueId":101' in await stream.receive_some()


# What is not for everybody


async def test_neither_ids_of_lobbies_nor_signs_of_addresses_are_published(tmp_path: Path) -> None:
    sign = hashlib.sha256(b"127.0.0.1").hexdigest()[:3]
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        match = await browser.running_match()
        (lobby,) = browser.servers[0].endpoint.hall.lobbies
        texts = [(await browser.http.get(f"/api/matches/{match}")).text]
        async with browser.follow("/api/live") as events:
            texts.append(str(await events.next()))
        await browser.ended_match()
        for path in ("/api/ended", "/api/matches", f"/api/matches/{match}"):
            texts.append((await browser.http.get(path)).text)
        (record,) = (browser.state.path / "matches").iterdir()
        name = (await browser.http.get(f"/api/matches/{match}/record")).headers
    assert f"_{sign}_" in record.name  # that is, there is something to hide
    for text in (*texts, str(name)):
        assert lobby not in text
        assert record.name not in text
        assert f"_{sign}_" not in text


async def test_a_record_that_cannot_be_read_says_nothing_about_the_machine(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        ended = await browser.ended_match()
        (record,) = (browser.state.path / "matches").iterdir()
        record.write_bytes(b"\0" * 100)
        answers = [await browser.get(f"/api/matches/{ended['id']}", 410)]
        record.unlink()
        answers.append(await browser.get(f"/api/matches/{ended['id']}/record", 404))
    for answer in answers:
        assert str(tmp_path) not in answer["error"]
        assert record.name not in answer["error"]


def vanished(path: Path) -> bytes:
    structlog.get_logger().warning("what a table said when it was played")
    return path.read_bytes()


async def test_a_record_that_vanishes_while_it_is_read_says_nothing_either(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor does it say again in the log what it said when it was played."""
    async with open_workers() as workers, trio.open_nursery() as nursery:
        repeater = Repeater(nursery, workers)
        with pytest.raises(NotShown) as refusal:
            await repeater.repeat("x", partial(vanished, tmp_path / "secret"))
    assert str(tmp_path) not in str(refusal.value)
    assert "a table said" not in "".join(capfd.readouterr())


# What it costs


def test_who_takes_no_compressed_answer_gets_it_in_small_pieces() -> None:
    text = b'{"n":1}' * 3_000_000
    content = gzip.compress(text)
    assert len(content) > 2 * COMPRESSED
    pieces = [*inflate(content)]
    assert max(map(len, pieces)) <= DECOMPRESSED
    assert b"".join(pieces) == text


async def test_however_many_take_no_compressed_answer_games_get_their_turn_after_each_piece(
    autojump_clock: MockClock,
) -> None:
    answer, pieces, most = Inflated(gzip.compress(b'{"n":1}' * 300_000)), 0, 0

    async def send(message: Message) -> None:
        nonlocal pieces
        pieces += bool(message.get("body"))
        await trio.lowlevel.checkpoint()

    async def play() -> None:
        nonlocal most
        while True:
            before = pieces
            await trio.lowlevel.checkpoint()
            most = max(most, pieces - before)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(play)
        async with trio.open_nursery() as browsers:
            for _ in range(20):
                browsers.start_soon(answer, {"method": "GET"}, trio.sleep_forever, send)
        nursery.cancel_scope.cancel()
    assert pieces > 20 * 20
    assert most <= 2


async def test_an_answer_is_the_same_whether_compressed_or_not(tmp_path: Path) -> None:
    async with open_page(tmp_path, "hexxagon") as browser:
        browser.play()
        path = f"/api/matches/{(await browser.ended_match())['id']}"
        plain = await browser.http.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == await browser.get(path)
        head = await browser.http.head(path, headers={"accept-encoding": "identity"})
    assert (head.status_code, head.content) == (200, b"")


def too_much() -> bytes:
    return bytes(2 * MEMORY)


async def test_a_match_that_takes_too_much_memory_is_not_shown() -> None:
    async with open_workers() as workers, trio.open_nursery() as nursery:
        repeater = Repeater(nursery, workers)
        with pytest.raises(NotShown, match="cannot be repeated"):
            await repeater.repeat("x", too_much)


class Slow:
    """Processes that never come to an end, or fail at once."""

    def __init__(self, bug: Exception | None = None) -> None:
        self.asked = 0
        self._bug = bug

    async def run_sync(self, *_: object, **__: object) -> bytes:
        self.asked += 1
        if self._bug is not None:
            raise self._bug
        await trio.sleep_forever()
        raise AssertionError


async def test_one_address_cannot_keep_others_from_looking_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    repeater = Repeater(nursery, Slow())
    for number in range(MOST_FOR_ONE):
        nursery.start_soon(repeater.repeat, f"match {number}", bytes, "203.0.113.7")
    await wait_all_tasks_blocked()
    with pytest.raises(NotShown) as refusal:
        await repeater.repeat("one more", bytes, "203.0.113.7")
    assert refusal.value.status == 429
    with trio.move_on_after(1) as patience:
        await repeater.repeat("one more", bytes, "203.0.113.8")
    assert patience.cancelled_caught  # it is being repeated
    nursery.cancel_scope.cancel()


async def test_one_address_does_not_occupy_all_processes(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    processes = Slow()
    repeater = Repeater(nursery, processes)
    for number in range(MOST_FOR_ONE):
        nursery.start_soon(refused, repeater, f"match {number}", "203.0.113.7")
    await wait_all_tasks_blocked()
    assert processes.asked == 1
    nursery.start_soon(refused, repeater, "one more", "203.0.113.8")
    await wait_all_tasks_blocked()
    assert processes.asked == 2
    nursery.cancel_scope.cancel()


async def refused(repeater: Repeater, key: str, who: str) -> None:
    with suppress(NotShown):
        await repeater.repeat(key, bytes, who)


async def test_what_takes_too_long_is_not_tried_again_soon_and_nobody_waits_for_ever(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    processes = Slow()
    repeater = Repeater(nursery, processes)
    for problem, seconds in (("still being prepared", ANSWER), ("too long", PATIENCE)):
        with pytest.raises(NotShown, match=problem) as refusal:
            await repeater.repeat("x", bytes)
        assert (refusal.value.status, trio.current_time()) == (503, seconds)
    await trio.sleep(LONG_PAUSE - 1)
    with pytest.raises(NotShown, match="too long"):
        await repeater.repeat("x", bytes)
    assert processes.asked == 1


async def test_when_everything_is_full_those_who_wait_for_many_make_room(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    repeater = Repeater(nursery, Slow())
    for number in range(WORKERS + MOST_WAITING):
        nursery.start_soon(refused, repeater, f"match {number}", "")
    await wait_all_tasks_blocked()
    with trio.move_on_after(1) as patience:
        await repeater.repeat("one more", bytes, "203.0.113.8")
    assert patience.cancelled_caught
    with pytest.raises(NotShown, match="too many") as refusal:
        await repeater.repeat("yet another", bytes)
    assert refusal.value.status == 503
    nursery.cancel_scope.cancel()


async def test_what_cannot_be_repeated_is_not_tried_at_each_request(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    processes = Slow(BadRecord("no record"))
    repeater = Repeater(nursery, processes)
    for _ in range(5):
        with pytest.raises(NotShown, match="no record"):
            await repeater.repeat("x", bytes)
    assert processes.asked == 1
    await trio.sleep(PAUSE + 1)
    with pytest.raises(NotShown, match="no record"):
        await repeater.repeat("x", bytes)
    assert processes.asked == 2


def test_matches_that_never_were_do_not_have_all_records_looked_through(tmp_path: Path) -> None:
    folder = tmp_path / "matches"
    folder.mkdir()
    now = 0.0
    shelf = Shelf(tmp_path, lambda: now)
    assert shelf.find("aaaaaaaaaa") is None
    path = folder / "20261118-153358-430387_hexxagon_12c_aaaaaaaaaa_1.match"
    path.touch()
    assert shelf.find("aaaaaaaaaa") is None  # it has just looked
    now += SHELF_PAUSE
    assert shelf.find("aaaaaaaaaa") == path
    assert shelf.find("bbbbbbbbbb") is None
    path.unlink()
    assert shelf.find("aaaaaaaaaa") is None
