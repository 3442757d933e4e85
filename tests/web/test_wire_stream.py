"""Reading a wire log live."""

from pathlib import Path
from typing import Any

import pytest
import trio

from ludothek.web import wire_stream
from ludothek.web.wire_stream import MAX_LINES, MAX_TEXT, WireStream
from ludothek.wire.tail import Tail
from tests.support.hexxagon import HexxagonClient
from tests.support.organiser_page import open_organiser_page
from tests.support.page import Events


async def lines(events: Events) -> list[Any]:
    name, batch = await events.next()
    assert name == "lines", batch
    entries: list[Any] = batch["entries"]
    return entries


async def test_frames_are_shown_as_they_come(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        (server,) = organiser.browser.servers
        await organiser.do("/endpoints/hexxagon/wire", on=True)
        async with organiser.follow("/wire/live?game=hexxagon&kind=endpoint") as events:
            (on,) = await lines(events)
            assert (on["direction"], on["text"].split()[0]) == (None, "on")
            async with server.connect() as peer:
                client = await HexxagonClient.arrive(peer)
                await client.say("CreateNewLobby", lobbyName="A", password="geheim")
                await client.hear("LobbyCreated")
                seen: list[Any] = []
                while len(seen) < 4:  # connected, Welcome, CreateNewLobby, LobbyCreated
                    seen += await lines(events)
                _, welcome, create, created = seen
                assert [each["direction"] for each in (welcome, create, created)] == [
                    *("out", "in", "out")
                ]
                assert create["text"].startswith('{\n  "messageType": "CreateNewLobby",\n')
                assert "geheim" not in str(seen)
                assert '"password": "***"' in create["text"]
                assert create["client"] == "1"
            await organiser.do("/endpoints/hexxagon/wire", on=False)
            while (event := await events.next())[0] == "lines":
                pass
            assert event == ("end", {})


@pytest.mark.parametrize(
    "query", ["game=hexxagon&kind=endpoint", "game=hexxagon&kind=lobby&key=1", "game=chess", ""]
)
async def test_what_is_not_recorded_cannot_be_read(tmp_path: Path, query: str) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        assert (await organiser.get(f"/wire/live?{query}&live={organiser.live}", 404))["error"]


async def test_strangers_read_nothing(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        await organiser.do("/endpoints/hexxagon/wire", on=True)
        organiser.browser.http.cookies.clear()
        for path in ("/wire/live?game=hexxagon&kind=endpoint", "/curves", "/wire"):
            await organiser.get(path, 401)


async def test_who_logs_out_reads_no_more(tmp_path: Path) -> None:
    async with open_organiser_page(tmp_path) as organiser:
        await organiser.do("/endpoints/hexxagon/wire", on=True)
        async with organiser.follow("/wire/live?game=hexxagon&kind=endpoint") as events:
            await lines(events)
            await organiser.post("/logout")
            with pytest.raises(AssertionError, match="the stream is over"):
                await events.next()


def frame(number: int, text: str = "x") -> bytes:
    return b'{"time":"2026-11-18T12:00:00Z","client":1,"dir":"in","frame":"%s %d"}\n' % (
        text.encode(),
        number,
    )


class Slow:
    """A browser that reads one event, and then nothing for a while."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self.reads = trio.Event()
        self._more = trio.Event()

    async def say(self, text: bytes) -> None:
        self.heard.append(text)
        self._more.set()
        await self.reads.wait()

    async def hears(self, events: int) -> None:
        while len(self.heard) < events:
            self._more = trio.Event()
            await self._more.wait()


async def test_a_slow_browser_misses_lines_and_is_told_how_many(
    tmp_path: Path, autojump_clock: object
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(frame(0))
    recorded, browser = True, Slow()
    stream = WireStream(file, lambda: recorded)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stream.tell, browser.say, lambda: True)
        await browser.hears(1)
        with file.open("ab") as more:
            for number in range(1, 2 * MAX_LINES + 1):
                more.write(frame(number))
        browser.reads.set()
        await browser.hears(2)
        recorded = False
    assert b'"x 0"' in browser.heard[0]
    assert b'"skipped":0' in browser.heard[0]
    assert b'"skipped":%d' % MAX_LINES in browser.heard[1]
    assert b'"x %d"' % (2 * MAX_LINES) in browser.heard[1]
    assert b'"x %d"' % MAX_LINES not in browser.heard[1]
    assert browser.heard[2].startswith(b"event: end")


async def test_a_large_file_is_read_from_near_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_stream, "MAX_BYTES", 1000)
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(map(frame, range(1000))))
    heard: list[bytes] = []

    async def say(text: bytes) -> None:
        heard.append(text)

    await WireStream(file, lambda: False).tell(say, lambda: True)
    shown = heard[0].count(b'"direction"')
    assert 5 < shown < 20
    assert b'"skipped":%d' % (1000 - shown) in heard[0]
    assert b'"x 999"' in heard[0]


async def test_long_frames_are_cut(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(frame(1, "y" * 3 * MAX_TEXT))
    heard: list[bytes] = []

    async def say(text: bytes) -> None:
        heard.append(text)

    await WireStream(file, lambda: False).tell(say, lambda: True)
    assert heard[0].count(b"yy") == MAX_TEXT / 2


def test_a_tail_goes_on_in_the_file_that_replaces_its_own(tmp_path: Path) -> None:
    file = tmp_path / "log"
    file.write_bytes(b"1\n2")
    with Tail(file) as tail:
        assert [*tail.read()] == [b"1\n"]
        with file.open("ab") as more:
            more.write(b"2\n3\n")
        file.rename(tmp_path / "log.1")
        file.write_bytes(b"4\n")
        assert [*tail.read()] == [b"22\n", b"3\n", b"4\n"]
        file.write_bytes(b"")
        assert [*tail.read()] == []
        file.write_bytes(b"5\n")
        assert [*tail.read()] == [b"5\n"]
