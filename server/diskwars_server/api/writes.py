"""Operations of players with a token: open a match, act in one, and follow one as its player sees it."""

import asyncio
import base64
from collections.abc import AsyncGenerator
from functools import partial

from msgspec import Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.messages.decisions import Accepted, Act
from diskwars_protocol.messages.files import MAX_PART_BYTES, FinishImport, ImportPart, MatchImported, StartImport
from diskwars_protocol.messages.history import RecordNumber
from diskwars_protocol.messages.opening import OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch
from diskwars_server.api.answers import JSON_TYPE, NDJSON_TYPE, Answer, Body, BodyStream, json_body
from diskwars_server.api.conversations import ANSWER_SECONDS, Conversation
from diskwars_server.api.operations import Call, Operation
from diskwars_server.api.problems import refusal_of
from diskwars_server.api.stream_places import StreamPlaces
from diskwars_server.limits.usage import ConnectionUsage
from diskwars_server.players.tokens import TokenIssuer
from diskwars_server.players.users import LoggedInDevice
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.session.session import SessionContext

FOLLOW_SECONDS = 50.0
"""After which a stream of a match ends: a response has a minute in all. Its reader goes on after the last record."""
VERIFY_SECONDS = 50.0
"""For which an import waits for the verdict. A file that takes longer may be sent again, and is known then."""
MAX_FOLLOWED, MAX_FOLLOWED_OF_ADDRESS = 64, 16
"""Streams of matches that go on at once in one process."""
BUSY_RETRY_AFTER_MS = 2_000


class FollowMatch(Struct, frozen=True, forbid_unknown_fields=True, tag="follow_match"):
    """Request a match as it is now, or its records that follow `after`, and everything that happens for 50 seconds.

    Each line is a message of the protocol: `watching` with the snapshot first, then `records`, and `options` of the
    own decisions, those unavailable among them with `include_unavailable`. Empty lines say that the line holds.
    """

    match: MatchIdText
    after: RecordNumber | None = None
    include_unavailable: bool = False


class ImportMatch(Struct, frozen=True, forbid_unknown_fields=True, tag="import_match"):
    """Verify a match file, and store its match. The body is the file, as it is or deflated: 1 MB at most."""


class _AnswerWaiter:
    """Receiver of the answer to one act."""

    lag_ms = 0

    def __init__(self, usage: ConnectionUsage) -> None:
        self.usage = usage
        self.answer: asyncio.Future[Accepted | Refused] = asyncio.get_running_loop().create_future()

    def send(self, message: Accepted | Refused) -> bool:
        if self.answer.done():
            return False
        self.answer.set_result(message)
        return True


class PlayerOperations:
    """The operations of players, of one server."""

    def __init__(self, context: SessionContext, tokens: TokenIssuer) -> None:
        self._context, self._tokens = context, tokens
        self._followed = StreamPlaces(MAX_FOLLOWED, MAX_FOLLOWED_OF_ADDRESS, "too many matches are being followed")

    def operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "POST",
                "/matches",
                OpenMatch,
                self._open,
                topic="play",
                summary="Open a match",
                text="The same request under the same `id` opens one match, however often it comes.",
                scope="open",
                needs_token=True,
                codes=("unknown_ruleset", "unknown_pack", "bad_settings", "too_much_written", "too_many_open"),
                example="/matches",
            ),
            Operation(
                "POST",
                "/matches/{match}/acts",
                Act,
                self._act,
                topic="play",
                summary="Take a seat, act or resign",
                text="Options of the stream are actions; a seat is taken by answering its decision.",
                scope="play",
                needs_token=True,
                codes=("unknown_match", "not_watchable", "locked", "too_much_written", "not_legal", "stale_decision"),
                example="/matches/c9dk2n5ytxgw/acts",
            ),
            Operation(
                "POST",
                "/imports",
                ImportMatch,
                self._import,
                topic="play",
                summary="Import a match file",
                response=MatchImported,
                scope="import",
                needs_token=True,
                takes_file=True,
                codes=("import_off", "import_too_large", "import_cut", "import_changed", "too_many_imports"),
                example="/imports",
            ),
            Operation(
                "GET",
                "/matches/{match}/stream",
                FollowMatch,
                self._follow,
                topic="play",
                summary="A match as it happens, a message a line",
                text="Without a token it is that of the public.",
                content_types=(NDJSON_TYPE,),
                scope="watch",
                codes=("unknown_match", "not_watchable", "locked", "bad_resume", "too_much_history"),
                example="/matches/c9dk2n5ytxgw/stream",
            ),
        )

    async def _open(self, call: Call, request: OpenMatch) -> Answer:
        assert call.device is not None
        async with Conversation(self._context, call.user.address, call.device) as conversation:
            return Body(await conversation.ask(request), JSON_TYPE)

    async def _act(self, call: Call, request: Act) -> Answer:
        """Hand an act to its match, without watching it: who watches is announced to others."""
        assert call.device is not None
        user, accounts = call.user, self._context.requests.services.access
        user.device = call.device
        user.usage.writer = user.player
        game = await user.find_match(self._context.matches, request.match)
        await accounts.introduce(game, user.player)
        game.rights.require_watchable(user.player)
        waiter = _AnswerWaiter(user.usage)
        game.submit_act(request, user.player, waiter)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await waiter.answer
        except TimeoutError:
            raise Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS) from None
        if isinstance(answer, Refused):
            raise refusal_of(answer)
        return json_body(answer)

    async def _import(self, call: Call, request: ImportMatch) -> Answer:
        """Send a file on its way in the parts of the protocol, all within this request."""
        assert call.device is not None
        async with Conversation(self._context, call.user.address, call.device) as conversation:
            await conversation.ask(StartImport("start", max(1, len(call.file))))
            for offset in range(0, len(call.file), MAX_PART_BYTES):
                part = base64.b64encode(call.file[offset : offset + MAX_PART_BYTES]).decode()
                await conversation.ask(ImportPart(f"part {offset}", offset, part))
            return Body(await conversation.ask(FinishImport("finish"), VERIFY_SECONDS), JSON_TYPE)

    async def _follow(self, call: Call, request: FollowMatch) -> Answer:
        address = call.user.address
        self._followed.take(address)
        lines = self._follow_lines(call, request)
        try:
            first = await anext(lines, b"")
        except BaseException:
            self._followed.leave(address)
            raise
        return BodyStream(_with_first(first, lines), partial(self._followed.leave, address))

    async def _follow_lines(self, call: Call, request: FollowMatch) -> AsyncGenerator[bytes, None]:
        device = call.device or LoggedInDevice(self._tokens.make_guest())
        watch = Watch(
            "follow",
            request.match,
            request.after or 0,
            snapshot=request.after is None,
            push_options=True,
            include_unavailable=request.include_unavailable,
        )
        async with Conversation(self._context, call.user.address, device) as conversation:
            async for line in conversation.follow(watch, FOLLOW_SECONDS):
                yield line


async def _with_first(first: bytes, lines: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    try:
        yield first
        async for line in lines:
            yield line
    finally:
        await lines.aclose()
