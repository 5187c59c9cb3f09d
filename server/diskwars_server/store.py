"""The interface of the event store, and an implementation in memory.

A store numbers nothing, judges nothing and opens nothing; it only decides which of two concurrent writers wins.
"""

import secrets as entropy
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Protocol, Self

from msgspec import Struct

from diskwars_protocol.match import MatchStatus
from diskwars_protocol.records import Record


class StoreError(Exception):
    """The store did not do what it was asked to."""


class WrongVersion(StoreError):
    """The match does not end where the writer thought; nothing was written. `actual` is None if it is not known."""

    def __init__(self, match: str, expected: int, actual: int | None) -> None:
        super().__init__(f"match {match} does not end at {expected}" + ("" if actual is None else f" but at {actual}"))
        self.match, self.expected, self.actual = match, expected, actual


class DuplicateCommand(StoreError):
    """This actor's command is in the match already; nothing was written. Look the command up and answer as before."""

    def __init__(self, match: str, actor: str, command: str) -> None:
        super().__init__(f"match {match} already holds command {command} of {actor}")
        self.match, self.actor, self.command_id = match, actor, command


class OutcomeUnknown(StoreError):
    """The append was sent and no answer came: it is there whole or not at all, and may even come late.

    Reload, look the command up, never append blindly. One that comes late takes a number and so is noticed.
    """

    def __init__(self, match: str) -> None:
        super().__init__(f"no answer came to the append to match {match}: it may or may not be stored")
        self.match = match


class StoreUnavailable(StoreError):
    """Nothing was written: the store cannot be reached, is closed, busy or gave up. Trying again later is safe."""


class MalformedAppend(StoreError):
    """An append that no store could keep, in any state; retrying does not help."""


class UnknownMatch(StoreError):
    """No record of this match is stored."""

    def __init__(self, match: str) -> None:
        super().__init__(f"no match {match} is stored")
        self.match = match


class SchemaNewer(StoreError):
    """The tables were made by a later version of this program, which alone knows what they mean."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the database has schema {found} and this program knows none after {known}: "
            "use the newer program, or another database"
        )
        self.found, self.known = found, known


class Listing(Struct, frozen=True):
    """What the lobby shows of a match. Times are milliseconds since 1970; seats hold opaque player ids."""

    match: str
    ruleset: str
    status: MatchStatus
    seats: tuple[str | None, ...]
    opener: str
    created: int
    updated: int
    result: str = ""


class AppendRequest(Struct, frozen=True):
    """The next record of a match, and what is stored with it or not at all."""

    match: str
    expected: int  # the seq of the last record the writer knows; 0 for a new match
    record: Record  # numbered expected + 1
    secrets: Mapping[str, bytes] = {}  # kept per match and name; a name that is there already is replaced
    listing: Listing | None = None  # given only when something the lobby shows has changed


class EventStore(Protocol):
    """The records of all matches. (match, seq) is the only lock: any number of stores may write to the same place.

    Every method may raise `StoreUnavailable`. Use it as `async with store:`, or between `open` and `close`.
    """

    async def open(self) -> None:
        """Make the store ready. Raises `StoreUnavailable` or `SchemaNewer`."""

    async def close(self) -> None:
        """Write what was handed over, answer everybody, and stop. What comes later gets `StoreUnavailable`."""

    async def append(self, append: AppendRequest) -> None:
        """Store the append; when this returns, it is durable.

        Raises `WrongVersion`, `DuplicateCommand`, `OutcomeUnknown`, `StoreUnavailable` or `MalformedAppend`. Where both
        the version and the command are wrong, the version is named. Appends of one match are tried in the order in
        which they were handed over. Cancellation takes back the question, not the append: once handed over it is stored
        or refused all the same.
        """

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Return the records with seq > after in order, at most `limit` of them. Raises `UnknownMatch`."""

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        """Return the seq of the last record of each of these matches; a match without records is left out."""

    async def secrets(self, match: str) -> dict[str, bytes]:
        """Return what was stored beside the records of this match and is not yet forgotten."""

    async def forget_secrets(self, match: str) -> None:
        """Remove the secrets of a match, once its last record has published them. Cancelled, it is done or not."""

    async def list_matches(
        self, status: str | None = None, limit: int = 100, before: tuple[int, str] | None = None
    ) -> list[Listing]:
        """Matches of this status (or any), newest first; `before` is (created, match) of the last one known."""

    async def count_unfinished(self, opener: str) -> int:
        """Return how many matches there are that this player has opened and that have not ended."""

    async def signing_key(self) -> bytes:
        """Return 32 secret bytes, created by the first caller and the same ever after. If cancelled, they may exist."""

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def check_append(append: AppendRequest) -> None:
    """Raise `Malformed` for what no store may keep; every store asks this first, so that all refuse the same."""
    where = f"append to match {append.match} after {append.expected}"

    if append.expected < 0 or append.record.seq != append.expected + 1:
        raise MalformedAppend(f"{where} holds record {append.record.seq} in place of {append.expected + 1}")
    if append.listing is not None and append.listing.match != append.match:
        raise MalformedAppend(f"append to match {append.match} lists match {append.listing.match}")
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
    texts = [append.match, *append.secrets, record.actor, record.command_id, record.rules]
    if (listing := append.listing) is not None:
        texts += (listing.ruleset, listing.status, listing.opener, listing.result)
        texts += (player for player in listing.seats if player is not None)
    return texts


def is_storable(text: str) -> bool:
    """PostgreSQL keeps neither U+0000 nor what UTF-8 cannot say, and a command's id is whatever a client sent."""
    return (text.isascii() and "\0" not in text) or all(c != "\0" and not "\ud800" <= c <= "\udfff" for c in text)


class MemoryStore(EventStore):
    """Everything in this process: for tests, simulation and a server that may forget."""

    def __init__(self) -> None:
        self._records: dict[str, list[Record]] = {}
        self._commands: dict[str, set[tuple[str, str]]] = {}
        self._secrets: dict[str, dict[str, bytes]] = {}
        self._listed: dict[str, Listing] = {}
        self._key = entropy.token_bytes(32)
        self._is_open = False

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    async def append(self, append: AppendRequest) -> None:
        # No await in here: each append is done before another may begin.
        self._require_open()
        check_append(append)
        command = self._require_new_command(append)
        self._records.setdefault(append.match, []).append(append.record)
        self._commands.setdefault(append.match, set()).add(command)
        if append.secrets:
            self._secrets.setdefault(append.match, {}).update(append.secrets)
        if append.listing is not None:
            self._listed[append.match] = append.listing

    def _require_new_command(self, append: AppendRequest) -> tuple[str, str]:
        actual = len(self._records.get(append.match, ()))
        if actual != append.expected:
            raise WrongVersion(append.match, append.expected, actual)
        command = append.record.actor, append.record.command_id
        if command in self._commands.get(append.match, ()):
            raise duplicate_command_error(append)
        return command

    async def read(self, match: str, after: int = 0, limit: int | None = None) -> list[Record]:
        self._require_open()
        if match not in self._records:
            raise UnknownMatch(match)
        # Records are numbered from 1 without gaps, so a seq is a place in the list.
        first = max(after, 0)
        return self._records[match][first : None if limit is None else first + limit]

    async def heads(self, matches: Sequence[str]) -> dict[str, int]:
        self._require_open()
        return {match: len(self._records[match]) for match in matches if match in self._records}

    async def secrets(self, match: str) -> dict[str, bytes]:
        self._require_open()
        return dict(self._secrets.get(match, {}))

    async def forget_secrets(self, match: str) -> None:
        self._require_open()
        self._secrets.pop(match, None)

    async def list_matches(
        self, status: str | None = None, limit: int = 100, before: tuple[int, str] | None = None
    ) -> list[Listing]:
        self._require_open()
        shown = [
            listing
            for listing in self._listed.values()
            if (status is None or listing.status == status)
            and (before is None or (listing.created, listing.match) < before)
        ]
        return sorted(shown, key=lambda listing: (listing.created, listing.match), reverse=True)[:limit]

    async def count_unfinished(self, opener: str) -> int:
        self._require_open()
        return sum(listing.opener == opener and listing.status != "ended" for listing in self._listed.values())

    async def signing_key(self) -> bytes:
        self._require_open()
        return self._key

    def _require_open(self) -> None:
        if not self._is_open:
            raise StoreUnavailable("the store is closed")
