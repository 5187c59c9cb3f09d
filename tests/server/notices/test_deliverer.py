"""What becomes of a delivery: sent once, tried again, given up, and what that says of its channel."""

import pytest
from aiohttp import web
from msgspec.structs import replace

from diskwars_protocol.messages.notices import EmailTarget, NoticePreferences, QuietHours, WebhookTarget
from diskwars_server.limits.rate_limits import RateLimit
from diskwars_server.notices import deliverer
from diskwars_server.notices.deliverer import KEEP_DEAD_MS, LEASE_MS, LIMITED_MS, MAX_REFUSALS, REST_MS, RETRY_SECONDS
from diskwars_server.notices.dispatcher import make_delivery
from diskwars_server.store.notices import Delivery, NoticeText, StoredChannel
from tests.server.in_memory_server import InMemoryClient
from tests.server.notices.club import Club, add, add_mail, go_away, prefer
from tests.server.notices.receivers import Received


async def channel_of(club: Club, member: InMemoryClient) -> StoredChannel | None:
    channels = (await club.node.database.notices.find_channels([member.player])).get(member.player, ())
    return channels[0] if channels else None


async def hooked(club: Club) -> InMemoryClient:
    member = await club.join("Ann of Nuln")
    await add(member, WebhookTarget(f"{club.web.url}/ann"))
    return member


async def send_test(club: Club, member: InMemoryClient) -> Delivery:
    """Store a message that says nothing, and send what is due."""
    channel = await channel_of(club, member)
    assert channel is not None
    delivery = make_delivery(member.player, channel.channel, (), club.node.clock.now)
    await club.node.database.notices.add_deliveries([delivery])
    await club.deliverer.step()
    return delivery


def answer(club: Club, status: int, **headers: str) -> None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    club.web.respond = lambda received: web.Response(status=status, headers=named)


async def test_failed_delivery_is_tried_again_under_its_id_until_it_is_taken(club: Club) -> None:
    member = await hooked(club)
    answer(club, 503)
    delivery = await send_test(club, member)
    for pause in RETRY_SECONDS[:2]:
        await club.pass_time(pause - 1)
        await club.pass_time(1)
    answer(club, 200)
    await club.pass_time(RETRY_SECONDS[2])
    await club.pass_time(RETRY_SECONDS[-1])
    assert [request.headers["Idempotency-Key"] for request in club.web.requests] == [delivery.delivery] * 4
    assert await club.node.database.notices.list_dead(9) == []


async def test_delivery_that_nobody_takes_is_given_up_and_kept_for_operators(club: Club) -> None:
    member = await hooked(club)
    answer(club, 500)
    await send_test(club, member)
    for pause in RETRY_SECONDS:
        await club.pass_time(pause)
    assert len(club.web.requests) == 1 + len(RETRY_SECONDS)
    (dead,) = await club.node.database.notices.list_dead(9)
    assert (dead.why, dead.delivery.attempts) == ("HTTP 500", 1 + len(RETRY_SECONDS))
    club.node.clock.now += KEEP_DEAD_MS
    await club.deliverer.remove_dead()
    assert await club.node.database.notices.list_dead(9) == []


async def test_receiver_may_ask_for_a_longer_pause(club: Club) -> None:
    member = await hooked(club)
    answer(club, 429, Retry_After="900")
    await send_test(club, member)
    await club.pass_time(899)
    assert len(club.web.requests) == 1
    await club.pass_time(1)
    assert len(club.web.requests) == 2


async def test_channel_rests_after_refusals_in_a_row_and_works_again(club: Club) -> None:
    member = await hooked(club)
    answer(club, 403)
    for _ in range(MAX_REFUSALS):
        await send_test(club, member)
    resting = await channel_of(club, member)
    assert resting is not None
    assert (resting.state, resting.rests_until_ms) == ("resting", club.node.clock.now + REST_MS)
    answer(club, 200)
    await send_test(club, member)
    assert len(club.web.requests) == MAX_REFUSALS + 1, "a trial passes"
    assert await channel_of(club, member) == replace(resting, state="working", failures=0, rests_until_ms=0)


async def test_success_between_refusals_keeps_a_channel(club: Club) -> None:
    member = await hooked(club)
    for status in (403, 403, 200, 403, 403):
        answer(club, status)
        await send_test(club, member)
    channel = await channel_of(club, member)
    assert channel is not None
    assert (channel.state, channel.failures) == ("working", 2)


async def test_channel_that_is_gone_is_removed(club: Club) -> None:
    member = await hooked(club)
    answer(club, 410)
    await send_test(club, member)
    assert await channel_of(club, member) is None


async def test_refused_address_rests_and_mail_goes_on_to_others(club: Club) -> None:
    ann, ben = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    for member, address in ((ann, "ann@example.org"), (ben, "ben@example.org")):
        await add_mail(club, member, address)
    club.mail.refusal = "550 no such user"
    for _ in range(MAX_REFUSALS):
        await send_test(club, ann)
    club.mail.refusal = ""
    match = await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(60)
    assert [mail["To"] for mail in club.mail.mails] == ["ben@example.org"]
    assert match


async def test_mail_server_that_is_busy_is_tried_again(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    await add_mail(club, ann, "ann@example.org")
    club.mail.refusal = "450 later"
    await send_test(club, ann)
    club.mail.refusal = ""
    await club.pass_time(RETRY_SECONDS[0])
    assert len(club.mail.mails) == 1


async def test_what_does_not_hold_any_more_is_not_sent_late(club: Club) -> None:
    ann, ben = await hooked(club), await club.join("Ben of Ulm")
    match = await club.begin(ann, ben)
    channel = await channel_of(club, ann)
    assert channel is not None
    texts = (NoticeText("your_turn", match, 0),)
    await ann.choose_number(match, 0, 3)
    delivery = make_delivery(ann.player, channel.channel, texts, club.node.clock.now)
    gone = make_delivery(ann.player, channel.channel, (NoticeText("match_ended", "gone", 0),), club.node.clock.now)
    await club.node.database.notices.add_deliveries([delivery, gone])
    await club.deliverer.step()
    assert club.web.requests == []


async def test_player_gets_a_bounded_number_and_the_rest_later(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    member = await hooked(club)
    monkeypatch.setattr(club.deliverer._by_player, "_limit", RateLimit(2, 60_000))
    for _ in range(3):
        await send_test(club, member)
    assert len(club.web.requests) == 2
    await club.pass_time(LIMITED_MS // 1000)
    assert len(club.web.requests) == 3


async def test_one_address_of_several_accounts_gets_a_bounded_number(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club.deliverer._by_target, "_limit", RateLimit(2, 60_000))
    for name in ("Ann of Nuln", "Ben of Ulm", "Cid of Wolfenburg"):
        member = await club.join(name)
        await add(member, WebhookTarget(f"{club.web.url}/same"))
        await send_test(club, member)
    assert len(club.web.requests) == 2


async def test_reminder_is_not_sent_after_its_deadline(club: Club) -> None:
    ann, ben = await hooked(club), await club.join("Ben of Ulm")
    match = await club.begin(ann, ben)
    channel = await channel_of(club, ann)
    assert channel is not None
    text = NoticeText("hour_left", match, 0, club.node.clock.now + 60_000)
    delivery = make_delivery(ann.player, channel.channel, (text,), club.node.clock.now)
    await club.node.database.notices.add_deliveries([delivery])
    club.node.clock.now += 60_000
    await club.deliverer.step()
    assert club.web.requests == []


async def test_node_without_a_channel_leaves_a_delivery_to_others(club: Club) -> None:
    ann = await club.join("Ann of Nuln")
    await add_mail(club, ann, "ann@example.org")
    send = club.deliverer._senders.pop("email")  # type: ignore[attr-defined]
    await send_test(club, ann)
    club.deliverer._senders["email"] = send  # type: ignore[index]
    await club.pass_time(RETRY_SECONDS[0])
    assert len(club.mail.mails) == 1


async def test_what_failed_is_not_tried_again_in_quiet_hours(club: Club) -> None:
    ann, ben = await hooked(club), await club.join("Ben of Ulm")
    match = await club.begin(ann, ben)
    channel = await channel_of(club, ann)
    assert channel is not None
    answer(club, 503)
    texts = (NoticeText("your_turn", match, 0),)
    delivery = make_delivery(ann.player, channel.channel, texts, club.node.clock.now)
    await club.node.database.notices.add_deliveries([delivery])
    await club.deliverer.step()
    minute = club.node.clock.now // 60_000 % 1440
    await prefer(ann, NoticePreferences(quiet=QuietHours(minute, (minute + 60) % 1440)))
    await club.deliverer.step()
    answer(club, 200)
    club.node.clock.now += RETRY_SECONDS[0] * 1000
    await club.deliverer.step()
    assert len(club.web.requests) == 1
    club.node.clock.now += 3_600_000
    await club.deliverer.step()
    assert len(club.web.requests) == 2


async def test_fault_of_a_sender_is_tried_again_and_stops_nobody_else(club: Club) -> None:
    ann = await hooked(club)

    def fail(received: Received) -> web.Response:
        raise web.HTTPBadGateway

    club.web.respond = fail
    await send_test(club, ann)
    answer(club, 200)
    await club.pass_time(RETRY_SECONDS[0])
    assert len(club.web.requests) == 2


async def test_node_that_dies_while_it_sends_sends_again_under_the_same_id(club: Club) -> None:
    member = await hooked(club)
    channel = await channel_of(club, member)
    assert channel is not None
    delivery = make_delivery(member.player, channel.channel, (), club.node.clock.now)
    await club.node.database.notices.add_deliveries([delivery])
    await club.node.database.notices.claim_deliveries(club.node.clock.now, 9, LEASE_MS)  # the other node's last deed
    await club.pass_time(LEASE_MS // 1000 - 1)
    assert club.web.requests == []
    await club.pass_time(1)
    assert [request.headers["Idempotency-Key"] for request in club.web.requests] == [delivery.delivery]


async def test_mail_to_an_address_that_is_not_confirmed_is_only_the_link(club: Club) -> None:
    ann, ben = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    await add(ann, EmailTarget("ann@example.org"))
    await club.deliverer.step()
    await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(60)
    (mail,) = club.mail.mails
    assert mail["Subject"] == "Confirm this address"


def test_pauses_between_attempts_grow() -> None:
    assert list(deliverer.RETRY_SECONDS) == sorted(deliverer.RETRY_SECONDS)
