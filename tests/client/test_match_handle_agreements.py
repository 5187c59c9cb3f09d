"""Offers, takebacks and pauses by the SDK, over real sockets, in a ruleset with secrets: cards are locked again."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from typing import Any

import pytest

from diskwars_bots.rulesets.registry import find_bots
from diskwars_client.client import Client, connect
from diskwars_client.errors import CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.actions import DrawOffer, PauseOffer, ReadyQuestion, TakebackOffer
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.rulesets.diskwars import actions as a
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server

ALL = MatchOptions(draws=True, takebacks=True, pauses=True)


@contextlib.asynccontextmanager
async def playing() -> AsyncIterator[tuple[MatchHandle, MatchHandle]]:
    """Provide both handles of a match of Diskwars with the quick setup, in which everybody is ready."""
    async with (
        asyncio.timeout(TEST_TIMEOUT_SECONDS),
        running_server() as url,
        connect(url) as first,
        connect(url) as second,
    ):
        yield await begin(first, second)


async def begin(first: Client, second: Client) -> tuple[MatchHandle, MatchHandle]:
    settings = a.DiskwarsSettings(setup="quick", regiments=1)
    one = await first.open_match(settings, match_options=ALL)
    two = await second.watch(one.id)
    await one.take_seat(a.Loadout("chaos-patrol"))
    await two.take_seat(a.Loadout("empire-patrol"))
    for handle in (one, two):
        await handle.wait_after(2)
        while not any(isinstance(open_.question, ReadyQuestion) for open_ in handle.open_decisions):
            await handle.wait_after(handle.head)
        await handle.ready()
    return one, two


def hand_of(handle: MatchHandle) -> tuple[str, ...]:
    """Return the cards in the hand of the own seat."""
    assert handle.match.board is not None
    hand: tuple[str, ...] = handle.match.board.sides[handle.open_decisions[0].seat].hand
    return hand


async def play_until(handles: tuple[MatchHandle, MatchHandle], kind: type[Any]) -> None:
    """Answer by the bot until every seat is asked such a question."""
    choose = find_bots("diskwars").choosers["greedy"]
    rng = random.Random(1)
    while True:
        head = max(handle.head for handle in handles)
        for handle in handles:
            await handle.wait_after(head - 1)
        open_ = [(handle, decision) for handle in handles for decision in handle.open_decisions]
        if open_ and all(isinstance(one.question, kind) for _, one in open_) and len(open_) == len(handles):
            return
        handle, decision = open_[0]
        options = await handle.options(decision)
        await handle.act(decision, choose(handle.match, decision, options, rng))


async def test_a_locked_card_is_taken_back_by_consent_and_locked_again() -> None:
    async with playing() as (one, two):
        await play_until((one, two), a.CommandCardQuestion)
        target = one.head
        decision = one.open_decisions[0]
        hand = hand_of(one)
        await one.act(decision, a.LockCard(hand[0], ""))
        with pytest.raises(CommandRefused) as refused:
            await one.take_back(target)
        assert refused.value.code == "consent_needed"
        await one.offer(TakebackOffer(target))
        await two.wait_after(one.head - 1)
        await two.answer_offer(agree=True)
        await one.wait_after(two.head - 1)
        again = one.open_decisions[0]
        assert again.id != decision.id
        await one.act(again, a.LockCard(hand[1], ""))
        await two.wait_after(one.head - 1)
        await two.act(two.open_decisions[0], a.LockCard(hand_of(two)[0], ""))
        await one.wait_after(two.head - 1)
        assert two.match.board is not None
        assert two.match.board.sides[again.seat].revealed_card == hand[1]
        await play_until((one, two), a.CommandCardQuestion)
        assert (one.stream.hash, one.head) == (two.hash, two.head)


async def test_a_pause_and_a_draw_by_the_sdk() -> None:
    async with playing() as (one, two):
        with pytest.raises(DecisionUnavailable, match="no offer is open"):
            await one.answer_offer(agree=True)
        await one.offer(PauseOffer())
        await two.wait_after(one.head - 1)
        await two.answer_offer(agree=True)
        assert two.match.paused
        await two.resume_play()
        await two.offer(DrawOffer())
        await one.wait_after(two.head - 1)
        await one.answer_offer(agree=True)
        assert one.match.result == Result("draw_agreed")
