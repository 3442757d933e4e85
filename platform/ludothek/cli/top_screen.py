"""The screen of `platform ctl top`."""

import sys
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, Self

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ludothek.contract.names import printable

# The width if the output is not a terminal.
WIDTH = 160


def show(found: Mapping[str, Any]) -> None:
    """Print it once."""
    Console(width=None if sys.stdout.isatty() else WIDTH).print(_draw(found))


class Screen:
    """The whole terminal, restored at the end."""

    def __init__(self) -> None:
        self._live = Live(screen=True, auto_refresh=False)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._live.__exit__(*exc)

    def show(self, found: Mapping[str, Any]) -> None:
        self._live.update(_draw(found), refresh=True)

    def say(self, text: str) -> None:
        self._live.update(Text(printable(text)), refresh=True)


def _draw(found: Mapping[str, Any]) -> Group:
    parts: list[Text | Table] = [Text(_headline(found)), Text(), _endpoints(found["endpoints"])]
    if lobbies := found["busiest_lobbies"]:
        parts += [Text(), _table(["busiest lobby", "msg/s"], map(_lobby, lobbies))]
    if clients := found["busiest_clients"]:
        columns = ["busiest client", "msg/s", "name", "address", "where"]
        parts += [Text(), _table(columns, map(_client, clients))]
    return Group(*parts)


def _headline(found: Mapping[str, Any]) -> str:
    lag = found["loop_lag"]
    uptime = timedelta(seconds=int(found["uptime_seconds"]))
    state = "ready" if found["ready"] else "NOT READY"
    crashes = sum(endpoint["crashes"] for endpoint in found["endpoints"])
    return printable(
        f"ludothek {found['version']}, up {uptime}, {state}, {crashes} crashes; "
        f"loop lag {_ms(lag['p99_seconds'])} ms p99, {_ms(lag['max_seconds'])} max"
    )


def _endpoints(endpoints: Iterable[Mapping[str, Any]]) -> Table:
    # Narrow enough for a terminal of 80 columns.
    columns = ["game", "clients", "running", "in/s", "out/s", "in kB", "out kB"]
    columns += ["p50 ms", "p99 ms", "wait kB", "drops"]
    return _table(columns, map(_endpoint, endpoints))


def _endpoint(row: Mapping[str, Any]) -> list[str]:
    return [
        row["name"] if row["ready"] else f"{row['name']} (not ready)",
        str(row["clients"]),
        f"{row['matches']['running']}/{row['lobbies']}",
        f"{row['messages_in_per_second']:.0f}",
        f"{row['messages_out_per_second']:.0f}",
        f"{row['bytes_in_per_second'] / 1000:.1f}",
        f"{row['bytes_out_per_second'] / 1000:.1f}",
        _ms(row["handling"]["p50_seconds"]),
        _ms(row["handling"]["p99_seconds"]),
        f"{row['waiting_bytes'] / 1000:.1f}",
        str(row["drops"]),
    ]


def _lobby(row: Mapping[str, Any]) -> list[str]:
    return [row["id"], f"{row['messages_per_second']:.1f}"]


def _client(row: Mapping[str, Any]) -> list[str]:
    return [*_lobby(row), row["name"] or "-", row["address"], row["where"] or "-"]


def _table(columns: Iterable[str], rows: Iterable[list[str]]) -> Table:
    table = Table(box=None, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in columns:
        words = column in _WORDS
        table.add_column(column.upper(), justify="left" if words else "right", no_wrap=True)
    for row in rows:
        # Text, not markup: the names that clients choose are not interpreted.
        table.add_row(*(Text(printable(cell)) for cell in row))
    return table


_WORDS = {"game", "busiest lobby", "busiest client", "name", "address", "where"}


def _ms(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds * 1000:.2f}"
