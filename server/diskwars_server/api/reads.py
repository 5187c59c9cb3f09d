"""Operations that anybody may use: matches, records, boards, players, ratings, tournaments, clubs, rules, server."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus

from msgspec import Struct

from diskwars_content.rule_register import load_register
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.match.replay_scenes import MatchScenes, ReplayScene
from diskwars_protocol.match.scenes import Actor, PlacedPiece, ScenePiece
from diskwars_protocol.messages.accounts import GetPlayers, PlayerList
from diskwars_protocol.messages.catalogues import GetCatalogue
from diskwars_protocol.messages.clubs import GetClub, GetClubLadder, ListClubs
from diskwars_protocol.messages.handshake import PROTOCOL_VERSION, RulesetSummary
from diskwars_protocol.messages.lists import ListMatches, MatchList, SearchMatches
from diskwars_protocol.messages.match_summary import MatchSummary
from diskwars_protocol.messages.ratings import (
    GetArmyStatistics,
    GetLeaderboard,
    GetPlayerStatistics,
    GetRatingHistory,
    PlayerStatistics,
)
from diskwars_protocol.messages.tournaments import GetTournament, ListTournaments
from diskwars_protocol.schema.examples import find_example
from diskwars_server.api.answers import (
    NDJSON_TYPE,
    SVG_TYPE,
    Answer,
    Body,
    BodyStream,
    Unchanged,
    is_known,
    json_body,
)
from diskwars_server.api.operations import Call, Operation, RequestT
from diskwars_server.api.problems import refuse
from diskwars_server.api.read_requests import (
    FindPlayer,
    GetBoard,
    GetHealth,
    GetMatch,
    GetMatchFile,
    GetNames,
    GetPack,
    GetReplay,
    GetRule,
    GetScenes,
    GetServer,
    RuleText,
    ServerSummary,
    StreamRecords,
)
from diskwars_server.api.stream_places import StreamPlaces
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.http.board_pictures import BoardPictures, NoBoard, ReplayForm
from diskwars_server.http.routes import PICTURE_POLICY
from diskwars_server.matches.game import Game
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.matches.rules_on_offer import RulesOnOffer
from diskwars_server.matches.services import Services
from diskwars_server.monitoring.health import HealthReport
from diskwars_server.players.handlers import Handler
from diskwars_server.refusals import Refusal
from diskwars_server.store.match_index import Listing, is_listed_for

MAX_QUERIES_AT_ONCE = 2
"""Requests that read lists, ratings or catalogues and are worked on at once, beside those of sockets."""
MAX_WAITING_QUERIES = 32
MAX_STREAMS, MAX_STREAMS_OF_ADDRESS = 16, 4
"""Match files and streams of records that are sent at once by one process."""
BUSY_RETRY_AFTER_MS = 1_000
PNG_TYPE, WEBP_TYPE = "image/png", "image/webp"


class ReadOperations:
    """The operations that read, of one server."""

    def __init__(
        self,
        handlers: Mapping[type[Struct], Handler[MatchUser]],
        matches: MatchRepository,
        rules: RulesOnOffer,
        services: Services,
        *,
        pictures: BoardPictures | None,
        health: Callable[[], Awaitable[HealthReport]],
        version: str,
    ) -> None:
        """`handlers` answer the requests of sockets; without `pictures` no boards are drawn."""
        self._handlers, self._matches, self._rules, self._services = handlers, matches, rules, services
        self._pictures, self._health, self._version = pictures, health, version
        self._queries = asyncio.Semaphore(MAX_QUERIES_AT_ONCE)
        self._waiting = 0
        self._streams = StreamPlaces(MAX_STREAMS, MAX_STREAMS_OF_ADDRESS, "too many streams are being sent")

    def operations(self) -> tuple[Operation, ...]:
        return (
            *self._server_operations(),
            *self._rule_operations(),
            *self._list_operations(),
            *self._match_operations(),
            *self._player_operations(),
            *self._rating_operations(),
            *self._tournament_operations(),
            *self._club_operations(),
        )

    def _server_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/server",
                GetServer,
                self._get_server,
                topic="server",
                summary="Version of the server, and what is played on it",
                response=ServerSummary,
                sample=ServerSummary("1.0.0+1a2b3c4d5e6f", 1, (RulesetSummary("pit", (2,), ("greedy",)),)),
                example="/server",
            ),
            Operation(
                "GET",
                "/health",
                GetHealth,
                self._get_health,
                topic="server",
                summary="Whether the server can store anything now",
                text="The status is 503 where it cannot.",
                response=HealthReport,
                sample=HealthReport("ok", "k4tq9w", "1.0.0+1a2b3c4d5e6f", "ok", "0125"),
                example="/health",
            ),
        )

    def _rule_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/rulesets/{ruleset}/catalogue",
                GetCatalogue,
                self._ask(GetCatalogue),
                topic="rules",
                summary="Disks, cards, armies and settings of a ruleset",
                codes=("unknown_ruleset", "unknown_pack", "too_much_history"),
                example="/rulesets/pit/catalogue",
            ),
            Operation(
                "GET",
                "/rulesets/{ruleset}/packs/{pack}",
                GetPack,
                self._get_pack,
                topic="rules",
                summary="Version and hash of a content pack",
                response=Pack,
                sample=Pack("pit/core", "1", 32 * "a7"),
                codes=("unknown_ruleset", "unknown_pack"),
                example="/rulesets/pit/packs/pit%2Fcore",
            ),
            Operation(
                "GET",
                "/rules/{rule}",
                GetRule,
                self._get_rule,
                topic="rules",
                summary="A rule by its id",
                response=RuleText,
                sample=RuleText("R6.3", "A pinned disk cannot be activated.", ("rules summary, p. 6",), ("R-04",)),
                codes=("unknown_rule",),
                example="/rules/R6.3",
            ),
        )

    def _list_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/matches",
                ListMatches,
                self._ask(ListMatches),
                topic="matches",
                summary="Matches, the newest first",
                codes=("bad_page", "too_much_history"),
                example="/matches?status=running&limit=2",
            ),
            Operation(
                "GET",
                "/history",
                SearchMatches,
                self._ask(SearchMatches),
                topic="matches",
                summary="Search of ended matches",
                codes=(
                    "bad_page",
                    "bad_search",
                    "unknown_player",
                    "unknown_ruleset",
                    "too_many_searches",
                    "too_much_history",
                ),
                example="/history?ruleset=pit&limit=2",
            ),
        )

    def _match_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/matches/{match}",
                GetMatch,
                self._get_match,
                topic="matches",
                summary="What lists show of a match",
                response=MatchSummary,
                sample=_sample_match(),
                codes=("unknown_match", "not_watchable", "locked"),
                example="/matches/c9dk2n5ytxgw",
            ),
            Operation(
                "GET",
                "/matches/{match}/records",
                StreamRecords,
                self._stream_records,
                topic="matches",
                summary="Records of a match, one a line",
                content_types=(NDJSON_TYPE,),
                codes=("unknown_match", "not_watchable", "locked", "bad_resume", "too_much_history"),
                example="/matches/c9dk2n5ytxgw/records?after=3",
            ),
            Operation(
                "GET",
                "/matches/{match}/file",
                GetMatchFile,
                self._stream_file,
                topic="matches",
                summary="The match file, which any client can verify",
                content_types=(NDJSON_TYPE,),
                codes=("unknown_match", "not_watchable", "locked", "too_much_history"),
                example="/matches/c9dk2n5ytxgw/file",
            ),
            Operation(
                "GET",
                "/matches/{match}/board.{form}",
                GetBoard,
                self._get_board,
                topic="matches",
                summary="Picture of the board after a record",
                content_types=(SVG_TYPE, PNG_TYPE),
                codes=("unknown_match", "not_watchable", "locked", "no_board", "no_pictures"),
                example="/matches/c9dk2n5ytxgw/board.svg?seq=9",
            ),
            *self._replay_operations(),
        )

    def _replay_operations(self) -> tuple[Operation, ...]:
        codes = ("unknown_match", "not_watchable", "locked", "no_board", "no_pictures")
        return (
            Operation(
                "GET",
                "/matches/{match}/scenes",
                GetScenes,
                self._get_scenes,
                topic="matches",
                summary="The course of a match in scenes, for those who draw it",
                text="A scene is the table after an activation or a melee; of more than 400, some are left out.",
                response=MatchScenes,
                sample=_sample_scenes(),
                codes=codes,
                example="/matches/c9dk2n5ytxgw/scenes",
            ),
            Operation(
                "GET",
                "/matches/{match}/replay.webp",
                GetReplay,
                self._get_replay,
                topic="matches",
                summary="A match as an animated picture, a frame a scene",
                text="It is 480 pixels wide, has 240 frames at most, and counts as six pictures of boards.",
                content_types=(WEBP_TYPE,),
                codes=codes,
                example="/matches/c9dk2n5ytxgw/replay.webp",
            ),
        )

    def _player_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/players/{player}",
                GetPlayerStatistics,
                self._ask(GetPlayerStatistics),
                topic="players",
                summary="Ratings and results of a player",
                hidden=("player_name",),
                codes=("too_many_searches", "too_much_history"),
                example="/players/p-2kd8s1",
            ),
            Operation(
                "GET",
                "/players",
                FindPlayer,
                self._find_player,
                topic="players",
                summary="Ratings and results of a player, by name",
                response=PlayerStatistics,
                codes=("unknown_player", "too_many_searches", "too_much_history"),
                example="/players?name=Anna",
            ),
            Operation(
                "GET",
                "/names",
                GetNames,
                self._get_names,
                topic="players",
                summary="Names of players by their ids",
                response=PlayerList,
                codes=("too_much_history",),
                example="/names?players=p-2kd8s1",
            ),
        )

    def _rating_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/leaderboards/{ruleset}",
                GetLeaderboard,
                self._ask(GetLeaderboard),
                topic="players",
                summary="Players with the highest ratings of a ruleset",
                codes=("bad_page", "unknown_ruleset", "too_many_searches", "too_much_history"),
                example="/leaderboards/pit?limit=10",
            ),
            Operation(
                "GET",
                "/players/{player}/ratings/{ruleset}",
                GetRatingHistory,
                self._ask(GetRatingHistory),
                topic="players",
                summary="Rating of a player after each rated match, the newest first",
                codes=("bad_page", "unknown_ruleset", "too_many_searches", "too_much_history"),
                example="/players/p-2kd8s1/ratings/pit?limit=50",
            ),
            Operation(
                "GET",
                "/armies/{ruleset}",
                GetArmyStatistics,
                self._ask(GetArmyStatistics),
                topic="players",
                summary="How the armies of a ruleset have fared",
                codes=("unknown_ruleset", "too_many_searches", "too_much_history"),
                example="/armies/diskwars",
            ),
        )

    def _tournament_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/tournaments",
                ListTournaments,
                self._ask(ListTournaments),
                topic="tournaments",
                summary="Tournaments, the newest first",
                codes=("bad_page", "too_much_history"),
                example="/tournaments?over=true",
            ),
            Operation(
                "GET",
                "/tournaments/{tournament}",
                GetTournament,
                self._ask(GetTournament),
                topic="tournaments",
                summary="A tournament with its standings",
                codes=("unknown_tournament", "too_much_history"),
                example="/tournaments/t7dk2n5ytxgw",
            ),
        )

    def _club_operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "GET",
                "/clubs",
                ListClubs,
                self._ask(ListClubs),
                topic="clubs",
                summary="Public clubs, the newest first",
                codes=("bad_page", "too_much_history"),
                example="/clubs?limit=10",
            ),
            Operation(
                "GET",
                "/clubs/{club}",
                GetClub,
                self._ask(GetClub),
                topic="clubs",
                summary="A public club with its members and seasons",
                codes=("unknown_club", "too_much_history"),
                example="/clubs/tc4kq2m7xw5n",
            ),
            Operation(
                "GET",
                "/clubs/{club}/ladder",
                GetClubLadder,
                self._ask(GetClubLadder),
                topic="clubs",
                summary="The ladder of a public club, or the final standings of a season",
                codes=("unknown_club", "no_season", "too_much_history"),
                example="/clubs/tc4kq2m7xw5n/ladder",
            ),
        )

    # ---------------------------------------------------------------- requests that sockets send as well

    def _ask(self, kind: type[RequestT]) -> Callable[[Call, RequestT], Awaitable[Answer]]:
        """Return what answers a request as a socket does, with the limits of its row."""

        async def answer(call: Call, request: RequestT) -> Answer:
            return json_body(await self._respond(call, request))

        return answer

    async def _respond(self, call: Call, request: Struct) -> object:
        """Return the response of a service. Raises Refusal and StoreUnavailable."""
        handler, user = self._handlers[type(request)], call.user
        if handler.counts_query:
            user.count_query()
        if handler.history != "unused":
            user.require_history_budget(is_resume=handler.history == "lenient")
        if self._waiting >= MAX_WAITING_QUERIES:
            raise Refusal("busy", "too many requests are waiting", retry_after_ms=BUSY_RETRY_AFTER_MS)
        self._waiting += 1
        try:
            async with self._queries:
                return await handler.answer(user, request)
        finally:
            self._waiting -= 1

    async def _find_player(self, call: Call, request: FindPlayer) -> Answer:
        wanted = GetPlayerStatistics("find_player", player_name=request.name)
        return json_body(await self._respond(call, wanted))

    async def _get_names(self, call: Call, request: GetNames) -> Answer:
        return json_body(await self._respond(call, GetPlayers("get_names", request.players)))

    # ---------------------------------------------------------------- the server and its rules

    async def _get_server(self, call: Call, request: GetServer) -> Answer:
        return json_body(ServerSummary(self._version, PROTOCOL_VERSION, self._rules.summaries))

    async def _get_health(self, call: Call, request: GetHealth) -> Answer:
        report = await self._health()
        status = HTTPStatus.OK if report.status == "ok" else HTTPStatus.SERVICE_UNAVAILABLE
        return json_body(report, status=status)

    async def _get_pack(self, call: Call, request: GetPack) -> Answer:
        packs = self._rules.require(request.ruleset).ruleset.packs
        found = next((pack for pack in packs if pack.id == request.pack), None)
        if found is None:
            raise refuse("unknown_pack", place="$.pack")
        return json_body(found)

    async def _get_rule(self, call: Call, request: GetRule) -> Answer:
        register = await asyncio.to_thread(load_register)  # the first request reads four pages
        rule = register.rules.get(request.rule)
        if rule is None:
            raise refuse("unknown_rule", place="$.rule")
        rulings = tuple(ruling.id for ruling in register.rulings_on(rule.id))
        return json_body(RuleText(rule.id, rule.text, rule.origins, rulings))

    # ---------------------------------------------------------------- matches

    async def _get_match(self, call: Call, request: GetMatch) -> Answer:
        call.user.count_query()
        listing = await self._matches.find_listing(request.match)
        if listing is None:
            raise refuse("unknown_match", place="$.match")
        require_shown(listing)
        (summary,) = await self._services.summarize_all([listing], ANONYMOUS)
        return json_body(summary)

    async def _stream_records(self, call: Call, request: StreamRecords) -> Answer:
        game = await self._find_game(call, request.match)
        chunks = game.exports.iterate_lines(ANONYMOUS, request.after, request.limit)
        return await self._stream(call, game, chunks, "")

    async def _stream_file(self, call: Call, request: GetMatchFile) -> Answer:
        game = await self._find_game(call, request.match)
        return await self._stream(call, game, game.exports.stream(ANONYMOUS), f"{request.match}.jsonl")

    async def _find_game(self, call: Call, match: MatchIdText) -> Game:
        call.user.require_history_budget(is_resume=False)
        game = await call.user.find_match(self._matches, match)
        game.rights.require_watchable(ANONYMOUS)
        return game

    async def _stream(
        self, call: Call, game: Game, chunks: AsyncGenerator[bytes, None], filename: str
    ) -> BodyStream | Unchanged:
        """Return what sends these chunks. The first is read now, so that what keeps it from coming is a problem."""
        is_final = game.state.status == "ended"
        etag = game.exports.version if is_final else ""
        if is_final and is_known(call.http, etag):
            await chunks.aclose()
            return Unchanged(etag, is_final)
        address = call.user.address
        self._streams.take(address)
        try:
            first = await anext(chunks, b"")
        except BaseException:
            self._streams.leave(address)
            raise
        charged = _charge_history(call.user, first, chunks)
        return BodyStream(charged, partial(self._streams.leave, address), NDJSON_TYPE, etag, is_final, filename)

    async def _get_board(self, call: Call, request: GetBoard) -> Answer:
        if self._pictures is None:
            raise refuse("no_pictures")
        if not self._matches.is_live(request.match):
            call.user.count_query()
        try:
            picture = await self._pictures.find(request.match, request.seq, call.user.address, request.form)
        except NoBoard as fault:
            raise refuse("no_board", str(fault), "$.seq") from None
        # The last record is another one a moment later.
        is_final = request.seq is not None
        return Body(picture.body, picture.content_type, picture.etag, is_final, policy=PICTURE_POLICY)

    async def _get_scenes(self, call: Call, request: GetScenes) -> Answer:
        return await self._draw_match(call, request.match, "json")

    async def _get_replay(self, call: Call, request: GetReplay) -> Answer:
        return await self._draw_match(call, request.match, "webp")

    async def _draw_match(self, call: Call, match: MatchIdText, form: ReplayForm) -> Answer:
        if self._pictures is None:
            raise refuse("no_pictures")
        if not self._matches.is_live(match):
            call.user.count_query()
        try:
            drawn, is_final = await self._pictures.find_replay(match, call.user.address, form)
        except NoBoard as fault:
            raise refuse("no_board", str(fault), "$.match") from None
        return Body(drawn.body, drawn.content_type, drawn.etag, is_final, is_compressed=True)


def _sample_match() -> MatchSummary:
    listed = find_example(MatchList)
    assert isinstance(listed, MatchList)
    return listed.matches[0]


def _sample_scenes() -> MatchScenes:
    pieces = ScenePiece(0, 0, 25, "Steam Tank", "ST"), ScenePiece(1, 1, 20, "Night Goblins", "NG")
    placed = PlacedPiece(0, 412, 530, marks=("activated",), figures=(5, 6)), PlacedPiece(1, 300, 505, hurt=1)
    scene = ReplayScene(27, "activation", 2, (5, 4), placed, actor=Actor(0, "Steam Tank", (0,)))
    return MatchScenes("diskwars", 27, 5, 914, 914, 152, (), pieces, (scene,))


async def _charge_history(
    user: MatchUser, first: bytes, chunks: AsyncGenerator[bytes, None]
) -> AsyncGenerator[bytes, None]:
    """Yield chunks, each counted as history of the address before it is sent: by then it was read and made."""
    user.usage.add_history(len(first))
    yield first
    async with contextlib.aclosing(chunks):
        async for chunk in chunks:
            user.usage.add_history(len(chunk))
            yield chunk


def require_shown(listing: Listing) -> None:
    """Raise Refusal for a match that neither lists show to everybody nor everybody who knows its id may watch."""
    if is_listed_for(listing, ANONYMOUS):
        return
    if listing.is_locked:
        raise refuse("locked", place="$.match")
    watchers = listing.match_options.watchers
    may_watch = watchers in ("live", "round_later") or (watchers == "after_end" and listing.status == "ended")
    if listing.status != "open" and not may_watch:
        raise refuse("not_watchable", place="$.match")
