"""A match that the rules cannot play on is stopped, shown as stopped, and not begun again after a restart."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from diskwars_engine.ruleset import Dice, Outcome, PositionTerms
from diskwars_engine.work_budget import MAX_STEPS, WorkBudget
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.events import Position
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.decisions import GetOptions, OptionsResponse
from diskwars_protocol.messages.watching import Watch
from diskwars_server.store.database import Database
from tests.server.bot_nodes import begin_against_bot, odd_program, playing_bots, wait_until
from tests.server.counting_ruleset import ChooseNumber, CountingBoard, CountingRules
from tests.server.in_memory_server import InMemoryServer, begin_match
from tests.server.lobby.test_branches import BEGUN, PlainCounting, branch

ENDLESS = "endless"


class EndlessCounting(PlainCounting):
    """The toy ruleset, in which an answer with this note never comes to an end."""

    def decide(self, board: CountingBoard, seat: int, ask: Any, action: Any, dice: Dice) -> Outcome[Any, Any]:
        work = WorkBudget()
        while action.note == ENDLESS:
            work.spend()
        return super().decide(board, seat, ask, action, dice)


class ManyOptions(PlainCounting):
    """The toy ruleset with more options than a decision may have."""

    def options(self, board: CountingBoard, seat: int, ask: Any) -> Options[Any, Any, Any]:
        return Options(tuple(ChooseNumber(number) for number in range(MAX_STEPS + 1)))


class EndlessDefault(PlainCounting):
    """The toy ruleset, whose default takes more steps than a decision may."""

    def default(self, board: CountingBoard, seat: int, ask: Any, dice: Dice) -> Any:
        WorkBudget().spend(MAX_STEPS + 1)


class StricterCounting(PlainCounting):
    """The toy ruleset of a later build, to which no match can have come to any position."""

    def check_position(self, board: CountingBoard, terms: PositionTerms) -> list[str]:
        return ["$.round: there is no such round"]


def node(database: Database, rules: CountingRules) -> InMemoryServer:
    return InMemoryServer(database, rulesets={"counting": rules}, repeatable=False)


async def test_decision_over_its_budget_stops_the_match_for_good(database: Database) -> None:
    server = node(database, EndlessCounting())
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second)
    action = (await server.state(match)).decisions[0]
    refused = await first.expect_refused(first.act_message(match, action.id, ChooseNumber(1, note=ENDLESS)))
    assert refused.code == "fault"
    await (await server.matches.find(match)).wait_idle()
    await server.matches.close()
    later = node(database, EndlessCounting())
    state = await later.state(match)
    assert (state.status, state.result is not None and state.result.end_reason) == ("ended", "stopped")
    await later.matches.close()


async def test_branch_that_an_earlier_build_stored_is_stopped_when_its_position_is_none(database: Database) -> None:
    server = node(database, PlainCounting())
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    parent = await begin_match(first, second)
    opened = await branch(first, parent, BEGUN)
    assert isinstance((await server.state(opened.match)).position, Position)
    await server.matches.close()
    later = node(database, StricterCounting())
    state = await later.state(opened.match)
    assert (state.status, state.result is not None and state.result.end_reason) == ("ended", "closed")
    assert (await later.state(parent)).status == "running"
    await later.matches.close()


async def request_options(server: InMemoryServer) -> MatchId:
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second)
    refused = await first.expect_refused(GetOptions(first.id(), match, await first.decision(match, 0)))
    assert (refused.code, "stopped" in refused.text) == ("fault", True)
    return match


async def let_options_be_pushed(server: InMemoryServer) -> MatchId:
    first, second = await server.connect_and_greet(), await server.connect_and_greet()
    match = await begin_match(first, second)
    await first.request(Watch(first.id(), match, snapshot=True, push_options=True))
    assert bytes((await first.expect(OptionsResponse)).options) == b"{}"
    return match


async def let_a_bot_decide(server: InMemoryServer) -> MatchId:
    client = await server.connect_and_greet()
    async with playing_bots(server):
        match = await begin_against_bot(client)
        game = await server.matches.find(match)
        await wait_until(lambda: game.state.status == "ended")
    return match


@pytest.mark.parametrize(
    ("rules", "decide"),
    [
        (ManyOptions(), request_options),
        (ManyOptions(), let_options_be_pushed),
        (ManyOptions(), let_a_bot_decide),
        (EndlessDefault(), let_a_bot_decide),
    ],
    ids=["requested", "pushed", "to a bot", "default of a bot"],
)
async def test_decision_that_the_rules_cannot_offer_stops_its_match_once_and_for_good(
    database: Database,
    caplog: pytest.LogCaptureFixture,
    rules: CountingRules,
    decide: Callable[[InMemoryServer], Awaitable[MatchId]],
) -> None:
    server = InMemoryServer(database, rulesets={"counting": rules}, repeatable=False, bots=odd_program("garbage"))
    match = await decide(server)
    await (await server.matches.find(match)).wait_idle()
    await server.matches.close()
    later = node(database, rules)
    state = await later.state(match)
    assert (state.status, state.result is not None and state.result.end_reason) == ("ended", "stopped")
    listing = await later.matches.find_listing(match)
    assert listing is not None
    assert listing.result is not None
    assert (listing.status, listing.result.end_reason) == ("ended", "stopped")
    await later.matches.close()
    assert sum("the rules cannot play it on" in record.getMessage() for record in caplog.records) == 1
