"""Changes of a list that a client follows, between two reads of it."""

import asyncio

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.lists import MatchesChanged
from diskwars_protocol.messages.match_summary import MatchSummary

MAX_CHANGES = 1000
"""Matches whose changes are kept until they are read; beyond that the list is requested again."""


class ListChanges:
    """Changes since the list was last read: each match as it is now, None for one that is gone."""

    def __init__(self) -> None:
        self._changes: dict[MatchId, MatchSummary | None] = {}
        self._has_news = asyncio.Event()
        self._must_list = False
        self._fault: Exception | None = None

    def add(self, changed: MatchesChanged) -> None:
        """Keep what the server has sent."""
        self._changes |= {summary.match: summary for summary in changed.matches} | dict.fromkeys(changed.gone)
        if changed.list_again or len(self._changes) > MAX_CHANGES:
            self.list_again()
        self._has_news.set()

    def list_again(self) -> None:
        """Request the whole list again: changes were lost, for example with the connection."""
        self._must_list = True
        self._changes.clear()
        self._has_news.set()

    def stop(self, fault: Exception) -> None:
        """Let the next `wait` raise this."""
        self._fault = fault
        self._has_news.set()

    async def wait(self) -> bool:
        """Wait for changes; False when the list has to be requested again."""
        await self._has_news.wait()
        self._has_news.clear()
        if self._fault is not None:
            raise self._fault
        must_list, self._must_list = self._must_list, False
        return not must_list

    def apply_to(self, shown: dict[MatchId, MatchSummary]) -> None:
        """Bring a list up to date."""
        for match, summary in self._changes.items():
            if summary is None:
                shown.pop(match, None)
            else:
                shown[match] = summary
        self._changes.clear()
