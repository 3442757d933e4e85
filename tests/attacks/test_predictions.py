"""What is secret cannot be computed from what is public.

An id is made of four 32-bit numbers, the first of which are its last digits. With Python's own
generator the first eight digits of an id could be computed from three earlier ones: those 156, 155
and 56 before it.
"""

import random

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.chance import random_uuid
from tests.games.penguins.scene import connect, penguins_fair, prepare
from tests.games.qwirkle.party import CALM, virtual_party
from tests.games.roborally.client import RoboRallyClient
from tests.support.helpers import Peer, open_fair
from tests.support.hexxagon import HexxagonClient
from tests.support.mersenne import follows_mersenne_twister, next_word

ENOUGH = 160


def predicted(ids: list[str]) -> str:
    """How the next id would begin."""
    upper, lower, middle = (int(ids[-back].replace("-", ""), 16) for back in (156, 155, 56))
    return f"{next_word(upper >> 96, lower & 0xFFFFFFFF, middle & 0xFFFFFFFF):08x}"


def test_the_prediction_is_right_for_a_mersenne_twister() -> None:
    rng = random.Random(5)
    ids = [random_uuid(rng) for _ in range(300)]
    assert all(ids[n].startswith(predicted(ids[:n])) for n in range(156, 300))
    assert follows_mersenne_twister([rng.getrandbits(32) for _ in range(700)])


async def test_reservation_codes_cannot_be_computed_from_room_ids() -> None:
    async with penguins_fair() as fair:
        rooms = []
        for _ in range(ENOUGH):
            player = connect(fair)
            await player.join()
            rooms.append(player.room_id)
            await player.finish()  # the room ends with its only player
        assert len(set(rooms)) == ENOUGH
        prepared = await prepare(connect(fair))
        assert not prepared.codes[0].startswith(predicted(rooms))


async def test_users_cannot_compute_who_comes_next() -> None:
    async with open_fair("hexxagon") as fair:
        ids = [(await HexxagonClient.arrive(Peer(fair.connect()))).id for _ in range(ENOUGH)]
        newest = await HexxagonClient.arrive(Peer(fair.connect()))
        assert not newest.id.startswith(predicted(ids))


async def test_a_player_of_qwirkle_cannot_watch_its_own_game_where_hands_are_secret() -> None:
    async with virtual_party(spectators=1, settings={"secret_hands": True}, **CALM) as found:
        await found.start()
        (anna, bert), (xaver,) = found.players, found.spectators
        for question in (423, 425):
            await xaver.refused(900, question)
        assert (await xaver.ask(498, 499))["ownTiles"] == []
        await bert.ask(405, 406)
        for guest in (anna, xaver):
            await guest.hear(406, 401, 407)
        assert len((await xaver.ask(423, 424))["bag"]) == 102
        assert (await xaver.ask(425, 426))["hands"] == [[anna.info, anna.hand]]


@pytest.mark.parametrize("game", ["hexxagon", "penguins", "quidditch", "qwirkle", "roborally"])
async def test_no_table_draws_from_a_generator_that_can_be_computed(game: str) -> None:
    async with open_fair(game) as fair:
        hall = fair.endpoint.hall
        seen = [hall.desk.chance_for("table", nth).random() for nth in range(2)]
        for rng in (hall.desk.ids, *seen):
            assert not follows_mersenne_twister([rng.getrandbits(32) for _ in range(700)])
        assert seen[0].getrandbits(64) != seen[1].getrandbits(64)


async def test_company_does_not_do_the_same_at_every_visit(autojump_clock: MockClock) -> None:
    async with open_fair("roborally", settings={"bots": 1}) as fair:
        figures = []
        for _ in range(8):
            person = await RoboRallyClient.arrive(Peer(fair.connect()))
            figures.append((await person.hear_until("PlayerAdded"))["figure"])
            await person.peer.link.aclose()
            await wait_all_tasks_blocked()
        assert len(set(figures)) > 2
