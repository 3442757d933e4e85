"""What a running daemon does per second, from two readings of its counters."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from ludothek.observe.traffic import quantile

Json = Mapping[str, Any]


@attrs.frozen
class Look:
    """The daemon's report at one moment: its status, and its clients if they are not too many."""

    status: Json
    clients: Sequence[Json] | None

    @property
    def uptime(self) -> float:
        return float(self.status["uptime_seconds"])

    def endpoint(self, name: str) -> Json | None:
        return next((e for e in self.status["endpoints"] if e["name"] == name), None)


def compare(before: Look | None, after: Look, busiest: int) -> dict[str, Any]:
    """The difference per second; without an earlier reading, since the daemon's start."""
    if before and after.uptime <= before.uptime:
        before = None  # another daemon
    seconds = after.uptime - (before.uptime if before else 0.0) or 1.0
    old_lag = before.status["loop_lag"]["lags"] if before else None
    return {
        "version": after.status["version"],
        "uptime_seconds": after.uptime,
        "seconds": round(seconds, 3),
        "ready": after.status["ready"],
        "loop_lag": _durations(old_lag, after.status["loop_lag"]["lags"])
        | {"max_seconds": after.status["loop_lag"]["seconds_max"]},
        "endpoints": [
            _endpoint(before.endpoint(each["name"]) if before else None, each, seconds)
            for each in after.status["endpoints"]
        ],
        **_busiest(before, after, seconds, busiest),
    }


def _endpoint(before: Json | None, after: Json, seconds: float) -> dict[str, Any]:
    old, new = before["traffic"] if before else None, after["traffic"]
    rates = {
        f"{name}_per_second": round((new[name] - (old[name] if old else 0)) / seconds, 1)
        for name in ("messages_in", "messages_out", "bytes_in", "bytes_out")
    }
    kept = ("name", "game", "ready", "clients", "lobbies", "matches", "crashes")
    return {
        **{key: after[key] for key in kept},
        **rates,
        "handling": _durations(old and old["handling"], new["handling"]),
        "waiting_bytes": after["outbox"]["bytes"],
        "waiting_bytes_max": after["outbox"]["bytes_max"],
        "drops": sum(new["drops"].values()),
    }


def _durations(before: Json | None, after: Json) -> dict[str, float | None]:
    old = before["counts"] if before else [0] * len(after["counts"])
    counts = [new - old for new, old in zip(after["counts"], old, strict=True)]
    return {
        "p50_seconds": quantile(0.5, after["bounds"], counts),
        "p99_seconds": quantile(0.99, after["bounds"], counts),
    }


def _busiest(before: Look | None, after: Look, seconds: float, count: int) -> dict[str, Any]:
    if after.clients is None:
        return {"busiest_lobbies": None, "busiest_clients": None}
    old = {c["id"]: c["heard"] for c in (before and before.clients) or ()}
    clients = {c["id"]: (c["heard"] - old.get(c["id"], 0)) / seconds for c in after.clients}
    lobbies: Counter[str] = Counter()
    for client in after.clients:
        if client["where"]:
            lobbies[client["where"]] += clients[client["id"]]
    told = {client["id"]: client for client in after.clients}
    return {
        "busiest_lobbies": list(_first(lobbies, count)),
        "busiest_clients": [
            row | {key: told[row["id"]][key] for key in ("name", "address", "where")}
            for row in _first(clients, count)
        ],
    }


def _first(rates: Mapping[str, float], count: int) -> Iterable[dict[str, Any]]:
    ranked = sorted(rates.items(), key=lambda item: -item[1])
    return ({"id": id_, "messages_per_second": round(rate, 1)} for id_, rate in ranked[:count])
