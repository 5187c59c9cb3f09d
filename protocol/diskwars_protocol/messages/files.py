"""Messages about match files: uploading one in parts, so that its match can be looked back on here."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.schema_types import MAX_INTEGER, OWN_REFUSAL, AtLeastOne, AtLeastZero, CommandId

MAX_PART_BYTES = 9 * 1024
"""The most compressed bytes in one part: its frame then stays within `ClientLimits`."""
MAX_PART_TEXT = MAX_PART_BYTES // 3 * 4

PartText: TypeAlias = Annotated[
    str, Meta(max_length=MAX_PART_TEXT, extra_json_schema={"pattern": "^[A-Za-z0-9+/]+={0,2}$"}, extra=OWN_REFUSAL)
]
"""Bytes in base64 (RFC 4648), with padding."""
ByteCount: TypeAlias = Annotated[int, Meta(ge=1, extra_json_schema={"maximum": MAX_INTEGER})]
ByteOffset: TypeAlias = Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MAX_INTEGER})]


# ---------------------------------------------------------------- from a client


class StartImport(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="start_import"):
    """Begin to upload a match file. An upload that was under way on this connection ends.

    The file is sent compressed with zlib (RFC 1950); `compressed_bytes` is how long it is then.
    """

    id: CommandId
    compressed_bytes: ByteCount


class ImportPart(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="import_part"):
    """Some more of the compressed file, from the byte `offset` on. Parts are sent in order."""

    id: CommandId
    offset: ByteOffset
    data: PartText


class FinishImport(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="finish_import"):
    """All parts were sent: the server verifies the file, which may take a while, and stores its match."""

    id: CommandId


FileRequest: TypeAlias = StartImport | ImportPart | FinishImport
"""Requests about match files."""

# ---------------------------------------------------------------- from the server


class ImportStarted(Struct, frozen=True, gc=False, tag="import_started"):
    """Answer to `StartImport`: parts may be sent, none longer than `part_bytes`.

    Without another part within `idle_seconds` the upload ends.
    """

    id: CommandId
    part_bytes: AtLeastOne
    idle_seconds: AtLeastOne


class ImportPartReceived(Struct, frozen=True, gc=False, tag="import_part_received"):
    """Answer to `ImportPart`: how many bytes of the compressed file have come."""

    id: CommandId
    received_bytes: AtLeastOne


class MatchImported(Struct, frozen=True, gc=False, tag="match_imported"):
    """Answer to `FinishImport`: the file is right, and its match can be watched under this id.

    `is_new` is false where the server had the match already.
    """

    id: CommandId
    match: MatchIdText
    records: AtLeastZero
    is_new: bool


FileResponse: TypeAlias = ImportStarted | ImportPartReceived | MatchImported

REQUESTS: dict[type[Struct], type[Struct]] = {
    StartImport: ImportStarted,
    ImportPart: ImportPartReceived,
    FinishImport: MatchImported,
}
"""By request, the response that answers it."""
