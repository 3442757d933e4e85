"""Clauses: the sentences that bind a client, and how a message breaks one."""

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import attrs

from ludothek.contract.flaws import Flaw
from ludothek.contract.frozen import frozen
from transports import brief

# In place of names of messages: whatever a client says.
EVERY_MESSAGE = ("*",)


@attrs.frozen
class Example:
    """A message, and the situation that makes it right or wrong."""

    message: str  # empty where it is not about one message
    when: str = ""


def _example(example: Example | str) -> Example:
    return example if isinstance(example, Example) else Example(example)


@attrs.frozen(kw_only=True, eq=False)
class Clause:
    """A sentence of a protocol document that binds clients, or a decision where it has none."""

    id: str  # never changes and never gets another meaning; `ours.…` if the document is silent
    section: str  # the heading under which the sentence is
    quote: str = ""  # the sentence as it is in the document; empty if the decision is ours
    reading: str  # what the server takes it to mean, and what it does about a breach
    good: Example = attrs.field(converter=_example)  # keeps it
    bad: Example = attrs.field(converter=_example)  # breaks it
    unseen: str = ""  # why no message can break it, if none can
    # The messages of clients that it is about; a client that has sent one of them, and has not
    # broken the clause, has kept it. Empty: the one that is the good example. The first word of a
    # name stands for all messages whose names begin with it.
    binds: tuple[str, ...] = ()
    crossing: bool = False  # messages that cross may break it without anybody's mistake
    rare: str = ""  # why a client that makes no mistakes never gets into that situation, if so

    @property
    def ours(self) -> bool:
        """Whether the document is silent about this."""
        return not self.quote


class Consequence(enum.Enum):
    """What the server does about a message that breaks a clause."""

    REFUSED = "refused"  # the answer is the one that the protocol has for it, or there is none
    STRUCK = "struck"  # it also counts against the client
    KICKED = "kicked"  # the client is disconnected
    IGNORED = "ignored"  # nothing happens, and the client is not told
    CORRECTED = "corrected"  # the server does what the client probably meant

    def __init__(self, word: str) -> None:
        self.tolerated = word in ("ignored", "corrected")  # nothing is held against the client


@frozen
class Breach:
    """A clause that a message breaks, where it does, and what would have been right."""

    clause: Clause
    pointer: str  # to the field: a JSON pointer or an XPath; empty for the message as a whole
    expected: str
    came: str = attrs.field(converter=brief)

    @classmethod
    def by(cls, flaw: Flaw, clause: Clause) -> "Breach":
        """What is wrong with a message that cannot be read breaks this clause."""
        return cls(clause, flaw.pointer, flaw.expected, flaw.came)

    @property
    def reason(self) -> str:
        """All of it but the clause, in a line."""
        place = f"{self.pointer}: " if self.pointer else ""
        wanted = f"expected {self.expected}; came " if self.expected else ""
        return brief(f"{place}{wanted}{self.came}")

    def __str__(self) -> str:
        return f"{self.clause.id} {self.reason}"


def defined_in(*modules: ModuleType | Mapping[str, Any]) -> list[Clause]:
    """The clauses that these modules, or `globals()`, define, so that none can be forgotten."""
    names = (vars(each) if isinstance(each, ModuleType) else each for each in modules)
    values = (value for each in names for value in each.values())
    return [value for value in values if isinstance(value, Clause)]


class Clauses(Mapping[str, Clause]):
    """The clauses of a game by id, in the order of its document; ours come last."""

    def __init__(
        self,
        clauses: Iterable[Clause] = (),
        *,
        refuses: Callable[[Any], bool] = lambda message: False,
        accepts_silently: Callable[[Any], bool] = lambda message: False,
        name: Callable[[Any], str] = lambda message: type(message).__name__,
    ) -> None:
        self._clauses = {each.id: each for each in sorted(clauses, key=lambda each: each.ours)}
        # Both are for tests, which find out whether every refusal names its clause.
        self.refuses = refuses  # whether a message of the server is one
        self.accepts_silently = accepts_silently  # whether a client's message has no answer anyway
        self.name = name  # of a message of clients, as in `Clause.binds`

    def __getitem__(self, key: str) -> Clause:
        return self._clauses[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._clauses)

    def __len__(self) -> int:
        return len(self._clauses)
