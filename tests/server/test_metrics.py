"""Metrics: what is counted, that labels come from closed sets, and the endpoint that is scraped."""

import asyncio
import urllib.error
import urllib.request

import pytest

from diskwars_protocol.messages import REFUSAL_CODES
from diskwars_server.app import start_server
from diskwars_server.measured_events import MeasuredEventLog
from diskwars_server.memory import MemoryDatabase
from diskwars_server.metrics import Metrics
from diskwars_server.metrics_endpoint import MetricsEndpoint
from diskwars_server.settings import ServerSettings
from tests.server.connections import InMemoryServer, begin_match
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
        metrics.note_deadline(lag_ms)
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


async def test_watchers_resumes_and_broken_matches_are_counted(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second)
    published = sample(node.services.metrics, "diskwars_fanout_lag_seconds_count")
    await first.choose_number(match, 0, 3)
    assert sample(node.services.metrics, "diskwars_fanout_lag_seconds_count") == published + 1
    assert sample(node.session_context.metrics, "diskwars_resumes_total") == 0
    await second.watch(match, after=2)
    assert sample(node.session_context.metrics, "diskwars_resumes_total") == 1


async def test_endpoint_answers_at_one_path_and_names_no_player() -> None:
    settings = ServerSettings(port=0, metrics="0", bot_workers=0)
    async with MemoryDatabase() as database, start_server(settings, database) as transport:
        assert transport.connections == 0
    metrics = Metrics()
    metrics.watch("connections", "Open connections", lambda: 7)
    async with MetricsEndpoint(metrics.render, "127.0.0.1", 0) as endpoint:
        text = await asyncio.to_thread(fetch, endpoint.url)
        assert "diskwars_connections 7.0" in text
        with pytest.raises(urllib.error.HTTPError, match="404"):
            await asyncio.to_thread(fetch, endpoint.url.replace("/metrics", "/"))


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        body: bytes = answer.read()
        return body.decode()
