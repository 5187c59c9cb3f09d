"""Match files of one match, as viewers may have them now."""

import asyncio
from collections.abc import AsyncGenerator

from diskwars_protocol.match.ids import PUBLIC, PlayerId
from diskwars_protocol.match.state import is_revealed
from diskwars_protocol.records.match_file import encode_file_line
from diskwars_server.broadcast.history import MatchHistory, show
from diskwars_server.broadcast.watch_rights import WatchRights

EXPORT_BLOCK_RECORDS = 64
"""Records of a match file that are encoded before everybody else has a turn."""


class MatchExports:
    """The match files of one match."""

    def __init__(self, header: bytes, history: MatchHistory, rights: WatchRights) -> None:
        """`header` is that of the match, as JSON."""
        self._header, self._history, self._rights = header, history, rights

    @property
    def version(self) -> str:
        """The version of everything that can be exported now, for the same viewer: the hash of the last record."""
        return self._history.head_hash.hex()

    async def export(self, player: PlayerId) -> bytes:
        """Return the match file as a player may see it now: with every secret once all of them may be revealed.

        Raises Refusal and StoreUnavailable.
        """
        return b"".join([self._header + b"\n", *[block async for block in self.iterate_lines(player)]])

    async def stream(self, player: PlayerId) -> AsyncGenerator[bytes, None]:
        """Yield the match file of `export` piece by piece. Raises Refusal and StoreUnavailable."""
        self._rights.require_watchable(player)
        yield self._header + b"\n"
        async for block in self.iterate_lines(player):
            yield block

    async def iterate_lines(
        self, player: PlayerId, after: int = 0, limit: int | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield the lines of records that follow `after`, `limit` at most, in blocks. Raises Refusal, StoreUnavailable.

        They are shown to the player as `export` shows them.
        """
        self._rights.require_watchable(player)
        self._rights.require_record(player, after)
        viewer = self._rights.viewer_of(player, is_revealed(self._rights.state))
        seen, last = after, None if limit is None else after + limit
        while seen < (end := self._last_line(player, last)):
            records = await self._history.read(seen, min(seen + EXPORT_BLOCK_RECORDS, end))
            self._rights.require_watchable(player)  # The match may have begun meanwhile.
            vacated_in = self._rights.vacated_in(viewer)
            shown = [show(record, viewer, vacated_in) for record in records]
            yield b"".join(
                encode_file_line(record.record, seen.openings) for record, seen in zip(records, shown, strict=True)
            )
            seen = records[-1].seq
            await asyncio.sleep(0)

    def _last_line(self, player: PlayerId, last: int | None) -> int:
        shown = self._rights.last_shown(player)
        return shown if last is None else min(last, shown)

    async def export_public(self, player: PlayerId, last: int) -> bytes:
        """Return the match file up to record `last` as the public sees it. Raises Refusal and StoreUnavailable."""
        self._rights.require_record(player, last)
        lines, seen = [self._header + b"\n"], 0
        while seen < last:
            records = await self._history.read(seen, min(seen + EXPORT_BLOCK_RECORDS, last))
            self._rights.require_watchable(player)  # The match may have begun meanwhile.
            lines += [encode_file_line(record.record, record.shown_to(PUBLIC).openings) for record in records]
            seen = records[-1].seq
            await asyncio.sleep(0)
        return b"".join(lines)
