"""The server plays Diskwars, and reports faulty actions in the terms of the protocol."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec import Raw

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.rulesets.diskwars.actions import ActivationQuestion, CommandCardQuestion, Loadout
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import HEAD, InMemoryClient, InMemoryServer

ARMIES = ("reikland-host", "everchosen-host")


class PlayedTable:
    """A match of Diskwars whose players give the answers that are legal by default, until one of interest is asked."""

    def __init__(self, node: InMemoryServer, guests: list[InMemoryClient], match: MatchId) -> None:
        self.node, self.guests, self.match = node, guests, match
        stream = seeded_entropy(7, "match 1")
        self.secrets = MatchSecrets(stream(32), stream(32))

    async def until(self, kind: type[object]) -> Decision[Any]:
        """Play until something of this kind is asked."""
        async for decision in self.play():
            if isinstance(decision.question, kind):
                return decision
        raise AssertionError(f"{kind.__name__} was never asked")

    async def play(self) -> AsyncIterator[Decision[Any]]:
        """To the end, every decision before it is answered."""
        rules = (await self.node.matches.find(self.match)).rules
        while (state := await self.node.state(self.match)).decisions:
            decision = state.decisions[0]
            yield decision
            guest = self.guests[decision.seat]
            action = rules.default(state, decision, self.secrets)
            await guest.expect_accepted(guest.act_message(self.match, decision.id, action))

    async def refused(self, decision: Decision[Any], action: Any) -> Refused:
        guest = self.guests[decision.seat]
        return await guest.expect_refused(guest.act_message(self.match, decision.id, action))


@pytest.fixture
async def table() -> AsyncIterator[PlayedTable]:
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())})
        guests = [await node.connect_and_greet() for _ in ARMIES]
        opened = await guests[0].request(OpenMatch("open", "diskwars", 2, Raw(b"{}")))
        assert isinstance(opened, Opened)
        await guests[1].watch(opened.match)
        for seat, (guest, army) in enumerate(zip(guests, ARMIES, strict=True)):
            decision = await guest.decision(opened.match, seat)
            await guest.expect_accepted(guest.act_message(opened.match, decision, TakeSeat(HEAD, Loadout(army))))
        for seat, guest in enumerate(guests):
            await guest.expect_accepted(
                guest.act_message(opened.match, await guest.decision(opened.match, seat), Ready())
            )
        yield PlayedTable(node, guests, opened.match)
        await node.matches.close()


CARDS: list[tuple[str, dict[str, Any], str]] = [
    ("a card of nobody", {"card": "Ace of Spades", "salt": "5a" * 16}, "not_in_hand"),
    ("a salt too short", {"salt": "00"}, "bad_salt"),
    ("a salt of zeros", {"salt": "00" * 16}, "unsafe_salt"),
    ("a nonce too short", {"salt": "5a" * 16, "seat_nonce": "00"}, "bad_seat_nonce"),
    (
        "a nonce of another chain",
        {"salt": "5a" * 16, "seat_nonce": "11" * 16},
        "bad_seat_nonce",
    ),
]


@pytest.mark.parametrize(("fields", "code"), [case[1:] for case in CARDS], ids=[case[0] for case in CARDS])
async def test_a_lock_that_cannot_be_taken_is_refused(table: PlayedTable, fields: dict[str, Any], code: str) -> None:
    decision = await table.until(CommandCardQuestion)
    before = await table.node.state(table.match)
    assert before.board is not None
    hand = before.board.sides[decision.seat].hand
    assert isinstance(hand, tuple)
    assert (await table.refused(decision, {"type": "lock_card", "card": hand[0], **fields})).code == code
    assert await table.node.state(table.match) is before


async def test_a_second_card_is_not_taken(table: PlayedTable) -> None:
    decision = await table.until(CommandCardQuestion)
    state = await table.node.state(table.match)
    rules = (await table.node.matches.find(table.match)).rules
    lock = rules.default(state, decision, table.secrets)
    guest = table.guests[decision.seat]
    await guest.expect_accepted(guest.act_message(table.match, decision.id, lock))
    assert (await table.refused(decision, lock)).code in ("already_locked", "not_your_turn")


async def test_an_illegal_flip_is_refused_with_its_code_and_place(table: PlayedTable) -> None:
    decision = await table.until(ActivationQuestion)
    state = await table.node.state(table.match)
    assert state.board is not None
    disks = [disk for disk in state.board.disks if disk.place == "battlefield"]
    mine = next(disk.id for disk in disks if disk.seat == decision.seat)
    other = next(disk.id for disk in disks if disk.seat != decision.seat)
    wrong = [
        ({"disk": mine, "path": [[0, 0]]}, "illegal_flip", "$.action.path[0]"),
        ({"disk": mine, "path": [[900000, 0]]}, "illegal_flip", "$.action.path[0]"),
        ({"disk": other, "path": [[0, 57150]]}, "not_your_disk", "$.action.disk"),
        ({"disk": 999, "path": [[0, 57150]]}, "unknown_disk", "$.action.disk"),
        ({"disk": mine, "path": [[1, 2], [3, 4], [5, "x"]]}, "bad_action", "$.action.path[2][1]"),
    ]
    for fields, code, place in wrong:
        refused = await table.refused(decision, {"type": "move_disk", **fields})
        assert (refused.code, refused.place) == (code, place)
    assert await table.node.state(table.match) is state


async def test_a_whole_match_is_played_by_default_and_seen_without_a_gap(table: PlayedTable) -> None:
    kinds = {type(decision.question) async for decision in table.play()}
    assert {CommandCardQuestion, ActivationQuestion} <= kinds
    state = await table.node.state(table.match)
    assert state.status == "ended"
    assert state.result is not None
    records = await table.node.database.events.read(table.match)
    for guest in table.guests:
        wire = await guest.catch_up(table.match)
        assert [record.seq for record in wire] == [record.seq for record in records]


@pytest.mark.parametrize(
    ("ruleset", "settings", "said"),
    [
        ("diskwar", b"{}", 'there is no ruleset "diskwar" here; did you mean "diskwars"?'),
        ("go", b"{}", 'there is no ruleset "go" here; known are "diskwars"'),
        ("diskwars", b'{"impct_own":true}', 'there is no field `impct_own` here; did you mean "impact_own"?'),
        ("diskwars", b'{"pins":"strickt"}', "'strickt' is not one of the values; did you mean \"strict\"?"),
        ("diskwars", b'{"setup":"none"}', '\'none\' is not one of the values; known are "full", "quick"'),
        ("diskwars", b'{"regiments":9}', "expected a number of at most 3"),
        (
            "diskwars",
            b'{"special_scenario":"stronghold"}',
            "'stronghold' is not one of the values; did you mean \"strongholds\"?",
        ),
    ],
)
async def test_a_word_that_nobody_knows_is_answered_with_those_that_are_known(
    table: PlayedTable, ruleset: str, settings: bytes, said: str
) -> None:
    refused = await table.guests[0].expect_refused(OpenMatch("another", ruleset, 2, Raw(settings)))
    assert refused.text == said


async def test_an_action_that_nobody_knows_is_answered_with_the_one_that_is_meant(table: PlayedTable) -> None:
    decision = await table.until(ActivationQuestion)
    refused = await table.refused(decision, {"type": "shot", "disk": 1})
    assert (refused.code, refused.place) == ("bad_action", "$.action.type")
    assert refused.text == "'shot' is not one of the values; did you mean \"shoot\"?"
