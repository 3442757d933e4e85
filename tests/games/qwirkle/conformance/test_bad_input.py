"""Lines and bytes that no honest client sends; whatever arrives, everybody else plays on."""

import random

import pytest
import trio

from games.qwirkle import MAX_LINE
from tests.games.qwirkle.party import CALM, QUIET, Guest, connected, party
from tests.support.helpers import Server, open_server

MIB = 1024 * 1024


async def test_an_over_long_line_is_an_error_and_the_next_one_is_read() -> None:
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        await anna.say_line(b'{"uniqueId":300,"padding":"' + b"x" * 3 * MIB + b'"}')
        assert (await anna.hear(910))["causeId"] == 0
        await anna.ask(300, 301)


async def test_a_line_of_64_kibibytes_is_read() -> None:
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        await anna.say_line(b'{"uniqueId":300,"padding":"' + b"x" * (MAX_LINE - 100) + b'"}')
        await anna.hear(301)


async def test_an_object_without_an_end_is_read_no_further_than_its_line() -> None:
    async with open_server("qwirkle", QUIET) as server, connected(server, "Anna") as (anna,):
        for line in (b'{"uniqueId":300', b'{"a":' * 5000, b"[" * 100_000, b'{"uniqueId":3\x00\x00'):
            await anna.say_line(line)
            await anna.hear(910)
        await anna.ask(300, 301)


async def test_a_name_that_is_too_long_is_an_error() -> None:
    async with open_server("qwirkle", QUIET) as server, server.connect() as peer:
        guest = Guest(peer, "Anna")
        await guest.refused(910, 100, clientName="x" * 257, clientType="PLAYER")
        await guest.connect()


async def test_lines_of_windows_and_lines_in_pieces_are_read() -> None:
    async with open_server("qwirkle", QUIET) as server:
        async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
            greeting = b'{"clientName":"Anna","clientType":"PLAYER","uniqueId":100}\r\n\r\n'
            for byte in greeting + b'{"uniqueId":300}\r\n':
                await stream.send_all(bytes([byte]))
            heard = b""
            while heard.count(b"\n") < 2:
                heard += bytes(await stream.receive_some())
        assert heard == b'{"clientId":1,"uniqueId":101}\n{"games":[],"uniqueId":301}\n'


async def test_many_requests_in_one_segment_are_answered_in_order() -> None:
    async with party(players=2, **CALM) as found:
        await found.start()
        anna, _ = found.players
        ids = [417, 419, 421, 498, 423, 300, 999] * 200
        await anna.say_line(b"\n".join(b'{"uniqueId":%d}' % number for number in ids))
        for _ in range(200):
            await anna.hear(418, 420, 422, 499, 900, 920, 910)


async def test_a_client_that_does_not_read_is_dropped_and_its_game_goes_on() -> None:
    settings = {"chat_length": 100_000, "chats_per_second": 0}
    unlimited = {"messages_per_second": 0, "bytes_per_second": 0, "address_messages_per_second": 0}
    async with party(players=3, settings=settings, limits=unlimited, **CALM) as found:
        await found.start()
        anna, bert, carla = found.players
        heard = 307
        while heard == 307:
            await bert.say(306, message="x" * 60_000)
            for guest in (bert, carla):
                message = await guest.peer.hear()
            heard = message["uniqueId"]
        assert (heard, message["client"]) == (406, anna.info)
        assert (await bert.hear(409))["client"] == bert.info


async def test_a_flood_of_chat_drops_nobody_who_reads() -> None:
    settings = {"chats_per_second": 0}
    async with party(players=3, spectators=1, settings=settings, **CALM) as found:
        chat = b'{"message":"spam","uniqueId":306}'
        async with trio.open_nursery() as nursery:
            nursery.start_soon(found.players[0].say_line, b"\n".join([chat] * 500))
            for guest in found.everybody:
                nursery.start_soon(guest.hear, *[307] * 500)
        assert len(found.endpoint.clients) == 4


async def test_a_bug_ends_one_game_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        open_server("qwirkle") as server,
        connected(server, "Anna", "Bert", "Carla") as (anna, bert, carla),
    ):
        for guest in (anna, bert):
            await guest.ask(302, 303, gameId=1)
        for guest in (anna, bert):
            await guest.hear(400, 408, 409)
        monkeypatch.setattr("games.qwirkle.rules.act", lambda *_: 1 / 0)
        await anna.lay_first()
        for guest in (anna, bert):
            await guest.hear(402, 407)
            await guest.refused(920, 498)
        states = [game["gameState"] for game in (await carla.ask(300, 301))["games"]]
        assert states == ["NOT_STARTED"]
        assert server.endpoint.hall.crashes == 1
        assert (await carla.ask(302, 303, gameId=2))["game"]["players"] == [carla.info]


async def garble(server: Server, seed: int) -> None:
    """A client that sends random bytes, and finally hangs up in the middle of a line."""
    rng = random.Random(seed)
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        try:
            for _ in range(20):
                pieces = (rng.randbytes(50), b'{"uniqueId":', b"414", b"}\n", b"\n", b'"tiles":[]')
                await stream.send_all(b"".join(rng.choices(pieces, k=8)))
        except trio.BrokenResourceError:
            pass


async def test_random_bytes_disturb_nobody() -> None:
    async with party(players=2, **CALM) as found:
        assert isinstance(found.server, Server)
        await found.start()
        async with trio.open_nursery() as nursery:
            for seed in range(20):
                nursery.start_soon(garble, found.server, seed)
        anna, bert = found.players
        await anna.lay_first()
        await anna.hear(415, 416, 409)
        await bert.hear(416, 409)
        assert found.endpoint.hall.crashes == 0
