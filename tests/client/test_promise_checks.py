"""A player who resumes from a snapshot: what the server has published about their seat meanwhile is compared once."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.errors import MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.messages.watching import Watching
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import SEAT_LINK_BYTES, SeatChain, seeded_entropy
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_server.broadcast.snapshots import encode_view
from tests.client.test_seat_secrets import UNSEEN, StubConnection
from tests.engine.played_match import PlayedMatch, default_action, player_of

OWN, OTHER = 1, 0
SECONDS = 30
Forger = Callable[[DiskwarsBody], DiskwarsBody]


class CutConnection(StubConnection):
    """The connection of one player to a match in memory. What they send arrives when the test says so."""

    def __init__(self) -> None:
        self.player = player_of(OWN)
        self.playing = PlayedMatch(5, options=MatchOptions(clock=PerDecisionClock(SECONDS)))
        self.playing.chains[OWN] = SeatChain(seeded_entropy(1, "own")(SEAT_LINK_BYTES))
        self.playing.begin()
        self.forge: Forger = lambda body: body
        self.handle = MatchHandle(MatchId("match-5"), self, seeded_entropy(1, "own"))
        self.handle.stream._set_ruleset("diskwars")
        self.handle.own_seat.secrets = self.handle.own_seat.draw_secrets()
        self.handle.own_seat.secrets.nonce_for(1, self.handle.own_seat.secrets.head)
        self._sent = b""

    async def act(
        self, match: MatchId, decision: DecisionId | None, action: bytes, chain_head: str | None = None
    ) -> Accepted:
        self._sent = action
        return Accepted("1", match, UNSEEN)

    async def records(self, match: MatchId, after: int, limit: int) -> VerifiedRange:
        return VerifiedRange("1", Head(after, ""), self._records(after, limit))

    def _records(self, after: int, limit: int) -> VerifiedRecords:
        bodies = self.playing.seen_by(OWN)[after : after + limit]
        raw = tuple(encode_canonical(self.forge(body)) for body in bodies)
        heads = tuple(Head(after + n, "") for n in range(1, len(raw) + 1))
        received = tuple(
            WireRecord(head.seq, "00" * 16, msgspec.Raw(body)) for head, body in zip(heads, raw, strict=True)
        )
        return VerifiedRecords(self.handle.id, after + 1, raw, heads, received)

    def receive(self) -> None:
        """Get the records that are new, as they come live."""
        self.handle.stream._on_records(self._records(self.handle.head, 1000))

    async def lock(self) -> a.LockCard:
        """Choose a card and send it; nothing has arrived yet."""
        hand = self.playing.board.sides[OWN].hand
        assert isinstance(hand, tuple)
        await self.handle.act(self.card_decision(OWN), a.LockCard(hand[0], ""))
        return msgspec.json.decode(self._sent, type=a.LockCard)

    def deliver(self, lock: a.LockCard) -> None:
        """Let what was sent arrive."""
        decision = self.card_decision(OWN)
        self.playing.commit(self.playing.decide(player_of(OWN), decision.id, lock))

    def miss(self, seat: int) -> None:
        """The time of a seat is up, and the house answers."""
        self.playing.time_out(self.card_decision(seat), SECONDS * 1000)

    def card_decision(self, seat: int) -> Decision[Any]:
        decisions = [decision for decision in self.playing.state.decisions if decision.seat == seat]
        assert asks_for_card(decisions[0])
        return decisions[0]

    def play_to_the_next_lock(self) -> None:
        while not any(asks_for_card(decision) for decision in self.playing.state.decisions):
            decision = self.playing.state.decisions[0]
            self.playing.answer(decision, default_action(self.playing, decision))

    def resume_by_snapshot(self) -> Head:
        """Connect again after the server has restarted. Returns what was known before."""
        known = self.handle.stream.known_head
        assert known is not None
        playing, head = self.playing, len(self.playing.bodies)
        raw = encode_view(playing.rules, playing.state, OWN)
        header = msgspec.Raw(b"{}")
        self.handle.stream._on_watching(
            Watching(self.handle.id, "diskwars", head, head, header, "", seat=OWN, snapshot=msgspec.Raw(raw))
        )
        return known

    @property
    def is_up_to_date(self) -> bool:
        return not self.handle.stream.is_stopped and self.handle.head == len(self.playing.bodies)


def asks_for_card(decision: Decision[Any]) -> bool:
    return isinstance(decision.question, a.CommandCardQuestion)


@pytest.fixture
def cut() -> CutConnection:
    playing = CutConnection()
    playing.play_to_the_next_lock()
    playing.receive()
    return playing


@pytest.mark.parametrize("is_late", [False, True])
async def test_lock_after_a_snapshot_of_a_later_step_is_no_fraud(cut: CutConnection, is_late: bool) -> None:
    """Locked, cut off, the house reveals for the other, back by a snapshot, locked again."""
    cut.deliver(await cut.lock())
    cut.receive()
    step = cut.playing.state.step
    cut.miss(OTHER)
    assert cut.playing.state.step == step + 1, "the cards were revealed while the player was away"
    known = cut.resume_by_snapshot()
    if not is_late:
        await cut.handle.stream.check_contains(known)
    cut.play_to_the_next_lock()
    cut.receive()
    cut.deliver(await cut.lock())
    cut.miss(OTHER)
    cut.receive()
    if is_late:  # the records that were missed come after those of now
        await cut.handle.stream.check_contains(known)
    assert cut.is_up_to_date
    assert cut.handle.match.step == step + 2


async def test_lock_by_the_house_before_a_snapshot_binds_nobody(cut: CutConnection) -> None:
    """The own lock was lost with the connection; the card that is revealed later is the one that the house locked."""
    await cut.lock()
    cut.miss(OWN)
    await cut.handle.stream.check_contains(cut.resume_by_snapshot())
    cut.miss(OTHER)
    cut.receive()
    assert cut.is_up_to_date


async def test_lock_by_the_house_that_reveals_the_cards_binds_nobody(cut: CutConnection) -> None:
    """The own lock was under way when the house locked for the seat, which was the last one to lock."""
    cut.miss(OTHER)
    cut.receive()
    await cut.lock()
    cut.miss(OWN)
    cut.receive()
    assert cut.is_up_to_date
    assert cut.handle.own_seat.secrets is not None
    assert cut.handle.own_seat.secrets.unused_steps == set()


async def test_card_that_was_swapped_while_the_player_was_away_is_found(cut: CutConnection) -> None:
    await cut.lock()
    swapped = replace(await cut.lock(), card=cut.playing.board.sides[OWN].hand[1])  # type: ignore[index]
    cut.deliver(swapped)
    known = cut.resume_by_snapshot()
    with pytest.raises(MatchUnavailable, match="another commitment"):
        await cut.handle.stream.check_contains(known)


async def test_nonce_that_was_not_given_is_found_after_a_snapshot(cut: CutConnection) -> None:
    lock = await cut.lock()
    known = cut.resume_by_snapshot()
    await cut.handle.stream.check_contains(known)
    cut.deliver(lock)
    cut.forge = _with_another_nonce
    cut.receive()
    with pytest.raises(MatchUnavailable, match="step 2: the server has recorded another nonce"):
        _ = [update async for update in cut.handle]


def _with_another_nonce(body: DiskwarsBody) -> DiskwarsBody:
    raw = msgspec.json.decode(encode_canonical(body))
    for event in raw["events"]:
        if event["type"] == "seat_nonce_opened":
            event["seat_nonce"] = "ab" * 16
    return DISKWARS.decode_body(msgspec.json.encode(raw))
