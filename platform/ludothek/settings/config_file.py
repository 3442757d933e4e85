"""The daemon's configuration: settings of the whole process, then one host per endpoint."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from ipaddress import ip_address
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import attrs

from ludothek.contract import registry as games
from ludothek.contract.game import Game
from ludothek.settings import toml_file
from ludothek.settings.faults import NO_FAULTS, Faults
from ludothek.settings.fields import (
    SettingsError,
    at_least,
    between,
    build,
    named_files,
    nearest,
    setting,
    sift,
)
from ludothek.settings.limits import LIMITS, Limits
from ludothek.settings.table_reader import TableReader
from ludothek.settings.toml_file import Keys

LOCAL = "127.0.0.1"


@attrs.frozen(kw_only=True)
class Host:
    """One endpoint: a game with its settings at an address."""

    game: Game
    settings: Any
    host: str
    port: int
    limits: Limits = LIMITS
    faults: Faults = NO_FAULTS
    # Stamps of the files that settings name: with new content, they are new settings.
    files: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.game.name} on {self.host} port {self.port}"

    @property
    def identity(self) -> tuple[str, str, int]:
        """What identifies the endpoint across reloads, whatever its settings are."""
        return self.game.name, self.host, self.port

    def takes(self, host: str, port: int | None) -> bool:
        """Whether it occupies that address and port."""
        same_port = self.port == port != 0
        return same_port and (_covers(self.host, host) or _covers(host, self.host))


def _covers(host: str, other: str) -> bool:
    match host:
        case "*":
            return True
        case "0.0.0.0" | "::":
            return _ip_version(host) == _ip_version(other)
    return host == other


def _ip_version(host: str) -> int | None:
    with suppress(ValueError):
        return ip_address(host).version
    return None


def _is_host(host: str) -> str | None:
    return None if host.strip() else "must be a name, an address, or * for all addresses"


def _is_url(url: str) -> str | None:
    parts = urlsplit(url)
    good = parts.scheme in ("http", "https") and parts.hostname and parts[2:] == ("/", "", "")
    return None if good else "must be like https://games.example.org/, with nothing after the slash"


def _are_paths(paths: list[Any]) -> str | None:
    good = all(isinstance(path, str) and path.strip() and "\0" not in path for path in paths)
    return None if good else "must be a list of paths"


def _is_group(name: str) -> str | None:
    # Whether the group exists can only be checked on the machine where the daemon runs.
    return None if name.strip() else "must be the name of a group"


@attrs.frozen(kw_only=True)
class Daemon:
    """Settings of the whole process."""

    grace_seconds: float = setting(
        5.0,
        "seconds that a graceful shutdown may take before connections are cut",
        check=at_least(0),
    )
    metrics_port: int | None = setting(
        None, "port for Prometheus; 0 picks a free one; none: no port", check=between(0, 65535)
    )
    control_group: str | None = setting(
        None,
        "group whose members are organisers, besides root and the daemon's own user",
        check=_is_group,
    )
    metrics_host: str = setting(LOCAL, "address of that port; anybody who can reach it may read")
    web: bool = setting(True, "serve the web page, where people watch, look back and play")
    web_port: int | None = setting(
        None,
        "port of the page; 0 picks a free one; none: 8080 if it is free",
        check=between(0, 65535),
    )
    web_host: str = setting(LOCAL, "address of the page; * means all", check=_is_host)
    web_url: str | None = setting(
        None,
        "address under which people reach the page through a proxy, for links; none: directly",
        check=_is_url,
    )
    web_viewers: int = setting(
        2000, "browsers that may follow matches at the same time", check=at_least(1)
    )
    web_viewers_per_address: int = setting(
        200,
        "the same per address, except for those that [limits] exempts; 0: no limit",
        check=at_least(0),
    )
    tournaments: list[str] = setting(
        [],
        "databases of tournaments, or folders of them, that the page shows",
        check=_are_paths,
    )


@attrs.frozen(kw_only=True)
class Config:
    daemon: Daemon
    hosts: Sequence[Host]
    limits: Limits = LIMITS  # of the whole daemon; hosts may have others


class ConfigError(SettingsError):
    """A file with errors: all of them, and the first one as the text."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = problems
        more = len(problems) - 1
        super().__init__(problems[0] + (f" ({more} more: platform check-config)" if more else ""))


def find_game(name: str, where: str) -> Game:
    try:
        return games.load(name)
    except games.UnknownGame:
        raise SettingsError(
            f"{where}: there is no game {name!r}{nearest(name, games.names())}"
        ) from None
    except games.BrokenGame as broken:
        raise SettingsError(f"{where}: {broken}") from broken


def make_host(
    name: str,
    where: str,
    settings: Mapping[str, Any],
    *,
    host: str = LOCAL,
    port: int | None = None,
    limits: Mapping[str, Any] | None = None,
    faults: Mapping[str, Any] | None = None,
) -> Host:
    """A host of the game of that name.

    Raises:
      SettingsError: there is no such game, or a setting is wrong.
    """
    game = find_game(name, where)
    built = build(Limits, {**game.limits, **(limits or {})}, f"{where} limits")
    trouble = build(Faults, faults or {}, "--faults")
    if (problem := trouble.problem_with(game)) is not None:
        raise SettingsError(f"--faults: {problem}")
    return _assemble(game, build(game.settings, settings, where), host, port, built, trouble)


def _assemble(
    game: Game, settings: Any, host: str, port: int | None, limits: Limits, faults: Faults
) -> Host:
    return Host(
        game=game,
        settings=settings,
        host=host,
        port=game.port if port is None else port,
        limits=limits,
        faults=faults,
        files=tuple(map(_stamp, named_files(settings))),
    )


def _stamp(path: str) -> tuple[int, ...] | None:
    """What changes with the content of a file; None if there is no such file."""
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def refuse_faults(hosts: Sequence[Host], *, durable: bool) -> None:
    """Connections with faults end with the process, which a durable daemon must not allow.

    Raises:
      SettingsError: the daemon is durable, and one of its hosts has a fault port.
    """
    for host in hosts:
        if durable and host.faults.port is not None:
            raise SettingsError(f"{host}: faults and --durable exclude each other")


def read(path: Path) -> Config:
    """The configuration in a TOML file.

    Raises:
      SettingsError: the file cannot be read, or something in it is wrong.
    """
    return _Reader(toml_file.read(path)).config()


@attrs.frozen(kw_only=True)
class _HostEntry:
    """The part of a host that is the same for all games."""

    game: str = setting("", "name of the game")
    host: str = setting(LOCAL, "address to listen on; * means all", check=_is_host)
    port: int | None = setting(
        None, "port to listen on; 0 picks a free one", check=between(0, 65535)
    )
    settings: dict[str, Any] = setting({}, "the game's own settings")
    limits: dict[str, Any] = setting({}, "limits that differ here from those of the whole daemon")
    faults: dict[str, Any] = setting(
        {}, "trouble for clients that ask for it, at a port of its own"
    )


class _Reader(TableReader):
    """Reads the hosts and what they share."""

    def config(self) -> Config:
        """The configuration; raises ConfigError."""
        values = dict(self.file.values)
        entries, limits = values.pop("host", None), values.pop("limits", {})
        daemon = self._section(Daemon, values, besides=("host", "limits"))
        common = self._limits(limits, "limits", ("limits",))
        hosts = self._hosts(entries, common)
        if daemon is not None:
            self._check_port("metrics_port", daemon.metrics_host, daemon.metrics_port, hosts)
            self._check_port("web_port", daemon.web_host, daemon.web_port, hosts)
        if self.problems or daemon is None:
            raise ConfigError(self.problems)
        return Config(daemon=daemon, hosts=hosts, limits=Limits(**common))

    def _check_port(self, key: str, at: str, port: int | None, hosts: Sequence[Host]) -> None:
        for host in hosts:
            if host.takes(at, port):
                self._complain(f"port {port} of {at} is taken by {host}", key, (key,))

    def _limits(self, values: Any, label: str, keys: Keys) -> dict[str, Any]:
        """The limits of the daemon or of a host, without those that are wrong."""
        if not isinstance(values, dict):
            self._complain("expected a table", label, keys)
            return {}
        right, problems = sift(Limits, values)
        for problem in problems:
            self._complain(problem.reason, label, (*keys, problem.key))
        return right

    def _hosts(self, entries: Any, limits: Mapping[str, Any]) -> list[Host]:
        tables = isinstance(entries, list) and all(isinstance(each, dict) for each in entries)
        if not tables or not entries:
            self._complain("expected at least one [[host]] with a game", "", ("host",))
            return []
        hosts = [self._host(n, entry, limits) for n, entry in enumerate(entries)]
        found = [(n, host) for n, host in enumerate(hosts) if host is not None]
        for (n, one), (m, two) in combinations(found, 2):
            if one.takes(two.host, two.port):
                text = f"port {two.port} of {two.host} is taken by host {n + 1} ({one})"
                self._complain(text, f"host {m + 1} ({two.game.name})", ("host", m, "port"))
        self._check_fault_ports(found)
        return [host for _, host in found]

    def _check_fault_ports(self, found: Sequence[tuple[int, Host]]) -> None:
        for n, host in found:
            port, label = host.faults.port, f"host {n + 1} ({host.game.name}): faults"
            for m, other in found:
                lab = attrs.evolve(other, port=other.faults.port or 0)
                if other.takes(host.host, port):
                    whose = f"host {m + 1} ({other})"
                elif m < n and lab.takes(host.host, port):
                    whose = f"the faults of host {m + 1} ({other})"
                else:
                    continue
                text = f"port {port} of {host.host} is taken by {whose}"
                self._complain(text, label, ("host", n, "faults", "port"))

    def _host(self, n: int, entry: Mapping[str, Any], limits: Mapping[str, Any]) -> Host | None:
        name, keys = entry.get("game"), ("host", n)
        label = f"host {n + 1} ({name})" if isinstance(name, str) else f"host {n + 1}"
        game = self._game(name, label, keys)
        common = self._section(
            _HostEntry, entry, label, keys, inner=("host.settings", game.settings) if game else None
        )
        values = entry.get("settings", {})
        if game is None or not isinstance(values, dict):
            return None
        settings = self._section(game.settings, values, f"{label}: settings", (*keys, "settings"))
        if common is None or settings is None:
            return None
        faults = self._faults(game, common.faults, f"{label}: faults", (*keys, "faults"))
        own = self._limits(common.limits, f"{label}: limits", (*keys, "limits"))
        combined = Limits(**{**game.limits, **limits, **own})
        return _assemble(game, settings, common.host, common.port, combined, faults)

    def _faults(self, game: Game, values: Mapping[str, Any], label: str, keys: Keys) -> Faults:
        faults = self._section(Faults, values, label, keys) or NO_FAULTS
        if values and "port" not in values:
            self._complain("port is missing: clients that ask for trouble go there", label, keys)
        if (problem := faults.problem_with(game)) is not None:
            self._complain(problem, label, (*keys, "unknown_fields"))
        return faults
