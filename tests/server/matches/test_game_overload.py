"""A match that the rules cannot play on is stopped, shown as stopped, and not begun again after a restart."""

from typing import Any

from diskwars_engine.ruleset import Dice, Outcome, PositionTerms
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.events import Position
from diskwars_server.store.database import Database
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
