"""Notices of real matches: each reaches players who are away once, and those at the table never."""

import pytest

from diskwars_engine.match_log import LogError
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.challenges import AcceptChallenge, WithdrawChallenge
from diskwars_protocol.messages.notices import LookAt, NoticePreferences, QuietHours, WebhookTarget
from diskwars_server.matches.game import Game
from diskwars_server.notices import dispatcher
from diskwars_server.notices.dispatcher import LEASE_MS
from diskwars_server.refusals import Refusal
from diskwars_server.store.challenges import ChallengeTerms, StoredChallenge
from diskwars_server.store.notices import MS_PER_DAY, MS_PER_HOUR, PRESENCE_MS
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryClient, begin_match
from tests.server.lobby.test_challenges import challenge
from tests.server.notices.club import THREE_DAYS, Club, add, add_mail, go_away, prefer
from tests.server.notices.presence_trial import run_trial
from tests.server.tournaments.tournament_clients import begin, boards_of, run, view

SOON = PRESENCE_MS // 1000
DAY, HOUR = MS_PER_DAY // 1000, MS_PER_HOUR // 1000


async def two_members(club: Club) -> tuple[InMemoryClient, InMemoryClient]:
    ann, ben = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    for member, name in ((ann, "ann"), (ben, "ben")):
        await add(member, WebhookTarget(f"{club.web.url}/{name}"))
    return ann, ben


def notified(club: Club) -> list[str]:
    """Return who got a notice since the last look."""
    paths = sorted(request.path for request in club.web.requests)
    club.web.requests.clear()
    return paths


async def test_player_who_is_away_gets_one_notice_of_their_turn(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await club.begin(ann, ben)
    await ben.choose_number(match, 1, 4)
    go_away(ann)
    await club.pass_time(SOON - 1)
    assert notified(club) == []
    await club.pass_time(1)
    assert notified(club) == ["/ann"]
    await club.pass_time(3600)
    assert notified(club) == []


async def test_player_at_the_match_gets_no_notice(club: Club) -> None:
    ann, ben = await two_members(club)
    await club.begin(ann, ben)
    for _ in range(3):
        await club.pass_time(SOON)
    assert notified(club) == []


async def test_players_on_the_page_of_their_match_get_no_notice_of_a_hundred_acts(club: Club) -> None:
    counts = await run_trial(club, seed=1, acts=100)
    assert counts.acts >= 100
    assert (counts.received, counts.received_away) == (0, 2)


async def test_player_who_only_has_the_lobby_open_gets_a_notice(club: Club) -> None:
    """The page watches own matches for its lists, in hidden windows too, and says what is in view."""
    ann, ben = await two_members(club)
    match = await club.begin(ann, ben)
    await ann.request(LookAt(ann.id()))
    await ben.request(LookAt(ben.id(), match))
    await club.pass_time(SOON)
    assert notified(club) == ["/ann"]
    await ben.request(LookAt(ben.id(), MatchId("another")))
    await club.pass_time(SOON)
    assert notified(club) == ["/ben"]


async def test_player_who_leaves_the_table_later_gets_the_notice_then(club: Club) -> None:
    ann, ben = await two_members(club)
    await club.begin(ann, ben)
    for _ in range(4):
        await club.pass_time(SOON)
    go_away(ann)
    await club.pass_time(SOON)
    assert notified(club) == ["/ann"]


async def test_match_that_cannot_be_read_keeps_no_other_notice_back(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await two_members(club)
    bad = await begin_match(ann, ben, options=MatchOptions())
    good = await begin_match(ann, ben, options=MatchOptions())
    go_away(ann, ben)
    await club.pass_time(SOON)
    notified(club)
    find = club.node.matches.find

    async def fail(match: MatchId) -> Game:
        if match == bad:
            raise LogError("broken")
        return await find(match)

    monkeypatch.setattr(club.node.matches, "find", fail)
    await club.pass_time(13 * DAY)
    assert notified(club) == ["/ann", "/ben"]
    assert good != bad


async def test_reminder_waits_while_the_server_is_busy(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = await two_members(club)
    await begin_match(ann, ben, options=MatchOptions())
    go_away(ann, ben)
    await club.pass_time(SOON)
    notified(club)

    async def refuse(match: MatchId) -> Game:
        raise Refusal("busy", retry_after_ms=1000)

    with monkeypatch.context() as busy:
        busy.setattr(club.node.matches, "find", refuse)
        await club.pass_time(13 * DAY)
        assert notified(club) == []
    await club.pass_time(LEASE_MS // 1000)
    assert notified(club) == ["/ann", "/ben"]


async def test_player_who_answered_meanwhile_gets_no_notice(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await club.begin(ann, ben)
    await ann.choose_number(match, 0, 4)
    go_away(ann, ben)
    await club.pass_time(SOON)
    assert notified(club) == ["/ben"]


async def test_reminders_precede_the_answer_of_the_server(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await club.begin(ann, ben)
    await ben.choose_number(match, 1, 4)
    go_away(ann)
    await club.pass_time(SOON)
    assert notified(club) == ["/ann"]
    await club.pass_time(2 * DAY - SOON - 1)
    assert notified(club) == []
    await club.pass_time(1)
    assert notified(club) == ["/ann"]
    await club.pass_time(DAY - HOUR)
    assert notified(club) == ["/ann"]
    await club.pass_time(DAY)
    assert notified(club) == []


async def test_reminder_of_a_match_without_a_clock_counts_from_the_players_own_decision(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await begin_match(ann, ben, options=MatchOptions())
    club.node.clock.now += 12 * MS_PER_DAY
    await ann.choose_number(match, 0, 3)
    await ben.choose_number(match, 1, 3)  # the next round asks both again, and Ann has 14 days from now
    go_away(ann, ben)
    await club.pass_time(DAY)
    notified(club)
    await club.pass_time(12 * DAY - 1)
    assert notified(club) == []
    await club.pass_time(1)
    assert notified(club) == ["/ann", "/ben"]


async def test_end_of_a_match_reaches_those_who_are_away(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await begin_match(ann, ben, rounds=1, options=THREE_DAYS)
    await ann.choose_number(match, 0, 4)
    go_away(ann)
    await ben.choose_number(match, 1, 3)
    await club.pass_time(SOON)
    assert b"is over" in club.web.requests[-1].body
    assert notified(club) == ["/ann"]


async def test_fast_match_sends_nothing(club: Club) -> None:
    ann, ben = await two_members(club)
    await begin_match(ann, ben, options=MatchOptions(clock=PerDecisionClock(600)))
    go_away(ann, ben)
    await club.pass_time(SOON)
    assert notified(club) == []


async def test_quiet_hours_hold_a_notice_back_until_they_end(club: Club) -> None:
    ann, ben = await two_members(club)
    minute = club.node.clock.now // 60_000 % 1440
    await prefer(ben, NoticePreferences(quiet=QuietHours(minute, (minute + 60) % 1440)))
    await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(SOON)
    assert notified(club) == ["/ann"]
    await club.pass_time(HOUR)
    assert notified(club) == ["/ben"]


async def test_several_matches_of_a_player_come_in_one_message(club: Club) -> None:
    ann, ben = await two_members(club)
    await add_mail(club, ben, "ben@example.org")
    for _ in range(3):
        await club.begin(ann, ben)
    go_away(ben)
    await club.pass_time(SOON)
    (mail,) = club.mail.mails
    assert mail["Subject"] == "News of 3 matches"
    assert mail.get_body(("plain",)).get_content().count("/m/") == 3  # type: ignore[union-attr]


async def test_more_than_one_claim_is_worked_off_in_one_step(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher, "CLAIM_LIMIT", 4)
    ann, ben = await two_members(club)
    for _ in range(5):
        await club.begin(ann, ben)
    go_away(ann, ben)
    await club.pass_time(SOON)
    assert await club.node.database.notices.claim_due(club.node.clock.now + LEASE_MS, 99, 1) == []


async def test_node_that_dies_with_a_claim_leaves_the_notice_to_another(club: Club) -> None:
    ann, ben = await two_members(club)
    await club.begin(ann, ben)
    go_away(ann, ben)
    club.node.clock.now += PRESENCE_MS
    assert len(await club.node.database.notices.claim_due(club.node.clock.now, 99, LEASE_MS)) == 2
    await club.send_due()
    assert notified(club) == []
    await club.pass_time(LEASE_MS // 1000)
    assert notified(club) == ["/ann", "/ben"]


@pytest.mark.parametrize("member", ["Ann of Nuln", "Ben of Ulm"])
async def test_player_without_a_channel_leaves_no_row(club: Club, member: str) -> None:
    first, second = await club.join("Ann of Nuln"), await club.join("Ben of Ulm")
    await club.begin(first, second)
    far = club.node.clock.now + 99 * MS_PER_DAY
    assert await club.node.database.notices.claim_due(far, 99, 1) == []


async def test_entrant_who_has_not_come_gets_a_notice_of_the_pairing(club: Club) -> None:
    """However little time a decision has; those who sit at the match already get none."""
    ann, ben = await two_members(club)
    tournament = await begin(ann, [ann, ben])
    await run(club.node)
    (board,) = boards_of(await view(ann, tournament))
    await ann.watch(board.match)
    await ann.take_seat(board.match, board.entrants.index(1))
    go_away(ben)
    await club.pass_time(SOON - 1)
    assert notified(club) == []
    await club.pass_time(1)
    assert notified(club) == ["/ben"]
    await club.pass_time(3600)
    assert notified(club) == []


async def test_pairing_is_planned_with_the_record_that_opens_the_match(
    club: Club, faulty_database: FaultyDatabase
) -> None:
    ann, ben = await two_members(club)
    tournament = await begin(ann, [ann, ben])
    await run(club.node)
    (board,) = boards_of(await view(ann, tournament))
    (opened,) = [append for append in faulty_database.events.appended if append.match == board.match]
    assert opened.expected == 0
    assert [(notice.kind, notice.seat) for notice in opened.notices] == [("pairing", 0), ("pairing", 1)]


async def test_player_who_is_away_gets_one_notice_of_a_challenge(club: Club) -> None:
    ann, ben = await two_members(club)
    go_away(ben)
    await challenge(ann)
    await club.pass_time(SOON - 1)
    assert notified(club) == []
    await club.pass_time(1)
    (request,) = club.web.requests
    assert b"Ann of Nuln challenges you" in request.body
    assert notified(club) == ["/ben"]
    await club.pass_time(DAY)
    assert notified(club) == []


async def test_notice_of_a_challenge_waits_while_its_player_is_connected(club: Club) -> None:
    ann, ben = await two_members(club)
    await challenge(ann)
    for _ in range(5):
        await club.pass_time(SOON)
    assert notified(club) == []
    go_away(ben)
    await club.pass_time(SOON)
    assert notified(club) == ["/ben"]


@pytest.mark.parametrize("answer", ["accepted", "withdrawn", "too late"])
async def test_challenge_that_is_over_leads_to_no_notice(club: Club, answer: str) -> None:
    ann, ben = await two_members(club)
    sent = await challenge(ann)
    if answer == "accepted":
        await ben.request(AcceptChallenge(ben.id(), sent.challenge))
    elif answer == "withdrawn":
        await ann.request(WithdrawChallenge(ann.id(), sent.challenge))
    else:
        club.node.clock.now = sent.expires_ms
    go_away(ben)
    await club.pass_time(SOON)
    assert notified(club) == []


async def test_challenge_that_is_taken_back_before_it_is_sent_is_not_sent(club: Club) -> None:
    ann, ben = await two_members(club)
    go_away(ben)
    sent = await challenge(ann)
    club.node.clock.now += PRESENCE_MS
    await club.dispatcher.step()
    await ann.request(WithdrawChallenge(ann.id(), sent.challenge))
    await club.deliverer.step()
    assert notified(club) == []


async def test_challenge_that_was_accepted_takes_no_other_notice_of_its_match_away(club: Club) -> None:
    ann, ben = await two_members(club)
    match = await club.begin(ann, ben)
    await ann.choose_number(match, 0, 4)
    go_away(ben)
    now, store = club.node.clock(), club.node.database.challenges
    terms = ChallengeTerms("counting", "{}", "{}")
    challenged = StoredChallenge("c", ann.player, ben.player, match, terms, 0, False, now, now + MS_PER_DAY)
    assert not isinstance(await store.add(challenged, notifies=True), str)
    await store.settle("c", "accepted", now)
    await club.pass_time(SOON)
    (request,) = club.web.requests
    assert b"challenges you" not in request.body
    assert notified(club) == ["/ben"]
