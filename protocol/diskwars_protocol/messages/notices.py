"""Messages about notices, which a player with an account gets about matches while the page is closed.

Part of the two unions of `messages`. A notice says what any list of matches shows, never what is hidden in a match.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, OWN_REFUSAL, AtLeastZero, CommandId

MAX_EMAIL_LENGTH = 254
"""That of a path in SMTP without its brackets (RFC 5321, section 4.5.3.1.3)."""
MAX_NOTICE_URL_LENGTH = 1024
MAX_CHANNELS = 10
"""Channels of one player: addresses, browsers and webhooks together."""
LAST_MINUTE_OF_DAY = 1_439
MAX_TIME_ZONE_LENGTH = 64

NoticeKind: TypeAlias = Literal[
    "your_turn", "day_left", "hour_left", "match_began", "match_ended", "pairing", "challenge"
]
"""`day_left` and `hour_left`: the time before the server answers for the player. `pairing`: a match of a tournament.

`challenge`: somebody wants to play.
"""
ChannelKind: TypeAlias = Literal["email", "push", "webhook"]
WebhookFormat: TypeAlias = Literal["json", "discord", "slack", "ntfy"]
ChannelState: TypeAlias = Literal["unconfirmed", "working", "resting"]
"""`unconfirmed` until its owner has opened the link that was sent there; `resting` after it has refused several."""
NoticeLanguage: TypeAlias = Literal["en", "de", "pl"]
"""The languages of the page: a folder of `clients/web/src/messages` each."""

EmailAddress: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 3, "maxLength": MAX_EMAIL_LENGTH}, extra=OWN_REFUSAL)
]
NoticeUrl: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 8, "maxLength": MAX_NOTICE_URL_LENGTH}, extra=OWN_REFUSAL)
]
"""An https address that the server may reach."""
PushKey: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[A-Za-z0-9_-]{16,128}=*$"}, extra=OWN_REFUSAL)]
"""A key as a browser gives it: base64url."""
MinuteOfDay: TypeAlias = Annotated[int, Meta(ge=0, le=LAST_MINUTE_OF_DAY)]
TimeZone: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_TIME_ZONE_LENGTH}, extra=OWN_REFUSAL)
]
"""A name of the tz database, such as `Europe/Berlin`."""
ChannelId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]


class EmailTarget(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="email"):
    """An address to which mail is sent once its owner has confirmed it."""

    address: EmailAddress


class PushTarget(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="push"):
    """A browser, as it names itself where it subscribes (https://www.w3.org/TR/push-api/)."""

    endpoint: NoticeUrl
    p256dh: PushKey
    auth: PushKey


class WebhookTarget(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="webhook"):
    """An address to which a notice is posted, in the form that the service behind it reads."""

    url: NoticeUrl
    format: WebhookFormat = "json"


NoticeTarget: TypeAlias = EmailTarget | PushTarget | WebhookTarget


class NoticeChannel(Struct, frozen=True, gc=False, omit_defaults=True):
    """One way to reach the player. `label` is the address, or the host of a browser's push service or of a webhook."""

    id: ChannelId
    kind: ChannelKind
    label: Annotated[str, Meta(extra_json_schema={"maxLength": MAX_EMAIL_LENGTH})]
    state: ChannelState
    created_ms: AtLeastZero


class NoticeRule(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The kinds of channels by which one kind of notice is sent; none of them turns it off."""

    kind: NoticeKind
    channels: Annotated[tuple[ChannelKind, ...], Meta(max_length=3)]


class QuietHours(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The time of day in which nothing is sent, from one minute of the day to the other, also over midnight.

    What falls due meanwhile is sent afterwards. No deadline moves. With `hour_left_passes` the last hour's notice is
    sent all the same.
    """

    from_minute: MinuteOfDay
    to_minute: MinuteOfDay
    hour_left_passes: bool = False


class NoticePreferences(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Which notices a player gets, by which channels and when.

    A kind without a rule is sent by every channel. `digest_minute` is the minute of the day at which what has gathered
    is sent together; what is urgent does not wait for it.
    """

    rules: Annotated[tuple[NoticeRule, ...], Meta(max_length=7)] = ()
    quiet: QuietHours | None = None
    digest_minute: MinuteOfDay | None = None
    time_zone: TimeZone = "UTC"
    language: NoticeLanguage = "en"


# ---------------------------------------------------------------- from a client


class GetNotices(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="get_notices"):
    """Request the own channels and preferences."""

    id: CommandId


class SetNotices(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="set_notices"):
    """Replace the own preferences."""

    id: CommandId
    preferences: NoticePreferences


class AddNoticeChannel(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="add_notice_channel"):
    """Add a channel. An e-mail address has to be confirmed by the link that is sent there.

    A target that is known already stays as it is.
    """

    id: CommandId
    target: NoticeTarget


class RemoveNoticeChannel(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="remove_notice_channel"):
    """Remove an own channel. One that is not there is no error."""

    id: CommandId
    channel: ChannelId


class TryNoticeChannel(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="try_notice_channel"):
    """Send a notice that says nothing by one channel, or the link again to an address that is not confirmed."""

    id: CommandId
    channel: ChannelId


class LookAt(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="look_at"):
    """Say which match is in view on this connection; without one, none is: another page is, or the window is hidden.

    A connection that has never said so counts as looking at all matches that it watches. Notices about a match wait
    while its player looks at it.
    """

    id: CommandId
    match: MatchIdText | None = None


NoticeRequest: TypeAlias = GetNotices | SetNotices | AddNoticeChannel | RemoveNoticeChannel | TryNoticeChannel | LookAt

# ---------------------------------------------------------------- from the server


class NoticeSettings(Struct, frozen=True, gc=False, omit_defaults=True, tag="notice_settings"):
    """Answer to every request about notices: what holds from now on.

    `offered` are the kinds of channels that this server has. `push_key` is its public key (VAPID, RFC 8292), with which
    a browser subscribes.
    """

    id: CommandId
    preferences: NoticePreferences
    channels: tuple[NoticeChannel, ...] = ()
    offered: tuple[ChannelKind, ...] = ()
    push_key: PushKey | None = None


class LookedAt(Struct, frozen=True, gc=False, tag="looked_at"):
    """Answer to `LookAt`."""

    id: CommandId


NoticeResponse: TypeAlias = NoticeSettings | LookedAt

REQUESTS: dict[type[Struct], type[Struct]] = {
    GetNotices: NoticeSettings,
    SetNotices: NoticeSettings,
    AddNoticeChannel: NoticeSettings,
    RemoveNoticeChannel: NoticeSettings,
    TryNoticeChannel: NoticeSettings,
    LookAt: LookedAt,
}
"""By request, the response that answers it."""
