"""Requests outside of rooms and their answers, which are those of the original server."""

import pytest
import trio
from structlog.testing import LogCapture
from trio.testing import MockClock, wait_all_tasks_blocked

from games.penguins.messages import MoveRequest, Result, WelcomeMessage
from games.penguins.reception import PenguinsReception
from games.penguins.rules import Team
from games.penguins.settings import Settings
from ludothek.contract.table import Stage
from ludothek.runtime.explanations import LOGGED
from tests.games.penguins.scene import (
    PASSWORD,
    TWO_SLOTS,
    UUID,
    XmlPeer,
    connect,
    entries,
    join_two,
    penguins_fair,
    prepare,
)
from tests.support.helpers import Fair

ROOM_EXCEPTION = "sc.api.plugins.exceptions.GameRoomException"
RESCUABLE = "sc.api.plugins.exceptions.RescuableClientException"
UNAUTHENTICATED = "sc.server.network.UnauthenticatedException"


def errorpacket(text: str, request: str) -> str:
    escaped = text.replace("'", "&apos;")
    return f'<errorpacket message="{escaped}">\n    <originalRequest {request}\n  </errorpacket>'


async def refused(client: XmlPeer, request: str) -> str:
    """The text with which a request is refused; the connection must stay open."""
    await client.say(request if client.heard else f"<protocol>{request}")
    packet = await client.hear()
    assert packet.startswith("<errorpacket")
    return packet.partition('message="')[2].partition('"')[0].replace("&apos;", "'")


# Joining


async def test_join_takes_the_right_game_type_or_none() -> None:
    async with penguins_fair() as fair:
        for request in ("<join/>", '<join gameType="swc_2023_penguins"/>'):
            await connect(fair).join(request)


@pytest.mark.parametrize("game_type", ["swc_2022_ostseeschach", ""])
async def test_join_with_a_wrong_game_type_is_refused_whether_a_room_is_open_or_not(
    game_type: str,
) -> None:
    async with penguins_fair() as fair:
        client, waiting = connect(fair), connect(fair)
        for _ in range(2):
            text = await refused(client, f'<join gameType="{game_type}"/>')
            assert text == f"{RESCUABLE}: Unknown game type {game_type}"
            await waiting.join()


async def test_join_room_of_an_unknown_id_is_refused() -> None:
    async with penguins_fair() as fair:
        client = connect(fair)
        await client.say('<protocol><joinRoom roomId="nope"/>')
        assert await client.hear() == errorpacket(
            f"{ROOM_EXCEPTION}: Couldn't find a room with id nope",
            'class="joinRoom" roomId="nope"/>',
        )


async def test_a_missing_room_id_is_called_null() -> None:
    async with penguins_fair() as fair:
        text = await refused(connect(fair), "<joinRoom/>")
        assert text == f"{ROOM_EXCEPTION}: Couldn't find a room with id null"


async def test_join_room_of_a_full_room_is_refused() -> None:
    async with penguins_fair() as fair:
        one, _ = await join_two(connect(fair), connect(fair))
        text = await refused(connect(fair), f'<joinRoom roomId="{one.room_id}"/>')
        assert text == f"{ROOM_EXCEPTION}: Room {one.room_id} is already full!"


async def test_join_room_does_not_take_a_reserved_seat() -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        text = await refused(connect(fair), f'<joinRoom roomId="{prepared.room_id}"/>')
        assert text == f"{ROOM_EXCEPTION}: Room {prepared.room_id} is already full!"


async def test_a_reservation_works_once() -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        await prepared.seat(connect(fair), 0)
        request = f'<joinPrepared reservationCode="{prepared.codes[0]}"/>'
        assert (await refused(connect(fair), request)).startswith(
            "sc.server.gaming.UnknownReservationException: "
        )


@pytest.mark.parametrize("request_", ["<joinPrepared/>", '<joinPrepared reservationCode=""/>'])
async def test_no_reservation_is_an_unknown_one(request_: str) -> None:
    async with penguins_fair() as fair:
        await prepare(connect(fair), '<slot displayName="A"/><slot displayName="B"/>')
        assert "UnknownReservation" in await refused(connect(fair), request_)


async def test_reservations_of_a_cancelled_room_are_gone() -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        await prepared.cancel()
        await prepared.admin.hear_result()
        request = f'<joinPrepared reservationCode="{prepared.codes[0]}"/>'
        assert "UnknownReservation" in await refused(connect(fair), request)


async def test_the_slot_decides_the_team_whoever_comes_first() -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        first, second = connect(fair), connect(fair)
        await prepared.seat(first, 1)
        await prepared.seat(second, 0)
        assert await first.hear_data() == WelcomeMessage(Team.TWO)
        assert await second.hear_data() == WelcomeMessage(Team.ONE)


async def test_join_fills_a_prepared_room_with_an_open_slot() -> None:
    async with penguins_fair() as fair:
        slots = '<slot displayName="supreme" reserved="true"/><slot displayName="human"/>'
        prepared = await prepare(connect(fair), slots)
        assert len(prepared.codes) == 1
        human = connect(fair)
        await human.join()
        assert human.room_id == prepared.room_id
        await prepared.seat(connect(fair), 0)
        assert await human.hear_data() == WelcomeMessage(Team.TWO)


async def test_one_prepared_slot_leaves_the_second_to_whoever_joins() -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair), '<slot displayName="A" reserved="true"/>')
        other = connect(fair)
        await other.join(f'<joinRoom roomId="{prepared.room_id}"/>')
        await prepared.seat(connect(fair), 0)
        assert await other.hear_data() == WelcomeMessage(Team.TWO)


async def test_one_connection_may_sit_on_both_seats_but_moves_for_the_first() -> None:
    async with penguins_fair(board_seed=42) as fair:
        client = connect(fair)
        await client.join()
        await client.join()
        assert await client.hear_data() == WelcomeMessage(Team.ONE)
        assert await client.hear_data() == WelcomeMessage(Team.TWO)
        for turn, target in enumerate(((0, 0), (2, 0))):
            assert [(await client.hear_state()).turn for _ in range(2)] == [turn] * 2
            assert await client.hear_data() == MoveRequest()
            await client.move(target)
        text = (
            "It's not your turn yet; expected: TWO(), got ONE() (msg was Setze Pinguin auf [2|0])."
        )
        assert (await client.hear_data()).message == text
        result = await client.hear_data()
        assert entries(result) == [("RULE_VIOLATION", text, 0, 1), ("REGULAR", "", 2, 0)]


async def test_one_connection_may_sit_in_several_rooms() -> None:
    async with penguins_fair(board_seed=42) as fair:
        client, first, second = connect(fair), connect(fair), connect(fair)
        await join_two(client, first)
        one_room = client.room_id
        await client.hear_data_of(MoveRequest)
        await join_two(client, second)
        await client.hear_data_of(MoveRequest)
        await client.move((0, 0))
        client.room_id = one_room
        await client.move((2, 0))
        for other in (first, second):
            await other.hear_state()
            assert (await other.hear_state()).turn == 1
        await client.stream.aclose()
        for other in (first, second):
            assert entries(await other.hear_result())[0][0] == "LEFT"
        await _all_gone(fair)


async def _all_gone(fair: Fair) -> None:
    await wait_all_tasks_blocked()
    assert fair.endpoint.hall.lobbies == {}


async def test_no_more_rooms_are_opened_than_allowed() -> None:
    async with penguins_fair(max_rooms=2) as fair:
        for _ in range(2):
            await join_two(connect(fair), connect(fair))
        late = connect(fair)
        assert "too many rooms" in await refused(late, "<join/>")
        admin = connect(fair)
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
        request = f'<prepare gameType="swc_2023_penguins">{TWO_SLOTS}</prepare>'
        await admin.say(request)
        assert "too many rooms" in await admin.hear()


async def test_new_settings_hold_at_once_for_rooms_that_are_opened_from_then_on() -> None:
    async with penguins_fair(max_rooms=1) as fair:
        await join_two(connect(fair), connect(fair))
        late = connect(fair)
        assert "too many rooms" in await refused(late, "<join/>")
        fair.endpoint.adopt(Settings(max_rooms=2, paused=True))
        await late.join()
        newest = fair.endpoint.hall.tables[late.room_id]
        assert newest.summary.stage is Stage.PAUSED


async def test_new_settings_decide_at_once_who_has_been_silent_for_too_long(
    autojump_clock: MockClock,
) -> None:
    async with penguins_fair(max_rooms=1) as fair:
        one, _ = await join_two(connect(fair), connect(fair))
        await one.hear_data_of(MoveRequest)
        await trio.sleep(5)
        late = connect(fair)
        assert "too many rooms" in await refused(late, "<join/>")
        fair.endpoint.adopt(Settings(max_rooms=1, idle_seat_seconds=5.0))
        await late.join()
        assert entries(await one.hear_result())[0][0] == "HARD_TIMEOUT"


async def test_nobody_opens_a_room_on_a_server_that_is_about_to_end() -> None:
    async with penguins_fair() as fair:
        await join_two(connect(fair), connect(fair))
        fair.endpoint.hall.drain()
        assert "about to end" in await refused(connect(fair), "<join/>")
        assert len(fair.endpoint.hall.lobbies) == 1


async def test_only_the_first_mistakes_of_a_client_are_logged_for_everybody(
    logs: LogCapture,
) -> None:
    async with penguins_fair() as fair:
        client = connect(fair)
        for _ in range(LOGGED + 5):
            await refused(client, '<joinRoom roomId="nope"/>')
        levels = [entry["log_level"] for entry in logs.entries if entry["event"] == "refused"]
        assert levels == ["info"] * LOGGED + ["debug"] * 5


# Administrators


async def test_the_right_password_is_answered_by_nothing() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
        assert await admin.finish() == "<protocol>\n</protocol>"


async def test_a_wrong_password_may_be_tried_again() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        for attempt in ('<authenticate password="bad"/>', "<authenticate/>"):
            assert await refused(admin, attempt) == (
                "sc.server.network.AuthenticationFailedException: "
                "Failed to authenticate as administrator"
            )
        await admin.say(f'<authenticate password="{PASSWORD}"/>')
        await prepare(admin)


@pytest.mark.parametrize("attempt", ['<authenticate password=""/>', "<authenticate/>"])
async def test_without_a_password_set_nobody_is_an_administrator(attempt: str) -> None:
    async with penguins_fair(password="") as fair:
        assert "AuthenticationFailed" in await refused(connect(fair), attempt)


@pytest.mark.parametrize(
    ("request_", "java"),
    [
        ('<observe roomId="x"/>', "ObservationRequest(roomId=x)"),
        ('<pause roomId="x" pause="true"/>', "PauseGameRequest(roomId=x, pause=true)"),
        ('<step roomId="x"/>', "StepRequest(roomId=x, forced=false)"),
        ("<cancel/>", "CancelRequest(roomId=null)"),
        (
            '<prepare gameType="g"><slot displayName="A"/></prepare>',
            "PrepareGameRequest(gameType=g, slotDescriptors="
            "[SlotDescriptor(displayName=A, canTimeout=false, reserved=false)], pause=false)",
        ),
    ],
)
async def test_administrators_requests_need_the_right(request_: str, java: str) -> None:
    async with penguins_fair() as fair:
        text = await refused(connect(fair), request_)
        assert text == f"{UNAUTHENTICATED}: Request {java} requires authentication"


@pytest.mark.parametrize("name", ["observe", "pause", "step", "cancel"])
async def test_administrators_requests_for_unknown_rooms_are_refused(name: str) -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
        await admin.say(f'<{name} roomId="x"/>')
        assert "Couldn&apos;t find a room with id x" in await admin.hear()


async def test_prepared_rooms_list_the_codes_of_reserved_slots_in_order() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        prepared = await prepare(admin)
        one, two = prepared.codes
        assert admin.heard.startswith(
            f'<protocol>\n  <prepared roomId="{prepared.room_id}">\n'
            f"    <reservation>{one}</reservation>\n    <reservation>{two}</reservation>\n"
            "  </prepared>"
        )


async def test_prepared_rooms_without_reservations_list_none() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        prepared = await prepare(admin, '<slot displayName=""/><slot displayName=" "/>')
        assert f'<prepared roomId="{prepared.room_id}"/>' in admin.heard


@pytest.mark.parametrize(
    ("slots", "why"),
    [
        ("", "1 to 2 slots, not 0"),
        ('<slot displayName="A"/>' * 3, "1 to 2 slots, not 3"),
        ('<slot displayName="A"/><slot/>', "a slot without displayName"),
    ],
)
async def test_slots_that_make_no_game_are_refused(slots: str, why: str) -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
        await admin.say(f'<prepare gameType="swc_2023_penguins">{slots}</prepare>')
        assert why in await admin.hear()
        assert fair.endpoint.hall.lobbies == {}
        await prepare(admin)


async def test_prepare_with_a_wrong_game_type_is_refused() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        await admin.say(f'<protocol><authenticate password="{PASSWORD}"/>')
        await admin.say(f'<prepare gameType="chess">{TWO_SLOTS}</prepare>')
        assert "Unknown game type chess" in await admin.hear()


async def test_administrators_hear_of_every_plain_join_after_it_was_handled() -> None:
    async with penguins_fair() as fair:
        admin, one, two = connect(fair), connect(fair), connect(fair)
        prepared = await prepare(admin, '<slot displayName="A"/><slot displayName="B"/>')
        room = prepared.room_id
        await one.join()
        assert await admin.hear() == f'<joinedGameRoom roomId="{room}" playerCount="1"/>'
        await two.join()
        assert (await admin.hear_state()).turn == 0
        assert await admin.hear() == f'<joinedGameRoom roomId="{room}" playerCount="2"/>'


async def test_other_ways_to_join_make_no_news() -> None:
    async with penguins_fair() as fair:
        slots = '<slot displayName="A" reserved="true"/><slot displayName="B"/>'
        prepared = await prepare(connect(fair), slots, observe=False)
        await prepared.seat(connect(fair), 0)
        await connect(fair).join(f'<joinRoom roomId="{prepared.room_id}"/>')
        assert await prepared.admin.has_heard_all()


async def test_players_hear_nothing_of_other_joins() -> None:
    async with penguins_fair() as fair:
        one, _ = await join_two(connect(fair), connect(fair))
        await connect(fair).join()
        await one.hear_data_of(MoveRequest)
        assert await one.has_heard_all()


async def test_observers_get_no_snapshot_but_everything_from_then_on() -> None:
    async with penguins_fair(board_seed=42) as fair:
        admin = connect(fair)
        prepared = await prepare(admin, observe=False)
        one, _ = await prepared.seat_two(connect(fair), connect(fair))
        await one.hear_data_of(MoveRequest)
        await admin.say(f'<observe roomId="{prepared.room_id}"/>')
        assert await admin.hear() == f'<observed roomId="{prepared.room_id}"/>'
        await one.move((0, 0))
        assert (await admin.hear_state()).turn == 1


async def test_who_observes_twice_hears_twice() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        prepared = await prepare(admin)
        await admin.say(f'<observe roomId="{prepared.room_id}"/>')
        await admin.hear()
        await prepared.seat_two(connect(fair), connect(fair))
        assert [(await admin.hear_state()).turn for _ in range(2)] == [0, 0]


async def test_observing_a_finished_room_is_refused() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        prepared = await prepare(admin)
        await prepared.cancel()
        await admin.hear_result()
        await admin.say(f'<observe roomId="{prepared.room_id}"/>')
        assert "Couldn&apos;t find a room" in await admin.hear()


async def test_an_administrator_who_leaves_changes_nothing() -> None:
    async with penguins_fair(board_seed=42) as fair:
        admin = connect(fair)
        prepared = await prepare(admin)
        one, two = await prepared.seat_two(connect(fair), connect(fair))
        await admin.stream.aclose()
        await one.hear_data_of(MoveRequest)
        await one.move((0, 0))
        await two.hear_state()
        assert (await two.hear_state()).turn == 1
        await connect(fair).join()
        reception = fair.endpoint.hall.foyer.reception
        assert isinstance(reception, PenguinsReception)
        assert reception._admins == []  # nobody is told about joins


async def test_an_administrator_who_leaves_observes_no_more() -> None:
    async with penguins_fair() as fair:
        admin = connect(fair)
        rooms = [await prepare(admin) for _ in range(3)]
        await rooms[0].cancel()
        await admin.hear_data_of(Result)
        assert _spectators(fair) == [["1"], ["1"]]
        await admin.stream.aclose()
        await _clients_are(fair, 0)
        assert _spectators(fair) == [[], []]


async def test_no_bots_come_to_a_room_that_is_only_observed(autojump_clock: MockClock) -> None:
    async with penguins_fair(bots=1, bot_difficulty=2) as fair:
        admin = connect(fair)
        slots = '<slot displayName="A"/><slot displayName="B"/>'
        prepared = await prepare(admin, slots)
        await trio.sleep(10)
        assert len(fair.endpoint.clients) == 1
        player = connect(fair)
        await player.join(f'<joinRoom roomId="{prepared.room_id}"/>')
        assert await player.hear_data() == WelcomeMessage(Team.ONE)


def _spectators(fair: Fair) -> list[list[str]]:
    tables = fair.endpoint.hall.tables.values()
    return [list(table.summary.spectators) for table in tables]


async def _clients_are(fair: Fair, count: int) -> None:
    await wait_all_tasks_blocked()
    assert len(fair.endpoint.clients) == count


# Where organisers see a client


async def test_a_player_is_in_the_room_that_it_has_joined_last() -> None:
    async with penguins_fair() as fair:
        one = connect(fair)
        await one.join()
        (client,) = fair.endpoint.clients
        await one.join(f'<joinRoom roomId="{one.room_id}"/>')
        first = one.room_id
        assert (client.place, client.places) == (first, (first,))
        await one.hear_data_of(MoveRequest)
        await one.join()
        second = one.room_id
        assert (client.place, client.places) == (second, (first, second))
        one.room_id = first
        await one.move((-1, -1))
        await one.hear_data_of(Result)
        assert (client.place, client.places) == (second, (second,))


async def test_an_observer_is_in_no_room() -> None:
    async with penguins_fair() as fair:
        await prepare(connect(fair))
        (client,) = fair.endpoint.clients
        assert client.place is None


# Packets that clients may not send


@pytest.mark.parametrize(
    ("packet", "java"),
    [
        ('<joined roomId="x"/>', "sc.protocol.responses.JoinedRoomResponse"),
        ('<prepared roomId="x"/>', "sc.protocol.responses.GamePreparedResponse"),
        ('<observed roomId="x"/>', "sc.protocol.responses.ObservationResponse"),
        (
            '<joinedGameRoom roomId="x" playerCount="1"/>',
            "sc.protocol.responses.RoomWasJoinedEvent",
        ),
        ('<left roomId="x"/>', "sc.protocol.RemovedFromGame"),
        (
            '<errorpacket message="m"><originalRequest class="join"/></errorpacket>',
            "sc.protocol.responses.ErrorPacket",
        ),
    ],
)
async def test_a_servers_packet_from_a_client_is_refused(packet: str, java: str) -> None:
    async with penguins_fair() as fair:
        text = await refused(connect(fair), packet)
        assert text == f"{RESCUABLE}: Unhandled Packet of type: class {java}"


@pytest.mark.parametrize(
    "packet",
    [
        "<yarr/>",
        "<testMode testMode='true'/>",
        "<join><extra/></join>",
        "<prepare gameType='g'><player/></prepare>",
        "<protocol>",
        "<protocol><join/></protocol>",
        "<room roomId='x'><data class='move'><to x='0' y='0'/></data><data/></room>",
        "<room roomId='x'><data/></room>",
        "<room roomId='x'><data class='sc.plugin2022.Move'/></room>",
        "<slot displayName='A'/>",
    ],
)
async def test_an_unknown_packet_ends_the_connection_without_a_word(packet: str) -> None:
    async with penguins_fair() as fair:
        client = connect(fair)
        await client.say(f"<protocol>{packet}")
        await client.hear_end()
        assert client.heard == "<protocol>\n</protocol>"


async def test_ids_are_random_uuids(autojump_clock: MockClock) -> None:
    async with penguins_fair() as fair:
        prepared = await prepare(connect(fair))
        ids = [prepared.room_id, *prepared.codes]
        assert all(UUID.fullmatch(text) for text in ids)
        assert len(set(ids)) == 3
