"""The queue of matches that wait for a bot: bounded, each match once, and fair between those who opened them."""

import asyncio

from diskwars_protocol.match import MatchId
from diskwars_server.bot_turns import BotTurns


async def drain(turns: BotTurns) -> list[str]:
    found = []
    while len(turns):
        waiting = await turns.take()
        turns.finish(waiting.match)
        found.append(str(waiting.match))
    return found


def add_all(turns: BotTurns, owner: str, *matches: str) -> None:
    for match in matches:
        turns.add(MatchId(match), owner)


async def test_owners_are_served_in_turn_and_each_ones_matches_in_order() -> None:
    turns = BotTurns()
    add_all(turns, "stranger", *(f"s{number}" for number in range(5)))
    add_all(turns, "ann", "a0", "a1")
    add_all(turns, "ben", "b0")
    assert await drain(turns) == ["s0", "a0", "b0", "s1", "a1", "s2", "s3", "s4"]


async def test_match_waits_once_and_again_if_it_is_added_while_it_is_served() -> None:
    turns = BotTurns()
    add_all(turns, "ann", "a0", "a0")
    assert len(turns) == 1
    await turns.take()
    assert len(turns) == 0
    add_all(turns, "ann", "a0", "a0")
    assert len(turns) == 0, "it is being served"
    turns.finish(MatchId("a0"))
    assert await drain(turns) == ["a0"]
    turns.finish(MatchId("a0"))
    assert len(turns) == 0


async def test_taker_waits_for_the_next_match() -> None:
    turns = BotTurns()
    taker = asyncio.create_task(turns.take())
    await asyncio.sleep(0)
    add_all(turns, "ann", "a0")
    assert (await taker).match == "a0"


async def test_match_that_has_waited_too_long_is_found_among_those_of_all_owners() -> None:
    now = [0.0]
    turns = BotTurns(clock=lambda: now[0])
    add_all(turns, "ann", "a0")
    now[0] = 3.0
    add_all(turns, "ben", "b0")
    assert turns.take_overdue(5) is None
    now[0] = 5.0
    overdue = turns.take_overdue(5)
    assert overdue is not None
    assert overdue.match == "a0"
    assert turns.take_overdue(5) is None
    assert await drain(turns) == ["b0"]


async def test_full_queue_leaves_out_the_newest_match_of_who_has_most() -> None:
    turns = BotTurns(max_matches=4)
    add_all(turns, "stranger", "s0", "s1", "s2", "s3")
    has_had_room = not turns.was_full
    add_all(turns, "ann", "a0")
    assert has_had_room
    assert turns.was_full
    add_all(turns, "stranger", "s4")
    assert await drain(turns) == ["s0", "a0", "s1", "s2"]
