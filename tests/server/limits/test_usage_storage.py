"""Strangers are charged at least the growth of the tables, indexes included, on a real PostgreSQL."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import asyncpg
import msgspec
import pytest
from msgspec import Raw
from sqlalchemy import make_url

from bench.servers.null_ruleset import NullRuleset
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.chat import JoinChat, SendChat
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_server.limits.address_quotas import AddressQuotas, QuotaLimits
from diskwars_server.limits.usage import ByteBudgets
from diskwars_server.store.postgres.database import PostgresDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

ADDRESS = "203.0.113.9"
MAX_CHARGE_RATIO = 4.0
"""Charges are for the worst case, of bodies that PostgreSQL cannot compress."""
LARGE = 10**12
GROWTH_SQL = """
select sum(pg_total_relation_size(c.oid)) from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname = 'public'
"""
CHAIN_HEAD = "0" * 32


class CountedCharges(ByteBudgets):
    """Quotas that sum up what is charged."""

    charged = 0

    def charge_written(self, writer: str, count: int) -> None:
        assert writer == ADDRESS, "nobody else is connected"
        self.charged += count
        super().charge_written(writer, count)


async def size_of(url: str) -> int:
    """Return the bytes of all tables and their indexes."""
    connection = await asyncpg.connect(make_url(url).set(drivername="postgresql").render_as_string(False))
    try:
        return int(await connection.fetchval(GROWTH_SQL))
    finally:
        await connection.close()


async def act(player: InMemoryClient, match: MatchId, decision: str | None, action: Any) -> None:
    """Act under an id as long as they may be: it is part of an index."""
    id = f"{player.id():x>64}"
    await player.expect_accepted(player.act_message(match, decision, action, id))


async def sit(node: InMemoryServer, ruleset: str, loadout: dict[str, Any]) -> tuple[list[InMemoryClient], MatchId]:
    """Open a match and take both of its seats, as new guests."""
    players = [await node.connect_and_greet(address=ADDRESS) for _ in range(2)]
    opened = await players[0].request(OpenMatch("open", ruleset, 2, Raw(b"{}")))
    assert isinstance(opened, Opened)
    await players[1].watch(opened.match)
    for seat, player in enumerate(players):
        await act(
            player, opened.match, f"1.{seat}", {"type": "take_seat", "chain_head": CHAIN_HEAD, "loadout": loadout}
        )
    return players, opened.match


async def get_ready(players: list[InMemoryClient], match: MatchId) -> None:
    for seat, player in enumerate(players):
        await act(player, match, await player.decision(match, seat), {"type": "ready"})


def leave(players: list[InMemoryClient]) -> None:
    for player in players:
        player.session.close()


async def open_sit_resign(node: InMemoryServer) -> None:
    for _ in range(60):
        players, match = await sit(node, "diskwars", {"army": "reikland-host"})
        await act(players[0], match, None, {"type": "resign"})
        leave(players)


async def begin_and_resign(node: InMemoryServer) -> None:
    for _ in range(40):
        players, match = await sit(node, "diskwars", {"army": "reikland-host"})
        await get_ready(players, match)
        await act(players[0], match, None, {"type": "resign"})
        leave(players)


async def open_only(node: InMemoryServer) -> None:
    for _ in range(150):
        guest = await node.connect_and_greet(address=ADDRESS)
        assert isinstance(await guest.request(OpenMatch("open", "nothing", 2)), Opened)
        guest.session.close()


async def make_small_records(node: InMemoryServer) -> None:
    for _ in range(6):
        players, match = await sit(node, "nothing", {})
        await get_ready(players, match)
        for number in range(150):
            await act(players[0], match, await players[0].decision(match, 0), {"type": "tick", "n": number})
        leave(players)


async def chat(node: InMemoryServer) -> None:
    players, match = await sit(node, "nothing", {})
    await players[0].request(JoinChat("join", match))
    for number in range(600):
        node.clock.now += 60_000
        answer = await players[0].request(SendChat(f"{number:x>64}", match, "players", "hm"))
        assert not isinstance(answer, Refused), answer
    leave(players)


Workload: TypeAlias = Callable[[InMemoryServer], Awaitable[None]]


@pytest.mark.parametrize("workload", [open_sit_resign, begin_and_resign, open_only, make_small_records, chat])
async def test_tables_grow_by_no_more_than_is_charged(database_url: str, workload: Workload) -> None:
    rulesets: dict[str, AnyRuleset] = {"nothing": NullRuleset(), "diskwars": RULESETS["diskwars"](())}
    async with PostgresDatabase(database_url) as database:
        node = InMemoryServer(database, rulesets=rulesets)
        budgets, quotas = CountedCharges(0, LARGE, node.clock), AddressQuotas(QuotaLimits(), node.clock)
        quotas.bytes = budgets
        node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
        before = await size_of(database_url)
        await workload(node)
        await node.matches.close()
        grown = await size_of(database_url) - before
    assert grown <= budgets.charged <= MAX_CHARGE_RATIO * grown, f"{budgets.charged / grown:.2f} times the growth"
