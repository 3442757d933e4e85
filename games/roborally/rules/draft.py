"""A state that is being changed, and the events this causes."""

import random
from typing import Any

import attrs

from games.roborally.rules.cards import Card
from games.roborally.rules.course import Course
from games.roborally.rules.events import Event
from games.roborally.rules.state import Player, State
from games.roborally.rules.steps import Step


@attrs.define
class Draft:
    """Holds frozen states only, so a reference to the old state stays valid."""

    state: State
    rng: random.Random
    events: list[Event] = attrs.field(factory=list)

    @property
    def course(self) -> Course:
        return self.state.course

    def player(self, player_id: int) -> Player:
        return self.state.player(player_id)

    def evolve(self, **changes: Any) -> None:
        self.state = attrs.evolve(self.state, **changes)

    def change(self, player_id: int, **changes: Any) -> None:
        self.evolve(
            players=tuple(
                attrs.evolve(player, **changes) if player.player_id == player_id else player
                for player in self.state.players
            )
        )

    def change_all(self, **changes: Any) -> None:
        self.evolve(players=tuple(attrs.evolve(player, **changes) for player in self.state.players))

    def tell(self, *events: Event) -> None:
        self.events.extend(events)

    def do_next(self, *steps: Step) -> None:
        """Put steps in front of everything still to be done."""
        if steps:
            self.evolve(agenda=(*steps, *self.state.agenda))

    def next_step(self) -> Step:
        """Take the first step from the agenda."""
        step, *rest = self.state.agenda
        self.evolve(agenda=tuple(rest))
        return step

    def give_back(self, *cards: Card) -> None:
        """Return damage cards to their piles."""
        piles = dict(self.state.piles)
        for card in cards:
            piles[card] += 1
        self.evolve(piles=piles)
