"""What an organiser's program may do wrong, and that nobody else notices."""

import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock

from ludothek.control.http_limits import HttpLimits
from tests.support.organiser_console import CALM, Organiser, meek_game, open_control

HASTY = HttpLimits(body_bytes=1000, seconds=0.1, idle_seconds=0.1)

HEAD = b"POST /lobbies HTTP/1.1\r\nHost: x\r\n"
LIST = b"GET /lobbies HTTP/1.1\r\nHost: x\r\n\r\n"


async def say(organiser: Organiser, data: bytes, hang_up: bool = False) -> bytes:
    """Say that on a connection of its own; returns all that comes back until its end."""
    async with await trio.open_unix_socket(str(organiser.path)) as stream:
        await stream.send_all(data)
        heard = b""
        if not hang_up:
            with trio.fail_after(60):
                while piece := await stream.receive_some():
                    heard += piece
    return heard


async def alive(organiser: Organiser) -> None:
    assert (await organiser.get("/status"))["endpoints"][0]["crashes"] == 0


WRONG_BODIES = [
    (b"\xff", "not JSON"),
    (b"{", "not JSON"),
    (b"[" * 5000, "not JSON"),
    (b"[]", "a JSON list instead of an object"),
    (b"null", "a JSON NoneType instead of an object"),
    (b"", "required field missing @ $.game"),
    (b"{}", "required field missing @ $.game"),
    (b'{"game": 1}', "expected str @ $.game"),
    (b'{"game": null}', "expected str @ $.game"),
    (b'{"game": "hexxagon", "nam": "x"}', "unknown field 'nam' in the body; did you mean"),
    (b'{"game": "hexxagon", "settings": []}', "expected a mapping @ $.settings"),
    (b'{"game": "hexxagon", "name": ["x"]}', "@ $.name"),
]


async def test_a_wrong_body_is_explained(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for body, sentence in WRONG_BODIES:
            status, answer = await organiser.ask("POST", "/lobbies", content=body)
            assert status == 400
            assert sentence in answer["error"]
        assert await organiser.get("/lobbies") == []


WRONG_DETAILS: list[tuple[str, dict[str, Any]]] = [
    ("seat", {"clients": "1"}),
    ("seat", {"clients": {"1": 1}}),
    ("seat", {"clients": [1]}),
    ("seat", {}),
    ("seat", {"clients": ["1"], "spectator": "yes"}),
    ("abort", {"winner": 1}),
    ("abort", {"lobby": "other"}),
    ("start", {"winner": "1"}),
]


async def test_wrong_details_of_an_order_change_nothing(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        lobby, _ = await organiser.lobby()
        for path, fields in WRONG_DETAILS:
            assert (await organiser.refused(f"{lobby}/{path}", **fields))[0] == 400
        assert len(await organiser.get("/lobbies")) == 1


async def test_a_time_limit_is_a_number(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for wrong in (True, "5", [5], -1):
            assert (await organiser.refused("/drain", seconds=wrong))[0] == 400
        for seconds in (5, 0.5, None):  # which this one does not offer
            assert (await organiser.refused("/drain", seconds=seconds))[0] == 501


NOT_THERE = [
    ("GET", "/", 404),
    ("GET", "/nothing", 404),
    ("DELETE", "/status", 405),
    ("POST", "/status", 405),
    ("POST", "/lobbies/hexxagon/start", 404),
    ("POST", "/lobbies/hexxagon//start", 404),
    ("POST", "/lobbies/nothing/1/start", 404),
    ("POST", "/lobbies/hexxagon/1/dance", 404),
    ("POST", "/clients/nothing/1/kick", 404),
    ("GET", "/lobbies?gaem=hexxagon", 400),
    ("GET", "/lobbies?game=", 404),
    ("GET", "/status?verbose=1", 400),
]


async def test_what_is_not_there_is_not_found(tmp_path: Path) -> None:
    async with open_control(tmp_path) as organiser:
        for method, path, status in NOT_THERE:
            got, answer = await organiser.ask(method, path)
            assert (got, list(answer)) == (status, ["error"])


async def test_an_address_that_cannot_be_taken_apart_is_not_found(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_control(tmp_path, limits=HASTY) as organiser:
        answer = await say(organiser, b"GET http://[/x HTTP/1.1\r\nHost: [\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 404 ")


async def test_a_huge_body_is_refused(tmp_path: Path) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 10_000

    async with open_control(tmp_path, limits=attrs.evolve(CALM, body_bytes=1000)) as organiser:
        for content in (b" " * 1_000_000, pieces()):
            status, answer = await organiser.ask("POST", "/lobbies", content=content)
            assert (status, answer["error"]) == (413, "a request may have 1000 bytes")
        await alive(organiser)


async def test_an_endless_body_is_cut_off(tmp_path: Path) -> None:
    async with open_control(tmp_path, limits=HASTY) as organiser:
        async with await trio.open_unix_socket(str(organiser.path)) as stream:
            await stream.send_all(HEAD + b"Transfer-Encoding: chunked\r\n\r\n")
            with trio.fail_after(60), suppress(trio.BrokenResourceError):
                while True:
                    await stream.send_all(b"ff\r\n" + b" " * 255 + b"\r\n")
        await alive(organiser)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", b""),
        (b"POST /lobb", b""),
        (HEAD, b""),
        (HEAD + b"Content-Length: 50\r\n\r\n{", b"408"),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{", b"408"),
    ],
)
async def test_silence_is_ended(
    tmp_path: Path, data: bytes, status: bytes, autojump_clock: MockClock
) -> None:
    async with open_control(tmp_path, limits=HASTY) as organiser:
        answer = await say(organiser, data)
        assert answer[9:12] == status
        await alive(organiser)


async def test_hanging_up_in_the_middle_disturbs_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with open_control(tmp_path) as organiser:
        request = HEAD + b"Content-Length: 19\r\n\r\n" + b'{"game":"hexxagon"}'
        async with trio.open_nursery() as nursery:
            for end in range(len(request)):
                nursery.start_soon(say, organiser, request[:end], True)
                nursery.start_soon(alive, organiser)
        assert await organiser.get("/lobbies") == []
    assert "crashed" not in capsys.readouterr().out


@pytest.mark.parametrize("seed", range(5))
async def test_noise_harms_nothing(tmp_path: Path, seed: int, autojump_clock: MockClock) -> None:
    rng = random.Random(seed)
    upgrade = b"GET /status HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: "
    samples = [
        LIST,
        HEAD + b'Content-Length: 19\r\n\r\n{"game":"hexxagon"}',
        upgrade + b"websocket\r\nSec-WebSocket-Version: 13\r\n\r\n",
        upgrade + b"h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + rng.randbytes(50),
        rng.randbytes(200),
    ]
    async with open_control(tmp_path, limits=HASTY) as organiser:
        async with trio.open_nursery() as nursery:
            for _ in range(40):
                noise = bytearray(rng.choice(samples))
                for _ in range(rng.randrange(5)):
                    noise[rng.randrange(len(noise))] = rng.randrange(256)
                nursery.start_soon(rudely, organiser, bytes(noise), rng.random() < 0.5)
        await alive(organiser)


async def rudely(organiser: Organiser, noise: bytes, hang_up: bool) -> None:
    with suppress(trio.BrokenResourceError):  # it may well be cut off
        await say(organiser, noise, hang_up)


async def test_a_peer_that_does_not_read_cannot_keep_the_daemon_from_ending(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_control(tmp_path, meek_game(), limits=HASTY) as organiser:
        await organiser.do("/lobbies", game="meek", settings={"size": 1_000_000})
        stream = await trio.open_unix_socket(str(organiser.path))
        await stream.send_all(LIST)
        with trio.fail_after(60):
            await stream.receive_some(1)  # the answer has begun, and does not fit into the buffer
    await trio.aclose_forcefully(stream)
