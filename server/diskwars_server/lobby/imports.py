"""Imports of match files: uploads in parts, verification, and storing a match that was played elsewhere.

A match keeps the id that its file names: the chain of its records begins with it. The same file is the same match.
"""

import asyncio
import base64
import binascii
import time
import zlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from typing import NoReturn

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.messages.file_verdicts import FileVerdict, VerifiedFile
from diskwars_protocol.messages.files import (
    MAX_PART_BYTES,
    FinishImport,
    ImportPart,
    ImportPartReceived,
    ImportStarted,
    MatchImported,
    StartImport,
)
from diskwars_protocol.records.records import Record, WireRecord
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.limits.addresses import UNKNOWN
from diskwars_server.limits.usage import OPENING_BYTES
from diskwars_server.players.handlers import Handler, Handlers
from diskwars_server.players.users import User
from diskwars_server.processes.file_verifier import FileVerifier
from diskwars_server.refusals import Refusal
from diskwars_server.store.errors import WrongVersion
from diskwars_server.store.event_log import IMPORT_COMMAND_PREFIX, EventLog, StoredImport
from diskwars_server.store.match_index import Listing

IDLE_SECONDS = 30
"""After which an upload without another part ends."""
UPLOAD_SECONDS = 600
"""After which an upload ends that is not finished, however often parts of it come."""
MAX_UPLOADS = 8
"""Uploads at the same time, those included whose files are verified: each is in memory."""
MAX_UPLOADS_PER_ADDRESS = 2
"""Of these, those of one address, so that a stranger who uploads slowly does not keep others out.

Together they hold no more bytes than one of the largest files.
"""
LARGEST_FILES = 3
"""All uploads together hold no more bytes than this many of the largest files; most files are a hundredth of one."""
BUSY_RETRY_AFTER_MS = 5_000
COMPRESSED_BYTES, UNPACKED_BYTES = 4 * 1024, 64 * 1024
"""Of one piece of a file, when its records are stored."""

_WIRE_RECORDS = msgspec.json.Decoder(WireRecord)
_JSON = msgspec.json.Encoder()


class ImportLimits(Struct, frozen=True):
    """Limits of uploads. `file_bytes` are those of one file, uncompressed; 0: no files are taken."""

    file_bytes: int = 8_000_000
    uploads: int = MAX_UPLOADS
    uploads_per_address: int = MAX_UPLOADS_PER_ADDRESS
    largest_files: int = LARGEST_FILES
    idle_seconds: int = IDLE_SECONDS
    upload_seconds: int = UPLOAD_SECONDS


DEFAULT_IMPORT_LIMITS = ImportLimits()


class _Upload:
    """One file on its way: what has come of it, and when it ends if nothing more comes."""

    def __init__(self, address: str, compressed_bytes: int, ends_at_ms: int) -> None:
        self.address, self.compressed_bytes, self.ends_at_ms = address, compressed_bytes, ends_at_ms
        self.received = bytearray()
        self.idle_timer: asyncio.TimerHandle | None = None

    def stop_timer(self) -> None:
        if self.idle_timer is not None:
            self.idle_timer.cancel()


class MatchImports:
    """The uploads of all connections of a server. An upload is known by its connection: each has one at most."""

    def __init__(
        self,
        verifier: FileVerifier | None,
        events: EventLog,
        publish_listing: Callable[[MatchId], None],
        clock: Callable[[], int],
        monotonic: Callable[[], int],
        limits: ImportLimits = DEFAULT_IMPORT_LIMITS,
    ) -> None:
        """Without a verifier no file is taken.

        `clock` and `monotonic` give milliseconds; uploads are timed with the latter.
        """
        self._verifier, self._events, self._publish_listing = verifier, events, publish_listing
        self._clock, self._monotonic, self._limits = clock, monotonic, limits
        self._uploads: dict[Outbox, _Upload] = {}
        self._verified: set[Outbox] = set()
        """Connections whose files are being verified."""

    def handlers(self) -> Handlers[User]:
        return (
            Handler(StartImport, self.start, counts_query=False),
            Handler(ImportPart, self.add_part, counts_query=False),
            # Verifying takes seconds.
            Handler(FinishImport, self.finish, counts_query=False, in_background=True),
        )

    def is_busy(self, user: User) -> bool:
        """Return whether a connection uploads a file, or waits for the verdict about one."""
        return user.outbox in self._uploads or user.outbox in self._verified

    def leave(self, user: User) -> None:
        """Give up the upload of a connection that has ended, if it has one."""
        self._abandon(user.outbox)
        self._verified.discard(user.outbox)

    # ---------------------------------------------------------------- uploading

    async def start(self, user: User, request: StartImport) -> ImportStarted:
        """Begin an upload. Raises Refusal."""
        self._require_no_verification(user)
        limits = self._limits
        if self._verifier is None or not limits.file_bytes:
            raise Refusal("import_off")
        if wait_ms := user.usage.write_wait_ms(is_under_way=False):
            raise Refusal("too_much_written", retry_after_ms=wait_ms)
        # Compressed it is never longer than the file, but for a few bytes that no limit needs to count.
        if request.compressed_bytes > limits.file_bytes:
            _refuse_large(limits.file_bytes, "$.compressed_bytes")
        self._require_place(user, request.compressed_bytes)
        self._abandon(user.outbox)
        upload = _Upload(user.address, request.compressed_bytes, self._monotonic() + 1000 * limits.upload_seconds)
        self._uploads[user.outbox] = upload
        self._restart_timer(user.outbox, upload)
        return ImportStarted(request.id, MAX_PART_BYTES, limits.idle_seconds)

    def _require_no_verification(self, user: User) -> None:
        if user.outbox in self._verified:
            text = "a file of yours is being verified"
            raise Refusal("too_many_imports", text, retry_after_ms=BUSY_RETRY_AFTER_MS)

    def _require_place(self, user: User, compressed_bytes: int) -> None:
        """Raise Refusal where no upload of this size may begin, of this address or at all.

        One that the connection has under way would end for it.
        """
        limits = self._limits
        others = [upload for known, upload in self._uploads.items() if known is not user.outbox]
        own = [upload for upload in others if upload.address == user.address != UNKNOWN]
        own_bytes = sum(upload.compressed_bytes for upload in own)
        if len(own) >= limits.uploads_per_address or own_bytes + compressed_bytes > limits.file_bytes:
            text = f"{len(own)} files of {own_bytes} bytes are being uploaded from your address"
            raise Refusal("too_many_imports", text, retry_after_ms=BUSY_RETRY_AFTER_MS)
        held = sum(upload.compressed_bytes for upload in others)
        if len(others) >= limits.uploads or held + compressed_bytes > limits.largest_files * limits.file_bytes:
            text = f"{len(others)} files of {held} bytes are being uploaded"
            raise Refusal("too_many_imports", text, retry_after_ms=BUSY_RETRY_AFTER_MS)

    async def add_part(self, user: User, request: ImportPart) -> ImportPartReceived:
        """Take the next part of an upload. Raises Refusal."""
        self._require_no_verification(user)
        upload = self._upload_of(user.outbox)
        if request.offset != len(upload.received):
            text = f"the next part begins at byte {len(upload.received)}"
            raise Refusal("bad_import", text, "$.offset", numbers={"offset": len(upload.received)})
        try:
            part = base64.b64decode(request.data, validate=True)
        except (binascii.Error, ValueError):
            raise Refusal("bad_import", "a part is base64 with padding", "$.data") from None
        if len(upload.received) + len(part) > upload.compressed_bytes:
            raise Refusal("bad_import", f"the file has {upload.compressed_bytes} bytes", "$.data")
        upload.received += part
        self._restart_timer(user.outbox, upload)
        return ImportPartReceived(request.id, len(upload.received))

    def _abandon(self, connection: Outbox) -> None:
        """Give up the upload of a connection, if it has one."""
        upload = self._uploads.pop(connection, None)
        if upload is not None:
            upload.stop_timer()

    def _upload_of(self, connection: Outbox) -> _Upload:
        upload = self._uploads.get(connection)
        if upload is None:
            raise Refusal("bad_import", "no upload is under way on this connection; it may have been idle too long")
        if self._monotonic() >= upload.ends_at_ms:
            self._abandon(connection)
            raise Refusal("bad_import", f"the upload took longer than {self._limits.upload_seconds} s")
        return upload

    def _restart_timer(self, connection: Outbox, upload: _Upload) -> None:
        upload.stop_timer()
        loop = asyncio.get_running_loop()
        upload.idle_timer = loop.call_later(self._limits.idle_seconds, self._abandon, connection)

    # ---------------------------------------------------------------- storing

    def finish(self, user: User, request: FinishImport) -> Awaitable[MatchImported]:
        """Verify the file that was uploaded, and store its match. Raises Refusal and StoreUnavailable."""
        self._require_no_verification(user)
        self._verified.add(user.outbox)  # now, and not when what is returned begins
        return self._verify(user, request)

    async def _verify(self, user: User, request: FinishImport) -> MatchImported:
        try:
            return await self._verify_upload(user, request)
        finally:
            self._verified.discard(user.outbox)

    async def _verify_upload(self, user: User, request: FinishImport) -> MatchImported:
        upload = self._upload_of(user.outbox)
        if len(upload.received) < upload.compressed_bytes:
            missing = upload.compressed_bytes - len(upload.received)
            raise Refusal("bad_import", f"{missing} bytes are missing", numbers={"missing": missing})
        upload.stop_timer()
        try:
            return await self._import(upload.received, user, request)
        finally:
            if self._uploads.get(user.outbox) is upload:
                del self._uploads[user.outbox]

    async def _import(self, compressed: bytearray, user: User, request: FinishImport) -> MatchImported:
        assert self._verifier is not None  # no upload begins without it
        player = user.player
        payer = player if user.address == UNKNOWN else user.address
        verdict = await self._verifier.verify(compressed, self._limits.file_bytes, payer)
        if verdict.file is None:
            self._refuse(verdict)
        file = verdict.file
        # In a thread, because a long file would hold up every match for as long as it takes.
        records = await asyncio.to_thread(read_records, compressed, player)
        compressed.clear()  # it is not needed while the match is stored
        try:
            await self._events.import_match(
                StoredImport(file.match, records, make_listing(file, player, self._clock()))
            )
        except WrongVersion:
            return await self._known_match(file, request)
        user.usage.add_records(sum(record.size for record in records) + OPENING_BYTES, len(records))
        self._publish_listing(MatchId(file.match))
        return MatchImported(request.id, MatchId(file.match), file.records, is_new=True)

    def _refuse(self, verdict: FileVerdict) -> NoReturn:
        if verdict.code == "import_too_large" and verdict.line is None:
            _refuse_large(self._limits.file_bytes)
        numbers = {} if verdict.line is None else {"line": verdict.line}
        place = "" if verdict.line is None else f"$[{verdict.line}]"
        raise Refusal(verdict.code or "fault", verdict.text, place, numbers=numbers)

    async def _known_match(self, file: VerifiedFile, request: FinishImport) -> MatchImported:
        """Answer for a match that is here already: the same one, or another of its id."""
        stored = await self._events.read(file.match, file.records - 1)
        if [record.hash.hex() for record in stored] != [file.head]:
            raise Refusal("import_conflict", place="$[0].match")
        return MatchImported(request.id, MatchId(file.match), file.records, is_new=False)


def unpacked_lines(compressed: bytes | bytearray) -> Iterator[bytes]:
    """Return the lines of a file that was verified, unpacked piece by piece: one object of 8 MB takes long to fill."""
    decompressor, rest = zlib.decompressobj(), b""
    for first in range(0, len(compressed), COMPRESSED_BYTES):
        left = compressed[first : first + COMPRESSED_BYTES]
        while left:
            *lines, rest = (rest + decompressor.decompress(left, UNPACKED_BYTES)).split(b"\n")
            left = decompressor.unconsumed_tail
            yield from lines


def read_records(compressed: bytes | bytearray, importer: PlayerId) -> list[Record]:
    """Return the records of a verified file as they are stored. Their commands were never given here.

    For a thread: it lets others go on after each record.
    """
    records: list[Record] = []
    rules_version = 0
    for line in islice(unpacked_lines(compressed), 1, None):
        time.sleep(0)  # else the interpreter lets a thread go on for 5 ms while the event loop waits
        wire = _WIRE_RECORDS.decode(line)
        meta = _META.decode(wire.body)
        opened = meta.events[0].rules_version if not records and meta.events else None
        rules_version = meta.rules_version or opened or rules_version
        secret = _JSON.encode(wire.openings) if wire.openings else None
        records.append(
            Record(
                wire.seq,
                meta.at_ms,
                importer,
                f"{IMPORT_COMMAND_PREFIX}{wire.seq}",
                rules_version,
                bytes(wire.body),
                secret,
                bytes.fromhex(wire.salt),
                bytes.fromhex(wire.hash or ""),
            )
        )
    return records


def make_listing(file: VerifiedFile, importer: PlayerId, at_ms: int) -> Listing:
    """Return what lists show of an imported match: it counts for no player's rating or record.

    It is as old as its import: with the times of the file somebody could put it in front of every list.
    """
    return Listing(
        match=file.match,
        ruleset=file.ruleset,
        status="ended",
        seats=(None,) * file.seat_count,
        opener=importer,
        created_ms=at_ms,
        updated_ms=at_ms,
        result=file.result,
        match_options=replace(file.match_options, rated=False),
        armies=file.armies,
        records=file.records,
        imported=True,
        settings=file.settings,
        packs=file.packs,
    )


class _FirstEvent(Struct):
    rules_version: int | None = None


class _RecordMeta(Struct):
    """The fields of a body that describe its record. Events may be sealed; those of later records do not matter."""

    at_ms: int
    rules_version: int | None = None
    events: Sequence[_FirstEvent] = ()


_META = msgspec.json.Decoder(_RecordMeta)


def _refuse_large(max_bytes: int, place: str = "") -> NoReturn:
    text = f"a match file has at most {max_bytes} bytes"
    raise Refusal("import_too_large", text, place, numbers={"bytes": max_bytes})
