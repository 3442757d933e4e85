"""What every game promises to people who play it on the page."""

import pickle
import random
from typing import Any

import orjson
import pytest
from trio.testing import MockClock

from ludothek.contract.player import Question
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.suite import Suite

# English and German.
LANGUAGES = 2


class AskingSuite(Suite):
    """Matches between players that ask what to do; a game that has none says so."""

    def test_a_game_that_can_be_played_on_the_page_can_also_be_shown_there(self) -> None:
        page = self.game.page
        movable = page is not None and page.move is not None
        assert movable is (self.game.invitations is not None)

    def test_the_strengths_of_the_computer_have_a_text_in_each_language(self) -> None:
        page = self.game.page
        if page is None or self.game.invitations is None:
            return
        words = (page.files / "words.js").read_text(encoding="utf-8")
        texts = {name: words.count(f'"strength.{name}": "') for name in self.game.difficulties}
        assert texts == dict.fromkeys(self.game.difficulties, LANGUAGES)

    @pytest.mark.trio
    async def test_people_who_answer_at_random_reach_the_end(self, mock_clock: MockClock) -> None:
        asked = 0
        rng = random.Random(1)

        def answer(participant: Participant, question: Question) -> Any:
            nonlocal asked
            asked += 1
            self._check_moves(question)
            # Another process goes on with the question, and the move fits what is known there.
            player, again = pickle.loads(pickle.dumps((participant.player, question)))
            move = rng.choice([*again.moves])
            encode = participant.codec.encode
            assert encode(again.say(move)) == encode(question.say(move))
            participant.player = player
            return move

        if self.game.invitations is None:
            return
        async with self.open_fair() as fair:
            people = await perform(fair, self.game, mock_clock, 1, answer=answer)
            assert fair.endpoint.hall.crashes == 0
        assert asked
        assert [one.report.errors for one in people if one.report] == [0] * self.game.players

    def _check_moves(self, question: Question) -> None:
        """There is a choice, and all moves look different in the browser."""
        page = self.game.page
        assert page is not None
        assert page.move is not None
        shown = [orjson.dumps(page.move(move)) for move in question.moves]
        assert len({*shown}) == len(shown) > 0
