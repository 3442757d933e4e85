"""Quidditch for tests: configurations, and a table without Trio."""

import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from games.quidditch import artefacts
from games.quidditch import messages as m
from games.quidditch.codec.frames import QuidditchCodec
from games.quidditch.match import Match
from games.quidditch.member import Admission
from games.quidditch.messages import MatchConfig
from games.quidditch.mods import Mod
from games.quidditch.recipe import Recipe
from games.quidditch.rules import (
    Cell,
    DeltaType,
    Formation,
    Position,
    Request,
    State,
    Turn,
)
from games.quidditch.settings import Settings
from games.quidditch.table import QuidditchTable
from games.quidditch.visitor import Visitor
from ludothek.contract.client import Client
from ludothek.contract.clock import Clock
from ludothek.contract.codec import Malformed
from ludothek.contract.effects import (
    Close,
    Effect,
    Effects,
    Fetch,
    Inform,
    Kick,
    Release,
    Save,
    Send,
)
from ludothek.contract.flaws import Flaw, FlawKind
from ludothek.settings.fields import build
from ludothek.testing.dummies import DummyClient
from tests.support.helpers import NOON
from tests.support.table_scene import TableScene

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "config" / "quidditch"
BRIEF = ROOT / "tests" / "data" / "quidditch" / "brief.json"

HERONS = artefacts.load_team(CONFIG / "team-herons.json")
BADGERS = artefacts.load_team(CONFIG / "team-badgers.json")


def flawed(kind: FlawKind) -> Malformed:
    """A frame that could be read so far."""
    flaw = Flaw(kind, "an information", "nothing", "/payload/information", "sendDebug")
    return Malformed("sendDebug: something is wrong", flaw=flaw)


CODEC = QuidditchCodec(Clock(date=lambda: NOON))

LEFT: Formation = {
    Position.SEEKER: Cell(7, 2),
    Position.KEEPER: Cell(3, 6),
    Position.CHASER1: Cell(6, 4),
    Position.CHASER2: Cell(6, 6),
    Position.CHASER3: Cell(6, 8),
    Position.BEATER1: Cell(5, 5),
    Position.BEATER2: Cell(5, 7),
}
RIGHT: Formation = {position: Cell(16 - cell.x, cell.y) for position, cell in LEFT.items()}


def changed(config: Any, changes: Mapping[str, Any]) -> Any:
    """A configuration with other values, by their names in Python: ``timings.fan_turn_timeout``."""
    for path, value in changes.items():
        first, _, rest = path.partition(".")
        inner = changed(getattr(config, first), {rest: value}) if rest else value
        config = attrs.evolve(config, **{first: inner})
    return config


def match_config(**changes: Any) -> MatchConfig:
    """A match without animations; double underscores stand for dots."""
    config: MatchConfig = artefacts.load_match(BRIEF)
    dotted = {name.replace("__", "."): value for name, value in changes.items()}
    return changed(config, dotted)  # type: ignore[no-any-return]


# Milliseconds between snapshots of every phase.
def animated(gap: int) -> MatchConfig:
    names = ("player", "fan", "ball", "unban")
    return match_config(**{f"timings__min_{name}_phase_animation_duration": gap for name in names})


# What is meant for one client, and must never be heard by another.
PRIVATE = (
    m.JoinResponse,
    m.Lobbies,
    m.PrivateDebug,
    m.PrivateError,
    m.PrivateWarning,
    m.Reconnect,
    m.ReconnectChat,
    m.Replay,
    m.ReplayWithSnapshot,
    m.TestResponse,
)


@attrs.define(eq=False)
class Person:
    """A client at a table under test, and what it has heard since it was last asked."""

    client: Client
    name: str
    heard: list[Any] = attrs.field(factory=list)
    kicked: bool = False
    released: bool = False

    def hears(self, kind: type | None = None) -> list[Any]:
        """Everything that was heard since, or only one kind of it."""
        heard, self.heard = self.heard, []
        return [each for each in heard if kind is None or isinstance(each, kind)]

    def names(self) -> list[str]:
        return [type(message).__name__ for message in self.hears()]

    @property
    def last(self) -> Any:
        return self.heard[-1]


class Scene(TableScene[Person]):
    """A table, the people at it, and a clock that advances when told to."""

    table: QuidditchTable

    def __init__(self, config: MatchConfig | None = None, seed: int = 1, **settings: Any) -> None:
        super().__init__()
        self.effects: list[Effect] = []  # all there were
        self.saved: list[Save] = []
        self.notices: list[Any] = []  # what the reception is told
        self.clock = Clock(time=lambda: self.time, date=lambda: NOON)
        recipe = Recipe(
            name="hogwarts",
            settings=build(Settings, settings, "test"),
            config=config or match_config(),
        )
        self.table = QuidditchTable(recipe, self.clock, random.Random(seed))

    @property
    def match(self) -> Match:
        match = self.table._arena.match
        assert match is not None, "no match is running"
        return match

    @property
    def running(self) -> bool:
        return self.table._arena.match is not None

    @property
    def state(self) -> State:
        state = self.match._state
        assert state is not None, "the match has not begun"
        return state

    def tick(self) -> float:
        """The time on a slow machine: it advances each time it is read."""
        self.time += 0.002
        return self.time

    # What happens

    def enter(self, name: str, *mods: Mod, ai: bool = False, **admission: Any) -> Person:
        client = DummyClient(next(self._numbers), visitor=Visitor(name, ai, list(mods)))
        person = self.people[client] = Person(client, name)
        self._perform(self.table.enter(client, Admission(**admission)))
        return person

    def _perform(self, effects: Effects) -> None:
        for effect in tuple(effects):
            self.effects.append(effect)
            match effect:
                case Send(to=to, message=message):
                    self._tell(to, message)
                case Fetch(to=to, make=make):
                    self._tell(to, make())
                case Kick(client=client):
                    self.people[client].kicked = True
                case Release(client=client):
                    self.people[client].released = True
                case Save():
                    self.saved.append(effect)
                case Inform(notice=notice):
                    self.notices.append(notice)
                case Close():
                    self.closed = True
        while kicked := [client for client, each in self.people.items() if each.kicked]:
            del self.people[kicked[0]]
            self._perform(self.table.leave(kicked[0]))

    def _tell(self, to: Client | Iterable[Client], message: Any) -> None:
        CODEC.encode(message)
        assert not (isinstance(message, PRIVATE) and isinstance(to, Iterable)), message
        for client in to if isinstance(to, Iterable) else (to,):
            if client in self.people and not self.people[client].kicked:
                self.people[client].heard.append(message)

    # Shortcuts

    def players(self, *, ai: bool = False) -> tuple[Person, Person]:
        """Two players who have sent their teams: the match waits for formations."""
        left, right = self.enter("harry", ai=ai), self.enter("draco", ai=ai)
        self.say(left, HERONS)
        self.say(right, BADGERS)
        return left, right

    def game(self, *, ai: bool = False) -> tuple[Person, Person]:
        """Two players whose match has begun."""
        left, right = self.players(ai=ai)
        self.say(left, m.TeamFormation.of(LEFT))
        self.say(right, m.TeamFormation.of(RIGHT))
        return left, right

    def skip_until(self, reached: Callable[[State], bool]) -> None:
        """Let everybody's time run out until something holds, or the match is over."""
        for _ in range(5000):
            if not self.running or reached(self.state):
                return
            self.wait(max(0.0, self.table.timers.deadline - self.time))
        raise AssertionError("never reached")

    def side(self, turn_of: str) -> Person:
        """Who plays the left or the right side."""
        names = dict(zip(("left", "right"), self.table.summary.players, strict=True))
        return next(each for each in self.people.values() if each.name == names[turn_of])

    def on_turn(self) -> tuple[Person, Turn]:
        """Who is asked now, and for what."""
        turn = self.match._turn
        assert turn is not None, "nobody is asked"
        return self.side(turn.side), turn

    def skip(self) -> list[Any]:
        """Let whoever is asked skip its turn."""
        person, turn = self.on_turn()
        return self.say(person, skip(turn))

    def forget(self) -> None:
        for person in self.people.values():
            person.heard.clear()


def skip(turn: Turn) -> m.DeltaRequest:
    return m.DeltaRequest.of(Request(DeltaType.SKIP, active=turn.entity))
