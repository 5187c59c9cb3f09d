"""Records in one table against records partitioned by the hash of their match, behind the same event log.

.venv/bin/python -m bench.capacity.partitions [--records 20000000] [--write docs/capacity.md]

Both are filled with the same matches of a hundred records, whose rows lie as scattered as those of matches that are
played side by side. Then both are measured in turn, on the same PostgreSQL.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import asyncpg
from msgspec import Struct

from bench.measured_code import commit_text
from bench.measuring.processes import PostgresCluster, asyncpg_options, process_tree_seconds, temporary_cluster
from bench.measuring.tables import ResultTable, machine_text, markdown, median
from bench.result_page import replace_sections
from diskwars_protocol.records.records import Record
from diskwars_server.store.errors import WrongVersion
from diskwars_server.store.event_log import AppendRequest, EventLog
from diskwars_server.store.postgres.database import PostgresDatabase
from diskwars_server.store.postgres.tables import RECORDS_COMMAND, RECORDS_VERSION

PARTITIONS = 16
RECORDS_A_MATCH = 100
RECORDS = 20_000_000
PAIRS, WAVES, WAVE_APPENDS, READS = 10, 20, 64, 50
REMOVED_SHARE = 20
"""One match in this many is removed from the database, as when it is archived."""
TIMEOUT_SECONDS = 7200
PARTITION_SQL = f"""
create table records_parted (like records including defaults) partition by hash (match_id);
drop table records cascade;
alter table records_parted rename to records;
alter table records add constraint {RECORDS_VERSION} primary key (match_id, seq);
alter table records add constraint {RECORDS_COMMAND} unique (actor, match_id, command_id);
"""
MATCH_SQL = "left(md5(m::text), 22)"
FILL_SQL = f"""
insert into records (match_id, seq, at, actor, command_id, rules_version, body, salt, hash)
select {MATCH_SQL}, $1::bigint, 1790000000000 + $1, 'player-of-some-match', 'c' || $1, 1,
    decode(repeat(md5(m::text || $1), 20), 'hex'), decode(md5(m::text), 'hex'), decode(repeat(md5(m::text), 2), 'hex')
from generate_series(0, $2::bigint - 1) as m
"""
REMOVE_SQL = f"""
delete from records using (select {MATCH_SQL} as match_id from generate_series(0, $1::bigint - 1, {REMOVED_SHARE}) as m)
    as removed where records.match_id = removed.match_id and records.seq < {RECORDS_A_MATCH}
"""
PART_SQL = 'create table if not exists hashes (match_id text collate "C") partition by hash (match_id)'
DELETE_PART_SQL = f"delete from records where satisfies_hash_partition('hashes'::regclass, {PARTITIONS}, 0, match_id)"
Work: TypeAlias = Callable[[], Awaitable[None]]


class Cost(Struct, frozen=True):
    """Seconds on the clock, and of PostgreSQL's CPU."""

    seconds: float
    cpu: float


class Side(Struct, frozen=True):
    """One of the two databases."""

    url: str
    is_parted: bool


def table_names(is_parted: bool) -> list[str]:
    """Return the tables in which records lie."""
    return [f"records_{number}" for number in range(PARTITIONS)] if is_parted else ["records"]


async def execute(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(**asyncpg_options(url), timeout=60)
    try:
        for statement in statements:
            await connection.execute(statement, timeout=TIMEOUT_SECONDS)
    finally:
        await connection.close()


async def prepare(side: Side, records: int) -> None:
    """Make the tables, and fill them."""
    async with PostgresDatabase(side.url):
        pass
    if side.is_parted:
        parts = (
            f"create table {name} partition of records for values with (modulus {PARTITIONS}, remainder {number})"
            for number, name in enumerate(table_names(True))
        )
        await execute(side.url, PARTITION_SQL, *parts)
    # Only what is measured vacuums.
    await execute(
        side.url, *(f"alter table {name} set (autovacuum_enabled = off)" for name in table_names(side.is_parted))
    )
    connection = await asyncpg.connect(**asyncpg_options(side.url), timeout=60)
    try:
        await connection.execute("set synchronous_commit = off")
        for seq in range(1, RECORDS_A_MATCH + 1):
            await connection.execute(FILL_SQL, seq, records // RECORDS_A_MATCH, timeout=TIMEOUT_SECONDS)
    finally:
        await connection.close()


def record_of(seq: int) -> Record:
    return Record(
        seq=seq,
        at_ms=1_790_000_000_125,
        actor="player-of-some-match",
        command_id=f"c{seq}",
        rules_version=1,
        body=b"\x17" * 320,
        secret=None,
        salt=bytes(16),
        hash=seq.to_bytes(32, "big"),
    )


class MeasuredLog:
    """The event log of one of the two, with the heads of its matches."""

    def __init__(self, events: EventLog, matches: Sequence[str]) -> None:
        self._events, self._matches = events, matches
        self._heads = dict.fromkeys(matches, RECORDS_A_MATCH)
        self._random = random.Random(1)

    async def append(self) -> None:
        """Append a record to each of some matches, over and over."""
        for _ in range(WAVES):
            chosen = self._random.sample(self._matches, min(WAVE_APPENDS, len(self._matches)))
            appends = [AppendRequest(match, self._heads[match], record_of(self._heads[match] + 1)) for match in chosen]
            await asyncio.gather(*map(self._events.append, appends))
            for match in chosen:
                self._heads[match] += 1

    async def read(self) -> None:
        """Read some matches, one after another."""
        for match in self._random.sample(self._matches, min(READS, len(self._matches))):
            if len(await self._events.read(match)) < RECORDS_A_MATCH:
                raise AssertionError(f"records of {match} are missing")

    async def names_a_wrong_version(self) -> bool:
        """Return whether the second of two writers is refused as such."""
        match = self._matches[0]
        head = self._heads[match]
        try:
            await self._events.append(AppendRequest(match, head - 1, record_of(head)))
        except WrongVersion:
            return True
        except Exception:
            return False
        return False


class Meter:
    """Costs on one cluster."""

    def __init__(self, base: PostgresCluster) -> None:
        self._pid = base.pid

    async def measure(self, work: Work) -> Cost:
        began, before = time.perf_counter(), process_tree_seconds(self._pid)
        await work()
        return Cost(time.perf_counter() - began, process_tree_seconds(self._pid) - before)


@contextmanager
def two_sides() -> Iterator[tuple[Meter, list[Side]]]:
    with temporary_cluster() as base:
        yield Meter(base), [Side(base.new_database(), is_parted) for is_parted in (False, True)]


async def measure(meter: Meter, sides: Sequence[Side], records: int) -> list[ResultTable]:
    """Fill both, and measure them."""
    for side in sides:
        await prepare(side, records)
    once: dict[str, list[Cost]] = {"vacuum and analyze, all": [await vacuum(meter, side) for side in sides]}
    pairs, same_refusals = await measure_pairs(meter, sides, records)
    for side in sides:
        await execute_removal(side, records)
    once["vacuum after one match in twenty has gone"] = [await vacuum(meter, side) for side in sides]
    once[f"removal of one record in {PARTITIONS}"] = [await remove_part(meter, side) for side in sides]
    return [pair_table(pairs, records, same_refusals), once_table(once)]


async def vacuum(meter: Meter, side: Side) -> Cost:
    return await meter.measure(lambda: execute(side.url, "vacuum (analyze) records"))


async def execute_removal(side: Side, records: int) -> None:
    connection = await asyncpg.connect(**asyncpg_options(side.url), timeout=60)
    try:
        await connection.execute(REMOVE_SQL, records // RECORDS_A_MATCH, timeout=TIMEOUT_SECONDS)
    finally:
        await connection.close()


async def remove_part(meter: Meter, side: Side) -> Cost:
    """Remove a sixteenth of all matches: a partition, or the same rows and a vacuum."""
    if side.is_parted:
        return await meter.measure(
            lambda: execute(side.url, "alter table records detach partition records_0", "drop table records_0")
        )
    await execute(side.url, PART_SQL)
    return await meter.measure(lambda: execute(side.url, DELETE_PART_SQL, "vacuum records"))


async def measure_pairs(
    meter: Meter, sides: Sequence[Side], records: int
) -> tuple[dict[str, list[tuple[Cost, Cost]]], bool]:
    """Append to both and read from both in turn; also return whether both refuse alike."""
    async with PostgresDatabase(sides[0].url) as whole, PostgresDatabase(sides[1].url) as parted:
        stride = max(1, records // RECORDS_A_MATCH // 5_000)
        numbers = f"select {MATCH_SQL} from generate_series(1, {records // RECORDS_A_MATCH - 1}, {stride}) as m"
        connection = await asyncpg.connect(**asyncpg_options(sides[0].url), timeout=60)
        matches = [row[0] for row in await connection.fetch(numbers)]
        await connection.close()
        logs = [MeasuredLog(database.events, matches) for database in (whole, parted)]
        found: dict[str, list[tuple[Cost, Cost]]] = {}
        for name in ("append", "read"):
            for log in logs:  # caches are filled, statements prepared
                await work_of(log, name)()
            found[name] = [await measure_pair(meter, logs, name, number) for number in range(PAIRS)]
        refusals = [await log.names_a_wrong_version() for log in logs]
    return found, refusals[0] == refusals[1]


def work_of(log: MeasuredLog, name: str) -> Work:
    return log.append if name == "append" else log.read


async def measure_pair(meter: Meter, logs: Sequence[MeasuredLog], name: str, number: int) -> tuple[Cost, Cost]:
    """Measure both once; which comes first changes with each pair."""
    order = (0, 1) if number % 2 else (1, 0)
    costs = {place: await meter.measure(work_of(logs[place], name)) for place in order}
    return costs[0], costs[1]


# ---------------------------------------------------------------- tables


def pair_table(pairs: dict[str, list[tuple[Cost, Cost]]], records: int, same_refusals: bool) -> ResultTable:
    units = {"append": WAVES * WAVE_APPENDS, "read": READS}
    rows = tuple(
        (
            name,
            1e6 * median(pair[0].cpu for pair in found) / units[name],
            1e6 * median(pair[1].cpu for pair in found) / units[name],
            median(pair[1].cpu / pair[0].cpu for pair in found if pair[0].cpu),
            median(pair[1].seconds / pair[0].seconds for pair in found),
        )
        for name, found in pairs.items()
    )
    alike = (
        "as one table does" if same_refusals else "with another error than one table, which the event log does not know"
    )
    notes = (
        f"{records:,} records of {records // RECORDS_A_MATCH:,} matches; medians of {PAIRS} pairs in turn. An append "
        f"is one of {WAVE_APPENDS} that are handed over at once; a read is a match of {RECORDS_A_MATCH} records. "
        f"Ratios above 1 speak for one table. Partitions refuse the second of two writers {alike}.",
    )
    columns = ("", "PostgreSQL µs, one table", f"{PARTITIONS} partitions", "ratio of CPU", "ratio of time")
    return ResultTable("Append and read", columns, rows, notes=notes)


def once_table(once: dict[str, list[Cost]]) -> ResultTable:
    rows = tuple((name, whole.seconds, whole.cpu, parted.seconds, parted.cpu) for name, (whole, parted) in once.items())
    columns = ("", "s, one table", "CPU s", f"s, {PARTITIONS} partitions", "CPU s")
    note = (
        "Measured once each. Of partitions one is detached and dropped; of one table the same rows are deleted, and it "
        "is vacuumed."
    )
    return ResultTable("Vacuum and removal", columns, rows, notes=(note,))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=RECORDS, metavar="N", help=f"records in each ({RECORDS:,})")
    parser.add_argument("--write", type=Path, metavar="FILE", help="renew the tables of this page")
    options = parser.parse_args()
    if options.records < RECORDS_A_MATCH * 200:
        parser.error(f"at least {RECORDS_A_MATCH * 200:,} records")
    began = time.monotonic()
    with two_sides() as (meter, sides):
        tables = asyncio.run(measure(meter, sides, options.records))
    took = f"it took {time.monotonic() - began:.0f} s."
    text = "\n".join(["; ".join(filter(None, (machine_text(), commit_text(), took))), "", *map(markdown, tables)])
    print(text)
    if options.write:
        page = options.write.read_text("utf-8")
        options.write.write_text(replace_sections(page, {"partitions": text}), "utf-8")


if __name__ == "__main__":
    main()
