"""Records in one table and in partitions are filled, measured in turn, and parted with."""

import asyncio
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from bench.capacity import partitions
from bench.capacity.partitions import Meter, Side
from bench.measuring.processes import PostgresCluster, asyncpg_options
from bench.result_page import read_sections

RECORDS = 3_000
PAGE = Path(__file__).resolve().parents[3] / "docs" / "capacity.md"


async def count_records(url: str) -> int:
    connection = await asyncpg.connect(**asyncpg_options(url))
    try:
        return int(await connection.fetchval("select count(*) from records"))
    finally:
        await connection.close()


def test_both_are_measured_by_the_same_event_log(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in {"PAIRS": 2, "WAVES": 1, "WAVE_APPENDS": 3, "READS": 2}.items():
        monkeypatch.setattr(partitions, name, few)
    folder = Path(str(make_url(postgres_url).query["host"]))
    base = PostgresCluster(postgres_url, int((folder / "postmaster.pid").read_text().split()[0]), "under test")
    sides = [Side(base.new_database(), is_parted) for is_parted in (False, True)]
    pairs, once = asyncio.run(partitions.measure(Meter(base), sides, RECORDS))
    assert [row[0] for row in pairs.rows] == ["append", "read"]
    assert all(isinstance(cell, float) and cell > 0 for row in pairs.rows for cell in row[4:])
    assert len(once.rows) == 3
    counts = [asyncio.run(count_records(side.url)) for side in sides]
    assert counts[0] == counts[1] < RECORDS, "the same matches have gone"


def test_page_has_what_was_measured() -> None:
    section = read_sections(PAGE.read_text("utf-8"))["partitions"]
    assert "### Append and read" in section
    assert "### Vacuum and removal" in section
