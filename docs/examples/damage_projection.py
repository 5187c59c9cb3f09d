"""A projection of one's own: who dealt how much damage, kept beside the event store and followed from there.

    python damage_projection.py postgresql://…             follow: take up what is new, every few seconds
    python damage_projection.py postgresql://… --once      take up what is new, and end
    python damage_projection.py postgresql://… --rebuild   begin again with the first record, and end

It has a schema of its own. The rows of a match and how far it was read are written in one transaction, so that it may
be killed at any moment and never counts an event twice. Damage that was taken back is taken off again.
"""

import asyncio
import sys

import asyncpg

POLL_SECONDS = 5.0
MATCHES_AT_ONCE = 100
SCHEMA = """
create schema if not exists damage_projection;
create table if not exists damage_projection.positions (match_id text primary key, seq bigint not null);
create table if not exists damage_projection.damage (
    match_id text, seq bigint, number bigint, kind text not null, taken int not null,
    primary key (match_id, seq, number)
);
"""
# A record is visible once it is durable, and the records of one match are numbered without gaps. So a match is a stream
# with a position, and nothing has to be guessed about the order in which transactions of several matches end.
BEHIND = """
select m.match_id, coalesce(p.seq, 0) as position
from (select match_id, max(seq) as head from records group by match_id) m
left join damage_projection.positions p using (match_id)
where m.head > coalesce(p.seq, 0)
order by m.match_id limit $1
"""
DAMAGE = """
insert into damage_projection.damage
select match_id, seq, number, coalesce(event -> 'cause' ->> 'kind', 'other'), (event ->> 'taken')::int
from events_json where match_id = $1 and seq > $2 and seq <= $3 and kind = 'damage_dealt'
"""
# A takeback names the record that play goes on from: what came after it has not happened.
TAKEBACKS = """
select seq, (body ->> 'taken_back_to')::bigint as target from records_json
where match_id = $1 and seq > $2 and seq <= $3 and body ? 'taken_back_to' order by seq
"""
UNDO = "delete from damage_projection.damage where match_id = $1 and seq > $2 and seq < $3"
POSITION = """
insert into damage_projection.positions values ($1, $2) on conflict (match_id) do update set seq = excluded.seq
"""


async def take_up(connection: asyncpg.Connection) -> int:
    """Take up some matches that have new records; return how many."""
    behind = await connection.fetch(BEHIND, MATCHES_AT_ONCE)
    for match, position in behind:
        async with connection.transaction():
            head = await connection.fetchval("select max(seq) from records where match_id = $1", match)
            if head is None:
                continue  # removed meanwhile
            await connection.execute(DAMAGE, match, position, head)
            for seq, target in await connection.fetch(TAKEBACKS, match, position, head):
                await connection.execute(UNDO, match, target, seq)
            await connection.execute(POSITION, match, head)
    return len(behind)


async def main(url: str, *options: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        if "--rebuild" in options:
            await connection.execute("drop schema if exists damage_projection cascade")
        await connection.execute(SCHEMA)
        while True:
            while await take_up(connection):
                pass
            if options:
                break
            await asyncio.sleep(POLL_SECONDS)
    finally:
        await connection.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
