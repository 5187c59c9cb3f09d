"""The body of a record becomes a sealed row, and a log of rows becomes a match again."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_engine.match import AnyRules, Command, MatchOpening, MatchRules
from diskwars_engine.match_dice import NO_KNOWN_DICE, KnownDice, MatchSecrets
from diskwars_engine.match_log import BrokenChain, LogError, MatchLog, Proposal, ruleset_of
from diskwars_engine.record_codec import RecordCodec, RecordMeta, Salts, SealedRecord
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Ready, TakeSeat
from diskwars_protocol.match.events import SeatReady
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId
from diskwars_protocol.match.match_fold import RefoldRequired
from diskwars_protocol.match.state import AnyMatch, RecordBody
from diskwars_protocol.records import records as r
from diskwars_protocol.records import sealed as sealed_module
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.sealed import RedactionError, Sealed, count_sealed, unseal
from tests.engine.played_match import begin_random_match, mixed_action
from tests.protocol.takebacks import reopened
from tests.rows import each_row
from tests.server.counting_ruleset import (
    ChooseNumber,
    CountingLoadout,
    CountingRules,
    CountingSettings,
    HintGiven,
    NumberChosen,
)

RULES: AnyRules = MatchRules(CountingRules())
MATCH = MatchId("m")
SECRETS = MatchSecrets(b"f" * 32, b"d" * 32)
PLAYERS = (PlayerId("ann"), PlayerId("bob"))
VIEWERS = (0, 1, PUBLIC)


def salts(label: str = "salts") -> Salts:
    stream = seeded_entropy(1, label)
    return lambda: stream(16)


def opened() -> tuple[MatchLog, SealedRecord]:
    opening = MatchOpening(MATCH, CountingSettings(), 2, PLAYERS[0], 1000)
    return MatchLog.open(RULES, opening, SECRETS, RecordMeta(PLAYERS[0], "open"), salts())


def proposed(log: MatchLog, seat: int, action: Any, salts: Salts) -> Proposal:
    decision = next((d.id for d in log.state.decisions if d.seat == seat), None)
    return log.decide(Command(PLAYERS[seat], decision, action, 2000), f"c{log.head}", SECRETS, salts)


def answered(log: MatchLog, seat: int, action: Any) -> Proposal:
    """The record of a seat's answer to its open decision, committed."""
    proposal = proposed(log, seat, action, salts())
    log.commit(proposal)
    return proposal


def begun() -> tuple[MatchLog, list[SealedRecord]]:
    log, first = opened()
    found = [first]
    for seat in (0, 1):
        found.append(answered(log, seat, TakeSeat("00" * 16, CountingLoadout(f"player {seat}", 3 + seat))).record)
    for seat in (0, 1):
        found.append(answered(log, seat, Ready()).record)
    return log, found


def whole() -> tuple[MatchLog, list[SealedRecord]]:
    log, found = begun()
    for number in (2, 5):
        for seat in (0, 1):
            found.append(answered(log, seat, ChooseNumber(number - seat)).record)
    return log, found


def stored(found: list[SealedRecord]) -> list[r.Record]:
    return [sealed.record for sealed in found]


# ---------------------------------------------------------------- sealing


def test_records_are_numbered_and_chained_from_the_header() -> None:
    log, found = whole()
    hash = r.genesis_hash(b'{"type":"diskwars-match","format":1,"match":"m","ruleset":"counting"}')
    for seq, record in enumerate(stored(found), 1):
        hash = r.next_hash(hash, r.leaf_hash(record.salt, record.body))
        assert (record.seq, record.hash) == (seq, hash)
    assert (log.head, log.hash) == (len(found), hash)


def test_a_record_says_whose_command_made_it_and_when() -> None:
    _, found = begun()
    record = found[2].record
    assert (record.actor, record.command_id, record.rules_version, record.at_ms) == ("bob", "c2", 1, 2000)


def test_values_hidden_from_any_viewer_are_sealed_in_the_stored_body() -> None:
    log, found = whole()
    for sealed in found:
        body = log.codec.body(sealed.record)
        assert unseal(sealed.record.body, sealed.openings) == encode_canonical(body)
        is_secret = any(RULES.redact_body(body, viewer) != body for viewer in VIEWERS)
        assert bool(count_sealed(sealed.record.body)) == is_secret == (sealed.record.secret is not None)
    chosen = found[5].record.body
    assert b'"number":{"#":' in chosen
    assert b'"number":2' not in chosen


def test_everybody_gets_exactly_what_the_redaction_leaves_them() -> None:
    log, found = whole()
    for sealed in found:
        body = log.codec.body(sealed.record)
        for viewer in VIEWERS:
            shown = sealed.shown_to(viewer)
            assert r.wire_leaf_hash(shown) == r.leaf_hash(sealed.record.salt, sealed.record.body)
            assert body_without_commitments(r.unsealed_body(shown)) == encode_canonical(RULES.redact_body(body, viewer))
        assert r.unsealed_body(sealed.shown_to(ALL)) == encode_canonical(body)


def body_without_commitments(body: bytes) -> bytes:
    """The body with every digest that is left replaced by none, as a redaction has it."""

    def masked(value: Any) -> Any:
        if isinstance(value, dict):
            return {"#": ""} if set(value) == {"#"} else {name: masked(item) for name, item in value.items()}
        return [masked(item) for item in value] if isinstance(value, list) else value

    return encode_canonical(masked(msgspec.json.decode(body)))


def test_an_event_hidden_as_a_whole_is_a_sealed_element_in_its_place() -> None:
    log, found = whole()
    seen = log.codec.rules.vocabulary.decode_body(r.unsealed_body(found[5].shown_to(1)))
    kinds = [type(event) for event in log.codec.body(found[5].record).events]
    assert [type(event) for event in seen.events] == [Sealed if kind is HintGiven else kind for kind in kinds]
    assert HintGiven in kinds


def test_openings_name_the_seats_that_see_them_only_when_everything_is_revealed() -> None:
    _, found = whole()
    for sealed in found:
        assert all(opening.seats for opening in sealed.shown_to(ALL).openings)
        for viewer in VIEWERS:
            assert not any(opening.seats for opening in sealed.shown_to(viewer).openings)
    assert {opening.seats for opening in found[5].openings} == {(0,)}


def test_a_stored_record_is_shown_as_it_was_when_it_was_new() -> None:
    _, found = whole()
    for sealed in found:
        again = SealedRecord.of(sealed.record)
        for viewer in (*VIEWERS, ALL):
            assert again.shown_to(viewer) == sealed.shown_to(viewer)


def test_a_viewer_whom_the_match_does_not_have_is_shown_nothing_that_is_secret() -> None:
    _, found = whole()
    assert found[5].openings
    assert found[5].shown_to(2).openings == ()


def test_every_record_and_every_secret_has_a_salt_of_its_own() -> None:
    drawn: list[bytes] = []
    stream = seeded_entropy(1, "salts")

    def counted() -> bytes:
        drawn.append(stream(16))
        return drawn[-1]

    log, _ = begun()
    sealed = proposed(log, 0, ChooseNumber(1), counted).record
    used = [sealed.record.salt, *(bytes.fromhex(opening.salt) for opening in sealed.openings)]
    assert sorted(used) == sorted(drawn)
    assert len(set(drawn)) == len(drawn) > 1


def test_an_event_that_comes_sealed_is_refused() -> None:
    log, _ = begun()
    body: RecordBody[Any, Any, Any] = RecordBody(at_ms=0, events=(NumberChosen(0, Sealed("00" * 32), ""),))
    with pytest.raises(RedactionError, match="it already holds a sealed value"):
        log.codec.seal(body, log.head + 1, log.hash, RecordMeta(PLAYERS[0], "c"), salts())


def test_whole_fields_are_sealed_like_any_place_in_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record of Diskwars is sealed to the same bytes and openings when its documents are compared instead."""
    playing = begin_random_match(3)
    playing.play(mixed_action, records=60)
    codec = RecordCodec(playing.rules, MATCH, 2)

    def seal_all() -> list[SealedRecord]:
        meta, stream = RecordMeta(PLAYERS[0], "c"), salts()
        return [codec.seal(body, seq, bytes(32), meta, stream) for seq, body in enumerate(playing.bodies, 1)]

    by_fields = seal_all()
    assert sum(len(sealed.openings) for sealed in by_fields) > 50
    monkeypatch.setattr(sealed_module, "_seats_that_see", lambda *_: None)
    assert seal_all() == by_fields


def test_two_matches_do_not_share_a_chain() -> None:
    one, other = RecordCodec(RULES, MATCH, 2), RecordCodec(RULES, MatchId("n"), 2)
    assert one.genesis != other.genesis


# ---------------------------------------------------------------- the log


def test_a_log_read_from_its_records_is_the_one_that_wrote_them() -> None:
    log, found = whole()
    again = MatchLog.load(RULES, MATCH, stored(found))
    assert again.state == log.state
    assert (again.head, again.hash, again.opener) == (log.head, log.hash, log.opener) == (9, log.hash, "ann")
    assert again.opened_at_ms == log.opened_at_ms == 1000
    for record in stored(found):
        receipt = again.receipts.find(record.actor, record.command_id)
        assert receipt is not None
        assert receipt == log.receipts.find(record.actor, record.command_id)
        assert receipt.seq == record.seq


def test_packed_log_goes_on_as_if_it_had_never_been_packed() -> None:
    whole_log, found = whole()
    log, first = begun()
    for record in stored(found)[log.head :]:
        log.pack()
        assert log.is_packed
        log.commit(log.read(record))
        assert not log.is_packed
    assert log.unpacked_count == len(found) - len(first)
    assert (log.state, log.head, log.hash) == (whole_log.state, whole_log.head, whole_log.hash)


def test_packed_log_stays_packed_until_its_state_is_used() -> None:
    log, _ = begun()
    state = log.state
    log.pack()
    log.pack()
    assert (log.is_packed, log.unpacked_count) == (True, 0)
    assert log.receipts.find(PLAYERS[1], "nothing") is None
    assert log.is_packed
    assert log.state == state
    assert log.state is log.state
    assert (log.is_packed, log.unpacked_count) == (False, 1)


def test_a_log_knows_whose_command_an_id_is() -> None:
    log, found = begun()
    command = found[2].record.command_id
    assert (PLAYERS[1], command) in log.receipts
    assert (PLAYERS[0], command) not in log.receipts


def test_a_log_reads_on_where_it_stands() -> None:
    log, found = whole()
    behind, first = begun()
    assert stored(found)[: behind.head] == stored(first)
    for record in stored(found)[behind.head :]:
        behind.commit(behind.read(record))
    assert (behind.state, behind.head, behind.hash) == (log.state, log.head, log.hash)


def test_deciding_changes_nothing_until_the_proposal_is_committed() -> None:
    log, _ = begun()
    before = (log.state, log.head, log.hash)
    proposal = proposed(log, 0, ChooseNumber(1), salts())
    assert proposal.after != before[0]
    assert proposal.seq == log.head + 1
    with pytest.raises(Illegal):
        proposed(log, 0, ChooseNumber(0), salts())
    assert (log.state, log.head, log.hash) == before
    log.commit(proposal)
    assert (log.state, log.head, log.hash) == (proposal.after, proposal.seq, proposal.record.record.hash)


def test_the_state_of_a_proposal_is_the_fold_of_its_record() -> None:
    log, _ = begun()
    proposal = proposed(log, 0, ChooseNumber(1), salts())
    assert log.read(proposal.record.record).after == proposal.after


def test_a_takeback_cannot_be_folded_onto_a_state_but_from_the_start() -> None:
    log, found = begun()
    state: AnyMatch = log.state
    more = answered(log, 0, ChooseNumber(4)).record
    body: RecordBody[Any, Any, Any] = RecordBody(
        at_ms=2000, decisions=reopened(state.decisions, log.head + 1), taken_back_to=more.seq - 1
    )
    back = log.codec.seal(body, log.head + 1, log.hash, RecordMeta(PLAYERS[0], "back"), salts())
    with pytest.raises(RefoldRequired):
        log.read(back.record)
    again = MatchLog.load(RULES, MATCH, stored([*found, more, back]))
    assert (again.state.board, again.state.decisions) == (state.board, body.decisions)
    assert again.head == back.seq


@each_row("damage", ["body", "hash", "missing", "swapped"])
def test_a_damaged_log_is_refused_at_its_first_wrong_record(damage: str) -> None:
    _, found = whole()
    records = stored(found)
    if damage == "body":
        records[6] = replace(records[6], body=records[6].body.replace(b'"seat":', b'"seat": '))
    elif damage == "hash":
        records[6] = replace(records[6], hash=bytes(32))
    elif damage == "missing":
        del records[6]
    else:
        records[6], records[7] = records[7], records[6]
    with pytest.raises(BrokenChain) as fault:
        MatchLog.load(RULES, MATCH, records)
    assert fault.value.seq == 7


def test_a_log_that_does_not_open_a_match_is_refused() -> None:
    _, found = begun()
    assert ruleset_of(found[0].record) == "counting"
    with pytest.raises(LogError, match="record 3 does not open a match"):
        ruleset_of(found[2].record)
    body: RecordBody[Any, Any, Any] = RecordBody(at_ms=0, events=(SeatReady(0),))
    with pytest.raises(LogError, match="begins with match_opened"):
        MatchLog.begin(RULES, body, RecordMeta(PLAYERS[0], "c"), salts())


# ---------------------------------------------------------------- dice


def test_deciding_changes_neither_the_log_nor_its_secrets() -> None:
    log, _ = begun()
    before = dict(vars(SECRETS)), log.dice, log.state
    proposal = proposed(log, 0, ChooseNumber(2), salts())
    assert (dict(vars(SECRETS)), log.dice, log.state) == before
    log.commit(proposal)
    assert log.dice == proposal.dice


def test_dice_are_known_up_to_the_last_step_that_was_committed() -> None:
    log, found = whole()
    assert log.dice.seat_nonces == log.state.seat_nonces
    assert log.dice.cursor.step == log.state.step > 1
    restored = MatchLog.load(RULES, MATCH, stored(found))
    assert restored.dice == NO_KNOWN_DICE


def test_same_dice_are_rolled_with_and_without_known_steps() -> None:
    log, _ = begun()
    earlier = log.dice
    answered(log, 0, ChooseNumber(2))
    command = Command(PLAYERS[1], log.state.decisions[0].id, ChooseNumber(5), 2000)
    of_another_match = KnownDice((("ff" * 16, "ff" * 16),), replace(log.dice.cursor, key=b"x" * 32))
    bodies = [
        RULES.decide(log.state, log.head, command, SECRETS, known).body
        for known in (log.dice, earlier, NO_KNOWN_DICE, of_another_match)
    ]
    assert bodies[0].draw_index is not None
    assert bodies == [bodies[0]] * 4
