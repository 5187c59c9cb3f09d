"""Ratings and statistics: what counts, what it changes, and that a rebuild makes the same, over every database."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence

import pytest
from msgspec.structs import replace

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.messages.ratings import (
    ArmyStatistics,
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    GetRatingHistory,
    Leaderboard,
    LeaderboardEntry,
    PlayerStatistics,
    RatingChange,
    RatingHistory,
    RatingRequest,
)
from diskwars_server.community.ratings import RatingService
from diskwars_server.limits.rate_limits import RateLimit
from diskwars_server.refusals import Refusal
from diskwars_server.store.accounts import StoredAccount, StoredDevice
from diskwars_server.store.database import Database
from diskwars_server.store.match_index import Listing
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.store.rated_matches import DAY_MS, RATED_MATCHES_PER_PAIR_PER_DAY
from diskwars_server.store.rating_model import MODEL_VERSION
from diskwars_server.store.rating_tally import CountedMatch, RatingTally
from diskwars_server.store.ratings import StoredResults
from diskwars_server.upkeep.rating_loop import RatingLoop
from tests.server.conftest import MakeDatabase
from tests.server.in_memory_server import InMemoryServer
from tests.server.stored_samples import make_append, store_bodies, store_played

ANN, BEN, CAT, DAN = "ann", "ben", "cat", "dan"
RATED = MatchOptions(rated=True)


def ended(match: str, at: int, *seats: str, winners: Sequence[int] = (0,), **fields: object) -> Listing:
    result = Result("elimination", tuple(winners))
    players = seats or (ANN, BEN)
    listing = Listing(match, "diskwars", "ended", players, ANN, at, at, result, RATED, records=10)
    return replace(listing, **fields)


async def register(database: Database, player: str, created: int = 0) -> None:
    account = StoredAccount(player, player.capitalize(), player, "hash", created)
    assert await database.accounts.register(account, StoredDevice(player, "d", player.encode(), 0, 0))


async def store(database: Database, *listings: Listing) -> None:
    for listing in listings:
        await store_played(database, listing)


@pytest.fixture
async def players(database: Database) -> Database:
    for player in (ANN, BEN, CAT):
        await register(database, player)
    return database


async def counts(database: Database, player: str) -> tuple[int, int, int, int]:
    found = await database.ratings.list_ratings(player)
    if not found:
        return 0, 0, 0, 0
    (one,) = found
    return one.games, one.wins, one.losses, one.draws


async def test_winner_rises_and_loser_falls(players: Database) -> None:
    await store(players, ended("m", 5))
    assert await players.ratings.count_ended(100) == 1
    (ann,), (ben,) = [await players.ratings.list_ratings(player) for player in (ANN, BEN)]
    assert ann.shown > 0 > ben.shown
    assert ann.shown == round(1000 * (ann.mu - 3 * ann.sigma)) == 2477
    assert (await counts(players, ANN), await counts(players, BEN)) == ((1, 1, 0, 0), (1, 0, 1, 0))


async def test_draw_moves_equal_players_not_apart(players: Database) -> None:
    await store(players, ended("m", 5, winners=()))
    await players.ratings.count_ended(100)
    (ann,), (ben,) = [await players.ratings.list_ratings(player) for player in (ANN, BEN)]
    assert ann.shown == ben.shown
    assert await counts(players, ANN) == (1, 0, 0, 1)


@pytest.mark.parametrize(
    "listing",
    [
        ended("m", 5, ANN, "a-guest"),
        ended("m", 5, ANN, "bot-greedy-1"),
        ended("m", 5, ANN, DAN),
        ended("m", 5, result=Result("abandoned")),
        ended("m", 5, result=Result("closed")),
        ended("m", 5, ANN),
        ended("m", 5, status="running", result=None),
    ],
    ids=["guest", "bot", "registered later", "abandoned", "closed", "alone", "running"],
)
async def test_match_that_does_not_count_changes_nothing(players: Database, listing: Listing) -> None:
    await register(players, DAN, created=6)
    await store(players, listing)
    await players.ratings.count_ended(100)
    assert await counts(players, ANN) == (0, 0, 0, 0)
    assert await players.ratings.list_player_results(ANN, 10) == []
    assert await players.ratings.list_army_results("diskwars", 10) == []
    assert await players.ratings.rebuild(False) == (0, [])


async def test_unrated_match_counts_for_statistics_only(players: Database) -> None:
    await store(players, ended("m", 5, match_options=MatchOptions(), armies=("empire-patrol", None)))
    await players.ratings.count_ended(100)
    assert await counts(players, ANN) == (0, 0, 0, 0)
    assert await players.ratings.list_player_results(ANN, 10) == [
        StoredResults("diskwars", ANN, "empire-patrol", 1, 1, 0, 0, 0, 10)
    ]


async def test_results_of_armies_add_points_and_records(players: Database) -> None:
    armies = ("empire-patrol", "chaos-patrol")
    await store(
        players,
        ended("a", 5, armies=armies, result=Result("points", (0,), (12, 7))),
        ended("b", 6, BEN, CAT, armies=armies, result=Result("points", (1,), (3, 4)), records=20),
        ended("c", 7, ruleset="pit", armies=()),
    )
    await players.ratings.count_ended(100)
    assert await players.ratings.list_army_results("diskwars", 10) == [
        StoredResults("diskwars", "", "chaos-patrol", 2, 1, 1, 0, 11, 30),
        StoredResults("diskwars", "", "empire-patrol", 2, 1, 1, 0, 15, 30),
    ]
    assert await players.ratings.list_army_results("diskwars", 1) == [
        StoredResults("diskwars", "", "chaos-patrol", 2, 1, 1, 0, 11, 30)
    ]
    assert await players.ratings.list_player_results(BEN, 10) == [
        StoredResults("diskwars", BEN, "chaos-patrol", 1, 0, 1, 0, 7, 10),
        StoredResults("diskwars", BEN, "empire-patrol", 1, 0, 1, 0, 3, 20),
        StoredResults("pit", BEN, "", 1, 0, 1, 0, 0, 10),
    ]


def many(count: int) -> list[Listing]:
    seats = ((ANN, BEN), (BEN, CAT), (CAT, ANN), (ANN, BEN, CAT))
    winners = ((0,), (1,), (), (2,))
    return [ended(f"m{n}", 5 + n // 2 * DAY_MS, *seats[n % 4], winners=winners[n // 2 % 4]) for n in range(count)]


async def test_batches_and_a_rebuild_make_the_same(players: Database) -> None:
    await store(players, *many(13))
    assert [await players.ratings.count_ended(5) for _ in range(4)] == [5, 5, 3, 0]
    whole = RatingTally()
    for listing in sorted(many(13), key=lambda one: (one.updated_ms, one.match)):
        assert listing.result is not None
        seats = tuple(player for player in listing.seats if player)
        whole.add(CountedMatch(listing.match, listing.ruleset, seats, listing.result, True, (), 10))
    found = [one for player in (ANN, BEN, CAT) for one in await players.ratings.list_ratings(player)]
    assert found == [whole.ratings["diskwars", player] for player in (ANN, BEN, CAT)]
    assert await players.ratings.rebuild(True) == (13, [])


async def test_account_that_is_deleted_changes_no_rating_and_leaves_the_board(players: Database) -> None:
    await store(players, *many(24))
    await players.ratings.count_ended(100)
    before = await players.ratings.leaderboard("diskwars", 10)
    assert {one.name for one in before} == {"Ann", "Ben", "Cat"}
    assert await players.accounts.delete(BEN, "hash")
    after = await players.ratings.leaderboard("diskwars", 10)
    assert after == [one for one in before if one.rating.player != BEN]
    assert await players.ratings.rebuild(False) == (24, [])


async def test_board_has_those_with_five_rated_games_highest_first_in_pages(players: Database) -> None:
    await register(players, DAN)
    games = [ended(f"m{n}", n, ANN, BEN) for n in range(4)]
    await store(players, *games, ended("n", 9, ANN, CAT), ended("o", 10, CAT, BEN, winners=(1,)))
    await store(players, *(ended(f"p{n}", (20 + n) * DAY_MS, CAT, DAN) for n in range(5)))
    await players.ratings.count_ended(100)
    board = await players.ratings.leaderboard("diskwars", 10)
    assert {one.rating.player: one.rating.games for one in board} == {ANN: 5, BEN: 5, CAT: 7, DAN: 5}
    shown = [one.rating.shown for one in board]
    assert shown == sorted(shown, reverse=True)
    first = await players.ratings.leaderboard("diskwars", 2)
    last = first[-1].rating
    assert first + await players.ratings.leaderboard("diskwars", 9, (last.shown, last.player)) == board
    assert await players.ratings.leaderboard("pit", 10) == []
    await store(players, *(ended(f"q{n}", (40 + n) * DAY_MS, ANN, CAT, ruleset="pit") for n in range(4)))
    await players.ratings.count_ended(100)
    assert await players.ratings.leaderboard("pit", 10) == []


async def test_bots_have_a_board_of_their_own(players: Database) -> None:
    assert await players.accounts.mark_as_bot(BEN)
    await store(players, *many(24))
    await players.ratings.count_ended(100)
    people = await players.ratings.leaderboard("diskwars", 10)
    bots = await players.ratings.leaderboard("diskwars", 10, bots=True)
    assert {one.rating.player for one in people} == {ANN, CAT}
    assert [one.rating.player for one in bots] == [BEN]


async def test_two_nodes_count_every_match_once(make_database: MakeDatabase) -> None:
    async with make_database() as one, make_database() as other:
        for player in (ANN, BEN, CAT):
            await register(one, player)
        await store(one, *many(12))
        async with asyncio.timeout(40):
            while True:
                looked_at = await asyncio.gather(one.ratings.count_ended(2), other.ratings.count_ended(2))
                if not any(looked_at):
                    break
        assert await one.ratings.rebuild(False) == (12, [])
        assert (await other.ratings.list_ratings(ANN))[0].games == 9


OPENED = b'{"events":[{"type":"match_opened"}]}'
SET_UP = (OPENED, b'{"seat":0,"decision":"1.0","events":[{"type":"step_began"}]}', b'{"seat":1,"decision":"1.1"}')
ROUND = b'{"seat":0,"decision":"3.0","events":[{"type":"round_began","round":1}]}'
ANSWERED = (b'{"seat":0,"decision":"4.0"}', b'{"seat":1,"decision":"4.1"}')
OFFER, AGREED = b'{"seat":0,"action":{"type":"offer"}}', b'{"seat":1,"action":{"type":"answer_offer"}}'


@pytest.mark.parametrize(
    ("bodies", "is_rated"),
    [
        ((*SET_UP, OFFER, AGREED), False),
        ((*SET_UP, ROUND, OFFER, AGREED), False),
        ((*SET_UP, ROUND, ANSWERED[0], OFFER, AGREED), False),
        ((*SET_UP, ROUND, ANSWERED[0], b'{"seat":1,"actor":"house","decision":"4.1"}', OFFER, AGREED), False),
        ((*SET_UP, ROUND, *ANSWERED, OFFER, AGREED), True),
        ((*SET_UP, ROUND, *[ANSWERED[0]] * 250, ANSWERED[1], OFFER, AGREED), True),
    ],
    ids=["in the set-up", "before an answer", "one answered", "the house answered", "both answered", "late answer"],
)
async def test_draw_is_rated_once_every_seat_has_answered_in_play(
    players: Database, bodies: tuple[bytes, ...], is_rated: bool
) -> None:
    await store_bodies(players, ended("m", 5, winners=(), result=Result("agreement")), *bodies)
    assert await players.ratings.count_ended(10) == 1
    assert await counts(players, ANN) == ((1, 0, 0, 1) if is_rated else (0, 0, 0, 0))
    assert [one.games for one in await players.ratings.list_player_results(ANN, 10)] == [1]


@pytest.mark.parametrize(
    ("bodies", "is_rated"),
    [(SET_UP, False), ((*SET_UP, ROUND), True), ((*SET_UP, ROUND, ANSWERED[0]), True)],
    ids=["in the set-up", "before an answer", "before an own answer"],
)
async def test_player_who_leaves_once_the_first_round_has_begun_loses(
    players: Database, bodies: tuple[bytes, ...], is_rated: bool
) -> None:
    resigned = b'{"seat":1,"action":{"type":"resign"}}'
    await store_bodies(players, ended("m", 5, result=Result("resignation", (0,))), *bodies, resigned)
    assert await players.ratings.count_ended(10) == 1
    assert await counts(players, BEN) == ((1, 0, 1, 0) if is_rated else (0, 0, 0, 0))


async def test_winner_gains_nothing_by_players_who_leave_without_an_answer(players: Database) -> None:
    """Else twelve matches against friends who resign at once, in a second, would be the top of the leaderboard."""
    resigned = b'{"seat":1,"action":{"type":"resign"}}'
    won = Result("resignation", (0,))
    await store_bodies(players, ended("m", 5, result=won), *SET_UP, ROUND, ANSWERED[0], resigned)
    assert await players.ratings.count_ended(10) == 1
    assert await players.ratings.list_ratings(ANN) == []
    assert await counts(players, BEN) == (1, 0, 1, 0)
    assert [(one.games, one.wins) for one in await players.ratings.list_player_results(ANN, 10)] == [(1, 1)]
    assert await players.ratings.rebuild(False) == (1, [])
    # Once the other has answered in play, it was a match.
    await store_bodies(players, ended("n", 6, result=won), *SET_UP, ROUND, *[ANSWERED[0]] * 250, ANSWERED[1], resigned)
    assert await players.ratings.count_ended(10) == 1
    assert await counts(players, ANN) == (1, 1, 0, 0)
    assert await players.ratings.rebuild(False) == (2, [])


@pytest.mark.parametrize("is_rated", [True, False])
async def test_player_who_left_what_the_others_drew_has_lost_it(players: Database, is_rated: bool) -> None:
    resigned = b'{"seat":2,"action":{"type":"resign"},"events":[{"type":"seat_resigned","seat":2}]}'
    drawn = ended("m", 5, ANN, BEN, CAT, winners=(), match_options=MatchOptions(rated=is_rated))
    await store_bodies(players, drawn, *SET_UP, ROUND, *ANSWERED, *[ANSWERED[0]] * 250, resigned)
    assert await players.ratings.count_ended(10) == 1
    for player, outcome in ((ANN, (1, 0, 0, 1)), (BEN, (1, 0, 0, 1)), (CAT, (1, 0, 1, 0))):
        assert await counts(players, player) == (outcome if is_rated else (0, 0, 0, 0))
        (results,) = await players.ratings.list_player_results(player, 10)
        assert (results.games, results.wins, results.losses, results.draws) == outcome
    assert await players.ratings.rebuild(False) == (1, [])


async def test_two_players_have_a_bounded_number_of_rated_matches_a_day(players: Database) -> None:
    await store(players, *(ended(f"a{n:02}", 5 + n) for n in range(20)))
    await store(players, ended("b", 40, CAT, ANN), ended("c", 50, ANN, BEN, ruleset="pit"))
    while await players.ratings.count_ended(3):
        pass
    (ann, pit), (ben, _) = [await players.ratings.list_ratings(player) for player in (ANN, BEN)]
    assert (ann.games, ben.games, pit.games) == (RATED_MATCHES_PER_PAIR_PER_DAY + 1, RATED_MATCHES_PER_PAIR_PER_DAY, 1)
    assert [one.games for one in await players.ratings.list_player_results(BEN, 10)] == [20, 1]
    await store(players, ended("d", 4 + DAY_MS), ended("e", 5 + DAY_MS))
    await players.ratings.count_ended(10)
    assert (await players.ratings.list_ratings(BEN))[0].games == RATED_MATCHES_PER_PAIR_PER_DAY + 1
    assert await players.ratings.rebuild(False) == (24, [])


async def test_twenty_draws_of_two_players_in_a_day_put_nobody_on_the_board(players: Database) -> None:
    await store(players, *(ended(f"a{n:02}", 5 + n, winners=()) for n in range(20)))
    await players.ratings.count_ended(100)
    assert await players.ratings.leaderboard("diskwars", 10) == []


async def test_ratings_of_an_older_model_are_made_again_in_batches(players: Database) -> None:
    await store(players, *many(13))
    while await players.ratings.count_ended(5):
        pass
    before = [await players.ratings.list_ratings(player) for player in (ANN, BEN, CAT)]
    await store(players, ended("guest", 6, ANN, "a-guest"))
    newer = MODEL_VERSION + 1
    looked_at = [await players.ratings.count_ended(5, newer)]
    assert [await players.ratings.list_ratings(player) for player in (ANN, BEN, CAT)] == before, "readers have the old"
    while batch := await players.ratings.count_ended(5, newer):
        looked_at.append(batch)
    assert max(looked_at) == 5
    assert [await players.ratings.list_ratings(player) for player in (ANN, BEN, CAT)] == before
    assert await players.ratings.rebuild(False) == (13, [])
    await store(players, ended("late", 20 * DAY_MS))
    assert await players.ratings.count_ended(5) == 0, "this model is older than that of the stored ratings"
    assert await players.ratings.count_ended(5, newer) == 1


async def test_changes_of_a_rating_are_kept_and_made_again_by_rebuild_and_model(players: Database) -> None:
    await store(players, *many(13))
    while await players.ratings.count_ended(5):
        pass
    before = await players.ratings.list_rating_changes("diskwars", ANN, 100)
    (rating,) = await players.ratings.list_ratings(ANN)
    assert (len(before), before[0].shown) == (rating.games, rating.shown)
    assert [change.ordinal for change in before] == sorted((change.ordinal for change in before), reverse=True)
    after = await players.ratings.list_rating_changes("diskwars", ANN, 2, before[1].ordinal)
    assert after == before[2:4]
    while await players.ratings.count_ended(5, MODEL_VERSION + 1):
        pass
    assert await players.ratings.list_rating_changes("diskwars", ANN, 100) == before
    assert await players.ratings.rebuild(True) == (13, [])
    assert await players.ratings.list_rating_changes("diskwars", ANN, 100) == before
    assert await players.ratings.list_rating_changes("pit", ANN, 100) == []


async def test_match_under_way_is_counted_once_it_has_ended(players: Database) -> None:
    running = ended("m", 5, status="running", result=None)
    await players.events.append(make_append("m", listing=running))
    assert await players.ratings.count_ended(10) == 0
    await players.events.append(make_append("m", 1, listing=ended("m", 6)))
    assert await players.ratings.count_ended(10) == 1
    assert [one.wins for one in await players.ratings.list_player_results(ANN, 10)] == [1]


# ---------------------------------------------------------------- requests


@pytest.fixture
async def node() -> AsyncIterator[InMemoryServer]:
    async with rated_server() as server:
        yield server


@contextlib.asynccontextmanager
async def rated_server(bot: str | None = None) -> AsyncIterator[InMemoryServer]:
    """Run a server on which three players have rated matches, one of them perhaps a bot."""
    async with MemoryDatabase() as database:
        for player in (ANN, BEN, CAT):
            await register(database, player)
        if bot is not None:
            assert await database.accounts.mark_as_bot(bot)
        await store(database, *(replace(one, ruleset="counting") for one in many(24)))
        await database.ratings.count_ended(100)
        server = InMemoryServer(database)
        yield server
        await server.matches.close()


async def test_leaderboard_comes_in_pages(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    found: list[LeaderboardEntry] = []
    page = None
    for number in range(2):
        answer = await guest.request(GetLeaderboard(f"l{number}", "counting", page, limit=2))
        assert isinstance(answer, Leaderboard)
        found += answer.entries
        page = answer.next_page
    assert page is None
    assert [(one.place, one.games) for one in found] == [(1, 18), (2, 18), (3, 18)]
    assert {one.name for one in found} == {"Ann", "Ben", "Cat"}
    assert all(one.games == one.wins + one.losses + one.draws for one in found)


async def test_leaderboard_of_bots_counts_places_of_its_own() -> None:
    async with rated_server(bot=BEN) as node:
        guest = await node.connect_and_greet()
        people = await guest.request(GetLeaderboard("l1", "counting"))
        bots = await guest.request(GetLeaderboard("l2", "counting", bots="only"))
    assert isinstance(people, Leaderboard)
    assert isinstance(bots, Leaderboard)
    assert {(one.name, one.is_bot) for one in people.entries} == {("Ann", False), ("Cat", False)}
    assert [(one.place, one.name, one.is_bot) for one in bots.entries] == [(1, "Ben", True)]


async def test_statistics_are_found_by_id_and_by_name(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    by_id = await guest.request(GetPlayerStatistics("s1", PlayerId(ANN)))
    by_name = await guest.request(GetPlayerStatistics("s1", player_name="ANN"))
    assert isinstance(by_id, PlayerStatistics)
    assert by_id == by_name
    assert (by_id.name, by_id.kind, by_id.ratings[0].games, by_id.armies[0].games) == ("Ann", "registered", 18, 18)
    own = await guest.request(GetPlayerStatistics("s3"))
    assert isinstance(own, PlayerStatistics)
    assert (own.player, own.kind, own.ratings, own.armies) == (guest.player, "guest", (), ())
    armies = await guest.request(GetArmyStatistics("s4", "counting"))
    assert isinstance(armies, ArmyStatistics)
    assert [one.games for one in armies.armies] == [54]


async def test_history_goes_on_page_by_page_and_ends_with_the_rating(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    statistics = await guest.request(GetPlayerStatistics("s1", PlayerId(ANN)))
    assert isinstance(statistics, PlayerStatistics)
    changes, page, pages = list[RatingChange](), None, 0
    while page is not None or not pages:
        answer = await guest.request(GetRatingHistory(f"h{pages}", "counting", PlayerId(ANN), page, 5))
        assert isinstance(answer, RatingHistory)
        changes, page, pages = [*changes, *answer.changes], answer.next_page, pages + 1
    rating = statistics.ratings[0]
    assert (len(changes), pages) == (rating.games, 4)
    assert (changes[0].rating, changes[0].uncertainty) == (rating.rating, rating.uncertainty)
    assert [change.ended_ms for change in changes] == sorted((change.ended_ms for change in changes), reverse=True)
    assert len({change.match for change in changes}) == rating.games


async def test_history_names_a_match_by_link_to_its_players_alone(players: Database) -> None:
    by_link = MatchOptions(rated=True, visibility="link")
    listing = ended("hidden", 5, ANN, BEN, opener=BEN, ruleset="counting", match_options=by_link)
    await store(players, listing, ended("open", 9, ANN, BEN, ruleset="counting"))
    await players.ratings.count_ended(10)
    server = InMemoryServer(players)
    user = server.connect().session.user
    service = RatingService(
        players.ratings, players.accounts, players.matches, ("counting",), server.clock, server.clock
    )
    get_history = next(row.answer for row in service.handlers() if row.request is GetRatingHistory)
    shown = {}
    for viewer in (ANN, BEN, CAT, ""):
        user.player = PlayerId(viewer)
        answer = await get_history(user, GetRatingHistory("h", "counting", PlayerId(ANN)))
        assert isinstance(answer, RatingHistory)
        shown[viewer] = [change.match for change in answer.changes]
    assert shown == {ANN: ["open", "hidden"], BEN: ["open", "hidden"], CAT: ["open", None], "": ["open", None]}
    await server.matches.close()


async def test_own_history_of_a_guest_is_empty(node: InMemoryServer) -> None:
    guest = await node.connect_and_greet()
    answer = await guest.request(GetRatingHistory("h", "counting"))
    assert answer == RatingHistory("h", guest.player, "counting")


async def test_deleted_player_keeps_figures_without_a_name(node: InMemoryServer) -> None:
    await node.database.accounts.delete(ANN, "hash")
    guest = await node.connect_and_greet()
    answer = await guest.request(GetPlayerStatistics("s1", PlayerId(ANN)))
    assert isinstance(answer, PlayerStatistics)
    assert (answer.name, answer.kind, answer.ratings[0].games) == ("deleted", "deleted", 18)
    board = await guest.request(GetLeaderboard("l", "counting"))
    assert isinstance(board, Leaderboard)
    assert [one.name for one in board.entries if one.player == ANN] == []


@pytest.mark.parametrize(
    ("request_", "code", "place"),
    [
        (GetLeaderboard("x", "chess"), "unknown_ruleset", "$.ruleset"),
        (GetArmyStatistics("x", "chess"), "unknown_ruleset", "$.ruleset"),
        (GetLeaderboard("x", "counting", "1.2"), "bad_page", "$.page"),
        (GetRatingHistory("x", "chess"), "unknown_ruleset", "$.ruleset"),
        (GetRatingHistory("x", "counting", None, "0"), "bad_page", "$.page"),
        (GetLeaderboard("x", "counting", "0.5.ann"), "bad_page", "$.page"),
        (GetPlayerStatistics("x", PlayerId(ANN), "Ann"), "bad_search", "$.player_name"),
        (GetPlayerStatistics("x", player_name="Nobody"), "unknown_player", "$.player_name"),
    ],
)
async def test_nonsense_is_refused_with_its_place(
    node: InMemoryServer, request_: RatingRequest, code: str, place: str
) -> None:
    guest = await node.connect_and_greet()
    refused = await guest.expect_refused(request_)
    assert (refused.code, refused.place) == (code, place)


async def test_requests_are_limited_by_address(node: InMemoryServer) -> None:
    ratings = node.database.ratings
    accounts, matches = node.database.accounts, node.database.matches
    service = RatingService(ratings, accounts, matches, ("counting",), node.clock, node.clock, RateLimit(2, 60_000))
    request = GetLeaderboard("x", "counting")
    ann, ben, carl = [node.connect(address=f"203.0.113.{number}").session.user for number in (5, 5, 6)]
    for _ in range(2):
        await service.get_leaderboard(ann, request)
    with pytest.raises(Refusal) as refused:
        await service.get_leaderboard(ben, request)
    assert (refused.value.code, refused.value.retry_after_ms) == ("too_many_searches", 30_000)
    await service.get_leaderboard(carl, request)


async def test_loop_outlives_an_outage() -> None:
    database = MemoryDatabase()
    waits = asyncio.Queue[float]()

    async def sleep(seconds: float) -> None:
        waits.put_nowait(seconds)
        await asyncio.sleep(0)

    loop = asyncio.create_task(RatingLoop(database.ratings, sleep).run())
    async with asyncio.timeout(40):
        await waits.get()
        await database.open()
        for player in (ANN, BEN):
            await register(database, player)
        await store(database, ended("m", 5))
        while not await database.ratings.list_ratings(ANN):
            await waits.get()
    loop.cancel()
    await asyncio.wait([loop])
    assert loop.cancelled()


async def test_ladder_has_the_rated_matches_of_its_time_and_every_player_wanted(players: Database) -> None:
    unrated = replace(ended("unrated", 6), match_options=MatchOptions())
    await store(
        players,
        ended("early", 4),
        ended("first", 5, winners=(1,)),
        ended("drawn", 6, BEN, CAT, winners=()),
        ended("three", 7, ANN, BEN, CAT, winners=(2,)),
        ended("late", 8),
        ended("other", 6, ruleset="pit"),
        unrated,
    )
    await players.ratings.count_ended(100)

    rows = await players.ratings.list_ladder("diskwars", [ANN, BEN, "nobody"], 5, 8)

    assert {row.player: (row.wins, row.draws, row.losses) for row in rows} == {
        ANN: (0, 0, 2),
        BEN: (1, 1, 1),
        "nobody": (0, 0, 0),
    }
    ratings = [rating.shown for rating in await players.ratings.list_ratings(ANN) if rating.ruleset == "diskwars"]
    shown = {row.player: row.shown for row in rows}
    assert [shown[ANN], shown["nobody"]] == [*ratings, None]
    assert await players.ratings.list_ladder("diskwars", [], 0, 10) == []
