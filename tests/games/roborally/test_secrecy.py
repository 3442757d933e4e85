"""Cards are secret, no matter who listens and what happens."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import attrs
import pytest

from games.roborally import messages as m
from games.roborally.rules import Card, Damage, Phase, State
from ludothek.contract.orders import Start
from tests.games.roborally.scene import Person, Scene

# Too long for anybody to win it within a test.
LONG = "ChopShopChallenge"

CARDS = {card.value for card in Card}

# Messages that may name cards of others: those that are played, revealed or drawn as damage.
PUBLIC = (m.CardPlayed, m.CurrentCards, m.DrawDamage)
PRIVATE = (m.YourCards, m.CardsYouGotNow, m.PickDamage)


class Round:
    """Three players, one who was not ready in time, and one without a name, in a game in which
    anything may happen."""

    def __init__(self, seed: int, policy: str) -> None:
        self.rng = random.Random(seed)
        self.scene = Scene(seed, course=LONG, on_disconnect=policy, idle_rounds=0)
        self.ids: dict[Person, int] = {}  # as each of them was welcomed
        self.lost: list[int] = []
        self.heard: Counter[type] = Counter()
        self.scene.enter("Stranger")
        for person in self.scene.players(4, ready=False)[:3]:
            self.scene.say(person, m.SetStatus(True))
        self.scene.order(Start())
        self.listen(self.scene.state, self.scene.state)
        assert len(self.present) == 3

    def step(self) -> None:
        act = self.rng.choices(
            (self.go_on, self.let_time_pass, self.hang_up, self.come_back, self.come_late),
            (80, 8, 4, 6, 2),
        )[0]
        match = self.scene.table._match
        assert match is not None
        before = match.state
        act()
        self.listen(before, match.state)

    def listen(self, before: State, after: State) -> None:
        """Check everything that was heard since the last time."""
        for person in self.scene.people.values():
            heard = person.hears()
            self.heard.update(map(type, heard))
            self.ids.update((person, x.player_id) for x in heard if isinstance(x, m.Welcome))
            check(heard, self.ids.get(person, 0), before, after)

    # What may happen

    def go_on(self) -> None:
        deciding = self.scene.state.deciding
        if deciding and deciding[0] in self.present:
            self.scene.go_on()
        else:
            self.let_time_pass()

    def let_time_pass(self) -> None:
        """Until the next timer is due, and no longer."""
        self.scene.wait(max(0.0, self.scene.table.timers.deadline - self.scene.time))

    def hang_up(self) -> None:
        if len(self.present) > 1:
            player_id = self.rng.choice(sorted(self.present))
            self.lost.append(player_id)
            self.scene.leave(self.present[player_id])

    def come_back(self) -> None:
        if self.lost:
            player_id = self.lost.pop(self.rng.randrange(len(self.lost)))
            self.scene.enter(f"Gruppe {player_id - 1}")  # the stranger was the first one

    def come_late(self) -> None:
        self.scene.enter("Late")

    @property
    def present(self) -> dict[int, Person]:
        playing = self.scene.state.player_ids
        here = [(self.ids.get(person, 0), person) for person in self.scene.people.values()]
        return {player_id: person for player_id, person in here if player_id in playing}


def check(heard: list[Any], player_id: int, before: State, after: State) -> None:
    """Fail if one of the messages names a card that this member must not know."""
    for message in heard:
        if isinstance(message, PRIVATE):
            assert player_id in after.player_ids, message
            CHECKS[type(message)](message, player_id, before, after)
        elif isinstance(message, m.CurrentCards):
            shown = [card.player_id for card in message.active_cards]
            assert len(shown) == len(set(shown)), "more than one register"
        else:
            assert isinstance(message, PUBLIC) or not {*names(message)} & CARDS, message


def names(value: Any) -> Iterator[str]:
    """All texts in a message."""
    match value:
        case str():
            yield value
        case list() | tuple():
            for item in value:
                yield from names(item)
        case _ if attrs.has(type(value)):
            for field in attrs.fields(type(value)):
                yield from names(getattr(value, field.name))


def check_hand(message: m.YourCards, player_id: int, before: State, after: State) -> None:
    assert after.phase is Phase.PROGRAMMING
    own = before.player(player_id), after.player(player_id)
    held = [[*player.hand, *filter(None, player.registers)] for player in own]
    assert sorted(message.cards_in_hand) in [sorted(cards) for cards in (*held, own[1].hand)]


def check_drawn(message: m.CardsYouGotNow, player_id: int, before: State, after: State) -> None:
    registers = zip(
        before.player(player_id).registers, after.player(player_id).registers, strict=True
    )
    assert message.cards == [now for then, now in registers if then is None]


def check_damage(message: m.PickDamage, player_id: int, before: State, after: State) -> None:
    assert isinstance(after.pending, Damage)
    assert after.pending.player_id == player_id


CHECKS: dict[type, Callable[[Any, int, State, State], None]] = {
    m.YourCards: check_hand,
    m.CardsYouGotNow: check_drawn,
    m.PickDamage: check_damage,
}


@pytest.mark.parametrize("policy", ["remove", "ignore", "ai", "reconnect"])
@pytest.mark.parametrize("seed", range(5))
def test_nobody_ever_hears_of_cards_that_are_not_his(seed: int, policy: str) -> None:
    """A card's name reaches others only when it is played, revealed or drawn as damage."""
    game = Round(seed, policy)
    for _ in range(400):
        game.step()
    assert min(game.heard[kind] for kind in (*PUBLIC[:2], *PRIVATE[:2], m.NotYourCards)) > 0
