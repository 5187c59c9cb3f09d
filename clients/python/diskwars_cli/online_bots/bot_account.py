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
from diskwars_cli.play.remembered.seat_memory import SeatMemory, default_seat_folder, write_private_file
from diskwars_client.client import Client
from diskwars_client.errors import CommandRefused


class BotAccount:
    """What this machine keeps of a bot: its account, and the secrets of its seats. One process at a time has it."""

    def __init__(self, server: AccountServer, name: str, *, marks_existing: bool = False) -> None:
        """Hold the account. Raises CommandError if another process has it.

        With `marks_existing` an account that this machine did not make for the bot is marked as a bot's too.
        """
        # Bots of one name on two servers are two bots, and may be online at once.
        digest = hashlib.sha256("\n".join((server.url or server.own_data, name)).encode()).hexdigest()[:16]
        self._folder = default_seat_folder().parent / "bots" / digest
        self._server, self.name, self._marks_existing = server, name, marks_existing
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
        """Make the account, or get a token of it where its name is taken. Raises CommandError, CommandRefused."""
        password = read_account_password(f"password of the bot {self.name}: ")
        try:
            signed_in = await client.accounts.register(self.name, password)
            self._remember_made(signed_in.player)
        except CommandRefused as refused:
            if refused.code != "name_taken":
                raise
            signed_in = await client.accounts.log_in(self.name, password)
        account = remember_sign_in(self._server, signed_in)
        self._accounts.save(account)
        return account

    async def mark(self, client: Client) -> None:
        """Mark an account that this machine made for the bot, or a wanted one, if it is not marked yet.

        Nobody can take that back, and the name may be the one under which the owner plays. Raises CommandRefused
        where it may be tried again.
        """
        current = client.accounts.current
        if current is None or current.is_bot:
            return
        if not self._marks_existing and not self._has_made(client.player):
            print_line(
                f"{self.name} is an account that was there before, and plays as a person; --mark-account marks it as "
                "that of a bot, for good"
            )
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

    def _remember_made(self, player: str) -> None:
        """Keep that this machine made the account: an attempt to mark it may fail, and comes again."""
        try:
            write_private_file(self._made_file, player.encode())
        except OSError as fault:
            raise CommandError(f"the bot cannot be kept in {self._folder}: {fault.strerror}") from None

    def _has_made(self, player: str) -> bool:
        try:
            return self._made_file.read_bytes() == player.encode()
        except OSError:
            return False

    @property
    def _made_file(self) -> Path:
        return self._folder / "made_account"

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
