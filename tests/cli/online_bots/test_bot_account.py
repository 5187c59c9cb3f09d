"""Accounts that a bot makes are marked as a bot's; others stay as they are until their owner wants it."""

from pathlib import Path

import pytest

from diskwars_cli.account.account import AccountServer
from diskwars_cli.online_bots.bot_account import BotAccount
from diskwars_cli.online_bots.bot_service import _connected
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.client import connect
from diskwars_protocol.messages.accounts import Account
from tests.client.local_server import running_server

PASSWORD = "the griffon flies"


async def account_online(url: str, name: str, *, marks_existing: bool = False) -> Account | None:
    account = BotAccount(AccountServer(url, DataOptions()), name, marks_existing=marks_existing)
    try:
        async with _connected(url, account) as client:
            return client.accounts.current
    finally:
        account.release()


async def test_only_an_account_that_the_bot_made_is_marked_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("DISKWARS_ACCOUNT_PASSWORD", PASSWORD)
    async with running_server(seed=None) as url:
        async with connect(url) as ann:
            await ann.accounts.register("Ann", PASSWORD)
        made = await account_online(url, "Archer")
        assert made is not None
        assert made.is_bot
        for _ in range(2):  # at the first start, which logs in, and at the next one
            own = await account_online(url, "Ann")
            assert own is not None
            assert (own.name, own.is_bot) == ("Ann", False)
            assert "--mark-account marks it as that of a bot" in capsys.readouterr().out
        wanted = await account_online(url, "Ann", marks_existing=True)
        assert wanted is not None
        assert wanted.is_bot


def test_account_that_was_made_and_not_marked_yet_is_known_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    for is_first in (True, False):
        account = BotAccount(AccountServer("ws://one.example/ws", DataOptions()), "Archer")
        if is_first:
            account._remember_made("archer-id")
        assert account._has_made("archer-id")
        assert not account._has_made("ann-id")
        account.release()
