"""What every game's package looks like, so that knowing one means knowing them all."""

import ast
import importlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import attrs

from ludothek.settings.fields import GameSettings
from ludothek.testing.suite import Suite

# The modules (or packages of the same name) that every game has, and what is defined there.
CORE_FILES: Mapping[str, Sequence[str]] = {
    "": ("GAME",),
    ".bots": (),
    ".breaches": (),
    ".clauses": ("CLAUSES",),
    ".codec": (),
    ".drawing": ("draw",),
    ".knowledge": ("Knowledge",),
    ".match": ("Match",),
    ".member": ("Admission", "Member"),
    ".messages": (),
    ".player": (),
    ".reception": (),
    ".recipe": ("Recipe",),
    ".refusals": (),
    ".rules": (),
    ".rules.mistakes": ("Mistake",),
    ".settings": ("Settings",),
    ".table": (),
    ".visitor": ("Visitor",),
}

# Waiting is the core's business: a game only says what should happen.
_WAITING = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
_LOOPS = {"trio", "asyncio", "anyio"}


class PackageSuite(Suite):
    """The files of a game."""

    def test_the_package_has_the_files_of_every_game(self) -> None:
        package = self.package.__name__
        missing = [name for name in CORE_FILES if find_spec(package + name) is None]
        assert missing == []
        for name, nouns in CORE_FILES.items():
            found = vars(importlib.import_module(package + name))
            assert {*nouns} <= {*found}, package + name

    def test_nothing_in_it_waits(self) -> None:
        found = [
            f"{path.name}:{getattr(node, 'lineno', 0)}"
            for path in self._sources()
            for node in ast.walk(ast.parse(path.read_bytes()))
            if isinstance(node, _WAITING) or _LOOPS.intersection(_imported(node))
        ]
        assert found == []

    def _sources(self) -> Iterator[Path]:
        for folder in self.package.__path__:
            yield from Path(folder).rglob("*.py")

    def test_every_setting_has_a_default_and_an_explanation(self) -> None:
        assert issubclass(self.game.settings, GameSettings)
        assert self.game.settings() == self.game.settings()
        fields = attrs.fields(self.game.settings)
        assert [field.name for field in fields if not field.metadata.get("help")] == []

    def test_options_of_the_command_line_are_explained(self) -> None:
        settings = {field.name for field in attrs.fields(self.game.settings)}
        assert {option.key for option in self.game.run_options} <= settings
        for option in (*self.game.run_options, *self.game.bot_options):
            assert option.flags
            assert option.help
        assert len(self.game.difficulties) > 1


def _imported(node: ast.AST) -> set[str]:
    """The top-level packages that a statement imports."""
    match node:
        case ast.Import(names=names):
            return {alias.name.partition(".")[0] for alias in names}
        case ast.ImportFrom(module=str(module), level=0):
            return {module.partition(".")[0]}
    return set()
