"""The house answers for seats whose time is up: clients, narration and `verify` understand its records."""

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.match_handle import MatchHandle
from diskwars_client.rulesets.diskwars.card_promises import CardPromises
from diskwars_client.seat_secrets import SeatSecrets
from diskwars_client.verification.verify import verify
from diskwars_engine.match import Command
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.connection.streams import Head, VerifiedRecords
from diskwars_protocol.match.actions import Ready, Resign, TakeSeat
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import HOUSE, MatchId, PlayerId
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.match_file import write_file
from diskwars_protocol.records.records import BadRecord, Record, WireRecord
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.events import CardLocked
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_text.rulesets.diskwars.narration import narrate
from tests.client.test_seat_secrets import StubConnection
from tests.engine.played_match import PlayedMatch, default_action, greedy_action, player_of

SECONDS = 30
OPTIONS = MatchOptions(clock=PerDecisionClock(SECONDS))


@cache
def played() -> PlayedMatch:
    """Return a match in which the house answers the first decision and every fourth after it."""
    playing = PlayedMatch(3, options=OPTIONS).begin()
    turn = 0
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        if turn % 4 == 0:
            playing.time_out(decision, SECONDS * 1000)
        else:
            playing.answer(decision, greedy_action(playing, decision))
        turn += 1
    return playing


def file_of(bodies: Sequence[DiskwarsBody]) -> bytes:
    playing = played()
    codec, stream = RecordCodec(playing.rules, playing.state.match, 2), seeded_entropy(1, "salts")
    records: list[Record] = []
    previous = codec.genesis
    for seq, body in enumerate(bodies, 1):
        meta = RecordMeta(PlayerId("somebody"), f"command {seq}")
        records.append(codec.seal(body, seq, previous, meta, lambda: stream(16)).record)
        previous = records[-1].hash
    header = r.MatchHeader(format=r.FORMAT, match=playing.state.match, ruleset="diskwars")
    return b"".join(write_file(header, records, r.openings_of))


def first_by_house(kind: type[object]) -> int:
    """Return the index of the first record in which the house takes an action of this kind."""
    return next(n for n, body in enumerate(played().bodies) if body.actor is not None and isinstance(body.action, kind))


def changed(place: int, **fields: object) -> bytes:
    bodies = list(played().bodies)
    bodies[place] = replace(bodies[place], **fields)
    return file_of(bodies)


def test_match_in_which_the_house_answered_is_verified() -> None:
    verdict = verify(file_of(played().bodies))
    assert verdict.is_redecided
    assert sum(body.actor is not None for body in played().bodies) > 5


def test_record_by_the_house_names_the_seat_and_says_so() -> None:
    body = played().bodies[first_by_house(a.LockCard)]
    assert body.seat in (0, 1)
    raw = encode_canonical(body)
    assert b'"actor":"house"' in raw
    own = next(body for body in played().bodies if body.actor is None)
    assert b'"actor"' not in encode_canonical(own)


def test_action_by_the_house_other_than_the_default_is_found() -> None:
    place = first_by_house(a.LockCard)
    action = played().bodies[place].action
    assert isinstance(action, a.LockCard)
    with pytest.raises(BadRecord, match="the house has not answered as the rules do") as found:
        verify(changed(place, action=replace(action, salt="ab" * 16)))
    assert found.value.seq == place + 1


def test_house_that_answers_too_early_is_found() -> None:
    place = first_by_house(a.LockCard)
    with pytest.raises(BadRecord, match="before the time of the seat was up"):
        verify(changed(place, at_ms=played().bodies[place - 1].at_ms))


def test_action_of_a_player_passed_off_as_one_by_the_house_is_found() -> None:
    place = next(
        n for n, body in enumerate(played().bodies) if body.actor is None and isinstance(body.action, a.LockCard)
    )
    with pytest.raises(BadRecord, match="the house has"):
        verify(changed(place, actor="house"))


def test_house_in_a_match_without_a_clock_is_found() -> None:
    opened = played().bodies[0].events[0]
    assert isinstance(opened, MatchOpened)
    with pytest.raises(BadRecord, match="in a match without a clock, where it only leaves"):
        verify(changed(0, events=(replace(opened, match_options=MatchOptions(abandoned_after_days=0)),)))


def test_narration_says_that_the_house_answers() -> None:
    bodies = played().bodies
    place = first_by_house(a.LockCard)
    before = DISKWARS.fold_log(bodies[:place])
    assert narrate(before, bodies[place])[0].endswith(" ran out of time: the house answers")
    assert not any("the house answers" in line for line in narrate(None, bodies[0]))


def test_house_takes_no_seat_and_is_not_ready_for_anybody() -> None:
    playing = PlayedMatch(4, options=OPTIONS)
    for action in (TakeSeat("00" * 16, a.Loadout("empire-patrol")), Ready()):
        with pytest.raises(Illegal) as refused:
            playing.decide(HOUSE, playing.state.decisions[0].id, action)
        assert refused.value.code == "wrong_action"


def test_house_cannot_resign_for_anybody() -> None:
    playing = PlayedMatch(4, options=OPTIONS).begin()
    with pytest.raises(Illegal) as refused:
        playing.rules.decide(playing.state, 5, Command(HOUSE, None, Resign(), 0), playing.secrets)
    assert refused.value.code == "no_seat"


def test_lock_under_way_when_the_house_answers_binds_nobody() -> None:
    """The player's own lock came too late; the card that the house locked is no broken promise."""
    playing = PlayedMatch(5, options=OPTIONS).begin()
    while not isinstance(playing.state.decisions[0].question, a.CommandCardQuestion):
        playing.answer(playing.state.decisions[0], default_action(playing, playing.state.decisions[0]))
    decision = playing.state.decisions[0]
    seat = decision.seat
    handle = MatchHandle(MatchId("match-5"), PlayerConnection(player_of(seat)), seeded_entropy(1, "unused"))
    receive(handle, playing.bodies)
    handle.own_seat.secrets = SeatSecrets(CardPromises(handle.id), seeded_entropy(1, "seat"), step=99)
    board = playing.board
    hand = board.sides[seat].hand
    assert isinstance(hand, tuple)
    step = playing.state.step + 1
    lock = a.LockCard(
        hand[0],
        handle.own_seat.secrets.fresh_salt(),
        handle.own_seat.secrets.nonce_for(step, handle.own_seat.secrets.head),
    )
    handle.own_seat.secrets.record_action(seat, step, lock)
    made = playing.time_out(decision, SECONDS * 1000)
    assert any(isinstance(event, CardLocked) for event in made.events)
    receive(handle, [made])
    assert handle.head == len(playing.bodies)
    while playing.state.step == 1:
        other = playing.state.decisions[0]
        receive(handle, [playing.answer(other, default_action(playing, other))])
    assert handle.head == len(playing.bodies)


class PlayerConnection(StubConnection):
    def __init__(self, player: PlayerId) -> None:
        self.player = player


def receive(handle: MatchHandle, bodies: Sequence[DiskwarsBody]) -> None:
    handle.stream._set_ruleset("diskwars")
    for body in bodies:
        raw = encode_canonical(body)
        seq = handle.head + 1
        handle.stream._on_records(
            VerifiedRecords(handle.id, seq, (raw,), (Head(seq, ""),), (WireRecord(seq, "00" * 16, msgspec.Raw(raw)),))
        )
