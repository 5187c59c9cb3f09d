"""Errors of every port of the store."""

from pathlib import Path


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


class StatementRefused(StoreError):
    """The database refused a statement for what is in it; everything else works, and trying again does not help."""


class MalformedAppend(StoreError):
    """An append that no store could keep, in any state; retrying does not help."""


class NameTaken(StoreError):
    """Another account has this name, or one that looks like it; nothing was written."""


class UnknownMatch(StoreError):
    """No record of this match is stored."""

    def __init__(self, match: str) -> None:
        super().__init__(f"no match {match} is stored")
        self.match = match


class RecordsElsewhere(StoreError):
    """The records of a match are in the archive: fetch them before something that others wait for is held."""

    def __init__(self, match: str) -> None:
        super().__init__(f"the records of match {match} are in the archive")
        self.match = match


class SchemaTooOld(StoreError):
    """The tables were made by an early version of this program, whose matches cannot be read any more."""

    def __init__(self, found: str, oldest: str) -> None:
        super().__init__(
            f"the database has schema {found}, and the oldest that can be read is {oldest}: "
            "move the folder of the database away, or use another one (--data FOLDER or DATABASE_URL)"
        )
        self.found, self.oldest = found, oldest

    def add_place(self, folder: Path) -> None:
        """Name the folder of the database in the message."""
        self.args = (f"{folder}: {self}",)


class SchemaNewer(StoreError):
    """The tables were made by a later version of this program, which alone knows what they mean."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the database has schema {found} and this program knows none after {known}: "
            "use the newer program, or another database"
        )
        self.found, self.known = found, known


class WrongEncoding(StoreError):
    """The database stores texts in an encoding that lacks letters of names and chat."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"the database has the encoding {found}: make another one with "
            "CREATE DATABASE name TEMPLATE template0 ENCODING 'UTF8'"
        )
        self.found = found


class NoSessions(StoreUnavailable):
    """A pooler in front of the database gives a session another connection after each transaction."""

    def __init__(self) -> None:
        super().__init__(
            "the database is behind a pooler that keeps no sessions (pool_mode = transaction): "
            "use its session mode, or the address of the database itself"
        )
