"""The table of requests: the rows of every service, by the type of the request."""

from msgspec import Struct

from diskwars_server.bots.seats import BotSeats
from diskwars_server.community.bot_accounts import BotAccounts
from diskwars_server.community.chat import ChatService
from diskwars_server.community.ratings import RatingService
from diskwars_server.community.reported_content import ContentFinder
from diskwars_server.community.reports import ReportService
from diskwars_server.lobby.branches import Branches
from diskwars_server.lobby.challenges import ChallengeService
from diskwars_server.lobby.club_matches import ClubMatches
from diskwars_server.lobby.feed import LobbyFeed
from diskwars_server.lobby.history_search import HistorySearch
from diskwars_server.lobby.imports import MatchImports
from diskwars_server.lobby.lists import MatchLists
from diskwars_server.lobby.match_access import MatchAccess
from diskwars_server.lobby.opening import OpeningService
from diskwars_server.lobby.quick_matches import QuickMatches
from diskwars_server.lobby.rematches import Rematches
from diskwars_server.lobby.reviews import MatchReviews
from diskwars_server.lobby.watching import WatchService
from diskwars_server.matches.catalogue_requests import CatalogueRequests
from diskwars_server.matches.commands import IMMEDIATE_HANDLERS, MatchCommands
from diskwars_server.matches.grace_times import GraceTimes
from diskwars_server.matches.match_parts import MatchParts
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.services import Services
from diskwars_server.notices.notice_requests import NoticeService
from diskwars_server.players.accounts import AccountService
from diskwars_server.players.device_logins import DeviceLoginService
from diskwars_server.players.handlers import Handler, Handlers, ImmediateHandler, RequestService
from diskwars_server.players.lesson_progress import LessonProgressService
from diskwars_server.players.own_data import OwnDataService
from diskwars_server.players.pushed_messages import PushedMessages
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.store.database import Database


class RequestServices(Struct, frozen=True, kw_only=True):
    """The services that answer requests, each those of one topic."""

    accounts: AccountService
    bot_accounts: BotAccounts
    bot_seats: BotSeats
    branches: Branches
    catalogues: CatalogueRequests
    challenges: ChallengeService
    chat: ChatService
    clubs: RequestService
    commands: MatchCommands
    device_logins: DeviceLoginService
    histories: HistorySearch
    imports: MatchImports
    lesson_progress: LessonProgressService
    lists: MatchLists
    notices: NoticeService
    own_data: OwnDataService
    access: MatchAccess
    opening: OpeningService
    quick_matches: QuickMatches
    ratings: RatingService
    rematches: Rematches
    reports: ReportService
    reviews: MatchReviews
    tournaments: RequestService
    watching: WatchService

    def handlers(self) -> Handlers[MatchUser]:
        return (
            *self.accounts.handlers(),
            *self.bot_accounts.handlers(),
            *self.bot_seats.handlers(),
            *self.branches.handlers(),
            *self.catalogues.handlers(),
            *self.challenges.handlers(),
            *self.chat.handlers(),
            *self.clubs.handlers(),
            *self.commands.handlers(),
            *self.device_logins.handlers(),
            *self.histories.handlers(),
            *self.imports.handlers(),
            *self.lesson_progress.handlers(),
            *self.lists.handlers(),
            *self.notices.handlers(),
            *self.own_data.handlers(),
            *self.access.handlers(),
            *self.opening.handlers(),
            *self.quick_matches.handlers(),
            *self.ratings.handlers(),
            *self.rematches.handlers(),
            *self.reports.handlers(),
            *self.reviews.handlers(),
            *self.tournaments.handlers(),
            *self.watching.handlers(),
        )

    def leave(self, user: MatchUser) -> None:
        """Forget a connection that has ended."""
        self.watching.leave(user)
        self.imports.leave(user)
        self.lists.feed.unfollow(user.outbox)
        self.chat.leave(user.outbox)
        self.tournaments.leave(user.outbox)
        self.clubs.leave(user.outbox)
        self.accounts.leave(user)

    async def close(self) -> None:
        """End what goes on beside the requests."""
        self.accounts.close()
        self.access.close()
        await self.chat.close()
        await self.lists.feed.close()
        await self.watching.close()


def make_request_services(
    services: Services,
    database: Database,
    parts: MatchParts,
    *,
    accounts: AccountService,
    tokens: TokenIssuer,
    pushed_messages: PushedMessages,
    bot_seats: BotSeats,
    imports: MatchImports,
    access: MatchAccess,
    feed: LobbyFeed,
    notices: NoticeService,
    tournaments: RequestService,
    clubs: RequestService,
    reviews: MatchReviews | None = None,
) -> RequestServices:
    """Return the services of a server; those that are made before are the ones that a server can choose.

    Without `reviews` no match is reviewed.
    """
    clock, monotonic, rules = services.clock, services.monotonic, parts.rules
    matches, openings, chat = parts.matches, parts.openings, _make_chat(services, database)
    rematches = _make_rematches(
        services, database, parts, bot_seats=bot_seats, tokens=tokens, pushed_messages=pushed_messages
    )
    club_matches = ClubMatches(database.clubs, rules.packs_of)
    watching = WatchService(matches, access, chat, GraceTimes(database.deadlines, clock), services.metrics)
    return RequestServices(
        accounts=accounts,
        bot_accounts=BotAccounts(database.accounts, database.matches, accounts.is_online),
        bot_seats=bot_seats,
        branches=Branches(matches, openings, access, services.events, tokens),
        catalogues=CatalogueRequests(rules),
        challenges=ChallengeService(openings, services, database, pushed_messages, tokens),
        chat=chat,
        clubs=clubs,
        commands=MatchCommands(matches),
        device_logins=DeviceLoginService(
            database.device_logins, database.accounts, tokens, clock, monotonic, accounts.confirm_password
        ),
        histories=HistorySearch(rules, services, database.matches, database.accounts),
        imports=imports,
        lesson_progress=LessonProgressService(database.lesson_progress, clock),
        lists=MatchLists(services, database.matches, feed, club_matches, rematches.link),
        notices=notices,
        own_data=OwnDataService(database.accounts, database.chat, database.reports),
        access=access,
        opening=OpeningService(openings, access, watching, tokens, bot_seats, services.events, club_matches),
        quick_matches=QuickMatches(openings, database, pushed_messages, tokens, clock),
        ratings=RatingService(database.ratings, database.accounts, database.matches, set(rules), monotonic, clock),
        rematches=rematches,
        reports=ReportService(database.reports, ContentFinder(database.clubs, database.tournaments), clock, monotonic),
        reviews=reviews or MatchReviews(matches, (), monotonic, introduce=access.introduce),
        tournaments=tournaments,
        watching=watching,
    )


def _make_chat(services: Services, database: Database) -> ChatService:
    return ChatService(database.chat, database.accounts, services.bus, services.clock, services.monotonic)


def _make_rematches(
    services: Services,
    database: Database,
    parts: MatchParts,
    *,
    bot_seats: BotSeats,
    tokens: TokenIssuer,
    pushed_messages: PushedMessages,
) -> Rematches:
    return Rematches(
        parts.matches,
        parts.openings,
        parts.rules,
        database,
        bot_seats=bot_seats,
        tokens=tokens,
        pushed_messages=pushed_messages,
        clock=services.clock,
    )


class RequestTable:
    """The handler of every kind of request."""

    def __init__(self, services: RequestServices) -> None:
        self.services = services
        self.handlers: dict[type[Struct], Handler[MatchUser]] = {row.request: row for row in services.handlers()}
        self.immediate: dict[type[Struct], ImmediateHandler[MatchUser]] = {
            row.request: row for row in IMMEDIATE_HANDLERS
        }
