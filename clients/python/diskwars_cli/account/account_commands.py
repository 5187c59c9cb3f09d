"""The acts of the `account` verb with their options and help texts."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from diskwars_cli.options.setting_flags import data_options
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_protocol.messages.accounts import MAX_DEVICE_NAME_LENGTH

if TYPE_CHECKING:
    from diskwars_cli.account.account import AccountServer

Callback: TypeAlias = Callable[..., int]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "show_default": True})
def account() -> None:
    """Make an account on a server, log in and out, and look after its devices.

    Passwords are asked for, never given on the command line. This machine keeps a token in a private file; from then on
    `play`, `watch`, `matches` and `invites` use the account on that server.
    """


def server_options(callback: Callback) -> Callback:
    """Add the options that say which server is meant. The callback gets them as one value, `server`."""

    @wraps(callback)
    def with_server(*, url: str | None, data: DataOptions, **values: Any) -> int:
        from diskwars_cli.account.account import AccountServer

        return callback(server=AccountServer(url, data), **values)

    with_flags: Callback = data_options(port=True)(with_server)
    text = "Address of another server (default: your own on this machine, started if none runs)"
    return click.option("--url", metavar="URL", help=text)(with_flags)


device_option = click.option(
    "--device",
    "device_name",
    metavar="TEXT",
    help=f"Name of this device, at most {MAX_DEVICE_NAME_LENGTH} characters (default: that of this computer)",
)


@account.command()
@click.argument("name")
@device_option
@server_options
def register(name: str, device_name: str | None, server: "AccountServer") -> int:
    """Make an account; its password is asked for twice."""
    from diskwars_cli.account.account import run_register

    return run_register(server, name, device_name)


@account.command()
@click.argument("name")
@device_option
@server_options
def login(name: str, device_name: str | None, server: "AccountServer") -> int:
    """Log in on this machine; `play --resume` then finds the matches of the account."""
    from diskwars_cli.account.account import run_login

    return run_login(server, name, device_name)


@account.command()
@server_options
def logout(server: "AccountServer") -> int:
    """Log this machine out; its token proves nothing any more."""
    from diskwars_cli.account.account import run_logout

    return run_logout(server)


@account.command("show")
def show_accounts() -> int:
    """List the accounts that this machine is logged in with."""
    from diskwars_cli.account.account import run_show

    return run_show()


@account.command()
@server_options
def devices(server: "AccountServer") -> int:
    """List the devices on which the account is logged in, the one used last first."""
    from diskwars_cli.account.account import run_devices

    return run_devices(server)


@account.command("revoke")
@click.argument("device")
@server_options
def revoke_device(device: str, server: "AccountServer") -> int:
    """Log another device out, such as one that was lost. DEVICE is its id in the list of `devices`."""
    from diskwars_cli.account.account import run_revoke

    return run_revoke(server, device)


@account.command("rename")
@click.argument("name")
@server_options
def rename_account(name: str, server: "AccountServer") -> int:
    """Change the name of the account, at most once a day."""
    from diskwars_cli.account.account import run_rename

    return run_rename(server, name)


@account.command()
@click.option("--revoke-others", is_flag=True, help="Log all other devices out")
@server_options
def password(revoke_others: bool, server: "AccountServer") -> int:
    """Change the password; the old one and the new one are asked for."""
    from diskwars_cli.account.account import run_password

    return run_password(server, revoke_others=revoke_others)


@account.command()
@server_options
def delete(server: "AccountServer") -> int:
    """Delete the account for good; its password confirms it. Its matches stay, without the name."""
    from diskwars_cli.account.account import run_delete

    return run_delete(server)
