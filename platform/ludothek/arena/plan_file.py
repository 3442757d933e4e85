"""Reading the file of a tournament, with all its mistakes."""

import math
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import attrs

from ludothek.arena.bounds import Bounds
from ludothek.arena.entrant import Entrant, Kind
from ludothek.arena.entrant_table import read_entrant
from ludothek.arena.formats.groups import MOST_GROUPS
from ludothek.arena.plan import Format, Plan, Seeding
from ludothek.arena.stats.sprt import Sprt
from ludothek.contract.game import Game
from ludothek.contract.names import skeleton
from ludothek.settings import toml_file
from ludothek.settings.config_file import LOCAL
from ludothek.settings.fields import SettingsError, at_least, between, nearest, setting, sift
from ludothek.settings.table_reader import TableReader

# Of a sequential test, unless the file says so.
SPRT_GAMES = 20_000

# Games of a tournament: more of them nobody waits for, and all have to be kept in mind.
MOST_GAMES = 200_000


class PlanError(SettingsError):
    """A file with mistakes: all of them, and the first one as the text."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = problems
        more = len(problems) - 1
        super().__init__(problems[0] + (f" ({more} more: platform arena check)" if more else ""))


@attrs.frozen(kw_only=True)
class _Entry:
    """What stands at the top of the file."""

    title: str = setting("", "what the tournament is called; empty: as its file")
    game: str = setting("", "name of the game")
    format: Format = setting(Format.ROUND_ROBIN, "how entrants are brought together")
    players: int | None = setting(
        None, "players in each game; none: as few as possible", check=at_least(2)
    )
    games: int | None = setting(
        None,
        "games of each pairing; none: everybody takes each seat once",
        check=between(2, 1_000_000),
    )
    seed: int = setting(0, "decides pairings, boards and lots", check=between(0, 2**63 - 1))
    concurrency: int = setting(
        0, "games at the same time; 0: as many as fit the cores", check=between(0, 10_000)
    )
    host: str = setting(LOCAL, "address at which games are hosted")
    port: int = setting(
        0, "port for entrants who connect from elsewhere; 0: any", check=between(0, 65535)
    )
    rounds: int | None = setting(None, "rounds of a swiss tournament", check=between(1, 1000))
    groups: int | None = setting(
        None,
        "groups of a round robin with three and more players per game; none: all",
        check=between(1, MOST_GROUPS),
    )
    challenger: str | None = setting(None, "who meets all others in a gauntlet; none: the first")
    seeding: Seeding | None = setting(None, "knockout: as in the file, or by lot")
    tie_breaks: int | None = setting(
        None, "knockout: pairs of games after a draw", check=between(0, 1000)
    )
    settings: dict[str, Any] = setting({}, "the game's own settings")
    bounds: dict[str, Any] = setting({}, "what programs may use")
    sprt: dict[str, Any] = setting({}, "hypotheses of a sequential test")


# Keys that only some formats have.
_ONLY = {
    "rounds": Format.SWISS,
    "groups": Format.ROUND_ROBIN,
    "challenger": Format.GAUNTLET,
    "seeding": Format.KNOCKOUT,
    "tie_breaks": Format.KNOCKOUT,
    "sprt": Format.SPRT,
}


def read(path: Path, games: int | None = None) -> Plan:
    """The tournament in a file; `games` of each pairing take the place of those in the file.

    Raises:
      SettingsError: the file cannot be read, or something in it is wrong.
    """
    file = toml_file.read(path)
    if games is not None:
        file.values["games"] = games
    return _Reader(file).plan()


class _Reader(TableReader):
    """Reads a tournament."""

    def plan(self) -> Plan:
        """The tournament; raises PlanError."""
        values = dict(self.file.values)
        tables = values.pop("entrant", None)
        game = self._game(values.get("game"), "", ())
        inner = ("settings", game.settings) if game else None
        entry = self._section(_Entry, values, inner=inner, besides=("entrant",))
        wrong: set[str] = set()
        if entry is None:  # what is right can still be looked at
            right, problems = sift(_Entry, values, ("entrant",))
            entry, wrong = _Entry(**right), {problem.key for problem in problems}
        settings = self._settings(game, values.get("settings", {}))
        bounds = self._table("bounds", Bounds, values)
        sprt = self._table("sprt", Sprt, values)
        entrants = self._entrants(tables, game)
        if bounds is not None:
            self._check_thinking(entrants, bounds)
        plan = None
        if game is not None:
            plan = self._checked(entry, game, settings, entrants, wrong)
        if self.problems or plan is None or bounds is None or sprt is None:
            raise PlanError(self.problems)
        return attrs.evolve(plan, bounds=bounds, sprt=sprt if plan.format is Format.SPRT else None)

    def _table(self, name: str, cls: type[Any], values: Mapping[str, Any]) -> Any:
        found = values.get(name, {})
        return self._section(cls, found, name, (name,)) if isinstance(found, dict) else None

    def _settings(self, game: Game | None, values: Any) -> dict[str, Any]:
        """The game's settings; files that they name are found next to the tournament's."""
        if game is None or not isinstance(values, dict):
            return {}
        files = {field.name for field in attrs.fields(game.settings) if field.metadata.get("file")}
        found = {
            key: self._located(value) if key in files and isinstance(value, str) else value
            for key, value in values.items()
        }
        self._section(game.settings, found, "settings", ("settings",))
        return found

    def _located(self, name: str) -> str:
        """A file that is named relative to this one; some settings take other words as well."""
        path = self.file.path.absolute().parent / name
        return str(path) if "/" in name or path.exists() else name

    def _entrants(self, tables: Any, game: Game | None) -> list[Entrant | None]:
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            self._complain("expected [[entrant]] tables, each with a name", "", ("entrant",))
            return []
        found: list[Entrant | None] = []
        seen: dict[str, int] = {}
        for n, values in enumerate(tables):
            name, keys = values.get("name"), ("entrant", n)
            label = f"entrant {n + 1} ({name})" if isinstance(name, str) else f"entrant {n + 1}"
            read = read_entrant(values, self.file.path, game)
            for key, text in read.problems:
                self._complain(text, label, (*keys, key) if key else keys)
            found.append(read.entrant)
            if isinstance(name, str) and (same := seen.setdefault(skeleton(name), n)) != n:
                text = f"entrant {same + 1} has the same name"
                self._complain(text, label, (*keys, "name"))
        return found

    def _check_thinking(self, entrants: Sequence[Entrant | None], bounds: Bounds) -> None:
        for n, entrant in enumerate(entrants):
            if entrant is not None and entrant.think_seconds >= bounds.move_seconds:
                text = f"think_seconds: must be less than move_seconds, {bounds.move_seconds:g}"
                label = f"entrant {n + 1} ({entrant.name})"
                self._complain(text, label, ("entrant", n, "think_seconds"))

    def _checked(
        self,
        entry: _Entry,
        game: Game,
        settings: Mapping[str, Any],
        entrants: Sequence[Entrant | None],
        wrong: Set[str],
    ) -> Plan:
        players = game.players if entry.players is None else entry.players
        games = players if entry.games is None else entry.games
        if entry.games is None and entry.format is Format.SPRT:
            games = SPRT_GAMES
        right = [entrant for entrant in entrants if entrant is not None]
        challenger = self._challenger(entry.challenger, entrants)
        if not wrong & {"players", "games"}:
            self._check_counts(entry, game, players, games, len(entrants))
        if not wrong & {"players", "format"}:
            self._check_format(entry, players)
        if entry.port == 0 and "port" not in wrong:
            for n, entrant in enumerate(entrants):
                if entrant and entrant.kind is Kind.REMOTE and "port" not in entrant.options:
                    text = "it connects from elsewhere, so the tournament needs a port"
                    self._complain(text, f"entrant {n + 1} ({entrant.name})", ("entrant", n))
        swiss = entry.format is Format.SWISS
        usual_rounds = _usual_rounds(len(entrants)) if swiss else 0
        return Plan(
            title=entry.title or self.file.path.stem,
            game=game.name,
            settings=settings,
            format=entry.format,
            players=players,
            games=games,
            seed=entry.seed,
            entrants=tuple(right),
            concurrency=entry.concurrency,
            rounds=usual_rounds if entry.rounds is None else entry.rounds,
            groups=entry.groups or 0,
            challenger=challenger,
            seeding=entry.seeding or Seeding.FILE,
            tie_breaks=3 if entry.tie_breaks is None else entry.tie_breaks,
            host=entry.host,
            port=entry.port,
        )

    def _challenger(self, name: str | None, entrants: Sequence[Entrant | None]) -> int:
        names = [entrant.name for entrant in entrants if entrant is not None]
        if name is None or len(names) < len(entrants):
            return 0
        if name not in names:
            self._complain(
                f"there is no entrant {name!r}{nearest(name, names)}", "", ("challenger",)
            )
            return 0
        return names.index(name)

    def _check_counts(
        self, entry: _Entry, game: Game, players: int, games: int, entrants: int
    ) -> None:
        if not game.players <= players <= game.most_players:
            text = f"players: {game.name} has {_range(game)} players, not {players}"
            self._complain(text, "", ("players",))
            return
        if games % players:
            text = f"games: must be a multiple of {players}, so that everybody takes each seat"
            self._complain(f"{text} as often, not {games}", "", ("games",))
        if entrants < players:
            text = f"too few entrants: a game needs {players}, and there are {entrants}"
            self._complain(text, "", ("entrant", 0))
        elif entry.format is Format.SPRT and entrants != 2:
            text = f"sprt compares two entrants, and there are {entrants}"
            self._complain(text, "", ("format",))
        count = _groups(entry, players, entrants)
        if count > MOST_GROUPS:
            fewer = "; choose fewer with the key groups" * (entry.format is Format.ROUND_ROBIN)
            text = f"{count:,} groups of {players} are too many{fewer}"
            self._complain(text, "", ("format",))
        elif count * games > MOST_GAMES:
            text = f"games: {games:,} of each pairing are {count * games:,} in all, which are too"
            self._complain(f"{text} many; at most {MOST_GAMES:,} are possible", "", ("games",))

    def _check_format(self, entry: _Entry, players: int) -> None:
        for key, format_ in _ONLY.items():
            if key in self.file.values and entry.format is not format_:
                text = f"{key} is only for the format {format_.value!r}"
                self._complain(text, "", (key,))
        if entry.format in (Format.KNOCKOUT, Format.SPRT) and players != 2:
            text = f"{entry.format.value} needs games of two players, not of {players}"
            self._complain(text, "", ("format",))
        if entry.groups is not None and players == 2:
            self._complain("groups is for games of three and more players", "", ("groups",))


def _usual_rounds(entrants: int) -> int:
    return math.ceil(math.log2(max(2, entrants))) + 1


def _groups(entry: _Entry, players: int, entrants: int) -> int:
    """How many groups meet, each with its own games; a sequential test has its own limit."""
    match entry.format:
        case Format.ROUND_ROBIN:
            every = math.comb(entrants, players)
            return min(entry.groups or every, every)
        case Format.GAUNTLET:
            return math.comb(max(0, entrants - 1), players - 1)
        case Format.SWISS:
            return (entry.rounds or _usual_rounds(entrants)) * (entrants // players)
        case Format.KNOCKOUT:
            return entrants - 1
    return 0


def _range(game: Game) -> str:
    if game.players == game.most_players:
        return str(game.players)
    return f"{game.players} to {game.most_players}"
