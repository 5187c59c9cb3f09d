"""Runner that connects a pure chooser to a match handle."""

import asyncio
import inspect
import random
from typing import Any, Protocol, runtime_checkable

from diskwars_bots.chooser import Chooser
from diskwars_client.errors import CommandRefused, DecisionUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.actions import DrawOffer, ReadyQuestion
from diskwars_protocol.match.decisions import Decision, Result

TOO_LATE_CODES = frozenset({"stale_decision", "not_your_turn", "match_ended", "paused"})
"""Refusals that only say that the world has moved on."""
BLAMED_CODES = frozenset({"bad_action", "wrong_action", "not_legal"})
"""Refusals of what the chooser chose, beside those of the ruleset. No other refusal is its fault."""
MAX_RETRIES = 12
"""In a row, of answers that the server cannot take now: some minutes, with the pauses between them."""
MAX_RETRY_SECONDS = 60.0
MAX_FAULT_RETRIES = 1
"""After a fault of the server: what fails twice mostly fails again, and the players should learn of it soon."""


@runtime_checkable
class BlamedBot(Protocol):
    """A bot of a user's file, which a refused answer is blamed on."""

    def refused(self, action: Any, refusal: str) -> Exception: ...


async def play_bot(handle: MatchHandle, choose: Chooser, rng: random.Random, pace: float = 0.0) -> Result | None:
    """Answer every decision of the own seat until the match is over; `pace` seconds before each answer.

    The chooser may be asynchronous. Take a seat first. The seat is played here from now on, wherever it was played
    before. What the server cannot take now is sent again, `MAX_RETRIES` times. Return the result. Raises
    MatchUnavailable when the match cannot be followed, CommandRefused when the chooser does what is not allowed, and
    when another device of the player takes over.
    """
    await handle.wait_caught_up()
    await _take_control(handle)
    async for update in handle:
        if update.seq == handle.head:
            await _answer_offer(handle)
            await _answer_open_decisions(handle, choose, rng, pace)
    return handle.match.result


async def wait_to_retry(refused: CommandRefused, retries: int) -> None:
    """Wait before a command is sent again that was refused `retries` times before. Raises a refusal that stays."""
    most = MAX_FAULT_RETRIES if refused.code == "fault" else MAX_RETRIES
    if refused.retry_after_ms is None or retries >= most:
        raise refused
    # Longer each time: a store that is away for minutes is not asked every second.
    await asyncio.sleep(max(refused.retry_after_ms / 1000, min(2.0**retries, MAX_RETRY_SECONDS)))


async def _take_control(handle: MatchHandle) -> None:
    for retries in range(MAX_RETRIES + 1):
        try:
            await handle.own_seat.take_control()
        except CommandRefused as refused:
            if refused.code not in TOO_LATE_CODES:
                await wait_to_retry(refused, retries)
                continue
        return


async def _answer_offer(handle: MatchHandle) -> None:
    """Answer an offer of another player. A bot plays on, and takes back and pauses as the others like it."""
    offer = handle.match.offer
    if offer is None or handle.seat is None or handle.seat in (offer.seat, *offer.agreed):
        return
    try:
        await handle.answer_offer(agree=not isinstance(offer.offer, DrawOffer))
    except (CommandRefused, DecisionUnavailable):
        return  # it was withdrawn, or the match is over


async def _answer_open_decisions(handle: MatchHandle, choose: Chooser, rng: random.Random, pace: float) -> None:
    """One decision after another, as long as any is open; each answer brings the state up to date."""
    retries = 0
    while handle.open_decisions and not handle.match.paused:
        if pace:
            await asyncio.sleep(pace)
        try:
            if not await _try_answer(handle, choose, rng):
                return
            retries = 0
        except CommandRefused as refused:
            await wait_to_retry(refused, retries)
            retries += 1


async def _try_answer(handle: MatchHandle, choose: Chooser, rng: random.Random) -> bool:
    """Answer the first open decision; False when the world has moved on meanwhile."""
    try:
        if handle.open_decisions:
            await answer_decision(handle, handle.open_decisions[0], choose, rng)
    except DecisionUnavailable:
        return False
    except CommandRefused as refused:
        if refused.code not in TOO_LATE_CODES:
            raise
        return False
    return True


async def answer_decision(handle: MatchHandle, decision: Decision[Any], choose: Chooser, rng: random.Random) -> None:
    """Answer one decision. Options are asked for only where something can be chosen.

    Raises CommandRefused, or BotError, which names the place, when the chooser comes from a user's file.
    """
    if isinstance(decision.question, ReadyQuestion):
        await handle.ready()
        return
    action = choose(handle.match, decision, await handle.options(decision), rng)
    if inspect.isawaitable(action):  # a bot in another process
        action = await action
    try:
        await handle.act(decision, action)
    except CommandRefused as refused:
        is_blamed = refused.code in BLAMED_CODES or refused.code in handle.vocabulary.refusal_codes
        if refused.retry_after_ms is not None or not is_blamed or not isinstance(choose, BlamedBot):
            raise
        raise choose.refused(action, str(refused)) from refused
