"""What cards do: repetitions, damage, special cards, upgrades."""

import random
from collections import Counter

import attrs
import pytest

from games.roborally import courses
from games.roborally.rules import (
    Card,
    Cell,
    Damage,
    Direction,
    Mistake,
    PlayCard,
    SelectedCard,
    SelectedDamage,
    State,
    apply,
    default_action,
    legal_actions,
)
from games.roborally.rules import events as ev
from games.roborally.rules.steps import Execute, Fall, Suffer
from tests.games.roborally.audit import cards
from tests.games.roborally.boards import (
    FLOOR,
    change,
    do,
    on,
    places,
    play,
    program,
    refused,
    run_registers,
    scene,
)

SPAM, TROJAN, VIRUS, WORM = Card.SPAM, Card.TROJAN, Card.VIRUS, Card.WORM
MOVE_I, AGAIN = Card.MOVE_I, Card.AGAIN


class TestRepeating:
    def test_again_repeats_the_register_before(self) -> None:
        state, _ = run_registers(program(scene(FLOOR), 1, Card.MOVE_II, AGAIN), 2)
        assert places(state) == {1: (4, 3)}

    def test_again_after_again_goes_back_further(self) -> None:
        state, _ = run_registers(program(scene(FLOOR), 1, Card.MOVE_II, AGAIN, Card.REPEAT), 3)
        assert places(state) == {1: (6, 3)}

    def test_again_in_the_first_register_has_no_effect(self) -> None:
        """V41."""
        state, events = run_registers(program(scene(FLOOR), 1, AGAIN), 1)
        assert places(state) == {1: (0, 3)}
        assert ev.CardPlayed(1, AGAIN) in events

    def test_again_after_damage_plays_a_new_card(self) -> None:
        deck = (Card.POWER_UP, MOVE_I)
        state, events = run_registers(program(scene(FLOOR), 1, SPAM, AGAIN, deck=deck), 2)
        played = [event.card for event in events if isinstance(event, ev.CardPlayed)]
        assert played == [SPAM, Card.POWER_UP, AGAIN, MOVE_I]
        assert places(state) == {1: (1, 3)}
        assert state.player(1).discard == (MOVE_I,)

    def test_again_that_replaces_damage_repeats_the_register_before(self) -> None:
        state, _ = run_registers(program(scene(FLOOR), 1, MOVE_I, SPAM, deck=(AGAIN,)), 2)
        assert places(state) == {1: (2, 3)}

    def test_cards_drawn_for_again_may_be_damage_and_again(self) -> None:
        deck = (Card.POWER_UP, AGAIN, SPAM, MOVE_I)
        before = program(scene(FLOOR), 1, SPAM, AGAIN, deck=deck)
        state, _ = run_registers(before, 2)
        assert places(state) == {1: (1, 3)}
        assert cards(state) == cards(before)


class TestDamageCards:
    def test_spam_is_replaced_until_something_else_comes(self) -> None:
        before = program(scene(FLOOR), 1, SPAM, deck=(SPAM, MOVE_I))
        state, events = run_registers(before, 1)
        assert [e.card for e in events if isinstance(e, ev.CardPlayed)] == [SPAM, SPAM, MOVE_I]
        assert places(state) == {1: (1, 3)}
        assert state.piles[SPAM] == before.piles[SPAM] + 2
        assert state.player(1).registers[0] is MOVE_I

    def test_a_trojan_brings_two_spam(self) -> None:
        state, events = run_registers(program(scene(FLOOR), 1, TROJAN, deck=(MOVE_I,)), 1)
        assert ev.DrawDamage(1, (SPAM, SPAM)) in events
        assert places(state) == {1: (1, 3)}
        assert state.player(1).discard == (SPAM, SPAM)

    def test_a_virus_infects_robots_up_to_six_steps_away(self) -> None:
        text = FLOOR.replace("1>  .  .  .  .  .  .  .", "1>  2^  .  .  .  .  3^  4^")
        _, events = run_registers(program(scene(text), 1, VIRUS, deck=(MOVE_I,)), 1)
        damage = [event for event in events if isinstance(event, ev.DrawDamage)]
        assert {event.player_id: event.cards for event in damage} == {2: (VIRUS,), 3: (VIRUS,)}

    def test_a_worm_reboots(self) -> None:
        before = program(
            scene(FLOOR.replace(".", "X>", 1)), 1, MOVE_I, WORM, MOVE_I, deck=(MOVE_I,)
        )
        state, events = run_registers(before, 3)
        assert [e for e in events if isinstance(e, ev.Reboot | ev.DrawDamage)] == [
            ev.Reboot(1),
            ev.DrawDamage(1, (SPAM, SPAM)),
        ]
        assert state.player(1).registers == (None,) * 5
        assert Counter(state.player(1).discard) == Counter({MOVE_I: 2, SPAM: 2})

    def test_an_empty_deck_is_shuffled_anew(self) -> None:
        state = change(program(scene(FLOOR), 1, SPAM), 1, discard=(MOVE_I,))
        state, events = run_registers(state, 1)
        assert ev.ShuffleCoding(1) in events
        assert places(state) == {1: (1, 3)}


class TestEmptyPiles:
    def few(self, spam: int, trojan: int = 0, virus: int = 0, worm: int = 0) -> State:
        piles = {SPAM: spam, TROJAN: trojan, VIRUS: virus, WORM: worm}
        return attrs.evolve(scene(FLOOR), piles=piles)

    def test_the_player_chooses_what_spam_does_not_cover(self) -> None:
        state, events = play(self.few(1, trojan=1, worm=1), Suffer(1, SPAM, 2))
        assert events == (ev.PickDamage(1, 1),)
        assert state.pending == Damage(1, SPAM, 1)
        state, events = apply(state, SelectedDamage(1, (WORM,)), random.Random(1))
        assert events == (ev.DrawDamage(1, (SPAM, WORM)),)
        assert state.player(1).discard[:2] == (SPAM, WORM)

    @pytest.mark.parametrize(
        ("chosen", "mistake"),
        [
            ((WORM, WORM), Mistake.WRONG_COUNT),
            ((), Mistake.WRONG_COUNT),
            ((VIRUS,), Mistake.NO_SUCH_DAMAGE),
            ((SPAM,), Mistake.NO_SUCH_DAMAGE),
            ((MOVE_I,), Mistake.NO_SUCH_DAMAGE),
        ],
    )
    def test_wrong_choices_are_refused(self, chosen: tuple[Card, ...], mistake: Mistake) -> None:
        state, _ = play(self.few(1, trojan=1, worm=1), Suffer(1, SPAM, 2))
        assert refused(state, SelectedDamage(1, chosen)) is mistake

    def test_nobody_does_anything_else_meanwhile(self) -> None:
        state, _ = play(self.few(0, trojan=1), Suffer(1, SPAM, 1))
        assert refused(state, PlayCard(1, MOVE_I)) is Mistake.WAITING_FOR_DAMAGE
        assert legal_actions(state, 1) == [SelectedDamage(1, (TROJAN,))]

    def test_less_is_chosen_when_less_is_left(self) -> None:
        _, events = play(self.few(0, virus=1), Suffer(1, SPAM, 3))
        assert events == (ev.PickDamage(1, 1),)

    def test_no_cards_no_damage(self) -> None:
        _, events = play(self.few(0), Suffer(1, SPAM, 3))
        assert events == ()

    def test_spam_may_be_chosen_for_a_missing_virus(self) -> None:
        state, events = play(self.few(3), Suffer(1, VIRUS, 1))
        assert events == (ev.PickDamage(1, 1),)
        assert legal_actions(state, 1) == [SelectedDamage(1, (SPAM,))]

    def test_who_does_not_choose_gets_trojans_first(self) -> None:
        state, _ = play(self.few(0, trojan=1, virus=1, worm=1), Suffer(1, SPAM, 2))
        assert default_action(state, 1) == SelectedDamage(1, (TROJAN, VIRUS))

    def test_a_move_goes_on_after_the_choice(self) -> None:
        text = "X>  .  .  .\n1>  2^  PIT  .\n"
        state = attrs.evolve(scene(text), piles={SPAM: 0, TROJAN: 2, VIRUS: 0, WORM: 0})
        state, _ = play(state, Execute(1, Card.MOVE_II))
        assert places(state) == {1: (1, 0), 2: (0, 1)}
        state, events = apply(state, default_action(state, 2), random.Random(1))
        # The second step leads into the same pit.
        assert ev.Reboot(1) in events
        assert places(state) == {1: (0, 1), 2: (1, 1)}


class TestSpecialCards:
    def test_speed_is_three_steps(self) -> None:
        state, _ = run_registers(program(scene(FLOOR), 1, Card.SPEED), 1)
        assert places(state) == {1: (3, 3)}

    def test_energy(self) -> None:
        _, events = run_registers(program(scene(FLOOR), 1, Card.ENERGY), 1)
        assert ev.Energy(1, 6, "card") in events

    @pytest.mark.parametrize(
        ("card", "choice", "place", "facing"),
        [
            (Card.WEASEL, Card.U_TURN, (0, 3), Direction.LEFT),
            (Card.SANDBOX, Card.MOVE_III, (3, 3), Direction.RIGHT),
        ],
    )
    def test_routines_wait_for_a_choice(
        self, card: Card, choice: Card, place: tuple[int, int], facing: Direction
    ) -> None:
        state, _ = play(program(scene(FLOOR), 1, card), Execute(1, card))
        assert refused(state, PlayCard(1, Card.POWER_UP)) is Mistake.NOT_A_CHOICE
        assert refused(state, SelectedCard(1, None, 1)) is Mistake.WAITING_FOR_ROUTINE
        state, events = apply(state, PlayCard(1, choice), random.Random(1))
        assert events[0] == ev.CardPlayed(1, choice)
        assert (places(state)[1], state.player(1).facing) == (place, facing)


class TestReboots:
    def test_a_rebooted_robot_may_turn_once(self) -> None:
        state, events = play(scene("1>  X>"), Fall(1, Cell(0, 0)))
        assert events == (
            ev.Reboot(1),
            ev.Movement(1, 1, 0),
            ev.DrawDamage(1, (SPAM, SPAM)),
        )
        assert state.player(1).facing is Direction.UP
        state, events = do(state, PlayCard(1, Card.TURN_RIGHT))
        assert events[0] == ev.CardPlayed(1, Card.TURN_RIGHT)
        assert state.player(1).facing is Direction.RIGHT
        assert refused(state, PlayCard(1, Card.TURN_RIGHT)) is Mistake.NO_TURN_LEFT
        assert refused(state, PlayCard(1, MOVE_I)) is Mistake.REBOOTED

    def test_a_blocked_restart_point_is_cleared_clockwise(self) -> None:
        state, _ = play(scene(".  1>  .\n.  X^+W^+2^  .\n.  .  ."), Fall(1, Cell(0, 0)))
        assert places(state) == {1: (1, 1), 2: (2, 1)}

    def test_nobody_is_pushed_into_the_same_pit_for_ever(self) -> None:
        state, events = play(scene("1>  .  .\n.  X>+2^  PIT\n.  .  ."), Fall(1, Cell(0, 0)))
        assert [e for e in events if isinstance(e, ev.Reboot)] == [ev.Reboot(1), ev.Reboot(2)]
        # Player 1 has already rebooted, so it is pushed in the next direction instead.
        assert places(state) == {1: (1, 0), 2: (1, 1)}

    def test_a_walled_in_restart_point_leaves_the_nearest_free_field(self) -> None:
        text = "1>  W>  .\nW>  X>+W^>v<+2^  .\n.  .  ."
        state, _ = play(scene(text), Fall(1, Cell(0, 0)))
        one, two = places(state).values()
        assert two == (1, 1)
        assert one is not None
        assert one != two

    def test_all_robots_of_death_trap_reboot_on_the_start_board(self) -> None:
        state = on(courses.load("DeathTrap"), {1: ((0, 0), "v")})
        state, _ = play(state, Execute(1, MOVE_I))
        assert places(state) == {1: (12, 0)}

    def test_each_board_has_its_own_token(self) -> None:
        state = on(courses.load("PassingLane"), {1: ((3, 6), "^"), 2: ((22, 9), "^")})
        state, _ = play(state, Fall(1, Cell(3, 9)), Fall(2, Cell(22, 9)))
        assert places(state) == {1: (10, 0), 2: (18, 9)}
