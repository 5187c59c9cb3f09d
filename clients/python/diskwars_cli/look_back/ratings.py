"""The `leaderboard` and `ratings` verbs: the highest ratings, and whether what is stored is what a rebuild makes."""

from diskwars_cli.console.command import EXIT_FAULTS
from diskwars_cli.console.output import print_table
from diskwars_cli.look_back.stored_matches import run_with_store
from diskwars_cli.play.play import run_client
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.client import connect
from diskwars_protocol.messages.ratings import LeaderboardEntry
from diskwars_server.store.database import Database
from diskwars_server.store.rated_matches import RATED_MATCHES_PER_PAIR_PER_DAY
from diskwars_server.store.ratings import StoredRating

BATCH_MATCHES = 100
RULE = (
    "a game counts once its first round has begun, a draw once every seat has answered after that, "
    f"and {RATED_MATCHES_PER_PAIR_PER_DAY} a day between the same two players"
)
COLUMNS = ("place", "player", "rating", "±", "games", "won", "lost", "drawn")


def run_leaderboard(ruleset: str, *, url: str | None, limit: int, bots: bool, data: DataOptions) -> int:
    if url is not None:
        return run_client(_print_leaderboard_of_server(url, ruleset, limit, bots))

    async def job(database: Database) -> int:
        from diskwars_server.players.names import shown_name

        leaders = await database.ratings.leaderboard(ruleset, limit, bots=bots)
        rows: list[tuple[object, ...]] = [
            (
                place,
                shown_name(rated.name),
                rated.rating.shown,
                round(1000 * rated.rating.sigma),
                *_counts(rated.rating),
            )
            for place, rated in enumerate(leaders, 1)
        ]
        return _print_leaderboard(rows)

    return run_with_store(data, job)


async def _print_leaderboard_of_server(url: str, ruleset: str, limit: int, bots: bool) -> int:
    rows: list[tuple[object, ...]] = []
    async with connect(url) as client:
        async for entry in client.ratings.leaderboard(ruleset, bots=bots):
            rows.append((entry.place, entry.name, entry.rating, entry.uncertainty, *_counts(entry)))
            if len(rows) == limit:
                break
    return _print_leaderboard(rows)


def _counts(rating: StoredRating | LeaderboardEntry) -> tuple[int, int, int, int]:
    return rating.games, rating.wins, rating.losses, rating.draws


def _print_leaderboard(rows: list[tuple[object, ...]]) -> int:
    if rows:
        print_table(COLUMNS, [tuple(map(str, row)) for row in rows])
    else:
        print("nobody has played enough rated games")
    print(RULE)
    return 0


def run_ratings(*, rebuild: bool, data: DataOptions) -> int:
    async def job(database: Database) -> int:
        while await database.ratings.count_ended(BATCH_MATCHES):
            pass
        count, differences = await database.ratings.rebuild(rebuild)
        if not differences:
            print(f"{count} counted matches: ratings and statistics are those that they make")
            return 0
        print(f"{count} counted matches: ratings and statistics are not those that they make")
        for difference in differences:
            print(f"  {difference}")
        if rebuild:
            print("they were made again")
            return 0
        return EXIT_FAULTS

    return run_with_store(data, job)
