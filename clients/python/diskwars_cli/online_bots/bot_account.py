"""The account of a bot on one server, kept apart from those of its owner, with the seats that it plays."""

import fcntl
import hashlib
import os
from pathlib import Path
from typing import IO

from diskwars_cli.account.account import AccountServer, read_account_password, remember_sign_in
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line
from diskwars_cli.play.remembered.account_memory import AccountMemory, RememberedAccount
from diskwars_cli.play.remembered.seat_memory import SeatMemory, default_seat_folder
from diskwars_client.client import Client
from diskwars_client.errors import CommandRefused


class BotAccount:
    """What this machine keeps of a bot: its account, and the secrets of its seats. One process at a time has it."""

    def __init__(self, server: AccountServer, name: str) -> None:
        """Hold the account. Raises CommandError if another process has it."""
        # Bots of one name on two servers are two bots, and may be online at once.
        digest = hashlib.sha256("\n".join((server.url or server.own_data, name)).encode()).hexdigest()[:16]
        self._folder = default_seat_folder().parent / "bots" / digest
        self._server, self.name = server, name
        self._accounts = AccountMemory(self._folder / "accounts")
        self.seats = SeatMemory(self._folder / "seats")
        self._lock = self._hold()

    @property
    def known(self) -> RememberedAccount | None:
        return self._accounts.find(self._server.url or "", self._server.own_data)

    @property
    def own_data(self) -> str:
        return self._server.own_data

    @property
    def url(self) -> str:
        return self._server.url or ""

    async def sign_in(self, client: Client) -> RememberedAccount:
        """Make the account, or log in to it where its name is taken. Raises CommandError, CommandRefused."""
        password = read_account_password(f"password of the bot {self.name}: ")
        try:
            signed_in = await client.accounts.register(self.name, password)
        except CommandRefused as refused:
            if refused.code != "name_taken":
                raise
            signed_in = await client.accounts.log_in(self.name, password)
        account = remember_sign_in(self._server, signed_in)
        self._accounts.save(account)
        return account

    async def mark(self, client: Client) -> None:
        """Mark the account as that of a bot, if it is not yet. Raises CommandRefused where that may be tried again."""
        current = client.accounts.current
        if current is None or current.is_bot:
            return
        try:
            await client.accounts.mark_as_bot()
        except CommandRefused as refused:
            if refused.retry_after_ms is not None:
                raise
            print_line(f"{self.name} plays as a person, not as a bot: {refused.text}")

    def forget(self) -> None:
        if (account := self.known) is not None:
            self._accounts.forget(account)

    def release(self) -> None:
        self._lock.close()

    def _hold(self) -> IO[bytes]:
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.fdopen(os.open(Path(self._folder, "lock"), os.O_RDWR | os.O_CREAT, 0o600), "r+b")
        except OSError as fault:
            raise CommandError(f"the bot cannot be kept in {self._folder}: {fault.strerror}") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise CommandError(f"the bot {self.name} is online in another terminal") from None
        return lock
