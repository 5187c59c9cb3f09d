"""What a client can do with match files: upload one, so that its match can be looked back on at the server."""

import base64
import zlib

from diskwars_client.account_methods import new_command_id
from diskwars_client.catalogue_methods import CatalogueMethods
from diskwars_client.errors import CommandRefused
from diskwars_protocol.messages import Request
from diskwars_protocol.messages.files import (
    MAX_PART_BYTES,
    FinishImport,
    ImportPart,
    ImportPartReceived,
    ImportStarted,
    MatchImported,
    StartImport,
)

MAX_UPLOADS = 3
"""How often a file is uploaded, if the connection is lost on the way: a new one has to begin with the first part."""
BYTES_PER_COST_UNIT = 1024


class FileMethods(CatalogueMethods):
    """The part of a `Client` that is about match files."""

    async def import_match(self, raw: bytes) -> MatchImported:
        """Upload a match file and return what became of it. Raises CommandRefused, with the line that is wrong."""
        compressed = zlib.compress(raw, 9)
        for _ in range(MAX_UPLOADS - 1):
            try:
                return await self._upload(compressed)
            except CommandRefused as refused:
                if refused.code != "bad_import":
                    raise
        return await self._upload(compressed)

    async def _upload(self, compressed: bytes) -> MatchImported:
        started = await self._request(StartImport(new_command_id(), len(compressed)), ImportStarted)
        size = min(started.part_bytes, MAX_PART_BYTES)
        for offset in range(0, len(compressed), size):
            data = base64.b64encode(compressed[offset : offset + size]).decode()
            await self._request(ImportPart(new_command_id(), offset, data), ImportPartReceived)
        return await self._request(FinishImport(new_command_id()), MatchImported)


def cost_of(request: Request) -> int:
    """Return what a request costs of the frames that a client may send: large ones count for several."""
    return 2 + len(request.data) // BYTES_PER_COST_UNIT if isinstance(request, ImportPart) else 1
