"""Somebody who plays on the page when the process dies."""

import random

import pytest
import trio
from trio.testing import MockClock

from games.hexxagon import GAME as HEXXAGON
from games.penguins import GAME as PENGUINS
from ludothek.contract.game import Game
from ludothek.runtime.people import Wish
from ludothek.runtime.person import Ending, Person
from ludothek.testing.phoenix import Phoenix


@pytest.mark.parametrize("game", [HEXXAGON, PENGUINS], ids=lambda game: game.name)
async def test_a_person_has_the_same_seat_and_question_in_each_life(
    game: Game, autojump_clock: MockClock
) -> None:
    """From the moment at which the browser is told of the seat."""
    wish = Wish(name="Ada", difficulty=len(game.difficulties) - 1)
    rng = random.Random(1)
    async with trio.open_nursery() as nursery:
        house = Phoenix(nursery, game, 1, {})
        token = (await house.endpoint.people.seat(wish, "1.2.3.4:5")).ticket.token
        house.die()
        person = returned(house, token)
        while await is_asked(person):
            asked, question = person.inquiry.asked, person.inquiry.question
            assert question is not None
            if asked % 5 == 1:
                house.die()
                person = returned(house, token)
                assert await is_asked(person)
                again = person.inquiry.question
                assert again is not None
                assert (person.inquiry.asked, again.moves) == (asked, question.moves)
            person.answer(asked, rng.randrange(len(question.moves)))
        assert person.outcome is not None
        assert person.outcome.ending is Ending.REGULAR
        assert house.deaths > 2
        assert not house.endpoint.hall.crashes
        nursery.cancel_scope.cancel()


def returned(house: Phoenix, token: str) -> Person:
    """The person that a browser finds again, which stays."""
    person = house.endpoint.people.find(token)
    assert person is not None
    person.arrive()
    return person


async def is_asked(person: Person) -> bool:
    """Wait until there is a question, or the game is over."""
    while person.inquiry.question is None and person.outcome is None:
        await person.changed.wait()
    return person.outcome is None
