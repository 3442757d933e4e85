"""What upgrades do, and when they can be played."""

import random

import attrs
import pytest

from games.roborally.rules import (
    Boink,
    Card,
    Cell,
    Direction,
    DiscardSome,
    Mistake,
    Phase,
    PlayCard,
    Program,
    RegisterCard,
    SelectedCard,
    State,
    Upgrade,
)
from games.roborally.rules import events as ev
from games.roborally.rules.draft import Draft
from games.roborally.rules.programming import deal
from games.roborally.rules.steps import Fall, Stage
from tests.games.roborally.audit import cards
from tests.games.roborally.boards import (
    FLOOR,
    change,
    do,
    places,
    play,
    program,
    refused,
    scene,
)

SPAM, TROJAN, VIRUS, WORM = Card.SPAM, Card.TROJAN, Card.VIRUS, Card.WORM
MOVE_I, AGAIN = Card.MOVE_I, Card.AGAIN


def programming(
    upgrades: tuple[Upgrade, ...], hand: tuple[Card, ...] = (), deck: tuple[Card, ...] = ()
) -> State:
    """Return a game of two in the programming phase."""
    state = scene(FLOOR.replace(".", "2^", 1))
    state = change(state, 1, upgrades=upgrades, hand=hand, deck=deck)
    return attrs.evolve(state, phase=Phase.PROGRAMMING, register=0)


def activation(upgrades: tuple[Upgrade, ...], text: str = FLOOR, *names: Card) -> State:
    """Return a game in which player 1 has to play the card of the first register."""
    state = program(scene(text), 1, *(names or (MOVE_I,)), deck=(MOVE_I, MOVE_I, MOVE_I))
    state = change(state, 1, upgrades=upgrades)
    state = attrs.evolve(state, phase=Phase.ACTIVATION, register=0)
    return play(state, Stage.REGISTER, Stage.REGISTER)[0]


class TestUpgradesInProgramming:
    def test_a_memory_stick_draws_one_more(self) -> None:
        draft = Draft(programming((Upgrade.MEMORY_STICK,), deck=(MOVE_I,) * 20), random.Random(1))
        deal(draft, 1)
        assert len(draft.player(1).hand) == 10

    def test_spam_blocker_replaces_all_spam(self) -> None:
        """V35."""
        before = programming((Upgrade.SPAM_BLOCKER,), (SPAM,) * 9, (Card.POWER_UP,) * 11)
        state, events = do(before, PlayCard(1, Upgrade.SPAM_BLOCKER))
        player = state.player(1)
        assert player.hand == (Card.POWER_UP,) * 9
        assert len(player.deck) == 2
        assert state.piles[SPAM] == before.piles[SPAM] + 9
        assert cards(state) == cards(before)
        assert events == (
            ev.CardPlayed(1, Upgrade.SPAM_BLOCKER),
            ev.YourCards(1, player.hand, 2),
            ev.NotYourCards(1, 9, 2),
        )
        assert player.upgrades == ()
        assert state.upgrade_discard == (Upgrade.SPAM_BLOCKER,)

    def test_memory_swap_draws_three_and_puts_three_back(self) -> None:
        before = programming((Upgrade.MEMORY_SWAP,), (MOVE_I,) * 9, (AGAIN,) * 3 + (SPAM,))
        state, _ = do(before, PlayCard(1, Upgrade.MEMORY_SWAP))
        assert state.player(1).hand == (MOVE_I,) * 9 + (AGAIN,) * 3
        assert refused(state, DiscardSome(1, (MOVE_I,))) is Mistake.WRONG_COUNT
        assert refused(state, DiscardSome(1, (SPAM,) * 3)) is Mistake.NOT_IN_HAND
        state, events = do(state, DiscardSome(1, (AGAIN, MOVE_I, MOVE_I)))
        assert state.player(1).deck == (AGAIN, MOVE_I, MOVE_I, SPAM)
        assert events[-1] == ev.NotYourCards(1, 9, 4)

    def test_an_unfinished_memory_swap_is_undone_at_the_end(self) -> None:
        before = programming((Upgrade.MEMORY_SWAP,), (MOVE_I,) * 9, (AGAIN,) * 3 + (SPAM,) * 9)
        state, _ = do(before, PlayCard(1, Upgrade.MEMORY_SWAP), SelectedCard(1, AGAIN, 3))
        state, _ = play(state, Stage.END_OF_PROGRAMMING)
        # Two of the drawn cards and one other went back; four registers were filled blindly.
        registers = state.player(1).registers
        assert registers == (AGAIN, AGAIN, AGAIN, MOVE_I, SPAM)

    def test_three_cards_have_to_stay_for_the_memory_swap(self) -> None:
        before = programming((Upgrade.MEMORY_SWAP,), (MOVE_I,), (AGAIN,) * 3)
        state, _ = do(before, PlayCard(1, Upgrade.MEMORY_SWAP), SelectedCard(1, MOVE_I, 1))
        assert refused(state, SelectedCard(1, AGAIN, 2)) is Mistake.SWAP_UNFINISHED

    def test_cache_memory_saves_cards_but_enough_for_all_registers_stay(self) -> None:
        before = programming((Upgrade.CACHE_MEMORY,), (AGAIN, SPAM) + (MOVE_I,) * 4, (SPAM,))
        state, events = do(before, PlayCard(1, Upgrade.CACHE_MEMORY), DiscardSome(1, (AGAIN,)))
        assert state.player(1).deck == (AGAIN, SPAM)
        assert events[0] == ev.CardPlayed(1, Upgrade.CACHE_MEMORY)
        assert refused(state, DiscardSome(1, (MOVE_I,))) is Mistake.TOO_FEW_LEFT

    def test_without_an_upgrade_nothing_is_discarded(self) -> None:
        state = programming((), (MOVE_I,) * 9)
        assert refused(state, DiscardSome(1, (MOVE_I,))) is Mistake.NOT_OWNED

    def test_repeat_routine_adds_a_card(self) -> None:
        state, _ = do(programming((Upgrade.REPEAT_ROUTINE,)), PlayCard(1, Upgrade.REPEAT_ROUTINE))
        assert state.player(1).discard[0] is Card.REPEAT

    @pytest.mark.parametrize(
        ("card", "mistake"),
        [
            (Upgrade.BOINK, Mistake.WRONG_PHASE),
            (Upgrade.HACK, Mistake.WRONG_PHASE),
            (Upgrade.DEFLECTOR_SHIELD, Mistake.WRONG_PHASE),
            (Upgrade.REAR_LASER, Mistake.PASSIVE),
        ],
    )
    def test_upgrades_at_the_wrong_moment_are_kept(self, card: Upgrade, mistake: Mistake) -> None:
        state = programming((card,))
        assert refused(state, PlayCard(1, card)) is mistake
        assert refused(programming(()), PlayCard(1, card)) is Mistake.NOT_OWNED


class TestUpgradesInActivation:
    def test_boink_moves_without_turning_and_the_register_follows(self) -> None:
        state = activation((Upgrade.BOINK,))
        state, events = do(state, PlayCard(1, Upgrade.BOINK), Boink(1, Direction.DOWN))
        assert events == (ev.CardPlayed(1, Upgrade.BOINK), ev.Movement(1, 0, 2))
        assert state.pending == RegisterCard(1)
        assert state.upgrade_discard == (Upgrade.BOINK,)

    def test_boink_against_a_wall_keeps_the_card(self) -> None:
        state = activation((Upgrade.BOINK,), "1>+Wv  .\n.  .")
        assert refused(state, Boink(1, Direction.DOWN)) is Mistake.BLOCKED

    def test_boink_into_a_pit_ends_the_turn(self) -> None:
        state = activation((Upgrade.BOINK,), "1>  X>\nPIT  .")
        state, events = do(state, Boink(1, Direction.DOWN))
        assert ev.Reboot(1) in events
        assert state.pending == Program()

    def test_hack_before_the_card_plays_it_twice(self) -> None:
        state = activation((Upgrade.HACK,))
        state, _ = do(state, PlayCard(1, Upgrade.HACK), PlayCard(1, MOVE_I))
        assert places(state) == {1: (2, 3)}

    def test_hack_after_the_card_plays_it_again_at_once(self) -> None:
        state = scene("1>  .  .\n2>  .  .")
        for player_id in (1, 2):
            state = change(program(state, player_id, MOVE_I), player_id, upgrades=(Upgrade.HACK,))
        state = attrs.evolve(state, phase=Phase.ACTIVATION, register=0)
        state, _ = play(state, Stage.REGISTER)
        first, second = state.order
        state, _ = do(state, PlayCard(first, MOVE_I), PlayCard(first, Upgrade.HACK))
        place = places(state)[first]
        assert place is not None
        assert place.x == 2
        assert state.pending == RegisterCard(second)

    def test_hack_on_damage_repeats_what_replaced_it(self) -> None:
        state = activation((Upgrade.HACK,), FLOOR, SPAM)
        state, _ = do(state, PlayCard(1, Upgrade.HACK), PlayCard(1, SPAM))
        assert places(state) == {1: (2, 3)}

    def test_a_hack_without_a_card_to_repeat_is_kept(self) -> None:
        state = change(activation((Upgrade.HACK,), "1>  .\n2>  ."), 2, upgrades=(Upgrade.HACK,))
        assert refused(state, PlayCard(2, Upgrade.HACK)) is Mistake.NOTHING_TO_HACK
        state = program(state, 2, MOVE_I)
        state, _ = do(state, PlayCard(2, Upgrade.HACK))
        assert state.player(2).hacks == 1

    def test_a_shield_costs_energy_once_per_register(self) -> None:
        state = activation((Upgrade.DEFLECTOR_SHIELD,), FLOOR, MOVE_I, MOVE_I)
        state, events = do(state, PlayCard(1, Upgrade.DEFLECTOR_SHIELD))
        assert events[-1] == ev.Energy(1, 4, "DeflectorShield")
        again = PlayCard(1, Upgrade.DEFLECTOR_SHIELD)
        assert refused(state, again) is Mistake.ALREADY_SHIELDED
        state, _ = do(state, PlayCard(1, MOVE_I))
        assert state.register == 2
        assert not state.player(1).shielded
        assert refused(change(state, 1, energy=0), again) is Mistake.NO_ENERGY

    def test_a_privilege_counts_for_the_next_register_and_once(self) -> None:
        privilege = Upgrade.ADMIN_PRIVILEGE
        state, _ = do(activation((privilege,)), PlayCard(1, privilege))
        assert state.player(1).privileges == {2}
        assert refused(state, PlayCard(1, privilege)) is Mistake.ALREADY_PRIVILEGED
        last = attrs.evolve(activation((privilege,)), register=5)
        assert refused(last, PlayCard(1, privilege)) is Mistake.NO_REGISTER_LEFT

    def test_rebooted_robots_play_no_upgrades(self) -> None:
        state, _ = play(activation((Upgrade.HACK,), "1>  X>"), Fall(1, Cell(0, 0)))
        assert refused(state, PlayCard(1, Upgrade.HACK)) is Mistake.REBOOTED
