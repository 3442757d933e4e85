"""Reading the tables of a TOML file with all their mistakes."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import attrs

from ludothek.contract import registry as games
from ludothek.contract.game import Game
from ludothek.settings.fields import SettingsError, nearest, sift
from ludothek.settings.toml_file import Keys, TomlFile

T = TypeVar("T")


@attrs.frozen
class TableReader:
    """Reads a file and continues after a mistake, in order to find them all."""

    file: TomlFile
    problems: list[str] = attrs.field(factory=list)

    def _game(self, name: Any, label: str, keys: Keys) -> Game | None:
        if not isinstance(name, str):
            if name is None:
                known = ", ".join(games.names())
                self._complain(f"game is missing; known are {known}", label, keys)
            return None
        try:
            return games.load(name)
        except games.UnknownGame:
            text = f"there is no game {name!r}{nearest(name, games.names())}"
        except games.BrokenGame as broken:
            text = str(broken)
        self._complain(text, label.partition(" (")[0], (*keys, "game"))
        return None

    def _section(
        self,
        cls: type[T],
        values: Mapping[str, Any],
        label: str = "",
        keys: Keys = (),
        inner: tuple[str, type[Any]] | None = None,
        besides: Sequence[str] = (),
    ) -> T | None:
        """Settings of that class, or None if there are problems.

        `inner` is a nested table with its class, whose keys are easily misplaced.
        `besides` are the keys of other tables that may occur here.
        """
        right, problems = sift(cls, values, besides)
        table, misplaced = ("", set[str]())
        if inner is not None:
            table, misplaced = inner[0], {field.name for field in attrs.fields(inner[1])}
        for problem in problems:
            reason = problem.reason
            if problem.key in misplaced:
                reason = f"{problem.key} belongs in [{table}]"
            self._complain(reason, label, (*keys, problem.key))
        if problems:
            return None
        try:
            return cls(**right)
        except SettingsError as error:  # each value is right, but not with the others
            self._complain(str(error), label, (*keys, str(error).partition(":")[0]))
            return None

    def _complain(self, text: str, label: str, keys: Keys) -> None:
        parts = (self.file.where(*keys), label, text)
        self.problems.append(": ".join(part for part in parts if part))
