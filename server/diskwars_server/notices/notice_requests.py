"""Requests about notices: channels and preferences of players with an account, and the links of mail."""

import base64
import binascii
import secrets
from collections.abc import Collection
from urllib.parse import urlsplit

from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.notices import (
    MAX_CHANNELS,
    MAX_EMAIL_LENGTH,
    MAX_NOTICE_URL_LENGTH,
    AddNoticeChannel,
    ChannelKind,
    EmailTarget,
    GetNotices,
    LookAt,
    LookedAt,
    NoticeChannel,
    NoticePreferences,
    NoticeSettings,
    NoticeTarget,
    PushTarget,
    RemoveNoticeChannel,
    SetNotices,
    TryNoticeChannel,
)
from diskwars_server.limits.rate_limits import MS_PER_DAY, RateLimit, RateLimiter
from diskwars_server.matches.services import Clock
from diskwars_server.notices.addresses import BadAddress, ReachableAddresses
from diskwars_server.notices.conduct import load_zone
from diskwars_server.notices.dispatcher import make_delivery
from diskwars_server.notices.links import LinkedChannel, LinkKind, NoticeLinks
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.tokens import opaque_id
from diskwars_server.players.users import User
from diskwars_server.refusals import Refusal
from diskwars_server.store.database import Database
from diskwars_server.store.notices import Notices, StoredChannel, key_of, kind_of

CHANNEL_ID_BYTES = 10
MAX_PUSH_KEY_LENGTH = 128
TRIALS_PER_PLAYER = RateLimit(10, MS_PER_DAY)
"""Messages that a player lets the server send by adding and trying channels, to addresses that may be others'."""
TRIALS_PER_TARGET = RateLimit(3, MS_PER_DAY)
"""Messages to one address that nobody there has asked for."""


class NoticeService:
    """Channels and preferences, on one node."""

    def __init__(
        self,
        notices: Notices,
        links: NoticeLinks,
        reachable: ReachableAddresses,
        clock: Clock,
        monotonic: Clock,
        *,
        offered: Collection[ChannelKind] = (),
        push_key: str = "",
    ) -> None:
        """`offered` are the kinds of channels that this server has, none where it sends no notices."""
        self._notices, self._links, self._reachable, self._clock = notices, links, reachable, clock
        self._offered, self._push_key = tuple(sorted(offered)), push_key
        self._trials = RateLimiter[str](TRIALS_PER_PLAYER, monotonic)
        self._target_trials = RateLimiter[str](TRIALS_PER_TARGET, monotonic)

    def handlers(self) -> Handlers[User]:
        return (
            Handler(GetNotices, self._get),
            Handler(SetNotices, self._set),
            Handler(AddNoticeChannel, self._add),
            Handler(RemoveNoticeChannel, self._remove),
            Handler(TryNoticeChannel, self._try),
            Handler(LookAt, self._look_at, counts_query=False),
        )

    async def _get(self, user: User, request: GetNotices) -> NoticeSettings:
        return await self._settings(user, request.id)

    async def _look_at(self, user: User, request: LookAt) -> LookedAt:
        user.outbox.looked_at = request.match or ""
        return LookedAt(request.id)

    async def _set(self, user: User, request: SetNotices) -> NoticeSettings:
        _require_account(user)
        if load_zone(request.preferences.time_zone) is None:
            raise Refusal("bad_time_zone", place="$.preferences.time_zone")
        await self._notices.set_preferences(user.player, request.preferences)
        return await self._settings(user, request.id)

    async def _add(self, user: User, request: AddNoticeChannel) -> NoticeSettings:
        _require_account(user)
        target = self._check(request.target)
        kind = kind_of(target)
        known = (await self._notices.find_channels([user.player])).get(user.player, ())
        if any(channel.target == target for channel in known):
            return await self._settings(user, request.id)
        if kind == "email":
            self._count_trial(user.player, key_of(target))
        channel = StoredChannel(
            player=user.player,
            channel=opaque_id(secrets.token_bytes(CHANNEL_ID_BYTES)),
            target=target,
            state="unconfirmed" if kind == "email" else "working",
            created_ms=self._clock(),
        )
        if not await self._notices.add_channel(channel, MAX_CHANNELS):
            raise Refusal("too_many_channels")
        if kind == "email":
            await self._notices.add_deliveries([make_delivery(user.player, channel.channel, (), self._clock())])
        return await self._settings(user, request.id)

    async def _remove(self, user: User, request: RemoveNoticeChannel) -> NoticeSettings:
        _require_account(user)
        await self._notices.remove_channel(user.player, request.channel)
        return await self._settings(user, request.id)

    async def _try(self, user: User, request: TryNoticeChannel) -> NoticeSettings:
        _require_account(user)
        known = (await self._notices.find_channels([user.player])).get(user.player, ())
        channel = next((channel for channel in known if channel.channel == request.channel), None)
        if channel is None:
            raise Refusal("unknown_channel", place="$.channel")
        self._count_trial(user.player, key_of(channel.target))
        await self._notices.add_deliveries([make_delivery(user.player, channel.channel, (), self._clock())])
        return await self._settings(user, request.id)

    def _count_trial(self, player: PlayerId, target: str) -> None:
        wait_ms = max(self._trials.wait_ms(player), self._target_trials.wait_ms(target))
        if wait_ms:
            raise Refusal("too_many_attempts", retry_after_ms=wait_ms)
        self._trials.charge(player, 1)
        self._target_trials.charge(target, 1)

    def _check(self, target: NoticeTarget) -> NoticeTarget:
        """Return a target as it is stored. Raises Refusal."""
        if (kind := kind_of(target)) not in self._offered:
            raise Refusal("channel_off", f"this server sends no notices by {kind}", "$.target")
        if isinstance(target, EmailTarget):
            return EmailTarget(check_email(target.address))
        url = target.endpoint if isinstance(target, PushTarget) else target.url
        place = "$.target.endpoint" if isinstance(target, PushTarget) else "$.target.url"
        if isinstance(target, PushTarget):
            _check_push_keys(target)
        if len(url) > MAX_NOTICE_URL_LENGTH:
            raise Refusal("bad_channel", f"an address has at most {MAX_NOTICE_URL_LENGTH} characters", place)
        try:
            self._reachable.check_url(url)
        except BadAddress as fault:
            raise Refusal("bad_channel", str(fault), place) from None
        return target

    async def _settings(self, user: User, id: str) -> NoticeSettings:
        """Return what holds for a player now. Raises Refusal for a guest, whom nothing can reach."""
        _require_account(user)
        channels = (await self._notices.find_channels([user.player])).get(user.player, ())
        preferences = (await self._notices.find_preferences([user.player])).get(user.player, NoticePreferences())
        shown = tuple(
            NoticeChannel(
                channel.channel, kind_of(channel.target), _label(channel.target), channel.state, channel.created_ms
            )
            for channel in channels
        )
        return NoticeSettings(id, preferences, shown, self._offered, self._push_key or None)

    # ---------------------------------------------------------------- links of mail

    def read_link(self, kind: LinkKind, token: str) -> LinkedChannel | None:
        """Return what a link is about; None for one that is not genuine, or for a confirmation that came too late."""
        return self._links.read(kind, token)

    @property
    def home(self) -> str:
        """The address of the page."""
        return self._links.home

    async def confirm(self, linked: LinkedChannel) -> bool:
        """Confirm an address, again without an effect; return whether the channel is still there."""
        channel = await self._find(linked)
        if channel is not None and channel.state == "unconfirmed":
            await self._notices.change_channel(
                StoredChannel(channel.player, channel.channel, channel.target, "working", channel.created_ms)
            )
        return channel is not None

    async def stop(self, linked: LinkedChannel) -> None:
        """Remove a channel. One that is gone already is no error."""
        await self._notices.remove_channel(linked.player, linked.channel)

    async def _find(self, linked: LinkedChannel) -> StoredChannel | None:
        channels = (await self._notices.find_channels([linked.player])).get(linked.player, ())
        return next((channel for channel in channels if channel.channel == linked.channel), None)


def make_silent_notices(database: Database, key: bytes, clock: Clock) -> NoticeService:
    """Return the service of a server that sends no notices. `key` is its signing key."""
    return NoticeService(database.notices, NoticeLinks(key, clock, ""), ReachableAddresses(), clock, clock)


def check_email(typed: str) -> str:
    """Return an address as mail is sent to it. Raises Refusal.

    Only the form that mail servers take without extensions: a local part in printable ASCII, and a host with a dot.
    """
    address = typed.strip()
    local, mark, host = address.rpartition("@")
    try:
        host = host.encode("idna").decode().lower()
    except UnicodeError:
        host = ""
    labels = host.split(".")
    is_local = local.isascii() and 0 < len(local) <= 64 and not set(local) & set(' "(),:;<>@[\\]\t\r\n')
    is_host = len(labels) > 1 and all(label and label.replace("-", "").isalnum() for label in labels)
    is_host = is_host and not labels[-1].isdecimal()
    is_local = is_local and "=?" not in local  # which mail programs read as an encoded word
    if not (mark and is_local and local.isprintable() and is_host) or len(f"{local}@{host}") > MAX_EMAIL_LENGTH:
        raise Refusal("bad_channel", "an address looks like name@example.org", "$.target.address")
    return f"{local}@{host}"


def _check_push_keys(target: PushTarget) -> None:
    """Raise Refusal for what is no uncompressed point of P-256, or no 16 bytes (RFC 8291, section 3)."""
    for name, text, size in (("p256dh", target.p256dh, 65), ("auth", target.auth, 16)):
        try:
            padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
            key = base64.b64decode(padded[:MAX_PUSH_KEY_LENGTH], altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(text) > MAX_PUSH_KEY_LENGTH or len(key) != size or (name == "p256dh" and key[0] != 4):
            raise Refusal("bad_channel", f"this is no key of a browser: {size} bytes in base64url", f"$.target.{name}")


def _require_account(user: User) -> None:
    if not user.has_account:
        raise Refusal("not_registered")


def _label(target: NoticeTarget) -> str:
    """Return what players see of a target. A webhook's path is its password, and a browser's endpoint as well."""
    if isinstance(target, EmailTarget):
        return target.address
    return urlsplit(target.endpoint if isinstance(target, PushTarget) else target.url).hostname or ""
