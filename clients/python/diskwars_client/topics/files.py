"""Match files: upload one, so that its match can be looked back on at the server."""

import base64
import zlib

from diskwars_client.errors import CommandRefused
from diskwars_client.requester import Requester, new_command_id
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
"""Uploads of one file, if the connection is lost on the way: a new one has to begin with the first part."""


class FileTopic:
    """Requests about match files, as `client.files`."""

    def __init__(self, requester: Requester) -> None:
        self._requester = requester

    async def upload(self, raw: bytes) -> MatchImported:
        """Upload a match file and return what became of it. Raises CommandRefused, with the line that is wrong."""
        compressed = zlib.compress(raw, 9)
        for _ in range(MAX_UPLOADS - 1):
            try:
                return await self._upload_parts(compressed)
            except CommandRefused as refused:
                if refused.code != "bad_import":
                    raise
        return await self._upload_parts(compressed)

    async def _upload_parts(self, compressed: bytes) -> MatchImported:
        started = await self._requester.request(StartImport(new_command_id(), len(compressed)), ImportStarted)
        size = min(started.part_bytes, MAX_PART_BYTES)
        for offset in range(0, len(compressed), size):
            data = base64.b64encode(compressed[offset : offset + size]).decode()
            await self._requester.request(ImportPart(new_command_id(), offset, data), ImportPartReceived)
        return await self._requester.request(FinishImport(new_command_id()), MatchImported)
