"""Seeks in memory."""

from collections.abc import Callable

from msgspec.structs import replace

from diskwars_server.store.seeks import FOUND_MS, MAX_SEEKS, Seeks, StoredSeek, order_players


class MemorySeeks(Seeks):
    """Seeks by player."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._seeks: dict[str, StoredSeek] = {}

    async def seek(self, seek: StoredSeek, seat_count: int, new_match: str, now_ms: int) -> StoredSeek | None:
        self._require_open()
        self._seeks = {player: known for player, known in self._seeks.items() if known.alive_until_ms > now_ms}
        known = self._seeks.get(seek.player)
        if known is not None and known.match:
            return known
        if known is None and len(self._seeks) >= MAX_SEEKS:
            return None
        since_ms = known.since_ms if known is not None and known.command == seek.command else seek.since_ms
        own = self._seeks[seek.player] = replace(seek, since_ms=since_ms)
        alike = (known for known in self._seeks.values() if known.sought == own.sought and not known.match)
        others = sorted((other for other in alike if other != own), key=lambda other: (other.since_ms, other.player))
        if len(others) < seat_count - 1:
            return own
        pairing = [own, *others[: seat_count - 1]]
        players = order_players(new_match, [paired.player for paired in pairing])
        for paired in pairing:
            self._seeks[paired.player] = replace(
                paired, match=new_match, players=players, alive_until_ms=now_ms + FOUND_MS
            )
        return self._seeks[seek.player]

    async def find(self, player: str, now_ms: int) -> StoredSeek | None:
        self._require_open()
        known = self._seeks.get(player)
        return known if known is not None and known.alive_until_ms > now_ms else None

    async def remove(self, player: str) -> None:
        self._require_open()
        self._seeks.pop(player, None)
