"""Chat in PostgreSQL."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.messages.chat import ChatChannel
from diskwars_server.store.chat import MAX_KEPT_MESSAGES, Chat, StoredMessage
from diskwars_server.store.errors import StoreUnavailable
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.tables import CHAT_MESSAGES, MUTED_PLAYERS

_MAX_ATTEMPTS = 8
"""Attempts to get the next number, which another node may take first."""
# Without a number that is free, or where the command is known, nothing is inserted: the caller looks again.
ADD_SQL = text("""
insert into chat_messages (match_id, channel, number, player_id, at, seq, text, command_id)
select :match, :channel, coalesce(max(number), 0) + 1, :player, :at, :seq, :text, :command
from chat_messages where match_id = :match and channel = :channel
on conflict do nothing returning number
""")


class PostgresChat(Chat):
    """The tables of the chat, and of the players that others have muted."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def add(self, message: StoredMessage) -> int:
        values = {
            "match": message.match,
            "channel": message.channel,
            "player": message.player,
            "at": message.at_ms,
            "seq": message.seq,
            "text": message.text,
            "command": message.command,
        }
        known = select(CHAT_MESSAGES.c.number).where(
            CHAT_MESSAGES.c.match_id == message.match,
            CHAT_MESSAGES.c.player_id == message.player,
            CHAT_MESSAGES.c.command_id == message.command,
        )
        old = delete(CHAT_MESSAGES).where(
            CHAT_MESSAGES.c.match_id == message.match, CHAT_MESSAGES.c.channel == message.channel
        )
        async with self._connect() as connection:
            for _ in range(_MAX_ATTEMPTS):
                added = (await connection.execute(ADD_SQL, values)).scalar()
                if added is not None:
                    if added > MAX_KEPT_MESSAGES:
                        await connection.execute(old.where(CHAT_MESSAGES.c.number <= added - MAX_KEPT_MESSAGES))
                    return int(added)
                if (number := (await connection.execute(known)).scalar()) is not None:
                    return int(number)
        raise StoreUnavailable("too many write to this chat at once")

    async def read(self, match: str, channel: ChatChannel, after: int, limit: int) -> list[StoredMessage]:
        wanted = (
            select(CHAT_MESSAGES)
            .where(CHAT_MESSAGES.c.match_id == match, CHAT_MESSAGES.c.channel == channel)
            .where(CHAT_MESSAGES.c.number > after)
            .order_by(CHAT_MESSAGES.c.number)
            .limit(limit)
        )
        async with self._connect() as connection:
            return [_message_of(row) for row in await connection.execute(wanted)]

    async def read_back(
        self, match: str, channel: ChatChannel, limit: int, before: int | None = None
    ) -> list[StoredMessage]:
        wanted = (
            select(CHAT_MESSAGES)
            .where(CHAT_MESSAGES.c.match_id == match, CHAT_MESSAGES.c.channel == channel)
            .order_by(CHAT_MESSAGES.c.number.desc())
            .limit(limit)
        )
        if before is not None:
            wanted = wanted.where(CHAT_MESSAGES.c.number < before)
        async with self._connect() as connection:
            return [_message_of(row) for row in await connection.execute(wanted)][::-1]

    async def erase(
        self, match: str | None = None, channel: ChatChannel | None = None, number: int = 0, player: str | None = None
    ) -> list[tuple[str, ChatChannel, int]]:
        async with self._connect() as connection:
            return await erase_messages(connection, match, channel, number, player)

    async def list_of_player(self, player: str, skip: int, limit: int) -> list[StoredMessage]:
        columns = CHAT_MESSAGES.c
        own = select(CHAT_MESSAGES).where(columns.player_id == player, columns.text != "")
        own = own.order_by(columns.at, columns.match_id, columns.channel, columns.number).offset(skip).limit(limit)
        async with self._connect() as connection:
            return [_message_of(row) for row in await connection.execute(own)]

    async def list_muted(self, player: str) -> Sequence[str]:
        muted = select(MUTED_PLAYERS.c.muted_id).where(MUTED_PLAYERS.c.player_id == player)
        async with self._connect() as connection:
            return tuple((await connection.scalars(muted.order_by(MUTED_PLAYERS.c.muted_id))).all())

    async def mute(self, player: str, other: str, limit: int) -> bool:
        others = select(func.count()).select_from(MUTED_PLAYERS)
        others = others.where(MUTED_PLAYERS.c.player_id == player, MUTED_PLAYERS.c.muted_id != other)
        row = insert(MUTED_PLAYERS).from_select(
            ["player_id", "muted_id"], select(literal(player), literal(other)).where(others.scalar_subquery() < limit)
        )
        async with self._connect() as connection:
            changed = await connection.execute(
                row.on_conflict_do_update(
                    index_elements=["player_id", "muted_id"], set_={"muted_id": row.excluded.muted_id}
                )
            )
            return changed.rowcount > 0

    async def unmute(self, player: str, other: str) -> None:
        gone = delete(MUTED_PLAYERS).where(MUTED_PLAYERS.c.player_id == player, MUTED_PLAYERS.c.muted_id == other)
        async with self._connect() as connection:
            await connection.execute(gone)


async def erase_messages(
    connection: AsyncConnection, match: str | None, channel: ChatChannel | None, number: int, player: str | None
) -> list[tuple[str, ChatChannel, int]]:
    """Erase messages as `Chat.erase` does, in the transaction of a connection."""
    if (match is None and player is None) or not is_storable((match or "") + (player or "")):
        return []
    columns = CHAT_MESSAGES.c
    erased = update(CHAT_MESSAGES).values(text="").where(columns.text != "")
    for column, value in ((columns.match_id, match), (columns.channel, channel), (columns.player_id, player)):
        if value is not None:
            erased = erased.where(column == value)
    if number:
        erased = erased.where(columns.number == number)
    rows = await connection.execute(erased.returning(columns.match_id, columns.channel, columns.number))
    return sorted((row.match_id, row.channel, row.number) for row in rows)


def _message_of(row: Row[Any]) -> StoredMessage:
    return StoredMessage(
        row.match_id, row.channel, row.number, row.player_id, row.at, row.seq, row.text, row.command_id
    )
