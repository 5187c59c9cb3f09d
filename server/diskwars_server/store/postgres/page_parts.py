"""Parts of built pages in PostgreSQL."""

from collections.abc import Mapping

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert

from diskwars_server.store.page_parts import KEPT_BUILDS, PageParts, name_build
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import PAGE_BUILDS, PAGE_PARTS

_LOCK_KEY = 0x6469736B70616765  # any fixed number: the name of this lock among all of PostgreSQL's advisory locks


class PostgresPageParts(PageParts):
    """The tables of builds and of their parts. A part that two builds share is stored for each."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def keep(self, parts: Mapping[str, bytes], now_ms: int) -> None:
        build = name_build(parts)
        rows = [{"build": build, "path": path, "body": body} for path, body in sorted(parts.items())]
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                # Of nodes that start at once one after another.
                await connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
                # Later than all others, whatever the clock of another node said.
                last = await connection.scalar(select(func.max(PAGE_BUILDS.c.at))) or 0
                started = insert(PAGE_BUILDS).values(build=build, at=max(now_ms, last + 1))
                again = started.on_conflict_do_update(index_elements=["build"], set_={"at": started.excluded.at})
                await connection.execute(again)
                kept = select(PAGE_BUILDS.c.build).order_by(PAGE_BUILDS.c.at.desc()).limit(KEPT_BUILDS)
                for table in (PAGE_PARTS, PAGE_BUILDS):
                    await connection.execute(delete(table).where(table.c.build.not_in(kept)))
                for row in rows:  # one by one: a statement with all of them would be as large as the page
                    await connection.execute(insert(PAGE_PARTS).values(row).on_conflict_do_nothing())

    async def list_paths(self) -> frozenset[str]:
        async with self._connect() as connection:
            return frozenset(await connection.scalars(select(PAGE_PARTS.c.path)))

    async def find(self, path: str) -> bytes | None:
        async with self._connect() as connection:
            found = await connection.scalar(select(PAGE_PARTS.c.body).where(PAGE_PARTS.c.path == path).limit(1))
            return None if found is None else bytes(found)
