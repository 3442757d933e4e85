"""The metrics of each endpoint for Prometheus, and where their values come from."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from ludothek.control.views import open_lobbies, view_outboxes
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.matches import count_matches

# No label may contain anything a client chooses: it might be private, and the number of time
# series would be unbounded.
LABELS = ("endpoint", "game")

Numbers = Mapping[str, float]  # keyed by the value of an additional label


class Measurement:
    """One endpoint at one moment; values that take effort to compute are computed once."""

    def __init__(self, endpoint: Endpoint) -> None:
        lobbies = open_lobbies(endpoint)
        self.names = [endpoint.name, endpoint.game.name]
        self.hall, self.traffic, self.wire = endpoint.hall, endpoint.traffic, endpoint.wire
        self.lobbies = len(lobbies)
        self.matches = count_matches(lobbies)
        self.outbox = view_outboxes(endpoint)
        self.clients = len(endpoint.clients)
        self.hosted = sum(client.hosted for client in endpoint.clients)


@attrs.frozen
class Family:
    """One metric of every endpoint, or one per value of an additional label."""

    kind: type[CounterMetricFamily] | type[GaugeMetricFamily]
    name: str
    help: str
    number: Callable[[Measurement], float | Numbers]
    label: str | None = None

    def collect(self, measurements: Iterable[Measurement]) -> Metric:
        labels = [*LABELS, self.label] if self.label else LABELS
        family = self.kind(f"ludothek_{self.name}", self.help, labels=labels)
        for measurement in measurements:
            found = self.number(measurement)
            if isinstance(found, Mapping):
                for value, number in found.items():
                    family.add_metric([*measurement.names, value], number)
            else:
                family.add_metric(measurement.names, found)
        return family


def _clients(measurement: Measurement) -> Numbers:
    return {"remote": measurement.clients - measurement.hosted, "hosted": measurement.hosted}


def _messages(measurement: Measurement) -> Numbers:
    return {"in": measurement.traffic.frames_in, "out": measurement.traffic.frames_out}


def _bytes(measurement: Measurement) -> Numbers:
    return {"in": measurement.traffic.bytes_in, "out": measurement.traffic.bytes_out}


def _crashes(measurement: Measurement) -> Numbers:
    return {"lobby": measurement.hall.crashes, "connection": measurement.traffic.crashes}


GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily

FAMILIES: Sequence[Family] = (
    Family(GAUGE, "clients", "Connected clients.", _clients, "kind"),
    Family(
        COUNTER,
        "connections",
        "Connections accepted since the start.",
        lambda r: r.traffic.connections,
    ),
    Family(GAUGE, "lobbies", "Open lobbies.", lambda r: r.lobbies),
    Family(COUNTER, "lobbies_opened", "Lobbies opened since the start.", lambda r: r.hall.opened),
    Family(
        GAUGE, "matches", "Open lobbies by the state of their match.", lambda r: r.matches, "state"
    ),
    Family(COUNTER, "messages", "Messages received and sent.", _messages, "direction"),
    Family(COUNTER, "message_bytes", "Bytes of messages, without framing.", _bytes, "direction"),
    Family(GAUGE, "outbox_frames", "Messages waiting for slow clients.", lambda r: r.outbox.frames),
    Family(GAUGE, "outbox_bytes", "Bytes waiting for slow clients.", lambda r: r.outbox.bytes),
    Family(
        GAUGE,
        "outbox_frames_max",
        "Messages waiting for the slowest client.",
        lambda r: r.outbox.frames_max,
    ),
    Family(
        GAUGE,
        "outbox_bytes_max",
        "Bytes waiting for the slowest client.",
        lambda r: r.outbox.bytes_max,
    ),
    Family(COUNTER, "drops", "Clients dropped by the server.", lambda r: r.traffic.drops, "reason"),
    Family(COUNTER, "crashes", "Bugs that ended a lobby or a connection.", _crashes, "what"),
    Family(
        COUNTER,
        "results_left_out",
        "Matches missing from log and results because their address had too many.",
        lambda r: r.traffic.results_left_out,
    ),
    Family(
        COUNTER,
        "wire_lines",
        "Lines handed to the wire log.",
        lambda r: r.wire.lines if r.wire else 0,
    ),
    Family(
        COUNTER,
        "wire_lines_lost",
        "Lines of the wire log that could not be kept.",
        lambda r: r.wire.lost if r.wire else 0,
    ),
)
