"""Settings from the command line: key=value, for one game or for all."""

from collections.abc import Sequence
from typing import Any

from ludothek.settings.fields import SettingsError, Text, nearest

LIMITS_KEY = "limits"


def read_assignments(assignments: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """``key=value`` from the command line, sorted by game.

    With several games a key begins with the game's name: ``hexxagon.max_strikes=3``. Keys that
    begin with ``limits.`` apply to all of them.

    Raises:
      SettingsError: an assignment has no equals sign, or it is unclear whose it is.
    """
    settings: dict[str, dict[str, Any]] = {name: {} for name in (*names, LIMITS_KEY)}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals:
            raise SettingsError(f"--set {assignment}: expected KEY=VALUE")
        name, dot, rest = key.partition(".")
        if not (dot and name in settings):
            if dot and len(names) != 1:
                raise SettingsError(
                    f"--set {key}: {name!r} is not served here{nearest(name, names)}"
                )
            if len(names) != 1:
                raise SettingsError(f"--set {key}: with several games, write GAME.{key}")
            name, rest = names[0], key
        settings[name][rest.strip()] = Text.read(value.strip())
    return settings
