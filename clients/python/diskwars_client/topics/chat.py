"""Chat of a match: follow it, write, look back, mute and report players."""

import asyncio
from collections.abc import AsyncGenerator

from diskwars_client.requester import Requester, new_command_id
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.chat import (
    MAX_CHAT_PAGE_LENGTH,
    ChatChannel,
    ChatJoined,
    ChatMessage,
    ChatPage,
    ChatPosted,
    ChatSent,
    GetChat,
    JoinChat,
    ListMutedPlayers,
    MutedPlayers,
    MutePlayer,
    SendChat,
)
from diskwars_protocol.messages.reports import PlayerReported, ReportPlayer

MAX_WAITING_MESSAGES = 1_000
"""Chat messages that wait to be read; of more the oldest are dropped."""


class ChatTopic:
    """Requests about chat, as `client.chat`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester
        self._chats: dict[MatchId, asyncio.Queue[ChatMessage | None]] = {}

    async def follow(self, match: str) -> AsyncGenerator[ChatMessage, None]:
        """Yield the last messages of a watched match, then every new one, also after a lost connection.

        A message that is erased comes again without its text. One iterator for each match at a time; close it
        (`contextlib.aclosing`) to stop. Raises CommandRefused.
        """
        queue = self._chats[MatchId(match)] = asyncio.Queue()
        last: dict[str, int] = {}
        try:
            while True:
                joined = await self._requester.request(JoinChat(new_command_id(), MatchId(match)), ChatJoined)
                for message in joined.messages:
                    if message.number > last.get(message.channel, 0):
                        last[message.channel] = message.number
                        yield message
                while (posted := await queue.get()) is not None:
                    if posted.number > last.get(posted.channel, 0) or posted.text is None:
                        last[posted.channel] = max(last.get(posted.channel, 0), posted.number)
                        yield posted
        finally:
            if self._chats.get(MatchId(match)) is queue:
                del self._chats[MatchId(match)]

    async def send(self, match: str, text: str, channel: ChatChannel = "players") -> ChatSent:
        """Write to a channel of a watched match. Raises CommandRefused."""
        return await self._requester.request(SendChat(new_command_id(), MatchId(match), channel, text), ChatSent)

    async def before(
        self, match: str, channel: ChatChannel, before: int, limit: int = MAX_CHAT_PAGE_LENGTH
    ) -> tuple[ChatMessage, ...]:
        """Return the last messages of a channel before a number, the oldest first. Raises CommandRefused."""
        request = GetChat(new_command_id(), MatchId(match), channel, before, limit)
        return (await self._requester.request(request, ChatPage)).messages

    async def mute(self, player: PlayerId, *, muted: bool = True) -> tuple[PlayerId, ...]:
        """Get no more messages of a player, or get them again; return all that are muted. Raises CommandRefused."""
        return (await self._requester.request(MutePlayer(new_command_id(), player, muted), MutedPlayers)).players

    async def muted(self) -> tuple[PlayerId, ...]:
        """Return the players whose chat messages this player does not get. Raises CommandRefused."""
        return (await self._requester.request(ListMutedPlayers(new_command_id()), MutedPlayers)).players

    async def report(self, match: str, seq: int, player: PlayerId, text: str) -> None:
        """Report another player to the operators, for what happened at a record of a watched match.

        Raises CommandRefused.
        """
        await self._requester.request(ReportPlayer(new_command_id(), MatchId(match), seq, player, text), PlayerReported)

    def _on_posted(self, posted: ChatPosted) -> None:
        self._queue_message(posted.match, posted.message)

    def _on_watching(self, match: MatchId) -> None:
        """Join the chat of a match again, which is watched again."""
        self._queue_message(match, None)

    def _queue_message(self, match: MatchId, message: ChatMessage | None) -> None:
        queue = self._chats.get(match)
        if queue is not None:
            queue.put_nowait(message)
            if queue.qsize() > MAX_WAITING_MESSAGES:
                queue.get_nowait()
