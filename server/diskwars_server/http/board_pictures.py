"""Pictures of boards as the public sees them, and of whole matches, drawn in a process of their own and kept a while.

Which program draws them is injected: the server itself cannot draw.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.http.page_files import StaticFile
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.matches.game import Game
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.processes.children import JobFault, JobTooSlow, run_job
from diskwars_server.refusals import Refusal

log = logging.getLogger(__name__)

DRAWING_SECONDS = 10
REPLAY_SECONDS = 40
"""An animated picture has hundreds of frames at most, each of which takes about a thirtieth of a second."""
MAX_PICTURE_BYTES = 2_000_000
MAX_KEPT_PICTURES = 200
MAX_KEPT_BYTES = 20_000_000
MAX_WAITING = 16
"""Pictures of a queue that are drawn or wait for that: one is drawn at a time."""
MAX_KEPT_FAILURES = 1_000
FAILURE_MS = 5 * MS_PER_MINUTE
"""What has no board, or takes too long to draw, is not tried again for this long: a record never changes."""
BUSY_RETRY_AFTER_MS = 2_000
PICTURES_PER_ADDRESS = RateLimit(30, MS_PER_MINUTE)
"""Pictures that are drawn for one address; those that are kept cost nothing."""
REPLAY_UNITS = 6
"""Pictures that an animated one counts as."""
CACHED_A_DAY = "public, max-age=86400"
"""A record never changes, so its picture only does with another version of the drawing."""
PictureForm: TypeAlias = Literal["svg", "png"]
ReplayForm: TypeAlias = Literal["webp", "json"]
"""Of a whole match: a picture that moves, or its scenes for those who draw them themselves."""
CONTENT_TYPES: dict[PictureForm | ReplayForm, str] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "webp": "image/webp",
    "json": "application/json",
}
_Key: TypeAlias = tuple[MatchId, int, PictureForm | ReplayForm]


class NoBoard(Exception):
    """There is no such record, or no board at it yet."""


class _UndrawnPicture(Struct, frozen=True, gc=False):
    """A picture that was not drawn. `until` is on the monotonic clock, in milliseconds."""

    until: int
    is_too_slow: bool


class BoardPictures:
    """Pictures by match and record."""

    def __init__(
        self,
        matches: MatchRepository,
        command: tuple[str, ...],
        clock: Callable[[], int],
        seconds: int = DRAWING_SECONDS,
        replay_seconds: int = REPLAY_SECONDS,
    ) -> None:
        """`command` is the program, which gets the record, the form and the seconds as its last arguments.

        `clock` is monotonic, in milliseconds.
        """
        self._matches, self._command, self._seconds = matches, command, seconds
        self._replay_seconds = replay_seconds
        self._clock = clock
        self._drawn = RateLimiter[str](PICTURES_PER_ADDRESS, clock)
        self._kept: OrderedDict[_Key, StaticFile] = OrderedDict()
        self._kept_bytes = 0
        self._failures: OrderedDict[_Key, _UndrawnPicture] = OrderedDict()
        # Neither a board nor an embed waits for an animated picture, which takes many times as long: a few addresses
        # can keep its queue full all the time.
        self._board_queue, self._scenes_queue, self._replay_queue = _Queue(), _Queue(), _Queue()

    async def find(self, match: MatchId, seq: int | None, address: str, form: PictureForm = "svg") -> StaticFile:
        """Return the picture after a record, by default the last. Raises NoBoard, Refusal and StoreUnavailable."""
        game = await self._matches.find(match)
        game.rights.require_watchable(ANONYMOUS)
        last = game.rights.last_shown(ANONYMOUS)
        shown = last if seq is None else seq
        if not 1 <= shown <= last:
            raise NoBoard(f"match {match} has records 1 to {last}")
        return await self._find(game, shown, address, form)

    async def find_replay(self, match: MatchId, address: str, form: ReplayForm) -> tuple[StaticFile, bool]:
        """Return a match up to now in a form, and whether it has ended. Raises NoBoard, Refusal, StoreUnavailable."""
        game = await self._matches.find(match)
        game.rights.require_watchable(ANONYMOUS)
        is_final = game.rights.facts.status == "ended"
        last = game.rights.last_shown(ANONYMOUS)
        if last < 1:
            raise NoBoard("those who watch a round later see this match from its second round on")
        return await self._find(game, last, address, form), is_final

    async def _find(self, game: Game, seq: int, address: str, form: PictureForm | ReplayForm) -> StaticFile:
        key = game.id, seq, form
        picture = self._find_kept(key)
        if picture is not None:
            return picture
        self._require_untried(key)
        queue = self._queue_of(form)
        if queue.waiting >= MAX_WAITING:
            raise Refusal("busy", "too many pictures are being drawn", retry_after_ms=BUSY_RETRY_AFTER_MS)
        units = REPLAY_UNITS if form == "webp" else 1
        if address != UNKNOWN and (wait_ms := self._drawn.take(address, units)):
            raise Refusal("busy", "too many pictures were drawn for your address", retry_after_ms=wait_ms)
        async with queue:
            picture = self._find_kept(key)  # Somebody else may have asked for it meanwhile.
            if picture is None:
                self._require_untried(key)
                picture = await self._draw(key, await game.exports.export_public(ANONYMOUS, seq))
                self._keep(key, picture)
            return picture

    def _queue_of(self, form: PictureForm | ReplayForm) -> "_Queue":
        if form == "webp":
            return self._replay_queue
        return self._scenes_queue if form == "json" else self._board_queue

    def _require_untried(self, key: _Key) -> None:
        """Raise what drawing a picture raised a short while ago."""
        failure = self._failures.get(key)
        if failure is None:
            return
        wait_ms = failure.until - self._clock()
        if wait_ms <= 0:
            del self._failures[key]
        elif failure.is_too_slow:
            raise Refusal("fault", "the board cannot be drawn", retry_after_ms=wait_ms)
        else:
            raise NoBoard(f"there is no board at record {key[1]}")

    def _keep_failure(self, key: _Key, *, is_too_slow: bool) -> None:
        self._failures[key] = _UndrawnPicture(self._clock() + FAILURE_MS, is_too_slow)
        while len(self._failures) > MAX_KEPT_FAILURES:
            self._failures.popitem(last=False)

    def _find_kept(self, key: _Key) -> StaticFile | None:
        picture = self._kept.get(key)
        if picture is not None:
            self._kept.move_to_end(key)
        return picture

    def _keep(self, key: _Key, picture: StaticFile) -> None:
        self._kept[key] = picture
        self._kept_bytes += len(picture.body)
        while len(self._kept) > MAX_KEPT_PICTURES or self._kept_bytes > MAX_KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    async def _draw(self, key: _Key, raw: bytes) -> StaticFile:
        _, seq, form = key
        seconds = self._replay_seconds if form == "webp" else self._seconds
        try:
            drawn = await run_job((*self._command, str(seq), form), raw, seconds, MAX_PICTURE_BYTES)
        except (JobFault, JobTooSlow) as fault:
            log.error("board not drawn", extra={"seq": seq, "why": f"{type(fault).__name__}: {fault}"})
            retry_after_ms = BUSY_RETRY_AFTER_MS
            if isinstance(fault, JobTooSlow):  # A program that died may do better at once; a slow one does not.
                self._keep_failure(key, is_too_slow=True)
                retry_after_ms = FAILURE_MS
            raise Refusal("fault", "the board cannot be drawn", retry_after_ms=retry_after_ms) from None
        if not drawn:
            self._keep_failure(key, is_too_slow=False)
            raise NoBoard(f"there is no board at record {seq}")
        return StaticFile.of(drawn, CONTENT_TYPES[form], is_text=form in ("svg", "json"), cache_control=CACHED_A_DAY)


class _Queue:
    """Those who wait for one process. Use it as `async with queue:` for one's turn."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self.waiting = 0

    async def __aenter__(self) -> None:
        self.waiting += 1
        try:
            await self._turn.acquire()
        except BaseException:
            self.waiting -= 1
            raise

    async def __aexit__(self, *fault: object) -> None:
        self.waiting -= 1
        self._turn.release()
