"""A Robo Rally table without Trio, and the people at it."""

import random
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from games.roborally import messages as m
from games.roborally.member import Admission
from games.roborally.messages import HelloServer, PlayerValues, SetStatus
from games.roborally.recipe import Recipe
from games.roborally.requests import request
from games.roborally.rules import (
    Card,
    Damage,
    Program,
    Purchase,
    RegisterCard,
    SelectedCard,
    StartPoint,
    State,
    default_action,
    legal_actions,
)
from games.roborally.rules.cards import DAMAGE
from games.roborally.settings import Settings
from games.roborally.table import RoboRallyTable
from games.roborally.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.effects import Began, Close, Effects, Ended, Inform, Release, Send
from ludothek.settings.fields import build
from ludothek.testing.dummies import DummyClient
from tests.support.table_scene import TableScene

HELLO = HelloServer("TolleTrolle", False, "Version 2.0")


@attrs.define(eq=False)
class Person:
    """A client at a table under test, and what it has heard since it was last asked."""

    client: Client
    heard: list[Any] = attrs.field(factory=list)
    released: bool = False

    @property
    def id(self) -> int:
        return self.client.number

    def hears(self) -> list[Any]:
        heard, self.heard = self.heard, []
        return heard

    def names(self) -> list[str]:
        """The types of what was heard."""
        return [type(message).__name__ for message in self.hears()]


class Scene(TableScene[Person]):
    """A table, the people at it, and a clock that advances when told to."""

    table: RoboRallyTable

    def __init__(self, seed: int = 1, **settings: Any) -> None:
        super().__init__()
        self.began: list[Began] = []
        self.ended: list[Ended] = []
        self.watch: Callable[[State], None] = lambda state: None
        self._next_id = 1
        built = build(Settings, settings, "test")
        self.table = RoboRallyTable(
            Recipe(course=built.board, settings=built.for_tables),
            Clock(time=lambda: self.time),
            random.Random(seed),
        )

    @property
    def state(self) -> State:
        assert self.table._match is not None, "no game is running"
        return self.table._match.state

    @property
    def running(self) -> bool:
        return self.table._match is not None

    # What happens

    def enter(self, group: str = "TolleTrolle") -> Person:
        client = DummyClient(next(self._numbers), visitor=Visitor(group))
        self.people[client] = person = Person(client)
        self._perform(self.table.enter(client, Admission(self._next_id)))
        return person

    def _perform(self, effects: Effects) -> None:
        for effect in tuple(effects):
            match effect:
                case Send(to=to, message=message):
                    self._send(to if isinstance(to, Iterable) else (to,), message)
                case Release(client=client):
                    self.people[client].released = True
                case Inform():
                    self._next_id += 1
                case Began():
                    self.began.append(effect)
                case Ended():
                    self.ended.append(effect)
                case Close():
                    self.closed = True
        if self.running:
            self.watch(self.state)

    def _send(self, clients: Iterable[Client], message: Any) -> None:
        for client in clients:
            if client in self.people:
                self.people[client].heard.append(message)

    # Shortcuts

    def players(self, number: int, *, ready: bool = True) -> list[Person]:
        """So many people with name and figure, in groups of their own."""
        people = []
        for n in range(1, number + 1):
            people.append(self.enter(f"Gruppe {n}"))
            self.say(people[-1], PlayerValues(f"Spieler {n}", n))
        for person in people:
            if ready:
                self.say(person, SetStatus(True))
        return people

    def game(self, number: int = 2) -> list[Person]:
        """A game at its first moment; everything said before is forgotten."""
        people = self.players(number)
        assert self.running
        self.forget()
        return people

    def forget(self) -> None:
        for person in self.people.values():
            person.heard.clear()

    def person(self, player_id: int) -> Person:
        member = self.table._members.player(player_id)
        assert member is not None
        assert member.client is not None
        return self.people[member.client]

    def go_on(self) -> None:
        """Let one player for whom the game waits do something that is allowed."""
        player_id = self.state.deciding[0]
        action = default_action(self.state, player_id)
        if isinstance(self.state.pending, Program):
            action = next(
                action
                for action in legal_actions(self.state, player_id)
                if isinstance(action, SelectedCard) and _fills(self.state, action)
            )
        self.say(self.person(player_id), request(action))

    def go_on_until(self, reached: Callable[[State], bool]) -> None:
        while not reached(self.state):
            self.go_on()


def _fills(state: State, action: SelectedCard) -> bool:
    empty = state.player(action.player_id).registers[action.register - 1] is None
    return action.card is not None and empty


def refusal(answer: list[Any]) -> str:
    """The text of the Error that is the only answer."""
    (error,) = answer
    assert isinstance(error, m.Error)
    return error.error


# Situations


def in_setup(state: State) -> bool:
    return isinstance(state.pending, StartPoint)


def in_shop(state: State) -> bool:
    return isinstance(state.pending, Purchase)


def programming(state: State) -> bool:
    return isinstance(state.pending, Program)


def activating(state: State) -> bool:
    return isinstance(state.pending, RegisterCard)


def change(scene: Scene, player_id: int, **changes: Any) -> None:
    """Set up a situation that would take many rounds to arise."""
    players = (
        attrs.evolve(player, **changes) if player.player_id == player_id else player
        for player in scene.state.players
    )
    set_state(scene, players=tuple(players))


def set_state(scene: Scene, **changes: Any) -> None:
    assert scene.table._match is not None
    scene.table._match.state = attrs.evolve(scene.state, **changes)


def choosing_damage(scene: Scene) -> None:
    """The Spam has run out, and the first player plays a Trojan."""
    scene.go_on_until(activating)
    current = scene.state.deciding[0]
    registers = (Card.TROJAN, *scene.state.player(current).registers[1:])
    change(scene, current, registers=registers)
    set_state(scene, piles={**DAMAGE, Card.SPAM: 0})
    scene.go_on()
    assert isinstance(scene.state.pending, Damage)


def fill(scene: Scene, person: Person, first: int = 1, player_id: int = 0) -> None:
    """Put matching cards from the hand into the registers; a returning player has another id."""
    for register in range(first, 6):
        hand = scene.state.player(player_id or person.id).hand
        card = next(card for card in hand if card is not Card.AGAIN)
        scene.say(person, m.SelectedCard(card=card.value, register=register))


# How to get to each point where the game waits for somebody.
WAITS: dict[str, Callable[[Scene], None]] = {
    "start point": lambda scene: scene.go_on_until(in_setup),
    "purchase": lambda scene: scene.go_on_until(in_shop),
    "programming": lambda scene: scene.go_on_until(programming),
    "PlayCard": lambda scene: scene.go_on_until(activating),
    "damage": choosing_damage,
}
