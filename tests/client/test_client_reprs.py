"""Representations of client, handle and decision, as a notebook shows them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from diskwars_client import connect
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.rulesets.diskwars.actions import Loadout
from tests.client.local_server import TEST_TIMEOUT_SECONDS, running_server
from tests.client.patrols import PATROLS
from tests.client.test_former_names import make_client
from tests.client.test_seat_secrets import StubConnection


@pytest.fixture
async def url() -> AsyncIterator[str]:
    async with asyncio.timeout(TEST_TIMEOUT_SECONDS), running_server() as url:
        yield url


async def test_client_and_handle_show_where_they_stand(url: str) -> None:
    async with connect(url) as one, connect(url) as other:
        first = await one.open_match(PATROLS)
        second = await other.watch(first.id)
        await first.take_seat(Loadout("empire-patrol"))
        await second.take_seat(Loadout("chaos-patrol"))
        await first.wait_after(second.head - 1)
        (decision,) = first.open_decisions
        assert repr(one) == f"<Client {url} player={one.player!r} matches=[{first.id!r}]>"
        assert repr(first) == (
            f"<MatchHandle {first.id!r} ruleset='diskwars' status='open' seat=0 head={first.head} "
            f"open_decisions=[{decision.id!r}]>"
        )
        assert repr(decision) == f"Decision(id={decision.id!r}, seat=0, question=ReadyQuestion())"
        assert one.token not in repr(one)


async def test_client_shows_itself_before_it_is_connected() -> None:
    assert repr(make_client()) == "<Client ws://127.0.0.1:1/ws player='' matches=[]>"


async def test_handle_shows_itself_before_a_record_has_arrived() -> None:
    handle = MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))
    assert repr(handle) == "<MatchHandle 'seed-1' ruleset=None status=None seat=None head=0 open_decisions=[]>"


def test_decision_shows_its_id_its_seat_and_its_question() -> None:
    decision = Decision(DecisionId("14.0"), 1, ReadyQuestion())
    assert repr(decision) == "Decision(id='14.0', seat=1, question=ReadyQuestion())"
