"""Memory of the accounts that this user is logged in with: one private file per server, in the user's data folder.

A file holds the token of this device, which proves to that server who the user is. It is given to no other server.
"""

import contextlib
from pathlib import Path

import msgspec
from msgspec import Struct

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.play.remembered.seat_memory import (
    MAX_FILE_BYTES,
    RememberedSeat,
    default_seat_folder,
    write_private_file,
)
from diskwars_cli.play.remembered.server_places import server_digest

FORMAT = 1


class RememberedAccount(Struct, frozen=True, kw_only=True):
    """An account on one server, and the token of this device. `url` and `data` are as those of a `RememberedSeat`."""

    name: str
    player: str
    token: str
    url: str = ""
    data: str = ""
    format: int = FORMAT

    @property
    def place(self) -> str:
        """The place of the account, in words."""
        return self.url or "your own server"


class AccountMemory:
    """The remembered accounts in a folder, which is made when the first is saved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def accounts(self) -> list[RememberedAccount]:
        """Return all accounts that can be read, in the order of their servers."""
        accounts = []
        for file in sorted(self._folder.glob("*.json")) if self._folder.is_dir() else ():
            with contextlib.suppress(OSError, msgspec.DecodeError):
                content = file.read_bytes() if file.stat().st_size <= MAX_FILE_BYTES else b""
                account = msgspec.json.decode(content, type=RememberedAccount)
                if account.format == FORMAT and file == self._file(account.url, account.data):
                    accounts.append(account)
        return sorted(accounts, key=lambda account: (account.url, account.data))

    def find(self, url: str, data: str = "") -> RememberedAccount | None:
        """Return the account on a server; without `url` on the user's own, with the database in `data`."""
        file = self._file(url, data)
        return next((account for account in self.accounts() if self._file(account.url, account.data) == file), None)

    def token(self, url: str, data: str = "") -> str:
        """Return the token for a server; empty without an account there."""
        account = self.find(url, data)
        return "" if account is None else account.token

    def seat_token(self, seat: RememberedSeat) -> str:
        """Return the token with which a seat is played on. Raises CommandError."""
        if not seat.account:
            return seat.token
        account = self.find(seat.url, seat.data)
        if account is None or account.player != seat.account:
            whose = "an account" if account is None else f"another account than {account.name}"
            address = f" --url {seat.url}" if seat.url else ""
            command = f"{program_name()} account login NAME{address}"
            raise CommandError(f"match {seat.match} is played by {whose}: {command}")
        return account.token

    def save(self, account: RememberedAccount) -> None:
        """Write an account. Raises CommandError."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private_file(self._file(account.url, account.data), msgspec.json.encode(account))
        except OSError as fault:
            raise CommandError(f"your account cannot be kept in {self._folder}: {fault.strerror}") from None

    def forget(self, account: RememberedAccount) -> None:
        """Remove an account from this machine."""
        with contextlib.suppress(OSError):
            self._file(account.url, account.data).unlink(missing_ok=True)

    def _file(self, url: str, data: str) -> Path:
        return self._folder / f"{server_digest(url, data)}.json"


def default_account_memory() -> AccountMemory:
    """Return the user's memory of accounts: beside the seats, `~/.local/share/diskwars/accounts` on Linux."""
    return AccountMemory(default_seat_folder().parent / "accounts")
