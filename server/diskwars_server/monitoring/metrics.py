"""Measurements of one node for Prometheus: counters, histograms, and gauges that are read when they are scraped.

Labels come from closed sets, so that no client can add a time series: ids, names and addresses are never among them.
"""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_server.limits.entry_refusals import EntryRefusalCode
from diskwars_server.monitoring.histograms import LoopHistogram, MillisecondHistogram

CONTENT_TYPE = CONTENT_TYPE_LATEST
COMMIT_BUCKETS = (0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1.0, 2.0, 5.0)
LAG_BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
MAX_COUNTED_LAG_MS = 60_000
"""A longer lag counts as this one, which is in no bucket either."""
LATE_SECONDS = 1.0
"""A deadline that is found later than this counts as late: the loop that looks for them has missed a turn."""
OTHER = "other"
"""Label for a code that is in no list: of a ruleset that is not known here."""


class Metrics:
    """Every measurement of one node, in a registry of its own: several nodes of one process do not mix."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.commit_seconds = LoopHistogram(
            "diskwars_commit_seconds",
            "Time from handing a record to the database until it is durable",
            buckets=COMMIT_BUCKETS,
            registry=registry,
        )
        self.fanout_seconds = MillisecondHistogram(
            "diskwars_fanout_lag_seconds",
            "Time from a command's arrival in its match until every watcher of this node was sent the record",
            buckets=LAG_BUCKETS,
            registry=registry,
        )
        self._deadline_seconds = Histogram(
            "diskwars_deadline_lag_seconds",
            "Time from a deadline until a node took it up",
            buckets=LAG_BUCKETS,
            registry=registry,
        )
        self._late_deadlines = Counter(
            "diskwars_deadlines_late", f"Deadlines taken up later than {LATE_SECONDS:g} s", registry=registry
        )
        self._refusals = Counter("diskwars_refusals", "Refused requests by code", ["code"], registry=registry)
        self._resumes = Counter(
            "diskwars_resumes", "Watches that went on after a record, as after a lost connection", registry=registry
        )
        self._moves = Counter(
            "diskwars_connections_moved", "Connections handed over to the worker of their match", registry=registry
        )
        self._refused_connections = Counter(
            "diskwars_connections_refused",
            "Connections for which there was no place, by code",
            ["code"],
            registry=registry,
        )
        self._verify_failures = Counter(
            "diskwars_verify_failures", "Stored matches whose records are not what was written", registry=registry
        )
        # CPU time, memory and open files of this process; only on Linux.
        ProcessCollector(registry=registry)

    def watch(self, name: str, text: str, read: Callable[[], float]) -> None:
        """Add a gauge that is read at each scrape."""
        Gauge(f"diskwars_{name}", text, registry=self._registry).set_function(read)

    def count_refusal(self, code: str) -> None:
        self._refusals.labels(code if code in REFUSAL_CODES else OTHER).inc()

    def count_refused_connection(self, code: EntryRefusalCode) -> None:
        self._refused_connections.labels(code).inc()

    def count_resume(self) -> None:
        self._resumes.inc()

    def count_move(self) -> None:
        self._moves.inc()

    def count_verify_failure(self) -> None:
        self._verify_failures.inc()

    def record_deadline_lag(self, lag_ms: int) -> None:
        """Record how late a deadline was enforced. Clocks of other nodes may differ: less than nothing counts as 0."""
        seconds = max(0, lag_ms) / 1000
        self._deadline_seconds.observe(seconds)
        if seconds > LATE_SECONDS:
            self._late_deadlines.inc()

    def render(self) -> bytes:
        """Return everything in the text format of Prometheus."""
        return generate_latest(self._registry)
