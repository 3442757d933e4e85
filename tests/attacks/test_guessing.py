"""Guessing the administrators' password: slower each time, and no noise in the log."""

import trio
from structlog.testing import LogCapture
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import MoveRequest
from games.penguins.reception import PenguinsReception
from tests.games.penguins.scene import (
    XmlPeer,
    call,
    connect,
    join_two,
    penguins_fair,
    penguins_server,
    prepare,
)
from tests.support.helpers import Fair, hang_up_all, open_fair
from transports import Complaint

WRONG = '<originalRequest class="authenticate"'


async def guess(peer: XmlPeer, tries: int) -> int:
    """Try passwords until the server hangs up; returns how many of them it has checked."""
    seen = 0
    try:
        await peer.say("<protocol>")
        for number in range(tries):
            await peer.say(f'<authenticate password="guess {number}"/>')
            seen += WRONG in await peer.hear()
    except (trio.EndOfChannel, trio.BrokenResourceError):
        pass
    return seen


def lines(fair: Fair) -> object:
    """Those who wait, by address."""
    reception = fair.endpoint.hall.foyer.reception
    assert isinstance(reception, PenguinsReception)
    return reception._gate._lines


async def guess_on(fair: Fair) -> None:
    """Guess over one new connection after another."""
    while True:
        guesser = connect(fair)
        guesser.limit = 1000
        await guess(guesser, 100)


async def test_a_minute_of_guessing_over_new_connections_is_worth_few_tries(
    autojump_clock: MockClock, logs: LogCapture
) -> None:
    async with penguins_fair() as fair:
        with trio.move_on_after(60):
            await guess_on(fair)
        tried = fair.endpoint.traffic.frames_out
        assert 5 < tried < 15
        lines = [entry for entry in logs.entries if entry["log_level"] != "debug"]
        assert 0 < len(lines) < 40
        hang_up_all()


async def test_one_connection_has_ten_tries(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        guesser = connect(fair)
        await guess(guesser, 100)
        packets = guesser.heard.count('<originalRequest class="authenticate"')
        assert packets == 10
        assert guesser.heard.count("Disconnected: too many wrong passwords") == 1
        assert guesser.heard.endswith("</protocol>")
        assert fair.endpoint.traffic.drops[Complaint.GUESSING.key] == 1


async def test_the_right_password_is_not_looked_at_too_early_either(
    autojump_clock: MockClock,
) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 6)
        start = trio.current_time()
        await prepare(connect(fair))  # it is heard after the password
        assert 1 <= trio.current_time() - start < 2


async def test_who_guesses_without_pause_does_not_lock_out_the_administrator(
    autojump_clock: MockClock,
) -> None:
    """This machine counts as an address that many share."""
    async with penguins_server() as server, trio.open_nursery() as nursery:

        async def guess_for_ever() -> None:
            while True:
                async with call(server) as guesser:
                    await guess(guesser, 100)

        for _ in range(3):
            nursery.start_soon(guess_for_ever)
        await trio.sleep(100)
        for _ in range(5):
            start = trio.current_time()
            async with call(server) as admin:
                await prepare(admin)
            assert trio.current_time() - start < 4 * 5 + 1
        nursery.cancel_scope.cancel()


async def test_who_has_hung_up_does_not_keep_the_administrator_waiting(
    mock_clock: MockClock,
) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 6)
        for _ in range(300):
            peer = connect(fair)
            await peer.say('<protocol><authenticate password="guess"/>')
            await peer.stream.aclose()
            await wait_all_tasks_blocked()
        # Nor do they stay: only as many as fit in a line can be gone unnoticed.
        assert len(fair.endpoint.clients) < 105
        async with trio.open_nursery() as nursery:
            nursery.start_soon(prepare, connect(fair))
            await wait_all_tasks_blocked()
            assert fair.endpoint.hall.lobbies == {}
            mock_clock.jump(1)
        assert len(fair.endpoint.hall.lobbies) == 1
        hang_up_all()


async def test_who_is_kicked_does_not_wait_any_longer(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 9)
        crowd = [connect(fair) for _ in range(3)]
        for peer in crowd:
            await peer.say('<protocol><authenticate password="guess"/>')
        await trio.sleep(0.1)
        for client in fair.endpoint.clients:
            client.close()
        await trio.sleep(2)
        for peer in crowd:
            assert await peer.finish() == "<protocol>\n</protocol>"
        assert not fair.endpoint.clients
        assert lines(fair) == {}


async def test_not_everybody_may_wait(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 8)
        crowd = [connect(fair) for _ in range(110)]
        for peer in crowd:
            await peer.say('<protocol><authenticate password="guess"/>')
        await trio.sleep(0.1)
        assert fair.endpoint.traffic.frames_out == 8 + 10
        assert "too many wrong passwords, try again in" in await crowd[-1].hear()
        hang_up_all()


async def test_who_plays_is_not_kept_from_it_by_a_password(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        one, _ = await join_two(connect(fair), connect(fair))
        await guess(connect(fair), 6)
        await one.hear_data_of(MoveRequest)
        start = trio.current_time()
        await one.say('<authenticate password="secret"/>')
        assert "too many wrong passwords, try again in 1 s" in await one.hear()
        assert trio.current_time() == start


async def test_who_observes_is_not_kept_from_it_by_a_password(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        await guess(connect(fair), 6)
        await prepared.admin.say('<authenticate password="secret"/>')
        assert "too many wrong passwords, try again in 1 s" in await prepared.admin.hear()
        await prepared.cancel()
        await prepared.admin.hear_result()
        await prepared.admin.say('<authenticate password="secret"/>')  # and this one has to wait
        assert await prepared.admin.has_heard_all()


async def test_nothing_is_left_of_a_line(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        await guess(connect(fair), 8)
        assert lines(fair) == {}


async def test_where_no_password_is_set_guessing_is_braked_all_the_same(
    autojump_clock: MockClock,
) -> None:
    async with open_fair("penguins") as fair:
        start = trio.current_time()
        assert await guess(connect(fair), 9) == 9
        assert trio.current_time() - start > 6  # 1, 2 and 4 seconds
        hang_up_all()
