"""Phases, their order, the timer, the shop, and players who leave and come back."""

import random
from collections.abc import Callable

import attrs
import pytest

from games.roborally import courses
from games.roborally.rules import (
    BuyUpgrade,
    Card,
    Cell,
    Direction,
    EndTimer,
    Mistake,
    Phase,
    PlayCard,
    Program,
    Purchase,
    RegisterCard,
    SelectedCard,
    SetStartingPoint,
    StartPoint,
    State,
    Upgrade,
    apply,
    default_action,
    ignore,
    legal_actions,
    rejoin,
    remove,
    start,
)
from games.roborally.rules import events as ev
from games.roborally.rules.steps import Stage, Suffer
from tests.games.roborally.audit import audit
from tests.games.roborally.boards import change, do, on, play, refused

RNG = random.Random(1)


def begin(players: int = 2, course: str = "DizzyHighway") -> tuple[State, tuple[ev.Event, ...]]:
    return start(courses.load(course), range(1, players + 1), random.Random(1))


def until(state: State, done: Callable[[State], bool]) -> tuple[State, tuple[ev.Event, ...]]:
    """Let everybody do the default until something holds."""
    told: tuple[ev.Event, ...] = ()
    while not done(state):
        state, events = do(state, default_action(state, state.deciding[0]))
        told += events
    return state, told


def in_phase(phase: Phase, players: int = 2, round_number: int = 1) -> State:
    state, _ = begin(players)
    return until(state, lambda s: s.phase is phase and s.round == round_number)[0]


def kinds(events: tuple[ev.Event, ...]) -> list[str]:
    return [type(event).__name__ for event in events]


class TestSetup:
    def test_the_shop_is_filled_before_the_first_player_is_called(self) -> None:
        state, events = begin(3)
        assert kinds(events) == ["ActivePhase", "RefillShop", "CurrentPlayer"]
        assert len(state.shop) == 3
        assert state.pending == StartPoint(1)

    def test_start_points_are_chosen_in_order_and_robots_look_away_from_the_antenna(self) -> None:
        state, _ = begin()
        assert refused(state, SetStartingPoint(2, 1, 1)) is Mistake.NOT_YOUR_TURN
        assert refused(state, SetStartingPoint(1, 2, 2)) is Mistake.NO_START_POINT
        state, events = do(state, SetStartingPoint(1, 1, 1))
        assert events == (ev.StartingPointTaken(1, 1, 1), ev.CurrentPlayer(2))
        assert refused(state, SetStartingPoint(2, 1, 1)) is Mistake.START_POINT_TAKEN
        assert state.player(1).facing is Direction.RIGHT

    def test_the_last_start_point_opens_the_upgrade_phase(self) -> None:
        state, _ = begin()
        state, events = do(state, SetStartingPoint(1, 1, 8), SetStartingPoint(2, 1, 5))
        assert events[-2:] == (ev.ActivePhase(1), ev.CurrentPlayer(2))
        assert state.pending == Purchase(2)


class TestShop:
    def shop(self, *cards: Upgrade) -> State:
        state = in_phase(Phase.UPGRADE)
        return attrs.evolve(state, shop=cards)

    def test_a_purchase_costs_energy(self) -> None:
        state = self.shop(Upgrade.BOINK, Upgrade.CACHE_MEMORY)
        (player_id,) = state.deciding
        state, events = do(state, BuyUpgrade(player_id, Upgrade.CACHE_MEMORY))
        assert events[:2] == (
            ev.UpgradeBought(player_id, Upgrade.CACHE_MEMORY),
            ev.Energy(player_id, 1, "upgrade"),
        )
        assert state.shop == (Upgrade.BOINK,)

    def test_purchases_that_are_impossible(self) -> None:
        state = self.shop(Upgrade.BOINK, Upgrade.CACHE_MEMORY)
        (player_id,) = state.deciding
        assert refused(state, BuyUpgrade(player_id, Upgrade.HACK)) is Mistake.NOT_IN_SHOP
        assert refused(state, BuyUpgrade(3 - player_id, None)) is Mistake.NOT_YOUR_TURN
        poor = change(state, player_id, energy=3)
        assert refused(poor, BuyUpgrade(player_id, Upgrade.CACHE_MEMORY)) is Mistake.TOO_EXPENSIVE
        full = change(state, player_id, upgrades=(Upgrade.HACK,) * 3)
        mistake = refused(full, BuyUpgrade(player_id, Upgrade.BOINK))
        assert mistake is Mistake.TOO_MANY_UPGRADES
        do(full, BuyUpgrade(player_id, Upgrade.CACHE_MEMORY))

    def test_without_a_purchase_the_whole_shop_is_exchanged(self) -> None:
        state = in_phase(Phase.UPGRADE)
        before = state.shop
        state, events = until(state, lambda s: s.round == 2)
        exchanged = next(event for event in events if isinstance(event, ev.ExchangeShop))
        assert exchanged.cards == state.shop
        assert state.upgrade_discard == before

    def test_after_a_purchase_only_the_empty_place_is_filled(self) -> None:
        state = in_phase(Phase.UPGRADE)
        card = min(state.shop, key=lambda card: card.value)
        state, _ = do(
            change(state, state.deciding[0], energy=9), BuyUpgrade(state.deciding[0], card)
        )
        kept = state.shop
        state, events = until(state, lambda s: s.round == 2)
        refilled = next(event for event in events if isinstance(event, ev.RefillShop))
        assert state.shop == kept + refilled.cards
        assert len(refilled.cards) == 1

    def test_the_discarded_upgrades_are_shuffled_when_the_deck_is_empty(self) -> None:
        state = attrs.evolve(
            in_phase(Phase.UPGRADE), upgrade_deck=(), upgrade_discard=(Upgrade.HACK,), shop=()
        )
        state, _ = play(attrs.evolve(state, round=2), Stage.UPGRADE_PHASE)
        assert state.shop == (Upgrade.HACK,)


class TestProgramming:
    def test_nine_cards_are_dealt_and_only_their_owner_sees_them(self) -> None:
        state, _ = begin()
        state, events = until(state, lambda s: s.phase is Phase.PROGRAMMING)
        hand = state.player(1).hand
        assert len(hand) == 9
        assert ev.YourCards(1, hand, 11) in events
        assert ev.NotYourCards(1, 9, 11) in events

    def test_decks_run_down_and_are_shuffled(self) -> None:
        """V34."""
        state = in_phase(Phase.PROGRAMMING)
        sizes = []
        for _ in range(3):
            player = state.player(1)
            sizes.append((len(player.deck), len(player.hand), len(player.discard)))
            state = change(state, 1, hand=(), discard=player.hand + player.discard)
            state, _ = play(change(state, 2, deck=(Card.MOVE_I,) * 9), Stage.PROGRAMMING_PHASE)
        assert sizes == [(11, 9, 0), (2, 9, 9), (11, 9, 0)]

    def test_registers_can_be_changed_and_emptied(self) -> None:
        state = change(in_phase(Phase.PROGRAMMING), 1, hand=(Card.MOVE_I, Card.BACK_UP))
        state, events = do(state, SelectedCard(1, Card.MOVE_I, 3), SelectedCard(1, Card.BACK_UP, 3))
        assert state.player(1).hand == (Card.MOVE_I,)
        state, more = do(state, SelectedCard(1, None, 3))
        assert sorted(state.player(1).hand) == [Card.BACK_UP, Card.MOVE_I]
        assert events + more == (ev.CardSelected(1, 3),) * 3

    @pytest.mark.parametrize(
        ("card", "register", "mistake"),
        [
            (Card.MOVE_I, 0, Mistake.NO_SUCH_REGISTER),
            (Card.MOVE_I, 6, Mistake.NO_SUCH_REGISTER),
            (Card.U_TURN, 2, Mistake.NOT_IN_HAND),
            (Card.AGAIN, 1, Mistake.NOTHING_TO_REPEAT),
        ],
    )
    def test_impossible_selections(self, card: Card, register: int, mistake: Mistake) -> None:
        state = change(in_phase(Phase.PROGRAMMING), 1, hand=(Card.MOVE_I, Card.AGAIN))
        assert refused(state, SelectedCard(1, card, register)) is mistake

    def test_the_first_to_finish_starts_the_timer_and_the_last_one_ends_it(self) -> None:
        state = in_phase(Phase.PROGRAMMING)
        state, events = until(state, lambda s: s.player(1).finished)
        assert kinds(events)[-2:] == ["SelectionFinished", "TimerStarted"]
        assert refused(state, SelectedCard(1, None, 1)) is Mistake.ALREADY_FINISHED
        state, events = until(state, lambda s: s.phase is Phase.ACTIVATION)
        assert kinds(events)[-5:] == [
            "SelectionFinished",
            "TimerEnded",
            "ActivePhase",
            "CurrentCards",
            "CurrentPlayer",
        ]
        assert ev.TimerEnded(()) in events

    def test_a_single_player_needs_no_timer(self) -> None:
        state, _ = begin(1)
        _, events = until(state, lambda s: s.phase is Phase.ACTIVATION)
        assert not {"TimerStarted", "TimerEnded"} & set(kinds(events))

    def test_slow_players_get_cards_blindly(self) -> None:
        """V38."""
        state = in_phase(Phase.PROGRAMMING, players=4)
        for player_id in (1, 2):
            state, _ = until(state, lambda s, n=player_id: s.player(n).finished)  # type: ignore[misc]
        card = next(card for card in state.player(3).hand if card is not Card.AGAIN)
        state, _ = do(state, SelectedCard(3, card, 2))
        top = state.player(3).deck[:4]
        state, events = do(state, EndTimer())
        assert events[:3] == (
            ev.TimerEnded((3, 4)),
            ev.CardsYouGotNow(3, top),
            ev.CardsYouGotNow(4, tuple(c for c in state.player(4).registers if c)),
        )
        assert state.player(3).registers == (top[0], card, *top[1:])
        assert all(player.hand == () for player in state.players)
        assert state.phase is Phase.ACTIVATION


class TestActivation:
    def test_only_the_current_player_plays_and_only_the_card_of_the_register(self) -> None:
        state = in_phase(Phase.ACTIVATION)
        first, second = state.order
        assert state.pending == RegisterCard(first)
        card = state.player(second).registers[0]
        assert card is not None
        assert refused(state, PlayCard(second, card)) is Mistake.NOT_YOUR_TURN
        assert refused(state, PlayCard(first, Card.WORM)) is Mistake.NOT_IN_REGISTER
        assert refused(state, SelectedCard(first, None, 1)) is Mistake.WRONG_PHASE
        assert refused(state, EndTimer()) is Mistake.WRONG_PHASE

    def test_phases_take_turns(self) -> None:
        """V39."""
        state, events = begin()
        state, more = until(state, lambda s: s.round == 3)
        phases = [event.phase for event in events + more if isinstance(event, ev.ActivePhase)]
        assert phases == [0, 1, 2, 3, 1, 2, 3, 1]

    def test_rebooted_robots_are_left_out_but_the_belts_run_on(self) -> None:
        robots = {1: ((4, 8), ">"), 2: ((1, 1), ">")}
        state = on(courses.load("DizzyHighway"), robots)
        state = change(change(state, 1, rebooted=True), 2, rebooted=True)
        state = attrs.evolve(state, register=1)
        state, events = play(state, Stage.REGISTER, Stage.BLUE_BELTS)
        assert kinds(events) == ["Movement"]
        assert state.player(1).position == Cell(4, 7)

    def test_the_first_in_order_wins_when_two_arrive_at_the_last_checkpoint(self) -> None:
        state = on(courses.load("DizzyHighway"), {1: ((12, 6), ">"), 2: ((1, 1), ">")})
        state, events = play(state, Stage.CHECKPOINTS)
        assert events == (ev.CheckPointReached(1, 1), ev.GameFinished(1))
        assert state.over
        assert state.pending is None
        assert legal_actions(state, 2) == []
        assert refused(state, PlayCard(1, Card.MOVE_I)) is Mistake.GAME_OVER

    def test_checkpoints_count_only_in_their_order(self) -> None:
        state = on(courses.load("RiskyCrossing"), {1: ((11, 9), ">")})
        state, events = play(state, Stage.CHECKPOINTS)
        assert events == ()
        state, events = play(change(state, 1, checkpoint=1), Stage.CHECKPOINTS)
        assert events[0] == ev.CheckPointReached(1, 2)


class TestGoing:
    @pytest.mark.parametrize("phase", list(Phase))
    def test_the_game_goes_on_without_a_removed_player(self, phase: Phase) -> None:
        state = in_phase(phase, players=3)
        beginning = state
        for player_id in (2, 1):
            state, _ = remove(state, player_id, RNG)
            audit(state, beginning)
            assert state.deciding == (3,) if player_id == 1 else 2 not in state.deciding
        state, _ = until(state, lambda s: s.round == 2)
        state, _ = remove(state, 3, RNG)
        assert state.over
        assert state.pending is None

    def test_removing_the_last_one_who_programs_ends_the_phase(self) -> None:
        state, _ = until(in_phase(Phase.PROGRAMMING), lambda s: s.player(1).finished)
        state, events = remove(state, 2, RNG)
        assert kinds(events)[:2] == ["TimerEnded", "ActivePhase"]

    def test_damage_of_a_removed_player_returns_to_the_piles(self) -> None:
        state, _ = play(in_phase(Phase.PROGRAMMING), Suffer(1, Card.SPAM, 3))
        assert state.piles[Card.SPAM] == 35
        state, _ = remove(state, 1, RNG)
        assert state.piles[Card.SPAM] == 38

    @pytest.mark.parametrize("phase", list(Phase))
    def test_an_ignored_robot_stays_and_nobody_waits_for_it(self, phase: Phase) -> None:
        state = in_phase(phase)
        state, _ = ignore(state, 1, RNG)
        assert refused(state, PlayCard(1, Card.MOVE_I)) is Mistake.NOT_PLAYING
        state, events = until(state, lambda s: s.round == 2 and s.phase is Phase.ACTIVATION)
        assert state.player(1).position is not None
        assert not any(e == ev.CurrentPlayer(1) for e in events)

    @pytest.mark.parametrize("phase", list(Phase))
    def test_an_ignored_player_can_come_back(self, phase: Phase) -> None:
        beginning = in_phase(phase)
        state, _ = ignore(beginning, 1, RNG)
        state, _ = rejoin(state, 1, RNG)
        state, events = until(state, lambda s: s.round == 2 and s.phase is Phase.ACTIVATION)
        audit(state, beginning)
        assert any(isinstance(e, ev.YourCards) and e.player_id == 1 for e in events)
        assert state.player(1).registers.count(None) == 0

    def test_a_player_who_comes_back_while_all_program_gets_a_hand(self) -> None:
        state, _ = ignore(in_phase(Phase.UPGRADE), 1, RNG)
        state, _ = until(state, lambda s: s.phase is Phase.PROGRAMMING)
        state, events = rejoin(state, 1, RNG)
        assert kinds(events)[-2:] == ["YourCards", "NotYourCards"]
        assert state.pending == Program()
        assert 1 in state.deciding

    def test_the_game_rests_while_everybody_is_away(self) -> None:
        state, _ = ignore(in_phase(Phase.PROGRAMMING), 1, RNG)
        state, _ = ignore(state, 2, RNG)
        assert state.pending is None
        assert state.deciding == ()
        state, _ = rejoin(state, 2, RNG)
        assert state.deciding == (2,)

    def test_nobody_is_asked_for_a_card_that_was_thrown_away(self) -> None:
        state = in_phase(Phase.ACTIVATION)
        first, second = state.order
        for player_id in (second, first):
            state, _ = ignore(state, player_id, RNG)
        state, _ = rejoin(state, first, RNG)
        assert state.deciding == (first,)
        assert not isinstance(state.pending, RegisterCard)
        until(state, lambda s: s.round == 3)

    @pytest.mark.parametrize("phase", [Phase.SETUP, Phase.UPGRADE])
    def test_who_comes_back_first_hears_that_it_is_his_turn(self, phase: Phase) -> None:
        before = in_phase(phase)
        (current,) = before.deciding
        state, _ = ignore(before, 3 - current, RNG)
        state, _ = ignore(state, current, RNG)
        state, events = rejoin(state, current, RNG)
        assert state.pending == before.pending
        assert events == (ev.CurrentPlayer(current),)

    def test_who_comes_back_first_hears_of_the_damage_to_choose(self) -> None:
        state = in_phase(Phase.ACTIVATION)
        state = attrs.evolve(state, piles={**state.piles, Card.SPAM: 0})
        state, _ = play(state, Suffer(1, Card.SPAM, 2))
        for player_id in (2, 1):
            state, _ = ignore(state, player_id, RNG)
        _, events = rejoin(state, 1, RNG)
        assert events == (ev.PickDamage(1, 2),)

    def test_who_comes_back_first_is_not_asked_for_another(self) -> None:
        state, _ = ignore(in_phase(Phase.SETUP), 2, RNG)
        state, _ = ignore(state, 1, RNG)
        _, events = rejoin(state, 2, RNG)
        assert kinds(events) == ["StartingPointTaken", "CurrentPlayer"]
        assert events[-1] == ev.CurrentPlayer(2)

    def test_who_is_away_gets_damage_without_choosing(self) -> None:
        state, _ = ignore(in_phase(Phase.PROGRAMMING), 1, RNG)
        state = attrs.evolve(state, piles={**state.piles, Card.SPAM: 0})
        _, events = play(state, Suffer(1, Card.SPAM, 1))
        assert events == (ev.DrawDamage(1, (Card.TROJAN,)),)


def test_the_old_state_is_untouched() -> None:
    state = in_phase(Phase.ACTIVATION)
    copy = attrs.evolve(state)
    until(state, lambda s: s.round == 2)
    assert state == copy


def test_the_same_seed_gives_the_same_game() -> None:
    def play_once() -> State:
        rng, (state, _) = random.Random(3), begin(3)
        while state.round < 3:
            actions = [a for n in state.deciding for a in legal_actions(state, n)]
            state, _ = apply(state, rng.choice(actions), rng)
        return state

    assert play_once() == play_once()
