"""The chat of a match in a terminal: what the others write, and the order `say`."""

from collections.abc import Callable
from contextlib import aclosing

from diskwars_client.errors import ClientError, CommandRefused
from diskwars_client.topics.chat import ChatTopic
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.chat import ChatMessage

CHAT_ORDERS = ("say",)
CHAT_HELP = "say TEXT             write to the other players"


class TerminalChat:
    """The players' channel of one match, as a player at a terminal reads and writes it."""

    def __init__(self, chat: ChatTopic, player: PlayerId, match: str) -> None:
        self._chat, self._player, self._match = chat, player, match

    async def follow(self, print_line: Callable[[str], None]) -> None:
        """Print what the others write, until cancelled. A server without chat is not asked twice."""
        try:
            async with aclosing(self._chat.follow(self._match)) as messages:
                async for message in messages:
                    if message.text is not None and message.player != self._player:
                        print_line(chat_line(message, message.text))
        except ClientError:
            pass

    async def follow_order(self, line: str) -> str | None:
        """Write what an order says; return what to show then, None for another order."""
        verb, _, text = line.partition(" ")
        if verb not in CHAT_ORDERS:
            return None
        if not text.strip():
            return "say what? type `say` and your text"
        try:
            await self._chat.send(self._match, text)
        except CommandRefused as refused:
            return f"not sent: {refused.text}"
        except ClientError as fault:
            return f"not sent: {fault}"
        return ""


def chat_line(message: ChatMessage, text: str) -> str:
    """Return a message as one line, whatever a server lets pass: nothing in it may move the cursor."""
    name = f"{message.name} (bot)" if message.is_bot else message.name
    line = f"{name}: {text}" if message.channel == "players" else f"({message.channel}) {name}: {text}"
    return "".join(character if character.isprintable() else "?" for character in line)
