"""A game of Robo Rally at its table: what is said when, to whom, and what is refused."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from games.roborally import messages as m
from games.roborally.messages import Error
from games.roborally.rules import Card, Upgrade
from tests.games.roborally.scene import (
    Scene,
    activating,
    change,
    choosing_damage,
    fill,
    in_shop,
    programming,
    refusal,
    set_state,
)

# The order of messages


def test_a_game_begins_with_map_phase_shop_and_the_first_who_connected() -> None:
    scene = Scene()
    ann, bob = scene.players(2)
    for person in (ann, bob):
        begin = person.names()[-4:]
        assert begin == ["GameStarted", "ActivePhase", "RefillShop", "CurrentPlayer"]
    assert len(scene.state.shop) == 2


def test_players_choose_starting_points_in_the_order_of_connection() -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.say(ann, m.SetStartingPoint(1, 1))
    scene.say(bob, m.SetStartingPoint(0, 3))
    heard = ann.hears()
    assert heard[:2] == [m.StartingPointTaken(1, 1, 1), m.CurrentPlayer(2)]
    assert heard[2:4] == [m.StartingPointTaken(0, 3, 2), m.ActivePhase(1)]
    # (0, 3) is nearer to the antenna at (0, 5) than (1, 1).
    assert heard[4:] == [m.CurrentPlayer(2)]


def test_a_purchase_is_told_before_the_energy_it_costs() -> None:
    scene = Scene()
    scene.game()
    scene.go_on_until(in_shop)
    set_state(scene, shop=(Upgrade.HACK, Upgrade.BOINK))
    buyer = scene.person(scene.state.deciding[0])
    scene.forget()
    scene.say(buyer, m.BuyUpgrade(True, "Boink"))
    bought, energy, following = buyer.hears()
    assert bought == m.UpgradeBought(buyer.id, "Boink")
    assert energy == m.Energy(buyer.id, 4, "upgrade")
    assert isinstance(following, m.CurrentPlayer)


def test_nothing_is_told_of_who_does_not_buy() -> None:
    scene = Scene()
    ann, _ = scene.game()
    scene.go_on_until(in_shop)
    scene.forget()
    for person in (scene.person(scene.state.deciding[0]) for _ in range(2)):
        scene.say(person, m.BuyUpgrade(False))
    assert ann.names()[:2] == ["CurrentPlayer", "ActivePhase"]


def test_everybody_sees_the_own_hand_and_the_size_of_the_others() -> None:
    scene = Scene()
    ann, bob, cid = scene.game(3)
    scene.go_on_until(programming)
    for person in (ann, bob, cid):
        own = [x for x in person.heard if isinstance(x, m.YourCards)]
        others = [x for x in person.heard if isinstance(x, m.NotYourCards)]
        hand = [card.value for card in scene.state.player(person.id).hand]
        assert own == [m.YourCards(hand, 11)]
        assert others == [m.NotYourCards(p.id, 9, 11) for p in (ann, bob, cid) if p is not person]


def test_an_onlooker_sees_no_hand_at_all() -> None:
    scene = Scene()
    stranger = scene.enter()
    scene.players(2)
    scene.go_on_until(activating)
    names = stranger.names()
    assert names.count("NotYourCards") == 2
    assert not {"YourCards", "CardsYouGotNow", "PickDamage"} & set(names)


def test_selected_cards_are_told_without_the_card_and_the_fifth_starts_the_timer() -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.go_on_until(programming)
    scene.forget()
    fill(scene, ann)
    selected = [m.CardSelected(1, register) for register in range(1, 6)]
    assert bob.hears() == [*selected, m.SelectionFinished(1), m.TimerStarted()]


def test_a_register_can_be_emptied_and_filled_again() -> None:
    scene = Scene()
    (ann, _) = scene.game()
    scene.go_on_until(programming)
    hand = scene.state.player(1).hand
    card = next(card for card in hand if card is not Card.AGAIN)
    for chosen in (card.value, None, card.value):
        said = m.SelectedCard(card=chosen, register=1)
        assert scene.say(ann, said) == [m.CardSelected(1, 1)]
        expected = None if chosen is None else card
        assert scene.state.player(1).registers[0] is expected
    assert len(scene.state.player(1).hand) == 8


def test_when_all_are_finished_the_timer_ends_at_once_with_nobody_on_its_list() -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.go_on_until(programming)
    fill(scene, ann)
    scene.forget()
    fill(scene, bob)
    assert ann.names()[5:] == [
        "SelectionFinished",
        "TimerEnded",
        "ActivePhase",
        "CurrentCards",
        "CurrentPlayer",
    ]


def test_the_card_played_is_told_to_all_and_its_effects_follow() -> None:
    scene = Scene()
    scene.game()
    scene.go_on_until(activating)
    current = scene.state.deciding[0]
    person = scene.person(current)
    registers = (Card.TURN_LEFT, *scene.state.player(current).registers[1:])
    change(scene, current, registers=registers)
    scene.forget()
    scene.say(person, m.PlayCard("TurnLeft"))
    heard = person.hears()
    assert heard[:2] == [m.CardPlayed(current, "TurnLeft"), m.PlayerTurning(current, "left")]


def test_damage_is_told_after_it_was_chosen() -> None:
    scene = Scene()
    scene.game()
    choosing_damage(scene)
    victim = scene.person(scene.state.deciding[0])
    (other,) = [person for person in scene.people.values() if person is not victim]
    assert victim.heard[-1] == m.PickDamage(2)
    assert m.PickDamage(2) not in other.heard
    scene.forget()
    scene.say(victim, m.SelectedDamage(["Virus", "Worm"]))
    assert other.hears()[0] == m.DrawDamage(victim.id, ["Virus", "Worm"])


def test_the_winner_is_told_and_the_lobby_is_ready_for_the_next_game() -> None:
    scene = Scene()
    ann, bob = scene.game()
    win(scene)
    heard = ann.hears()
    finished = heard.index(m.GameFinished(1))
    assert heard[finished + 1 :] == [m.PlayerStatus(1, False), m.PlayerStatus(2, False)]
    assert isinstance(scene.say(ann, m.PlayCard("MoveI"))[0], Error)
    assert scene.say(ann, m.SendChat("Well done", -1))
    for person in (ann, bob):
        scene.say(person, m.SetStatus(True))
    assert scene.running
    assert scene.state.round == 1


def win(scene: Scene) -> None:
    """Let the first player stand on the only checkpoint when the register ends."""
    scene.go_on_until(activating)
    goal = scene.state.checkpoints[0]
    for player_id in scene.state.player_ids:
        change(scene, player_id, registers=(Card.POWER_UP,) * 5)
    change(scene, 1, position=goal)
    while scene.running:
        scene.go_on()


# What is refused

NOT_YOUR_TURN = "It is another player's turn."
WRONG_PHASE = "That is not possible in this phase."

# A bit of everything, none of it allowed in more than one situation.
REQUESTS: dict[str, Any] = {
    "start": m.SetStartingPoint(1, 1),
    "buy": m.BuyUpgrade(False),
    "select": m.SelectedCard(register=1),
    "play": m.PlayCard("MoveI"),
    "damage": m.SelectedDamage(["Virus", "Virus"]),
    "discard": m.DiscardSome(["MoveI"]),
    "boink": m.Boink("up"),
    "values": m.PlayerValues("Else", 6),
    "status": m.SetStatus(False),
}
SITUATIONS: dict[str, tuple[Callable[[Scene], None], set[str]]] = {
    "setup": (lambda scene: None, {"start"}),
    "shop": (lambda scene: scene.go_on_until(in_shop), {"buy"}),
    "programming": (lambda scene: scene.go_on_until(programming), {"select"}),
    "activation": (lambda scene: scene.go_on_until(activating), set()),
    "damage": (choosing_damage, {"damage"}),
}


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("kind", REQUESTS)
def test_messages_at_the_wrong_time_get_an_error_and_change_nothing(
    situation: str, kind: str
) -> None:
    scene = Scene()
    scene.game()
    prepare, right = SITUATIONS[situation]
    prepare(scene)
    before = scene.state
    for person in [*scene.people.values()]:
        mine = person.id in before.deciding
        if mine and kind in (*right, "play"):  # playing a card may be allowed by chance
            continue
        answer = scene.say(person, REQUESTS[kind])
        assert [type(message) for message in answer] == [Error], (person, answer)
        assert scene.state is before


def test_the_players_name_does_not_matter_only_the_turn() -> None:
    scene = Scene()
    _, bob = scene.game()
    assert NOT_YOUR_TURN in refusal(scene.say(bob, m.SetStartingPoint(1, 1)))


@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        (0, 0, "There is no start point on this field."),
        (-1, 99, "There is no start point on this field."),
        (1, 1, "Another robot starts from this field."),
    ],
)
def test_bad_starting_points(x: int, y: int, reason: str) -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.say(ann, m.SetStartingPoint(1, 1))
    assert reason in refusal(scene.say(bob, m.SetStartingPoint(x, y)))
    assert scene.state.deciding == (2,)


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("Hack", "The shop does not offer this card."),
        ("CacheMemory", "That is more energy than you have."),
        ("MoveI", "expected the name of an upgrade; came 'MoveI'"),
        ("x" * 99, f"expected the name of an upgrade; came '{'x' * 40}'"),
        (None, "expected a card, since isBuying is true"),
    ],
)
def test_bad_purchases_leave_the_turn_where_it_is(card: str | None, reason: str) -> None:
    scene = Scene()
    scene.game()
    scene.go_on_until(in_shop)
    buyer = scene.person(scene.state.deciding[0])
    change(scene, buyer.id, energy=3)
    set_state(scene, shop=(Upgrade.CACHE_MEMORY, Upgrade.BOINK))
    answer = scene.say(buyer, m.BuyUpgrade(True, card))
    assert reason in refusal(answer)
    assert scene.state.deciding == (buyer.id,)


@pytest.mark.parametrize(
    ("card", "register", "reason"),
    [
        ("MoveI", 0, "The registers are numbered from 1 to 5."),
        ("MoveI", 6, "The registers are numbered from 1 to 5."),
        (None, -1, "The registers are numbered from 1 to 5."),
        ("Worm", 1, "You do not have this card in your hand."),
        ("Again", 1, "The first register cannot repeat anything."),
        ("Jump", 1, "expected the name of a card; came 'Jump'"),
        ("Boink", 1, "expected the name of a card; came 'Boink'"),
    ],
)
def test_bad_cards_and_registers(card: str | None, register: int, reason: str) -> None:
    scene = Scene()
    ann, _ = scene.game()
    scene.go_on_until(programming)
    change(scene, 1, hand=(Card.AGAIN, *scene.state.player(1).hand[1:]))
    said = m.SelectedCard(card=card, register=register)
    assert reason in refusal(scene.say(ann, said))


def test_registers_are_closed_after_the_fifth_card() -> None:
    scene = Scene()
    ann, _ = scene.game()
    scene.go_on_until(programming)
    fill(scene, ann)
    (error,) = scene.say(ann, m.SelectedCard(register=1))
    assert "cannot be changed any more" in error.error


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("MoveIII", "This is not the card in your current register."),
        ("Boink", "You do not own this upgrade."),
        ("Hack", "You do not own this upgrade."),
        ("Jump", "expected the name of a card; came 'Jump'"),
        ("", "expected the name of a card; came ''"),
    ],
)
def test_cards_that_cannot_be_played(card: str, reason: str) -> None:
    scene = Scene()
    scene.game()
    scene.go_on_until(activating)
    current = scene.person(scene.state.deciding[0])
    registers = (Card.MOVE_I, *scene.state.player(current.id).registers[1:])
    change(scene, current.id, registers=registers)
    assert reason in refusal(scene.say(current, m.PlayCard(card)))
    assert scene.state.deciding == (current.id,)


@pytest.mark.parametrize(
    "cards",
    [[], ["Virus"], ["Virus"] * 3, ["Spam", "Virus"], ["MoveI", "Virus"], ["Flu", "Virus"]],
)
def test_bad_damage_is_asked_for_again(cards: list[str]) -> None:
    scene = Scene()
    scene.game()
    choosing_damage(scene)
    victim = scene.person(scene.state.deciding[0])
    (error,) = scene.say(victim, m.SelectedDamage(cards))
    assert isinstance(error, Error)
    assert isinstance(scene.say(victim, m.SelectedDamage(["Virus", "Worm"]))[0], m.DrawDamage)


def test_an_unknown_direction_is_refused() -> None:
    scene = Scene()
    ann, _ = scene.game()
    assert refusal(scene.say(ann, m.Boink("sideways"))).endswith("came 'sideways'")


def test_an_onlooker_cannot_play() -> None:
    scene = Scene()
    stranger = scene.enter()
    scene.players(2)
    answer = scene.say(stranger, m.SetStartingPoint(1, 1))
    assert "This player does not take part in the game." in refusal(answer)


def test_no_game_no_moves() -> None:
    scene = Scene()
    (ann,) = scene.players(1)
    for request in list(REQUESTS.values())[:7]:
        assert "no game is running" in refusal(scene.say(ann, request))


@pytest.mark.parametrize("seed", range(5))
def test_any_request_with_any_content_at_any_time_is_answered_and_crashes_nothing(
    seed: int,
) -> None:
    rng = random.Random(seed)
    scene = Scene(seed)
    people = scene.game(3)
    for _ in range(400):
        if not scene.running:
            return
        person = rng.choice(people)
        before = scene.state
        answer = scene.say(person, any_request(rng))
        assert answer or scene.state is not before
        if rng.random() < 0.5:
            scene.go_on()


def any_request(rng: random.Random) -> Any:
    card = rng.choice([*Card, *Upgrade, "Jump"])
    cards = [str(rng.choice(list(Card))) for _ in range(rng.randrange(5))]
    return rng.choice(
        [
            m.SetStartingPoint(rng.randint(-1, 13), rng.randint(-1, 10)),
            m.BuyUpgrade(rng.random() < 0.5, card),
            m.SelectedCard(card=rng.choice([None, card]), register=rng.randint(0, 6)),
            m.PlayCard(str(card)),
            m.SelectedDamage(cards),
            m.DiscardSome(cards),
            m.Boink(rng.choice(["up", "left", "down", "right", "north"])),
        ]
    )


def test_a_game_can_be_limited_to_some_rounds() -> None:
    scene = Scene(max_rounds=2)
    ann, _ = scene.game()
    change(scene, 2, checkpoint=0, energy=9)
    while scene.running:
        scene.go_on()
    heard = ann.hears()
    assert heard.count(m.ActivePhase(2)) == 2
    assert heard[-3:] == [m.GameFinished(2), m.PlayerStatus(1, False), m.PlayerStatus(2, False)]
    assert [type(x) for x in heard[-4:-3]] != [m.CurrentPlayer]


@pytest.mark.parametrize(
    "message",
    [m.SelectedCard(register=1), m.DiscardSome([]), m.PlayCard("CacheMemory")],
    ids=lambda message: type(message).__name__,
)
def test_nobody_drowns_others_in_changes_of_a_program(message: Any) -> None:
    scene = Scene()
    ann, bob = scene.game()
    scene.go_on_until(programming)
    change(scene, ann.id, upgrades=(Upgrade.CACHE_MEMORY,))
    scene.forget()
    for _ in range(1000):
        scene.say(ann, message)
    assert len(bob.hears()) == 200
    assert "changed your program too often" in refusal(ann.hears()[-1:])
    scene.wait(301)
    scene.go_on_until(lambda state: state.round == 2 and programming(state))
    assert not isinstance(scene.say(ann, m.SelectedCard(register=1))[-1], Error)
