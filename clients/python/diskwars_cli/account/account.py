"""The `account` verb: an account on a server, its devices, and the token that this machine keeps of it."""

import getpass
import os
import platform
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.account.device_login import fetch_device_token
from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.output import print_line, print_table
from diskwars_cli.own_server.own_server import own_database, own_server
from diskwars_cli.play.play import run_client
from diskwars_cli.play.remembered.account_memory import AccountMemory, RememberedAccount, default_account_memory
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, SessionEnded
from diskwars_protocol.messages.accounts import MAX_DEVICE_NAME_LENGTH, ApiScope, Device, SignedIn

PASSWORD_VARIABLE = "DISKWARS_ACCOUNT_PASSWORD"
NEW_PASSWORD_VARIABLE = "DISKWARS_NEW_PASSWORD"
CODE_VARIABLE = "DISKWARS_RECOVERY_CODE"
"""Environment variables with the passwords and a recovery code, for scripts.

On a command line other users could read them.
"""
HEADINGS = ("device", "name", "logged in", "last used", "")
TOKEN_REASONS = frozenset({"token_bad", "token_expired", "token_revoked"})

Act = Callable[[Client], Awaitable[None]]


class AccountServer(Struct, frozen=True):
    """The server that is meant: the one at `url`, or the user's own with these data."""

    url: str | None
    data: DataOptions

    @property
    def own_data(self) -> str:
        """The folder of the user's own server, as what is remembered names it; empty for the usual one."""
        folder = self.data.folder
        return "" if self.url or folder is None else str(folder.absolute())

    def find_account(self, memory: AccountMemory) -> RememberedAccount:
        """Return the account of this machine on the server. Raises CommandError."""
        account = memory.find(self.url or "", self.own_data)
        if account is None:
            address = f" --url {self.url}" if self.url else ""
            raise CommandError(f"you are not logged in there: {program_name()} account login NAME{address}")
        return account


# ---------------------------------------------------------------- in and out


def run_register(server: AccountServer, name: str, device_name: str | None) -> int:
    memory = _require_nobody(server)
    password = _read_new_password(PASSWORD_VARIABLE, f"password for {name}: ")

    async def act(client: Client) -> None:
        signed_in = await client.accounts.register(name, password, device_name or _computer_name() or None)
        memory.save(remember_sign_in(server, signed_in))
        print_line(f"registered {signed_in.account.name}; this machine plays with the account from now on")
        _print_codes(signed_in.recovery_codes or ())

    return _run(server, "", act)


def run_login(server: AccountServer, name: str, device_name: str | None) -> int:
    memory = _require_nobody(server)
    password = _read_password(PASSWORD_VARIABLE, f"password of {name}: ")

    async def act(client: Client) -> None:
        signed_in = await client.accounts.log_in(name, password, device_name or _computer_name() or None)
        memory.save(remember_sign_in(server, signed_in))
        print_line(f"logged in as {signed_in.account.name}; `{program_name()} play --resume` finds your matches")

    return _run(server, "", act)


def run_login_by_code(server: AccountServer, device_name: str | None) -> int:
    memory = _require_nobody(server)

    async def act(client: Client) -> None:
        token = await fetch_device_token(client.url, device_name or _computer_name())
        async with connect(client.url, token=token) as own:
            account = own.accounts.current
            if account is None:
                raise CommandError("the account was deleted meanwhile")
            memory.save(
                RememberedAccount(
                    name=account.name, player=own.player, token=token, url=server.url or "", data=server.own_data
                )
            )
        print_line(f"logged in as {account.name}; `{program_name()} play --resume` finds your matches")

    return _run(server, "", act)


def run_recover(server: AccountServer, name: str, device_name: str | None) -> int:
    memory = default_account_memory()
    known = memory.find(server.url or "", server.own_data)
    code = _read_password(CODE_VARIABLE, f"recovery code of {name}: ")
    password = _read_new_password(NEW_PASSWORD_VARIABLE, "new password: ")

    async def act(client: Client) -> None:
        signed_in = await client.accounts.recover(name, code, password, device_name or _computer_name() or None)
        if known is not None and known.player != signed_in.player:
            print_line(f"the password of {name} is changed; this machine stays logged in as {known.name}")
            return
        memory.save(remember_sign_in(server, signed_in))
        print_line(f"logged in as {signed_in.account.name}; the code is used up, and all other devices are logged out")

    return _run(server, "", act)


def run_codes(server: AccountServer) -> int:
    account = server.find_account(default_account_memory())
    password = _read_password(PASSWORD_VARIABLE, f"password of {account.name}: ")

    async def act(client: Client) -> None:
        _print_codes(await client.accounts.make_recovery_codes(password))

    return _run(server, account.token, act)


def _print_codes(codes: tuple[str, ...]) -> None:
    if codes:
        print_line("keep these codes: each lets you set a new password once, should you lose yours")
    for code in codes:
        print_line(f"  {code}")


def run_logout(server: AccountServer) -> int:
    memory = default_account_memory()
    account = server.find_account(memory)

    async def act(client: Client) -> None:
        await client.accounts.log_out()
        memory.forget(account)
        print_line(f"logged out of {account.name} on {account.place}")

    return _run(server, account.token, act)


def run_show() -> int:
    accounts = default_account_memory().accounts()
    if not accounts:
        print_line(f"this machine is logged in nowhere: {program_name()} account login NAME")
    for account in accounts:
        print_line(f"{account.name} on {account.place}{f' in {account.data}' if account.data else ''}")
    return 0


# ---------------------------------------------------------------- the account


def run_devices(server: AccountServer) -> int:
    async def act(client: Client) -> None:
        _print_devices(await client.accounts.devices())

    return run_as_account(server, act)


def run_follow(server: AccountServer, names: tuple[str, ...], *, stop: bool, presence: str | None) -> int:
    async def act(client: Client) -> None:
        followed = await client.accounts.followed()
        if presence is not None:
            followed = await client.accounts.show_presence(presence == "show")
        known = {player.name: player.player for player in followed.players}
        for name in names:
            if not stop:
                followed = await client.accounts.follow(name)
            elif name in known:
                followed = await client.accounts.unfollow(known[name])
            else:
                raise CommandError(f"you do not follow {name}")
        for player in followed.players:
            state = {True: "here", False: "away", None: ""}[player.is_online]
            print_line(f"{player.name}{f' ({state})' if state else ''}")
        if not followed.players:
            print_line("you follow nobody")
        print_line(f"you {'show' if followed.shows_presence else 'hide'} your presence")

    return run_as_account(server, act)


def run_token(server: AccountServer, scopes: tuple[ApiScope, ...], name: str | None) -> int:
    async def act(client: Client) -> None:
        made = await client.accounts.make_api_token(*scopes, device_name=name)
        print_line(made.token)
        print_line(f"it is shown once; {program_name()} account revoke {made.device} ends it")

    return run_as_account(server, act)


def run_revoke(server: AccountServer, device: str) -> int:
    async def act(client: Client) -> None:
        _print_devices(await client.accounts.revoke_device(device))

    return run_as_account(server, act)


def run_rename(server: AccountServer, name: str) -> int:
    memory = default_account_memory()
    account = server.find_account(memory)

    async def act(client: Client) -> None:
        renamed = await client.accounts.rename(name)
        memory.save(replace(account, name=renamed.name))
        print_line(f"the account is called {renamed.name} now")

    return _run(server, account.token, act)


def run_password(server: AccountServer, *, revoke_others: bool) -> int:
    account = server.find_account(default_account_memory())
    password = _read_password(PASSWORD_VARIABLE, f"password of {account.name}: ")
    new_password = _read_new_password(NEW_PASSWORD_VARIABLE, "new password: ")

    async def act(client: Client) -> None:
        codes = await client.accounts.change_password(password, new_password, revoke_others=revoke_others)
        print_line("the password is changed" + ("; all other devices are logged out" if revoke_others else ""))
        if codes:
            _print_codes(codes)

    return _run(server, account.token, act)


def run_export(server: AccountServer, output: str) -> int:
    account = server.find_account(default_account_memory())

    async def act(client: Client) -> None:
        data = msgspec.json.format(msgspec.json.encode(await client.accounts.export()), indent=2) + b"\n"
        if output == "-":
            print_line(data.decode().rstrip("\n"))
            return
        try:
            Path(output).write_bytes(data)
        except OSError as fault:
            raise CommandError(f"{output} cannot be written: {fault.strerror}") from None
        print_line(f"saved the data of {account.name} in {output}")

    return _run(server, account.token, act)


def run_delete(server: AccountServer) -> int:
    memory = default_account_memory()
    account = server.find_account(memory)
    print_line(
        f"this deletes the account {account.name} on {account.place} for good; its matches stay, without the name"
    )
    password = _read_password(PASSWORD_VARIABLE, "your password confirms it: ")

    async def act(client: Client) -> None:
        await client.accounts.delete(password)
        memory.forget(account)
        print_line(f"deleted {account.name}")

    return _run(server, account.token, act)


# ---------------------------------------------------------------- parts


def _require_nobody(server: AccountServer) -> AccountMemory:
    """Return the memory of accounts, if there is no login on the server. Raises CommandError."""
    memory = default_account_memory()
    known = memory.find(server.url or "", server.own_data)
    if known is not None:
        raise CommandError(f"you are logged in as {known.name} there: {program_name()} account logout comes first")
    return memory


def remember_sign_in(server: AccountServer, signed_in: SignedIn) -> RememberedAccount:
    return RememberedAccount(
        name=signed_in.account.name,
        player=signed_in.player,
        token=signed_in.token,
        url=server.url or "",
        data=server.own_data,
    )


def run_as_account(server: AccountServer, act: Act) -> int:
    return _run(server, server.find_account(default_account_memory()).token, act)


def run_with_account_or_guest(server: AccountServer, act: Act) -> int:
    """Do something that guests may do too: with the account of this machine, if it has one there."""
    known = default_account_memory().find(server.url or "", server.own_data)
    return _run(server, "" if known is None else known.token, act)


def _run(server: AccountServer, token: str, act: Act) -> int:
    """Do something on a server, which is started for it if it is the user's own. Raises CommandError."""
    with own_database(server.data) if server.url is None else nullcontext("") as database_url:
        return run_client(_connected(server, database_url, token, act))


async def _connected(server: AccountServer, database_url: str, token: str, act: Act) -> int:
    async with AsyncExitStack() as stack:
        url = server.url
        if url is None:
            url = await stack.enter_async_context(own_server(server.data, database_url))
        try:
            async with connect(url, token=token) as client:
                await act(client)
        except CommandRefused as refused:
            raise CommandError(_refusal_text(refused)) from None
        except SessionEnded as ended:
            if ended.close_reason not in TOKEN_REASONS:
                raise
            memory = default_account_memory()
            memory.forget(server.find_account(memory))
            again = f"{program_name()} account login NAME"
            raise CommandError(f"this machine was logged out of the account: {again} logs in again") from None
    return 0


def _refusal_text(refused: CommandRefused) -> str:
    wait_ms = refused.retry_after_ms
    return refused.text if not wait_ms else f"{refused.text}; try again in {-(-wait_ms // 1000)} s"


def _computer_name() -> str:
    printable = "".join(character for character in platform.node() if character.isprintable())
    return printable[:MAX_DEVICE_NAME_LENGTH]


def _read_password(variable: str, prompt: str) -> str:
    """Return a password from the environment, or else as it is typed unseen. Raises CommandError."""
    known = os.environ.get(variable)
    if known:
        return known
    try:
        return getpass.getpass(prompt)
    except EOFError:
        raise CommandError(f"no password was typed; {variable} can hold it") from None


def read_account_password(prompt: str) -> str:
    """Return the password of an account from the environment, or as it is typed. Raises CommandError."""
    return _read_password(PASSWORD_VARIABLE, prompt)


def _read_new_password(variable: str, prompt: str) -> str:
    """Return a password that is typed twice. Raises CommandError."""
    password = _read_password(variable, prompt)
    if not os.environ.get(variable) and _read_password(variable, "the same once more: ") != password:
        raise CommandError("the two passwords differ")
    return password


def _print_devices(devices: tuple[Device, ...]) -> None:
    print_table(HEADINGS, map(_row, devices))


def _row(device: Device) -> tuple[str, ...]:
    times = (
        time.strftime("%Y-%m-%d %H:%M", time.localtime(ms / 1000)) for ms in (device.created_ms, device.last_used_ms)
    )
    kind = f"token: {', '.join(device.scopes)}" if device.scopes else "this one" * device.is_current
    return device.device, device.name or "", *times, kind
