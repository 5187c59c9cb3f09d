"""The `account notices` verbs: the channels of an account, and what is sent by them."""

from collections.abc import Awaitable, Callable

from msgspec.structs import replace

from diskwars_cli.account.account import AccountServer, run_as_account
from diskwars_cli.console.command import CommandError
from diskwars_cli.console.output import print_line, print_table
from diskwars_client.client import Client
from diskwars_protocol.messages.notices import (
    ChannelKind,
    NoticeKind,
    NoticeLanguage,
    NoticePreferences,
    NoticeRule,
    NoticeSettings,
    QuietHours,
    WebhookFormat,
)

HEADINGS = ("channel", "kind", "to", "state")
KIND_NAMES: dict[NoticeKind, str] = {
    "your_turn": "your turn",
    "day_left": "one day left",
    "hour_left": "one hour left",
    "match_began": "a match has begun",
    "match_ended": "a match has ended",
    "pairing": "a match of a tournament is open",
}
OFF = "off"

Ask = Callable[[Client], Awaitable[NoticeSettings]]


def run_show(server: AccountServer) -> int:
    return _run(server, lambda client: client.notices.get())


def run_add_email(server: AccountServer, address: str) -> int:
    return _run(server, lambda client: client.notices.add_email(address), "open the link in the mail to confirm it")


def run_add_webhook(server: AccountServer, url: str, format: WebhookFormat) -> int:
    return _run(server, lambda client: client.notices.add_webhook(url, format))


def run_remove(server: AccountServer, channel: str) -> int:
    return _run(server, lambda client: client.notices.remove(channel))


def run_test(server: AccountServer, channel: str) -> int:
    return _run(server, lambda client: client.notices.send_test(channel), "it is on its way")


def run_set(
    server: AccountServer,
    *,
    kinds: tuple[tuple[NoticeKind, str], ...],
    quiet: str | None,
    last_hour: bool | None,
    digest: str | None,
    time_zone: str | None,
    language: NoticeLanguage | None,
) -> int:
    """Change preferences; what is not given stays. Raises CommandError for a time that is none."""

    async def ask(client: Client) -> NoticeSettings:
        wanted = (await client.notices.get()).preferences
        rules = {rule.kind: rule for rule in wanted.rules}
        for kind, channels in kinds:
            rules[kind] = NoticeRule(kind, parse_channels(channels))
        wanted = replace(wanted, rules=tuple(rules.values()))
        if quiet is not None:
            wanted = replace(wanted, quiet=parse_quiet(quiet, wanted.quiet))
        if last_hour is not None and wanted.quiet is not None:
            wanted = replace(wanted, quiet=replace(wanted.quiet, hour_left_passes=last_hour))
        if digest is not None:
            wanted = replace(wanted, digest_minute=None if digest == OFF else parse_minute(digest))
        wanted = replace(wanted, time_zone=time_zone or wanted.time_zone, language=language or wanted.language)
        return await client.notices.set_preferences(wanted)

    return _run(server, ask)


def parse_channels(text: str) -> tuple[ChannelKind, ...]:
    """Read `email,push`, `all` or `off`. Raises CommandError."""
    known: tuple[ChannelKind, ...] = ("email", "push", "webhook")
    if text == OFF:
        return ()
    if text == "all":
        return known
    wanted = [word.strip() for word in text.split(",")]
    if unknown := [word for word in wanted if word not in known]:
        raise CommandError(f"{unknown[0]!r} is no kind of channel: expected {', '.join(known)}, all or off")
    return tuple(kind for kind in known if kind in wanted)


def parse_quiet(text: str, before: QuietHours | None) -> QuietHours | None:
    """Read `22:00-07:00` or `off`. Raises CommandError."""
    if text == OFF:
        return None
    begin, mark, end = text.partition("-")
    if not mark:
        raise CommandError(f"{text!r} is no span of time: expected 22:00-07:00 or off")
    passes = before is not None and before.hour_left_passes
    return QuietHours(parse_minute(begin), parse_minute(end), passes)


def parse_minute(text: str) -> int:
    """Read `18:30`. Raises CommandError."""
    hours, mark, minutes = text.strip().partition(":")
    if not (mark and hours.isdecimal() and minutes.isdecimal() and len(minutes) == 2):
        raise CommandError(f"{text!r} is no time of day: expected 18:30")
    if int(hours) > 23 or int(minutes) > 59:
        raise CommandError(f"{text!r} is no time of day: expected 00:00 to 23:59")
    return 60 * int(hours) + int(minutes)


def _run(server: AccountServer, ask: Ask, done: str = "") -> int:
    async def act(client: Client) -> None:
        _print(await ask(client))
        if done:
            print_line(done)

    return run_as_account(server, act)


def _print(settings: NoticeSettings) -> None:
    if not settings.offered:
        print_line("this server sends no notices: its operator has set no public_url")
        return
    print_line(f"this server sends notices by {', '.join(settings.offered)}")
    rows = [(channel.id, channel.kind, channel.label, channel.state) for channel in settings.channels]
    if rows:
        print_table(HEADINGS, rows)
    for line in _preference_lines(settings.preferences):
        print_line(line)


def _preference_lines(preferences: NoticePreferences) -> list[str]:
    by_kind = {rule.kind: rule.channels for rule in preferences.rules}
    lines = []
    for kind, name in KIND_NAMES.items():
        channels = by_kind.get(kind)
        lines.append(f"{name}: {'every channel' if channels is None else ', '.join(channels) or 'off'}")
    if quiet := preferences.quiet:
        passes = "; the last hour's notice is sent all the same" if quiet.hour_left_passes else ""
        lines.append(f"quiet: {_clock(quiet.from_minute)}-{_clock(quiet.to_minute)} {preferences.time_zone}{passes}")
    if preferences.digest_minute is not None:
        lines.append(f"together once a day: {_clock(preferences.digest_minute)} {preferences.time_zone}")
    lines.append(f"language: {preferences.language}")
    return lines


def _clock(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"
