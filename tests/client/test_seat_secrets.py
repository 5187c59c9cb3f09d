"""A player notices when the server breaks a commitment."""

from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.seeds import seat_entropy
from diskwars_client.errors import CommandRefused, MatchUnavailable
from diskwars_client.match_handle import MatchHandle
from diskwars_client.rulesets.diskwars.card_promises import CardPromises
from diskwars_client.seat_secrets import (
    MAX_SAVED_CHAINS,
    MAX_SAVED_STEPS,
    BrokenPromise,
    SavedSecrets,
    SeatSecrets,
)
from diskwars_protocol.connection.streams import Head, VerifiedRange, VerifiedRecords
from diskwars_protocol.match.actions import ReplaceChain, TakeSeat
from diskwars_protocol.match.events import ChainReplaced, SeatNonceOpened, SeatTaken, StepBegan
from diskwars_protocol.match.ids import DecisionId, MatchId, PlayerId
from diskwars_protocol.match.state import RecordBody, SeatChainState, SeatState
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import SEAT_CHAIN_LENGTH, card_commitment, is_next_nonce, seeded_entropy
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.rulesets.diskwars.actions import CommandCardQuestion, Loadout, LockCard
from diskwars_protocol.rulesets.diskwars.events import CardLocked, CardsRevealed, Event, RevealedCard
from diskwars_protocol.rulesets.diskwars.vocabulary import DiskwarsBody
from tests.client.match_files import find_event, greedy_records, replace_event

MATCH = MatchId("m")
SEAT = 0
PLAYER, LOADOUT = PlayerId("me"), Loadout("empire-patrol")


def secrets() -> SeatSecrets:
    return SeatSecrets(CardPromises(MATCH), seeded_entropy(1, "seat"))


def test_links_open_the_head_one_after_another() -> None:
    seat = secrets()
    first = seat.nonce_for(1, seat.head)
    second = seat.nonce_for(2, first)
    assert is_next_nonce(bytes.fromhex(seat.head), bytes.fromhex(first))
    assert is_next_nonce(bytes.fromhex(first), bytes.fromhex(second))


def test_a_link_that_is_asked_for_again_is_the_same() -> None:
    seat = secrets()
    assert seat.nonce_for(1, seat.head) == seat.nonce_for(1, seat.head)


def test_a_chain_that_is_spent_or_another_one_gives_nothing() -> None:
    seat = secrets()
    link = seat.head
    for step in range(1, SEAT_CHAIN_LENGTH + 1):
        link = seat.nonce_for(step, link)
    assert link
    assert seat.nonce_for(SEAT_CHAIN_LENGTH + 1, link) == ""
    assert seat.nonce_for(1, "ab" * 16) == ""


def locked(seat: SeatSecrets, card: str = "feint") -> tuple[LockCard, CardLocked]:
    """Return a lock, and the event that an honest server makes of it."""
    lock = LockCard(card, seat.fresh_salt(), seat.nonce_for(2, seat.head))
    seat.record_action(SEAT, 2, lock)
    made = card_commitment(MATCH, 2, SEAT, card, bytes.fromhex(str(lock.salt)))
    return lock, CardLocked(SEAT, 2, made, card, str(lock.salt))


def test_every_lock_has_its_own_salt() -> None:
    seat = secrets()
    assert locked(seat)[0].salt != locked(seat)[0].salt


def test_a_kept_promise_is_silent() -> None:
    seat = secrets()
    lock, event = locked(seat)
    seat.check(SEAT, event)
    seat.check(SEAT, StepBegan(2, "", (str(lock.seat_nonce), "")))
    seat.check(
        SEAT,
        CardsRevealed(2, (RevealedCard(SEAT, "feint", str(lock.salt)), RevealedCard(1, "press-on", "00" * 16)), ()),
    )


def test_events_of_other_seats_bind_nothing_to_this_seat() -> None:
    seat = secrets()
    _, event = locked(seat)
    seat.check(SEAT, replace(event, seat=1, commitment="0" * 64))


def test_another_commitment_is_a_broken_promise() -> None:
    seat = secrets()
    _, event = locked(seat)
    with pytest.raises(BrokenPromise, match="step 2: the server has published another commitment"):
        seat.check(SEAT, replace(event, commitment="0" * 64))


def test_a_card_revealed_that_was_not_locked_is_a_broken_promise() -> None:
    seat = secrets()
    lock, _ = locked(seat)
    with pytest.raises(BrokenPromise, match='revealed "press-on"'):
        seat.check(SEAT, CardsRevealed(2, (RevealedCard(SEAT, "press-on", str(lock.salt)),), ()))


def test_another_link_in_the_dice_is_a_broken_promise() -> None:
    seat = secrets()
    seat.nonce_for(1, seat.head)
    with pytest.raises(BrokenPromise, match="step 1: the dice were made with another nonce"):
        seat.check(SEAT, StepBegan(1, "", ("ab" * 16, "")))


def test_claim_that_a_seat_gave_nothing_is_public_and_no_fraud() -> None:
    seat = secrets()
    seat.nonce_for(1, seat.head)
    seat.check(SEAT, StepBegan(1, "", ("0" * 32, ""), missing=(SEAT,)))
    assert seat.nonce_for(1, seat.head)


def test_link_that_was_given_and_is_reported_missing_is_noted() -> None:
    seat = secrets()
    seat.nonce_for(1, seat.head)
    seat.check(SEAT, SeatNonceOpened(SEAT, ""))
    seat.check(SEAT, StepBegan(1, "", ("0" * 32, ""), missing=(SEAT,)))
    assert seat.unused_steps == {1}
    seat.check(SEAT, StepBegan(2, "", ("0" * 32, ""), missing=(SEAT,)))
    assert seat.unused_steps == {1}, "nothing was given to step 2"


def body_of(action: object, *events: Event) -> DiskwarsBody:
    """Return the record of an action of the seat."""
    body: DiskwarsBody = RecordBody(at_ms=1, seat=SEAT, action=action, events=events)  # type: ignore[arg-type]
    return body


def test_another_chain_in_the_record_of_the_own_action_is_a_broken_promise() -> None:
    seat = secrets()
    taken = TakeSeat(seat.head, LOADOUT)
    seat.confirm(SEAT, 1, taken, body_of(taken, SeatTaken(SEAT, PLAYER, seat.head, LOADOUT)))
    replaced = ReplaceChain(seat.renew_chain())
    seat.confirm(SEAT, 1, replaced, body_of(replaced, ChainReplaced(SEAT, replaced.chain_head, 2)))
    for action, event in (
        (taken, SeatTaken(SEAT, PLAYER, "ab" * 16, LOADOUT)),
        (replaced, ChainReplaced(SEAT, "ab" * 16, 2)),
    ):
        with pytest.raises(BrokenPromise, match="another chain"):
            seat.confirm(SEAT, 1, action, body_of(action, event))
    with pytest.raises(BrokenPromise, match="another chain"):
        seat.confirm(SEAT, 1, replaced, body_of(ReplaceChain("ab" * 16)))


def test_another_answer_in_the_record_of_the_own_one_is_a_broken_promise() -> None:
    """Also where another device has taken over meanwhile, so that nothing else of the seat is checked."""
    seat = secrets()
    lock, event = locked(seat)
    opened = SeatNonceOpened(SEAT, lock.seat_nonce)
    seat.release()
    seat.confirm(SEAT, 2, lock, body_of(lock, event, opened))
    for forged in (
        body_of(replace(lock, card="press-on"), event, opened),
        body_of(lock, replace(event, commitment="0" * 64), opened),
        body_of(lock, event, SeatNonceOpened(SEAT, "ab" * 16)),
    ):
        with pytest.raises(BrokenPromise, match="step 2"):
            seat.confirm(SEAT, 2, lock, forged)


def test_nothing_is_expected_while_another_device_is_in_control() -> None:
    seat = secrets()
    seat.expect_step(2)
    _, event = locked(seat)  # which was refused, because the other device came first
    seat.check(SEAT, ChainReplaced(SEAT, "ab" * 16, 3))
    assert not seat.controls(SeatState(PLAYER, LOADOUT, SeatChainState(seat.head, "ab" * 16, 3)))
    seat.check(SEAT, replace(event, commitment="0" * 64))
    seat.check(SEAT, SeatNonceOpened(SEAT, ""))
    seat.check(SEAT, StepBegan(2, "", ("0" * 32, ""), missing=(SEAT,)))
    seat.check(SEAT, SeatNonceOpened(SEAT, "cd" * 16))
    seat.check(SEAT, StepBegan(3, "", ("cd" * 16, "")))


def test_what_was_recorded_before_another_device_took_over_stays_checked() -> None:
    seat = secrets()
    seat.expect_step(2)
    lock, event = locked(seat)
    seat.check(SEAT, event)
    seat.check(SEAT, SeatNonceOpened(SEAT, lock.seat_nonce))
    seat.check(SEAT, ChainReplaced(SEAT, "ab" * 16, 3))
    with pytest.raises(BrokenPromise, match="another nonce"):
        seat.check(SEAT, StepBegan(2, "", ("cd" * 16, "")))
    with pytest.raises(BrokenPromise, match='revealed "press-on"'):
        seat.check(SEAT, CardsRevealed(2, (RevealedCard(SEAT, "press-on", str(lock.salt)),), ()))


def test_everything_is_expected_again_once_control_is_taken_back() -> None:
    seat = secrets()
    seat.check(SEAT, ChainReplaced(SEAT, "ab" * 16, 3))
    seat.check(SEAT, ChainReplaced(SEAT, seat.renew_chain(), 4))
    assert seat.controls(SeatState(PLAYER, LOADOUT, SeatChainState("ab" * 16, seat.head, 4)))
    seat.check(SEAT, StepBegan(3, "", ("cd" * 16, "")))
    with pytest.raises(BrokenPromise, match="step 4"):
        seat.check(SEAT, StepBegan(4, "", ("cd" * 16, "")))


def test_a_link_that_was_not_given_is_a_broken_promise() -> None:
    seat = secrets()
    seat.check(SEAT, SeatNonceOpened(SEAT, seat.nonce_for(1, seat.head)))
    seat.check(1, SeatNonceOpened(SEAT, "ab" * 16))
    with pytest.raises(BrokenPromise, match="step 1: the server has recorded another nonce"):
        seat.check(SEAT, SeatNonceOpened(SEAT, "ab" * 16))


def test_a_link_of_a_seat_that_gave_none_is_a_broken_promise() -> None:
    """Also when the server holds a head of its own making for this seat, so that the seat has nothing to give."""
    seat = secrets()
    assert seat.nonce_for(1, "cd" * 16) == ""
    with pytest.raises(BrokenPromise, match="recorded another nonce"):
        seat.check(SEAT, SeatNonceOpened(SEAT, "ab" * 16))
    with pytest.raises(BrokenPromise, match="step 1: the dice were made with another nonce"):
        seat.check(SEAT, StepBegan(1, "", ("ab" * 16, "")))
    with pytest.raises(BrokenPromise, match="step 2: the dice were made with another nonce"):
        seat.check(SEAT, StepBegan(2, "", ("ab" * 16, "")))


def test_a_new_chain_does_not_forget_what_was_given_from_the_old_one() -> None:
    seat = secrets()
    old = seat.head
    seat.check(SEAT, SeatTaken(SEAT, PLAYER, old, LOADOUT))
    first = seat.nonce_for(1, old)
    new = seat.renew_chain()
    assert new == seat.head != old
    seat.check(SEAT, ChainReplaced(SEAT, new, 2))
    seat.check(SEAT, StepBegan(1, "", (first, "")))
    seat.check(SEAT, SeatNonceOpened(SEAT, seat.nonce_for(2, new)))
    with pytest.raises(BrokenPromise, match="step 2: the dice were made with another nonce"):
        seat.check(SEAT, StepBegan(2, "", (first, "")))


def test_nonces_given_before_a_restart_are_not_held_against_the_server() -> None:
    seat = SeatSecrets(CardPromises(MATCH), seeded_entropy(1, "seat"), 4)
    seat.check(SEAT, StepBegan(3, "", ("ab" * 16, "")))
    with pytest.raises(BrokenPromise, match="step 4"):
        seat.check(SEAT, StepBegan(4, "", ("ab" * 16, "")))


# ---------------------------------------------------------------- in a match


UNSEEN = 1_000_000
"""The number of a record that never comes."""


class StubConnection:
    """A client that says nothing."""

    player = PlayerId("bot-0")

    async def act(
        self, match: MatchId, decision: DecisionId | None, action: bytes, chain_head: str | None = None
    ) -> Accepted:
        return Accepted("1", match, UNSEEN)

    async def options(self, match: MatchId, decision: DecisionId, include_unavailable: bool) -> bytes:
        return b"{}"

    async def records(self, match: MatchId, after: int, limit: int) -> VerifiedRange:
        raise NotImplementedError

    def schedule_refresh(self, match: MatchId) -> None: ...

    async def unwatch(self, match: MatchId) -> None: ...

    async def kick_player(self, match: str, seat: int) -> None: ...

    def resume_reading(self) -> None: ...


def fold_all(handle: MatchHandle, bodies: Sequence[DiskwarsBody]) -> None:
    handle.stream._set_ruleset("diskwars")
    for seq, body in enumerate(bodies, 1):
        raw = (encode_canonical(body),)
        handle.stream._on_records(
            VerifiedRecords(handle.id, seq, raw, (Head(seq, ""),), (WireRecord(seq, "00" * 16, msgspec.Raw(raw[0])),))
        )


def lock_action() -> tuple[int, CardLocked, LockCard]:
    """Return the first lock of seat 0 in a match, with its seq, and the action that made it."""
    seq, event = find_event(CardLocked)
    assert isinstance(event, CardLocked)
    assert event.seat == SEAT
    return seq, event, LockCard(event.card, event.salt)


async def test_a_match_in_which_a_commitment_differs_is_stopped_with_a_clear_error() -> None:
    seq, event, _ = lock_action()
    handle = MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))
    handle.own_seat.secrets = SeatSecrets(CardPromises(handle.id), seat_entropy(1, SEAT))  # the chain of that match
    opened = handle.own_seat.secrets.head
    for step in range(1, event.step):
        opened = handle.own_seat.secrets.nonce_for(step, opened)
    lock = LockCard(
        event.card, handle.own_seat.secrets.fresh_salt(), handle.own_seat.secrets.nonce_for(event.step, opened)
    )
    handle.own_seat.secrets.record_action(SEAT, event.step, lock)
    fold_all(handle, replace_event(greedy_records(), seq, commitment="0" * 64))
    with pytest.raises(MatchUnavailable, match="published another commitment"):
        _ = [update async for update in handle]
    with pytest.raises(MatchUnavailable):
        await handle.act(None, LockCard("feint", ""))
    assert handle.head < seq
    assert handle.is_over


async def test_a_match_whose_seat_another_device_has_taken_is_followed_without_control() -> None:
    handle = MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))
    handle.own_seat.secrets = SeatSecrets(CardPromises(handle.id), seeded_entropy(1, "another"))
    seq, event, lock = lock_action()
    fold_all(handle, greedy_records()[: seq - 1])
    assert (handle.is_over, handle.own_seat.needs_control, handle.own_seat.is_in_control) == (False, True, False)
    (decision,) = [each for each in handle.open_decisions if isinstance(each.question, CommandCardQuestion)]
    with pytest.raises(CommandRefused, match="not_in_control"):
        await handle.act(decision, lock)
    fold_all(handle, greedy_records())
    assert len([update async for update in handle]) == len(greedy_records())
    assert (event.seat, handle.own_seat.needs_control) == (SEAT, False)


async def test_honest_match_is_followed_to_its_end() -> None:
    handle = MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))
    fold_all(handle, greedy_records())
    assert len([update async for update in handle]) == len(greedy_records())
    assert handle.seat == SEAT


@pytest.mark.parametrize(
    ("kind", "fields"), [(SeatNonceOpened, {"seat": 7}), (CardsRevealed, {"cards": (RevealedCard(5, "", ""),)})]
)
async def test_records_that_cannot_be_folded_stop_the_match(kind: type[Event], fields: dict[str, object]) -> None:
    seq, _ = find_event(kind)
    handle = MatchHandle(MatchId("seed-1"), StubConnection(), seeded_entropy(1, "seat"))
    fold_all(handle, replace_event(greedy_records(), seq, **fields))
    with pytest.raises(MatchUnavailable, match="cannot be read"):
        _ = [update async for update in handle]


# ---------------------------------------------------------------- kept between two connections


def restored(seat: SeatSecrets, next_step: int = 2) -> SeatSecrets:
    """Return the secrets as another process reads them back."""
    saved = msgspec.json.decode(msgspec.json.encode(seat.saved()), type=SavedSecrets)
    return SeatSecrets.restore(saved, CardPromises(MATCH), seeded_entropy(2, "later"), next_step)


def test_restored_seat_goes_on_with_its_chain_and_its_locks() -> None:
    seat = secrets()
    lock, event = locked(seat)
    later = restored(seat)
    assert later.head == seat.head
    assert later.nonce_for(3, str(lock.seat_nonce)) == seat.nonce_for(3, str(lock.seat_nonce))
    later.check(SEAT, event)
    other = card_commitment(MATCH, 2, SEAT, "another", bytes(16))
    with pytest.raises(BrokenPromise, match="may have been swapped"):
        later.check(SEAT, replace(event, commitment=other))


def test_restored_seat_notices_another_nonce_in_the_step_under_way() -> None:
    seat = secrets()
    locked(seat)
    with pytest.raises(BrokenPromise, match="another nonce"):
        restored(seat).check(SEAT, StepBegan(2, "", ("ab" * 16, "")))


def test_restored_seat_knows_its_newest_chains_only() -> None:
    seat = secrets()
    heads = [seat.head, *(seat.renew_chain() for _ in range(MAX_SAVED_CHAINS))]
    later = restored(seat)
    assert [later.continues(head) for head in heads] == [False] + [True] * MAX_SAVED_CHAINS
    assert later.continues(later.nonce_for(2, later.head))
    assert later.fresh_salt() != seat.fresh_salt()


def test_saved_secrets_stay_small() -> None:
    seat = secrets()
    link = seat.head
    for step in range(1, 100):
        link = seat.nonce_for(step, link)
        seat.record_action(SEAT, step, LockCard("feint", seat.fresh_salt(), link))
    saved = seat.saved()
    assert list(saved.sent_nonces) == list(saved.commitments) == list(range(100 - MAX_SAVED_STEPS, 100))
