"""The matches in memory: each is brought once, however many ask for it, and goes again when others need its place."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from itertools import islice
from typing import TypeAlias

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.game import Game

log = logging.getLogger(__name__)

MAX_SCANNED_MATCHES = 64
"""Matches that one search for a match to unload looks at; the next search goes on behind them."""

LoadGame: TypeAlias = Callable[[], Coroutine[None, None, Game]]
"""Opens a match, or restores it."""


class LiveMatches:
    """At most about `limit` matches, those used longest ago first.

    The cost of a stranger's opening does not grow with the number of matches: nothing here goes through all of them.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._games: dict[MatchId, asyncio.Future[Game]] = {}
        # By opener. Some have begun since: that is looked up when it matters.
        self._unstarted: dict[str, dict[MatchId, Game]] = {}

    def __len__(self) -> int:
        return len(self._games)

    def __contains__(self, match: MatchId) -> bool:
        return match in self._games

    def get(self, match: MatchId) -> Game | None:
        """Return a match that is ready, without counting it as used."""
        loading = self._games.get(match)
        return loading.result() if loading is not None and loading.done() and not _is_unusable(loading) else None

    def __iter__(self) -> Iterator[Game]:
        """Iterate over the matches that are ready."""
        for match in self._games:
            if (game := self.get(match)) is not None:
                yield game

    def watched(self) -> Iterator[Game]:
        """Iterate over the matches that somebody watches."""
        return (game for game in self if game.feed)

    async def load(self, match: MatchId, load_game: LoadGame) -> Game:
        """Return a match, loaded if it is not here. Raises what `load_game` raises."""
        loading = self._games.get(match)
        if loading is not None and _is_unusable(loading):
            self._forget(match)
            loading = None
        if loading is None:
            loading = asyncio.create_task(load_game(), name=f"bring match {match}")
            loading.add_done_callback(partial(self._on_loaded, match))
        self._games.pop(match, None)
        self._games[match] = loading  # used last, so it is the last to go
        return await asyncio.shield(loading)

    def _on_loaded(self, match: MatchId, loading: "asyncio.Future[Game]") -> None:
        """Forget a failed load: failed loads are retried on next use."""
        if self._games.get(match) is not loading:
            return
        if _is_unusable(loading):
            self._forget(match)
        elif (game := loading.result()).state.status == "open":
            self._unstarted.setdefault(game.opener, {})[match] = game

    def _forget(self, match: MatchId) -> None:
        loading = self._games.pop(match)
        if loading.done() and not loading.cancelled() and loading.exception() is None:
            self._drop_unstarted(loading.result())

    def _drop_unstarted(self, game: Game) -> None:
        own = self._unstarted.get(game.opener, {})
        own.pop(game.id, None)
        if not own:
            self._unstarted.pop(game.opener, None)

    # ---------------------------------------------------------------- room

    def evict_idle(self) -> bool:
        """Unload a match without watchers, of those that were used longest ago."""
        return self._evict(lambda game: game.is_idle)

    def evict_abandoned(self) -> bool:
        """Unload a match that only strangers watch; it is loaded again for those who still want it."""
        return self._evict(lambda game: game.is_abandoned)

    def evict_quietest(self) -> bool:
        """Unload the match in which nothing has happened for the longest time, of those that were used longest ago."""
        scanned = [game for match in islice(self._games, MAX_SCANNED_MATCHES) if (game := self.get(match)) is not None]
        if scanned:
            self._let_go(min(scanned, key=lambda game: game.state.at_ms))
        return bool(scanned)

    def _evict(self, may_go: Callable[[Game], bool]) -> bool:
        scanned = []
        for match, loading in self._games.items():
            if loading.done() and _is_unusable(loading):
                self._forget(match)
                return True
            if loading.done() and may_go(loading.result()):
                self._let_go(loading.result())
                return True
            scanned.append(match)
            if len(scanned) == MAX_SCANNED_MATCHES:
                break
        for match in scanned:  # in use, as it turned out
            self._games[match] = self._games.pop(match)
        return False

    def _let_go(self, game: Game) -> None:
        """Forget a match. Clients that watch it are notified and watch it again."""
        if not game.is_idle:
            log.info("match let go: the server is full", extra={"match": game.id})
        self._forget(game.id)
        game.retire()
        game.feed.close_all()

    def evict_unstarted(self, opened_by_more_than: int) -> bool:
        """Let a match go that has not begun, of the player who holds most of them, if they hold more than this."""
        while self._unstarted:
            opener = max(self._unstarted, key=lambda player: len(self._unstarted[player]))
            held = len(self._unstarted[opener])
            if held <= opened_by_more_than:
                return False
            if self.count_unstarted(opener) < held:  # some have begun: somebody else may hold most
                continue
            self._let_go(next(iter(self._unstarted[opener].values())))
            return True
        return False

    def count_unstarted(self, opener: str) -> int:
        """Return how many matches that have not begun a player holds in memory."""
        for game in tuple(self._unstarted.get(opener, {}).values()):
            if game.is_retired or game.state.status != "open":
                self._drop_unstarted(game)
        return len(self._unstarted.get(opener, ()))

    # ---------------------------------------------------------------- the end

    async def close(self) -> None:
        """Let every match answer its commands and end."""
        games_or_faults = await asyncio.gather(*self._games.values(), return_exceptions=True)
        games = [game for game in games_or_faults if isinstance(game, Game)]
        for game in games:
            game.retire()
        for game in games:
            await game.wait_ended()
        self._games.clear()
        self._unstarted.clear()


def _is_unusable(loading: "asyncio.Future[Game]") -> bool:
    """Return whether a match could not be loaded, or has been retired since."""
    if not loading.done():
        return False
    return loading.cancelled() or loading.exception() is not None or loading.result().is_retired
