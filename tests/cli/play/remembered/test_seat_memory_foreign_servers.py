"""A token is given to the server that it is from, whichever verb connects to whichever other server."""

import asyncio
import io
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.server import ServerConnection, serve

from diskwars_cli.console.command import CommandError
from diskwars_cli.play.play import _find_seat, _options_of
from diskwars_cli.play.play_session import PlayOptions
from diskwars_cli.play.remembered.account_memory import RememberedAccount, default_account_memory
from diskwars_cli.play.remembered.seat_memory import RememberedSeat, SeatMemory, default_seat_folder
from diskwars_cli.play.remembered.server_places import OWN_SERVER_URL, server_place
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_protocol.messages.closing import Closing
from tests.cli.command_runner import CommandResult, CommandRunner

WAIT_SECONDS = 40
REAL = "wss://real.example/ws"
SECRETS = ("token-of-a-guest", "token-of-the-own-server", "token-of-an-account")
FAREWELL = msgspec.json.encode(Closing(4003, "token_bad", "who are you?")).decode()


class HostileServer:
    """Notes what clients send to it, and ends each session with the first frame."""

    def __init__(self) -> None:
        self.url, self.frames = "", list[str]()

    async def handle(self, socket: ServerConnection) -> None:
        self.frames.append(str(await socket.recv()))
        await socket.send(FAREWELL)
        await socket.wait_closed()


@pytest.fixture
async def hostile() -> AsyncIterator[HostileServer]:
    server = HostileServer()
    async with serve(server.handle, "127.0.0.1", 0, close_timeout=0.1) as listening:
        server.url = f"ws://127.0.0.1:{next(iter(listening.sockets)).getsockname()[1]}/ws"
        yield server


def seat(match: str = "known", *, url: str = "", token: str = SECRETS[0], account: str = "") -> RememberedSeat:
    return RememberedSeat(match=match, ruleset="pit", players=2, seat=0, token=token, url=url, account=account)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SeatMemory:
    """The memory of a player with a seat on a server, on their own one, and as an account."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DISKWARS_TOKEN", raising=False)
    monkeypatch.setenv("DISKWARS_ACCOUNT_PASSWORD", "a password")
    memory = SeatMemory(default_seat_folder())
    memory.save(seat(url=REAL))
    memory.save(seat("own", token=SECRETS[1]))
    memory.save(seat("rated", url="wss://club.example/ws", token="", account="p1"))
    accounts = default_account_memory()
    for url in ("wss://club.example/ws", ""):
        accounts.save(RememberedAccount(name="Ann", player="p1", token=SECRETS[2], url=url))
    return memory


async def run(diskwars: CommandRunner, *words: str) -> CommandResult:
    async with asyncio.timeout(WAIT_SECONDS):
        return await asyncio.to_thread(diskwars, *words)


@pytest.mark.parametrize(
    ("words", "is_asked"),
    [
        (("play", "--match", "known"), True),
        (("play", "--match", "own"), True),
        (("play", "--match", "rated"), True),
        (("play", "--resume"), False),
        (("play", "--invite", "invite-1"), True),
        (("play", "--quick"), True),
        (("play", "--from", "known/5"), True),
        (("play",), True),
        (("watch", "known"), True),
        (("matches",), True),
        (("matches", "--mine"), False),
        (("invites", "known"), False),
        (("invites", "rated", "--new"), False),
        (("account", "devices"), False),
        (("account", "login", "Ann"), True),
        (("account", "logout"), False),
        (("replay", "known"), True),
        (("draw", "rated"), True),
        (("export", "own"), True),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
async def test_no_verb_gives_a_token_to_another_server(
    words: tuple[str, ...], is_asked: bool, hostile: HostileServer, memory: SeatMemory, diskwars: CommandRunner
) -> None:
    before = {file: file.read_bytes() for file in default_seat_folder().parent.rglob("*.json")}
    result = await run(diskwars, *words, "--url", hostile.url)
    assert bool(hostile.frames) == is_asked, result
    assert [secret for secret in SECRETS if secret in "".join(hostile.frames)] == []
    assert result.code == 2
    assert {file: file.read_bytes() for file in default_seat_folder().parent.rglob("*.json")} == before


async def test_player_learns_that_their_seat_is_on_another_server(
    hostile: HostileServer, memory: SeatMemory, diskwars: CommandRunner
) -> None:
    joined = await run(diskwars, "play", "--match", "known", "--url", hostile.url)
    assert joined.err.startswith(f"your seat in match known is on {REAL}, and is used nowhere else")
    resumed = await run(diskwars, "play", "--resume", "--url", hostile.url)
    assert resumed.err == f"diskwars: there is no unfinished match to resume on {hostile.url}\n"


async def test_invites_of_a_match_on_two_servers_mix_no_tokens(
    hostile: HostileServer, memory: SeatMemory, diskwars: CommandRunner
) -> None:
    """The hostile server took the name of a match on the own one, and the player has sat down there once."""
    memory.save(seat("own", url=hostile.url, token="token-of-there"))
    result = await run(diskwars, "invites", "own")
    assert (result.code, hostile.frames) == (2, [])
    assert "your own server" in result.err
    assert f"{hostile.url}: add --url" in result.err or f"on {hostile.url} and on" in result.err
    await run(diskwars, "invites", "own", "--url", hostile.url)
    assert "token-of-there" in "".join(hostile.frames)
    assert SECRETS[1] not in "".join(hostile.frames)


async def test_token_of_the_environment_is_not_sent_where_a_seat_is_remembered(
    hostile: HostileServer, memory: SeatMemory, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISKWARS_TOKEN", "token-of-elsewhere")
    memory.save(seat("theirs", url=hostile.url, token="token-of-there"))
    await run(diskwars, "invites", "theirs")
    assert "token-of-there" in "".join(hostile.frames)
    assert "token-of-elsewhere" not in "".join(hostile.frames)


# ---------------------------------------------------------------- which seat is taken


def find(memory: SeatMemory, *, data: Path | None = None, **values: object) -> RememberedSeat | None:
    options = msgspec.structs.replace(PlayOptions(data=DataOptions(data)), **values)
    return _find_seat(options, memory, default_account_memory())


@pytest.mark.parametrize("url", [None, REAL, "WSS://REAL.example:443/ws", "wss://real.example:/ws"])
def test_seat_is_taken_by_any_address_of_its_server_and_keeps_its_own(url: str | None, memory: SeatMemory) -> None:
    seat = find(memory, match="known", url=url)
    assert seat is not None
    options = PlayOptions(data=DataOptions(), url=url, match="known")
    assert (seat.token, _options_of(seat, options).url) == (SECRETS[0], REAL)


@pytest.mark.parametrize(
    "url",
    [
        "ws://real.example/ws",
        "wss://real.example:8443/ws",
        "wss://real.example/other",
        "wss://real.example/ws?x=1",
        "wss://real.example@evil.example/ws",
        "wss://evil.example/ws#wss://real.example/ws",
        "wss://real.example:99999/ws",
        OWN_SERVER_URL,
        "",
    ],
)
def test_other_addresses_get_no_seat(url: str, memory: SeatMemory) -> None:
    assert find(memory, match="known", url=url) is None


def test_own_server_is_known_by_its_usual_address(memory: SeatMemory) -> None:
    for url in (None, OWN_SERVER_URL):
        seat = find(memory, match="own", url=url)
        assert seat is not None
        assert seat.token == SECRETS[1]
    assert server_place(OWN_SERVER_URL) == server_place("") != server_place("", "/elsewhere")


def test_seat_of_another_data_folder_is_not_taken(memory: SeatMemory, tmp_path: Path) -> None:
    assert find(memory, match="own", data=tmp_path / "other") is None


def test_resume_offers_the_seats_of_the_named_server_only(memory: SeatMemory) -> None:
    seat = find(memory, resume=True, url=REAL)
    assert seat is not None
    assert seat.match == "known"
    with pytest.raises(CommandError, match=r"no unfinished match to resume on wss://evil\.example/ws"):
        find(memory, resume=True, url="wss://evil.example/ws")


def test_match_of_one_name_on_two_servers_needs_the_address(
    memory: SeatMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    memory.save(seat(url="wss://evil.example/ws", token="theirs"))
    with pytest.raises(CommandError, match=r"a seat in a match known on .* and on .*: add --url"):
        find(memory, match="known")
    remembered = find(memory, match="known", url=REAL)
    assert remembered is not None
    assert remembered.token == SECRETS[0]
