"""Notices in PostgreSQL; appends write the planned ones with their records."""

from collections.abc import Sequence
from typing import Any

from msgspec import json
from sqlalchemy import ARRAY, Row, any_, delete, func, literal, select, text, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.messages.notices import NoticePreferences, NoticeTarget
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.notices import (
    DeadDelivery,
    Delivery,
    DueNotice,
    Notices,
    NoticeText,
    PlannedNotice,
    StoredChannel,
)
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import (
    DEADLINES,
    NAME_TYPE,
    NOTICE_CHANNELS,
    NOTICE_DELIVERIES,
    NOTICE_PREFERENCES,
    PLANNED_NOTICES,
)

_PLANNED, _CHANNEL, _DELIVERY = PLANNED_NOTICES.c, NOTICE_CHANNELS.c, NOTICE_DELIVERIES.c
_TARGET = json.Decoder(NoticeTarget)
_TEXTS = json.Decoder(tuple[NoticeText, ...])
_PREFERENCES = json.Decoder(NoticePreferences)
# Two tabs of one player may add a channel at the same moment: the player's row of the account is locked first.
_LOCK_PLAYER = text("select name_key from accounts where player_id = :player for update")


class PostgresNotices(Notices):
    """The tables of planned notices, of channels and preferences, and of deliveries."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def postpone_seen(self, seen: Sequence[tuple[str, str]], due_before: int, due_ms: int) -> None:
        if not seen:
            return
        players, matches = zip(*seen, strict=True)
        pairs = func.unnest(literal(players, ARRAY(NAME_TYPE)), literal(matches, ARRAY(NAME_TYPE)))
        known = pairs.table_valued("player_id", "match_id", name="seen").render_derived()
        postponed = (
            update(PLANNED_NOTICES)
            .values(due=due_ms, claimed_until=0)
            .where(
                _PLANNED.player_id == known.c.player_id,
                _PLANNED.match_id == known.c.match_id,
                _PLANNED.due < due_before,
            )
        )
        async with self._connect() as connection:
            await connection.execute(postponed)

    async def claim_due(self, now: int, limit: int, lease_ms: int) -> list[DueNotice]:
        due = (
            select(_PLANNED.player_id, _PLANNED.match_id, _PLANNED.kind)
            .where(_PLANNED.due <= now, _PLANNED.claimed_until <= now)
            .order_by(_PLANNED.due, _PLANNED.player_id, _PLANNED.match_id, _PLANNED.kind)
            .limit(limit)
            # Of several nodes each takes what no other is just taking, and none waits.
            .with_for_update(skip_locked=True)
            .cte("due")
            .prefix_with("materialized")
        )
        deadline = (
            select(DEADLINES.c.at)
            .where(DEADLINES.c.match_id == _PLANNED.match_id, DEADLINES.c.decision == _PLANNED.decision)
            .scalar_subquery()
        )
        claim = (
            update(PLANNED_NOTICES)
            .values(claimed_until=now + lease_ms)
            .where(
                _PLANNED.player_id == due.c.player_id,
                _PLANNED.match_id == due.c.match_id,
                _PLANNED.kind == due.c.kind,
            )
            .returning(*PLANNED_NOTICES.c, deadline.label("deadline"))
        )
        async with self._connect() as connection:
            claimed = [DueNotice(_notice_of(row), row.deadline) for row in await connection.execute(claim)]
        return sorted(claimed, key=lambda due: (due.notice.due_ms, due.notice.player, due.notice.match))

    async def settle(self, notices: Sequence[PlannedNotice], deliveries: Sequence[Delivery]) -> bool:
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin() as transaction:
                for notice in notices:
                    if not (await connection.execute(delete(PLANNED_NOTICES).where(*_is(notice)))).rowcount:
                        await transaction.rollback()
                        return False
                await _add_deliveries(connection, deliveries)
                return True

    async def postpone(self, notice: PlannedNotice, due_ms: int) -> None:
        async with self._connect() as connection:
            await connection.execute(update(PLANNED_NOTICES).values(due=due_ms, claimed_until=0).where(*_is(notice)))

    # ---------------------------------------------------------------- deliveries

    async def add_deliveries(self, deliveries: Sequence[Delivery]) -> None:
        async with self._connect() as connection:
            await _add_deliveries(connection, deliveries)

    async def claim_deliveries(self, now: int, limit: int, lease_ms: int) -> list[Delivery]:
        due = (
            select(_DELIVERY.player_id, _DELIVERY.delivery_id)
            .where(_DELIVERY.dead == text("''"), _DELIVERY.due <= now, _DELIVERY.claimed_until <= now)
            .order_by(_DELIVERY.due, _DELIVERY.delivery_id)
            .limit(limit)
            .with_for_update(skip_locked=True)
            .cte("due")
            .prefix_with("materialized")
        )
        claim = (
            update(NOTICE_DELIVERIES)
            .values(claimed_until=now + lease_ms)
            .where(_DELIVERY.player_id == due.c.player_id, _DELIVERY.delivery_id == due.c.delivery_id)
            .returning(*NOTICE_DELIVERIES.c)
        )
        async with self._connect() as connection:
            claimed = [_delivery_of(row) for row in await connection.execute(claim)]
        return sorted(claimed, key=lambda delivery: (delivery.due_ms, delivery.delivery))

    async def finish_delivery(self, delivery: Delivery) -> None:
        async with self._connect() as connection:
            await connection.execute(delete(NOTICE_DELIVERIES).where(*_is_delivery(delivery)))

    async def retry_delivery(self, delivery: Delivery) -> None:
        retry = update(NOTICE_DELIVERIES).values(attempts=delivery.attempts, due=delivery.due_ms, claimed_until=0)
        async with self._connect() as connection:
            await connection.execute(retry.where(*_is_delivery(delivery)))

    async def bury_delivery(self, delivery: Delivery, why: str) -> None:
        buried = update(NOTICE_DELIVERIES).values(attempts=delivery.attempts + 1, dead=why)
        async with self._connect() as connection:
            await connection.execute(buried.where(*_is_delivery(delivery)))

    async def list_dead(self, limit: int) -> list[DeadDelivery]:
        latest = select(NOTICE_DELIVERIES).where(_DELIVERY.dead != text("''"))
        latest = latest.order_by(_DELIVERY.created.desc(), _DELIVERY.delivery_id).limit(limit)
        async with self._connect() as connection:
            return [DeadDelivery(_delivery_of(row), row.dead) for row in await connection.execute(latest)]

    async def remove_dead(self, before: int) -> int:
        removed = delete(NOTICE_DELIVERIES).where(_DELIVERY.dead != text("''"), _DELIVERY.created < before)
        async with self._connect() as connection:
            return (await connection.execute(removed)).rowcount

    # ---------------------------------------------------------------- channels and preferences

    async def add_channel(self, channel: StoredChannel, limit: int) -> bool:
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                account = (await connection.execute(_LOCK_PLAYER, {"player": channel.player})).first()
                if account is not None and account.name_key is None:
                    return False  # deleted a moment ago
                own = select(_CHANNEL.target).where(_CHANNEL.player_id == channel.player)
                targets = list(await connection.scalars(own))
                target = json.encode(channel.target).decode()
                if target in targets:
                    return True
                if len(targets) >= limit:
                    return False
                values = {"player_id": channel.player, "channel_id": channel.channel, "target": target}
                await connection.execute(insert(NOTICE_CHANNELS).values(**values, **_changing(channel)))
                return True

    async def find_channels(self, players: Sequence[str]) -> dict[str, tuple[StoredChannel, ...]]:
        wanted = select(NOTICE_CHANNELS).where(_CHANNEL.player_id == any_(literal(players, ARRAY(NAME_TYPE))))
        wanted = wanted.order_by(_CHANNEL.created, _CHANNEL.channel_id)
        by_player: dict[str, list[StoredChannel]] = {}
        async with self._connect() as connection:
            for row in await connection.execute(wanted):
                by_player.setdefault(row.player_id, []).append(_channel_of(row))
        return {player: tuple(channels) for player, channels in by_player.items()}

    async def change_channel(self, channel: StoredChannel) -> None:
        change = update(NOTICE_CHANNELS).values(**_changing(channel))
        async with self._connect() as connection:
            await connection.execute(
                change.where(_CHANNEL.player_id == channel.player, _CHANNEL.channel_id == channel.channel)
            )

    async def remove_channel(self, player: str, channel: str) -> None:
        if not is_storable(channel):
            return
        async with self._connect() as connection:
            for columns, table in ((_CHANNEL, NOTICE_CHANNELS), (_DELIVERY, NOTICE_DELIVERIES)):
                await connection.execute(
                    delete(table).where(columns.player_id == player, columns.channel_id == channel)
                )

    async def find_preferences(self, players: Sequence[str]) -> dict[str, NoticePreferences]:
        table = NOTICE_PREFERENCES
        wanted = select(table).where(table.c.player_id == any_(literal(players, ARRAY(NAME_TYPE))))
        async with self._connect() as connection:
            return {row.player_id: _PREFERENCES.decode(row.preferences) for row in await connection.execute(wanted)}

    async def set_preferences(self, player: str, preferences: NoticePreferences) -> None:
        row = insert(NOTICE_PREFERENCES).values(player_id=player, preferences=json.encode(preferences).decode())
        changed = {"preferences": row.excluded.preferences}
        async with self._connect() as connection:
            await connection.execute(row.on_conflict_do_update(index_elements=["player_id"], set_=changed))


async def plan_notice(connection: AsyncConnection, notice: PlannedNotice) -> None:
    """Store a planned notice within a transaction, for a player who has a channel."""
    reachable = select(_CHANNEL.player_id).where(_CHANNEL.player_id == notice.player).limit(1)
    if (await connection.execute(reachable)).first() is None:
        return
    row = insert(PLANNED_NOTICES).values(
        player_id=notice.player,
        match_id=notice.match,
        kind=notice.kind,
        seat=notice.seat,
        due=notice.due_ms,
        seq=notice.seq,
        decision=notice.decision,
        claimed_until=0,
    )
    await connection.execute(row.on_conflict_do_nothing())


async def remove_notices_of(connection: AsyncConnection, player: str) -> None:
    """Remove everything about a player, within the transaction that deletes the account."""
    for table in (PLANNED_NOTICES, NOTICE_CHANNELS, NOTICE_PREFERENCES, NOTICE_DELIVERIES):
        await connection.execute(delete(table).where(table.c.player_id == player))


async def _add_deliveries(connection: AsyncConnection, deliveries: Sequence[Delivery]) -> None:
    for delivery in deliveries:
        row = insert(NOTICE_DELIVERIES).values(
            player_id=delivery.player,
            delivery_id=delivery.delivery,
            channel_id=delivery.channel,
            texts=json.encode(delivery.texts).decode(),
            created=delivery.created_ms,
            due=delivery.due_ms,
            attempts=delivery.attempts,
            claimed_until=0,
            dead="",
        )
        await connection.execute(row.on_conflict_do_nothing())


def _is(notice: PlannedNotice) -> tuple[Any, ...]:
    """Return the conditions for the row of a notice, as long as no later one has taken its place."""
    return (
        tuple_(_PLANNED.player_id, _PLANNED.match_id, _PLANNED.kind)
        == tuple_(notice.player, notice.match, notice.kind),
        _PLANNED.seq == notice.seq,
        _PLANNED.decision == notice.decision,
        _PLANNED.due == notice.due_ms,
    )


def _is_delivery(delivery: Delivery) -> tuple[Any, ...]:
    return _DELIVERY.player_id == delivery.player, _DELIVERY.delivery_id == delivery.delivery


def _notice_of(row: Row[Any]) -> PlannedNotice:
    return PlannedNotice(row.player_id, row.match_id, row.kind, row.seat, row.due, row.seq, row.decision)


def _delivery_of(row: Row[Any]) -> Delivery:
    texts = _TEXTS.decode(row.texts)
    return Delivery(row.delivery_id, row.player_id, row.channel_id, texts, row.created, row.due, row.attempts)


def _channel_of(row: Row[Any]) -> StoredChannel:
    target = _TARGET.decode(row.target)
    return StoredChannel(row.player_id, row.channel_id, target, row.state, row.created, row.failures, row.rests_until)


def _changing(channel: StoredChannel) -> dict[str, object]:
    return {
        "state": channel.state,
        "created": channel.created_ms,
        "failures": channel.failures,
        "rests_until": channel.rests_until_ms,
    }
