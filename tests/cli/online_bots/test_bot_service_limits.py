"""A bot survives refusals and faults of single matches, and no opponent has it to themselves."""

import asyncio
import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_cli.account.account import AccountServer
from diskwars_cli.online_bots import bot_service
from diskwars_cli.online_bots.accept_rules import AcceptRule
from diskwars_cli.online_bots.bot_account import BotAccount
from diskwars_cli.online_bots.bot_service import BotService, BotServiceOptions
from diskwars_cli.plugs.data_options import DataOptions
from diskwars_client.errors import CommandRefused
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.messages.challenges import Challenge
from diskwars_protocol.messages.refusals import Refused

BOT, ANN, BEN = "bot", "ann", "ben"
UNAVAILABLE = CommandRefused(Refused("unavailable", "the server cannot store anything now", retry_after_ms=1000))
CLOCK = b'{"clock": {"type": "per_decision", "decision_seconds": 60}}'
OPTIONS = BotServiceOptions("random", "Archer", ("pit",), 4, 100)


def make_service() -> BotService:
    account: Any = SimpleNamespace(name="Archer", known=None)
    return BotService(OPTIONS, (AcceptRule("pit"),), account, DataOptions(), contextlib.AsyncExitStack())


class FakeChallenges:
    """Open challenges, and how they were answered."""

    def __init__(self, *challengers: str) -> None:
        self.open = [self._challenge(number, challenger) for number, challenger in enumerate(challengers)]
        self.accepted, self.declined = list[str](), dict[str, str]()

    def _challenge(self, number: int, challenger: str) -> Challenge:

        return Challenge(
            f"c{number}",
            PlayerId(challenger),
            PlayerId(BOT),
            "open",
            "pit",
            msgspec.Raw(b"{}"),
            msgspec.Raw(CLOCK),
            0,
            10_000,
        )

    async def list(self) -> Any:
        return SimpleNamespace(challenges=self.open)

    async def accept(self, challenge: str) -> Any:
        self.accepted.append(challenge)
        found = next(one for one in self.open if one.challenge == challenge)
        return replace(found, status="accepted", match=f"m{challenge}")

    async def decline(self, challenge: str, reason: str) -> Any:
        self.declined[challenge] = reason
        return replace(next(one for one in self.open if one.challenge == challenge), status="declined")


async def test_third_challenge_of_one_opponent_is_declined_for_now_and_another_is_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play_forever(service: BotService, client: Any, match: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(BotService, "_play", play_forever)
    service, challenges = make_service(), FakeChallenges(ANN, ANN, ANN, BEN)
    client: Any = SimpleNamespace(player=BOT, challenges=challenges)
    await service._answer_challenges(client)
    assert challenges.accepted == ["c0", "c1", "c3"]
    assert challenges.declined == {"c2": "later"}
    for task in service._playing.values():
        task.cancel()


async def test_match_is_watched_again_while_the_store_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = 0.0, 0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def watch(match: str, **_: Any) -> Any:
        nonlocal asked
        asked += 1
        if now < 30:
            raise UNAVAILABLE
        return SimpleNamespace(id=match, is_over=True, wait_caught_up=sleep_none)

    async def sleep_none() -> None: ...

    monkeypatch.setattr("diskwars_client.bot_runner.asyncio.sleep", sleep)
    service = make_service()
    client: Any = SimpleNamespace(player=BOT, watch=watch)
    await service._play(client, "m")
    assert asked > 1
    assert now >= 30


async def test_match_is_not_given_up_for_a_store_that_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async def sleep(seconds: float) -> None: ...

    async def watch(match: str, **_: Any) -> Any:
        raise UNAVAILABLE

    monkeypatch.setattr("diskwars_client.bot_runner.asyncio.sleep", sleep)
    service = make_service()
    client: Any = SimpleNamespace(player=BOT, watch=watch)
    with pytest.raises(CommandRefused, match="unavailable"):
        await service._play(client, "m")
    assert "m" not in service._finished


async def test_fault_of_one_match_ends_that_match_alone(capsys: pytest.CaptureFixture[str]) -> None:
    async def watch(match: str, **_: Any) -> Any:
        raise RuntimeError("no such disk")

    service = make_service()
    client: Any = SimpleNamespace(player=BOT, watch=watch)
    await service._play(client, "m")
    assert "match m is not played: RuntimeError: no such disk" in capsys.readouterr().out


async def test_seat_in_a_match_that_does_not_begin_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    left = list[bool]()

    async def leave_seat() -> None:
        left.append(True)

    async def play_forever(*_: Any) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(bot_service, "UNBEGUN_SECONDS", 0.01)
    monkeypatch.setattr(bot_service, "play_bot", play_forever)
    handle: Any = SimpleNamespace(id="m", match=SimpleNamespace(status="open"), leave_seat=leave_seat)
    chooser: Any = None
    async with asyncio.timeout(10):
        assert await make_service()._play_begun(handle, chooser) is None
    assert left == [True]


async def test_refused_list_of_challenges_does_not_end_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses, runs = list[float](), 0

    async def run(service: BotService, client: Any) -> None:
        nonlocal runs
        runs += 1
        raise UNAVAILABLE

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if sum(pauses) > 30:
            raise KeyboardInterrupt

    @contextlib.asynccontextmanager
    async def connected(url: str, account: Any) -> Any:
        yield None

    monkeypatch.setattr(BotService, "run", run)
    monkeypatch.setattr(bot_service, "_connected", connected)
    monkeypatch.setattr("diskwars_cli.online_bots.bot_service.asyncio.sleep", sleep)
    server: Any = SimpleNamespace(url="ws://one", data=DataOptions())
    account: Any = SimpleNamespace(name="Archer", known="token")
    with pytest.raises(KeyboardInterrupt):
        await bot_service._serve(server, OPTIONS, (), account, "")
    assert runs == len(pauses) == 5


def test_bots_of_one_name_on_two_servers_are_kept_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    servers = [AccountServer(url, DataOptions()) for url in ("ws://one.example/ws", "ws://two.example/ws")]
    accounts = [BotAccount(server, "Archer") for server in servers]
    assert len(list((tmp_path / "diskwars" / "bots").iterdir())) == len(accounts)
    for account in accounts:
        account.release()
