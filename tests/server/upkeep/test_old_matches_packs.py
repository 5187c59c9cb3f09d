"""Matches that have not begun are closed when a server starts that does not have the packs they were opened with."""

from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.ids import MatchId
from diskwars_server.upkeep.old_matches import MatchesOfOtherPacks
from tests.server.counting_ruleset import CountingRules
from tests.server.faulty_database import FaultyDatabase
from tests.server.in_memory_server import InMemoryServer, begin_match


class CountingWithPack(CountingRules):
    """The ruleset with figures of a pack, whose hash is another whenever these change."""

    def __init__(self, figures: str) -> None:
        super().__init__()
        self.packs = (Pack("counting/core", "1", figures * 64),)


def started(database: FaultyDatabase, figures: str, before: InMemoryServer | None = None) -> InMemoryServer:
    """Return a server with such a pack; its clock goes on a second after that of the one before."""
    node = InMemoryServer(
        database, rulesets={"counting": CountingWithPack(figures)}, clock=before.clock if before else None
    )
    node.clock.now += 1_000
    return node


async def close_unplayable(node: InMemoryServer) -> None:
    async def go_on(_: float) -> None:
        pass

    await MatchesOfOtherPacks(node.matches, node.database, node.clock).close_all(go_on)


async def status_of(node: InMemoryServer, match: MatchId) -> str:
    return (await node.state(match)).status


async def test_match_is_closed_at_the_start_with_the_reason_once_a_pack_has_changed(
    faulty_database: FaultyDatabase,
) -> None:
    before = started(faulty_database, "a")
    opener, second = await before.connect_and_greet(), await before.connect_and_greet()
    waiting = await opener.open_match()
    running = await begin_match(opener, second)
    await close_unplayable(started(faulty_database, "a", before))
    assert await status_of(before, waiting) == "open", "it can begin with the packs that it was opened with"
    await before.matches.close()

    after = started(faulty_database, "b", before)
    await close_unplayable(after)
    assert await status_of(after, waiting) == "ended"
    assert await status_of(after, running) == "running", "it has its figures itself"
    reader = await after.connect_and_greet(opener.token)
    await reader.watch(waiting)
    body = bytes((await reader.catch_up(waiting))[-1].body)
    assert b'"actor":"house","action":{"type":"close_match","reason":"packs_changed"}' in body
    assert b'"result":{"end_reason":"closed"}' in body
    await after.matches.close()


async def test_match_opened_after_the_start_of_a_server_is_left_to_those_who_have_its_packs(
    faulty_database: FaultyDatabase,
) -> None:
    old = started(faulty_database, "a")
    new = started(faulty_database, "b", old)
    closing = MatchesOfOtherPacks(new.matches, new.database, new.clock)
    old.clock.now += 1_000
    match = await (await old.connect_and_greet()).open_match()
    await closing.close_all()
    assert await status_of(old, match) == "open"
    await old.matches.close()
    await new.matches.close()
