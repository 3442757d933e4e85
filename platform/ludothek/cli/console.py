"""What the organiser's commands share: finding the daemon, calling it, printing the answer."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from ludothek.cli.columns import align
from ludothek.contract.names import printable
from ludothek.control import places
from ludothek.control.caller import NotObeyed, call
from ludothek.observe import terminal_json


class Failed(click.ClickException):
    """The daemon could not be reached or refused the request; the exit code is 1."""


@attrs.define
class Console:
    """The options of one invocation: which daemon to call, and how to print the answer."""

    control: Path | None = None
    json: bool = False

    def ask(
        self,
        method: str,
        *words: str,
        query: Mapping[str, str] | None = None,
        body: Any = None,
    ) -> Any:
        try:
            return call(self._socket(), method, words, query or {}, body)
        except NotObeyed as error:
            raise Failed(str(error)) from None
        except UnicodeError:
            raise click.UsageError("an argument is not valid UTF-8") from None

    def stay(self) -> None:
        """Call the same socket from now on, even if it is not there for a moment."""
        self.control = self._socket()

    def finds_daemon(self) -> bool:
        """Whether a daemon answers."""
        try:
            self.ask("GET", "status")
        except Failed:
            return False
        return True

    def _socket(self) -> Path:
        if self.control is not None:
            return self.control
        guesses, closed = places.to_call(os.environ), []
        for path in guesses:
            try:
                path.stat()
            except PermissionError:
                closed.append(path)
            except OSError:
                continue
            else:
                return path
        if closed:
            raise Failed(places.no_permission(closed[0]))
        looked = " or ".join(map(str, guesses))
        raise Failed(f"no daemon found: no socket at {looked}; use --control to name it")

    def show(self, answer: Any, lines: Iterable[str]) -> None:
        if self.json:
            click.echo(terminal_json.dumps(answer))
        else:
            for line in lines:
                click.echo(printable(line))


# The id of a lobby or client: its endpoint, and its key there.
Id = tuple[str, str]


def read_id(text: str) -> Id:
    game, slash, key = text.partition("/")
    if not (game and slash and key):
        raise click.BadParameter(f"expected GAME/ID as in hexxagon/1, not {text!r}")
    return game, key


def _remember(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value:
        setattr(ctx.ensure_object(Console), str(param.name), value)


# These are accepted before the verb as well as after it.
where = click.option(
    "--control",
    type=click.Path(path_type=Path, readable=False),  # our own message says who may open it
    callback=_remember,
    expose_value=False,
    help="The daemon's socket.",
)
form = click.option(
    "--json", is_flag=True, callback=_remember, expose_value=False, help="Print one JSON document."
)
pass_console = click.make_pass_decorator(Console, ensure=True)


def table(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    header = [column.upper() for column in columns]
    return align([header, *([show_value(row[column]) for column in columns] for row in rows)])


def show_value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(show_value, value)) or "-"
    if isinstance(value, dict):
        return ", ".join(f"{key}={show_value(item)}" for key, item in value.items()) or "-"
    return "-" if value in (None, "") else str(value)
