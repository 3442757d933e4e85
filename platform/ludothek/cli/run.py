"""platform run: arguments to a configuration, and a configuration to a daemon that serves."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click
import trio

from ludothek.cli.game_options import RunCommand, given
from ludothek.contract import registry as games
from ludothek.contract.chance import Chance
from ludothek.contract.game import Game
from ludothek.control import places
from ludothek.control.places import SocketPlace
from ludothek.daemon import descriptors
from ludothek.daemon.continuity import Continuity
from ludothek.daemon.endpoints import CannotListen, Endpoints
from ludothek.daemon.guarded import GUARDIAN, KILLED, RUNTIME_DIR, SAY
from ludothek.daemon.handover import Handover
from ludothek.daemon.ports import Ports
from ludothek.daemon.rehearsal import loss, rehearse
from ludothek.daemon.runtime_directory import CannotUse, place_of_daemon
from ludothek.daemon.serve import Service, serve
from ludothek.daemon.spare import stand_by
from ludothek.daemon.store import Store
from ludothek.daemon.systemd import Inherited, Manager
from ludothek.observe import log
from ludothek.settings import config_file as config
from ludothek.settings.config_file import Config, refuse_faults
from ludothek.settings.faults import read_faults
from ludothek.settings.fields import SettingsError, build
from ludothek.settings.limits import Limits
from ludothek.settings.overrides import LIMITS_KEY, read_assignments
from ludothek.storage.state import StateDirectory, usual_directory
from transports import PatientClock

if TYPE_CHECKING:
    from ludothek.control.sessions import Sessions
    from ludothek.web.service import WebService


class Verbosity(click.ParamType[int]):
    """How much to log: a number, or the letter repeated."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, str) and set(value) == {"v"}:
            return 1 + len(value)  # -vvv is -v with the value vv
        return int(click.IntRange(0).convert(value, param, ctx))


game_names = click.option(
    "--game", "names", multiple=True, metavar="NAME", help="Serve this game; may be repeated."
)
log_format = click.option(
    "--log-format",
    type=click.Choice(["console", "json"]),
    default="console",
    help="Lines for people, or JSON for the journal.  [console]",
)


@click.command(cls=RunCommand)
@game_names
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path),
    help="Read the hosts and all settings from this file.",
)
@click.option("--host", metavar="HOST", help="Address to listen on; * means all.  [127.0.0.1]")
@click.option(
    "-p",
    "--port",
    type=click.IntRange(0, 65535),
    help="Port, for a single game; 0 picks a free one.",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a setting of the game; may be repeated.",
)
@click.option(
    "--seed",
    type=int,
    help="Makes all randomness reproducible, secrets such as codes and cards included.",
)
@click.option(
    "--control",
    type=click.Path(path_type=Path),
    help="Socket for platform ctl; none if the default one is taken.  "
    "[$XDG_RUNTIME_DIR/ludothek/control.sock]",
)
@click.option(
    "--state-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory for what outlives the daemon: accounts, records, replays, results, wire logs, "
    "crash reports.  [$XDG_STATE_HOME/ludothek]",
)
@click.option(
    "--durable",
    is_flag=True,
    help="Survive crashes: the service manager, or else a guardian process, holds the sockets and "
    "starts the daemon again.",
)
@click.option(
    "--runtime-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory for what a durable daemon needs to continue; for one daemon at a time.  "
    "[$XDG_RUNTIME_DIR/ludothek/durable-N]",
)
@click.option(
    "--web",
    "web_port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Port of the web page; 0 picks a free one.  [8080, if it is free]",
)
@click.option("--no-web", is_flag=True, help="Serve no web page.")
@click.option(
    "--arena",
    "tournaments",
    type=click.Path(),
    multiple=True,
    help="Show the tournament with this database on the page, or all those in this folder; may be "
    "repeated.",
)
@click.option(
    "--faults",
    multiple=True,
    metavar="KEY=VALUE,...",
    help="Open a second port with a bad connection: delays, cuts, unknown fields.",
)
@log_format
@click.option(
    "-v",
    "--verbose",
    "--verbosity",
    "verbosity",
    type=Verbosity(),
    multiple=True,
    is_flag=False,
    flag_value=1,
    help="Log more: -v, -vv or -v 2; -v 0 logs errors only.",
)
@click.option("--rehearse", "rehearsal", is_flag=True, hidden=True)
def run(
    names: Sequence[str],
    path: Path | None,
    host: str | None,
    port: int | None,
    assignments: Sequence[str],
    seed: int | None,
    control: Path | None,
    state_dir: Path | None,
    durable: bool,
    runtime_dir: Path | None,
    web_port: int | None,
    faults: Sequence[str],
    no_web: bool,
    tournaments: Sequence[str],
    log_format: log.LogFormat,
    verbosity: Sequence[int],
    rehearsal: bool,
) -> None:
    """Serve games until SIGTERM or SIGINT; SIGHUP reads the configuration again."""
    log.setup(log_format, sum(verbosity), quiet=bool(verbosity) and not sum(verbosity))
    short = [_assignment(names, *option) for option in given(click.get_current_context())]
    page = _page_options(web_port, no_web, tournaments)
    read = partial(_config, names, path, host, port, (*assignments, *short), page, faults, durable)
    found = read()
    if rehearsal:
        _rehearse(found)
        return
    if GUARDIAN in os.environ:
        _load_services()
        if stand_by(os.environ):
            found = read()
    chance = Chance() if seed is None else Chance(seed)
    kept = state_dir or usual_directory(os.environ)
    state = StateDirectory(kept) if kept else None
    descriptors.raise_limit()
    manager = Manager.of(os.environ)
    store = Store.of(os.environ, manager.messenger) if durable else None
    continuity = _continuity(store, runtime_dir) if store is not None else None
    accepted = continuity.accepted if continuity is not None else None
    ports = Ports(Inherited.of(os.environ), store, accepted)
    endpoints = Endpoints(chance, state, ports)
    sessions = _sessions(state)
    web = _web_service(ports, state, sessions)
    web.reserve(found.daemon)

    def ready() -> None:
        for endpoint in endpoints.all:
            _say(f"{endpoint.game.name} ready on {endpoint.url}", manager)
        if web.url:
            _say(f"page ready on {web.url}", manager)
        if state:
            state.check()
        most = max(host.limits.max_connections for host in found.hosts)
        descriptors.check(most, web.connections)

    async def main() -> None:
        place = SocketPlace(control) if control else places.to_listen(os.environ)
        await serve(
            endpoints,
            found,
            ready=ready,
            reread=read if path else None,  # with what the command line says
            # The control socket comes last: it leaves a file behind if something else fails.
            services=[web, *_services(place, sessions)],
            manager=manager,
            handover=Handover.of(os.environ, store),
            rehearse=partial(rehearse, continuity.directory) if continuity else None,
            before_restart=[written.close],
            continuity=continuity,
        )

    clock = PatientClock(begin=continuity.time if continuity else None)
    with ExitStack() as written:
        written.enter_context(log.written_aside(log_format))
        if state:
            written.callback(state.close)
        trio.run(main, clock=clock, instruments=[clock])


def _rehearse(found: Config) -> None:
    """Do what could fail before a process serves, and nothing that disturbs the one that does."""
    _load_services()
    if (place := os.environ.get(RUNTIME_DIR)) and (problem := loss(Path(place), found.hosts)):
        raise click.ClickException(f"matches would be lost: {problem}")


def _load_services() -> None:
    import ludothek.control.services
    import ludothek.web.service  # noqa: F401


# Imported late because a web server takes longer to load than everything else: bots need none.


def _services(place: SocketPlace | None, sessions: "Sessions") -> Sequence[Service]:
    from ludothek.control.services import ControlService, MetricsService

    return MetricsService(), ControlService(place, sessions)


def _sessions(state: StateDirectory | None) -> "Sessions":
    from ludothek.control.sessions import Sessions

    return Sessions(state.path if state else None)


def _web_service(ports: Ports, state: StateDirectory | None, sessions: "Sessions") -> "WebService":
    from ludothek.web.service import WebService

    return WebService(ports, state, sessions)


def _page_options(port: int | None, no_page: bool, tournaments: Sequence[str]) -> Mapping[str, Any]:
    """Settings of the page that were given on the command line."""
    if no_page and port is not None:
        raise SettingsError("--web and --no-web contradict each other")
    if no_page:
        return {"web": False}
    shown = {"tournaments": [*tournaments]} if tournaments else {}
    return shown if port is None else {"web": True, "web_port": port, **shown}


def _continuity(store: Store, runtime_dir: Path | None) -> Continuity:
    try:
        place = place_of_daemon(os.environ, str(runtime_dir) if runtime_dir else None)
    except CannotUse as problem:
        raise CannotListen(str(problem)) from None
    return Continuity(Path(place), store, was_killed=os.environ.get(KILLED) == "1")


def _say(line: str, manager: Manager) -> None:
    """Print it, or have the guardian do it, who knows whether another process has done so."""
    if GUARDIAN in os.environ:
        manager.messenger.send(f"{SAY}={line}")
        return
    with log.patient(sys.stdout):  # clients can come even if nobody reads this
        click.echo(line)


def _config(
    names: Sequence[str],
    path: Path | None,
    host: str | None,
    port: int | None,
    assignments: Sequence[str],
    page: Mapping[str, Any],
    faults: Sequence[str],
    durable: bool,
) -> Config:
    if path is not None:
        if names or host or port is not None or assignments or faults:
            raise SettingsError("--config stands alone: the file names games, addresses, settings")
        found = config.read(path)
        refuse_faults(found.hosts, durable=durable)
        return attrs.evolve(found, daemon=attrs.evolve(found.daemon, **page))
    names = tuple(dict.fromkeys(names)) or tuple(games.names())
    if (port is not None or faults) and len(names) != 1:
        raise SettingsError(f"--{'faults' if faults else 'port'} needs exactly one --game")
    for name in names:
        config.find_game(name, "--game")
    settings = read_assignments(assignments, names)
    hosts = [
        config.make_host(
            name,
            "--set",
            settings[name],
            host=host or config.LOCAL,
            port=port,
            limits=settings[LIMITS_KEY],
            faults=read_faults(faults),
        )
        for name in names
    ]
    refuse_faults(hosts, durable=durable)
    limits = build(Limits, settings[LIMITS_KEY], "--set limits")
    return Config(daemon=config.Daemon(**page), hosts=hosts, limits=limits)


def _assignment(names: Sequence[str], game: Game, key: str, value: str) -> str:
    """A setting that was given by its shorthand."""
    return f"{key}={value}" if len(set(names)) == 1 else f"{game.name}.{key}={value}"
