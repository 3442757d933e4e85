"""Penguins goes on in another process: rooms, seats, observers, administrators and guessers."""

from collections.abc import Iterator
from typing import Any

import pytest
from trio.testing import MockClock

from games.penguins import GAME
from games.penguins.messages import (
    GAME_TYPE,
    Authenticate,
    Cancel,
    CloseConnection,
    Join,
    JoinPrepared,
    JoinRoom,
    Observe,
    Pause,
    Prepare,
    Room,
    Slot,
    Step,
    UnreadableMove,
)
from games.penguins.reception import PenguinsReception
from games.penguins.recipe import Recipe, Seat
from games.penguins.rules import Coordinates, Move, Team, legal_actions
from games.penguins.settings import Settings
from games.penguins.table import PenguinsTable
from ludothek.contract import orders, plain
from ludothek.contract.orders import Opening
from ludothek.runtime.connection import Connection
from ludothek.testing.phoenix import Phoenix
from tests.games.penguins.scene import NO_TARGET, PASSWORD
from tests.support.crowd import Crowd
from tests.support.twins import TwinClient, open_twins

# So tight that rooms are refused, and games ended to make room for others.
SETTINGS = {
    "password": PASSWORD,
    "request_gap_seconds": 0.5,
    "players_time_out": True,
    "soft_seconds": 3,
    "max_rooms": 5,
    "max_rooms_per_client": 2,
    "idle_seat_seconds": 6,
}
STEPS = 300
SLOTS = (Slot("Anna", True, True), Slot("Berta", False, True), Slot("", True, False))
ELSEWHERE = "00000000-0000-4000-8000-000000000000"


def test_a_recipe_survives_as_plain_data() -> None:
    seats = (Seat(Team.ONE, "Ä", True, "code"), Seat(Team.TWO, "", False, None))
    settings = Settings(board_seed=-1)
    recipe = Recipe(room_id="R", settings=settings, seats=seats, paused=True, name="Finale")
    assert plain.read(plain.write(recipe), "games.penguins", lambda number: None) == recipe


class PenguinsCrowd(Crowd):
    """Players and administrators."""

    fewest, most = 3, 7

    async def _do(self, client: TwinClient) -> None:
        rng, twins = self._rng, self._twins
        match rng.randrange(60):
            case 0:
                await twins.hang_up(client)
            case 1 | 2 | 3 | 4 | 5 | 6:
                await twins.wait(rng.choice([0.25, 0.5, 1.0, 4.0]))
            case 7 if twins.tables:
                await self._order(rng.choice([*twins.tables]), client)
            case 8:
                await twins.open(Opening(settings={"one": "X", "paused": rng.random() < 0.5}))
            case _:
                messages = [*self._messages(twins.connection(client))]
                await twins.say(client, rng.choice(messages))

    async def _order(self, key: str, client: TwinClient) -> None:
        choice = self._rng.randrange(5)
        if choice == 0:
            await self._twins.order(key, orders.Abort, self._rng.choice([None, client]))
        else:
            order = (orders.Pause, orders.Resume, orders.Step, orders.Start)[choice - 1]
            await self._twins.order(key, lambda client: order())

    def _messages(self, client: Connection) -> Iterator[Any]:
        """What a client may think of saying; sensible things more often."""
        rng = self._rng
        rooms = [*self._tables()]
        codes = [code for room in rooms for code in room.reservations]
        room_id = rng.choice([ELSEWHERE, *(room.room_id for room in rooms)])
        yield rng.choice([Join(), Join(GAME_TYPE), JoinRoom(room_id)])
        for code in codes:
            yield JoinPrepared(code)
        for room in rooms:
            if room.seats(client):
                yield from [self._move(room) for _ in range(6)]
        if client.visitor.admin:
            yield from self._requests(room_id)
        yield Authenticate(PASSWORD)
        yield rng.choice(
            [
                Authenticate("guess"),
                Authenticate("guess"),
                Observe(room_id),
                Room(room_id, UnreadableMove((), NO_TARGET)),
                CloseConnection(),
                b"<nonsense/>",
                self._move(rng.choice(rooms)) if rooms else Join(),
            ]
        )

    def _requests(self, room_id: str) -> Iterator[Any]:
        """What an administrator may want."""
        rng = self._rng
        yield Prepare(GAME_TYPE, rng.random() < 0.5, tuple(rng.sample(SLOTS, 2)))
        yield Observe(room_id)
        yield Observe(room_id)
        yield Pause(room_id, rng.random() < 0.3)
        yield Pause(room_id, False)
        yield Step(room_id, rng.random() < 0.1)
        if rng.random() < 0.2:
            yield Cancel(room_id)

    def _move(self, room: PenguinsTable) -> Room:
        moves = legal_actions(room.match.state)
        if not moves or self._rng.random() < 0.02:
            return Room(room.room_id, Move(None, Coordinates(1, 0)))
        return Room(room.room_id, self._rng.choice(moves))

    def _tables(self) -> Iterator[PenguinsTable]:
        for table in self._twins.tables.values():
            assert isinstance(table, PenguinsTable)
            yield table


@pytest.mark.parametrize("seed", range(6))
async def test_nobody_notices_that_the_process_has_died(
    seed: int, autojump_clock: MockClock
) -> None:
    async with open_twins(GAME, seed, SETTINGS) as twins:
        crowd = PenguinsCrowd(twins, seed)
        for _ in range(STEPS):
            await crowd.act()
        assert twins.deaths > 5
        heard = b"".join(frame for client in twins.clients for frame in client.heard)
        for kind in (b"moveRequest", b"<observed", b"<prepared", b"joinedGameRoom", b"<left"):
            assert kind in heard


async def test_a_guesser_that_waits_for_its_turn_still_waits(autojump_clock: MockClock) -> None:
    async with open_twins(GAME, 1, SETTINGS, risk=0) as twins:
        guesser = await twins.connect()
        for _ in range(6):
            await twins.say(guesser, Authenticate("guess"))
        await twins.say(guesser, Authenticate(PASSWORD))  # too early, so it has to wait
        await twins.say(guesser, Observe(ELSEWHERE))  # and so does whatever follows
        assert len(guesser.heard) == 6
        await twins.wait(0.25)
        twins.die()
        await twins.wait(0.5)
        assert len(guesser.heard) == 6
        await twins.wait(1.0)
        assert b"Couldn't find a room".replace(b"'", b"&apos;") in guesser.heard[6]


async def test_administrators_hear_news_in_the_order_in_which_they_came(
    autojump_clock: MockClock,
) -> None:
    """The messages of a turn leave in order, and one of them may be the last before a death."""
    async with open_twins(GAME, 1, SETTINGS, risk=0) as twins:
        clients = [await twins.connect() for _ in range(3)]
        for client in clients[::-1]:
            await twins.say(client, Authenticate(PASSWORD))
        await twins.hang_up(clients[1])
        twins.die()
        assert admins_of(twins.mortal) == [3, 1]
        await twins.say(clients[0], Join())
        assert b"<joinedGameRoom" in clients[2].heard[-1]


def reception_of(phoenix: Phoenix) -> PenguinsReception:
    reception = phoenix.endpoint.hall.foyer.reception
    assert isinstance(reception, PenguinsReception)
    return reception


def admins_of(phoenix: Phoenix) -> list[int]:
    return [client.number for client in reception_of(phoenix)._admins]


async def test_administrators_are_known_without_a_memory_of_this_version(
    autojump_clock: MockClock,
) -> None:
    async with open_twins(GAME, 1, SETTINGS, risk=0) as twins:
        for client in [await twins.connect() for _ in range(3)][1:]:
            await twins.say(client, Authenticate(PASSWORD))
        endpoint = twins.mortal.endpoint
        again = PenguinsReception(endpoint.hall.desk, Settings())
        again.recall(None, sorted(endpoint.clients, key=lambda client: client.number))
        assert [client.number for client in again._admins] == [2, 3]


async def test_what_is_remembered_is_made_anew_only_if_it_has_changed(
    autojump_clock: MockClock,
) -> None:
    async with open_twins(GAME, 1, SETTINGS, risk=0) as twins:
        reception = reception_of(twins.mortal)
        memory = reception.remember()
        players = [await twins.connect() for _ in range(2)]
        for player in players:
            await twins.say(player, Join())
        assert reception.remember() is memory
        for password, kind in (("guess", "guesses"), (PASSWORD, "admins")):
            stranger = await twins.connect()
            await twins.say(stranger, Authenticate(password))
            changed = reception.remember()
            assert getattr(changed, kind) != getattr(memory, kind)
            memory = changed
        await twins.hang_up(stranger)
        assert reception.remember().admins == ()


async def test_the_password_is_in_no_recipe(autojump_clock: MockClock) -> None:
    settings = {**SETTINGS, "password": "open sesame"}
    async with open_twins(GAME, 1, settings, risk=0) as twins:
        await twins.open(Opening())
        await twins.say(await twins.connect(), Join())
        recipes = [plain.write(table.recipe) for table in twins.tables.values()]
        assert len(recipes) == 2
        assert b"sesame" not in b"".join(recipes)
