"""The daemon's configuration: limits of the whole process, then one host per endpoint."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from ludothek import game as games
from ludothek.game import Game
from ludothek.settings import SettingsError, Text, at_least, between, build, nearest, setting

LOCAL = "127.0.0.1"


@attrs.frozen(kw_only=True)
class Host:
    """One endpoint: a game with its settings at an address."""

    game: Game
    settings: Any
    host: str
    port: int


@attrs.frozen(kw_only=True)
class Daemon:
    """Settings of the whole process."""

    grace_seconds: float = setting(
        5.0, "seconds that a polite end may take before connections are cut", check=at_least(0)
    )
    metrics_port: int | None = setting(
        None, "port for Prometheus; 0 picks a free one; none: no port", check=between(0, 65535)
    )
    metrics_host: str = setting(LOCAL, "address of that port; anybody who reaches it may read")


@attrs.frozen(kw_only=True)
class Config:
    daemon: Daemon
    hosts: Sequence[Host]


@attrs.frozen(kw_only=True)
class _HostEntry:
    """The part of a host that is the same for all games."""

    game: str = setting("", "name of the game")
    host: str = setting(LOCAL, "address to listen on; * means all")
    port: int = setting(-1, "port to listen on; 0 picks a free one", check=at_least(0))


def find_game(name: str, where: str) -> Game:
    try:
        return games.load(name)
    except games.UnknownGame:
        raise SettingsError(
            f"{where}: there is no game {name!r}{nearest(name, games.names())}"
        ) from None


def make_host(
    name: str,
    where: str,
    settings: Mapping[str, Any],
    *,
    host: str = LOCAL,
    port: int | None = None,
) -> Host:
    """A host of the game of that name.

    Raises:
      SettingsError: there is no such game, or a setting is wrong.
    """
    game = find_game(name, where)
    if port is not None and not 0 <= port <= 65535:
        raise SettingsError(f"{where}: port: must be from 0 to 65535, not {port}")
    return Host(
        game=game,
        settings=build(game.settings, settings, where),
        host=host,
        port=game.port if port is None else port,
    )


def read(path: Path) -> Config:
    """The configuration in a TOML file.

    Raises:
      SettingsError: the file cannot be read, or something in it is wrong.
    """
    try:
        values = tomllib.loads(path.read_text())
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not TOML: {error}") from None
    hosts = values.pop("host", [])
    if not isinstance(hosts, list) or not hosts or not all(isinstance(h, dict) for h in hosts):
        raise SettingsError(f"{path}: expected at least one [[host]] with a game")
    return Config(
        daemon=build(Daemon, values, str(path)),
        hosts=[_host(entry, f"{path}: host {n}") for n, entry in enumerate(hosts, 1)],
    )


def _host(entry: Mapping[str, Any], where: str) -> Host:
    settings = entry.get("settings", {})
    if not isinstance(settings, dict):
        raise SettingsError(f"{where}: settings: expected a table, not {settings!r}")
    common = build(_HostEntry, {k: v for k, v in entry.items() if k != "settings"}, where)
    if not common.game:
        raise SettingsError(f"{where}: game is missing; known are {', '.join(games.names())}")
    port = None if common.port == -1 else common.port
    return make_host(common.game, where, settings, host=common.host, port=port)


def read_assignments(assignments: Sequence[str], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    """``key=value`` from the command line, sorted by game.

    With several games a key begins with the game's name: ``hexxagon.max_strikes=3``.

    Raises:
      SettingsError: an assignment has no equals sign, or it is unclear whose it is.
    """
    settings: dict[str, dict[str, Any]] = {name: {} for name in names}
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
