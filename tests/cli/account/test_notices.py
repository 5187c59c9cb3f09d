"""Notices in the terminal: channels and preferences, and what is typed wrongly."""

from pathlib import Path

import pytest

from diskwars_cli.account.notices import parse_channels, parse_minute, parse_quiet
from diskwars_cli.console.command import CommandError
from diskwars_protocol.messages.notices import QuietHours
from tests.cli.account.test_account import Machine
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import running_server


async def test_player_adds_a_webhook_and_chooses_what_is_sent(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)
    async with running_server(seed=None, public_url="https://club.example.org") as url:
        assert (await machine.run("account", "register", "Ann of Nuln", "--url", url)).code == 0
        hook = ("https://ntfy.example.org/ann", "--format", "ntfy")
        added = await machine.run("account", "notices", "webhook", *hook, "--url", url)
        assert added.lines[0] == "this server sends notices by push, webhook"
        channel, kind, label, state = added.lines[2].split()
        assert (kind, label, state) == ("webhook", "ntfy.example.org", "working")
        words = "--kind match_ended off --quiet 22:00-07:00 --last-hour --digest 18:30 --time-zone Europe/Berlin"
        await machine.run("account", "notices", "set", *words.split(), "--language", "de", "--url", url)
        shown = (await machine.run("account", "notices", "show", "--url", url)).lines
        assert "a match has ended: off" in shown
        assert "your turn: every channel" in shown
        assert "quiet: 22:00-07:00 Europe/Berlin; the last hour's notice is sent all the same" in shown
        assert "together once a day: 18:30 Europe/Berlin" in shown
        assert "language: de" in shown
        kept = (await machine.run("account", "notices", "set", "--quiet", "off", "--digest", "off", "--url", url)).lines
        assert not [line for line in kept if line.startswith(("quiet", "together"))]
        assert "language: de" in kept
        removed = await machine.run("account", "notices", "remove", channel, "--url", url)
        assert "ntfy.example.org" not in removed.out
        refused = await machine.run("account", "notices", "webhook", "https://127.0.0.1/", "--url", url)
        assert (refused.code, "not on the public internet" in refused.err) == (2, True)


async def test_server_that_sends_none_says_so(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "ann", diskwars, monkeypatch)
    async with running_server(seed=None) as url:
        await machine.run("account", "register", "Ann of Nuln", "--url", url)
        shown = await machine.run("account", "notices", "show", "--url", url)
        assert shown.lines == ["this server sends no notices: its operator has set no public_url"]
        refused = await machine.run("account", "notices", "email", "ann@example.org", "--url", url)
        assert (refused.code, "sends no notices by email" in refused.err) == (2, True)


@pytest.mark.parametrize(("text", "minute"), [("0:00", 0), ("07:30", 450), (" 23:59 ", 1439)])
def test_time_of_day_is_read(text: str, minute: int) -> None:
    assert parse_minute(text) == minute


@pytest.mark.parametrize("text", ["", "7", "24:00", "7:60", "7:5", "a:30", "-1:00", "07:30:00"])
def test_what_is_no_time_of_day_is_refused(text: str) -> None:
    with pytest.raises(CommandError, match="is no time of day"):
        parse_minute(text)


def test_quiet_hours_keep_their_exception() -> None:
    assert parse_quiet("22:00-07:00", QuietHours(0, 1, hour_left_passes=True)) == QuietHours(1320, 420, True)
    assert parse_quiet("22:00-07:00", None) == QuietHours(1320, 420)
    assert parse_quiet("off", QuietHours(0, 1)) is None
    with pytest.raises(CommandError, match="no span of time"):
        parse_quiet("22:00", None)


def test_channels_are_read_in_any_order() -> None:
    assert parse_channels("webhook, email") == ("email", "webhook")
    assert (parse_channels("all"), parse_channels("off")) == (("email", "push", "webhook"), ())
    with pytest.raises(CommandError, match="'fax' is no kind of channel"):
        parse_channels("email,fax")
