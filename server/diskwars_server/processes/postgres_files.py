"""Files that a PostgreSQL keeps for its owner: the pid file, which says where it answers, and its log."""

import contextlib
import os
import socket
from pathlib import Path
from typing import IO
from urllib.parse import quote

SOCKET_PORT = 5432
"""A name on a socket only; said everywhere, because PGPORT would move it."""

SSL_REQUEST = bytes.fromhex("00000008 04d2162f")
"""Asks PostgreSQL whether it speaks TLS; it answers with one letter and does not log who hangs up then."""

MAX_LOG_BYTES = 8_000_000
"""Bytes that PostgreSQL may log before the file begins again; at most as many of its end are kept beside it."""


def open_private(path: Path, mode: str) -> IO[bytes]:
    """Open a file to write in bytes, which only its owner can read, also where an earlier version made it for all.

    The log of PostgreSQL quotes statements that fail, with names and texts of players.
    """

    def open_for_owner(name: str, flags: int) -> int:
        descriptor = os.open(name, flags, 0o600)
        with contextlib.suppress(PermissionError):  # it belongs to another account, which let us write
            os.fchmod(descriptor, 0o600)
        return descriptor

    return open(path, mode + "b", opener=open_for_owner)


class PidFile:
    """The pid file of a server, by lines: pid, data, start, port, socket folder, address, shared memory, state."""

    def __init__(self, data: Path) -> None:
        self.path = data / "postmaster.pid"

    def _lines(self) -> list[str]:
        try:
            return [line.strip() for line in self.path.read_text().split("\n")]
        except OSError:
            return []

    def pid(self) -> int | None:
        lines = self._lines()
        return int(lines[0]) if lines and lines[0].isdigit() else None

    def socket_folder(self, expected: Path) -> Path:
        """Return where the server says its socket is; while it starts again, where it is expected."""
        lines = self._lines()
        return Path(lines[4]) if len(lines) > 4 and lines[4] else expected

    def url(self, expected: Path) -> str:
        """Return the SQLAlchemy URL of the server, at the socket that it names."""
        folder = quote(str(self.socket_folder(expected)))
        return f"postgresql+asyncpg://postgres@/postgres?host={folder}&port={SOCKET_PORT}"

    def is_answering(self, pid: int | None = None) -> bool:
        """Return whether the server answers; with `pid` only if it is this process."""
        lines = self._lines()
        if len(lines) < 8 or lines[7] != "ready" or (pid is not None and lines[0] != str(pid)):
            return False
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            probe.connect(f"{lines[4]}/.s.PGSQL.{SOCKET_PORT}")
            # Only an answer counts: a child of a killed server may hold its socket open for a moment more.
            probe.sendall(SSL_REQUEST)
            return probe.recv(1) != b""
        return False


class ServerLog:
    """The file to which a server logs, of bounded size, with the end of the one before it."""

    def __init__(self, root: Path) -> None:
        self.path, self._earlier = root / "postgres.log", root / "postgres.log.1"

    def bound(self) -> None:
        """Let the log begin again once it is full.

        PostgreSQL appends to the file that it was given, so it goes on at the new end; lines that it writes between the
        copy and the cut are lost. Its own collector of logs would be one more process that has to end with the owner.
        """
        with contextlib.suppress(OSError):
            if (size := self.path.stat().st_size) <= MAX_LOG_BYTES:
                return
            with contextlib.suppress(OSError), open(self.path, "rb") as full, open_private(self._earlier, "w") as end:
                full.seek(size - MAX_LOG_BYTES)
                end.write(full.read(MAX_LOG_BYTES))
            os.truncate(self.path, 0)  # also where the copy found no room: the log itself may have filled the disk
