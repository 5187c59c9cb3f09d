"""Players report others to the operators, who close the reports; the port that keeps them, over every database."""

import asyncio

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.reports import (
    MAX_REPORT_TEXT_LENGTH,
    ContentReported,
    PlayerReported,
    ReportContent,
    ReportedContentKind,
    ReportPlayer,
)
from diskwars_server.community.operators import ActRefused, Operators
from diskwars_server.community.reported_content import ContentFinder
from diskwars_server.community.reports import ReportLimits, ReportService
from diskwars_server.limits.rate_limits import MS_PER_DAY, RateLimit
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.operator_acts import OperatorAct
from diskwars_server.store.reports import StoredReport
from tests.server.clubs.club_clients import come_in, open_club
from tests.server.conftest import MakeDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match
from tests.server.tournaments.tournament_clients import connect_member, open_tournament

REPORT = StoredReport("m", 3, "ben", "ann", 1_000, "rude", "c1")
CLOSING = OperatorAct("close_report", "op", "ben", 2_000, "warned", detail="report 1")

# ---------------------------------------------------------------- the port


async def test_reports_are_numbered_and_listed_from_the_newest(database: Database) -> None:
    reports = database.reports
    assert await reports.list_reports(10) == []
    for number, player in enumerate(("ben", "eve", "ben"), 1):
        assert await reports.add(replace(REPORT, player=player, command=f"c{number}")) == number
    assert await reports.find(1) == replace(REPORT, number=1)
    assert await reports.find(4) is None
    assert await reports.find(0) is None
    assert [one.number for one in await reports.list_reports(2)] == [3, 2]
    assert [one.number for one in await reports.list_reports(2, before=2)] == [1]
    assert [one.number for one in await reports.list_reports(9, about="ben")] == [3, 1]
    assert await reports.list_reports(9, about="no\0body") == []


async def test_report_that_is_sent_again_keeps_its_number(database: Database) -> None:
    assert await database.reports.add(REPORT) == 1
    assert await database.reports.add(replace(REPORT, text="other")) == 1
    assert await database.reports.add(replace(REPORT, reporter="eve")) == 2
    assert await database.reports.add(replace(REPORT, subject="n")) == 3


async def test_numbers_have_no_gaps_when_two_nodes_store_at_once(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        numbers = await asyncio.gather(
            *((one, other)[n % 2].reports.add(replace(REPORT, command=f"c{n}")) for n in range(6))
        )
        assert sorted(numbers) == [1, 2, 3, 4, 5, 6]


async def test_report_is_closed_once_and_with_its_act(database: Database) -> None:
    await database.reports.add(REPORT)
    assert not await database.operator_acts.add_closing(CLOSING, 2)
    assert await database.operator_acts.read_back(9) == []
    assert await database.operator_acts.add_closing(CLOSING, 1)
    assert not await database.operator_acts.add_closing(CLOSING, 1)
    acts = await database.operator_acts.read_back(9)
    assert acts == [replace(CLOSING, number=1)]
    assert await database.reports.list_reports(9) == []
    assert [one.closed_by for one in await database.reports.list_reports(9, is_open=False)] == [1]


# ---------------------------------------------------------------- requests


async def playing(node: InMemoryServer) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    one, other = await node.connect_and_greet(), await node.connect_and_greet()
    return one, other, await begin_match(one, other)


async def test_player_reports_another_and_operators_alone_read_it(node: InMemoryServer) -> None:
    one, other, match = await playing(node)
    report = ReportPlayer("r1", match, 2, other.player, " Insults me. ")
    sent = len(other.messages)
    assert await one.request(report) == PlayerReported("r1", match)
    assert await one.request(report) == PlayerReported("r1", match)
    stored = await node.database.reports.list_reports(9)
    assert stored == [
        StoredReport(match, 2, other.player, one.player, node.clock(), "Insults me.", "r1", number=1),
    ]
    assert len(other.messages) == sent


async def test_report_is_about_another_player_and_a_record_that_was_shown(node: InMemoryServer) -> None:
    one, other, match = await playing(node)
    head = (await node.matches.find(match)).head
    for request, code, place in (
        (ReportPlayer("r1", match, 1, one.player, "text"), "bad_report", "$.player"),
        (ReportPlayer("r2", match, head + 1, other.player, "text"), "bad_report", "$.seq"),
        (ReportPlayer("r3", match, 1, other.player, "two\nlines"), "bad_text", "$.text"),
        (ReportPlayer("r4", match, 1, other.player, "x" * (MAX_REPORT_TEXT_LENGTH + 1)), "bad_text", "$.text"),
        (ReportPlayer("r5", MatchId("elsewhere"), 1, other.player, "text"), "not_watching", "$.match"),
    ):
        refused = await one.expect_refused(request)
        assert (refused.code, refused.place) == (code, place)
    assert await node.database.reports.list_reports(9) == []
    assert isinstance(await one.request(ReportPlayer("r6", match, head, other.player, "text")), PlayerReported)


async def test_delayed_spectator_reports_no_record_that_is_not_released(node: InMemoryServer) -> None:
    one, other = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(one, other, options=MatchOptions(watchers="round_later"))
    spectator = await node.connect_and_greet()
    await spectator.watch(match)
    head = (await node.matches.find(match)).head
    refused = await spectator.expect_refused(ReportPlayer("r1", match, head, one.player, "text"))
    assert refused.code == "bad_report"
    assert refused.numbers["records"] < head


async def test_reports_of_a_player_and_of_an_address_are_limited(node: InMemoryServer) -> None:
    one, other, match = await playing(node)
    for number in range(10):
        await one.request(ReportPlayer(f"r{number}", match, 1, other.player, "text"))
    refused = await one.expect_refused(ReportPlayer("more", match, 1, other.player, "text"))
    assert refused.code == "too_many_reports"
    assert refused.numbers == {"wait_ms": MS_PER_DAY // 10}
    limits = ReportLimits(address=RateLimit(2, MS_PER_DAY))
    content = ContentFinder(node.database.clubs, node.database.tournaments)
    service = ReportService(node.database.reports, content, node.clock, node.clock, limits)
    for number in range(3):
        stranger = await node.connect_and_greet(address="192.0.2.1")
        await stranger.watch(match)
        request = ReportPlayer("r", match, 1, other.player, "text")
        if number < 2:
            await service.report(stranger.session.user, request)
        else:
            with pytest.raises(Refusal, match="too_many_reports"):
                await service.report(stranger.session.user, request)


async def test_club_and_tournament_are_reported_with_the_record_that_shows_them(node: InMemoryServer) -> None:
    lea, mia = await connect_member(node, "Lea"), await connect_member(node, "Mia")
    club, tournament = await open_club(lea), await open_tournament(lea)
    guest = await node.connect_and_greet()
    subjects: tuple[tuple[ReportedContentKind, str], ...] = (("club", club), ("tournament", tournament))
    for kind, subject in subjects:
        request = ReportContent(f"r {kind}", kind, subject, " The name is an insult. ")
        assert await guest.request(request) == ContentReported(request.id, kind, subject)
        assert await guest.request(request) == ContentReported(request.id, kind, subject)
        own = await lea.expect_refused(request)
        assert (own.code, own.place) == ("bad_report", "$.subject")
        unknown = await mia.expect_refused(ReportContent("r", kind, "elsewhere", "text"))
        assert (unknown.code, unknown.place) == (f"unknown_{kind}", "$.subject")
        empty = await mia.expect_refused(ReportContent("e", kind, subject, " "))
        assert (empty.code, empty.place) == ("bad_text", "$.text")
    assert await node.database.reports.list_reports(9) == [
        StoredReport(
            subject, 1, lea.player, guest.player, node.clock(), "The name is an insult.", f"r {kind}", n, kind=kind
        )
        for n, (kind, subject) in reversed(list(enumerate(subjects, 1)))
    ]
    assert [one.subject for one in await node.database.reports.list_reports(9, about=club)] == [club]


async def test_private_club_is_reported_by_those_who_see_it_and_unknown_to_others(node: InMemoryServer) -> None:
    lea, mia, guest = (
        await connect_member(node, "Lea"),
        await connect_member(node, "Mia"),
        await node.connect_and_greet(),
    )
    club = await open_club(lea, visibility="private")
    await come_in(lea, club, mia)
    request = ReportContent("r1", "club", club, "text")
    assert (await guest.expect_refused(request)).code == "unknown_club"
    assert isinstance(await mia.request(request), ContentReported)


async def test_reports_of_content_count_as_reports(node: InMemoryServer) -> None:
    lea, guest = await connect_member(node, "Lea"), await node.connect_and_greet()
    club = await open_club(lea)
    for number in range(10):
        assert isinstance(await guest.request(ReportContent(f"r{number}", "club", club, "text")), ContentReported)
    refused = await guest.expect_refused(ReportContent("more", "club", club, "text"))
    assert refused.code == "too_many_reports"


async def test_report_too_many_reads_no_stream_and_one_sent_again_is_not_counted(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    lea, guest = await connect_member(node, "Lea"), await node.connect_and_greet()
    club = await open_club(lea)
    for number in range(10):
        await guest.request(ReportContent(f"r{number}", "club", club, "text"))
    reads = list[str]()

    async def read(finder: ContentFinder, kind: str, subject: str, viewer: str) -> None:
        reads.append(subject)

    monkeypatch.setattr(ContentFinder, "find_seen", read)
    assert (await guest.expect_refused(ReportContent("more", "club", club, "text"))).code == "too_many_reports"
    again = await guest.request(ReportContent("r3", "club", club, "text"))
    assert again == ContentReported("r3", "club", club)
    assert reads == []


# ---------------------------------------------------------------- operators


async def test_operator_closes_a_report(node: InMemoryServer) -> None:
    account = StoredAccount("ann-id", "Ann", "ann", "hash", 0)
    assert await node.database.accounts.register(account, StoredDevice("ann-id", "d", b"t", 0, 0))
    await Operators(node.database, node.clock).grant("Ann", "runs this server")
    await node.database.reports.add(REPORT)
    ann = Operators(node.database, node.clock, "Ann")
    with pytest.raises(ActRefused) as unauthorised:
        await Operators(node.database, node.clock, "Ben").close_report(1, "nothing")
    with pytest.raises(ActRefused) as unknown:
        await ann.close_report(7, "nothing")
    await ann.close_report(1, "warned")
    with pytest.raises(ActRefused) as closed:
        await ann.close_report(1, "again")
    codes = [refused.value.code for refused in (unauthorised, unknown, closed)]
    assert codes == ["not_operator", "unknown_report", "report_closed"]
    last = (await node.database.operator_acts.read_back(1))[0]
    assert (last.kind, last.target, last.reason, last.detail) == ("close_report", "ben", "warned", "report 1")
