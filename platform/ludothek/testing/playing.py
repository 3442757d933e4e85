"""What every game promises while it is played."""

import random
from collections.abc import Iterable

import pytest
from trio.testing import MockClock, wait_all_tasks_blocked

from ludothek.contract.codec import Malformed
from ludothek.contract.mistakes import RuleViolation
from ludothek.testing.disturbances import GARBAGE, give_orders, nonsense
from ludothek.testing.effects import EffectLog
from ludothek.testing.fair import virtual_clock
from ludothek.testing.lockstep import Participant, perform
from ludothek.testing.suite import Suite
from ludothek.testing.visitors import assert_plain


class PlayingSuite(Suite):
    """Matches between random players, with and without disturbance."""

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(2))
    async def test_seeded_random_play_reaches_the_end(
        self, seed: int, mock_clock: MockClock
    ) -> None:
        players = await self.play(mock_clock, seed)
        assert [one.report is not None for one in players] == [True] * self.game.players
        assert [one.report.errors for one in players if one.report] == [0] * self.game.players

    @pytest.mark.trio
    async def test_the_same_seed_gives_the_same_bytes(self, mock_clock: MockClock) -> None:
        first = await self.transcripts(mock_clock, seed=1)
        again = [one.transcript for one in await self.play(mock_clock, seed=1)]
        assert first == again

    @pytest.mark.trio
    async def test_another_seed_gives_another_game(self, mock_clock: MockClock) -> None:
        first, other = [await self.transcripts(mock_clock, seed) for seed in (1, 2)]
        assert first != other

    @pytest.mark.trio
    async def test_every_message_survives_a_round_trip(self, mock_clock: MockClock) -> None:
        codec = self.game.codec(virtual_clock(), self.game.settings())
        for transcript in await self.transcripts(mock_clock, seed=2):
            assert transcript
            for _, frame in transcript:
                message = codec.decode(frame)
                assert not isinstance(message, Malformed)
                assert codec.decode(codec.encode(message)) == message

    def test_legal_actions_are_accepted_and_others_refused(self) -> None:
        rules, rng = self.game.rules, random.Random(3)
        elsewhere = [action for seed in range(5) for action in self._some_actions(seed)]
        state = rules.start(rng)
        refused = 0
        while not rules.over(state):
            legal = list(rules.legal_actions(state))
            assert legal, "somebody can act until the end"
            for action in rng.sample(legal, min(5, len(legal))):
                rules.apply(state, action, rng)
            for action in rng.sample(elsewhere, 10):
                if action not in legal:
                    refused += 1
                    with pytest.raises(RuleViolation):
                        rules.apply(state, action, rng)
            state = rules.apply(state, rng.choice(legal), rng)
        assert refused > 20
        with pytest.raises(RuleViolation):
            rules.apply(state, legal[0], rng)

    def _some_actions(self, seed: int) -> Iterable[object]:
        """Actions that were legal at some point of another game."""
        rules, rng = self.game.rules, random.Random(seed)
        state = rules.start(rng)
        while not rules.over(state):
            actions = list(rules.legal_actions(state))
            yield rng.choice(actions)
            state = rules.apply(state, rng.choice(actions), rng)

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(6))
    async def test_garbage_at_any_point_crashes_nothing(
        self, seed: int, mock_clock: MockClock
    ) -> None:
        """Nonsense, damaged messages, and valid ones at the wrong time or from the wrong player."""
        rng = random.Random(seed)
        heard: list[bytes] = []

        def meddle(player: Participant) -> Iterable[bytes]:
            assert_plain(fair.endpoint.clients)
            heard.extend(frame for _, frame in player.transcript[-2:])
            if rng.random() < 0.1:
                yield nonsense(rng, heard)

        async with self.open_fair(seed) as fair:
            await perform(fair, self.game, mock_clock, seed, meddle)
            assert fair.endpoint.hall.crashes == 0

    @pytest.mark.trio
    async def test_a_match_goes_well_beside_all_kinds_of_garbage(
        self, mock_clock: MockClock
    ) -> None:
        async with self.open_fair() as fair:
            for garbage in GARBAGE:
                await fair.connect().send(garbage)
            players = await perform(fair, self.game, mock_clock, seed=1)
            assert all(one.report for one in players)
            assert fair.endpoint.hall.crashes == 0

    @pytest.mark.trio
    @pytest.mark.parametrize("seed", range(4))
    async def test_an_order_at_any_point_is_obeyed_or_refused(
        self, seed: int, mock_clock: MockClock
    ) -> None:
        rng = random.Random(seed)
        often = (0.02, 0.1, 0.3, 0.6)[seed]  # early in a match, or late

        def meddle(player: Participant) -> Iterable[bytes]:
            if rng.random() < often:
                give_orders(fair, rng)
            return ()

        async with self.open_fair(seed) as fair:
            fair.connect()  # a client in no lobby
            await wait_all_tasks_blocked()
            await perform(fair, self.game, mock_clock, seed, meddle)
            assert fair.endpoint.hall.crashes == 0

    @pytest.mark.trio
    async def test_what_is_known_of_a_connection_can_be_written_down_at_any_time(
        self, mock_clock: MockClock
    ) -> None:
        most = 0

        def meddle(player: Participant) -> Iterable[bytes]:
            nonlocal most
            most = max(most, assert_plain(fair.endpoint.clients))
            return ()

        async with self.open_fair() as fair:
            await perform(fair, self.game, mock_clock, 1, meddle)
        assert most == self.game.players, "each client has a visitor"

    @pytest.mark.trio
    async def test_tables_and_receptions_have_effects_of_their_own_kinds(
        self, mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log = EffectLog(monkeypatch)
        async with self.open_fair() as fair:
            log.follow(fair.endpoint.hall)
            await perform(fair, self.game, mock_clock, 1)
        log.check()
