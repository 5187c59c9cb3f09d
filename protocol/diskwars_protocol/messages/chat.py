"""Messages of the chat of a match, which is no part of its records: nothing of it is hashed, and all can be erased."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.messages.accounts import PlayerName
from diskwars_protocol.schema_types import OWN_REFUSAL, AtLeastOne, AtLeastZero, CommandId

MAX_CHAT_TEXT_LENGTH = 300
MAX_CHAT_PAGE_LENGTH = 100
"""The most messages of one page."""
JOINED_MESSAGES = 50
"""The last messages of each channel that come with `ChatJoined`."""
MAX_MUTED_PLAYERS = 200

ChatChannel: TypeAlias = Literal["players", "watchers"]
"""The group that talks to each other: those who have a seat, or everybody else."""
CHAT_CHANNELS: tuple[ChatChannel, ...] = get_args(ChatChannel)
ChatChannelText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(CHAT_CHANNELS)})]
"""A `ChatChannel`, or one that a later server has added: readers take any."""
ChatText: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_CHAT_TEXT_LENGTH}, extra=OWN_REFUSAL)
]
"""One line of plain text, to be shown as it is: nothing in it is markup."""


# ---------------------------------------------------------------- from a client


class JoinChat(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="join_chat"):
    """Request the last messages of the own channels of a watched match, and every one that follows.

    It holds as long as the match is watched; a match that is watched again has to be joined again.
    """

    id: CommandId
    match: MatchIdText


class SendChat(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="send_chat"):
    """Write to a channel of a watched match."""

    id: CommandId
    match: MatchIdText
    channel: ChatChannel
    text: ChatText


class GetChat(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_chat"):
    """Request earlier messages of a channel of a watched match: the last ones before number `before`."""

    id: CommandId
    match: MatchIdText
    channel: ChatChannel
    before: AtLeastOne
    limit: Annotated[int, Meta(ge=1, le=MAX_CHAT_PAGE_LENGTH)] = MAX_CHAT_PAGE_LENGTH


class MutePlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="mute_player"):
    """Get no more chat messages of a player, in any match; with `muted` false get them again."""

    id: CommandId
    player: PlayerIdText
    muted: bool = True


class ListMutedPlayers(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_muted_players"):
    """Request the players whose chat messages one does not get."""

    id: CommandId


ChatMatchRequest: TypeAlias = JoinChat | SendChat | GetChat
"""Requests about the chat of a watched match."""
ChatRequest: TypeAlias = ChatMatchRequest | MutePlayer | ListMutedPlayers

# ---------------------------------------------------------------- from the server


class ChatMessage(Struct, frozen=True, gc=False, omit_defaults=True):
    """A message in a channel, where `number` counts from 1 without gaps. Without a `text` it was erased.

    `is_bot`: the player has the account of a bot.
    """

    channel: ChatChannelText
    number: AtLeastOne
    player: PlayerIdText
    name: PlayerName
    at_ms: AtLeastZero
    text: ChatText | None = None
    is_bot: bool = False


class ChatJoined(Struct, frozen=True, gc=False, tag="chat_joined"):
    """Answer to `JoinChat`: the channels that this viewer reads and writes, and their last messages, oldest first.

    `ChatPosted` may come before it, also for messages that are in it.
    """

    id: CommandId
    match: MatchIdText
    channels: tuple[ChatChannelText, ...]
    messages: tuple[ChatMessage, ...]


class ChatSent(Struct, frozen=True, gc=False, tag="chat_sent"):
    """Answer to `SendChat`: the message is stored under this number. Sent again under its id, it keeps the number."""

    id: CommandId
    match: MatchIdText
    channel: ChatChannelText
    number: AtLeastOne


class ChatPage(Struct, frozen=True, gc=False, tag="chat_page"):
    """Answer to `GetChat`: messages, oldest first; none where nothing before is kept."""

    id: CommandId
    match: MatchIdText
    messages: tuple[ChatMessage, ...]


class ChatPosted(Struct, frozen=True, gc=False, tag="chat_posted"):
    """A new message in a chat that was joined, or one that was erased: then it has no text any more."""

    match: MatchIdText
    message: ChatMessage


class MutedPlayers(Struct, frozen=True, gc=False, tag="muted_players"):
    """Answer to `MutePlayer` and `ListMutedPlayers`: whose chat messages this player does not get."""

    id: CommandId
    players: tuple[PlayerIdText, ...]


ChatResponse: TypeAlias = ChatJoined | ChatSent | ChatPage | MutedPlayers

REQUESTS: dict[type[Struct], type[Struct]] = {
    JoinChat: ChatJoined,
    SendChat: ChatSent,
    GetChat: ChatPage,
    MutePlayer: MutedPlayers,
    ListMutedPlayers: MutedPlayers,
}
"""By request, the response that answers it."""
