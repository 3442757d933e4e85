"""One entrant as the file of a tournament describes it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from ludothek.arena import command_line
from ludothek.arena.command_line import short
from ludothek.arena.entrant import Entrant, Kind, placeholders_of
from ludothek.contract.game import Game
from ludothek.contract.names import has_control_characters
from ludothek.contract.player import THINK_RANGE, THINK_SECONDS
from ludothek.settings.fields import LONGEST_SHOWN, between, nearest, setting, sift

LONGEST_NAME = 30

# The option of an entrant who connects from elsewhere: where.
PORT = "port"

# Where a mistake is, and what it is; no key: the entrant as a whole.
Problem = tuple[str | None, str]


def _is_name(name: str) -> str | None:
    if not name.strip() or name != name.strip() or has_control_characters(name):
        return "must be visible, without spaces around it"
    return None if len(name) <= LONGEST_NAME else f"must have at most {LONGEST_NAME} characters"


@attrs.frozen(kw_only=True)
class _Entry:
    name: str = setting("", "under which it plays", check=_is_name)
    remote: bool = setting(False, "it connects from elsewhere")
    folder: str | None = setting(None, "where a program lives; none: where the file is")
    environment: dict[str, Any] = setting({}, "variables of a program")
    difficulty: int | None = setting(None, "what {difficulty} stands for in a command")
    think_seconds: float = setting(
        THINK_SECONDS,
        "seconds that a bot may think about a move; only the strongest need any",
        check=between(*THINK_RANGE),
    )
    options: dict[str, Any] = setting({}, "what a game has for its players")


@attrs.frozen
class ReadEntrant:
    """An entrant, or why there is none."""

    entrant: Entrant | None
    problems: list[Problem]


def read_entrant(values: Mapping[str, Any], file: Path, game: Game | None) -> ReadEntrant:
    """What a table says; paths in it are relative to the folder of the file."""
    reader = _Reader(values, file.absolute().parent, game)
    problems = [*reader.problems()]
    return ReadEntrant(None if problems else reader.entrant(), problems)


@attrs.define
class _Reader:
    values: Mapping[str, Any]
    place: Path
    game: Game | None
    command: tuple[str, ...] = ()
    difficulty: int = 0

    def entrant(self) -> Entrant:
        get = self.values.get
        options = {key: str(value) for key, value in get("options", {}).items()}
        options |= {key: short(path) for key, path in self._files()}
        kind = Kind.COMMAND if "command" in self.values else Kind.BOT
        return Entrant(
            name=self.values["name"],
            kind=Kind.REMOTE if get("remote") else kind,
            command=self.command,
            folder=str(self._folder()) if kind is Kind.COMMAND else None,
            environment={key: str(value) for key, value in get("environment", {}).items()},
            difficulty=self.difficulty,
            think_seconds=float(get("think_seconds", THINK_SECONDS)),
            options=options,
        )

    def problems(self) -> Iterator[Problem]:
        own = {key: value for key, value in self.values.items() if key not in ("command", "bot")}
        _, wrong = sift(_Entry, own, besides=("command", "bot"))
        yield from ((problem.key, problem.reason) for problem in wrong)
        bad = {problem.key for problem in wrong}
        if "name" not in self.values:
            yield None, "name is missing"
        if "folder" not in bad:
            yield from self._kind_problems()
        for key in ("environment", "options"):
            if key in self.values and key not in bad:
                yield from _texts(key, self.values[key])
        if "options" not in bad:
            yield from self._option_problems(self.values.get("options", {}))

    def _option_problems(self, options: Mapping[str, Any]) -> Iterator[Problem]:
        known = [option.key for option in (self.game.bot_options if self.game else ())]
        if self.values.get("remote"):
            known.append(PORT)
        for key in options:
            if self.game is not None and key not in known:
                meant = nearest(key, known) if known else ""
                yield "options", f"options: unknown option {key!r}{meant}"
        port = options.get(PORT, 1)
        if PORT in known and not (type(port) is int and 0 < port < 65536):
            yield "options", f"options: port: expected a number from 1 to 65535, not {port!r}"
        for key, path in self._files():
            if not path.is_file():
                yield "options", f"options: {key}: there is no file {short(path)}"

    def _kind_problems(self) -> Iterator[Problem]:
        kinds = [key for key in ("command", "bot", "remote") if self.values.get(key) is not None]
        if self.values.get("remote") is False:
            kinds.remove("remote")
        if len(kinds) != 1:
            what = f"not {' and '.join(kinds)}" if kinds else "which is missing"
            key = kinds[1] if kinds else None
            yield key, f"expected one of command, bot and remote, {what}"
        if "command" in self.values:
            yield from self._command_problems(self.values["command"])
            self.difficulty = self.values.get("difficulty", 0)
        elif "bot" in self.values:
            yield from self._bot_problems(self.values["bot"])
        for key in ("folder", "environment", "difficulty"):
            if key in self.values and "command" not in self.values:
                yield key, f"{key} is only for a command"
        if "think_seconds" in self.values and "bot" not in self.values:
            yield "think_seconds", "think_seconds is only for a bot"

    def _bot_problems(self, bot: Any) -> Iterator[Problem]:
        if self.game is None:
            return
        known = self.game.difficulties
        strengths = ", ".join(f"{number} ({name})" for number, name in enumerate(known))
        if isinstance(bot, str) and bot in known:
            self.difficulty = [*known].index(bot)
        elif type(bot) is int and 0 <= bot < len(known):
            self.difficulty = bot
        elif isinstance(bot, str):
            yield "bot", f"bot: there is no difficulty {bot[:LONGEST_SHOWN]!r}{nearest(bot, known)}"
        else:
            yield "bot", f"bot: expected a difficulty: {strengths}"

    def _command_problems(self, command: Any) -> Iterator[Problem]:
        if isinstance(command, str):
            try:
                self.command = command_line.split(command)
            except ValueError as error:
                yield "command", f"command: {error}"
                return
        elif isinstance(command, list) and all(isinstance(word, str) for word in command):
            self.command = tuple(command)
        else:
            yield "command", "command: expected text, or a list of words"
            return
        if not self.command or any("\0" in word for word in self.command):
            yield "command", "command: expected at least one word, without zero bytes"
            return
        for problem in command_line.unknown_words(self.command, placeholders_of(self.game)):
            yield "command", f"command: {problem}"
        folder = self._folder()
        if not folder.is_dir():
            yield "folder", f"folder: there is no folder {short(folder)}"
        elif unusable := command_line.unusable(self.command[0], folder):
            yield "command", f"command: {unusable}"

    def _files(self) -> Iterator[tuple[str, Path]]:
        """Options that name files, which are relative to the folder of the tournament's file."""
        options = self.values.get("options", {})
        for option in self.game.bot_options if self.game else ():
            if option.file and option.key in options:
                yield option.key, self.place / str(options[option.key])

    def _folder(self) -> Path:
        return self.place / str(self.values.get("folder", "."))


def _texts(key: str, values: Mapping[str, Any]) -> Iterator[Problem]:
    for name, value in values.items():
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            yield key, f"{key}: {name} must be a text or a number"
        elif "\0" in f"{name}{value}" or "=" in name:
            yield key, f"{key}: {name!r} cannot be passed to a program"
