"""Memory of uploads: more of the largest files than may be under way at once, on one server.

Run it with `python -m bench.programs.imports`; it prints by how many MiB the process grows at most.
"""

import asyncio
import base64
import os
import threading
import time
import zlib
from collections import Counter

from bench.measuring.processes import resident_kib
from diskwars_cli.plugs.file_programs import verifier_command
from diskwars_protocol.connection.connection import ServerConnection
from diskwars_protocol.messages.files import MAX_PART_BYTES, FinishImport, ImportPart, StartImport
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.lobby.imports import DEFAULT_IMPORT_LIMITS, MatchImports
from diskwars_server.players.users import User
from diskwars_server.processes.file_verifier import FileVerifier
from diskwars_server.refusals import Refusal
from diskwars_server.store.memory.database import MemoryDatabase

POLL_SECONDS = 0.002
KIB_PER_MIB = 1024


def now_ms() -> int:
    return int(time.time() * 1000)


def largest_file() -> bytes:
    """Return a file of the largest size that is allowed, hardly smaller when it is compressed."""
    return b'{"type":"diskwars-match"}\n' + os.urandom(DEFAULT_IMPORT_LIMITS.file_bytes - 100)


async def upload(imports: MatchImports, quotas: AddressQuotas, number: int) -> str:
    """Upload one file from an address of its own, and return the code of its refusal."""
    compressed = zlib.compress(largest_file(), 1)[: DEFAULT_IMPORT_LIMITS.file_bytes]
    user = User(Outbox(ServerConnection(DEFAULT_CLIENT_LIMITS)), f"192.0.2.{number}", quotas)
    try:
        await imports.start(user, StartImport(f"start-{number}", len(compressed)))
    except Refusal as refusal:
        return refusal.code
    for offset in range(0, len(compressed), MAX_PART_BYTES):
        part = base64.b64encode(compressed[offset : offset + MAX_PART_BYTES]).decode()
        await imports.add_part(user, ImportPart(f"{number}-{offset}", offset, part))
    del compressed
    await asyncio.sleep(1)  # until all are there
    try:
        await imports.finish(user, FinishImport(f"finish-{number}"))
    except Refusal as refusal:
        return refusal.code
    return "imported"


class PeakMemory:
    """The most memory that this process held, looked at by a thread."""

    def __init__(self) -> None:
        self._is_over = threading.Event()
        self.before = self.peak = resident_kib(os.getpid())
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._is_over.wait(POLL_SECONDS):
            self.peak = max(self.peak, resident_kib(os.getpid()))

    def stop(self) -> int:
        """Return the growth in KiB."""
        self._is_over.set()
        self._thread.join()
        return self.peak - self.before


async def main() -> None:
    async with MemoryDatabase() as database:
        quotas, verifier = AddressQuotas(QuotaLimits(), now_ms), FileVerifier(verifier_command(), now_ms)
        imports = MatchImports(verifier, database.events, lambda match: None, now_ms, now_ms)
        memory = PeakMemory()
        codes = await asyncio.gather(*(upload(imports, quotas, n) for n in range(DEFAULT_IMPORT_LIMITS.uploads)))
        grown = memory.stop() / KIB_PER_MIB
        refusals = ", ".join(f"{count} {code}" for code, count in sorted(Counter(codes).items()))
        print(f"{len(codes)} uploads ({refusals}): {grown:.0f} MiB more at most")


if __name__ == "__main__":
    asyncio.run(main())
