"""The contract of the match index, over every database."""

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import BankClock, MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import MatchStatus
from diskwars_server.store.database import Database
from diskwars_server.store.errors import WrongVersion
from diskwars_server.store.event_log import StoredImport
from diskwars_server.store.match_index import HistoryQuery, ListFilter, Listing, fits
from tests.server.stored_samples import make_append, make_listing, make_record


async def test_a_listing_is_written_when_it_is_given_and_with_its_append_only(database: Database) -> None:
    await database.events.append(make_append("m"))
    assert await database.matches.list_matches() == []
    shown = Listing("m", "diskwars", "running", ("p1", None, "p'3\""), "p1", 5, 6)
    await database.events.append(make_append("m", 1, listing=shown))
    await database.events.append(make_append("m", 2))
    assert await database.matches.list_matches() == [shown]
    for expected in (0, 9):
        with pytest.raises(WrongVersion):
            await database.events.append(make_append("m", expected, listing=make_listing("m", 1)))
    assert await database.matches.list_matches() == [shown]
    ended = Listing("m", "diskwars", "ended", ("p1", "p2", "p'3\""), "p1", 5, 99, Result("points", (1,), (1, 2)))
    await database.events.append(make_append("m", 3, listing=ended))
    assert await database.matches.list_matches("ended") == [ended]
    assert await database.matches.list_matches("running") == []


async def test_a_players_unfinished_matches_are_those_they_opened_that_have_not_ended(database: Database) -> None:
    statuses: tuple[tuple[str, MatchStatus], ...] = (("a", "open"), ("b", "running"), ("c", "ended"))
    for match, status in statuses:
        await database.events.append(make_append(match, listing=make_listing(match, 5, status, "alice")))
    await database.events.append(make_append("d", listing=make_listing("d", 5, "open", "somebody else")))
    await database.events.append(make_append("d", 1))
    assert await database.matches.count_unfinished("alice") == 2
    assert await database.matches.count_unfinished("somebody else") == 1
    assert await database.matches.count_unfinished("nobody\0") == 0
    await database.events.append(make_append("a", 1, listing=make_listing("a", 5, "ended", "alice")))
    assert await database.matches.count_unfinished("alice") == 1


def listing_with(match: str, opener: str, *seats: str | None, status: MatchStatus = "running") -> Listing:
    return replace(make_listing(match, 5, status, opener), seats=seats)


async def test_unfinished_matches_with_bots_are_found_by_opener_the_oldest_first(database: Database) -> None:
    listings = (
        listing_with("a", "alice", "alice", "bot-greedy-b", "bot-random-c"),
        listing_with("b", "alice", None, "bot-greedy-b", status="open"),
        listing_with("c", "alice", "alice", "bot-greedy-b", status="ended"),
        listing_with("d", "alice", "alice", "robot", None),
        listing_with("e", "ben", "alice", "bot-greedy-b"),
    )
    for number, listing in enumerate(listings):
        opened = replace(listing, created_ms=20 - number)
        await database.events.append(make_append(listing.match, listing=opened))
    assert await database.matches.find_bot_matches("alice", 8) == ["b", "a"]
    assert await database.matches.find_bot_matches("alice", 1) == ["b"]
    assert await database.matches.find_bot_matches("ben", 8) == ["e"]
    assert await database.matches.find_bot_matches("nobody\0", 8) == []
    assert await database.matches.find_with_bots("", 10) == ["a", "b", "e"]


async def test_unfinished_matches_with_bots_are_found_in_pages(database: Database) -> None:
    for match in ("e", "b", "a", "d", "c"):
        listing = listing_with(match, "alice", "bot-greedy-a", None)
        await database.events.append(make_append(match, listing=listing))
    assert await database.matches.find_with_bots("", 2) == ["a", "b"]
    assert await database.matches.find_with_bots("b", 2) == ["c", "d"]
    assert await database.matches.find_with_bots("d", 2) == ["e"]
    assert await database.matches.find_with_bots("e", 2) == []


async def test_listings_come_newest_first_and_in_pages(database: Database) -> None:
    shown = [
        make_listing("a", 1),
        make_listing("b", 3, "ended"),
        make_listing("B", 3),
        make_listing("é", 3),
        make_listing("c", 2),
    ]
    for listing in shown:
        await database.events.append(make_append(listing.match, listing=listing))
    assert [listing.match for listing in await database.matches.list_matches()] == ["é", "b", "B", "c", "a"]
    assert [listing.match for listing in await database.matches.list_matches("open")] == ["é", "B", "c", "a"]
    pages: list[str] = []
    before: tuple[int, str] | None = None
    while page := await database.matches.list_matches(None, 2, before):
        pages += [listing.match for listing in page]
        before = (page[-1].created_ms, page[-1].match)
    assert pages == ["é", "b", "B", "c", "a"]


async def test_match_by_link_is_listed_for_its_opener_and_players_only(database: Database) -> None:
    by_link = MatchOptions(visibility="link", clock=PerDecisionClock(60))
    hidden = Listing("hidden", "diskwars", "open", ("p1", None, "p'2"), "host", 1, 1, match_options=by_link)
    shown = Listing("shown", "diskwars", "open", ("p9", None), "p9", 2, 2, match_options=MatchOptions(rated=True))
    for listing in (hidden, shown):
        await database.events.append(make_append(listing.match, listing=listing))
    for viewer in ("host", "p1", "p'2"):
        assert await database.matches.list_matches(viewer=viewer) == [shown, hidden]
    for viewer in ("stranger", "p", ""):
        assert await database.matches.list_matches(viewer=viewer) == [shown]
    assert await database.matches.list_matches() == [shown, hidden]


def seated(match: str, created: int, *seats: str | None, **more: object) -> Listing:
    fields: dict[str, object] = {"ruleset": "diskwars", "status": "open", "opener": "host"} | more
    return Listing(match=match, seats=seats, created_ms=created, updated_ms=created, **fields)  # type: ignore[arg-type]


async def test_lists_are_narrowed_alike_by_every_database(database: Database) -> None:
    shown = [
        seated("full", 1, "ann", "ben"),
        seated("free", 2, "ann", None, settings={"regiments": 2, "flank": True}, packs=("diskwars/core",)),
        seated("running", 3, "ben", "cid", status="running", match_options=MatchOptions(clock=BankClock(900))),
        seated("pit", 4, None, "cid", ruleset="pit", opener="ann"),
        seated("ended", 5, None, "ann", status="ended", match_options=MatchOptions(clock=PerDecisionClock(86_400))),
    ]
    for listing in shown:
        await database.events.append(make_append(listing.match, listing=listing))
    expected = {
        ListFilter(): ["ended", "pit", "running", "free", "full"],
        ListFilter(ruleset="pit"): ["pit"],
        ListFilter(player="ann"): ["ended", "free", "full"],
        ListFilter(own_of="ann"): ["ended", "pit", "free", "full"],
        ListFilter(has_free_seat=True): ["pit", "free"],
        ListFilter(player="cid", ruleset="diskwars"): ["running"],
        ListFilter(player="cid", own_of="ann"): ["pit"],
        ListFilter(player="nobody"): [],
        ListFilter(player="no\0body"): [],
        ListFilter(settings=(("regiments", 2),)): ["free"],
        ListFilter(settings=(("regiments", 2), ("flank", True))): ["free"],
        ListFilter(settings=(("regiments", 1),)): [],
        ListFilter(settings=(("flank", 1),)): [],
        ListFilter(settings=(("no\0thing", 1),)): [],
        ListFilter(pace="no_clock"): ["pit", "free", "full"],
        ListFilter(pace="live"): ["running"],
        ListFilter(pace="days"): ["ended"],
    }
    for wanted, matches in expected.items():
        assert [listing.match for listing in await database.matches.list_matches(wanted=wanted)] == matches, wanted
        assert [listing.match for listing in shown[::-1] if fits(listing, None, wanted)] == matches, wanted
    ann = ListFilter(player="ann")
    assert [listing.match for listing in await database.matches.list_matches("open", 1, None, "x", ann)] == ["free"]
    assert [listing.match for listing in await database.matches.list_matches("open", 1, (2, "free"), "x", ann)] == [
        "full"
    ]


async def test_narrowed_list_shows_no_match_by_link_to_others(database: Database) -> None:
    hidden = seated("hidden", 1, "ann", None, match_options=MatchOptions(visibility="link"))
    await database.events.append(make_append("hidden", listing=hidden))
    for wanted in (ListFilter(player="ann"), ListFilter(has_free_seat=True), ListFilter(own_of="ann")):
        assert await database.matches.list_matches(viewer="ben", wanted=wanted) == []
        assert await database.matches.list_matches(viewer="ann", wanted=wanted) == [hidden]


@pytest.mark.parametrize("player", ["o'neill", "back\\slash", "50%", "$1", ":name", 'quo"te', "-- ;"])
async def test_players_of_any_name_are_found_and_nobody_else(database: Database, player: str) -> None:
    for match, seat in (("own", player), ("other", "x")):
        listing = replace(listing_with(match, "opener", seat, status="ended"), result=Result("points", (0,)))
        await database.events.append(make_append(match, listing=listing))
    for wanted in (ListFilter(player=player), ListFilter(own_of=player)):
        listings = await database.matches.list_matches(viewer=player, wanted=wanted)
        assert [listing.match for listing in listings] == ["own"]
    page = await database.matches.search(HistoryQuery(player, player=player), 10)
    assert [listing.match for listing in page.listings] == ["own"]


async def test_matches_of_clubs_are_listed_by_club_and_in_no_list_of_others(database: Database) -> None:
    for number, club in enumerate(("c1", "c2", "c1", None)):
        options = MatchOptions(visibility="public" if club is None else "link", club=club)
        listing = replace(make_listing(f"m{number}", number, "open", "alice"), match_options=options)
        await database.events.append(make_append(listing.match, listing=listing))

    async def listed(viewer: str | None, *clubs: str) -> list[str]:
        wanted = ListFilter(clubs=clubs) if clubs else ListFilter()
        return [listing.match for listing in await database.matches.list_matches("open", 9, None, viewer, wanted)]

    assert await listed(None, "c1") == ["m2", "m0"]
    assert await listed(None, "c1", "c2") == ["m2", "m1", "m0"]
    assert await listed(None, "c\0") == []
    assert await listed("ben") == ["m3"]
    assert await listed("alice") == ["m3", "m2", "m1", "m0"]
    assert await database.matches.list_matches("open", 9, None, None, ListFilter(clubs=())) == []
    # What comes as a file may name any club: the members of that club did not open it.
    file = replace(make_listing("m9", 9, "open", "eve"), match_options=MatchOptions(club="c1"), imported=True)
    await database.events.import_match(StoredImport(file.match, [make_record(1)], file))
    assert await listed(None, "c1") == ["m2", "m0"]
    assert not fits(file, "open", ListFilter(clubs=("c1",)))


async def test_listings_are_found_by_their_ids(database: Database) -> None:
    shown = [seated("a", 1, "ann"), seated("b", 2, "ben")]
    for listing in shown:
        await database.events.append(make_append(listing.match, listing=listing))
    listings = await database.matches.find_listings(["b", "a", "none", "no\0ne"])
    assert sorted(listings, key=lambda listing: listing.match) == shown
    assert await database.matches.find_listings([]) == []


async def test_player_has_rated_matches_from_the_first_seat_in_one(database: Database) -> None:
    rated = replace(seated("a", 5, "ann", None), match_options=MatchOptions(rated=True))
    for listing in (rated, seated("c", 5, "ben", "cat")):
        await database.events.append(make_append(listing.match, listing=listing))
    found = [await database.matches.has_rated(player) for player in ("ann", "ben", "cat", "no\0body")]
    assert found == [True, False, False, False]
