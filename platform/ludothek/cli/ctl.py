"""platform ctl: the organiser's console, a thin layer over the daemon's HTTP interface."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import isfinite
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import click

from ludothek.cli.columns import align
from ludothek.cli.console import (
    Console,
    Failed,
    Id,
    form,
    pass_console,
    read_id,
    show_value,
    table,
    where,
)
from ludothek.settings.fields import Text

# The largest configuration file that is sent; those of the games have a few hundred bytes.
MAX_FILE_BYTES = 64 * 1024

# Between two checks whether a draining daemon has shut down.
WAIT_SECONDS = 0.5

# How long to wait for the process that takes over, and between two looks.
SUCCESSOR_SECONDS = 60.0
SUCCESSOR_LOOK_SECONDS = 0.05

_game = click.option("--game", metavar="GAME", help="Only this game.")
_lobby = click.argument("lobby", type=read_id)


@click.group()
@where
@form
def ctl() -> None:
    """Manage the games of a running daemon.

    LOBBY and CLIENT are written GAME/ID, as `lobbies` and `clients` list them.
    """
    click.get_current_context().ensure_object(Console)


def _verb(function: Callable[..., None]) -> click.Command:
    return ctl.command(function.__name__.rstrip("_"))(where(form(pass_console(function))))


@_verb
def status(console: Console) -> None:
    """Version, uptime, endpoints, counts."""
    answer = console.ask("GET", "status")
    facts = [
        ("version", answer["version"]),
        ("uptime", str(timedelta(seconds=int(answer["uptime_seconds"])))),
        ("ready", "yes" if answer["ready"] else "no"),
        ("lobbies", str(answer["lobbies"])),
        ("clients", str(answer["clients"])),
        ("loop lag", f"{answer['loop_lag']['seconds_max'] * 1000:.1f} ms at most, last minute"),
        *_condition(answer),
    ]
    columns = ("name", "game", "url", "state", "lobbies", "running", "clients", "in", "out")
    rows = map(_status_row, answer["endpoints"])
    console.show(answer, [*align(facts), "", *table((*columns, "drops", "crashes"), rows)])


def _status_row(endpoint: Mapping[str, Any]) -> dict[str, Any]:
    traffic = endpoint["traffic"]
    return {
        **endpoint,
        "running": endpoint["matches"]["running"],
        "in": traffic["messages_in"],
        "out": traffic["messages_out"],
        "drops": sum(traffic["drops"].values()),
    }


def _carried(answer: Mapping[str, Any]) -> str:
    told = [
        "{carried} of {all} ".format(**answer["carried"][kind]) + kind
        for kind in ("matches", "connections")
    ]
    return f"{', '.join(told)} carried over, {answer['pause_seconds']:.2f} s"


def _condition(answer: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Anything out of the ordinary."""
    if answer["restarts"] and answer["restarted"]:
        when = datetime.fromisoformat(answer["restarted"]).astimezone().replace(tzinfo=None)
        yield "restarts", f"{answer['restarts']}, the last on {when.isoformat(' ', 'seconds')}"
        yield "", _carried(answer)
    if problem := answer["not_durable"]:
        yield "not durable", problem
    if lost := answer["unprotected"]:
        yield "unprotected", f"{lost} connections would not survive a restart"
    if answer["state"] != "open":
        left = answer["seconds_left"]
        yield "state", answer["state"] + (f", {left:.0f} seconds left" if left else "")
    for endpoint in answer["endpoints"]:
        if faults := endpoint["faults"]:
            yield "FAULTS ARE ON", f"{endpoint['name']} at {faults}"
    for problem in answer["problems"]:
        yield "problem", problem
    if failed := answer["reports_failed"]:
        yield "reports", f"{failed} could not be produced"


@_verb
@_game
def lobbies(console: Console, game: str | None) -> None:
    """List the open lobbies."""
    answer = console.ask("GET", "lobbies", query=_only(game))
    columns = ("id", "game", "name", "state", "players", "spectators")
    console.show(answer, table(columns, answer))


@_verb
@_game
@click.option("--refusals", is_flag=True, help="Which clauses their latest messages broke.")
def clients(console: Console, game: str | None, refusals: bool) -> None:
    """List the connected clients."""
    if refusals:
        answer = console.ask("GET", "refusals", query=_only(game))
        shown = ("id", "name", "time", "connected", "consequence", "clause", "reason")
        console.show(answer, table(shown, map(_refusal_row, answer)))
        return
    answer = console.ask("GET", "clients", query=_only(game))
    columns = ("id", "game", "name", "address", "where")
    console.show(answer, table(columns, answer))


@_verb
@click.option("--game", required=True, metavar="GAME", help="The game to open a lobby for.")
@click.option("--name", metavar="TEXT", help="Name of the lobby.")
@click.option(
    "--file",
    type=click.Path(path_type=Path),
    help="A configuration file in the game's format.",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="A setting of the game; may be repeated.",
)
@click.option("--tournament", is_flag=True, help="The same as --set tournament=true.")
def open_(
    console: Console,
    assignments: Sequence[str],
    file: Path | None,
    tournament: bool,
    **wanted: Any,
) -> None:
    """Open a lobby and print its id."""
    wanted["settings"] = dict(_assignment(text) for text in assignments)
    if tournament:
        wanted["settings"]["tournament"] = True
    answer = console.ask("POST", "lobbies", body=wanted | _content(file))
    console.show(answer, [answer["id"]])
    if not console.json:  # to stderr, so that LOBBY=$(platform ctl open ...) gets only the id
        for line in align([(key, show_value(value)) for key, value in answer["facts"].items()]):
            click.echo(line, err=True)


@_verb
@_lobby
@click.argument("clients", type=read_id, nargs=-1, required=True, metavar="CLIENT...")
@click.option("--spectator", is_flag=True, help="Seat them as spectators.")
def seat(console: Console, lobby: Id, clients: Sequence[Id], spectator: bool) -> None:
    """Put waiting clients into a lobby."""
    keys = [_of_game(lobby, client) for client in clients]
    _order(console, lobby, "seat", {"clients": keys, "spectator": spectator})


@_verb
@_lobby
@click.argument("clients", type=read_id, nargs=-1, metavar="[CLIENT...]")
def arrange(console: Console, lobby: Id, clients: Sequence[Id]) -> None:
    """Set the order of the players; without CLIENTs, a random one."""
    _order(console, lobby, "arrange", {"clients": [_of_game(lobby, each) for each in clients]})


@_verb
@_lobby
@click.argument("client", type=read_id)
def expel(console: Console, lobby: Id, client: Id) -> None:
    """Remove a client from a lobby; it stays connected."""
    _order(console, lobby, "expel", {"client": _of_game(lobby, client)})


def _order(console: Console, lobby: Id, what: str, details: Any) -> None:
    answer = console.ask("POST", "lobbies", *lobby, what, body=details)
    console.show(answer, align([(answer["id"], answer["state"])]))


def _simple_order(name: str, help_: str) -> None:
    def order(console: Console, lobby: Id) -> None:
        _order(console, lobby, name, {})

    order.__name__, order.__doc__ = name, help_
    _verb(_lobby(order))


_simple_order("start", "Start the match.")
_simple_order("pause", "Stop all clocks and accept no moves.")
_simple_order("resume", "Resume after a pause.")
_simple_order("step", "Allow one move during a pause.")


@_verb
@_lobby
@click.option("--winner", type=read_id, metavar="CLIENT", help="Declare this client the winner.")
def abort(console: Console, lobby: Id, winner: Id | None) -> None:
    """End the match, or close the lobby before its match, immediately."""
    _order(console, lobby, "abort", {"winner": _of_game(lobby, winner)} if winner else {})


@_verb
@click.argument("client", type=read_id)
def kick(console: Console, client: Id) -> None:
    """Close a client's connection."""
    answer = console.ask("POST", "clients", *client, "kick", body={})
    console.show(answer, align([(answer["id"], "kicked")]))


@_verb
@click.option(
    "--seconds", type=click.FloatRange(0), help="Shut down after this time at the latest."
)
@click.option("--wait", is_flag=True, help="Wait until the daemon has shut down.")
def drain(console: Console, seconds: float | None, wait: bool) -> None:
    """Let running matches finish but start no new ones, then shut down."""
    if seconds is not None and not isfinite(seconds):
        raise click.UsageError(f"--seconds {seconds}: expected a number")
    answer = console.ask("POST", "drain", body={"seconds": seconds})
    open_lobbies = answer["lobbies"]
    rest = "1 lobby is open" if open_lobbies == 1 else f"{open_lobbies} lobbies are open"
    console.show(answer, align([("draining", rest)]))
    while wait:
        sleep(WAIT_SECONDS)
        wait = console.finds_daemon()


@_verb
def reload(console: Console) -> None:
    """Read the configuration file again."""
    answer = console.ask("POST", "reload", body={})
    rows = [(what, name) for what, names in answer.items() for name in names]
    console.show(answer, align(rows) if rows else ["nothing has changed"])
    if answer["problems"]:
        raise Failed("not everything could be changed")


@_verb
def restart(console: Console) -> None:
    """Restart with the program as it is installed now; matches and connections continue."""
    console.stay()
    before = console.ask("GET", "status")["pid"]
    console.ask("POST", "restart", body={})
    answer = _successor(console, before)
    console.show(answer, [_carried(answer)])


def _successor(console: Console, before: int) -> Mapping[str, Any]:
    deadline = monotonic() + SUCCESSOR_SECONDS
    while monotonic() < deadline:
        with suppress(Failed):
            answer: Mapping[str, Any] = console.ask("GET", "status")
            if answer["pid"] != before:
                return answer
        sleep(SUCCESSOR_LOOK_SECONDS)
    raise Failed("the daemon has ended, and no other has answered since")


@_verb
@click.option("--log-out", is_flag=True, help="Log all organisers out of the page instead.")
def web(console: Console, log_out: bool) -> None:
    """Print a link that logs you in to the web page, once."""
    if log_out:
        answer = console.ask("POST", "web", "log-out", body={})
        console.show(answer, [f"{answer['sessions']} logged out"])
        return
    answer = console.ask("POST", "web", body={})
    console.show(answer, [answer["url"]])
    if not console.json:
        minutes = answer["seconds"] / 60
        click.echo(f"It works once, within {minutes:.0f} minutes.", err=True)


def _refusal_row(refusal: Mapping[str, Any]) -> dict[str, Any]:
    when = datetime.fromisoformat(refusal["time"]).astimezone().replace(tzinfo=None)
    connected = "yes" if refusal["connected"] else "no"
    return {**refusal, "time": when.isoformat(" ", "seconds"), "connected": connected}


def _only(game: str | None) -> dict[str, str]:
    return {"game": game} if game else {}


def _of_game(lobby: Id, client: Id) -> str:
    if client[0] != lobby[0]:
        raise click.UsageError(f"{'/'.join(client)} is not a client of {lobby[0]}")
    return client[1]


def _content(file: Path | None) -> dict[str, str]:
    """The file's content, to be sent: a daemon in a sandbox may be unable to read it."""
    if file is None:
        return {}
    try:
        with file.open("rb") as opened:  # may be a pipe: only this command waits for it
            content = opened.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise click.UsageError(f"--file {file}: longer than {MAX_FILE_BYTES} bytes")
        return {"file": str(file), "content": content.decode("utf-8-sig")}
    except UnicodeDecodeError:
        raise click.UsageError(f"--file {file}: not UTF-8") from None
    except OSError as error:
        raise click.UsageError(f"--file {file}: {error.strerror or error}") from None


def _assignment(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--set {text}: expected KEY=VALUE")
    read = Text.read(value.strip())
    # JSON cannot represent inf and nan.
    endless = isinstance(read.value, float) and not isfinite(read.value)
    return key.strip(), read.text if endless else read.value
