"""Options of the command line that games declare."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import click

from ludothek.contract import registry
from ludothek.contract.game import Game, Option

_GAMES, _GIVEN = "ludothek.games", "ludothek.given"


class GameCommand(click.Command):
    """A command that also takes the options of the games it is called for.

    Only the games that `--game` names are loaded, or all if it names none.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = registry.names()
        named = [name for name in _named(args) if name in known]
        if not named and not _has_config(args):  # the file names them, and stands alone
            named = known
        ctx.meta[_GAMES] = [*_load(dict.fromkeys(named))]
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        declared = [self.option(game, each) for game in _games(ctx) for each in self.declared(game)]
        return [*super().get_params(ctx)[:-1], *declared, *super().get_params(ctx)[-1:]]

    def declared(self, game: Game) -> Sequence[Option]:
        raise TypeError("a command says which options of a game it takes")

    def option(self, game: Game, option: Option) -> click.Option:
        """The option as click knows it; its value is found in the context, not passed on."""
        return click.Option(
            [*option.flags, option.key],
            metavar=option.metavar,
            help=f"{option.help}  [{game.name}]",
            expose_value=False,
            callback=lambda ctx, _, value: _keep(ctx, game, option.key, value),
        )


class RunCommand(GameCommand):
    """Serves games, and takes shorthands for their settings."""

    def declared(self, game: Game) -> Sequence[Option]:
        return game.run_options


class BotCommand(GameCommand):
    """Plays a game, and takes options that only its player knows."""

    def declared(self, game: Game) -> Sequence[Option]:
        return game.bot_options


class PictureCommand(GameCommand):
    """Lists games, or shows what one of them can draw."""

    def declared(self, game: Game) -> Sequence[Option]:
        return [
            Option(key=kind, flags=[f"--{kind}"], metavar="NAME", help=f"Draw a {kind} instead.")
            for kind in game.pictures
        ]


def given(ctx: click.Context) -> list[tuple[Game, str, str]]:
    """The options of games that were used: whose, which, and the value."""
    found: list[tuple[Game, str, str]] = ctx.meta.get(_GIVEN, [])
    return found


def _keep(ctx: click.Context, game: Game, key: str, value: Any) -> None:
    if value is not None:
        ctx.meta.setdefault(_GIVEN, []).append((game, key, value))


def _games(ctx: click.Context) -> Sequence[Game]:
    games: Sequence[Game] = ctx.meta.get(_GAMES, ())
    return games


def _load(names: Iterable[str]) -> Iterator[Game]:
    """Those that can be loaded; a command that needs another one complains of it."""
    for name in names:
        with suppress(registry.BrokenGame):
            yield registry.load(name)


def _has_config(args: Sequence[str]) -> bool:
    return any(word == "--config" or word.startswith("--config=") for word in args)


def _named(args: Sequence[str]) -> Iterator[str]:
    for word, following in zip(args, (*args[1:], ""), strict=False):
        if word == "--game":
            yield following
        elif word.startswith("--game="):
            yield word.removeprefix("--game=")
