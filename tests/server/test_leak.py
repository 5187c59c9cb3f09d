"""A locked card leaks nothing before it is revealed.

Two matches on a real session, matches and store differ only in the card that seat 0 has locked. Everything that the
server sends to the other seat and to the public (records, refusals, options, lists, resumes) is the same to the byte,
once commitments, sealing digests and hashes are masked."""

import re

import msgspec
from msgspec import Raw

from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.actions import Ready, ReadyQuestion, SeatQuestion, TakeSeat
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.messages import ServerMessage
from diskwars_protocol.messages.decisions import Act, GetOptions, OptionsResponse
from diskwars_protocol.messages.history import Records
from diskwars_protocol.messages.lists import ListMatches
from diskwars_protocol.messages.opening import Opened, OpenMatch
from diskwars_protocol.messages.watching import Watch
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_server.store.memory.database import MemoryDatabase
from tests.server.in_memory_server import InMemoryClient, InMemoryServer

HEAD = "ab" * 16
ARMIES = ("reikland-host", "everchosen-host")
_OPTIONS = msgspec.json.Decoder(DiskwarsOptions)


class RecordingConnection(InMemoryClient):
    """Keeps the received frames unchanged, and the open decisions."""

    def __init__(self, node: InMemoryServer) -> None:
        guest = node.connect()
        super().__init__(node, guest.outbox)
        self.frames: list[bytes] = []
        self.open_decisions: list[Decision[a.Question]] = []

    async def next_message(self) -> ServerMessage | None:
        message = await super().next_message()
        if message is not None:
            self.frames.append(msgspec.json.encode(message))
        if isinstance(message, Records):
            for record in message.records:
                self._note(record.body)
        return message

    def _note(self, body: Raw) -> None:
        found = msgspec.json.decode(body)
        if "decisions" in found:
            self.open_decisions = msgspec.convert(found["decisions"], list[Decision[a.Question]])

    def asked_of(self, seat: int) -> Decision[a.Question] | None:
        return next((one for one in self.open_decisions if one.seat == seat), None)


def masked_frames(frames: list[bytes]) -> list[str]:
    digests = re.compile(r'"(#|hash|leaf|commitment)":"[0-9a-f]{64}"')
    return [digests.sub(r'"\1":""', frame.decode()) for frame in frames]


def action_of(action: a.Action) -> Raw:
    return Raw(msgspec.json.encode(action))


class ConsecutiveIds(RecordingConnection):
    """Its command ids depend on nothing but itself, so that two runs say the same."""

    def __init__(self, node: InMemoryServer, name: str) -> None:
        super().__init__(node)
        self.name = name
        self._said = 0

    def id_of(self, what: str) -> str:
        self._said += 1
        return f"{self.name} {what} {self._said}"


async def caught_up(*guests: ConsecutiveIds) -> None:
    """Wait until every client has read what was sent so far."""
    for guest in guests:
        await guest.request(ListMatches(guest.id_of("list")))


async def lock_first_card(match: MatchId, seats: tuple[ConsecutiveIds, ConsecutiveIds], card: int) -> None:
    """Both sit, get ready and take the first of every option, until seat 0 has locked the card."""
    while True:
        await caught_up(*seats)
        for seat, guest in enumerate(seats):
            decision = guest.asked_of(seat)
            if decision is None:
                continue
            if isinstance(decision.question, a.CommandCardQuestion) and seat == 1:
                continue
            await act_on(guest, match, decision, seat, card)
            await caught_up(*seats)
            if isinstance(decision.question, a.CommandCardQuestion):
                return


async def act_on(guest: ConsecutiveIds, match: MatchId, decision: Decision[a.Question], seat: int, card: int) -> None:
    match decision.question:
        case SeatQuestion():
            action: a.Action = TakeSeat(HEAD, a.Loadout(ARMIES[seat]))
        case ReadyQuestion():
            action = Ready()
        case _:
            offered = await guest.request(GetOptions(guest.id_of("options"), match, decision.id))
            assert isinstance(offered, OptionsResponse)
            options = _OPTIONS.decode(offered.options)
            found = [*options.actions, *(plan.example for plan in options.parametric)]
            action = found[card] if isinstance(decision.question, a.CommandCardQuestion) else found[0]
            if isinstance(action, a.LockCard):
                action = a.LockCard(action.card, f"{card + 1:02x}" * 16)
    await guest.expect_accepted(Act(guest.id_of("act"), match, action_of(action), decision.id))


async def assert_no_leak(match: MatchId, other: ConsecutiveIds, public: ConsecutiveIds) -> None:
    """Every question that might tell something: options, stale and foreign acts, resumes, all secrets, lists."""
    own = other.asked_of(1)
    assert own is not None
    await other.request(GetOptions(other.id_of("options"), match, own.id))
    for decision in (DecisionId("1.0"), DecisionId("2.0"), own.id):
        await other.expect_refused(Act(other.id_of("act"), match, action_of(a.EndCard()), decision))
    for after in (0, 3):
        for guest in (other, public):
            await guest.request(Watch(guest.id_of("watch"), match, after))
            await guest.request(Watch(guest.id_of("watch"), match, after, reveal_secrets=True))
    await public.request(GetOptions(public.id_of("options"), match, own.id))
    await caught_up(other, public)


async def play_card(card: int) -> dict[str, list[str]]:
    """A match up to the first lock of seat 0, which takes card number `card` of its hand; then everybody pries."""
    async with MemoryDatabase() as database:
        node = InMemoryServer(database, rulesets={"diskwars": Diskwars(core_pack())})
        own, other, public = (ConsecutiveIds(node, name) for name in ("own", "other", "public"))
        for guest in (own, other, public):
            await guest.greet(node.tokens.issue(PlayerId(guest.name)))
        opened = await own.request(OpenMatch("open", "diskwars", 2))
        assert isinstance(opened, Opened)
        for guest in (other, public):
            await guest.send_message(Watch(guest.id_of("watch"), opened.match))
        await lock_first_card(opened.match, (own, other), card)
        await assert_no_leak(opened.match, other, public)
        await node.matches.close()
        return {guest.name: masked_frames(guest.frames) for guest in (own, other, public)}


async def test_until_the_reveal_the_other_seat_and_the_public_are_sent_the_same_bytes_whatever_card_is_locked() -> None:
    """R19.28"""
    first, second = await play_card(0), await play_card(1)
    assert first["own"] != second["own"]
    assert len(first["other"]) > 50
    assert first["other"] == second["other"]
    assert first["public"] == second["public"]
