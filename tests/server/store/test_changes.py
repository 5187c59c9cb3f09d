"""A change says what one record makes different, and nothing where it leaves a match alone."""

from diskwars_protocol.match.match_options import MatchOptions
from diskwars_server.store.changes import Change
from tests.server.in_memory_server import InMemoryServer, begin_match


async def test_each_record_of_a_match_changes_what_it_is_about(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await first.open_match(rounds=1)
    await second.watch(match)
    states = [await node.state(match)]

    async def change() -> Change:
        states.append(await node.state(match))
        return Change.between(states[-2], states[-1])

    await first.take_seat(match, 0)
    seated = await change()
    assert (seated.has_new_players, seated.has_new_listing, seated.has_begun) == (True, True, False)
    await second.take_seat(match, 1)
    assert (await change()).new_turns == (0, 1)
    await first.be_ready(match, 0)
    ready = await change()
    assert (ready.has_new_players, ready.has_new_listing, ready.new_turns) == (False, False, (1,))
    await second.be_ready(match, 1)
    begun = await change()
    assert (begun.has_begun, begun.has_new_listing, begun.is_news_for_all) == (True, True, True)
    assert [deadline.decision for deadline in begun.deadlines] == ["absence"]
    await first.choose_number(match, 0, 3)
    chosen = await change()
    assert (chosen.has_begun, chosen.has_new_listing, chosen.deadlines) == (False, False, ())
    assert chosen.is_news_for_all
    await second.choose_number(match, 1, 4)
    ended = await change()
    assert (ended.has_new_listing, ended.new_turns, ended.closed_decisions) == (True, (), ("absence",))


async def test_turn_of_a_match_that_is_seen_later_is_no_news_for_all(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    match = await begin_match(first, second, options=MatchOptions(watchers="round_later"))
    before = await node.state(match)
    await first.choose_number(match, 0, 3)
    change = Change.between(before, await node.state(match))
    assert (change.new_turns, change.has_new_listing, change.is_news_for_all) == ((1,), False, False)


async def test_state_compared_with_itself_changes_nothing(node: InMemoryServer) -> None:
    first, second = await node.connect_and_greet(), await node.connect_and_greet()
    state = await node.state(await begin_match(first, second))
    change = Change.between(state, state)
    assert not any((change.has_begun, change.has_new_players, change.has_new_listing, change.is_news_for_all))
    assert (change.new_turns, change.deadlines, change.closed_decisions) == (None, (), ())
