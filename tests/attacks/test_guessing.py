"""Guessing the administrators' password: slower each time, and no noise in the log."""

import trio
from structlog.testing import LogCapture
from trio.testing import MockClock

from tests.helpers import hang_up_all, open_fair
from tests.penguins import XmlPeer, call, connect, penguins_fair, penguins_server, prepare
from transports import Complaint

UNSEEN = "too many wrong passwords, try again in"


async def guess(peer: XmlPeer, tries: int, pause: float) -> int:
    """Try passwords until the server hangs up; how many of them it has looked at."""
    seen = 0
    try:
        await peer.say("<protocol>")
        for number in range(tries):
            await peer.say(f'<authenticate password="guess {number}"/>')
            answer = await peer.hear()
            seen += 'class="authenticate"' in answer and UNSEEN not in answer
            await trio.sleep(pause)
    except (trio.EndOfChannel, trio.BrokenResourceError):
        pass
    return seen


async def test_a_minute_of_guessing_over_new_connections_is_worth_few_tries(
    autojump_clock: MockClock, logs: LogCapture
) -> None:
    async with penguins_fair() as fair:
        start, seen = trio.current_time(), 0
        while trio.current_time() < start + 60:
            seen += await guess(connect(fair), 100, 0.5)
        assert 5 < seen < 15
        tried = [entry for entry in logs.entries if entry["event"] == "wrong password"]
        assert 0 < len(tried) < 15


async def test_one_connection_has_ten_tries(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        guesser = connect(fair)
        await guess(guesser, 100, 0.0)
        packets = guesser.heard.count('<originalRequest class="authenticate"')
        assert packets == 10
        assert guesser.heard.count("Disconnected: too many wrong passwords") == 1
        assert guesser.heard.endswith("</protocol>")
        assert fair.endpoint.traffic.drops[Complaint.GUESSING.key] == 1


async def test_the_right_password_is_not_looked_at_too_early_either(
    autojump_clock: MockClock,
) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 6, 0.0)
        admin = connect(fair)
        await admin.say('<protocol><authenticate password="secret"/>')
        assert UNSEEN in await admin.hear()
        await trio.sleep(1)
        await admin.say('<authenticate password="secret"/>')
        await prepare(admin)


async def test_an_administrator_in_the_same_room_does_not_wait_for_long(
    autojump_clock: MockClock,
) -> None:
    """This machine is one of those that many share."""
    async with penguins_server() as server:
        for _ in range(4):
            async with call(server) as guesser:
                await guess(guesser, 100, 0.5)
        await trio.sleep(5)
        async with call(server) as admin:
            await prepare(admin)


async def test_where_no_password_is_set_guessing_is_braked_all_the_same(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("penguins") as fair:
        assert await guess(connect(fair), 9, 0.0) == 6
        hang_up_all()
