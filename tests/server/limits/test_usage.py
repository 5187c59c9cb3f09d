"""Bytes that strangers write and are sent are counted by address and by account."""

from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.accounts import Register, SignedIn
from diskwars_protocol.messages.decisions import GetOptions, OptionsResponse
from diskwars_protocol.messages.history import GetRecords
from diskwars_protocol.messages.lobby import CreateInvite, InviteCreated, InviteList, ListInvites, RevokeInvite
from diskwars_protocol.messages.opening import Opened
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.watching import Watch, Watching
from diskwars_server.app import make_quotas
from diskwars_server.broadcast import encoded_options
from diskwars_server.limits import usage
from diskwars_server.limits.address_quotas import QUERIES_PER_SECOND, AddressQuotas, QuotaLimits
from diskwars_server.limits.usage import HISTORY_PERIOD_MS, OPENING_BYTES, RECORD_OVERHEAD_BYTES, ByteBudgets
from diskwars_server.settings import ServerSettings
from diskwars_server.store.memory.database import MemoryDatabase
from diskwars_server.upkeep.time_limits import TimeLimits
from tests.server.counting_ruleset import ChooseNumber
from tests.server.in_memory_server import InMemoryClient, InMemoryServer, begin_match, open_request

LOOPBACK = "127.0.0.1"


@pytest.fixture
async def database() -> AsyncIterator[MemoryDatabase]:
    async with MemoryDatabase() as opened:
        yield opened


async def limited_guest(node: InMemoryServer, limits: QuotaLimits, address: str = "203.0.113.9") -> InMemoryClient:
    """Return a guest from an address; those of one node share their quotas."""
    if node.session_context.quotas._limits != limits:
        quotas = AddressQuotas(limits, node.clock)
        node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)
    guest = node.connect()
    guest.session.user.address = address
    guest.outbox.usage = node.session_context.quotas.bytes.usage_of(address)
    await guest.greet()
    return guest


async def test_guests_of_an_address_write_no_more_than_their_budget(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(guest_bytes=50_000)
    guests = [await limited_guest(node, limits) for _ in range(10)]
    answers = [await guest.request(open_request()) for guest in guests]
    assert 5 <= sum(isinstance(answer, Opened) for answer in answers) <= 8
    guest, answer = guests[-1], answers[-1]
    assert isinstance(answer, Refused)
    assert answer.code == "too_much_written"
    assert answer.retry_after_ms is not None
    elsewhere = await limited_guest(node, limits, "203.0.113.10")
    assert isinstance(await elsewhere.request(open_request()), Opened)
    node.clock.now += answer.retry_after_ms
    assert isinstance(await guest.request(open_request()), Opened), "the wait was as long as announced"
    await node.matches.close()


class NotedCharges(ByteBudgets):
    """Budgets that remember what was charged to whom."""

    def __init__(self, node: InMemoryServer) -> None:
        super().__init__(0, 10**9, node.clock)
        self.charges: list[tuple[str, int]] = []
        quotas = AddressQuotas(QuotaLimits(), node.clock)
        quotas.bytes = self
        node.session_context = msgspec.structs.replace(node.session_context, quotas=quotas)

    def charge_written(self, writer: str, count: int) -> None:
        self.charges.append((writer, count))


OPENER, PLAYER = "203.0.113.9", "203.0.113.10"


async def test_opener_pays_for_a_new_match_once(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    quotas = NotedCharges(node)
    guest = await node.connect_and_greet(address=OPENER)
    opened = await guest.request(open_request("o"))
    assert isinstance(opened, Opened)
    size = (await database.events.read(opened.match))[0].size
    assert quotas.charges == [(OPENER, size + RECORD_OVERHEAD_BYTES + OPENING_BYTES)]
    assert await guest.request(open_request("o")) == opened
    assert len(quotas.charges) == 1
    await node.matches.close()


async def test_opener_pays_for_the_answers_of_the_clock(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    quotas = NotedCharges(node)
    opener, player = [await node.connect_and_greet(address=address) for address in (OPENER, PLAYER)]
    match = await begin_match(opener, player, options=MatchOptions(clock=PerDecisionClock(30)))
    assert {writer for writer, _ in quotas.charges} == {OPENER, PLAYER}, "each pays for what they do"
    quotas.charges.clear()
    node.clock.now += 31_000
    await TimeLimits(node.matches, database.deadlines, node.clock, node.clock).enforce_due()
    await (await node.matches.find(match)).wait_idle()
    by_house = [record for record in await database.events.read(match) if record.actor == HOUSE]
    assert len(by_house) >= 2
    assert quotas.charges == [(OPENER, record.size + RECORD_OVERHEAD_BYTES) for record in by_house]
    await node.matches.close()


async def test_player_with_an_account_pays_for_their_own_matches(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    quotas = NotedCharges(node)
    client = await node.connect_and_greet(address=OPENER)
    assert isinstance(await client.request(Register("r", "Ann", "the griffon flies")), SignedIn)
    assert isinstance(await client.request(open_request()), Opened)
    assert [writer for writer, _ in quotas.charges] == [client.player]
    node.accounts.close()
    await node.matches.close()


def test_openers_are_remembered_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MAX_REMEMBERED_ADDRESSES", 3)
    quotas = AddressQuotas(QuotaLimits(guest_bytes=1), lambda: 0)
    for number in range(9):
        quotas.bytes.record_payers(f"p{number}", OPENER, OPENER)
    assert [quotas.bytes.usage_of_opener(f"p{number}").writer for number in (5, 6, 8)] == ["p5", OPENER, OPENER]
    assert not quotas.bytes.usage_of_opener("p8").write_wait_ms(is_under_way=False)


def test_strangers_who_only_connect_make_nobody_forget_an_opener(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "MAX_REMEMBERED_ADDRESSES", 3)
    quotas = AddressQuotas(QuotaLimits(guest_bytes=1), lambda: 0)
    quotas.bytes.record_payers("opener", OPENER, OPENER)
    quotas.bytes.usage_of_opener("opener").add_opening(0)
    for number in range(9):
        quotas.bytes.record_payers(f"p{number}", PLAYER, PLAYER)
    assert quotas.bytes.usage_of_opener("opener").writer == OPENER
    quotas.bytes.record_payers("opener", "opener", PLAYER)
    assert quotas.bytes.usage_of_opener("opener").writer == "opener", "who pays follows the last connection"
    for number in range(3):
        quotas.bytes.record_payers(f"o{number}", PLAYER, PLAYER)
        quotas.bytes.usage_of_opener(f"o{number}")
    assert len(quotas.bytes._openers) == 3


def test_workers_share_what_an_address_may_do() -> None:
    alone, one_of_three = [make_quotas(ServerSettings(workers=count))._limits for count in (1, 3)]
    assert (alone.connections, alone.openings_per_hour, alone.bots_per_hour) == (100, 100, 100)
    assert (one_of_three.connections, one_of_three.openings_per_hour, one_of_three.bots_per_hour) == (67, 34, 34)
    assert (one_of_three.guest_bytes, one_of_three.history_bytes) == (6_666_667, 21_333_334)
    assert one_of_three.max_sockets == alone.max_sockets == 1000
    unlimited = ServerSettings(workers=3, address_connections=0, guest_megabytes=0)
    assert (make_quotas(unlimited)._limits.connections, make_quotas(unlimited)._limits.guest_bytes) == (0, 0)
    assert make_quotas(ServerSettings(workers=2))._limits.connections == 100


async def test_match_under_way_goes_on_beyond_the_budget_up_to_twice(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(guest_bytes=40_000)
    first, second = await limited_guest(node, limits), await limited_guest(node, limits)
    match = await begin_match(first, second)
    first.outbox.usage.add_record(40_000)
    assert (await first.expect_refused(open_request())).code == "too_much_written"
    accepted = await first.choose_number(match, 0, 3)
    first.outbox.usage.add_record(60_000)
    decision = await second.decision(match, 1)
    refused = await second.expect_refused(second.act_message(match, decision, ChooseNumber(3)))
    assert refused.code == "too_much_written"
    assert refused.retry_after_ms
    node.clock.now += refused.retry_after_ms
    await second.choose_number(match, 1, 3)
    assert accepted.seq > 0
    await node.matches.close()


async def test_accepted_command_is_answered_again_beyond_the_budget(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    guest = await limited_guest(node, QuotaLimits(guest_bytes=40_000))
    opened_match = await guest.request(open_request("o"))
    guest.outbox.usage.add_record(500_000)
    assert await guest.request(open_request("o")) == opened_match
    assert (await guest.expect_refused(open_request("another"))).code == "too_much_written"
    await node.matches.close()


async def test_player_with_an_account_has_a_budget_of_their_own(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(guest_bytes=40_000)
    guest = await limited_guest(node, limits)
    registered = await limited_guest(node, limits)
    assert isinstance(await registered.request(Register("r", "Ann", "the griffon flies")), SignedIn)
    guest.outbox.usage.add_record(100_000)
    assert (await guest.expect_refused(open_request())).code == "too_much_written"
    assert isinstance(await registered.request(open_request()), Opened)
    node.accounts.close()
    await node.matches.close()


async def test_accounts_of_an_address_write_no_more_than_five_budgets_together(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(guest_bytes=40_000)
    registered = [await limited_guest(node, limits) for _ in range(7)]
    for number, client in enumerate(registered):
        await client.request(Register("r", f"Ann {number}", "the griffon flies"))
    for client in registered[:4]:
        client.outbox.usage.add_record(39_000)
    assert isinstance(await registered[4].request(open_request()), Opened), "several people play behind one address"
    for client in registered[4:6]:
        client.outbox.usage.add_record(32_000)
    refused = await registered[6].expect_refused(open_request())
    assert (refused.code, bool(refused.retry_after_ms)) == ("too_much_written", True)
    elsewhere = await limited_guest(node, limits, "203.0.113.10")
    assert isinstance(await elsewhere.request(open_request()), Opened)
    node.accounts.close()
    await node.matches.close()


async def test_bots_of_an_account_are_charged_to_its_address_too(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(guest_bytes=40_000)
    registered, other = [await limited_guest(node, limits) for _ in range(2)]
    await registered.request(Register("r", "Ann", "the griffon flies"))
    usage = node.session_context.quotas.bytes.usage_of_opener(registered.player)
    assert usage.writer == registered.player
    usage.add_record(200_000)
    assert (await other.expect_refused(open_request())).code == "too_much_written"
    node.accounts.close()
    await node.matches.close()


async def test_history_costs_its_bytes_and_has_to_wait_then(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(history_bytes=200_000)
    first, second = await limited_guest(node, QuotaLimits()), await limited_guest(node, QuotaLimits())
    match = await begin_match(first, second)
    watcher = await limited_guest(node, limits)
    watches = 0
    while isinstance(answer := await watcher.request(Watch(f"w{watches}", match, snapshot=True)), Watching):
        watches += 1
        assert watches < 1_000
    assert isinstance(answer, Refused)
    assert (answer.code, watches > 10) == ("too_much_history", True)
    assert answer.retry_after_ms is not None
    assert isinstance(await watcher.request(Watch("short", match, 1)), Watching), "a resume comes before it"
    assert (await watcher.expect_refused(GetRecords("g", match, 0))).code == "too_much_history"
    same_address = await limited_guest(node, limits)
    assert isinstance(await same_address.request(Watch("w", match)), Watching), "one connection has a quarter"
    node.clock.now += answer.retry_after_ms + HISTORY_PERIOD_MS // 4
    assert isinstance(await watcher.request(Watch("again", match, snapshot=True)), Watching)
    await node.matches.close()


async def test_large_answers_count_as_history(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    guest = await limited_guest(node, QuotaLimits(history_bytes=200_000))
    match = await guest.open_match()
    for number in range(10):
        created = await guest.request(CreateInvite(f"i{number}", match, "x" * 1_000))
        assert isinstance(created, InviteCreated), created
        if number < 3:
            assert isinstance(await guest.request(ListInvites("small", match)), InviteList)
    guest.outbox.usage.add_history(44_000)
    assert not guest.outbox.usage.history_wait_ms(is_resume=False), "small answers cost nothing"
    answered = 0
    while isinstance(answer := await guest.request(ListInvites("large", match)), InviteList):
        node.clock.now += 1000 // QUERIES_PER_SECOND
        answered += 1
        assert answered < 200
    assert isinstance(answer, Refused)
    assert (answer.code, answered >= 5, bool(answer.retry_after_ms)) == ("too_much_history", True, True)
    revoked = await guest.expect_refused(RevokeInvite("r", match, "invite"))
    assert revoked.code == "too_much_history"
    await guest.take_seat(match, 0)  # a player acts on
    await node.matches.close()


async def test_options_are_free_once_and_worked_out_once(
    database: MemoryDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(history_bytes=4_000)
    first, second = [await limited_guest(node, limits) for _ in range(2)]
    match = await begin_match(first, second, rounds=3)
    worked_out: list[str] = []
    encode_options = encoded_options.encode_options

    def count(rules: Any, state: Any, decision: Any, include_unavailable: bool) -> bytes:
        worked_out.append(decision.id)
        return encode_options(rules, state, decision, include_unavailable)

    monkeypatch.setattr(encoded_options, "encode_options", count)

    async def request_options(include_unavailable: bool = False) -> ServerMessage:
        decision = await first.decision(match, 0)
        return await first.request(GetOptions(first.id(), match, decision, include_unavailable))

    for _ in range(2):
        answers = [await request_options() for _ in range(3)]
        assert {type(answer) for answer in answers} == {OptionsResponse}
        assert len({bytes(answer.options) for answer in answers if isinstance(answer, OptionsResponse)}) == 1
        await request_options(include_unavailable=True)
        await first.choose_number(match, 0, 2)
        await second.choose_number(match, 1, 3)
    assert len(worked_out) == 4, "twice for each decision"
    await request_options()
    answer, repeated = await request_options(), 0
    while isinstance(answer, OptionsResponse) and repeated < 1_000:
        answer, repeated = await request_options(), repeated + 1
    assert isinstance(answer, Refused), "repeating it costs its bytes"
    assert (answer.code, bool(answer.retry_after_ms)) == ("too_much_history", True)
    await first.choose_number(match, 0, 2)
    await second.choose_number(match, 1, 3)
    await node.matches.close()


async def test_history_of_an_address_is_limited_over_all_its_connections(database: MemoryDatabase) -> None:
    node = InMemoryServer(database)
    limits = QuotaLimits(history_bytes=200_000)
    first, second = await limited_guest(node, QuotaLimits()), await limited_guest(node, QuotaLimits())
    match = await begin_match(first, second)
    spender = await limited_guest(node, limits)
    spender.outbox.usage.add_history(200_001)
    fresh = await limited_guest(node, limits)
    assert (await fresh.expect_refused(Watch("w", match, snapshot=True))).code == "too_much_history"
    elsewhere = await limited_guest(node, limits, "203.0.113.10")
    assert isinstance(await elsewhere.request(Watch("w", match, snapshot=True)), Watching)
    await node.matches.close()
