"""Rules of conduct of notices: whether one still holds, by which channels it goes, and when.

Pure: it reads no clock and no store. Times of day are those of the player's own zone.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from diskwars_protocol.messages.notices import ChannelKind, NoticeKind, NoticePreferences, QuietHours
from diskwars_server.store.challenges import StoredChallenge
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import MS_PER_DAY, PlannedNotice, StoredChannel, kind_of

URGENT: frozenset[NoticeKind] = frozenset(("day_left", "hour_left"))
"""They do not wait for a digest."""
EVERY_CHANNEL: tuple[ChannelKind, ...] = ("email", "push", "webhook")
PAST_DUE_MS = 2 * MS_PER_DAY
"""A notice that could not be sent for this long, for example without a server, is no news any more."""


class Send(Struct, frozen=True):
    """The channels by which a notice is sent now."""

    channels: tuple[StoredChannel, ...]


class Postpone(Struct, frozen=True):
    """The notice is due later, in milliseconds since 1970."""

    due_ms: int


class Drop(Struct, frozen=True):
    """The notice is not sent at all, and why: for the tests and the log."""

    why: str


Decided: TypeAlias = Send | Postpone | Drop


def decide(
    notice: PlannedNotice,
    about: Listing | StoredChallenge | None,
    deadline_ms: int | None,
    channels: Sequence[StoredChannel],
    preferences: NoticePreferences,
    now_ms: int,
) -> Decided:
    """Decide what becomes of a notice that is due.

    `about` is the listing of its match, or the challenge; None where it is gone. `deadline_ms` is when the server
    answers its decision, or the time of the challenge is over; None where the decision is no longer open.
    """
    if (why := _obsolete(notice, about, deadline_ms, now_ms)) is not None:
        return Drop(why)
    if notice.kind in URGENT and deadline_ms is not None:
        # The deadline has moved, by a pause or by time that was given: the notice moves with it.
        planned_ms = deadline_ms - (MS_PER_DAY if notice.kind == "day_left" else MS_PER_DAY // 24)
        if planned_ms > now_ms:
            return Postpone(planned_ms)
    usable = usable_channels(notice.kind, channels, preferences, now_ms)
    if not usable:
        return Drop("no channel")
    at_ms = allowed_at_ms(notice.kind, preferences, now_ms, notice.due_ms)
    if at_ms <= now_ms:
        return Send(usable)
    if deadline_ms is not None and at_ms >= deadline_ms:
        return Drop("quiet until it is too late")
    return Postpone(at_ms)


def _obsolete(
    notice: PlannedNotice, about: Listing | StoredChallenge | None, deadline_ms: int | None, now_ms: int
) -> str | None:
    if isinstance(about, StoredChallenge):
        return None if about.is_open(now_ms) else "answered, or too late"
    return "no such match" if about is None else _obsolete_of_match(notice, about, deadline_ms, now_ms)


def _obsolete_of_match(notice: PlannedNotice, listing: Listing, deadline_ms: int | None, now_ms: int) -> str | None:
    if notice.kind == "pairing":
        is_free = notice.seat < len(listing.seats) and listing.seats[notice.seat] is None
        return None if listing.status == "open" and is_free else "came already, or too late"
    if notice.seat >= len(listing.seats) or listing.seats[notice.seat] != notice.player:
        return "another player has the seat"
    if notice.kind == "match_ended":
        return None if listing.status == "ended" and now_ms - notice.due_ms < PAST_DUE_MS else "no news"
    if listing.status != "running":
        return "not running"
    if notice.kind == "match_began":
        return None if now_ms - notice.due_ms < PAST_DUE_MS else "no news"
    if notice.seat not in listing.deciding:
        return "answered"
    if notice.kind in URGENT and (deadline_ms is None or deadline_ms <= now_ms):
        return "no deadline"
    return None


def usable_channels(
    kind: NoticeKind, channels: Sequence[StoredChannel], preferences: NoticePreferences, now_ms: int
) -> tuple[StoredChannel, ...]:
    """Return the channels by which a player wants this kind, and that take anything now."""
    rule = next((rule for rule in preferences.rules if rule.kind == kind), None)
    wanted = EVERY_CHANNEL if rule is None else rule.channels
    return tuple(channel for channel in channels if kind_of(channel.target) in wanted and is_usable(channel, now_ms))


def is_usable(channel: StoredChannel, now_ms: int) -> bool:
    """Return whether anything is sent by a channel now."""
    return channel.state == "working" or (channel.state == "resting" and channel.rests_until_ms <= now_ms)


def allowed_at_ms(kind: NoticeKind, preferences: NoticePreferences, now_ms: int, due_ms: int) -> int:
    """Return the first moment from now on at which a player wants a notice.

    What falls due at `due_ms` waits for the first digest after that.
    """
    at_ms = now_ms
    if preferences.digest_minute is not None and kind not in URGENT:
        at_ms = max(at_ms, next_minute_ms(_digest_minute(preferences), preferences.time_zone, due_ms))
    quiet = preferences.quiet
    if quiet is None or (kind == "hour_left" and quiet.hour_left_passes):
        return at_ms
    return end_of_quiet_ms(quiet, preferences.time_zone, at_ms)


def _digest_minute(preferences: NoticePreferences) -> int:
    """Return the minute of the digest; one in quiet hours comes at their end, and not a day later each day."""
    minute, quiet = preferences.digest_minute or 0, preferences.quiet
    return quiet.to_minute if quiet is not None and _is_quiet(quiet, minute) else minute


def _is_quiet(quiet: QuietHours, minute: int) -> bool:
    begin, end = quiet.from_minute, quiet.to_minute
    return begin <= minute < end if begin <= end else (minute >= begin or minute < end)


def end_of_quiet_ms(quiet: QuietHours, time_zone: str, at_ms: int) -> int:
    """Return when the quiet hours end in which a moment lies, or the moment itself."""
    local = _local(at_ms, time_zone)
    is_quiet = _is_quiet(quiet, 60 * local.hour + local.minute)
    return next_minute_ms(quiet.to_minute, time_zone, at_ms) if is_quiet else at_ms


def next_minute_ms(minute: int, time_zone: str, after_ms: int) -> int:
    """Return the next moment, at or after one, at which it is this minute of the day in a time zone.

    Where a clock change leaves the minute out, it is the moment at which it would have been (PEP 495); where it comes
    twice, both count.
    """
    local, zone = _local(after_ms, time_zone), find_zone(time_zone)
    for days in (0, 1, 2):
        wall = datetime(local.year, local.month, local.day, minute // 60, minute % 60) + timedelta(days=days)
        for fold in (0, 1):
            at_ms = int(wall.replace(tzinfo=zone, fold=fold).timestamp() * 1000)
            if at_ms >= after_ms:
                return at_ms
    raise AssertionError("a day has at most 25 hours")


def _local(at_ms: int, time_zone: str) -> datetime:
    return datetime.fromtimestamp(at_ms / 1000, find_zone(time_zone))


def find_zone(name: str) -> tzinfo:
    """Return a time zone by its name, UTC where this machine has none of that name."""
    return UTC if (zone := load_zone(name)) is None else zone


def load_zone(name: str) -> tzinfo | None:
    """Return a time zone by its name, None where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # no such name, one that leaves the folder, or a folder
        return None
