"""A running game: its state, its players' time limits, and who plays for those who are gone."""

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import inf
from typing import Any

from games.roborally import bots, rules
from games.roborally.recap import recap
from games.roborally.rules import Action, Course, Event, Mistake, Program, State, View, events
from games.roborally.settings import OnDisconnect, Settings
from games.roborally.verdict import limit
from ludothek.contract.effects import Ended
from ludothek.contract.mistakes import RuleViolation
from ludothek.contract.results import ranked
from ludothek.contract.timers import Timers

# The timers: how long the players may take, and when the server decides for one that is gone.
DECISION, AI = "decision", "ai"

# Quick enough to be asked between two messages.
AI_DIFFICULTY = bots.DIFFICULTIES.index("greedy")

# More than anybody needs for five registers. Everybody is told about each change of a program, and
# slow readers must not be flooded with them.
MOST_CHANGES = 200

# Five registers, and some room for upgrades that change the hand.
AI_STEPS = 20


class Match:
    """Answers everything that happens with the resulting events."""

    def __init__(
        self,
        course: Course,
        names: Mapping[int, str],
        settings: Settings,
        timers: Timers,
        rng: random.Random,
    ) -> None:
        self.names = names  # of the players, even if they have left
        self.moves = 0  # of all players
        self.ended: Ended | None = None  # how, once it has
        self.retold: list[Any] = []  # messages about what had happened before
        self._settings = settings
        self._timers = timers
        self._rng = rng
        self._ai: set[int] = set()
        self._changes: Counter[int] = Counter()  # of each player's program in this round
        self._heard_of: set[int] = set()  # who has done something since programming last ended
        self._silence: Counter[int] = Counter()  # rounds in a row without any action
        self.state, self.overture = rules.start(course, [*names], rng)
        self._allow_time()

    def take_over(self, past: "Match") -> None:
        """Continue from another game, with these players in the places of those there."""
        self.moves = past.moves
        self.state = rules.succeed(past.state, self.state.player_ids, self._rng)
        if self.state.pending == past.state.pending == Program():
            self._allow_time()  # as they begin again
        else:
            self._timers.adopt(past._timers, DECISION)

    # What happens

    def act(self, player_id: int, action: Action) -> Sequence[Event]:
        """What an action of a player leads to; raises RuleViolation."""
        if _is_change(action) and self._changes[player_id] >= MOST_CHANGES:
            raise RuleViolation(Mistake.TOO_MANY_CHANGES)
        self.retold.clear()
        happened = self._act(action)
        self._heard_of.add(player_id)
        self._changes[player_id] += _is_change(action)
        self.moves += 1
        return happened

    def _act(self, action: Action) -> Sequence[Event]:
        return self._go_on(rules.apply(self.state, action, self._rng))

    @property
    def silent(self) -> Sequence[int]:
        """Players for whom the server has decided everything for too many rounds."""
        limit = self._settings.idle_rounds
        return [each for each, rounds in self._silence.items() if limit and rounds >= limit]

    def lose(self, player_id: int, policy: OnDisconnect) -> Sequence[Event]:
        """A player is gone."""
        self.retold.clear()
        self._silence.pop(player_id, None)
        if policy is OnDisconnect.REMOVE:
            return self._go_on(rules.remove(self.state, player_id, self._rng))
        if policy is OnDisconnect.AI:
            self._ai.add(player_id)
            self._wake_ai()
            return ()
        return self._go_on(rules.ignore(self.state, player_id, self._rng))

    def give_back(self, player_id: int) -> Sequence[Event]:
        """A player is back."""
        if player_id in self._ai:
            self._ai.remove(player_id)
            self._wake_ai()
            return ()
        return self._go_on(rules.rejoin(self.state, player_id, self._rng))

    def time_up(self, timer: Hashable) -> Sequence[Event]:
        return self._play_ai() if timer == AI else self._play_silent()

    def _go_on(self, result: tuple[State, Sequence[Event]]) -> Sequence[Event]:
        before = self.state
        self.state, happened = limit(*result, self._settings.max_rounds)
        if before.round != self.state.round:
            self._changes.clear()
        self._wake_ai()
        if _is_new_wait(before, self.state, happened):
            self._allow_time()
        return happened

    # The end

    @property
    def reason(self) -> str:
        """Why the game is over, if it has a winner."""
        if len(self.state.players) == 1 < len(self.names):
            return "left"
        most = self._settings.max_rounds
        return "max_rounds" if most and self.state.round > most else "regular"

    def end(self, winner: int | None, reason: str) -> Ended:
        """Note and return how the game has ended for each player."""
        reached = {player.player_id: player.checkpoint for player in self.state.players}
        names = [(name, reached.get(player_id)) for player_id, name in self.names.items()]
        place = [*self.names].index(winner) if winner is not None else None
        self.ended = Ended(
            players=ranked(names, place, decided=winner is not None),
            winner=None if winner is None else self.names[winner],
            reason=reason,
            moves=self.moves,
        )
        return self.ended

    # Coming back

    def retell(self, player_id: int) -> Sequence[Any]:
        """Messages from which a player learns all it would know if it had never been away."""
        messages = [*recap(self.state, player_id)]
        self.retold += messages
        return messages

    # Time

    def _allow_time(self) -> None:
        self._timers.start(DECISION, self._seconds())

    def _seconds(self) -> float:
        """How long the players may take for the pending decision."""
        if self.state.over or self.state.pending is None:
            return inf
        if not isinstance(self.state.pending, Program):
            return self._settings.play_seconds or inf
        if self.state.timer:
            return self._settings.timer_seconds
        return self._settings.programming_seconds or inf

    def _play_silent(self) -> Sequence[Event]:
        """Decide for players who have not done so in time."""
        if isinstance(self.state.pending, Program):
            self._count_silence()
            happened = self._act(rules.EndTimer())
        else:
            happened = self._act(rules.default_action(self.state, self.state.deciding[0]))
        self._allow_time()
        return happened

    def _count_silence(self) -> None:
        """Programming ends though not all have finished: some may never do anything."""
        others = self._heard_of | self._ai
        silent = [each for each in self.state.deciding if each not in others]
        self._silence = Counter({each: self._silence[each] + 1 for each in silent})
        self._heard_of.clear()

    # Players played by the server

    def _wake_ai(self) -> None:
        if self._ai.isdisjoint(self.state.deciding):
            self._timers.stop(AI)
        elif AI not in self._timers:
            self._timers.start(AI, self._settings.ai_seconds)

    def _play_ai(self) -> Sequence[Event]:
        """One decision of one player; a whole program counts as one."""
        (player_id, *_) = [one for one in self.state.deciding if one in self._ai]
        pending = self.state.pending
        happened = [*self._decide(player_id)]
        for _ in range(AI_STEPS):
            if not isinstance(pending, Program) or player_id not in self.state.deciding:
                break
            happened += self._decide(player_id)
        self._wake_ai()
        return happened

    def _decide(self, player_id: int) -> Sequence[Event]:
        view = View.of(self.state, player_id)
        try:
            return self._act(bots.choose(view, AI_DIFFICULTY, self._rng))
        except RuleViolation:
            return self._act(rules.default_action(self.state, player_id))


def _is_change(action: Action) -> bool:
    """Whether it could be announced to others again and again without any progress."""
    if isinstance(action, rules.PlayCard):
        return action.card is rules.Upgrade.CACHE_MEMORY  # an announcement of DiscardSome
    return isinstance(action, rules.SelectedCard | rules.DiscardSome)


def _is_new_wait(before: State, after: State, happened: Sequence[Event]) -> bool:
    """Whether the players have to decide something new, or the same thing once more."""
    if (before.pending, before.timer) != (after.pending, after.timer):
        return True
    return any(isinstance(event, events.CurrentPlayer | events.PickDamage) for event in happened)


def rehearse(course: Course) -> None:
    """Let computer players play a round here, so that they are quick afterwards.

    They analyse a course once, from every starting point: on the largest ones that takes
    seconds, which no running game should have to wait for.
    """
    rng = random.Random(0)
    state, _ = rules.start(course, range(1, len(course.start_points) + 1), rng)
    while state.round == 1 and not state.over:
        action = bots.choose(View.of(state, state.deciding[0]), AI_DIFFICULTY, rng)
        state, _ = rules.apply(state, action, rng)
