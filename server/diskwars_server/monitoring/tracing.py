"""Traces of some acts as OpenTelemetry has them: the command, what the rules took, the commit, and the fan-out.

Spans are made after the fact, of times that were noted on the way: an act that is not traced costs one call.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeAlias

from diskwars_server.store.errors import StoreError
from diskwars_server.store.event_log import OnOutcome

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

ENDPOINT_VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""Standard variables of OpenTelemetry. Without one of them spans are exported nowhere."""
SERVICE = "diskwars"
MarkFailed: TypeAlias = Callable[[str], None]


class ActTrace:
    """Times of one act in nanoseconds since 1970, noted on its way."""

    __slots__ = ("began_ns", "decided_ns", "stored_ns")

    def __init__(self, began_ns: int) -> None:
        self.began_ns = self.decided_ns = self.stored_ns = began_ns


class Tracing:
    """Traces acts: one in `every`."""

    def __init__(self, tracer: "Tracer", every: int, now_ns: Callable[[], int] = time.time_ns) -> None:
        """`every`: the first act and each one that comes this many after it."""
        self._tracer, self._every, self.now_ns = tracer, every, now_ns
        self._count = -1

    def begin(self) -> ActTrace | None:
        """Return the trace of the act that begins now; None for one that is not traced."""
        self._count += 1
        return None if self._count % self._every else ActTrace(self.now_ns())

    def traced(self, trace: ActTrace, match: str, seq: int, on_outcome: OnOutcome) -> OnOutcome:
        """Return what gets the outcome of an append, publishes, and then makes the spans of the act."""
        trace.decided_ns = self.now_ns()

        def finish(error: StoreError | None) -> None:
            trace.stored_ns = self.now_ns()
            on_outcome(error)
            self._finish(trace, match, seq, "" if error is None else type(error).__name__)

        return finish

    def _finish(self, trace: ActTrace, match: str, seq: int, fault: str) -> None:
        """Make the spans of an act that was published, or not stored for `fault`."""
        from opentelemetry.trace import Status, StatusCode, set_span_in_context

        ended_ns = self.now_ns()
        about: dict[str, str | int] = {"diskwars.match": match, "diskwars.seq": seq}
        command = self._tracer.start_span("command", start_time=trace.began_ns, attributes=about)
        within = set_span_in_context(command)
        steps = [("decide", trace.began_ns, trace.decided_ns), ("commit", trace.decided_ns, trace.stored_ns)]
        if fault:
            command.set_status(Status(StatusCode.ERROR, fault))
        else:
            steps.append(("fan-out", trace.stored_ns, ended_ns))
        for name, began_ns, done_ns in steps:
            self._tracer.start_span(name, within, start_time=began_ns).end(done_ns)
        command.end(ended_ns)

    @contextmanager
    def notice(self, channel: str, matches: tuple[str, ...]) -> Iterator[MarkFailed]:
        """Trace a notice that is sent within the block; each is, for a server sends few.

        The block gets what marks the span as an error, with the name of a kind of failure.
        """
        from opentelemetry.trace import Status, StatusCode

        # Texts of exceptions may hold the secret address of a channel, and spans leave this server.
        with self._tracer.start_as_current_span(
            "notice",
            attributes={"diskwars.channel": channel, "diskwars.matches": matches},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:

            def fail(kind: str) -> None:
                span.set_status(Status(StatusCode.ERROR, kind))

            try:
                yield fail
            except Exception as fault:
                fail(type(fault).__name__)
                raise


def make_tracing(every: int) -> Tracing | None:
    """Return what traces one act in `every`, None for 0. Raises ModuleNotFoundError without its libraries."""
    if not every:
        return None
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider

    provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}))
    if any(os.environ.get(name) for name in ENDPOINT_VARIABLES):
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        # A thread of its own sends them; what does not fit into its queue is lost, and no act waits.
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Tracing(provider.get_tracer(SERVICE), every)
