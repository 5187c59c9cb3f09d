"""Login by a code: shown in the terminal, confirmed elsewhere, and the machine is logged in."""

import asyncio
import re
from pathlib import Path

import pytest

from diskwars_cli.account import device_login
from diskwars_client.client import connect
from tests.cli.account.test_account import PASSWORD, Machine
from tests.cli.command_runner import CommandRunner
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server

CODE = re.compile(r"type ([A-Z]{4}-[A-Z]{4})")


async def test_machine_is_logged_in_once_its_code_was_confirmed(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(device_login, "print_line", lambda text: loop.call_soon_threadsafe(shown.put_nowait, text))
    machine = Machine(tmp_path / "machine", diskwars, monkeypatch)
    async with running_server(seed=None) as url, connect(url) as ann, asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await ann.accounts.register("Ann of Nuln", PASSWORD)
        running = asyncio.create_task(machine.run("account", "login", "--by-code", "--device", "shed", "--url", url))
        code = CODE.search(await shown.get())
        assert code is not None
        assert (await ann.accounts.device_login(code[1])).name == "shed"
        await ann.accounts.answer_device_login(code[1], approved=True)
        done = await running
        assert (done.code, done.err) == (0, "")
        assert "logged in as Ann of Nuln" in done.out
        (account,) = machine.accounts
        assert (account.name, account.player) == ("Ann of Nuln", ann.player)
        assert "shed" in [device.name for device in await ann.accounts.devices()]


async def test_refused_machine_is_not_logged_in(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(device_login, "print_line", lambda text: loop.call_soon_threadsafe(shown.put_nowait, text))
    machine = Machine(tmp_path / "machine", diskwars, monkeypatch)
    async with running_server(seed=None) as url, connect(url) as ann, asyncio.timeout(TEST_TIMEOUT_SECONDS):
        await ann.accounts.register("Ann of Nuln", PASSWORD)
        running = asyncio.create_task(machine.run("account", "login", "--by-code", "--url", url))
        code = CODE.search(await shown.get())
        assert code is not None
        await ann.accounts.answer_device_login(code[1], approved=False)
        done = await running
        assert (done.code, machine.accounts) == (2, [])
        assert "the player has refused" in done.err


async def test_login_needs_a_name_or_a_code(
    tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine(tmp_path / "machine", diskwars, monkeypatch)
    refused = await machine.run("account", "login", "--url", "ws://127.0.0.1:9/ws")
    assert (refused.code, "--by-code" in refused.err) == (2, True)
