"""What clients have used of a protocol, cheap enough to be always counted."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from functools import cached_property
from heapq import nsmallest
from typing import Any

import attrs

from ludothek.contract.codec import Malformed
from ludothek.contract.game import Game
from ludothek.contract.reach import bound_messages
from ludothek.contract.vocabulary import attributes

# Names of clients that are told apart at one endpoint. When there are more, those that have sent
# least are counted together: whoever connects under a thousand names pushes nobody out who plays.
NAMES = 300
NAME_LENGTH = 60

UNNAMED, OTHERS, UNREADABLE = "(unnamed)", "(others)", "(unreadable)"

# Messages of one kind that are searched for what a client has not used yet; then it never will.
LOOKS = 100


class Spoken:
    """The messages of one class that a client has sent: how many, and what was in them."""

    __slots__ = ("_fields", "_looks", "_name", "_variants", "count", "found", "names", "seeking")

    def __init__(
        self,
        fields: Iterable[tuple[str, Any]],
        variants: Iterable[str],
        name: Callable[[Any], str],
    ) -> None:
        self.count = 0
        self.found: list[str] = []  # fields that were used
        self.names: list[str] = []  # variants of the message that have clauses of their own
        self.seeking = True
        self._fields, self._variants = [*fields], {*variants}
        self._name = name
        self._looks = 0

    def look(self, message: Any) -> None:
        """Look for what was not used until now."""
        used = [each for each in self._fields if getattr(message, each[0]) != each[1]]
        for each in used:
            self._fields.remove(each)
            self.found.append(each[0])
        if self._variants and (name := self._name(message)) in self._variants:
            self._variants.remove(name)
            self.names.append(name)
        self._looks += 1
        self.seeking = bool(self._fields or self._variants) and self._looks < LOOKS


class Envelopes(Spoken):
    """Messages in which another one is: those count."""

    __slots__ = ("_open", "_usage")

    def __init__(self, usage: "Usage", opened: Callable[[Any], Any]) -> None:
        super().__init__((), (), str)
        self._usage, self._open = usage, opened

    def look(self, message: Any) -> None:
        self._usage.count(self._open(message))


class Usage:
    """What one client has used."""

    __slots__ = ("_open", "_spoken", "broken", "said", "told")

    def __init__(self, spoken: Callable[[type], Spoken], opened: Callable[[Any], Any]) -> None:
        self.said: dict[type, Spoken] = {}
        self.told: defaultdict[type, int] = defaultdict(int)
        self.broken: Counter[str] = Counter()  # clauses by id, with 0 if tolerated or crossed
        self._spoken, self._open = spoken, opened

    def count(self, message: Any) -> None:
        """The client has sent it."""
        spoken = self.said.get(type(message)) or self.first(message)
        spoken.count += 1
        if spoken.seeking:
            spoken.look(message)

    def first(self, message: Any) -> Spoken:
        """The client has never sent a message of that class."""
        cls = type(message)
        plain = self._open(message) is message
        spoken = self.said[cls] = self._spoken(cls) if plain else Envelopes(self, self._open)
        return spoken


@attrs.define(eq=False)
class Tally:
    """What all clients of one name have used; all keys are names that the program knows."""

    connections: int = 0
    requests: Counter[str] = attrs.field(factory=Counter)
    fields: Counter[str] = attrs.field(factory=Counter)  # connections in which they were used
    answers: Counter[str] = attrs.field(factory=Counter)
    broken: Counter[str] = attrs.field(factory=Counter)  # clauses by id; 0: tolerated or crossed
    names: set[str] = attrs.field(factory=set)  # of messages, as clauses have them

    def add(self, other: "Tally") -> None:
        self.connections += other.connections
        for mine, more in (
            (self.requests, other.requests),
            (self.fields, other.fields),
            (self.answers, other.answers),
            (self.broken, other.broken),
        ):
            mine.update(more)
        self.names |= other.names


class Coverage:
    """What the clients of an endpoint have used, by their names, since it was opened."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._tallies: dict[str, Tally] = {}

    @cached_property
    def bound(self) -> dict[str, tuple[str, ...]]:
        """The messages that each clause binds."""
        return bound_messages(self._game)

    @cached_property
    def _variants(self) -> set[str]:
        """Names of messages that clauses tell apart although they are of the same class."""
        return {name for names in self.bound.values() for name in names if " " in name}

    def usage(self) -> Usage:
        """For a client that has just come."""
        return Usage(self._spoken, self._game.vocabulary.opened)

    def _spoken(self, cls: type) -> Spoken:
        fields = () if issubclass(cls, Malformed) else map(_with_default, attributes(cls))
        variants = (name for name in self._variants if name.startswith(f"{cls.__name__} "))
        return Spoken(fields, variants, self._game.clauses.name)

    def part(self, name: str, usage: Usage) -> None:
        """A client of that name is gone."""
        _add(self._tallies, name, self._tally(usage))
        _limit(self._tallies)

    def tallies(self, present: Iterable[tuple[str, Usage]]) -> dict[str, Tally]:
        """By name: those who are gone, and these who are not."""
        found: dict[str, Tally] = {}
        for name, tally in self._tallies.items():
            _add(found, name, tally)
        for name, usage in present:
            _add(found, name, self._tally(usage))
        _limit(found)
        return dict(sorted(found.items()))

    def _tally(self, usage: Usage) -> Tally:
        tally = Tally(connections=1, broken=Counter(usage.broken))
        vocabulary = self._game.vocabulary
        for cls, spoken in usage.said.items():
            if isinstance(spoken, Envelopes):
                continue
            readable = not issubclass(cls, Malformed)
            tally.requests[cls.__name__ if readable else UNREADABLE] += spoken.count
            if readable:
                tally.names |= {cls.__name__, *spoken.names}
                tally.fields.update(vocabulary.field(cls, each) for each in spoken.found)
        tally.answers.update({cls.__name__: count for cls, count in usage.told.items()})
        return tally


def _add(tallies: dict[str, Tally], name: str, tally: Tally) -> None:
    tallies.setdefault(name[:NAME_LENGTH] or UNNAMED, Tally()).add(tally)


def _limit(tallies: dict[str, Tally]) -> None:
    """Count those together that have sent least, if there are too many."""
    surplus = len(tallies) - NAMES
    if surplus <= 0:
        return
    names = [name for name in tallies if name != OTHERS]
    for name in nsmallest(surplus, names, key=lambda each: tallies[each].requests.total()):
        _add(tallies, OTHERS, tallies.pop(name))


def _with_default(attribute: "attrs.Attribute[Any]") -> tuple[str, Any]:
    default: Any = attribute.default
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # mypy sees a function
        default = None if default.takes_self else default.factory()
    return attribute.name, default
