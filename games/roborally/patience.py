"""How long players who are not ready may keep others waiting."""

from collections.abc import Callable, Sequence
from math import inf

import attrs

from games.roborally.member import Member
from ludothek.contract.stopwatch import Stopwatch


@attrs.define(eq=False)
class Patience:
    """Adds up how long each player has not been ready in this lobby.

    Being ready for a moment now and then does not help: nothing is subtracted until a game begins.
    Nor does it help to leave and come back: those who are ready wait twice as long and no more.
    """

    now: Callable[[], float]
    seconds: float  # 0: for ever
    _unready: dict[Member, Stopwatch] = attrs.field(factory=dict)
    _held_up: float = inf  # since when a game could begin without the others

    def look(self, players: Sequence[Member], *, enough: bool) -> None:
        """Note who is ready, and whether they are enough for a game."""
        known = self._unready
        self._unready = {each: known.get(each) or Stopwatch(self.now) for each in players}
        for player, watch in self._unready.items():
            if player.ready:
                watch.stop()
            else:
                watch.start()
        self._held_up = min(self._held_up, self.now()) if enough else inf

    def forget(self) -> None:
        """A game has begun; after it, everybody may take their time again."""
        self._unready, self._held_up = {}, inf

    @property
    def deadline(self) -> float:
        """When those who are ready have waited long enough, without rushing newcomers."""
        first = min((watch.reaches(self._limit) for watch in self._unready.values()), default=inf)
        if first == inf:  # nobody keeps them waiting
            return inf
        return min(max(first, self._held_up + self._limit), self._end)

    @property
    def overdue(self) -> Sequence[Member]:
        """Who has taken too long, and has to go if others need the seat."""
        now = self.now()
        limit = self._limit if now < self._end else 0.0
        found = [each for each, watch in self._unready.items() if watch.reaches(limit) <= now]
        return sorted(found, key=lambda each: -self._unready[each].elapsed)

    @property
    def _end(self) -> float:
        """When the waiting ends for everybody, however late they came."""
        return self._held_up + 2 * self._limit

    @property
    def _limit(self) -> float:
        return self.seconds or inf
