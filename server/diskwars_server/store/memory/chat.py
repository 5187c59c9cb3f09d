"""Chat in memory."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from diskwars_protocol.messages.chat import ChatChannel
from diskwars_server.store.chat import MAX_KEPT_MESSAGES, Chat, StoredMessage


class MemoryChat(Chat):
    """Messages by match and channel."""

    def __init__(self, require_open: Callable[[], None]) -> None:
        self._require_open = require_open
        self._messages: dict[tuple[str, ChatChannel], list[StoredMessage]] = {}
        self._muted: dict[str, list[str]] = {}

    async def add(self, message: StoredMessage) -> int:
        self._require_open()
        for (match, _), stored in self._messages.items():
            for known in stored:
                if (match, known.player, known.command) == (message.match, message.player, message.command):
                    return known.number
        kept = self._messages.setdefault((message.match, message.channel), [])
        number = kept[-1].number + 1 if kept else 1
        kept.append(replace(message, number=number))
        del kept[:-MAX_KEPT_MESSAGES]
        return number

    async def read(self, match: str, channel: ChatChannel, after: int, limit: int) -> list[StoredMessage]:
        self._require_open()
        return [message for message in self._messages.get((match, channel), ()) if message.number > after][:limit]

    async def read_back(
        self, match: str, channel: ChatChannel, limit: int, before: int | None = None
    ) -> list[StoredMessage]:
        self._require_open()
        kept = self._messages.get((match, channel), ())
        return [message for message in kept if before is None or message.number < before][-limit:]

    async def erase(
        self, match: str | None = None, channel: ChatChannel | None = None, number: int = 0, player: str | None = None
    ) -> list[tuple[str, ChatChannel, int]]:
        self._require_open()
        if match is None and player is None:
            return []
        erased = []
        for key, kept in self._messages.items():
            for place, message in enumerate(kept):
                is_meant = (
                    match in (None, message.match)
                    and channel in (None, message.channel)
                    and number in (0, message.number)
                    and player in (None, message.player)
                )
                if is_meant and message.text:
                    kept[place] = replace(message, text="")
                    erased.append((*key, message.number))
        return sorted(erased)

    async def list_of_player(self, player: str, skip: int, limit: int) -> list[StoredMessage]:
        self._require_open()
        own = [message for kept in self._messages.values() for message in kept if message.player == player]
        own.sort(key=lambda message: (message.at_ms, message.match, message.channel, message.number))
        return [message for message in own if message.text][skip : skip + limit]

    async def list_muted(self, player: str) -> Sequence[str]:
        self._require_open()
        return tuple(sorted(self._muted.get(player, ())))

    async def mute(self, player: str, other: str, limit: int) -> bool:
        self._require_open()
        muted = self._muted.setdefault(player, [])
        if other in muted:
            return True
        if len(muted) >= limit:
            return False
        muted.append(other)
        return True

    async def unmute(self, player: str, other: str) -> None:
        self._require_open()
        if other in self._muted.get(player, ()):
            self._muted[player].remove(other)

    def remove(self, match: str) -> None:
        """Forget everything about a match."""
        self._messages = {key: kept for key, kept in self._messages.items() if key[0] != match}
