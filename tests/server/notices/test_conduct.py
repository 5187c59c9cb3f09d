"""Each rule of conduct of notices, with the moments at which it begins and ends."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.messages.notices import (
    EmailTarget,
    NoticeKind,
    NoticePreferences,
    NoticeRule,
    QuietHours,
    WebhookTarget,
)
from diskwars_server.notices.conduct import (
    PAST_DUE_MS,
    Drop,
    Postpone,
    Send,
    decide,
    end_of_quiet_ms,
    load_zone,
    next_minute_ms,
)
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import MS_PER_DAY, MS_PER_HOUR, PlannedNotice, StoredChannel

NOW = int(datetime(2026, 11, 30, 12, 0, tzinfo=UTC).timestamp() * 1000)
MAIL = StoredChannel("ann", "c1", EmailTarget("ann@example.org"), "working", 1)
HOOK = StoredChannel("ann", "c2", WebhookTarget("https://example.org"), "working", 2)
LISTING = Listing("m", "pit", "running", ("ann", "ben"), "ann", 1, 1, deciding=(0,))
PLAIN = NoticePreferences()


def notice(kind: NoticeKind = "your_turn", due_ms: int = NOW - 5) -> PlannedNotice:
    return PlannedNotice("ann", "m", kind, 0, due_ms, 9)


def test_notice_that_holds_goes_by_every_channel() -> None:
    assert decide(notice(), LISTING, None, (MAIL, HOOK), PLAIN, NOW) == Send((MAIL, HOOK))


@pytest.mark.parametrize(
    ("status", "seats", "holds"),
    [
        ("open", (None, "ben"), True),
        ("open", ("ann", "ben"), False),
        ("ended", (None, "ben"), False),
        ("open", (), False),
    ],
)
def test_pairing_holds_while_the_seat_waits_for_its_player(
    status: MatchStatus, seats: tuple[str | None, ...], holds: bool
) -> None:
    listing = replace(LISTING, status=status, seats=seats, deciding=())
    assert isinstance(decide(notice("pairing"), listing, None, (MAIL,), PLAIN, NOW), Send) == holds


@pytest.mark.parametrize(
    ("listing", "kind"),
    [
        (None, "your_turn"),
        (None, "pairing"),
        (replace(LISTING, seats=("cid", "ann")), "your_turn"),
        (replace(LISTING, seats=()), "match_ended"),
        (replace(LISTING, deciding=(1,)), "your_turn"),
        (replace(LISTING, status="ended"), "your_turn"),
        (replace(LISTING, status="ended"), "match_began"),
        (LISTING, "match_ended"),
        (LISTING, "day_left"),
    ],
)
def test_notice_that_does_not_hold_any_more_is_dropped(listing: Listing | None, kind: NoticeKind) -> None:
    assert isinstance(decide(notice(kind), listing, None, (MAIL,), PLAIN, NOW), Drop)


@pytest.mark.parametrize(
    ("kind", "listing"), [("match_ended", replace(LISTING, status="ended")), ("match_began", LISTING)]
)
def test_what_is_two_days_old_is_no_news(kind: NoticeKind, listing: Listing) -> None:
    assert decide(notice(kind, NOW - PAST_DUE_MS + 1), listing, None, (MAIL,), PLAIN, NOW) == Send((MAIL,))
    assert isinstance(decide(notice(kind, NOW - PAST_DUE_MS), listing, None, (MAIL,), PLAIN, NOW), Drop)


@pytest.mark.parametrize(("kind", "span"), [("day_left", MS_PER_DAY), ("hour_left", MS_PER_HOUR)])
def test_reminder_moves_with_its_deadline(kind: NoticeKind, span: int) -> None:
    assert decide(notice(kind), LISTING, NOW + span, (MAIL,), PLAIN, NOW) == Send((MAIL,))
    assert decide(notice(kind), LISTING, NOW + span + 7, (MAIL,), PLAIN, NOW) == Postpone(NOW + 7)
    assert isinstance(decide(notice(kind), LISTING, NOW, (MAIL,), PLAIN, NOW), Drop)


def test_channels_are_those_that_the_player_wants_for_the_kind() -> None:
    wanted = NoticePreferences((NoticeRule("your_turn", ("webhook",)), NoticeRule("match_ended", ())))
    assert decide(notice(), LISTING, None, (MAIL, HOOK), wanted, NOW) == Send((HOOK,))
    over = replace(LISTING, status="ended")
    assert isinstance(decide(notice("match_ended"), over, None, (MAIL, HOOK), wanted, NOW), Drop)


def test_unconfirmed_and_resting_channels_get_nothing() -> None:
    resting = replace(HOOK, state="resting", rests_until_ms=NOW + 1)
    channels = replace(MAIL, state="unconfirmed"), resting
    assert isinstance(decide(notice(), LISTING, None, channels, PLAIN, NOW), Drop)
    assert decide(notice(), LISTING, None, channels, PLAIN, NOW + 1) == Send((resting,))


BERLIN_NIGHT = NoticePreferences(quiet=QuietHours(22 * 60, 7 * 60), time_zone="Europe/Berlin")


def berlin(hour: int, minute: int = 0, day: int = 30, month: int = 11) -> int:
    return int(datetime(2026, month, day, hour, minute, tzinfo=ZoneInfo("Europe/Berlin")).timestamp() * 1000)


@pytest.mark.parametrize(
    ("at", "end"),
    [
        (berlin(21, 59), berlin(21, 59)),
        (berlin(22, day=29), berlin(7)),
        (berlin(3), berlin(7)),
        (berlin(6, 59), berlin(7)),
        (berlin(7), berlin(7)),
    ],
)
def test_quiet_hours_pass_midnight_in_the_players_own_zone(at: int, end: int) -> None:
    quiet = BERLIN_NIGHT.quiet
    assert quiet is not None
    assert end_of_quiet_ms(quiet, "Europe/Berlin", at) == end
    expected = Send((MAIL,)) if end == at else Postpone(end)
    assert decide(notice(due_ms=at), LISTING, None, (MAIL,), BERLIN_NIGHT, at) == expected


def test_quiet_hours_within_a_day_and_none_at_all() -> None:
    assert end_of_quiet_ms(QuietHours(13 * 60, 14 * 60), "Europe/Berlin", berlin(13, 30)) == berlin(14)
    assert end_of_quiet_ms(QuietHours(60, 60), "Europe/Berlin", berlin(1)) == berlin(1)


def test_last_hour_passes_quiet_hours_only_if_the_player_lets_it() -> None:
    at = berlin(3)
    last = notice("hour_left", at)
    assert isinstance(decide(last, LISTING, at + MS_PER_HOUR, (MAIL,), BERLIN_NIGHT, at), Drop)
    late = replace(BERLIN_NIGHT, quiet=QuietHours(22 * 60, 7 * 60, hour_left_passes=True))
    assert decide(last, LISTING, at + MS_PER_HOUR, (MAIL,), late, at) == Send((MAIL,))
    day = notice("day_left", at)
    assert decide(day, LISTING, at + MS_PER_DAY, (MAIL,), late, at) == Postpone(berlin(7))


def test_digest_gathers_what_is_not_urgent() -> None:
    daily = NoticePreferences(digest_minute=18 * 60, time_zone="Europe/Berlin")
    at = berlin(12)
    assert decide(notice(due_ms=at), LISTING, None, (MAIL,), daily, at) == Postpone(berlin(18))
    assert decide(notice(due_ms=at), LISTING, None, (MAIL,), daily, berlin(18)) == Send((MAIL,))
    assert decide(notice("day_left", at), LISTING, at + MS_PER_DAY, (MAIL,), daily, at) == Send((MAIL,))


def test_minute_of_the_day_is_found_over_a_change_of_the_clocks() -> None:
    before = berlin(3, 30, day=24, month=10)
    assert next_minute_ms(3 * 60, "Europe/Berlin", before) == berlin(3, day=25, month=10)
    assert berlin(3, day=25, month=10) - before == 24 * MS_PER_HOUR + MS_PER_HOUR // 2


@pytest.mark.parametrize("name", ["Europe/Nowhere", "", "../etc/passwd", "/etc/localtime", "Europe", "a\0b", "é"])
def test_what_is_no_time_zone_is_none(name: str) -> None:
    assert load_zone(name) is None
    assert next_minute_ms(0, name, 1) == MS_PER_DAY


def test_digest_in_quiet_hours_comes_at_their_end() -> None:
    daily = replace(BERLIN_NIGHT, digest_minute=6 * 60)
    at = berlin(12, day=29)
    assert decide(notice(due_ms=at), LISTING, None, (MAIL,), daily, at) == Postpone(berlin(7))
    assert decide(notice(due_ms=berlin(7)), LISTING, None, (MAIL,), daily, berlin(7)) == Send((MAIL,))


def test_minute_that_comes_twice_when_clocks_go_back_is_found_both_times() -> None:
    second = berlin(2, 10, day=25, month=10) + MS_PER_HOUR
    assert next_minute_ms(2 * 60 + 30, "Europe/Berlin", second) == second + 20 * 60_000
