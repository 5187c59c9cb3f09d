"""Traces of acts: which spans there are, how they are nested, how few calls they take, and none by default."""

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bench.programs.calls import count_null_acts
from diskwars_server.monitoring import tracing
from diskwars_server.monitoring.tracing import Tracing, make_tracing
from diskwars_server.settings import ServerSettings
from diskwars_server.store.errors import StoreUnavailable

MATCH = "hbx7mrq4wz2e"
MAX_MORE_CALLS = 0.03
ACTS = 60


class Clock:
    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        self.now += 10
        return self.now


@pytest.fixture
def exported() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def traced(exported: InMemorySpanExporter, every: int = 1) -> Tracing:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exported))
    return Tracing(provider.get_tracer("test"), every, Clock())


def by_name(exported: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    return {span.name: span for span in exported.get_finished_spans()}


def test_spans_of_an_act_follow_each_other_within_its_command(exported: InMemorySpanExporter) -> None:
    tracer, published = traced(exported), list[bool]()
    trace = tracer.begin()
    assert trace is not None
    tracer.traced(trace, MATCH, 7, lambda error: published.append(error is None))(None)
    spans = by_name(exported)
    assert published == [True]
    assert sorted(spans) == ["command", "commit", "decide", "fan-out"]
    command = spans["command"]
    assert command.attributes == {"diskwars.match": MATCH, "diskwars.seq": 7}
    assert command.context is not None
    steps = [spans[name] for name in ("decide", "commit", "fan-out")]
    assert {step.parent and step.parent.span_id for step in steps} == {command.context.span_id}
    times = [(step.start_time, step.end_time) for step in steps]
    assert [start for start, _ in times[1:]] == [end for _, end in times[:-1]]
    assert (times[0][0], times[-1][1]) == (command.start_time, command.end_time)


def test_act_that_was_not_stored_has_no_fan_out_and_names_why(exported: InMemorySpanExporter) -> None:
    tracer = traced(exported)
    trace = tracer.begin()
    assert trace is not None
    tracer.traced(trace, MATCH, 7, lambda error: None)(StoreUnavailable())
    spans = by_name(exported)
    assert sorted(spans) == ["command", "commit", "decide"]
    assert spans["command"].status.description == "StoreUnavailable"


def test_one_act_in_every_few_is_traced(exported: InMemorySpanExporter) -> None:
    tracer = traced(exported, every=3)
    assert [tracer.begin() is not None for _ in range(7)] == [True, False, False, True, False, False, True]


def test_notice_is_a_span_with_channel_and_matches(exported: InMemorySpanExporter) -> None:
    with traced(exported).notice("email", (MATCH,)):
        pass
    assert by_name(exported)["notice"].attributes == {"diskwars.channel": "email", "diskwars.matches": (MATCH,)}


def test_failed_notice_is_an_error_without_the_text_of_its_exception(exported: InMemorySpanExporter) -> None:
    secret = "https://hooks.example.org/T0/s3cr3t-token"
    with pytest.raises(OSError, match=secret), traced(exported).notice("webhook", (MATCH,)):
        raise OSError(f"cannot reach {secret}")
    span = by_name(exported)["notice"]
    assert (span.status.is_ok, span.status.description, span.events) == (False, "OSError", ())
    assert "s3cr3t-token" not in span.to_json()


def test_notice_that_was_not_taken_is_an_error_of_its_kind(exported: InMemorySpanExporter) -> None:
    with traced(exported).notice("webhook", (MATCH,)) as mark_failed:
        mark_failed("Failed")
    span = by_name(exported)["notice"]
    assert (span.status.is_ok, span.status.description) == (False, "Failed")


def test_nothing_is_traced_by_default() -> None:
    assert ServerSettings().trace_every == 0
    assert make_tracing(0) is None


def test_act_takes_at_most_three_percent_more_calls_without_an_export(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in tracing.ENDPOINT_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    off, on = count_null_acts(ACTS), count_null_acts(ACTS, make_tracing(100))
    assert off.calls < on.calls <= off.calls * (1 + MAX_MORE_CALLS), (off.calls, on.calls)
