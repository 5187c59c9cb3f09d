"""Login by a code: shown in the terminal, confirmed elsewhere, and the machine is logged in."""

import asyncio
import http.server
import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from diskwars_cli.account import device_login
from diskwars_cli.console.command import CommandError
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
        await ann.accounts.answer_device_login(code[1], approved=True, password=PASSWORD)
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


CODES = {"verification_uri": "x", "user_code": "y", "device_code": "z", "interval": 1, "expires_in": 1_000}


class Server(http.server.BaseHTTPRequestHandler):
    """Answers requests in turn by what `answers` holds: a status and a body; status 0 closes the connection."""

    answers: list[tuple[int, bytes]]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        status, body = self.answers.pop(0)
        if not status:
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        pass


async def login_by(answers: list[tuple[int, bytes]], monkeypatch: pytest.MonkeyPatch) -> tuple[str, list[float]]:
    """Return the token that these answers lead to, and the times that were waited."""
    waits = list[float]()

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", wait)
    handler = type("ServerOfTest", (Server,), {"answers": [(200, json.dumps(CODES).encode()), *answers]})
    with http.server.HTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            return await device_login.fetch_device_token(f"ws://127.0.0.1:{server.server_port}/ws", "shed"), waits
        finally:
            await asyncio.to_thread(server.shutdown)
            thread.join()


PASSING = ((0, b""), (503, b"{}"), (429, b'{"detail":"wait"}'), (200, b"<html>"), (502, b"<html>"), (200, b"[]"))


@pytest.mark.parametrize("answer", PASSING)
async def test_login_goes_on_over_what_passes(answer: tuple[int, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    token, waits = await login_by([answer, answer, (200, b'{"access_token":"t"}')], monkeypatch)
    assert (token, waits) == ("t", [1, 2, 4])


async def test_answer_without_a_token_is_an_error_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="its answer has no token"):
        await login_by([(200, b"{}")], monkeypatch)


async def test_refusal_ends_the_login(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="too old"):
        await login_by([(400, b'{"error":"expired_token","detail":"too old"}')], monkeypatch)
