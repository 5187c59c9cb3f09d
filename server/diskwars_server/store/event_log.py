"""The port that stores the records of all matches.

It numbers nothing and judges nothing; it only decides which of two concurrent writers wins.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from diskwars_protocol.records.records import Record
from diskwars_server.store.deadlines import Deadline
from diskwars_server.store.errors import DuplicateCommand, MalformedAppend, StoreError
from diskwars_server.store.match_index import Listing
from diskwars_server.store.notices import PlannedNotice


class AppendRequest(Struct, frozen=True):
    """The next record of a match, and what is stored with it or not at all."""

    match: str
    expected: int  # the seq of the last record the writer knows; 0 for a new match
    record: Record  # numbered expected + 1
    secrets: Mapping[str, bytes] = {}  # kept per match and name; a name that is there already is replaced
    listing: Listing | None = None  # given only when the listing has changed in more than turns
    deciding: tuple[int, ...] | None = None  # given without a listing: nothing else of it has changed
    deadlines: tuple[Deadline, ...] = ()  # of decisions that the record opens; all of this match
    closed_decisions: tuple[str, ...] = ()  # decisions that are no longer open: their deadlines are removed
    notices: tuple[PlannedNotice, ...] = ()  # to players who have a channel for them; all of this match


OnOutcome: TypeAlias = Callable[[StoreError | None], None]
"""Gets what became of an append: nothing where it is durable."""

IMPORT_COMMAND_PREFIX = "import:"
"""Begins the command ids of records that came as a file; their number in it follows."""


class StoredImport(Struct, frozen=True):
    """A whole match that was played elsewhere, as it is stored: completely or not at all."""

    match: str
    records: Sequence[Record]
    listing: Listing


class GuestMatchPage(Struct, frozen=True):
    """The matches of guests that were removed, and the (created_ms, match) to go on from; None where that was all."""

    removed: list[str]
    next: tuple[int, str] | None


class IdleMatchPage(Struct, frozen=True):
    """The matches of guests that are idle, and the (created_ms, match) to go on from; None where that was all."""

    idle: list[str]
    next: tuple[int, str] | None


class ArchivablePage(Struct, frozen=True):
    """Matches that may be archived, and the (updated_ms, match) to go on from; None where that was all."""

    matches: list[str]
    next: tuple[int, str] | None


class EventLog(Protocol):
    """The records of all matches. (match, seq) is the only lock: any number of logs may write to the same place.

    Every method may raise `StoreUnavailable`.
    """

    def submit(self, append: AppendRequest, on_outcome: OnOutcome) -> None:
        """Hand an append over. `on_outcome` is called once, in a later pass of the loop.

        It gets nothing once the append is durable, else `WrongVersion`, `DuplicateCommand`, `OutcomeUnknown`,
        `StoreUnavailable` or `MalformedAppend`. Where both the version and the command are wrong, the version is named.
        Appends of one match are tried in the order in which they were handed over. Raises `StoreUnavailable` or
        `MalformedAppend` where the append is not taken at all.
        """

    async def append(self, append: AppendRequest) -> None:
        """Store the append; when this returns, it is durable. Raises what `submit` raises, and what its outcome is.

        Cancelling does not take an append back: once handed over it is stored or refused.
        """
        outcome: asyncio.Future[StoreError | None] = asyncio.get_running_loop().create_future()

        def settle(error: StoreError | None) -> None:
            if not outcome.done():  # else nobody waits any more
                outcome.set_result(error)

        self.submit(append, settle)
        if (error := await outcome) is not None:
            raise error

    async def import_match(self, imported: StoredImport) -> None:
        """Store a whole match. Raises `WrongVersion` where there are records of it, and `StoreUnavailable`."""

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Return the records with seq > after in order, at most `limit` of them. Raises `UnknownMatch`."""

    async def remove_unstarted(self, opened_before: int, ended_before: int, limit: int) -> list[str]:
        """Remove matches that ended without having begun, both before these times; return which.

        Everything that is stored of them goes, at most `limit` matches at once.
        """

    async def remove_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> GuestMatchPage:
        """Remove the guests' matches among the next `limit` that have ended, were opened and have not changed since
        `before`.

        `after` is (created_ms, match) of the last one that was looked at. Everything that is stored of a match goes,
        unless its opener or somebody in it has an account, or had one. A match that another node is removing is left.
        """

    async def find_idle_guest_matches(self, before: int, after: tuple[int, str], limit: int) -> IdleMatchPage:
        """Return the guests' matches without a record since `before` among the next `limit` that are under way.

        `after` is (created_ms, match) of the last one that was looked at. A match is the guests' unless its opener or
        somebody in it has an account, or had one.
        """

    async def find_archivable(self, before: int, after: tuple[int, str], limit: int) -> ArchivablePage:
        """Return the next `limit` matches that ended before a moment, were counted for ratings and are not archived.

        `after` is (updated_ms, match) of the last one that was looked at.
        """

    async def drop_archived(self, match: str, head: int) -> bool:
        """Delete the records of an ended match but the last, whose seq is `head`; return whether they were there.

        From then on `read` returns the last record alone, and `heads` what it did before. Nothing is deleted where the
        match does not end there.
        """

    async def list_archive_removals(self, limit: int) -> list[str]:
        """Return archived matches that were removed, and whose files are still to be deleted; at most `limit`."""

    async def forget_archive_removals(self, matches: Sequence[str]) -> None:
        """Note that the files of these matches are deleted."""

    async def read_near(self, match: str) -> list[Record]:
        """Return all records, as `read` does, but raise `RecordsElsewhere` where that would take long."""
        return await self.read(match)

    async def fetch(self, match: str) -> None:
        """Bring the records of a match to where `read_near` finds them: in most logs they are there."""
        return

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """Return the seq of the last record of each of these matches; a match without records is left out."""


def check_append(append: AppendRequest) -> None:
    """Raise `MalformedAppend` for what no store may keep. Every log calls this first, so that all refuse the same."""
    where = f"append to match {append.match} after {append.expected}"

    if append.expected < 0 or append.record.seq != append.expected + 1:
        raise MalformedAppend(f"{where} holds record {append.record.seq} in place of {append.expected + 1}")
    if append.listing is not None and append.listing.match != append.match:
        raise MalformedAppend(f"append to match {append.match} lists match {append.listing.match}")
    for deadline in append.deadlines:
        if deadline.match != append.match:
            raise MalformedAppend(f"append to match {append.match} has a deadline of match {deadline.match}")
    for notice in append.notices:
        if notice.match != append.match:
            raise MalformedAppend(f"append to match {append.match} has a notice about match {notice.match}")
    texts = _texts_of(append)
    if is_storable("".join(texts)):
        return
    for text in texts:
        if not is_storable(text):
            raise MalformedAppend(
                f"append to match {append.match!a} holds a text with U+0000 or a lone surrogate: {text!a}"
            )


def duplicate_command_error(append: AppendRequest) -> DuplicateCommand:
    return DuplicateCommand(append.match, append.record.actor, append.record.command_id)


def _texts_of(append: AppendRequest) -> list[str]:
    record = append.record
    texts = [append.match, *append.secrets, record.actor, record.command_id]
    texts += append.closed_decisions
    texts += (deadline.decision for deadline in append.deadlines)
    texts += (notice.player for notice in append.notices)
    if (listing := append.listing) is not None:
        texts += (listing.ruleset, listing.status, listing.opener)
        texts += (player for player in listing.seats if player is not None)
    return texts


def is_storable(text: str) -> bool:
    """PostgreSQL keeps neither U+0000 nor what UTF-8 cannot say, and a command's id is whatever a client sent."""
    return (text.isascii() and "\0" not in text) or all(c != "\0" and not "\ud800" <= c <= "\udfff" for c in text)
