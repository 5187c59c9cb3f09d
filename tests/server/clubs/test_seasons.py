"""Seasons of clubs end by themselves, once, with the standings of their time."""

import asyncio

from diskwars_protocol.clubs.events import SeasonRow
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.clubs import (
    BeginSeasonAct,
    CloseClubAct,
    ClubLadder,
    EditClubAct,
    EndSeasonAct,
    GetClubLadder,
    LeaveClubAct,
)
from diskwars_server.bus.bus import LocalBus
from diskwars_server.clubs.ladders import KEPT_MS
from diskwars_server.clubs.seasons import LEASE_MS
from diskwars_server.clubs.streams import SETTLING_MS
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import Listing
from tests.server.clubs.club_clients import act, come_in, delete_account, open_club, raw_options, view
from tests.server.counting_ruleset import CountingRules
from tests.server.in_memory_server import InMemoryClient, InMemoryServer
from tests.server.stored_samples import store_played
from tests.server.tournaments.tournament_clients import connect_member, connect_members

HOUR_MS = 3_600_000


async def play(
    node: InMemoryServer, match: str, winner: InMemoryClient, loser: InMemoryClient, *, drawn: bool = False
) -> None:
    """Store a rated match that ends now, and count it."""
    now, seats = node.clock(), (winner.player, loser.player)
    result, options = Result("elimination", () if drawn else (0,)), MatchOptions(rated=True)
    listing = Listing(match, "counting", "ended", seats, winner.player, now, now, result, options, records=10)
    await store_played(node.database, listing)
    await node.database.ratings.count_ended(10)


async def begin(lea: InMemoryClient, *members: InMemoryClient, hours: int) -> str:
    """Return a club with a season that begins now."""
    club = await open_club(lea)
    await come_in(lea, club, *members)
    await act(lea, club, BeginSeasonAct("Autumn", lea.node.clock() + hours * HOUR_MS))
    return club


def results(rows: tuple[SeasonRow, ...]) -> dict[str, tuple[int, int, int]]:
    return {row.player: (row.wins, row.draws, row.losses) for row in rows}


async def test_season_ends_in_time_with_the_matches_of_its_time(database: Database) -> None:
    node = InMemoryServer(database)
    lea, mia, ole = await connect_members(node, "Lea", "Mia", "Ole")
    await play(node, "before", ole, mia)
    node.clock.now += 1
    club = await begin(lea, mia, ole, hours=2)
    await play(node, "first", mia, lea)
    node.clock.now += HOUR_MS
    await play(node, "second", mia, ole, drawn=True)
    node.clock.now += HOUR_MS
    await play(node, "after", ole, mia)

    await node.clubs.seasons.step()
    assert (await view(lea, club)).seasons[0].ended_ms is None, "its last matches may not be counted yet"
    node.clock.now += SETTLING_MS
    await node.clubs.seasons.step()
    await node.clubs.seasons.step()

    shown = await view(lea, club)
    (season,) = shown.seasons
    assert season.ended_ms == node.clock()
    assert results(season.standings) == {mia.player: (1, 1, 0), ole.player: (0, 1, 0), lea.player: (0, 0, 1)}
    ratings = [row.rating for row in season.standings]
    assert None not in ratings
    assert ratings == sorted(ratings, key=lambda rating: -(rating or 0))
    await node.matches.close()


async def test_view_has_the_first_rows_of_standings_and_a_request_all(node: InMemoryServer) -> None:
    clients = await connect_members(node, "Lea", "Mia", "Ole", "Pia")
    club = await begin(*clients, hours=1)
    running = await clients[0].expect_refused(GetClubLadder("r", club, 1))
    ended = await act(clients[0], club, EndSeasonAct())

    kept = await clients[0].request(GetClubLadder("k", club, 1))

    assert isinstance(kept, ClubLadder)
    assert (running.code, len(kept.rows)) == ("no_season", 4)
    assert ended.seasons[0].standings == kept.rows[:3]


async def test_ladder_without_a_season_is_of_all_time_and_of_members_only(node: InMemoryServer) -> None:
    lea, mia, ole = await connect_members(node, "Lea", "Mia", "Ole")
    club = await open_club(lea)
    await come_in(lea, club, mia)
    await play(node, "one", mia, ole)

    async def ladder() -> ClubLadder:
        answer = await lea.request(GetClubLadder(lea.id(), club))
        assert isinstance(answer, ClubLadder), answer
        return answer

    shown = await ladder()
    assert (shown.season, results(shown.rows)) == (None, {mia.player: (1, 0, 0), lea.player: (0, 0, 0)})
    assert [row.rating is None for row in shown.rows] == [False, True], "without a rating at the end"
    await play(node, "two", lea, mia)
    assert (await ladder()).rows == shown.rows, "kept for a while"
    node.clock.now += KEPT_MS
    assert results((await ladder()).rows) == {mia.player: (1, 0, 1), lea.player: (1, 0, 0)}


async def test_two_nodes_end_a_season_once(database: Database) -> None:
    bus = LocalBus()
    first = InMemoryServer(database, bus=bus)
    second = InMemoryServer(database, clock=first.clock, bus=bus)
    lea = await connect_member(first, "Lea")
    club = await begin(lea, hours=1)
    first.clock.now += HOUR_MS + SETTLING_MS
    # One has claimed the club and dies; the other works on it when the claim has ended.
    assert await database.clubs.claim_due(first.clock(), 16, LEASE_MS) == [club]
    await second.clubs.seasons.step()
    assert (await view(lea, club)).seasons[0].ended_ms is None
    first.clock.now += LEASE_MS

    await asyncio.gather(*(node.clubs.seasons._work_on(club) for node in (first, second)))

    shown = await view(lea, club)
    assert (len(shown.seasons), shown.seasons[0].ended_ms) == (1, first.clock())
    assert [record.actor for record in await database.clubs.read(club)] == [*3 * [lea.player], "house"]
    for node in (first, second):
        await node.matches.close()


async def test_season_ended_by_hand_and_that_of_a_closed_club_are_left_alone(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    ended, closed = await begin(lea, hours=1), await begin(lea, hours=1)
    await act(lea, ended, EndSeasonAct())
    await act(lea, closed, CloseClubAct())
    seqs = [(await view(lea, club)).seq for club in (ended, closed)]
    node.clock.now += HOUR_MS + SETTLING_MS

    await node.clubs.seasons.step()

    assert [(await view(lea, club)).seq for club in (ended, closed)] == seqs


async def test_options_edited_later_change_no_season(database: Database) -> None:
    node = InMemoryServer(database, rulesets={"counting": CountingRules(), "other": CountingRules()})
    lea, mia = await connect_members(node, "Lea", "Mia")
    club = await begin(lea, mia, hours=1)
    await play(node, "one", mia, lea)
    await act(lea, club, EditClubAct("Thursday Club", raw_options(ruleset="other")))

    async def ladder(season: int | None = None) -> ClubLadder:
        answer = await lea.request(GetClubLadder(lea.id(), club, season))
        assert isinstance(answer, ClubLadder), answer
        return answer

    running = await ladder()
    await act(lea, club, EndSeasonAct())
    kept, all_time = await ladder(1), await ladder()

    assert [shown.ruleset for shown in (running, kept, all_time)] == ["counting", "counting", "other"]
    assert results(running.rows) == results(kept.rows) == {mia.player: (1, 0, 0), lea.player: (0, 0, 1)}
    assert results(all_time.rows) == {mia.player: (0, 0, 0), lea.player: (0, 0, 0)}
    await node.matches.close()


async def test_season_under_way_is_kept_when_the_club_closes_or_empties(node: InMemoryServer) -> None:
    lea, mia = await connect_members(node, "Lea", "Mia")
    closed, left, deleted = await begin(lea, mia, hours=1), await begin(lea, hours=1), await begin(mia, hours=1)
    await play(node, "one", mia, lea)

    await act(lea, closed, CloseClubAct())
    await act(lea, left, LeaveClubAct())
    await delete_account(mia)

    standings = {}
    for club in (closed, left, deleted):
        shown = await view(lea, club)
        assert (shown.status, shown.seasons[0].ended_ms) == ("closed", node.clock())
        standings[club] = results(shown.seasons[0].standings)
    assert standings[closed] == {mia.player: (1, 0, 0), lea.player: (0, 0, 1)}
    assert standings[left] == {lea.player: (0, 0, 1)}
    assert list(standings[deleted]) == [mia.player]


async def test_club_that_cannot_be_read_keeps_no_other_back(node: InMemoryServer) -> None:
    lea = await connect_member(node, "Lea")
    broken, sound = await begin(lea, hours=1), await begin(lea, hours=1)
    load = node.clubs.streams.load

    async def load_or_fail(club: str) -> object:
        if club == broken:
            raise ValueError("unreadable")
        return await load(club)

    node.clubs.streams.load = load_or_fail  # type: ignore[method-assign, assignment]
    node.clock.now += HOUR_MS + SETTLING_MS
    await node.clubs.seasons.step()
    node.clubs.streams.load = load  # type: ignore[method-assign]

    assert (await view(lea, sound)).seasons[0].ended_ms == node.clock()
    assert (await view(lea, broken)).seasons[0].ended_ms is None
