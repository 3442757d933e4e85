"""What the log says about clauses that clients break."""

from datetime import timedelta

import pytest
import structlog
from structlog.testing import LogCapture
from trio.testing import MockClock

from ludothek.contract.clauses import Consequence
from ludothek.contract.limit_clauses import limit_broken
from ludothek.observe.log_context import add_context
from ludothek.runtime.explanations import LATEST, LOGGED, Explanation, Explanations
from ludothek.testing.fair import NOON, Peer
from tests.support.helpers import open_fair
from tests.support.hexxagon import HexxagonClient
from transports import Complaint


@pytest.fixture(autouse=True)
def logs() -> LogCapture:
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


async def test_each_breach_is_one_line_and_only_the_first_ones_are_loud(
    logs: LogCapture, autojump_clock: MockClock
) -> None:
    async with open_fair("hexxagon", settings={"max_strikes": 100}) as fair:
        client = await HexxagonClient.arrive(Peer(fair.connect()))
        for _ in range(LOGGED + 2):
            await client.say("LeaveLobby", lobbyId="7")
            await client.hear("Strike")
    lines = [each for each in logs.entries if each["event"] == "struck"]
    assert [each["log_level"] for each in lines] == ["info"] * LOGGED + ["debug"] * 2
    assert {each["clause"] for each in lines} == {"3.2.2.1"}
    assert lines[0]["reason"] == "/lobbyId: expected a UUID; came '7'"


async def test_lines_are_written_when_the_answers_of_a_turn_have_left(
    logs: LogCapture, autojump_clock: MockClock
) -> None:
    async with open_fair("hexxagon", settings={"max_strikes": 100}) as fair:
        await HexxagonClient.arrive(Peer(fair.connect()))
        (connection,) = fair.endpoint.clients
        hall = fair.endpoint.hall
        message = hall.codec.decode_request(b"no JSON")
        before = len(logs.entries)
        with hall.turns.turn():
            for _ in range(LOGGED + 1):
                connection.listener.hear(connection, message, b"no JSON")
            assert len(logs.entries) == before
        lines = logs.entries[before:]
    assert {each["event"] for each in lines} == {"struck"}
    # Each is as loud as it would have been at once.
    assert [each["log_level"] for each in lines] == ["info"] * LOGGED + ["debug"]


async def test_lines_say_where_it_happened(logs: LogCapture, autojump_clock: MockClock) -> None:
    structlog.configure(processors=[add_context, logs])
    async with open_fair("hexxagon") as fair:
        client = await HexxagonClient.arrive(Peer(fair.connect()))
        await client.say("LeaveLobby", lobbyId="7")
        await client.hear("Strike")
        (number,) = [each.number for each in fair.endpoint.clients]
    (line,) = [each for each in logs.entries if each["event"] == "struck"]
    assert (str(line["game"]), line["client"]) == ("hexxagon", number)


async def test_what_is_tolerated_is_logged_quietly_and_pushes_no_strike_out(
    logs: LogCapture, autojump_clock: MockClock
) -> None:
    async with open_fair("hexxagon", settings={"max_lobbies_per_client": 0}) as fair:
        client = await HexxagonClient.arrive(Peer(fair.connect()))
        await client.say("Nonsense")
        await client.hear("Strike")
        for _ in range(LATEST + 1):
            await client.create(" Lobby ")
        (connection,) = fair.endpoint.clients
        assert connection.explanations is not None
        kinds = [each.consequence.value for each in connection.explanations]
        assert kinds == ["struck", *["corrected"] * LATEST]
        assert connection.explanations.count == 1
    quiet = {each["log_level"] for each in logs.entries if each["event"] == "corrected"}
    assert quiet == {"debug"}


def test_organisers_see_all_of_them_in_the_order_in_which_they_happened() -> None:
    explanations = Explanations()
    consequences = [Consequence.STRUCK, Consequence.IGNORED, Consequence.REFUSED]
    for second, consequence in enumerate(consequences):
        date = NOON + timedelta(seconds=second)
        explanations.add(Explanation(date, limit_broken(Complaint.SILENT), consequence))
    assert [each.consequence for each in explanations] == consequences
