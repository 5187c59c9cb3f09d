"""Two SDK clients of one account in one match: both watch and act, one is in control, and they play in turn."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_client.bot_runner import answer_decision, play_bot
from diskwars_client.client import connect
from diskwars_client.errors import CommandRefused
from diskwars_client.match_handle import MatchHandle
from diskwars_client.own_seat import OwnSeat
from diskwars_client.verification.verify import verify
from diskwars_client.watch_mode import WatchMode
from diskwars_protocol.match.actions import ReplaceChain
from diskwars_protocol.match.events import ChainReplaced, StepBegan
from diskwars_protocol.match.state import newest_chain_link
from diskwars_protocol.rulesets.diskwars.actions import CommandCardQuestion, DiskwarsSettings, Loadout
from tests.client.local_server import CLIENTS, TEST_TIMEOUT_SECONDS, running_server
from tests.interop.node_program import run_node, same_states

QUICK = DiskwarsSettings(setup="quick", regiments=1)
MODE = WatchMode(push_options=True, push_openings=True)
PASSWORD = "the griffon flies"
LOCKS = 3


class Devices:
    """A laptop and a phone of one account, which sit in a match, and their opponent."""

    def __init__(self, url: str, laptop: MatchHandle, opponent: MatchHandle) -> None:
        self.url, self.laptop, self.opponent = url, laptop, opponent
        self.rng = random.Random(1)

    @contextlib.asynccontextmanager
    async def log_in(self, history: bool = True) -> AsyncIterator[MatchHandle]:
        """Provide the match as a new device of the account follows it."""
        async with connect(self.url) as visitor:
            token = (await visitor.accounts.log_in("Ann", PASSWORD, "phone")).token
        async with connect(self.url, token=token) as client:
            handle = await client.watch(self.laptop.id, history=history, mode=MODE)
            await handle.wait_caught_up()
            yield handle

    async def answer(self, handle: MatchHandle) -> None:
        await answer_decision(handle, handle.open_decisions[0], BOTS["random"], self.rng)

    async def play_to_card(self, device: MatchHandle) -> None:
        """Answer for both sides until the own seat is asked for a card."""
        while not asks_for_card(device):
            asked = device if device.open_decisions else self.opponent
            if asked.open_decisions:
                await self.answer(asked)
            await device.wait_after(min(device.head, asked.head - 1))
            await self.opponent.wait_after(device.head - 1)
            await device.wait_after(self.opponent.head - 1)


def asks_for_card(handle: MatchHandle) -> bool:
    return any(isinstance(decision.question, CommandCardQuestion) for decision in handle.open_decisions)


@contextlib.asynccontextmanager
async def seated_account() -> AsyncIterator[Devices]:
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as own,
        connect(url) as other,
    ):
        await own.accounts.register("Ann", PASSWORD, "laptop")
        laptop = await own.open_match(QUICK, mode=MODE)
        opponent = await other.watch(laptop.id, mode=MODE)
        CLIENTS[laptop] = own
        await laptop.take_seat(Loadout("empire-patrol"))
        await opponent.take_seat(Loadout("chaos-patrol"))
        for handle in (laptop, opponent):
            await handle.wait_after(2)
            await handle.ready()
        yield Devices(url, laptop, opponent)


async def test_two_devices_lock_cards_in_turn_and_the_file_verifies(tmp_path: Path) -> None:
    async with seated_account() as devices, devices.log_in() as phone:
        laptop, opponent = devices.laptop, devices.opponent
        for turn in range(LOCKS):
            device, other = (phone, laptop) if turn % 2 == 0 else (laptop, phone)
            await devices.play_to_card(device)
            assert other.own_seat.is_in_control
            assert not device.own_seat.is_in_control
            await device.own_seat.take_control()
            await other.wait_after(device.head - 1)
            assert (device.own_seat.is_in_control, other.is_in_control) == (True, False)
            await devices.answer(device)
        for device, other in ((laptop, phone), (phone, laptop)):  # both within this step: heads are superseded
            await device.own_seat.take_control()
            await other.wait_after(device.head - 1)
        await opponent.resign()
        for handle in (laptop, phone):
            while not handle.is_over:
                await handle.wait_after(handle.head)
            assert handle.match.result is not None, "neither device was stopped"
        events = [event for body in laptop.records for event in body.events]
        replaced = [event for event in events if isinstance(event, ChainReplaced)]
        began = [event for event in events if isinstance(event, StepBegan)]
        assert [event.seat for event in replaced] == [0] * (LOCKS + 2)
        # Each change costs the nonce of one step at most, and everybody sees which.
        assert all(event.missing in ((), (0,)) for event in began)
        file = laptop.file()
        checked = verify(file)
        assert (checked.records, checked.missing_openings) == (len(laptop.records), ())
        path = tmp_path / "match.jsonl"
        path.write_bytes(file)
        (verdict,) = run_node("verify", "-", path)
        assert (verdict.get("wrong"), verdict["records"], verdict["sealed"]) == (None, len(laptop.records), 0)
        assert same_states(verdict["state"], laptop.match)
        chain = laptop.match.seats[0].chain
        assert chain is not None
        assert chain.superseded == 2


async def test_control_goes_there_and_back_without_losing_a_nonce() -> None:
    async with seated_account() as devices, devices.log_in() as phone:
        laptop = devices.laptop
        await devices.play_to_card(laptop)
        await phone.wait_after(laptop.head - 1)
        await phone.own_seat.take_control()
        await laptop.wait_after(phone.head - 1)
        await laptop.own_seat.take_control()
        await devices.answer(laptop)
        await devices.answer(devices.opponent)
        await laptop.wait_after(devices.opponent.head - 1)
        began = [event for body in laptop.records for event in body.events if isinstance(event, StepBegan)]
        assert began[-1].missing == ()


async def test_ousted_device_is_refused_loses_nothing_and_takes_back() -> None:
    async with seated_account() as devices, devices.log_in() as phone:
        laptop = devices.laptop
        await devices.play_to_card(laptop)
        await phone.wait_after(laptop.head - 1)
        await phone.own_seat.take_control()
        await laptop.wait_after(phone.head - 1)
        with pytest.raises(CommandRefused) as refused:
            await devices.answer(laptop)
        assert refused.value.code == "not_in_control"
        assert asks_for_card(laptop)
        await devices.answer(phone)
        await devices.play_to_card(phone)
        await laptop.wait_after(phone.head - 1)
        await laptop.own_seat.take_control()
        await laptop.own_seat.take_control()  # does nothing
        await devices.answer(laptop)
        assert sum(isinstance(body.action, ReplaceChain) for body in laptop.records) == 2


async def test_server_refuses_a_device_that_missed_its_ousting(monkeypatch: pytest.MonkeyPatch) -> None:
    async with seated_account() as devices, devices.log_in() as phone:
        laptop = devices.laptop
        await devices.play_to_card(laptop)
        await phone.wait_after(laptop.head - 1)
        known = newest_chain_link(laptop.match.seats[0])
        await phone.own_seat.take_control()
        monkeypatch.setattr(OwnSeat, "_require_control", lambda self, seat: known)
        with pytest.raises(CommandRefused) as refused:
            await devices.answer(laptop)
        assert (refused.value.code, refused.value.place) == ("not_in_control", "$.chain_head")


async def test_player_who_has_lost_device_and_token_plays_on_after_logging_in() -> None:
    async with seated_account() as devices:
        await devices.play_to_card(devices.laptop)
        await CLIENTS[devices.laptop].accounts.log_out()  # the token is lost, and with it all that the laptop knew
        async with devices.log_in(history=False) as phone:
            assert not phone.own_seat.is_in_control
            results = await asyncio.gather(
                play_bot(phone, BOTS["random"], random.Random(1)),
                play_bot(devices.opponent, BOTS["random"], random.Random(2)),
            )
            assert results[0] == results[1] is not None
            # If the connection was lost on the way, the records since the log-in end with the new snapshot.
            await phone.stream.fetch_history()
            assert any(isinstance(body.action, ReplaceChain) for body in phone.records)
