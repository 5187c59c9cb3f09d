"""Requests about notices: what players add, change and remove, and what is refused with which place."""

import pytest

from diskwars_protocol.messages.notices import (
    MAX_CHANNELS,
    AddNoticeChannel,
    EmailTarget,
    GetNotices,
    NoticePreferences,
    NoticeRule,
    NoticeSettings,
    NoticeTarget,
    PushTarget,
    QuietHours,
    RemoveNoticeChannel,
    SetNotices,
    TryNoticeChannel,
    WebhookTarget,
)
from diskwars_server.notices.notice_requests import TRIALS_PER_PLAYER, TRIALS_PER_TARGET, check_email
from diskwars_server.refusals import Refusal
from tests.server.in_memory_server import InMemoryServer
from tests.server.notices.club import Club, add, add_mail, prefer

POINT = "BAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE"
AUTH = "YWFhYWFhYWFhYWFhYWFhYQ"


async def test_server_without_an_address_offers_nothing(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    assert (await guest.expect_refused(GetNotices("g"))).code == "not_registered"


async def test_member_sees_channels_and_what_is_offered(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    settings = await add(ann, WebhookTarget(f"{club.web.url}/secret-path?key=1"))
    assert settings.offered == ("email", "push", "webhook")
    (channel,) = settings.channels
    assert (channel.kind, channel.label, channel.state) == ("webhook", "127.0.0.1", "working")
    club.node.clock.now += 1
    settings = await add(ann, EmailTarget(" Ann@Example.ORG "))
    assert (settings.channels[1].label, settings.channels[1].state) == ("Ann@example.org", "unconfirmed")
    removed = await ann.request(RemoveNoticeChannel("r", channel.id))
    assert isinstance(removed, NoticeSettings)
    assert [left.kind for left in removed.channels] == ["email"]


async def test_same_target_is_added_once(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    for _ in range(3):
        assert len((await add(ann, EmailTarget("ann@example.org"))).channels) == 1
    await club.deliverer.step()
    assert len(club.mail.mails) == 1


async def test_preferences_are_kept(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    wanted = NoticePreferences((NoticeRule("match_ended", ()),), QuietHours(0, 60), 1080, "Europe/Berlin", "de")
    assert (await prefer(ann, wanted)).preferences == wanted
    answer = await ann.request(GetNotices("g"))
    assert isinstance(answer, NoticeSettings)
    assert answer.preferences == wanted


async def test_unknown_time_zone_is_refused_with_its_place(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    refused = await ann.expect_refused(SetNotices("s", NoticePreferences(time_zone="Mars/Olympus")))
    assert (refused.code, refused.place) == ("bad_time_zone", "$.preferences.time_zone")


@pytest.mark.parametrize(
    ("target", "place"),
    [
        (EmailTarget("ann"), "$.target.address"),
        (EmailTarget("ann@example.org\r\nBcc: all@example.org"), "$.target.address"),
        (WebhookTarget("http://example.org/"), "$.target.url"),
        (WebhookTarget("https://169.254.169.254/latest"), "$.target.url"),
        (WebhookTarget("https://example.org/" + "x" * 1024), "$.target.url"),
        (PushTarget("https://10.0.0.1/", POINT, AUTH), "$.target.endpoint"),
        (PushTarget("https://push.example/", "A" * 87, AUTH), "$.target.p256dh"),
        (PushTarget("https://push.example/", POINT * 3, AUTH), "$.target.p256dh"),
        (PushTarget("https://push.example/", POINT, "B" * 23), "$.target.auth"),
    ],
)
async def test_bad_target_is_refused_with_its_place(club: Club, target: NoticeTarget, place: str) -> None:
    ann = await club.join("Ann of Nuln")
    refused = await ann.expect_refused(AddNoticeChannel("a", target))
    assert (refused.code, refused.place) == ("bad_channel", place)


async def test_kind_that_is_not_offered_is_refused(node: InMemoryServer) -> None:
    from tests.server.players.test_accounts import register

    ann = await node.connect_and_greet()
    await register(ann)
    refused = await ann.expect_refused(AddNoticeChannel("a", EmailTarget("ann@example.org")))
    assert (refused.code, refused.place) == ("channel_off", "$.target")


async def test_number_of_channels_is_bounded(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    for number in range(MAX_CHANNELS):
        await add(ann, WebhookTarget(f"{club.web.url}/{number}"))
    refused = await ann.expect_refused(AddNoticeChannel("a", WebhookTarget(f"{club.web.url}/more")))
    assert refused.code == "too_many_channels"


async def test_trial_is_sent_by_its_channel_alone(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    await add(ann, WebhookTarget(f"{club.web.url}/one"))
    club.node.clock.now += 1
    settings = await add(ann, WebhookTarget(f"{club.web.url}/two"))
    await ann.request(TryNoticeChannel("t", settings.channels[1].id))
    await club.deliverer.step()
    assert [request.path for request in club.web.requests] == ["/two"]
    assert (await ann.expect_refused(TryNoticeChannel("u", "nothing"))).code == "unknown_channel"


async def test_stranger_cannot_let_the_server_fill_a_mailbox(club: Club) -> None:
    """Neither one player many times, nor many players: mail to an address that nobody confirmed is counted there."""
    for number in range(TRIALS_PER_TARGET.units):
        member = await club.join(f"Member {number} of Ulm")
        await add(member, EmailTarget(f"victim+{number}@example.org"))
    late = await club.join("Late of Ulm")
    refused = await late.expect_refused(AddNoticeChannel("a", EmailTarget("Victim@example.org")))
    assert refused.code == "too_many_attempts"
    for number in range(TRIALS_PER_PLAYER.units):
        await add(late, EmailTarget(f"other{number}@example.org")) if number < MAX_CHANNELS else None
    refused = await late.expect_refused(AddNoticeChannel("b", EmailTarget("more@example.org")))
    assert refused.code == "too_many_attempts"
    await club.deliverer.step()
    assert sum(mail["To"].startswith("victim") for mail in club.mail.mails) == TRIALS_PER_TARGET.units


async def test_confirmation_works_once_more_and_only_for_what_is_there(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    await add_mail(club, ann, "ann@example.org")
    answer = await ann.request(GetNotices("g"))
    assert isinstance(answer, NoticeSettings)
    assert answer.channels[0].state == "working"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ann@example.org", "ann@example.org"),
        (" a.b+c@Sub.Example.ORG ", "a.b+c@sub.example.org"),
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
    ],
)
def test_address_is_stored_as_mail_is_sent_to_it(typed: str, stored: str) -> None:
    assert check_email(typed) == stored


@pytest.mark.parametrize(
    "typed",
    ["", "@", "ann@", "@example.org", "ann@localhost", "a b@example.org", "<ann@example.org>", "ann@example.org,b@c.de",
     "änn@example.org", "a" * 65 + "@example.org", "ann@" + "x" * 64 + ".org", "ann@example..org", "ann@[127.0.0.1]",
     "a\x00b@example.org", "ann@exa_mple.org",
     "a@127.0.0.1", "=?utf-8?q?x=40y.org?=@example.org"],
)  # fmt: skip
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(Refusal, match="bad_channel"):
        check_email(typed)
