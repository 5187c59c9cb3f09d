"""Challenges in PostgreSQL."""

from collections.abc import Sequence
from typing import Any

from msgspec import json
from sqlalchemy import ARRAY, Row, Select, any_, delete, literal, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from diskwars_protocol.messages.challenges import ChallengeStatus, DeclineReason
from diskwars_server.store.challenges import (
    KEPT_MS,
    MAX_LISTED,
    MAX_RECEIVED,
    MAX_SENT,
    ChallengeObstacle,
    Challenges,
    ChallengeTerms,
    StoredChallenge,
    plan_challenge_notice,
)
from diskwars_server.store.event_log import is_storable
from diskwars_server.store.postgres.connections import Connect
from diskwars_server.store.postgres.notices import plan_notice
from diskwars_server.store.postgres.tables import ACCOUNTS, CHALLENGE_REFUSERS, CHALLENGES, FOLLOWED_PLAYERS, NAME_TYPE

_LOCK_KEY = 0x6469736B6368616C  # any fixed number: the name of this lock among all of PostgreSQL's advisory locks
_ROW = CHALLENGES.c
_TERMS = json.Decoder(ChallengeTerms)


class PostgresChallenges(Challenges):
    """Challenges as rows of a table, and the players who take none."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect

    async def add(self, challenge: StoredChallenge, *, notifies: bool = False) -> StoredChallenge | ChallengeObstacle:
        async with self._connect() as connection:
            await connection.execution_options(isolation_level="READ COMMITTED")
            async with connection.begin():
                # One lock for all: of two that come at once, on two nodes, neither would see the other's row.
                await connection.execute(text("select pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
                found = await _add(connection, challenge)
                if found is challenge and notifies:
                    await plan_notice(connection, plan_challenge_notice(challenge))
                return found

    async def find(self, challenge: str) -> StoredChallenge | None:
        if not is_storable(challenge):
            return None
        async with self._connect() as connection:
            return await _find(connection, challenge)

    async def find_by_match(self, matches: Sequence[str]) -> dict[str, StoredChallenge]:
        wanted = select(CHALLENGES).where(_ROW.match_id == any_(literal(matches, ARRAY(NAME_TYPE))))
        async with self._connect() as connection:
            return {row.match_id: _challenge_of(row) for row in await connection.execute(wanted)}

    async def list_of_player(self, player: str, now_ms: int) -> list[StoredChallenge]:
        wanted = (
            select(CHALLENGES)
            .where(
                or_(_ROW.challenger == player, _ROW.challenged == player),
                or_(_is_open(now_ms), _ROW.settled > now_ms - KEPT_MS),
            )
            .order_by(_ROW.status != text("'open'"), _ROW.created.desc(), _ROW.challenge_id)
            .limit(MAX_LISTED)
        )
        async with self._connect() as connection:
            found = [_challenge_of(row) for row in await connection.execute(wanted)]
        return sorted(found, key=lambda known: (-known.created_ms, known.challenge))

    async def settle(
        self, challenge: str, status: ChallengeStatus, now_ms: int, reason: DeclineReason | None = None
    ) -> bool:
        settled = update(CHALLENGES).values(status=status, settled=now_ms, reason=reason or "")
        async with self._connect() as connection:
            # The first statement locks the row; the second one then finds it settled.
            answer = await connection.execute(settled.where(_ROW.challenge_id == challenge, _is_open(now_ms)))
            return answer.rowcount > 0

    async def allow(self, player: str, *, allowed: bool) -> None:
        async with self._connect() as connection:
            if allowed:
                await connection.execute(delete(CHALLENGE_REFUSERS).where(CHALLENGE_REFUSERS.c.player_id == player))
            else:
                await connection.execute(insert(CHALLENGE_REFUSERS).values(player_id=player).on_conflict_do_nothing())

    async def is_allowed(self, player: str) -> bool:
        refuser = select(CHALLENGE_REFUSERS.c.player_id).where(CHALLENGE_REFUSERS.c.player_id == player)
        async with self._connect() as connection:
            return (await connection.execute(refuser)).first() is None


async def remove_challenges_of(connection: AsyncConnection, player: str) -> None:
    """Remove everything about a player, within the transaction that deletes the account."""
    for column in (_ROW.challenger, _ROW.challenged):  # each has its index
        await connection.execute(delete(CHALLENGES).where(column == player))
    await connection.execute(delete(CHALLENGE_REFUSERS).where(CHALLENGE_REFUSERS.c.player_id == player))


async def _add(connection: AsyncConnection, challenge: StoredChallenge) -> StoredChallenge | ChallengeObstacle:
    now_ms = challenge.created_ms
    # Locked before anything else, as the deletion of an account does: it then sees this challenge, or is seen here.
    players = select(ACCOUNTS.c.name_key).where(ACCOUNTS.c.player_id.in_(challenge.players))
    keys = list(await connection.scalars(players.order_by(ACCOUNTS.c.player_id).with_for_update(read=True)))
    await connection.execute(delete(CHALLENGES).where(_ROW.expires <= now_ms - KEPT_MS, _ROW.settled == 0))
    await connection.execute(delete(CHALLENGES).where(_ROW.settled.between(1, now_ms - KEPT_MS)))
    known = await _find(connection, challenge.challenge)
    if known is not None:
        return known
    if None in keys:
        return "unknown_player"
    waiting = select(_ROW.challenged).where(_is_open(now_ms))
    sent = list(await connection.scalars(waiting.where(_ROW.challenger == challenge.challenger)))
    if challenge.challenged in sent:
        return "challenged_already"
    if len(sent) >= MAX_SENT:
        return "too_many_challenges"
    followed = set(await connection.scalars(_select_followed(challenge.challenged)))
    if challenge.challenger not in followed:
        received = select(_ROW.challenger).where(_is_open(now_ms), _ROW.challenged == challenge.challenged)
        if len(set(await connection.scalars(received)) - followed) >= MAX_RECEIVED:
            return "too_many_challengers"
    await connection.execute(
        insert(CHALLENGES).values(
            challenge_id=challenge.challenge,
            challenger=challenge.challenger,
            challenged=challenge.challenged,
            match_id=challenge.match,
            terms=json.encode(challenge.terms).decode(),
            seat=challenge.seat,
            is_by_lot=challenge.is_by_lot,
            created=challenge.created_ms,
            expires=challenge.expires_ms,
            status=challenge.status,
            settled=challenge.settled_ms,
            reason=challenge.reason or "",
        )
    )
    return challenge


def _select_followed(player: str) -> Select[Any]:
    return select(FOLLOWED_PLAYERS.c.followed_id).where(FOLLOWED_PLAYERS.c.player_id == player)


async def _find(connection: AsyncConnection, challenge: str) -> StoredChallenge | None:
    row = (await connection.execute(select(CHALLENGES).where(_ROW.challenge_id == challenge))).first()
    return None if row is None else _challenge_of(row)


def _is_open(now_ms: int) -> Any:
    return (_ROW.status == text("'open'")) & (_ROW.expires > now_ms)


def _challenge_of(row: Row[Any]) -> StoredChallenge:
    return StoredChallenge(
        row.challenge_id,
        row.challenger,
        row.challenged,
        row.match_id,
        _TERMS.decode(row.terms),
        row.seat,
        row.is_by_lot,
        row.created,
        row.expires,
        row.status,
        row.settled,
        row.reason or None,
    )
