"""The queue of matches that wait for a bot: bounded, each match once, and fair between those who opened them."""

import asyncio

from diskwars_protocol.match.ids import MatchId
from diskwars_server.matches.bot_turns import BotTurns


class Clock:
    """Seconds that a test counts."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


async def drain(turns: BotTurns, clock: Clock | None = None) -> list[str]:
    found = []
    while len(turns):
        waiting = await turns.take()
        if clock is not None:
            clock.seconds += 10
        turns.finish(waiting.match)
        found.append(str(waiting.match))
    return found


def add_all(turns: BotTurns, owner: str, *matches: str) -> None:
    for match in matches:
        turns.add(MatchId(match), owner)


async def test_owners_are_served_in_turn_and_each_ones_matches_in_order() -> None:
    turns = BotTurns(clock=(clock := Clock()))
    add_all(turns, "stranger", *(f"s{number}" for number in range(5)))
    add_all(turns, "ann", "a0", "a1")
    add_all(turns, "ben", "b0")
    assert await drain(turns, clock) == ["s0", "a0", "b0", "s1", "a1", "s2", "s3", "s4"]


async def test_owners_get_equal_time_however_many_matches_each_has() -> None:
    """Ann's decisions take four times as long as the stranger's: four of those come between two of hers."""
    turns = BotTurns(clock=(clock := Clock()))
    add_all(turns, "stranger", *(f"s{number}" for number in range(12)))
    add_all(turns, "ann", "a0")
    order = []
    for _ in range(10):
        waiting = await turns.take()
        order.append(waiting.owner[0])
        clock.seconds += 4 if waiting.owner == "ann" else 1
        if waiting.owner == "ann":
            add_all(turns, "ann", "a0")
        turns.finish(waiting.match)
    assert "".join(order) == "sasssassss"


async def test_owner_is_charged_nothing_for_what_others_use_in_another_process_meanwhile() -> None:
    turns = BotTurns(clock=(clock := Clock()))
    add_all(turns, "stranger", *(f"s{number}" for number in range(12)))
    add_all(turns, "ann", "a0")
    short, long = await turns.take(), await turns.take()
    assert long.owner == "ann"
    add_all(turns, "ann", "a0")
    for _ in range(4):
        clock.seconds += 1
        turns.finish(short.match)
        short = await turns.take()
    turns.finish(long.match)
    clock.seconds += 1
    turns.finish(short.match)
    assert (await turns.take()).owner == "ann", "each has had four or five seconds"


async def test_owner_who_joins_later_has_saved_no_time_and_owes_none() -> None:
    turns = BotTurns(clock=(clock := Clock()))
    add_all(turns, "stranger", *(f"s{number}" for number in range(9)))
    for _ in range(4):
        waiting = await turns.take()
        clock.seconds += 10
        turns.finish(waiting.match)
    add_all(turns, "ann", "a0", "a1", "a2")
    assert (await drain(turns, clock))[:4] == ["a0", "s4", "a1", "s5"]


async def test_waiting_matches_share_what_their_owner_has() -> None:
    turns = BotTurns()
    add_all(turns, "stranger", *(f"s{number}" for number in range(8)))
    add_all(turns, "ann", "a0")
    first = await turns.take()
    assert turns.share(first.owner) == 1 / 2 / 8
    second = await turns.take()
    assert (second.owner, turns.share("ann")) == ("ann", 1 / 2)
    turns.finish(first.match)
    turns.finish(second.match)
    await drain(turns)
    assert turns.share("ann") == 1


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
    turns = BotTurns(clock=(clock := Clock()))
    add_all(turns, "ann", "a0")
    clock.seconds = 3
    add_all(turns, "ben", "b0")
    assert turns.take_overdue(5) is None
    clock.seconds = 5
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
