"""Quick matches with players who seek the same, and rematches with the same players."""

import asyncio
import contextlib

import msgspec
from msgspec import Struct

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, DEFAULT_RULESET, MatchOptions
from diskwars_protocol.messages.rematches import DeclineRematch, OfferRematch, Rematch, RematchChanged
from diskwars_protocol.messages.seeks import MatchFound, Seeking, SeekMatch, StopSeeking

REMATCH_POLL_SECONDS = 5.0
"""Seconds between two requests whether the others have agreed to a rematch; a pushed message is followed at once."""
MAX_KEPT_REMATCHES = 64
"""Ended matches of which the last message about another one is kept."""


class SeekTopic:
    """Requests that find players for a match, as `client.seeks`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._message_came = asyncio.Event()
        self.rematches: dict[MatchId, RematchChanged] = {}
        """The last message about another match, by ended match."""

    # ------------------------------------------------------------ quick matches

    async def find_match(
        self,
        ruleset: str = DEFAULT_RULESET,
        seat_count: int = 2,
        settings: Struct | None = None,
        match_options: MatchOptions = DEFAULT_MATCH_OPTIONS,
    ) -> MatchFound:
        """Wait for players who seek the same, and return the match that was opened for them: `watch` it, and take the
        seat that it names.

        Cancelled, it seeks no more. Raises CommandRefused, after ten minutes without another player.
        """
        raw = msgspec.Raw(b"{}" if settings is None else msgspec.json.encode(settings))
        options = msgspec.Raw(msgspec.json.encode(match_options))
        request = SeekMatch(new_command_id(), ruleset, seat_count, raw, options)
        try:
            while True:
                self._message_came.clear()
                answer = await self._requester.request(request, Seeking)
                if answer.found is not None:
                    return answer.found
                await self._wait_for_message((answer.renew_ms or 1) / 1000)
        except asyncio.CancelledError:
            await self._requester.request(StopSeeking(new_command_id()), Seeking)
            raise

    async def stop(self) -> Seeking:
        """Seek no more; the answer names a match that was found meanwhile."""
        return await self._requester.request(StopSeeking(new_command_id()), Seeking)

    # ------------------------------------------------------------ rematches

    async def offer_rematch(self, match: str) -> Rematch:
        """Agree to another match with the seats turned, after the end of one; the answer says who else has.

        Once all people have, it names the match that was opened: `watch` it and take the seat that it names. Raises
        CommandRefused.
        """
        return await self._requester.request(OfferRematch(new_command_id(), MatchId(match)), Rematch)

    async def decline_rematch(self, match: str) -> Rematch:
        """Let no other match follow, unless all have agreed already. Raises CommandRefused."""
        return await self._requester.request(DeclineRematch(new_command_id(), MatchId(match)), Rematch)

    async def wait_for_rematch(self, match: str) -> Rematch:
        """Agree to a rematch, and wait until all others have agreed or one of them has declined, without end.

        Raises CommandRefused.
        """
        while True:
            self._message_came.clear()
            rematch = await self.offer_rematch(match)
            if rematch.next_match is not None or rematch.declined:
                return rematch
            await self._wait_for_message(REMATCH_POLL_SECONDS)

    # ------------------------------------------------------------ pushed messages

    def _on_player_message(self, message: MatchFound | RematchChanged) -> None:
        if isinstance(message, RematchChanged):
            self.rematches.pop(message.match, None)
            self.rematches[message.match] = message
            if len(self.rematches) > MAX_KEPT_REMATCHES:
                del self.rematches[next(iter(self.rematches))]
        self._message_came.set()

    async def _wait_for_message(self, seconds: float) -> None:
        """Wait for any message, up to this many seconds: one may get lost, and each only leads to a request."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._message_came.wait()
