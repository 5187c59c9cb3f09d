"""A wire to PostgreSQL that can be tapped, for tests of databases that do not answer."""

import asyncio
import contextlib
from pathlib import Path

from sqlalchemy import make_url


class CuttableProxy:
    """A wire to the database that can be tapped: it swallows one answer, falls silent, hangs, or is cut.

    A silent database does what it is asked, and hangs up when it should; one that hangs does nothing at all.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self.url = make_url(url).update_query_dict({"host": str(folder)}).render_as_string(hide_password=False)
        self._far = f"{make_url(url).query['host']}/.s.PGSQL.5432"
        self._near = f"{folder}/.s.PGSQL.5432"
        self.swallow = self.silent = self.hangs = False
        self.asked_in_vain = asyncio.Event()
        self.swallowed = asyncio.Event()
        self._pairs: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def connect(self) -> None:
        self._server = await asyncio.start_unix_server(self._join, self._near)

    async def cut(self) -> None:
        """Hang up on everybody and let nobody in."""
        assert self._server is not None
        self._server.close()
        for pair in self._pairs:
            pair.cancel()
        await asyncio.gather(*self._pairs, return_exceptions=True)
        Path(self._near).unlink(missing_ok=True)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pairs.add(task)
        far_reader, far_writer = await asyncio.open_unix_connection(self._far)
        ends = [
            asyncio.ensure_future(self._ask(reader, far_writer)),
            asyncio.ensure_future(self._answer(far_reader, writer)),
        ]
        with contextlib.suppress(asyncio.CancelledError):  # when cut: a task of asyncio's server may not end cancelled
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        for end in ends:
            end.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        writer.close()
        far_writer.close()
        self._pairs.discard(task)

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self.hangs:
                self.asked_in_vain.set()
            else:
                writer.write(data)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65536):
            if self.swallow and data.endswith(b"Z\0\0\0\x05I"):  # ready for the next: the transaction is done
                self.swallow = False
                self.swallowed.set()
                return
            if not (self.swallow or self.silent or self.hangs):
                writer.write(data)
