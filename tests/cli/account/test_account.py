"""Accounts in the terminal: made, used by the other verbs, looked after, and the way back to the own matches."""

import asyncio
import contextlib
import getpass
import json
import stat
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from diskwars_cli.account import account as account_verb
from diskwars_cli.console.command import CommandError
from diskwars_cli.play.remembered.account_memory import AccountMemory, RememberedAccount
from diskwars_cli.play.remembered.seat_memory import RememberedSeat
from diskwars_cli.play.remembered.server_places import OWN_SERVER_URL
from diskwars_client.client import connect
from diskwars_client.errors import SessionEnded
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.actions import ReplaceChain
from diskwars_protocol.rulesets.diskwars.actions import DiskwarsSettings, Loadout
from tests.cli.command_runner import CommandResult, CommandRunner
from tests.cli.play.test_play import read_until, start_play
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server

PASSWORD = "the griffon flies"
ACCOUNT = RememberedAccount(name="Ann", player="p1", token="device_secret", url="ws://127.0.0.1:1/ws")


@pytest.fixture
async def url() -> AsyncIterator[str]:
    # Without a seed, so that matches can be rated.
    async with running_server(seed=None) as address:
        yield address


class Machine:
    """A computer of the player: what it keeps, and the command on it.

    Verbs that need no terminal run in a thread of this process: a process for each would take most of the test's time.
    """

    def __init__(self, folder: Path, run: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._run, self._monkeypatch = folder, run, monkeypatch

    @property
    def environment(self) -> dict[str, str]:
        return {"XDG_DATA_HOME": str(self.folder), "DISKWARS_ACCOUNT_PASSWORD": PASSWORD, "DISKWARS_CALLED": "diskwars"}

    @property
    def accounts(self) -> list[RememberedAccount]:
        return AccountMemory(self.folder / "diskwars" / "accounts").accounts()

    async def run(self, *words: str, **environment: str) -> CommandResult:
        for name, value in {**self.environment, **environment}.items():
            self._monkeypatch.setenv(name, value)
        async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
            return await asyncio.to_thread(self._run, *words)

    @contextlib.asynccontextmanager
    async def play(self, *words: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """Run `play` in a process of its own, and end it by `quit`."""
        process = await start_play("play", *words, **self.environment)
        try:
            async with asyncio.timeout(TEST_TIMEOUT_SECONDS):
                yield process
                _, errors = await process.communicate(b"quit\n")
            assert (process.returncode, errors) == (0, b"")
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


@pytest.fixture
def machine(tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Machine]:
    return lambda name: Machine(tmp_path / name, diskwars, monkeypatch)


# ---------------------------------------------------------------- what is kept


def test_token_is_kept_in_a_file_that_only_the_owner_reads(tmp_path: Path) -> None:
    memory = AccountMemory(tmp_path / "accounts")
    assert (memory.accounts(), memory.token(ACCOUNT.url)) == ([], "")
    memory.save(ACCOUNT)
    (file,) = (tmp_path / "accounts").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert memory.find(ACCOUNT.url) == ACCOUNT
    assert memory.token("ws://other:1/ws") == memory.token("") == "", "a token is for the server that gave it"
    memory.forget(ACCOUNT)
    assert list((tmp_path / "accounts").iterdir()) == []


def test_own_server_is_one_server_by_whichever_name(tmp_path: Path) -> None:
    memory = AccountMemory(tmp_path)
    memory.save(RememberedAccount(name="Ann", player="p1", token="own"))
    assert memory.token(OWN_SERVER_URL) == memory.token("") == "own"
    assert memory.token("", "/elsewhere") == ""


def test_damaged_and_later_files_are_passed_over(tmp_path: Path) -> None:
    memory = AccountMemory(tmp_path)
    memory.save(ACCOUNT)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes().replace(b'"format":1', b'"format":2'))
    (tmp_path / "bad.json").write_text("{")
    assert memory.accounts() == []


def test_seat_of_an_account_needs_that_account(tmp_path: Path) -> None:
    memory = AccountMemory(tmp_path)
    guest = RememberedSeat(match="m1", ruleset="pit", players=2, seat=0, token="guest", url=ACCOUNT.url)
    seat = RememberedSeat(match="m1", ruleset="pit", players=2, seat=0, token="", url=ACCOUNT.url, account="p1")
    assert memory.seat_token(guest) == "guest"
    with pytest.raises(CommandError, match=r"played by an account: .* account login NAME --url ws://127.0.0.1:1/ws"):
        memory.seat_token(seat)
    memory.save(ACCOUNT)
    assert memory.seat_token(seat) == "device_secret"
    memory.save(RememberedAccount(name="Ben", player="p2", token="other", url=ACCOUNT.url))
    with pytest.raises(CommandError, match="another account than Ben"):
        memory.seat_token(seat)


# ---------------------------------------------------------------- passwords


def test_password_is_asked_for_twice_and_never_an_option(
    monkeypatch: pytest.MonkeyPatch, diskwars: CommandRunner, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    typed = iter(["one password", "another one"])
    monkeypatch.setattr(getpass, "getpass", lambda prompt: next(typed))
    assert diskwars.error_message("account", "register", "Ann", "--url", "ws://x") == "the two passwords differ"
    for verb in ("register", "login", "password", "delete"):
        shown = diskwars("account", verb, "--help").out
        assert "--password" not in shown, verb


def test_end_of_input_instead_of_a_password_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, diskwars: CommandRunner, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def end(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(getpass, "getpass", end)
    message = diskwars.error_message("account", "login", "Ann", "--url", "ws://x")
    assert message == f"no password was typed; {account_verb.PASSWORD_VARIABLE} can hold it"


# ---------------------------------------------------------------- against a server


async def test_account_is_made_on_one_machine_and_used_on_another(url: str, machine: Callable[[str], Machine]) -> None:
    laptop, phone = machine("laptop"), machine("phone")
    made = await laptop.run("account", "register", "Ann", "--device", "laptop", "--url", url)
    assert (made.code, made.err) == (0, "")
    assert made.lines[0] == "registered Ann; this machine plays with the account from now on"
    (kept,) = laptop.accounts
    assert kept.token not in made.out
    again = await laptop.run("account", "login", "Ann", "--url", url)
    assert again.err == "diskwars: you are logged in as Ann there: diskwars account logout comes first\n"
    wrong = await phone.run("account", "login", "Ann", "--url", url, DISKWARS_ACCOUNT_PASSWORD="not this one")
    assert (wrong.code, wrong.err) == (2, "diskwars: no account has this name and password\n")
    assert (await phone.run("account", "login", "ann", "--device", "phone", "--url", url)).code == 0
    listed = await laptop.run("account", "devices", "--url", url)
    assert [line.split()[1] for line in listed.lines] == ["name", "phone", "laptop"]
    left = await laptop.run("account", "revoke", listed.lines[1].split()[0], "--url", url)
    assert [line.split()[1] for line in left.lines] == ["name", "laptop"]
    made = await laptop.run("account", "token", "play", "watch", "--name", "bot", "--url", url)
    assert (made.code, made.lines[0].startswith("api_"), len(made.lines)) == (0, True, 2)
    listed = await laptop.run("account", "devices", "--url", url)
    assert [line.endswith("token: play, watch") for line in listed.lines].count(True) == 1
    assert made.lines[0] not in listed.out
    assert len((await laptop.run("account", *made.lines[1].split()[6:8], "--url", url)).lines) == 2
    lost = await phone.run("account", "devices", "--url", url)
    text = "diskwars: this machine was logged out of the account: diskwars account login NAME logs in again\n"
    assert (lost.code, lost.err) == (2, text)
    assert phone.accounts == []


async def test_account_is_renamed_gets_another_password_and_is_deleted(
    url: str, machine: Callable[[str], Machine]
) -> None:
    laptop = machine("laptop")
    await laptop.run("account", "register", "Ann", "--url", url)
    renamed = await laptop.run("account", "rename", "Anna", "--url", url)
    assert renamed.lines == ["the account is called Anna now"]
    words = ("account", "password", "--revoke-others", "--url", url)
    changed = await laptop.run(*words, DISKWARS_NEW_PASSWORD="dawn of the griffon")
    assert changed.lines[0] == "the password is changed; all other devices are logged out"
    assert len([line for line in changed.lines if line.count("-") == 3]) == 10, "there are new recovery codes"
    assert (await laptop.run("account", "show")).lines == [f"Anna on {url}"]
    assert (await laptop.run("account", "delete", "--url", url)).code == 2, "by the former password"
    deleted = await laptop.run("account", "delete", "--url", url, DISKWARS_ACCOUNT_PASSWORD="dawn of the griffon")
    assert (deleted.code, deleted.lines[-1]) == (0, "deleted Anna")
    after = await laptop.run("account", "devices", "--url", url)
    assert (after.code, after.err.startswith("diskwars: you are not logged in there: ")) == (2, True)


async def test_own_data_are_saved_in_a_file_or_printed(url: str, machine: Callable[[str], Machine]) -> None:
    laptop = machine("laptop")
    await laptop.run("account", "register", "Ann", "--device", "laptop", "--url", url)
    file = laptop.folder / "ann.json"
    saved = await laptop.run("account", "export", "-o", str(file), "--url", url)
    assert (saved.code, saved.lines) == (0, [f"saved the data of Ann in {file}"])
    data = json.loads(file.read_text(encoding="utf-8"))
    assert (data["account"]["name"], data["devices"]["devices"][0]["name"]) == ("Ann", "laptop")
    printed = await laptop.run("account", "export", "-o", "-", "--url", url)
    assert json.loads(printed.out)["account"] == data["account"]
    nowhere = await laptop.run("account", "export", "-o", str(laptop.folder / "none" / "ann.json"), "--url", url)
    assert (nowhere.code, "cannot be written: No such file or directory" in nowhere.err) == (2, True)


async def test_lost_password_is_set_again_with_a_code(url: str, machine: Callable[[str], Machine]) -> None:
    laptop, phone = machine("laptop"), machine("phone")
    made = await laptop.run("account", "register", "Ann", "--url", url)
    codes = [line.strip() for line in made.lines if line.startswith("  ")]
    assert len(codes) == 10
    new = {"DISKWARS_NEW_PASSWORD": "the griffon sleeps", "DISKWARS_RECOVERY_CODE": codes[3]}
    recovered = await phone.run("account", "recover", "Ann", "--url", url, **new)
    assert (recovered.code, "logged in as Ann" in recovered.out) == (0, True)
    assert "the griffon sleeps" not in recovered.out
    again = await machine("other").run("account", "recover", "Ann", "--url", url, **new)
    assert (again.code, "the code was used" in again.err) == (2, True)
    changed = {"DISKWARS_ACCOUNT_PASSWORD": "the griffon sleeps"}
    others = await phone.run("account", "codes", "--url", url, **changed)
    assert len([line for line in others.lines if line.startswith("  ")]) == 10
    used = await laptop.run("account", "devices", "--url", url)
    assert used.code == 2, "the laptop is logged out"


async def test_logged_out_machine_plays_as_a_guest_again(url: str, machine: Callable[[str], Machine]) -> None:
    laptop = machine("laptop")
    await laptop.run("account", "register", "Ann", "--url", url)
    (kept,) = laptop.accounts
    left = await laptop.run("account", "logout", "--url", url)
    assert (left.code, left.err, left.lines) == (0, "", [f"logged out of Ann on {url}"])
    assert laptop.accounts == []
    with pytest.raises(SessionEnded, match="logged out"):
        async with connect(url, token=kept.token):
            pass


async def test_rated_match_is_played_with_the_account(url: str, machine: Callable[[str], Machine]) -> None:
    laptop, other = machine("laptop"), machine("other")
    await laptop.run("account", "register", "Ann", "--url", url)
    async with laptop.play("--url", url, "--rated", "--bot", "none") as process:
        await read_until(process, "waiting for an opponent")
    assert len((await laptop.run("matches", "--url", url, "--mine")).lines) == 2
    refused = await other.run("matches", "--url", url, "--mine")
    assert (refused.code, "--mine needs an account there" in refused.err) == (2, True)
    (seat,) = (laptop.folder / "diskwars" / "seats").glob("*.json")
    assert '"token":""' in seat.read_text(), "the token is kept in one place"


async def sit_down(url: str, machine: Machine, opponent: MatchHandle) -> None:
    """Let the account sit in a match, as a client that keeps nothing."""
    (account,) = machine.accounts
    async with connect(url, token=account.token) as client:
        handle = await client.watch(opponent.id)
        await handle.take_seat(Loadout("empire-patrol"))
        for player in (handle, opponent):
            await player.wait_after(2)
            await player.ready()


async def test_matches_are_found_again_by_the_account_after_everything_was_lost(
    url: str, machine: Callable[[str], Machine]
) -> None:
    laptop, phone = machine("laptop"), machine("phone")
    await laptop.run("account", "register", "Ann", "--url", url)
    async with connect(url) as client:
        opponent = await client.open_match(DiskwarsSettings(setup="quick", regiments=1))
        await opponent.take_seat(Loadout("chaos-patrol"))
        await sit_down(url, laptop, opponent)
        nothing = await phone.run("play", "--resume")
        assert nothing.err == "diskwars: there is no unfinished match to resume on this machine\n"
        await phone.run("account", "login", "Ann", "--url", url)
        async with phone.play("--resume") as process:
            await read_until(process, "return at any time")
            assert not opponent.is_over
            while not any(isinstance(body.action, ReplaceChain) for body in opponent.records):
                await opponent.wait_after(opponent.head)
    (seat,) = (phone.folder / "diskwars" / "seats").glob("*.json")
    assert seat.name.startswith(opponent.id), "from now on it is remembered here"


async def test_server_that_cannot_be_asked_is_named_and_left_out(machine: Callable[[str], Machine]) -> None:
    laptop = machine("laptop")
    AccountMemory(laptop.folder / "diskwars" / "accounts").save(ACCOUNT)
    result = await laptop.run("play", "--resume")
    first, last = result.err.splitlines()
    assert result.code == 2
    assert first.startswith(f"{ACCOUNT.url} was not asked for the matches of Ann: ")
    assert ACCOUNT.token not in result.err
    assert last == "diskwars: there is no unfinished match to resume on this machine"


async def test_account_of_the_own_server_needs_no_address(url: str, machine: Callable[[str], Machine]) -> None:
    """One that runs on this machine is the own one; where none does, it is started as `play` starts it."""
    laptop = machine("laptop")
    own = ("--port", url.rpartition(":")[2].removesuffix("/ws"))
    made = await laptop.run("account", "register", "Ann", *own)
    assert (made.code, made.err) == (0, "")
    assert (await laptop.run("account", "devices", *own)).lines[1].endswith("this one")
    assert (await laptop.run("account", "show")).lines == ["Ann on your own server"]


async def test_players_are_followed_and_listed(
    url: str, tmp_path: Path, diskwars: CommandRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = (Machine(tmp_path / name, diskwars, monkeypatch) for name in ("ann", "ben"))
    await ann.run("account", "register", "Ann of Nuln", "--url", url)
    await ben.run("account", "register", "Ben of Ulm", "--url", url)
    alone = await ann.run("account", "follow", "--url", url)
    assert alone.lines == ["you follow nobody", "you hide your presence"]
    assert (await ann.run("account", "follow", "Ben of Ulm", "--url", url)).lines[0] == "Ben of Ulm"
    shown = await ben.run("account", "follow", "--presence", "show", "--url", url)
    assert shown.lines == ["you follow nobody", "you show your presence"]
    assert (await ann.run("account", "follow", "--url", url)).lines[0] == "Ben of Ulm (away)"
    stopped = await ann.run("account", "follow", "--stop", "Ben of Ulm", "--url", url)
    assert stopped.lines[0] == "you follow nobody"
    unknown = await ann.run("account", "follow", "--stop", "Ben of Ulm", "--url", url)
    assert (unknown.code, "do not follow" in unknown.err) == (2, True)
