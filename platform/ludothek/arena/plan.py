"""What a tournament is: everything that its file says."""

import enum
import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

import attrs
import cattrs.preconf.orjson
import orjson

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.formats import groups
from ludothek.arena.formats.fixed import Fixed
from ludothek.arena.formats.knockout import Knockout
from ludothek.arena.formats.schedule import Fixture, Schedule
from ludothek.arena.formats.sequential import Sequential
from ludothek.arena.formats.swiss import Swiss
from ludothek.arena.stats.sprt import Sprt
from ludothek.arena.task import Task
from ludothek.contract.chance import Chance


class Format(enum.Enum):
    """How entrants are brought together."""

    ROUND_ROBIN = "round robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    SPRT = "sprt"


class Seeding(enum.Enum):
    """Who meets whom in the first round of a knock-out."""

    FILE = "file"  # entrants are listed from the best one
    DRAW = "draw"  # by lot, which the seed of the tournament decides


# What can differ between two runs of the same tournament.
_FREE = ("title", "concurrency", "host", "port")


@attrs.frozen(kw_only=True)
class Plan:
    """A tournament as plain data."""

    title: str
    game: str
    settings: Mapping[str, Any]
    format: Format
    players: int  # in each game
    games: int  # of each pairing; of a sequential test, at most
    seed: int
    entrants: tuple[Entrant, ...]
    bounds: Bounds = attrs.field(factory=Bounds)
    concurrency: int = 0  # games at the same time; 0: as many as the pool has slots
    rounds: int = 0  # swiss
    groups: int = 0  # round robin of three and more: so many groups; 0: all
    challenger: int = 0  # gauntlet
    seeding: Seeding = Seeding.FILE  # knockout
    tie_breaks: int = 0  # knockout: pairs after a draw
    sprt: Sprt | None = None
    host: str = "127.0.0.1"
    port: int = 0

    @property
    def names(self) -> list[str]:
        return [entrant.name for entrant in self.entrants]

    def schedule(self) -> Schedule:
        """The games, which follow from the seed and from results."""
        chance = Chance(self.seed).child("arena", self.format.value)
        count, players = len(self.entrants), self.players
        match self.format:
            case Format.ROUND_ROBIN:
                found = groups.everybody(count, players)
                if self.groups:
                    rng = chance.child("groups").random()
                    found = groups.balanced(count, players, self.groups, rng)
                return Fixed(found, self.games, chance)
            case Format.GAUNTLET:
                return Fixed(groups.challenges(self.challenger, count, players), self.games, chance)
            case Format.SWISS:
                return Swiss(count, players, self.rounds, self.games, chance)
            case Format.KNOCKOUT:
                seeding = [*range(count)]
                if self.seeding is Seeding.DRAW:
                    chance.child("draw").random().shuffle(seeding)
                return Knockout(seeding, self.games, self.tie_breaks, chance)
            case Format.SPRT:
                return Sequential(self.sprt or Sprt(), self.games, chance)

    def task(
        self, fixture: Fixture, folder: str, attempt: int = 1, private: Iterable[str] = ()
    ) -> Task:
        """A game of it as it is to be played; no program sees what is private."""
        folders = (entrant.folder for entrant in self.entrants if entrant.folder)
        return Task(
            number=fixture.number,
            game=self.game,
            settings=self.settings,
            seed=fixture.seed,
            entrants=tuple(self.entrants[entrant] for entrant in fixture.seats),
            bounds=self.bounds,
            folder=folder,
            host=self.host,
            port=self.port if self.is_remote(fixture) else 0,
            private=tuple(dict.fromkeys((*private, folder, *folders))),
            attempt=attempt,
        )

    def is_remote(self, fixture: Fixture) -> bool:
        """Whether somebody in it connects from elsewhere, who can play one game at a time."""
        return any(self.entrants[entrant].kind is Kind.REMOTE for entrant in fixture.seats)

    @property
    def digest(self) -> str:
        """The same for all plans that continue the same tournament.

        Where all games are known from the beginning, or are played until something is clear, more
        games per pairing continue it.
        """
        text = orjson.dumps(self._fixed, option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(text).hexdigest()

    def differences(self, other: "Plan") -> list[str]:
        """What makes this another tournament, in the words of the file."""
        mine, theirs = self._fixed, other._fixed
        return [
            "entrant" if key == "entrants" else key
            for key in mine
            if mine[key] != theirs.get(key, mine[key])
        ]

    @property
    def _fixed(self) -> dict[str, Any]:
        """All that cannot differ between two runs."""
        grows = self.format in (Format.ROUND_ROBIN, Format.GAUNTLET, Format.SPRT)
        values: dict[str, Any] = orjson.loads(self.to_json())
        for key in (*_FREE, *(["games"] if grows else [])):
            del values[key]
        return values

    def to_json(self) -> bytes:
        return _CONVERTER.dumps(self)

    @classmethod
    def from_json(cls, text: bytes | str) -> "Plan":
        return _CONVERTER.loads(text, cls)


_CONVERTER = cattrs.preconf.orjson.make_converter()
