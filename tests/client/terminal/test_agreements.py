"""Draws, pauses and takebacks at a terminal, against a bot that refuses draws and agrees to all else."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from diskwars_client.match_handle import MatchHandle
from diskwars_client.terminal import terminal
from diskwars_client.terminal.agreements import AGREEMENT_HELP
from diskwars_client.terminal.terminal import TerminalClosed
from diskwars_protocol.match.actions import DrawOffer
from diskwars_protocol.match.events import TakebackMade
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from tests.client.terminal.test_terminal import QUICK_SETTINGS, ScriptedTerminal, play_against_bot

ALL = MatchOptions(draws=True, takebacks=True, pauses=True)


@contextlib.asynccontextmanager
async def at_the_terminal(
    options: MatchOptions = ALL,
) -> AsyncIterator[tuple[MatchHandle, MatchHandle, ScriptedTerminal]]:
    """Provide a terminal at which the first question of the board is asked; lines are typed by the test alone."""
    async with play_against_bot(QUICK_SETTINGS, options) as (handle, other):
        console = ScriptedTerminal(lambda number: "...")
        playing = asyncio.create_task(terminal.play_match(handle, console))
        while not console.prompts:
            await asyncio.sleep(0.01)
        yield handle, other, console
        console.type_line(None)
        with contextlib.suppress(TerminalClosed):
            await playing


async def wait_until_board_changes(handle: MatchHandle, head: int) -> None:
    while handle.head <= head:
        await handle.wait_after(handle.head)


async def test_a_draw_is_refused_by_the_bot_and_the_next_offer_waits() -> None:
    async with at_the_terminal() as (handle, _, console):
        head = handle.head
        console.type_line("offer draw")
        await wait_until_board_changes(handle, head + 1)
        assert handle.match.offer is None
        console.type_line("pause")
        await console.has_printed("refused:")
        assert not handle.match.paused


async def test_a_pause_and_its_end() -> None:
    async with at_the_terminal() as (handle, _, console):
        console.type_line("pause")
        await console.has_printed("the match is paused: `resume` goes on")
        assert handle.match.paused
        console.type_line("1")
        await console.has_printed("refused:")
        console.type_line("resume")
        while handle.match.paused:
            await handle.wait_after(handle.head)


async def test_undo_asks_for_consent_where_an_answer_has_passed_the_turn_on() -> None:
    async with at_the_terminal() as (handle, _, console):
        console.type_line("undo")
        await console.has_printed("you have answered nothing that could be taken back")
        decision = handle.open_decisions[0]
        console.type_line("1")
        while decision in handle.open_decisions:
            await handle.wait_after(handle.head)
        console.type_line("undo")
        while not any(isinstance(event, TakebackMade) for body in handle.records for event in body.events):
            await handle.wait_after(handle.head)
        assert handle.open_decisions[0].question == decision.question
        assert handle.open_decisions[0].id != decision.id


async def test_an_offer_of_the_other_player_is_shown_at_the_prompt_and_answered() -> None:
    async with at_the_terminal() as (handle, other, console):
        await other.offer(DrawOffer())
        await console.has_printed("a draw is offered to you: type `agree` or `refuse`")
        console.type_line("agree")
        while handle.match.result is None:
            await handle.wait_after(handle.head)
        assert handle.match.result.end_reason == "draw_agreed"


async def test_answers_without_an_offer_and_orders_without_the_option_are_explained() -> None:
    async with at_the_terminal(DEFAULT_MATCH_OPTIONS) as (handle, _, console):
        console.type_line("agree")
        await console.has_printed("nothing has been offered")
        console.type_line("pause")
        await console.has_printed("refused: the match was opened without pauses")
        console.type_line("help")
        await console.has_printed(AGREEMENT_HELP.splitlines()[0])
        assert handle.match.offer is None
        assert not handle.match.paused


async def test_answer_to_an_own_offer_is_shown_while_a_question_is_open() -> None:
    """The bot refuses at once; nothing has to be answered on the board before its refusal is shown."""
    async with at_the_terminal() as (handle, _, console):
        decision = handle.open_decisions[0]
        console.type_line("offer draw")
        await console.has_printed("Empire Patrol offers a draw")
        await console.has_printed("Chaos Patrol does not agree")
        assert decision in handle.open_decisions


async def test_takeback_by_consent_is_shown_in_order_and_without_the_way_in() -> None:
    async with at_the_terminal() as (handle, _, console):
        decision = handle.open_decisions[0]
        console.type_line("1")
        while decision in handle.open_decisions:
            await handle.wait_after(handle.head)
        before = len(console.said)
        console.type_line("undo")
        await console.has_printed("The match was taken back to record ")
        told = "\n".join(console.said[before:])
        assert "no longer open" not in told
        assert "seat A" not in told, "who plays is said once, at the beginning"
        assert told.index("offers to") < told.index("The match was taken back")
