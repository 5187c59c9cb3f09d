"""Memory of the seats in which this user plays: one private file per seat, in the user's data folder.

A file holds what nobody else may read: the token of the player, and the secrets of the seat and of its bots. It is
written before an answer that rests on it is sent, so a killed terminal loses nothing.
"""

import contextlib
import fcntl
import os
import tempfile
import time
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.console.command import CommandError
from diskwars_cli.play.remembered.server_places import server_digest
from diskwars_client.seat_secrets import SavedSecrets

MAX_REMEMBERED_SEATS = 50
"""Seats that are kept; the one that was played longest ago makes room."""
MAX_FILE_BYTES = 1_000_000
FORMAT = 1


class RememberedBot(Struct, frozen=True):
    """A bot that plays in the terminal's own process: its name, token and secrets."""

    name: str
    token: str
    secrets: SavedSecrets | None = None


class RememberedSeat(Struct, frozen=True, kw_only=True):
    """A seat in a match that has not ended.

    `url` is the server's address; empty for the user's own server, which is started if it does not run, with the
    database in the folder `data`.
    """

    match: str
    ruleset: str
    players: int
    seat: int
    token: str
    url: str = ""
    data: str = ""
    played_at: int = 0
    """Seconds since 1970."""
    secrets: SavedSecrets | None = None
    bots: tuple[RememberedBot, ...] = ()
    server_bots: tuple[str, ...] = ()
    """The names of the bots that the server runs; it keeps their secrets."""
    account: str = ""
    """The player id of the account that plays the seat; then its token is kept with the account, and not here."""
    format: int = FORMAT

    @property
    def bot_names(self) -> tuple[str, ...]:
        return (*self.server_bots, *(bot.name for bot in self.bots))

    @property
    def summary(self) -> str:
        """One line for a list: what is played, against whom, where, and when last."""
        bots = ", ".join(dict.fromkeys(self.bot_names))
        opponents = f" against {bots}" if bots else f" for {self.players}"
        when = time.strftime("%d %b %H:%M", time.localtime(self.played_at)).lstrip("0")
        return f"{self.match}: {self.ruleset}{opponents}, {when}{f', on {self.url}' if self.url else ''}"


class SeatMemory:
    """The remembered seats in a folder, which is made when the first is saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._locks: dict[str, IO[bytes]] = {}

    def seats(self) -> list[RememberedSeat]:
        """Return all seats that can be read, the one played last first."""
        seats = []
        for file in sorted(self._folder.glob("*.json")) if self._folder.is_dir() else ():
            with contextlib.suppress(OSError, msgspec.DecodeError):
                content = file.read_bytes() if file.stat().st_size <= MAX_FILE_BYTES else b""
                seat = msgspec.json.decode(content, type=RememberedSeat)
                if seat.format == FORMAT and file == self._file(seat):
                    seats.append(seat)
        return sorted(seats, key=lambda seat: seat.played_at, reverse=True)

    def unfinished(self) -> list[RememberedSeat]:
        """Return the seats that no other terminal plays at the moment, the one played last first."""
        return [seat for seat in self.seats() if self._is_free(seat)]

    def find(self, match: str) -> list[RememberedSeat]:
        """Return the seats in this match that no other terminal plays; the same name on two servers is two matches."""
        return [seat for seat in self.unfinished() if seat.match == match]

    def save(self, seat: RememberedSeat) -> None:
        """Write a seat. Raises CommandError."""
        seat = replace(seat, played_at=_now())
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private_file(self._file(seat), msgspec.json.encode(seat))
        except OSError as fault:
            raise CommandError(f"your seat cannot be kept in {self._folder}: {fault.strerror}") from None

    def make_room(self) -> None:
        """Forget the seats that were played longest ago, so that one more stays within the bound."""
        for old in self.unfinished()[MAX_REMEMBERED_SEATS - 1 :]:
            self.forget(old)

    def forget(self, seat: RememberedSeat) -> None:
        """Remove a seat whose match is over."""
        self.release(seat)
        for file in (self._file(seat), self._lock_file(seat)):
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)

    # ------------------------------------------------------------ one terminal per seat

    def hold(self, seat: RememberedSeat) -> None:
        """Keep other terminals from playing this seat, until the end of the process. Raises CommandError."""
        name = self._file(seat).name
        if name in self._locks:
            return
        lock = self._open_lock(seat)
        if lock is None:
            raise CommandError(f"match {seat.match} is being played in another terminal")
        self._locks[name] = lock

    def release(self, seat: RememberedSeat) -> None:
        lock = self._locks.pop(self._file(seat).name, None)
        if lock is not None:
            lock.close()

    def _is_free(self, seat: RememberedSeat) -> bool:
        if self._file(seat).name in self._locks:
            return False
        lock = self._open_lock(seat)
        if lock is not None:
            lock.close()
        return lock is not None

    def _open_lock(self, seat: RememberedSeat) -> IO[bytes] | None:
        """Return the locked lock file of a seat; None while another process holds it. A killed one holds nothing."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.fdopen(os.open(self._lock_file(seat), os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        except OSError as fault:
            raise CommandError(f"your seat cannot be kept in {self._folder}: {fault.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            return None
        return lock

    def _file(self, seat: RememberedSeat) -> Path:
        # The server names its matches; only letters and digits of the name become part of a path. Nothing keeps a
        # server from taking the name of another one's match, whose seat it must not replace.
        name = "".join(character for character in seat.match if character.isalnum())[:64]
        return self._folder / f"{name}-{seat.seat}-{server_digest(seat.url, seat.data)}.json"

    def _lock_file(self, seat: RememberedSeat) -> Path:
        return self._file(seat).with_suffix(".lock")


def _now() -> int:
    return int(time.time())


def write_private_file(file: Path, content: bytes) -> None:
    """Replace a file at once by one that only its owner can read."""
    number, name = tempfile.mkstemp(dir=file.parent, prefix=".seat-")  # which only its owner can read
    try:
        with os.fdopen(number, "wb") as half:
            half.write(content)
            half.flush()
            os.fsync(half.fileno())
        os.replace(name, file)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def default_seat_folder() -> Path:
    """Return where seats are kept: beside the user's database, `~/.local/share/diskwars/seats` on Linux."""
    try:
        import platformdirs  # comes with the server and with the terminal
    except ModuleNotFoundError:
        return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "diskwars" / "seats"
    return Path(platformdirs.user_data_dir("diskwars", appauthor=False)) / "seats"
