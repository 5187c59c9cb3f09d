"""Verification of match files in processes of their own, one file after another.

The program that they run is injected: the server itself cannot verify.
"""

import asyncio
import logging
from collections.abc import Callable
from time import monotonic

import msgspec
from msgspec import Struct

from diskwars_protocol.messages.file_verdicts import MAX_VERDICT_BYTES, FileVerdict
from diskwars_server.limits.rate_limits import MS_PER_HOUR, MS_PER_SECOND, RateLimit, RateLimiter
from diskwars_server.processes.children import JobFault, JobTooSlow, run_job
from diskwars_server.refusals import Refusal

log = logging.getLogger(__name__)

VERIFICATIONS_PER_HOUR = 4
"""Files that take all their time, of one address within an hour; others take far less."""

_VERDICTS = msgspec.json.Decoder(FileVerdict)


class FilePrograms(Struct, frozen=True):
    """The programs that work on match files, as commands; without one the server does not do its work."""

    verifier: tuple[str, ...] = ()
    painter: tuple[str, ...] = ()
    reviewer: tuple[str, ...] = ()


NO_FILE_PROGRAMS = FilePrograms()


class VerifierLimits(Struct, frozen=True):
    """`seconds` are those that one file may take."""

    seconds: int = 20
    waiting: int = 8
    """Files that may wait for the process, the one that has it included."""


DEFAULT_VERIFIER_LIMITS = VerifierLimits()


class FileVerifier:
    """Verifies match files. Each address pays with the time that its files take, so that slow ones hold up nobody."""

    def __init__(
        self, command: tuple[str, ...], clock: Callable[[], int], limits: VerifierLimits = DEFAULT_VERIFIER_LIMITS
    ) -> None:
        """`command` is the program; its last two arguments are the bytes and the seconds that a file may take.

        `clock` is monotonic, in milliseconds.
        """
        self._command, self._limits = command, limits
        budget = RateLimit(VERIFICATIONS_PER_HOUR * limits.seconds * MS_PER_SECOND, MS_PER_HOUR)
        self._time = RateLimiter[str](budget, clock)
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def verify(self, compressed: bytes | bytearray, max_bytes: int, payer: str) -> FileVerdict:
        """Return the verdict on a file, compressed with zlib; `payer` is the address or player whose budget pays.

        It is unpacked, to at most `max_bytes`, where it is verified: 8 MB that become one object of this process hold
        up every match for some 6 ms. Raises Refusal.
        """
        full_ms = self._limits.seconds * MS_PER_SECOND
        if self._waiting >= self._limits.waiting:
            raise Refusal("too_many_imports", retry_after_ms=full_ms)
        # All of the time at first, so that files that wait are paid for as well; what is left is given back.
        if wait_ms := self._time.take(payer, full_ms):
            raise Refusal("too_many_imports", retry_after_ms=wait_ms)
        self._waiting += 1
        used_ms = 0
        try:
            async with self._turn:
                started_at = monotonic()
                try:
                    return await self._run(compressed, max_bytes)
                finally:
                    used_ms = int((monotonic() - started_at) * 1000)
        finally:
            self._waiting -= 1
            self._time.charge(payer, min(used_ms, full_ms) - full_ms)

    async def _run(self, compressed: bytes | bytearray, max_bytes: int) -> FileVerdict:
        seconds = self._limits.seconds
        try:
            verdict = _VERDICTS.decode(
                await run_job((*self._command, str(max_bytes)), compressed, seconds, MAX_VERDICT_BYTES)
            )
        except JobTooSlow:
            raise Refusal("import_too_slow", f"verifying the file took longer than {seconds} s") from None
        except (JobFault, msgspec.DecodeError) as fault:
            log.error("process that verifies files failed", extra={"why": str(fault)})
            raise Refusal("import_failed", "the process that verifies files failed at this one") from None
        if verdict.code == "import_failed":
            log.error("a match file could not be verified", extra={"why": verdict.text})
        return verdict
