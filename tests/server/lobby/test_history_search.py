"""Ended matches are searched: by whom they were played, with what, when, how they ended and how long they are."""

from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.lists import MatchList, SearchMatches
from diskwars_server.limits.rate_limits import RateLimit
from diskwars_server.lobby.history_search import HistorySearch
from diskwars_server.refusals import Refusal
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import MAX_SCANNED_MATCHES, HistoryQuery, Listing
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match, play_match
from tests.server.stored_samples import make_append

ANN, BEN, CAT = "ann", "ben", "cat"


def ended(match: str, created: int, *seats: str, winner: int | None = 0, **fields: object) -> Listing:
    winners = () if winner is None else (winner,)
    listing = Listing(
        match,
        "diskwars",
        "ended",
        seats or (ANN, BEN),
        ANN,
        created,
        created + 1,
        Result("elimination", winners),
        armies=("empire-patrol", None),
        records=100 + created,
    )
    return replace(listing, **fields)


HISTORIES = (
    ended("a", 1),
    ended("b", 2, ANN, CAT, winner=1),
    ended("c", 3, BEN, CAT, winner=None, armies=("chaos-patrol", "empire-patrol")),
    ended("d", 4, ruleset="pit", armies=()),
    ended("e", 5, result=Result("resignation", (1,))),
    ended("f", 6, match_options=MatchOptions(visibility="link")),
    ended("closed", 7, result=Result("closed")),
    ended("running", 8, status="running", result=None),
)


async def fill(database: Database) -> None:
    for listing in HISTORIES:
        await database.events.append(make_append(listing.match, listing=listing))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (HistoryQuery(CAT), "edcba"),
        (HistoryQuery(BEN), "fedcba"),
        (HistoryQuery("nobody"), "edcba"),
        (HistoryQuery(None), "fedcba"),
        (HistoryQuery(ANN, player=ANN), "fedba"),
        (HistoryQuery(CAT, player=CAT), "cb"),
        (HistoryQuery(CAT, player=CAT, won=True), "b"),
        (HistoryQuery(CAT, player=CAT, won=False), "c"),
        (HistoryQuery(CAT, player=ANN, won=True), "da"),
        (HistoryQuery(CAT, player="nobody"), ""),
        (HistoryQuery(CAT, army="empire-patrol"), "ecba"),
        (HistoryQuery(CAT, army="chaos-patrol"), "c"),
        (HistoryQuery(CAT, army="no-such-army"), ""),
        (HistoryQuery(CAT, ruleset="pit"), "d"),
        (HistoryQuery(CAT, end_reason="resignation"), "e"),
        (HistoryQuery(CAT, end_reason="closed"), ""),
        (HistoryQuery(CAT, since_ms=2, until_ms=4), "dcb"),
        (HistoryQuery(CAT, min_records=103, max_records=104), "dc"),
        (HistoryQuery(ANN, player=ANN, army="empire-patrol", won=True, max_records=105), "a"),
    ],
)
async def test_search_finds_what_fits_everything_that_is_named(
    database: Database, query: HistoryQuery, found: str
) -> None:
    await fill(database)
    page = await database.matches.search(query, 100)
    assert ("".join(listing.match for listing in page.listings), page.next) == (found, None)


async def test_found_listing_is_whole(database: Database) -> None:
    await fill(database)
    (listing,) = (await database.matches.search(HistoryQuery(CAT, army="chaos-patrol"), 5)).listings
    assert listing == HISTORIES[2]


async def test_pages_follow_one_another(database: Database) -> None:
    await fill(database)
    found, before = "", None
    for _ in range(3):
        page = await database.matches.search(HistoryQuery(ANN), 2, before)
        found += "".join(listing.match for listing in page.listings)
        before = page.next
    assert (found, before) == ("fedcba", None)


async def test_search_looks_at_a_bounded_number_of_matches(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page may hold few matches, or none, and still lead to the next."""
    for module in ("memory.match_index", "postgres.match_index"):
        monkeypatch.setattr(f"diskwars_server.store.{module}.MAX_SCANNED_MATCHES", 3)
    await fill(database)
    first = await database.matches.search(HistoryQuery(CAT, player=ANN, max_records=101), 10)
    assert ([listing.match for listing in first.listings], first.next) == ([], (5, "e"))
    second = await database.matches.search(HistoryQuery(CAT, player=ANN, max_records=101), 10, first.next)
    assert ([listing.match for listing in second.listings], second.next) == (["a"], None)
    assert MAX_SCANNED_MATCHES == 1_000


async def test_matches_of_one_millisecond_are_found(database: Database) -> None:
    await fill(database)
    await database.events.append(make_append("e2", listing=ended("e2", 5)))
    assert sorted(await database.matches.find_ended_at(5)) == ["e", "e2"]
    assert await database.matches.find_ended_at(8) == []


# ---------------------------------------------------------------- requests


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with MemoryDatabase() as database:
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


async def searched(server: InMemoryServer, **fields: object) -> MatchList:
    request = SearchMatches("s1", **fields)  # type: ignore[arg-type]
    return await server.histories.search(PlayerId(CAT), "203.0.113.5", request)


@pytest.mark.parametrize(
    ("fields", "code", "place"),
    [
        ({"player": ANN, "player_name": "Ann"}, "bad_search", "$.player_name"),
        ({"won": True}, "bad_search", "$.won"),
        ({"since_ms": 5, "until_ms": 4}, "bad_search", "$.until_ms"),
        ({"min_records": 5, "max_records": 4}, "bad_search", "$.max_records"),
        ({"ruleset": "chess"}, "unknown_ruleset", "$.ruleset"),
        ({"player_name": "Nobody"}, "unknown_player", "$.player_name"),
        ({"page": "nonsense"}, "bad_page", "$.page"),
    ],
)
async def test_nonsense_is_refused_with_its_place(
    node: InMemoryServer, fields: dict[str, object], code: str, place: str
) -> None:
    with pytest.raises(Refusal) as refused:
        await searched(node, **fields)
    assert (refused.value.code, refused.value.place) == (code, place)


async def test_no_page_of_a_search_names_a_match_that_is_hidden(
    node: InMemoryServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("diskwars_server.store.memory.match_index.MAX_SCANNED_MATCHES", 3)
    hidden = MatchOptions(visibility="link")
    for match, created in (("seen1", 1), ("secret3", 5), ("secret2", 5), ("secret1", 5), ("seen2", 5), ("seen3", 6)):
        options = hidden if match.startswith("secret") else MatchOptions()
        listing = ended(match, created, match_options=options)
        await node.database.events.append(make_append(match, listing=listing))
    found: list[str] = []
    answer = await searched(node)
    found += [summary.match for summary in answer.matches]
    while answer.next_page is not None:
        assert "secret" not in answer.next_page
        answer = await searched(node, page=answer.next_page)
        found += [summary.match for summary in answer.matches]
    assert found == ["seen3", "seen2", "seen1"]
    assert (await searched(node, page="5." + "0" * 32)).matches[0].match == "seen1", "one that was removed"


async def test_searches_are_limited_by_address(node: InMemoryServer) -> None:
    server = node
    histories = HistorySearch(
        server.rules, server.services, server.database.matches, server.database.accounts, RateLimit(2, 60_000)
    )
    request = SearchMatches("s1")
    for _ in range(2):
        await histories.search(PlayerId(ANN), "203.0.113.5", request)
    with pytest.raises(Refusal) as refused:
        await histories.search(PlayerId(BEN), "203.0.113.5", request)
    assert refused.value.code == "too_many_searches"
    assert refused.value.retry_after_ms
    assert (await histories.search(PlayerId(BEN), "203.0.113.6", request)).matches == ()


async def test_match_is_found_by_its_players_once_it_has_ended(node: InMemoryServer) -> None:
    ann, ben, cat = [await node.connect_and_greet() for _ in range(3)]
    match = await begin_match(ann, ben)
    request = SearchMatches(cat.id(), player=ben.player)
    assert await cat.request(request) == MatchList(request.id, ())
    await play_match(ann, ben, match)
    found = await cat.request(SearchMatches(cat.id(), player=ben.player))
    assert isinstance(found, MatchList)
    (summary,) = found.matches
    heads = await node.database.events.heads([match])
    assert (summary.match, summary.status, summary.records) == (match, "ended", heads[match])
    refused = await cat.expect_refused(SearchMatches(cat.id(), won=False))
    assert (refused.code, refused.place) == ("bad_search", "$.won")
