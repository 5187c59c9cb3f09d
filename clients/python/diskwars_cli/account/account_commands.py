"""The acts of the `account` verb with their options and help texts."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

import click

from diskwars_cli.options.setting_flags import data_options
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_protocol.messages.accounts import API_SCOPES, MAX_DEVICE_NAME_LENGTH, ApiScope
from diskwars_protocol.messages.notices import NoticeKind, NoticeLanguage, WebhookFormat

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
@click.argument("name", required=False)
@click.option("--by-code", is_flag=True, help="Show a code, which you confirm on the page of the server")
@device_option
@server_options
def login(name: str | None, by_code: bool, device_name: str | None, server: "AccountServer") -> int:
    """Log in on this machine; `play --resume` then finds the matches of the account.

    With --by-code no password is typed here, and no NAME is needed.
    """
    from diskwars_cli.account.account import run_login, run_login_by_code

    if by_code:
        return run_login_by_code(server, device_name)
    if name is None:
        raise click.UsageError("name the account, or log in with --by-code")
    return run_login(server, name, device_name)


@account.command()
@click.argument("name")
@device_option
@server_options
def recover(name: str, device_name: str | None, server: "AccountServer") -> int:
    """Set a new password with a recovery code, or with the code of an operator; both are asked for."""
    from diskwars_cli.account.account import run_recover

    return run_recover(server, name, device_name)


@account.command("codes")
@server_options
def recovery_codes(server: "AccountServer") -> int:
    """Make new recovery codes; those of before are good for nothing from then on."""
    from diskwars_cli.account.account import run_codes

    return run_codes(server)


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


@account.command("token")
@click.argument("scopes", metavar="SCOPE...", nargs=-1, required=True, type=click.Choice(API_SCOPES))
@click.option("--name", metavar="TEXT", help="What it is for, to know it in the list of `devices`")
@server_options
def make_token(scopes: tuple[ApiScope, ...], name: str | None, server: "AccountServer") -> int:
    """Make a token for programs that use the HTTP interface as this account; it is shown once.

    SCOPE is one or several of open (open matches), play (take seats, act and resign), watch (see matches as you do) and
    import (import match files).
    """
    from diskwars_cli.account.account import run_token

    return run_token(server, scopes, name)


@account.command("revoke")
@click.argument("device")
@server_options
def revoke_device(device: str, server: "AccountServer") -> int:
    """Log another device out, such as one that was lost, or end a token. DEVICE is its id in the list of `devices`."""
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


@account.command("export")
@click.option("-o", "--output", metavar="FILE", required=True, help="File to write; - prints it")
@server_options
def export_account(output: str, server: "AccountServer") -> int:
    """Save everything that the server stores of your account, as JSON; matches are named (`export` saves each)."""
    from diskwars_cli.account.account import run_export

    return run_export(server, output)


@account.command()
@server_options
def delete(server: "AccountServer") -> int:
    """Delete the account for good; its password confirms it. Its matches stay, without the name."""
    from diskwars_cli.account.account import run_delete

    return run_delete(server)


@account.command("follow")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--stop", is_flag=True, help="Follow them no more")
@click.option("--presence", type=click.Choice(["show", "hide"]), help="Let those who follow you see when you are there")
@server_options
def follow_players(names: tuple[str, ...], stop: bool, presence: str | None, server: "AccountServer") -> int:
    """List whom you follow, after following the players of these names. They do not learn of it."""
    from diskwars_cli.account.account import run_follow

    return run_follow(server, names, stop=stop, presence=presence)


@account.group()
def notices() -> None:
    """Get notices of your matches while you are away: by mail or by a webhook (a browser adds itself on the page).

    A server sends notices about matches with an hour or more for a decision, and about those without a clock, if its
    operator has set that up.
    """


@notices.command("show")
@server_options
def show_notices(server: "AccountServer") -> int:
    """Show your channels, and what is sent by them."""
    from diskwars_cli.account.notices import run_show

    return run_show(server)


@notices.command("email")
@click.argument("address")
@server_options
def add_email(address: str, server: "AccountServer") -> int:
    """Add an address; a link is sent there that confirms it."""
    from diskwars_cli.account.notices import run_add_email

    return run_add_email(server, address)


@notices.command("webhook")
@click.argument("address", metavar="HTTPS_URL")
@click.option("--format", type=click.Choice(get_args(WebhookFormat)), default="json", help="What the service reads")
@server_options
def add_webhook(address: str, format: WebhookFormat, server: "AccountServer") -> int:
    """Add an address to which notices are posted: Discord, Slack, ntfy, or a program of yours."""
    from diskwars_cli.account.notices import run_add_webhook

    return run_add_webhook(server, address, format)


@notices.command("remove")
@click.argument("channel")
@server_options
def remove_channel(channel: str, server: "AccountServer") -> int:
    """Remove a channel. CHANNEL is its id in the list of `show`."""
    from diskwars_cli.account.notices import run_remove

    return run_remove(server, channel)


@notices.command("test")
@click.argument("channel")
@server_options
def try_channel(channel: str, server: "AccountServer") -> int:
    """Let the server send a message that says nothing, or the link again to an address that is not confirmed."""
    from diskwars_cli.account.notices import run_test

    return run_test(server, channel)


@notices.command("set")
@click.option(
    "--kind",
    "kinds",
    type=(click.Choice(get_args(NoticeKind)), str),
    multiple=True,
    metavar="KIND CHANNELS",
    help="Channels of one kind of notice: email,push,webhook, or all, or off (repeatable)",
)
@click.option("--quiet", metavar="FROM-TO", help="Time of day in which nothing is sent: 22:00-07:00, or off")
@click.option("--last-hour/--no-last-hour", default=None, help="Send the last hour's notice in quiet hours too")
@click.option("--digest", metavar="TIME", help="Time of day at which notices come together: 18:30, or off")
@click.option("--time-zone", metavar="NAME", help="Your time zone: Europe/Berlin")
@click.option("--language", type=click.Choice(get_args(NoticeLanguage)), help="Language of the notices")
@server_options
def set_notices(
    kinds: tuple[tuple[NoticeKind, str], ...],
    quiet: str | None,
    last_hour: bool | None,
    digest: str | None,
    time_zone: str | None,
    language: NoticeLanguage | None,
    server: "AccountServer",
) -> int:
    """Change what is sent, by which channels and when. What is not given stays."""
    from diskwars_cli.account.notices import run_set

    return run_set(
        server,
        kinds=kinds,
        quiet=quiet,
        last_hour=last_hour,
        digest=digest,
        time_zone=time_zone,
        language=language,
    )
