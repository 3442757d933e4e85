"""Which numbers every endpoint has for Prometheus, and where they are read."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from ludothek.control.views import open_lobbies, view_outboxes
from ludothek.runtime.endpoint import Endpoint
from ludothek.runtime.matches import count_matches

# No label may hold what a client can choose: neither would that be private, nor would there be an
# end to the values.
LABELS = ("endpoint", "game")

Numbers = Mapping[str, float]  # by the value of one more label


class Reading:
    """One endpoint at one moment: what takes longer to find out is found out once."""

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
    """A number, or one per value of a label, of every endpoint."""

    kind: type[CounterMetricFamily] | type[GaugeMetricFamily]
    name: str
    help: str
    number: Callable[[Reading], float | Numbers]
    label: str | None = None

    def collect(self, readings: Iterable[Reading]) -> Metric:
        labels = [*LABELS, self.label] if self.label else LABELS
        family = self.kind(f"ludothek_{self.name}", self.help, labels=labels)
        for reading in readings:
            found = self.number(reading)
            if isinstance(found, Mapping):
                for value, number in found.items():
                    family.add_metric([*reading.names, value], number)
            else:
                family.add_metric(reading.names, found)
        return family


def _clients(reading: Reading) -> Numbers:
    return {"remote": reading.clients - reading.hosted, "hosted": reading.hosted}


def _messages(reading: Reading) -> Numbers:
    return {"in": reading.traffic.frames_in, "out": reading.traffic.frames_out}


def _bytes(reading: Reading) -> Numbers:
    return {"in": reading.traffic.bytes_in, "out": reading.traffic.bytes_out}


def _crashes(reading: Reading) -> Numbers:
    return {"lobby": reading.hall.crashes, "connection": reading.traffic.crashes}


GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily

FAMILIES: Sequence[Family] = (
    Family(GAUGE, "clients", "Clients that are connected.", _clients, "kind"),
    Family(COUNTER, "connections", "Clients that have come.", lambda r: r.traffic.connections),
    Family(GAUGE, "lobbies", "Lobbies that are open.", lambda r: r.lobbies),
    Family(COUNTER, "lobbies_opened", "Lobbies that were opened.", lambda r: r.hall.opened),
    Family(
        GAUGE, "matches", "Open lobbies by what their match does.", lambda r: r.matches, "state"
    ),
    Family(COUNTER, "messages", "Messages heard and sent.", _messages, "direction"),
    Family(COUNTER, "message_bytes", "Their bytes, without framing.", _bytes, "direction"),
    Family(GAUGE, "outbox_frames", "Messages that wait for slow peers.", lambda r: r.outbox.frames),
    Family(GAUGE, "outbox_bytes", "Their bytes.", lambda r: r.outbox.bytes),
    Family(
        GAUGE,
        "outbox_frames_max",
        "Messages that wait for the slowest peer.",
        lambda r: r.outbox.frames_max,
    ),
    Family(
        GAUGE,
        "outbox_bytes_max",
        "Bytes that wait for the slowest peer.",
        lambda r: r.outbox.bytes_max,
    ),
    Family(
        COUNTER, "drops", "Clients that we have hung up on.", lambda r: r.traffic.drops, "reason"
    ),
    Family(COUNTER, "crashes", "Bugs that have ended something.", _crashes, "what"),
    Family(
        COUNTER,
        "results_left_out",
        "Matches missing in log and results because their address had too many.",
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
