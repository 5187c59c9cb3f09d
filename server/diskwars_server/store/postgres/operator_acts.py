"""Acts of operators in PostgreSQL."""

import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Row, any_, delete, func, insert, literal, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.messages.chat import ChatChannel
from diskwars_server.store.errors import NameTaken
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.operator_acts import ActKind, OperatorAct, OperatorActs
from diskwars_server.store.postgres.accounts import require_unreserved
from diskwars_server.store.postgres.chat import erase_messages
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import ACCOUNTS, FORMER_NAMES, GUEST_NAMES, NAME_TYPE, OPERATOR_ACTS, REPORTS

# Numbers are given in the order of commits: a node that has read up to one of them would never see a lower one that
# came later. Acts are rare, and reading goes on meanwhile.
LOCK_SQL = text("lock table operator_acts in exclusive mode")


class PostgresOperatorActs(OperatorActs):
    """The table `operator_acts`."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        async with self._connect() as connection:
            # Each statement sees what was committed while the lock was awaited.
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                await connection.execute(LOCK_SQL)
                yield connection

    async def add(self, act: OperatorAct) -> int:
        async with self._transaction() as connection:
            return await _insert(connection, act)

    async def add_rename(self, act: OperatorAct, name: str, name_key: str) -> bool:
        named = ACCOUNTS.c.player_id == act.target, ACCOUNTS.c.name_key.is_not(None)
        renamed = update(ACCOUNTS).where(*named).values(name=name, name_key=name_key, renamed=act.at_ms)
        async with self._transaction() as connection:
            try:
                if not (await connection.execute(renamed)).rowcount:
                    return False
            except IntegrityError:
                raise NameTaken(f"the name {name_key} is taken") from None
            await require_unreserved(connection, name_key, act.target, act.at_ms)
            # The row of the account is locked: a change of name by the player has ended, or comes later.
            await connection.execute(delete(FORMER_NAMES).where(FORMER_NAMES.c.player_id == act.target))
            await _insert(connection, act)
            return True

    async def add_name_erasure(self, act: OperatorAct) -> bool:
        erased = delete(GUEST_NAMES).where(GUEST_NAMES.c.player_id == act.target)
        async with self._transaction() as connection:
            if not (await connection.execute(erased)).rowcount:
                return False
            await _insert(connection, act)
            return True

    async def add_erasure(
        self,
        act: OperatorAct,
        match: str | None = None,
        channel: ChatChannel | None = None,
        number: int = 0,
        player: str | None = None,
    ) -> int:
        async with self._transaction() as connection:
            erased = await erase_messages(connection, match, channel, number, player)
            await _insert(connection, act)
            return len(erased)

    async def add_closing(self, act: OperatorAct, report: int) -> bool:
        is_open = REPORTS.c.number == report, REPORTS.c.closed_by == 0
        async with self._transaction() as connection:
            if (await connection.execute(select(REPORTS.c.number).where(*is_open))).first() is None:
                return False
            number = await _insert(connection, act)
            await connection.execute(update(REPORTS).where(*is_open).values(closed_by=number))
            return True

    async def read_after(self, number: int, limit: int) -> list[OperatorAct]:
        acts = select(OPERATOR_ACTS).where(OPERATOR_ACTS.c.number > number).order_by(OPERATOR_ACTS.c.number)
        async with self._connect() as connection:
            return [_act_of(row) for row in await connection.execute(acts.limit(limit))]

    async def read_back(self, limit: int, before: int | None = None, target: str | None = None) -> list[OperatorAct]:
        acts = select(OPERATOR_ACTS).order_by(OPERATOR_ACTS.c.number.desc()).limit(limit)
        if before is not None:
            acts = acts.where(OPERATOR_ACTS.c.number < before)
        if target is not None:
            acts = acts.where(OPERATOR_ACTS.c.target == target)
        async with self._connect() as connection:
            return [_act_of(row) for row in await connection.execute(acts)]

    async def find_bans(self, players: Sequence[str], now: int) -> dict[str, OperatorAct]:
        # An array, so that the statement is the same for any number of players.
        targets = literal([player for player in players if is_storable(player)], ARRAY(NAME_TYPE))
        acts = await self._last(("ban", "unban"), OPERATOR_ACTS.c.target == any_(targets))
        return {act.target: act for act in acts if _is_in_force(act, now)}

    async def list_bans(self, now: int, limit: int) -> list[OperatorAct]:
        acts = await self._last(("ban", "unban"))
        return [act for act in acts if _is_in_force(act, now)][:limit]

    async def list_operators(self) -> Sequence[str]:
        acts = await self._last(("grant", "revoke"))
        return tuple(sorted(act.target for act in acts if act.kind == "grant"))

    async def _last(self, kinds: Sequence[ActKind], *about: ColumnElement[bool]) -> list[OperatorAct]:
        """Return the last act of these kinds about each target, the newest first."""
        columns = OPERATOR_ACTS.c
        last = select(func.max(columns.number)).where(columns.kind.in_(kinds), *about).group_by(columns.target)
        acts = select(OPERATOR_ACTS).where(columns.number.in_(last)).order_by(columns.number.desc())
        async with self._connect() as connection:
            return [_act_of(row) for row in await connection.execute(acts)]


async def _insert(connection: AsyncConnection, act: OperatorAct) -> int:
    """Store an act under the next number; the table is locked."""
    last = await connection.scalar(select(func.coalesce(func.max(OPERATOR_ACTS.c.number), 0)))
    number = int(last or 0) + 1
    await connection.execute(
        insert(OPERATOR_ACTS).values(
            number=number,
            kind=act.kind,
            operator=act.operator,
            target=act.target,
            at=act.at_ms,
            reason=act.reason,
            until=act.until_ms,
            detail=act.detail,
        )
    )
    return number


def _is_in_force(act: OperatorAct, now: int) -> bool:
    return act.kind == "ban" and (act.until_ms is None or act.until_ms > now)


def _act_of(row: Row[Any]) -> OperatorAct:
    return OperatorAct(
        row.kind, row.operator, row.target, row.at, row.reason, row.until, detail=row.detail, number=row.number
    )
