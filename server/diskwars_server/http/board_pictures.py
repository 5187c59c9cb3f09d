"""Pictures of boards as the public sees them, drawn in a process of their own and kept for a while.

Which program draws them is injected: the server itself cannot draw.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Literal, TypeAlias

from diskwars_protocol.match.ids import MatchId
from diskwars_server.broadcast.watch_rights import ANONYMOUS
from diskwars_server.http.page_files import StaticFile
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.rate_limits import MS_PER_MINUTE, RateLimit, RateLimiter
from diskwars_server.matches.repository import MatchRepository
from diskwars_server.processes.children import JobFault, JobTooSlow, run_job
from diskwars_server.refusals import Refusal

log = logging.getLogger(__name__)

DRAWING_SECONDS = 10
MAX_PICTURE_BYTES = 2_000_000
MAX_KEPT_PICTURES = 200
MAX_KEPT_BYTES = 20_000_000
MAX_WAITING = 16
"""Pictures that are drawn or wait for that: one is drawn at a time."""
BUSY_RETRY_AFTER_MS = 2_000
PICTURES_PER_ADDRESS = RateLimit(30, MS_PER_MINUTE)
"""Pictures that are drawn for one address; those that are kept cost nothing."""
CACHED_A_DAY = "public, max-age=86400"
"""A record never changes, so its picture only does with another version of the drawing."""
PictureForm: TypeAlias = Literal["svg", "png"]
CONTENT_TYPES: dict[PictureForm, str] = {"svg": "image/svg+xml", "png": "image/png"}


class NoBoard(Exception):
    """There is no such record, or no board at it yet."""


class BoardPictures:
    """Pictures by match and record."""

    def __init__(
        self,
        matches: MatchRepository,
        command: tuple[str, ...],
        clock: Callable[[], int],
        seconds: int = DRAWING_SECONDS,
    ) -> None:
        """`command` is the program, which gets the record, the form and the seconds as its last arguments.

        `clock` is monotonic, in milliseconds.
        """
        self._matches, self._command, self._seconds = matches, command, seconds
        self._drawn = RateLimiter[str](PICTURES_PER_ADDRESS, clock)
        self._kept: OrderedDict[tuple[MatchId, int, PictureForm], StaticFile] = OrderedDict()
        self._kept_bytes = 0
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def find(self, match: MatchId, seq: int | None, address: str, form: PictureForm = "svg") -> StaticFile:
        """Return the picture after a record, by default the last. Raises NoBoard, Refusal and StoreUnavailable."""
        game = await self._matches.find(match)
        game.rights.require_watchable(ANONYMOUS)
        last = game.rights.last_shown(ANONYMOUS)
        shown = last if seq is None else seq
        if not 1 <= shown <= last:
            raise NoBoard(f"match {match} has records 1 to {last}")
        picture = self._find_kept(match, shown, form)
        if picture is not None:
            return picture
        if self._waiting >= MAX_WAITING:
            raise Refusal("busy", "too many pictures are being drawn", retry_after_ms=BUSY_RETRY_AFTER_MS)
        if address != UNKNOWN and (wait_ms := self._drawn.take(address)):
            raise Refusal("busy", "too many pictures were drawn for your address", retry_after_ms=wait_ms)
        self._waiting += 1
        try:
            async with self._turn:
                picture = self._find_kept(match, shown, form)  # Somebody else may have asked for it meanwhile.
                if picture is None:
                    picture = await self._draw(await game.exports.export_public(ANONYMOUS, shown), shown, form)
                    self._keep((match, shown, form), picture)
                return picture
        finally:
            self._waiting -= 1

    def _find_kept(self, match: MatchId, seq: int, form: PictureForm) -> StaticFile | None:
        picture = self._kept.get((match, seq, form))
        if picture is not None:
            self._kept.move_to_end((match, seq, form))
        return picture

    def _keep(self, key: tuple[MatchId, int, PictureForm], picture: StaticFile) -> None:
        self._kept[key] = picture
        self._kept_bytes += len(picture.body)
        while len(self._kept) > MAX_KEPT_PICTURES or self._kept_bytes > MAX_KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest.body)

    async def _draw(self, raw: bytes, seq: int, form: PictureForm) -> StaticFile:
        try:
            drawn = await run_job((*self._command, str(seq), form), raw, self._seconds, MAX_PICTURE_BYTES)
        except (JobFault, JobTooSlow) as fault:
            log.error("board not drawn", extra={"seq": seq, "why": f"{type(fault).__name__}: {fault}"})
            raise Refusal("fault", "the board cannot be drawn", retry_after_ms=BUSY_RETRY_AFTER_MS) from None
        if not drawn:
            raise NoBoard(f"there is no board at record {seq}")
        return StaticFile.of(drawn, CONTENT_TYPES[form], is_text=form == "svg", cache_control=CACHED_A_DAY)
