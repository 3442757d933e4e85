"""The command line: all commands, and what their mistakes look like."""

import atexit
import random
import sys
from pathlib import Path
from typing import Any, NoReturn

import attrs
import click
import trio

from ludothek import __version__
from ludothek.cli.arena import arena
from ludothek.cli.bot import NoServer, run_bot
from ludothek.cli.check import check
from ludothek.cli.columns import align
from ludothek.cli.coverage import show_coverage
from ludothek.cli.ctl import ctl
from ludothek.cli.explain import explain
from ludothek.cli.game_options import BotCommand, PictureCommand, given
from ludothek.cli.matches import matches
from ludothek.cli.replay import replay
from ludothek.cli.run import run
from ludothek.cli.shipped import config_command
from ludothek.cli.speaking import complain, escape_unencodable
from ludothek.cli.top import top
from ludothek.cli.wire_log import wire
from ludothek.cli.wire_switch import switch_wire
from ludothek.contract import registry as games
from ludothek.contract.names import printable
from ludothek.contract.player import (
    THINK_RANGE,
    THINK_SECONDS,
    BrokenProtocol,
    PlayerOptions,
    Report,
)
from ludothek.daemon.endpoints import CannotListen
from ludothek.daemon.guarded import MISTAKEN
from ludothek.observe import log, terminal_json
from ludothek.settings import config_file as config
from ludothek.settings.config_file import ConfigError
from ludothek.settings.fields import SettingsError

USER_ERROR = MISTAKEN
FAILURE = 1


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="platform")
def cli() -> None:
    """A game server for several course projects at once."""


@cli.command("games", cls=PictureCommand)
@click.pass_context
def list_games(ctx: click.Context) -> None:
    """List the games with protocol, transport and port."""
    if pictures := given(ctx):
        for game, kind, name in pictures:
            click.echo(game.pictures[kind](name))
        return
    rows = [("GAME", "PROTOCOL", "VERSION", "TRANSPORT", "PORT")]
    for name in games.names():
        try:
            game = games.load(name)
        except games.BrokenGame as broken:
            complain(str(broken))
            continue
        transport = game.transport.scheme
        rows.append((game.name, game.protocol, game.version, transport, str(game.port)))
    for line in align(rows):
        click.echo(line)


@cli.command("check-config")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
def check_config(path: Path) -> None:
    """Check a configuration file without starting anything."""
    try:
        hosts = config.read(path).hosts
    except ConfigError as error:
        for problem in error.problems[:-1]:
            complain(problem)
        _fail(error.problems[-1], USER_ERROR)
    for host in hosts:
        click.echo(printable(str(host)))
    click.echo(printable(f"{path}: ok"))


@cli.command(cls=BotCommand)
@click.option("--game", "name", required=True, metavar="NAME", help="The game to play.")
@click.option(
    "-a", "--address", default="127.0.0.1", metavar="HOST", help="Server address.  [127.0.0.1]"
)
@click.option("-p", "--port", type=click.IntRange(1, 65535), help="Server port.  [the game's own]")
@click.option("-l", "--lobby", metavar="LOBBY", help="Lobby to play in; opened if there is none.")
@click.option("-u", "--username", metavar="NAME", help="Name to play under.")
@click.option("-k", "--password", metavar="PASSWORD", help="For games that ask for one.")
@click.option(
    "-d",
    "--difficulty",
    type=click.IntRange(0),
    default=0,
    help="0 is the strongest, the largest number plays at random.  [0]",
)
@click.option(
    "--think",
    "think_seconds",
    type=click.FloatRange(*THINK_RANGE),
    default=THINK_SECONDS,
    metavar="SECONDS",
    help="Time for a move, of levels that need any.  [1]",
)
@click.option("-v", "--verbosity", type=int, default=0, help="How much to log.  [0]")
@click.option("--games", "count", type=click.IntRange(1), default=1, help="Games to play.  [1]")
@click.option("--seed", type=int, help="Makes the player's randomness reproducible.")
def bot(
    name: str,
    address: str,
    port: int | None,
    verbosity: int,
    count: int,
    seed: int | None,
    **options: Any,
) -> None:
    """Play as a computer player; prints one JSON line per finished game."""
    game = config.find_game(name, "--game")
    log.setup("console", verbosity)
    own = {key: value for _, key, value in given(click.get_current_context())}

    def tell(report: Report) -> None:
        line = {"game": game.name} | attrs.asdict(report)
        click.echo(terminal_json.dumps(line | line.pop("details")))

    async def main() -> None:
        player = game.player(PlayerOptions(**options, own=own), random.Random(seed))
        await run_bot(game, address, port or game.port, player, tell, games=count)

    trio.run(main)


ctl.add_command(top)
ctl.add_command(switch_wire)
ctl.add_command(show_coverage)
cli.add_command(arena)
cli.add_command(check)
cli.add_command(config_command)
cli.add_command(ctl)
cli.add_command(explain)
cli.add_command(matches)
cli.add_command(replay)
cli.add_command(run)
cli.add_command(wire)


def main() -> NoReturn:
    """Run the command; a user's mistake ends it with one line, never with a traceback."""
    escape_unencodable()
    for stream in (sys.stdout, sys.stderr):
        atexit.register(log.flush_at_exit, stream)
    log.begin()
    try:
        code = cli.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(USER_ERROR)
    except click.ClickException as error:
        _fail(error.format_message(), error.exit_code)
    except SettingsError as error:
        _fail(str(error), USER_ERROR)
    except (CannotListen, NoServer, BrokenProtocol) as error:
        _fail(str(error), FAILURE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except BaseExceptionGroup as errors:
        if errors.subgroup(KeyboardInterrupt) is None:
            raise
        sys.exit(130)
    except OSError as error:  # a full disk behind our output, for example
        _fail(str(error), FAILURE)
    sys.exit(code if isinstance(code, int) else 0)


def _fail(message: str, code: int) -> NoReturn:
    complain(message)
    sys.exit(code)
