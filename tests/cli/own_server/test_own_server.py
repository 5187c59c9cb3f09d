"""`play` alone starts a server with its database, seats a bot, and finds its match again, for every ruleset."""

import os
import signal
import socket
from pathlib import Path

import pytest

from diskwars_protocol.rulesets.registry import RULESETS
from tests.cli.play.test_play import diskwars, read_until, start_play

QUIT = "quit\n"


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_play_alone_begins_and_resumes_after_a_kill(ruleset: str, open_folder: Path) -> None:
    data = str(open_folder / f"play-{ruleset}")
    process = await start_play("play", "--port", "0", "--data", data, "--ruleset", ruleset)
    first = await read_until(process, "\n> ")
    assert first.startswith("return at any time with: diskwars play --resume\n")
    process.send_signal(signal.SIGKILL)
    await process.communicate()
    back = await start_play("play", "--port", "0", "--resume")
    output = await read_until(back, "\n> ")
    _, errors = await back.communicate(QUIT.encode())
    assert back.returncode == 0
    assert [line for line in errors.decode().splitlines() if not line.startswith("running as root")] == []
    assert "new chain" not in output


async def test_nothing_to_resume_is_an_error() -> None:
    code, _, errors = await diskwars("play", "--resume")
    assert (code, errors) == (2, "diskwars: there is no unfinished match to resume on this machine\n")


async def test_server_that_runs_is_used(open_folder: Path) -> None:
    """The bot of the second terminal sits on the server of the first."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    host = await start_play("play", "--port", port, "--data", str(open_folder / "host"), "--ruleset", "pit")
    await read_until(host, "\n> ")
    missing = open_folder / "not-made"
    words = ("--port", port, "--data", str(missing), "--ruleset", "pit")
    code, _, errors = await diskwars("play", *words, typed=QUIT, XDG_DATA_HOME=str(open_folder / "other"))
    assert (code, errors) == (0, "")
    assert not missing.exists()
    await host.communicate(QUIT.encode())
    assert host.returncode == 0


async def test_what_the_terminal_prints_holds_no_token(open_folder: Path) -> None:
    words = ("--port", "0", "--data", str(open_folder / "play-token"), "--ruleset", "pit")
    code, lines, errors = await diskwars("play", *words, typed=QUIT)
    assert code == 0
    (file,) = (Path(os.environ["XDG_DATA_HOME"]) / "diskwars" / "seats").glob("*.json")
    token = file.read_text().partition('"token":"')[2].partition('"')[0]
    assert len(token) > 20
    assert token not in "\n".join(lines) + errors
