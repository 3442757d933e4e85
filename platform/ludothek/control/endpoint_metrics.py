"""Which numbers every endpoint has for Prometheus, and where they are read."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric

from ludothek.control.views import open_lobbies
from ludothek.endpoint import Endpoint
from ludothek.matches import count_matches

# No label may hold what a client can choose: neither would that be private, nor would there be an
# end to the values.
LABELS = ("endpoint", "game")

Numbers = Mapping[str, float]  # by the value of one more label


@attrs.frozen
class Family:
    """A number, or one per value of a label, of every endpoint."""

    kind: type[CounterMetricFamily] | type[GaugeMetricFamily]
    name: str
    help: str
    read: Callable[[Endpoint], float | Numbers]
    label: str | None = None

    def collect(self, endpoints: Iterable[Endpoint]) -> Metric:
        labels = [*LABELS, self.label] if self.label else LABELS
        family = self.kind(f"ludothek_{self.name}", self.help, labels=labels)
        for endpoint in endpoints:
            names = [endpoint.name, endpoint.game.name]
            found = self.read(endpoint)
            if isinstance(found, Mapping):
                for value, number in found.items():
                    family.add_metric([*names, value], number)
            else:
                family.add_metric(names, found)
        return family


def _clients(endpoint: Endpoint) -> Numbers:
    hosted = sum(client.hosted for client in endpoint.clients)
    return {"remote": len(endpoint.clients) - hosted, "hosted": hosted}


def _matches(endpoint: Endpoint) -> Numbers:
    return count_matches(open_lobbies(endpoint))


def _messages(endpoint: Endpoint) -> Numbers:
    return {"in": endpoint.traffic.frames_in, "out": endpoint.traffic.frames_out}


def _bytes(endpoint: Endpoint) -> Numbers:
    return {"in": endpoint.traffic.bytes_in, "out": endpoint.traffic.bytes_out}


def _crashes(endpoint: Endpoint) -> Numbers:
    return {"lobby": endpoint.hall.crashes, "connection": endpoint.traffic.crashes}


def _frames_waiting(endpoint: Endpoint) -> Iterable[int]:
    return (client.waiting_frames for client in endpoint.clients)


def _bytes_waiting(endpoint: Endpoint) -> Iterable[int]:
    return (client.waiting_bytes for client in endpoint.clients)


GAUGE, COUNTER = GaugeMetricFamily, CounterMetricFamily

FAMILIES: Sequence[Family] = (
    Family(GAUGE, "clients", "Clients that are connected.", _clients, "kind"),
    Family(COUNTER, "connections", "Clients that have come.", lambda e: e.traffic.connections),
    Family(GAUGE, "lobbies", "Lobbies that are open.", lambda e: len(open_lobbies(e))),
    Family(COUNTER, "lobbies_opened", "Lobbies that were opened.", lambda e: e.hall.opened),
    Family(GAUGE, "matches", "Open lobbies by what their match does.", _matches, "state"),
    Family(COUNTER, "messages", "Messages heard and sent.", _messages, "direction"),
    Family(COUNTER, "message_bytes", "Their bytes, without framing.", _bytes, "direction"),
    Family(
        GAUGE,
        "outbox_frames",
        "Messages that wait for slow peers.",
        lambda e: sum(_frames_waiting(e)),
    ),
    Family(
        GAUGE,
        "outbox_frames_max",
        "Messages that wait for the slowest peer.",
        lambda e: max(_frames_waiting(e), default=0),
    ),
    Family(
        GAUGE, "outbox_bytes", "Bytes that wait for slow peers.", lambda e: sum(_bytes_waiting(e))
    ),
    Family(
        GAUGE,
        "outbox_bytes_max",
        "Bytes that wait for the slowest peer.",
        lambda e: max(_bytes_waiting(e), default=0),
    ),
    Family(
        COUNTER,
        "drops",
        "Clients that we have hung up on.",
        lambda e: e.traffic.drops,
        "reason",
    ),
    Family(COUNTER, "crashes", "Bugs that have ended something.", _crashes, "what"),
    Family(
        COUNTER,
        "wire_lines",
        "Lines handed to the wire log.",
        lambda e: e.wire.lines if e.wire else 0,
    ),
    Family(
        COUNTER,
        "wire_lines_lost",
        "Lines of the wire log that could not be kept.",
        lambda e: e.wire.lost if e.wire else 0,
    ),
)
