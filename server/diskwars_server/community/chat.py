"""The chat of matches: its channels, their readers and writers, and delivery to those who have joined it on this node.

Players write to one channel and everybody else to another, so that no spectator reaches a player before the
match has ended. What is delivered is always read from the store, in the order of the numbers: other nodes are only
notified of news.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from diskwars_protocol.connection.connection import SharedFrame, share
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.chat import (
    CHAT_CHANNELS,
    JOINED_MESSAGES,
    MAX_CHAT_TEXT_LENGTH,
    MAX_MUTED_PLAYERS,
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
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.bus.bus import Bus
from diskwars_server.community.texts import BadText, check_text
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.matches.game import Game
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.services import Clock
from diskwars_server.players.guest_names import find_shown
from diskwars_server.players.handlers import Handler, Handlers, match_of
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal, describe_fault
from diskwars_server.store.accounts import Accounts
from diskwars_server.store.chat import MAX_KEPT_MESSAGES, Chat, StoredMessage
from diskwars_server.store.errors import StoreUnavailable

log = logging.getLogger(__name__)

DELIVERY_BATCH = 100
MAX_REMEMBERED_GUESTS = 1_000
"""Guests whose muted players are kept in memory; what guests mute is not stored."""


class ChatLimits(Struct, frozen=True):
    """Limits of the messages that a player, and an address, write."""

    player: RateLimit = RateLimit(10, MS_PER_MINUTE // 2)
    address: RateLimit = RateLimit(40, MS_PER_MINUTE // 2)


DEFAULT_CHAT_LIMITS = ChatLimits()


class _Member(Struct):
    """A connection that has joined the chat of a match."""

    player: PlayerId
    game: Game
    muted: frozenset[str]


class _Room:
    """The chat of one match on this node: its members, and the number that was delivered last in each channel."""

    def __init__(self) -> None:
        self.members: dict[Outbox, _Member] = {}
        self.delivered: dict[ChatChannel, int] = {}
        self.waiting: set[ChatChannel] = set()
        self.task: asyncio.Task[None] | None = None
        self.stop_listening: Callable[[], None] = lambda: None


def own_channels(game: Game, player: PlayerId) -> tuple[ChatChannel, ...]:
    """Return the channels that a viewer of a match reads and writes now."""
    if game.rules.seat_of(game.state, player) is None:
        return ("watchers",)
    return CHAT_CHANNELS if game.state.status == "ended" else ("players",)


def chat_subject(match: str) -> str:
    """Return the subject under which nodes announce a message of a match, a new one or one that was erased."""
    return f"chat.{match}"


class ChatService:
    """Chat on one node. Made inside a running event loop; `close` ends it."""

    def __init__(
        self,
        chat: Chat,
        accounts: Accounts,
        bus: Bus,
        clock: Clock,
        monotonic: Clock,
        limits: ChatLimits = DEFAULT_CHAT_LIMITS,
    ) -> None:
        self._chat, self._accounts, self._bus, self._clock = chat, accounts, bus, clock
        self._by_player = RateLimiter[str](limits.player, monotonic)
        self._by_address = RateLimiter[str](limits.address, monotonic)
        self._rooms: dict[MatchId, _Room] = {}
        self._guest_muted: dict[PlayerId, frozenset[str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        # One after another: several would wait for each other's number, and their commits for those of matches.
        self._adding = asyncio.Lock()

    async def close(self) -> None:
        """Deliver nothing any more."""
        tasks = [*self._tasks, *(room.task for room in self._rooms.values() if room.task is not None)]
        for room in self._rooms.values():
            room.stop_listening()
        self._rooms.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---------------------------------------------------------------- requests

    def handlers(self) -> Handlers[MatchUser]:
        return (
            Handler(JoinChat, self._join, refused_match=match_of, history="lenient"),
            Handler(SendChat, self._send, refused_match=match_of),
            Handler(GetChat, self._get_page, refused_match=match_of, history="lenient"),
            Handler(MutePlayer, self._mute),
            Handler(ListMutedPlayers, self._list_muted),
        )

    def leave(self, outbox: Outbox) -> None:
        """Forget a connection that has ended."""
        for match in tuple(self._rooms):
            self.leave_match(outbox, match)

    def leave_match(self, outbox: Outbox, match: MatchId) -> None:
        """Forget that a connection has joined the chat of a match, if it has."""
        room = self._rooms.get(match)
        if room is not None:
            room.members.pop(outbox, None)
            self._close_if_empty(match, room)

    def _require_channel(self, game: Game, user: User, channel: ChatChannel) -> None:
        if user.outbox not in game.feed:
            raise Refusal("not_watching", place="$.match")
        if channel not in own_channels(game, user.player):
            raise Refusal("not_your_channel", place="$.channel")

    async def _get_page(self, user: MatchUser, request: GetChat) -> ChatPage:
        game = user.watched_game(request.match)
        self._require_channel(game, user, request.channel)
        messages = await self._chat.read_back(game.id, request.channel, request.limit, request.before)
        muted = await self._muted_by(user.player, user.has_account)
        return ChatPage(request.id, game.id, await self._shown(messages, muted))

    async def _join(self, user: MatchUser, request: JoinChat) -> ChatJoined:
        game = user.watched_game(request.match)
        channels = own_channels(game, user.player)
        self._require_channel(game, user, channels[0])
        muted = await self._muted_by(user.player, user.has_account)
        room = self._rooms.get(game.id)
        if room is None:
            room = self._rooms[game.id] = _Room()
            room.stop_listening = self._bus.subscribe(
                chat_subject(game.id), lambda message: self._on_bus_message(game.id, message)
            )
        room.members[user.outbox] = _Member(user.player, game, muted)
        messages: list[StoredMessage] = []
        for channel in CHAT_CHANNELS:
            last = await self._chat.read_back(game.id, channel, JOINED_MESSAGES)
            # What comes later is read from here on; what comes meanwhile may be sent twice, and has its number.
            room.delivered.setdefault(channel, last[-1].number if last else 0)
            self._deliver_soon(game.id, channel)
            if channel in channels:
                messages += last
        return ChatJoined(request.id, game.id, channels, await self._shown(messages, muted))

    async def _send(self, user: MatchUser, request: SendChat) -> ChatSent:
        game = user.watched_game(request.match)
        self._require_channel(game, user, request.channel)
        try:
            text = check_text(request.text, MAX_CHAT_TEXT_LENGTH)
        except BadText as fault:
            raise Refusal("bad_text", str(fault), "$.text") from None
        self._admit_message(user)
        message = StoredMessage(
            game.id, request.channel, 0, user.player, self._clock(), game.head, text, command=request.id
        )
        async with self._adding:
            number = await self._chat.add(message)
        user.usage.add_record(len(text.encode()))
        self._deliver_soon(game.id, request.channel)
        self._bus.publish(chat_subject(game.id), f"new {request.channel} {number}".encode())
        return ChatSent(request.id, game.id, request.channel, number)

    def _admit_message(self, user: User) -> None:
        """Count a message. Raises Refusal for one too many, also of guests whose address has written enough."""
        wait_ms = max(
            self._by_player.wait_ms(user.player),
            0 if user.address == UNKNOWN else self._by_address.wait_ms(user.address),
            user.usage.write_wait_ms(is_under_way=False),
        )
        if wait_ms:
            raise Refusal("too_much_chat", retry_after_ms=wait_ms)
        self._by_player.charge(user.player, 1)
        if user.address != UNKNOWN:
            self._by_address.charge(user.address, 1)

    # ---------------------------------------------------------------- muting

    async def _mute(self, user: User, request: MutePlayer) -> MutedPlayers:
        """Mute a player, or unmute one, and return all that are muted."""
        await self._change_muted(user, request)
        return await self._list_muted(user, request)

    async def _list_muted(self, user: User, request: MutePlayer | ListMutedPlayers) -> MutedPlayers:
        """Return all players that are muted."""
        muted = await self._muted_by(user.player, user.has_account)
        for room in self._rooms.values():
            for member in room.members.values():
                if member.player == user.player:
                    member.muted = muted
        return MutedPlayers(request.id, tuple(PlayerId(player) for player in sorted(muted)))

    async def _change_muted(self, user: User, request: MutePlayer) -> None:
        if not user.has_account:
            muted = self._guest_muted.pop(user.player, frozenset()) - {request.player}
            if request.muted and len(muted) >= MAX_MUTED_PLAYERS:
                raise Refusal("too_many_muted")
            self._guest_muted[user.player] = muted | {request.player} if request.muted else muted
            if len(self._guest_muted) > MAX_REMEMBERED_GUESTS:
                del self._guest_muted[next(iter(self._guest_muted))]
        elif not request.muted:
            await self._chat.unmute(user.player, request.player)
        elif not await self._chat.mute(user.player, request.player, MAX_MUTED_PLAYERS):
            raise Refusal("too_many_muted", numbers={"players": MAX_MUTED_PLAYERS})

    async def _muted_by(self, player: PlayerId, has_account: bool) -> frozenset[str]:
        if not has_account:
            return self._guest_muted.get(player, frozenset())
        return frozenset(await self._chat.list_muted(player))

    # ---------------------------------------------------------------- erasing

    async def erase(
        self,
        match: str | None = None,
        channel: ChatChannel | None = None,
        number: int = 0,
        player: str | None = None,
    ) -> int:
        """Erase what fits everything that is named, show that everywhere, and return how many messages it was."""
        erased = await self._chat.erase(match, channel, number, player)
        for of_match, of_channel, of_number in erased:
            hint = f"erased {of_channel} {of_number}".encode()
            self._bus.publish(chat_subject(of_match), hint)
            await self._show_erased(MatchId(of_match), of_channel, of_number)
        return len(erased)

    async def show_erasures(self, match: MatchId | None = None) -> None:
        """Show what was erased elsewhere to those who follow the chat here, of one match or of all.

        What was shown as erased before is sent again: clients know the message by its number. Raises StoreUnavailable.
        """
        rooms = [(of_match, room) for of_match, room in self._rooms.items() if match in (None, of_match)]
        for of_match, room in rooms:
            for channel in CHAT_CHANNELS:
                kept = await self._chat.read_back(of_match, channel, MAX_KEPT_MESSAGES)
                await self._deliver(of_match, room, [message for message in kept if not message.text])

    async def _show_erased(self, match: MatchId, channel: ChatChannel, number: int) -> None:
        room = self._rooms.get(match)
        if room is not None:
            erased = await self._chat.read(match, channel, number - 1, 1)
            if erased and erased[0].number == number and not erased[0].text:
                await self._deliver(match, room, erased)

    async def _show_erased_quietly(self, match: MatchId, channel: ChatChannel, number: int) -> None:
        try:
            await self._show_erased(match, channel, number)
        except StoreUnavailable:
            pass  # it is gone from the store; those who join or look back do not get it
        except Exception as fault:
            log.error("erased chat message not taken back", extra={"match": match, **describe_fault(fault)})

    # ---------------------------------------------------------------- delivery

    def _on_bus_message(self, match: MatchId, message: bytes) -> None:
        """Take a hint of another node; what is no hint is ignored."""
        kind, _, rest = message.decode("ascii", "replace").partition(" ")
        name, _, digits = rest.partition(" ")
        channel = next((known for known in CHAT_CHANNELS if known == name), None)
        if channel is None or not digits.isdigit() or len(digits) > 15:
            return
        if kind == "new":
            self._deliver_soon(match, channel)
        elif kind == "erased":
            task = asyncio.create_task(self._show_erased_quietly(match, channel, int(digits)))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _deliver_soon(self, match: MatchId, channel: ChatChannel) -> None:
        room = self._rooms.get(match)
        if room is None or channel not in room.delivered:
            return
        room.waiting.add(channel)
        if room.task is None:
            room.task = asyncio.create_task(self._run_deliveries(match, room), name=f"chat {match}")

    async def _run_deliveries(self, match: MatchId, room: _Room) -> None:
        try:
            while room.waiting:
                channel = room.waiting.pop()
                messages = await self._chat.read(match, channel, room.delivered[channel], DELIVERY_BATCH)
                if messages:
                    room.delivered[channel] = messages[-1].number
                    room.waiting.add(channel)
                    await self._deliver(match, room, messages)
        except StoreUnavailable:
            pass  # the outage is logged by the database; the next message, or joining, brings these
        except Exception as fault:
            log.error("chat not delivered", extra={"match": match, **describe_fault(fault)})
        finally:
            room.task = None
            self._close_if_empty(match, room)

    async def _deliver(self, match: MatchId, room: _Room, messages: Sequence[StoredMessage]) -> None:
        """Send messages to those members who read their channel and have not muted their author."""
        for stored, shown in zip(messages, await self._named(messages), strict=True):
            frame: SharedFrame | None = None
            for outbox, member in tuple(room.members.items()):
                if outbox not in member.game.feed:
                    del room.members[outbox]
                elif stored.channel in own_channels(member.game, member.player) and stored.player not in member.muted:
                    frame = frame or share(ChatPosted(match, shown))
                    outbox.send_shared(frame)

    def _close_if_empty(self, match: MatchId, room: _Room) -> None:
        if not room.members and room.task is None and self._rooms.get(match) is room:
            room.stop_listening()
            del self._rooms[match]

    # ---------------------------------------------------------------- messages as they are shown

    async def _shown(self, messages: Iterable[StoredMessage], muted: frozenset[str]) -> tuple[ChatMessage, ...]:
        return tuple(await self._named([message for message in messages if message.player not in muted]))

    async def _named(self, messages: Sequence[StoredMessage]) -> list[ChatMessage]:
        """Return messages with the names that their authors have now."""
        shown = await find_shown(self._accounts, tuple({message.player for message in messages}), self._clock())
        return [
            ChatMessage(
                message.channel,
                message.number,
                PlayerId(message.player),
                shown[message.player].name,
                message.at_ms,
                message.text or None,
                shown[message.player].is_bot,
            )
            for message in messages
        ]
