"""Metrics: what is counted, that labels come from closed sets, and the endpoint that is scraped."""

import asyncio
import logging
import urllib.error
import urllib.request

import msgspec
import pytest

from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.app import monotonic_ms, now_ms, start_server
from diskwars_server.monitoring.endpoint import MetricsEndpoint
from diskwars_server.monitoring.measured_events import MeasuredEventLog
from diskwars_server.monitoring.metrics import Metrics
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.memory.event_log import MemoryEventLog
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.upkeep.server_clock import MachineClocks
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import TEST_TIMEOUT_SECONDS, InMemoryServer, begin_match
from tests.server.raw_client import RawClient, text
from tests.server.stored_samples import make_append


def sample(metrics: Metrics, name: str) -> float:
    """Return the value of one time series, 0 where there is none."""
    for line in metrics.render().decode().splitlines():
        if line.startswith(f"{name} "):
            return float(line.rpartition(" ")[2])
    return 0.0


def test_refusals_are_counted_by_codes_that_are_known() -> None:
    metrics = Metrics()
    metrics.count_refusal("busy")
    for number in range(1000):
        metrics.count_refusal(f"made up {number}")
    assert "busy" in REFUSAL_CODES
    assert sample(metrics, 'diskwars_refusals_total{code="busy"}') == 1
    assert sample(metrics, 'diskwars_refusals_total{code="other"}') == 1000
    assert metrics.render().count(b"diskwars_refusals_total{") == 2


def test_deadlines_are_late_after_a_second() -> None:
    metrics = Metrics()
    for lag_ms in (-5, 400, 1000, 1001, 90_000):
        metrics.record_deadline_lag(lag_ms)
    assert sample(metrics, "diskwars_deadlines_late_total") == 2
    assert sample(metrics, "diskwars_deadline_lag_seconds_count") == 5


async def test_only_appends_that_are_durable_are_measured() -> None:
    metrics = Metrics()
    async with MemoryDatabase() as database:
        events = MeasuredEventLog(database.events, metrics)
        await events.append(make_append("m"))
        with pytest.raises(Exception, match="does not end at"):
            await events.append(make_append("m"))
        assert [record.seq for record in await events.read("m")] == [1]
        assert await events.heads(["m"]) == {"m": 1}
    assert sample(metrics, "diskwars_commit_seconds_count") == 1


async def test_watchers_and_resumes_are_counted(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    published = sample(node.services.metrics, "diskwars_fanout_lag_seconds_count")
    await first.choose_number(match, 0, 3)
    assert sample(node.services.metrics, "diskwars_fanout_lag_seconds_count") == published + 1
    assert sample(node.session_context.metrics, "diskwars_resumes_total") == 0
    await second.watch(match, after=2)
    assert sample(node.session_context.metrics, "diskwars_resumes_total") == 1


async def test_stored_match_that_was_changed_counts_as_a_verify_failure(
    node: InMemoryServer, faulty_database: FaultyDatabase
) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    changed, sound = await begin_match(first, second), await begin_match(first, second)
    beneath = faulty_database.beneath.archived_events.stored
    assert isinstance(beneath, MemoryEventLog)
    records = beneath._records[changed]
    records[1] = msgspec.structs.replace(records[1], body=records[1].body.replace(b"player 0", b"player 9"))
    later = InMemoryServer(faulty_database, clock=node.clock)
    guest = await later.connect_and_greet()
    await guest.watch(sound)
    assert sample(later.services.metrics, "diskwars_verify_failures_total") == 0
    assert (await guest.expect_refused(Watch("w", changed))).code == "fault"
    assert sample(later.services.metrics, "diskwars_verify_failures_total") == 1
    await later.matches.close()


async def test_frames_that_wait_are_shown_in_all_and_on_the_slowest_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = ServerSettings(port=0, metrics="0", bot_workers=0)
    caplog.set_level(logging.INFO, "diskwars_server")
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        url = next(record.__dict__["url"] for record in caplog.records if record.message == "serving metrics")
        assert await fetch_gauges(url) == (0, 0, 0)
        async with (
            await RawClient.connect(transport.url, receive_buffer=4096) as first,
            await RawClient.connect(transport.url, receive_buffer=4096) as second,
            asyncio.timeout(TEST_TIMEOUT_SECONDS),
        ):
            for client in (first, second):
                client.write(text('{"type":"hello","versions":[1]}'))
                await client.read_message()
                client.stop_reading()
            # More than the buffers of their sockets hold: what comes after it waits in the outbox.
            for outbox, more in zip(transport._places.outboxes(), (3, 5), strict=True):
                while outbox.backlog < more:
                    outbox.send(Refused("busy", "x" * 10_000))
                    await asyncio.sleep(0)
            backlogs = transport.outbox_backlogs()
            assert min(backlogs) > 0
            assert await fetch_gauges(url) == (2, sum(backlogs), max(backlogs))


async def test_difference_to_the_clock_of_the_database_is_shown(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings, ahead_ms = ServerSettings(port=0, metrics="0", bot_workers=0), 3_600_000
    caplog.set_level(logging.INFO, "diskwars_server")
    clocks = MachineClocks(lambda: now_ms() + ahead_ms, monotonic_ms)
    async with PostgresDatabase(database_url) as database, start_server(settings, database, clocks=clocks):
        url = next(record.__dict__["url"] for record in caplog.records if record.message == "serving metrics")
        page = await asyncio.to_thread(fetch, url)
    difference = next(line for line in page.splitlines() if line.startswith("diskwars_clock_difference_seconds"))
    assert abs(float(difference.split()[1]) - ahead_ms / 1000) < TEST_TIMEOUT_SECONDS


async def fetch_gauges(url: str) -> tuple[float, ...]:
    """Return connections, waiting frames, and those of the slowest connection."""
    page = await asyncio.to_thread(fetch, url)
    lines = dict(line.rsplit(" ", 1) for line in page.splitlines() if not line.startswith("#"))
    names = ("connections", "outbox_frames", "outbox_frames_longest")
    return tuple(float(lines[f"diskwars_{name}"]) for name in names)


async def test_endpoint_answers_at_one_path_and_names_no_player() -> None:
    settings = ServerSettings(port=0, metrics="0", bot_workers=0)
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        assert transport.connections == 0
    metrics = Metrics()
    metrics.watch("connections", "Open connections", lambda: 7)
    async with MetricsEndpoint(metrics.render, "127.0.0.1", 0) as endpoint:
        page = await asyncio.to_thread(fetch, endpoint.url)
        assert "diskwars_connections 7.0" in page
        with pytest.raises(urllib.error.HTTPError, match="404"):
            await asyncio.to_thread(fetch, endpoint.url.replace("/metrics", "/"))


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        body: bytes = answer.read()
        return body.decode()
