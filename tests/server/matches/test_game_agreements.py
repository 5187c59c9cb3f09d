"""Offers, takebacks, pauses and banks of time on a server: what is stored and sent, and which deadlines are kept."""

from typing import Any

from diskwars_protocol.match.actions import (
    AnswerOffer,
    DrawOffer,
    MakeOffer,
    Offer,
    PauseOffer,
    ResumePlay,
    TakebackOffer,
)
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.match_options import BankClock, MatchOptions
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.lists import ListMatches, MatchList
from diskwars_protocol.messages.match_summary import ClockSummary
from diskwars_server.matches.inbox import TimeOut
from diskwars_server.store.deadlines import DecisionLimit
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match

ALL = MatchOptions(clock=BankClock(60, 10), draws=True, takebacks=True, pauses=True, missed_limit=2)


async def begun(node: InMemoryServer, options: MatchOptions = ALL) -> tuple[InMemoryClient, InMemoryClient, MatchId]:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    return first, second, await begin_match(first, second, rounds=9, options=options)


async def act(client: InMemoryClient, match: MatchId, action: Any) -> Accepted:
    return await client.expect_accepted(client.act_message(match, None, action))


async def offer_and_agree(
    node: InMemoryServer, first: InMemoryClient, second: InMemoryClient, match: MatchId, offer: Offer
) -> None:
    await act(first, match, MakeOffer(offer))
    opened = (await node.state(match)).offer
    assert opened is not None
    await act(second, match, AnswerOffer(opened.id, agree=True))


async def enforce(node: InMemoryServer, match: MatchId) -> int:
    """Let the server keep its deadlines; return the seq of the last record then."""
    await TimeLimits(node.matches, node.database.deadlines, node.clock, node.clock).enforce_due()
    game = await node.matches.find(match)
    await game.wait_idle()
    return game.head


async def test_all_receive_an_offer_and_its_answer_and_the_list_shows_the_draw(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    await offer_and_agree(node, first, second, match, DrawOffer())
    assert (await node.state(match)).result == Result("draw_agreed")
    assert [record.seq for record in await first.catch_up(match)][-1] == (await node.matches.find(match)).head
    listed = await second.request(ListMatches("list"))
    assert isinstance(listed, MatchList)
    (summary,) = [summary for summary in listed.matches if summary.match == match]
    assert (summary.status, summary.result) == ("ended", Result("draw_agreed"))
    assert summary.match_options.clock == ClockSummary("bank", bank_seconds=60, increment_seconds=10)
    assert (summary.match_options.draws, summary.match_options.missed_limit) == (True, 2)


async def test_a_takeback_reads_the_log_and_a_restored_match_is_the_same(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    target = (await node.matches.find(match)).head
    await first.choose_number(match, 0, 4)
    await offer_and_agree(node, first, second, match, TakebackOffer(target))
    state = await node.state(match)
    assert [decision.seat for decision in state.decisions] == [0, 1]
    game = await node.matches.find(match)
    game.retire()
    await game.wait_ended()
    restored = await node.matches.find(match)
    assert restored is not game
    assert restored.state == state
    await first.watch(match)
    await first.choose_number(match, 0, 5)


async def test_the_same_takeback_sent_again_gets_the_same_answer(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    target = (await node.matches.find(match)).head
    await first.choose_number(match, 0, 4)
    await act(first, match, MakeOffer(TakebackOffer(target)))
    offer = (await node.state(match)).offer
    assert offer is not None
    message = second.act_message(match, None, AnswerOffer(offer.id, agree=True), id="once")
    answer = await second.expect_accepted(message)
    assert await second.expect_accepted(message) == answer


async def test_a_bank_that_is_used_up_is_found_and_an_increment_moves_the_deadline(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    head = (await node.matches.find(match)).head
    node.clock.now += 59_999
    assert await enforce(node, match) == head
    await first.choose_number(match, 0, 4)
    await second.choose_number(match, 1, 4)
    head = (await node.matches.find(match)).head
    node.clock.now += 10_000
    assert await enforce(node, match) == head
    node.clock.now += 1
    assert await enforce(node, match) > head


async def test_after_too_many_missed_answers_the_house_resigns(node: InMemoryServer) -> None:
    _, second, match = await begun(node)
    for _ in range(2):
        await second.choose_number(match, 1, 4)
        node.clock.now += 100_000
        await enforce(node, match)
    state = await node.state(match)
    assert state.seats[0].resigned
    assert state.result is not None
    assert state.result.winners == (1,)


async def test_a_paused_match_has_no_deadline_until_it_is_resumed(node: InMemoryServer) -> None:
    first, second, match = await begun(node)
    await offer_and_agree(node, first, second, match, PauseOffer())
    node.clock.now += 1_000_000
    head = (await node.matches.find(match)).head
    assert await enforce(node, match) == head
    assert await node.database.deadlines.claim_due(node.clock() + 10_000_000, 10, 1) == []
    refused = await first.expect_refused(first.act_message(match, await first.decision(match, 0), ResumePlay()))
    assert refused.code == "wrong_action"
    await act(second, match, ResumePlay())
    node.clock.now += 59_000
    assert await enforce(node, match) == head + 1
    node.clock.now += 2_000
    assert await enforce(node, match) > head + 1


async def test_a_deadline_that_has_moved_since_it_was_claimed_is_not_kept_too_early(node: InMemoryServer) -> None:
    first, _, match = await begun(node)
    decision = await first.decision(match, 0)
    game = await node.matches.find(match)
    game.submit_own(TimeOut(DecisionLimit(decision)))
    await game.wait_idle()
    assert game.state.decisions[0].id == decision
    node.clock.now += 60_000
    assert await enforce(node, match) > game.head - 1
    assert decision not in [one.id for one in game.state.decisions]
