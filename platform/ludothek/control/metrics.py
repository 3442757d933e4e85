"""The daemon's metrics for Prometheus, read from plain counters on request."""

import platform
import time
from collections.abc import Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, Metric
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from ludothek import __version__
from ludothek.control.endpoint_metrics import FAMILIES, LABELS, Measurement
from ludothek.control.organiser import Organiser
from ludothek.daemon.handover import Handover
from ludothek.kit import reports
from ludothek.observe import log
from ludothek.observe.traffic import Histogram
from transports import given_back


class Metrics:
    """All metrics of one daemon."""

    def __init__(self, organiser: Organiser) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_DaemonCollector(organiser))
        self._registry.register(_EndpointCollector(organiser))
        _ProcessCollector(registry=self._registry)

    def tell(self, accept: str) -> tuple[bytes, str]:
        """The metrics as text, and its media type: the best one that is accepted."""
        encode, media_type = choose_encoder(accept)
        return encode(self._registry), media_type


class _ProcessCollector(ProcessCollector):
    """Memory, CPU time and open files of the process."""

    def _boot_time(self) -> float:
        # A hardened service sees only its own processes in /proc, and without a boot time the
        # collector would report nothing.
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)


class _DaemonCollector(Collector):
    """Metrics of the daemon as a whole."""

    def __init__(self, organiser: Organiser) -> None:
        self._organiser = organiser

    def collect(self) -> Iterator[Metric]:
        daemon, lag = self._organiser, self._organiser.lag
        program = {"version": __version__, "python": platform.python_version()}
        yield InfoMetricFamily("ludothek_build", "The running program.", program)
        yield GaugeMetricFamily(
            "ludothek_uptime_seconds", "Seconds since the start.", daemon.uptime()
        )
        yield GaugeMetricFamily(
            "ludothek_ready",
            "Whether new clients are accepted.",
            daemon.takes_clients,
        )
        yield HistogramMetricFamily(
            "ludothek_loop_lag_seconds",
            "How late the event loop wakes up.",
            *_buckets(lag.histogram),
        )
        yield GaugeMetricFamily(
            "ludothek_loop_lag_max_seconds",
            "The largest lag of the last minute.",
            lag.largest,
        )
        yield CounterMetricFamily(
            "ludothek_loop_given_back_seconds",
            "Time not counted towards any deadline because the event loop was late.",
            given_back(),
        )
        yield from _restarts(daemon.handover)
        states = {endpoint.state for endpoint in daemon.endpoints if endpoint.state}
        yield CounterMetricFamily(
            "ludothek_write_failures",
            "Files that could not be written to the state directory.",
            sum(state.failures for state in states),
        )
        yield CounterMetricFamily(
            "ludothek_log_lines_lost", "Log lines that could not be written.", log.lost()
        )
        yield CounterMetricFamily(
            "ludothek_log_lines_left_out",
            "Log lines suppressed by the rate limit of their kind.",
            log.left_out(),
        )
        yield CounterMetricFamily(
            "ludothek_reports_failed",
            "Crash reports and log lines that could not be produced.",
            reports.failed(),
        )


def _restarts(handover: Handover) -> Iterator[Metric]:
    yield CounterMetricFamily(
        "ludothek_restarts", "How often another process has taken over.", handover.restarts
    )
    yield GaugeMetricFamily(
        "ludothek_restart_pause_seconds",
        "How long nobody was served at the last restart.",
        handover.pause_seconds,
    )
    kinds = {"matches": handover.matches, "connections": handover.connections}
    carried = GaugeMetricFamily(
        "ludothek_restart_carried", "Carried over by the last restart.", labels=["kind"]
    )
    lost = GaugeMetricFamily(
        "ludothek_restart_lost", "Not carried over by the last restart.", labels=["kind"]
    )
    for kind, numbers in kinds.items():
        carried.add_metric([kind], numbers.carried)
        lost.add_metric([kind], numbers.all - numbers.carried)
    yield carried
    yield lost
    yield GaugeMetricFamily(
        "ludothek_durable",
        "Whether matches would survive the end of this process.",
        int(handover.durable),
    )
    yield GaugeMetricFamily(
        "ludothek_unprotected_connections",
        "Connections that would be lost with this process, though it is durable.",
        handover.unprotected,
    )


class _EndpointCollector(Collector):
    """Metrics of every endpoint."""

    def __init__(self, organiser: Organiser) -> None:
        self._organiser = organiser

    def collect(self) -> Iterator[Metric]:
        measurements = [Measurement(endpoint) for endpoint in self._organiser.endpoints]
        for family in FAMILIES:
            yield family.collect(measurements)
        handling = HistogramMetricFamily(
            "ludothek_handling_seconds",
            "Time a table takes for a message, a timer or an order, including all effects.",
            labels=LABELS,
        )
        for measurement in measurements:
            handling.add_metric(measurement.names, *_buckets(measurement.traffic.handling))
        yield handling


def _buckets(histogram: Histogram) -> tuple[list[tuple[str, float]], float]:
    """Cumulative counts per bucket, as Prometheus expects them, and the sum."""
    bounds = [*map(str, histogram.bounds), "+Inf"]
    sums = accumulate(histogram.counts)
    return list(zip(bounds, sums, strict=True)), histogram.total
