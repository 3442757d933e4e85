"""What every game promises about its clauses."""

import random
import re
from collections.abc import Iterable

import pytest
from trio.testing import MockClock

from ludothek.contract.codec import Malformed
from ludothek.testing.disturbances import GARBAGE, nonsense
from ludothek.testing.fair import virtual_clock
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.suite import Suite
from ludothek.testing.witness import witnessed

# Those of the document begin with its own numbers or names.
_ID = re.compile(r"[0-9A-Z][0-9A-Za-z]*(\.[0-9A-Za-z]+)*|ours(\.[a-z0-9-]+)+")


class ClauseSuite(Suite):
    """The clauses of a game, and that nothing is refused without one."""

    def test_every_clause_is_complete(self) -> None:
        for key, clause in self.game.clauses.items():
            assert _ID.fullmatch(key), key
            assert key.startswith("ours.") is clause.ours, key
            assert all((clause.section, clause.reading)), key
            for example in (clause.good, clause.bad):
                assert example.message or example.when, key
            assert clause.good != clause.bad, key

    @pytest.mark.trio
    async def test_the_good_example_of_every_clause_can_be_read(self) -> None:
        codec = self.game.codec(virtual_clock(), self.game.settings())
        good = {key: clause.good.message for key, clause in self.game.clauses.items()}
        read = {key: codec.decode_request(text.encode()) for key, text in good.items() if text}
        assert read, "at least one clause is about a message"
        assert {key: each for key, each in read.items() if isinstance(each, Malformed)} == {}

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(3))
    async def test_nothing_is_refused_without_naming_a_clause(
        self, seed: int, mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rng = random.Random(seed)
        heard: list[bytes] = []

        def meddle(player: Participant) -> Iterable[bytes]:
            heard.extend(frame for _, frame in player.transcript[-2:])
            if rng.random() < 0.2:
                yield nonsense(rng, heard)

        with witnessed(monkeypatch) as witness:
            async with self.open_fair(seed) as fair:
                for garbage in GARBAGE:
                    await fair.connect().send(garbage)
                await perform(fair, self.game, mock_clock, seed, meddle)
        assert witness.unexplained == []
        assert witness.breaches
