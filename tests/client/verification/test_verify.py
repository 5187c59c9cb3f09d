"""`verify` finds everything wrong in a match file and names the record."""

import random
from collections.abc import Sequence

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.replays import UnknownRuleset
from diskwars_client.rulesets.diskwars.file_checks import DiskwarsFileChecks
from diskwars_client.verification.verify import HeadNotFound, IncompatibleRules, RulesStretch, verify
from diskwars_content.rulesets.diskwars import core_pack
from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.events import MatchEnded, MatchOpened, SeatNonceOpened, SeatTaken, StepBegan
from diskwars_protocol.match.ids import PUBLIC, Actor
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.records import records as r
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.match_file import NewerFormat
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from diskwars_protocol.rulesets.diskwars.actions import MoveDisk
from diskwars_protocol.rulesets.diskwars.events import Event
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from tests.client.match_files import (
    abandoned_match_file,
    closed_match_file,
    find_event,
    full_setup_records,
    greedy_records,
    match_file,
    replace_event,
    resigned_match_file,
    seal_records,
    without_event,
    write_match_file,
)
from tests.protocol.takebacks import reopened


def verification_error(raw: bytes, head: str = "") -> BadRecord:
    with pytest.raises(BadRecord) as refused:
        verify(raw, head)
    return refused.value


def wrong_record(seq: int, **fields: object) -> str:
    """Return the verdict on a match in which one record was changed and the chain recomputed."""
    fault = verification_error(write_match_file(seal_records(replace_event(greedy_records(), seq, **fields))))
    assert fault.seq == seq, fault
    return fault.problem


# ---------------------------------------------------------------- what is right


def test_a_finished_match_is_verified_and_every_action_decided_again() -> None:
    verdict = verify(match_file())
    assert (verdict.unfinished_at, verdict.sealed_values, verdict.unproven_draws) == (None, 0, 0)
    assert verdict.is_redecided
    assert verdict.records == len(greedy_records())


@pytest.mark.parametrize("seed", range(2, 12))
def test_every_match_that_bots_play_is_verified(seed: int) -> None:
    assert verify(match_file(seed)).is_redecided


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_with_a_full_set_up_is_verified_with_its_hidden_draws(seats: int) -> None:
    verdict = verify(write_match_file(seal_records(full_setup_records(seats), seats=seats)))
    assert (verdict.sealed_values, verdict.is_redecided) == (0, True)


def test_another_objective_than_was_drawn_is_found() -> None:
    bodies = full_setup_records(3)
    seq, event = next(
        (seq, event)
        for seq, body in enumerate(bodies, 1)
        for event in body.events
        if isinstance(event, se.ObjectiveDealt)
    )
    other = "forced-march" if event.scenario != "forced-march" else "last-stand"
    events = tuple(replace(event, scenario=other) if each is event else each for each in bodies[seq - 1].events)
    changed = [*bodies[: seq - 1], replace(bodies[seq - 1], events=events), *bodies[seq:]]
    with pytest.raises(BadRecord, match="objective_dealt"):
        verify(write_match_file(seal_records(changed, seats=3)))


def test_a_full_set_up_that_never_began_is_verified() -> None:
    assert verify(resigned_match_file(full_setup_records(2)[:3])).is_redecided


def test_a_match_that_was_given_up_before_it_began_is_verified() -> None:
    verdict = verify(abandoned_match_file())
    assert verdict.is_redecided


@pytest.mark.parametrize("actor", ["opener", "house"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_match_that_was_closed_is_verified_and_keeps_its_loadouts_sealed(count: int, actor: Actor) -> None:
    verdict = verify(closed_match_file(greedy_records()[:count], actor))
    assert (verdict.unfinished_at, verdict.records) == (None, count + 1)
    assert (verdict.sealed_values > 0) == (count > 1)


def test_match_that_has_begun_cannot_be_closed() -> None:
    with pytest.raises(Illegal, match="the match has begun"):
        closed_match_file(greedy_records()[:9])


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("actor", ["opener", "house"])
@pytest.mark.parametrize(
    "change",
    [{"digest": "0" * 64}, {"seat": 0}, {"events": ()}, {"action": None}, {"actor": None}, {"actor": "operator"}],
)
def test_forged_closing_is_found(count: int, actor: Actor, change: dict[str, object]) -> None:
    assert verification_error(closed_match_file(greedy_records()[:count], actor, **change)).seq == count + 1


def test_closing_by_later_rules_names_their_version() -> None:
    bodies = by_other_rules(greedy_records()[:3])
    verdict = verify(closed_match_file(bodies))
    assert verdict.other_rules == (RulesStretch(1, 3, 99),)


@pytest.mark.parametrize("count", [1, 3, 5, 9, 20, 40])
def test_an_unfinished_match_is_verified_as_far_as_it_is_open(count: int) -> None:
    records = seal_records(greedy_records()[:count])
    verdict = verify(write_match_file(records, viewer=PUBLIC))
    assert verdict.unfinished_at == len(records) == verdict.records
    assert not verdict.is_redecided


def test_secrets_of_an_unfinished_match_are_counted() -> None:
    before = verify(write_match_file(seal_records(greedy_records()[:2]), viewer=PUBLIC)).sealed_values
    assert verify(write_match_file(seal_records(greedy_records()[:3]), viewer=PUBLIC)).sealed_values > before


def test_dice_whose_key_is_not_published_yet_are_counted() -> None:
    rolled, _ = find_event(e.InitiativeRolled)
    assert verify(write_match_file(seal_records(greedy_records()[:rolled]), viewer=PUBLIC)).unproven_draws == 1


def test_a_match_from_a_seed_is_called_repeatable() -> None:
    assert verify(match_file()).is_repeatable


# ---------------------------------------------------------------- a file that was touched


def line_number_of(raw: bytes, place: int) -> int:
    """Return the number of the record in whose line a byte is; 0 for the header."""
    return raw.count(b"\n", 0, place)


def verification_fault(raw: bytes) -> int | None:
    """Return the number of the record reported as wrong, 0 for the header; None if none is."""
    try:
        verify(raw)
    except NewerFormat:
        return 0
    except BadRecord as fault:
        return fault.seq
    return None


def assert_found(raw: bytes, place: int, byte: int) -> None:
    touched = bytearray(raw)
    touched[place] = byte
    line = line_number_of(raw, place)
    # the first hash follows from the header and record 1 together
    assert verification_fault(bytes(touched)) in ((0, 1) if line == 0 else (line,)), f"byte {place} changed to {byte}"


@pytest.mark.parametrize("line", range(7))
def test_every_byte_of_the_first_records_changed_is_found_in_its_record(line: int) -> None:
    """Line 0 is the header of the file."""
    raw = write_match_file(seal_records(greedy_records()[:6]), viewer=PUBLIC)
    places = [place for place in range(len(raw)) if line_number_of(raw, place) == line]
    assert places
    for place in places:
        assert_found(raw, place, raw[place] ^ 1)


def test_bytes_changed_anywhere_in_a_finished_match_are_found_in_their_record() -> None:
    raw, chance = match_file(), random.Random(1)
    for place in [*(chance.randrange(len(raw)) for _ in range(150)), len(raw) - 1, len(raw) - 2]:
        byte = chance.choice([other for other in (10, 34, 48, 49, 92, 97, 125, 255) if other != raw[place]])
        assert_found(raw, place, byte)


def test_a_file_with_its_end_cut_off_is_unfinished() -> None:
    raw, chance = match_file(), random.Random(2)
    for _ in range(40):
        place = chance.randrange(raw.index(b"\n") + 1, len(raw) - 1)
        assert verify(raw[:place]).unfinished_at == line_number_of(raw, place) - 1


def test_records_in_another_order_are_found() -> None:
    header, *lines = match_file().splitlines(keepends=True)
    lines[30], lines[31] = lines[31], lines[30]
    assert verification_error(b"".join([header, *lines])).seq == 31


def test_a_record_that_is_missing_is_found() -> None:
    header, *lines = match_file().splitlines(keepends=True)
    del lines[30]
    assert verification_error(b"".join([header, *lines])).seq == 31


def test_a_record_after_the_end_is_found() -> None:
    raw = match_file()
    last = raw.count(b"\n")
    assert verification_error(raw + raw.splitlines(keepends=True)[5]).seq == last


def test_a_later_format_is_refused_as_such() -> None:
    header, rest = match_file().split(b"\n", 1)
    with pytest.raises(NewerFormat):
        verify(header.replace(b'"format":1', b'"format":2') + b"\n" + rest)


def test_another_game_is_refused_as_such() -> None:
    with pytest.raises(UnknownRuleset):
        verify(encode_canonical(r.MatchHeader(format=r.FORMAT, match="m", ruleset="chess")) + b"\n")


# ---------------------------------------------------------------- a recomputed chain


def test_known_head_reveals_a_recomputed_chain() -> None:
    seen = verify(match_file()).head
    cut = greedy_records()[:4]
    other = write_match_file(seal_records(replace_event(cut, 4, at_ms=cut[3].at_ms + 1)), viewer=PUBLIC)
    assert verify(other).unfinished_at is not None  # by itself nothing is wrong with it
    with pytest.raises(HeadNotFound):
        verify(other, seen)


def test_a_head_seen_in_the_middle_is_found_in_the_whole() -> None:
    records = seal_records(greedy_records())
    assert verify(match_file(), records[29].hash.hex()).head_seq == 30
    assert verify(match_file(), records[-1].hash.hex()).head_seq == len(records)


def test_other_dice_are_found() -> None:
    seq, event = find_event(e.InitiativeRolled)
    assert isinstance(event, e.InitiativeRolled)
    swapped = replace(event.dice, results=tuple(7 - face for face in event.dice.results))
    assert "do not follow from the step's key" in wrong_record(seq, dice=swapped)


def test_dice_that_skip_a_place_are_found() -> None:
    seq, event = find_event(e.ShotFired)
    assert isinstance(event, e.ShotFired)
    assert "stand where" in wrong_record(seq, dice=replace(event.dice, index=event.dice.index + 1))


def test_another_card_than_was_locked_is_found() -> None:
    seq, event = find_event(e.CardsRevealed)
    assert isinstance(event, e.CardsRevealed)
    first, *others = event.cards
    assert "had not committed itself" in wrong_record(seq, cards=(replace(first, card="feint"), *others))


def test_another_commitment_than_was_made_is_found() -> None:
    seq, _ = find_event(e.CardLocked)
    assert "had not committed itself" in wrong_record(seq, commitment="0" * 64)


def test_a_reveal_without_a_lock_is_found() -> None:
    seq, event = find_event(e.CardsRevealed)
    assert isinstance(event, e.CardsRevealed)
    assert "not the seats" in wrong_record(seq, cards=event.cards[:1])


def test_another_link_of_a_seat_is_found() -> None:
    seq, event = find_event(StepBegan, skip=1)
    assert isinstance(event, StepBegan)
    assert "does not open its chain" in wrong_record(seq, seat_nonces=("ab" * 16, event.seat_nonces[1]))


def test_false_claim_that_a_seat_gave_nothing_is_found() -> None:
    seq, event = find_event(StepBegan, skip=1)
    assert isinstance(event, StepBegan)
    assert "gave a nonce" in wrong_record(seq, seat_nonces=("00" * 16, event.seat_nonces[1]), missing=(0,))


def test_step_without_the_nonces_of_the_seats_is_found() -> None:
    seq, _ = find_event(StepBegan, skip=1)
    assert "lacks the seats' nonces" in wrong_record(seq, seat_nonces=(), missing=())


@pytest.mark.parametrize("step", range(1, 7))
def test_another_link_of_the_server_is_found_where_it_was_published(step: int) -> None:
    seq, _ = find_event(StepBegan, skip=step)
    assert "server's link" in wrong_record(seq, server_link="ab" * 32)


def test_another_last_link_of_the_server_is_found() -> None:
    seq, _ = find_event(MatchEnded)
    assert "server's link" in wrong_record(seq, server_link="ab" * 32)


def test_a_link_that_opens_nothing_is_found() -> None:
    seq, _ = find_event(SeatNonceOpened)
    assert "does not open the chain" in wrong_record(seq, seat_nonce="ab" * 16)


def test_another_deal_secret_is_found() -> None:
    seq, _ = find_event(MatchEnded)
    assert "deal secret" in wrong_record(seq, deal_secret="ab" * 32)


def test_another_header_is_found() -> None:
    seq, _ = find_event(MatchOpened)
    assert "header" in wrong_record(seq, match="another")


# ---------------------------------------------------------------- deciding again


def test_more_damage_than_the_dice_gave_is_named_by_record_kind_and_field() -> None:
    seq, event = find_event(e.DamageDealt)
    assert isinstance(event, e.DamageDealt)
    assert wrong_record(seq, tokens=event.tokens + 1) == (
        f"damage_dealt: disk {event.disk} had 0 damage and takes {event.taken}, which is not {event.tokens + 1}"
    )


def test_a_disk_that_lands_elsewhere_is_named() -> None:
    seq, event = find_event(e.DiskFlipped)
    assert isinstance(event, e.DiskFlipped)
    assert f"$.x is {event.x}, not {event.x + 1}" in wrong_record(seq, x=event.x + 1)


def test_another_winner_is_found() -> None:
    result = greedy_records()[-1].result
    assert result is not None
    other = replace(result, winners=tuple(1 - seat for seat in result.winners))
    assert "$.result.winners[0]" in wrong_record(len(greedy_records()), result=other)


def test_an_action_that_the_rules_refuse_is_found() -> None:
    seq, action = next(
        (seq, body.action) for seq, body in enumerate(greedy_records(), 1) if isinstance(body.action, MoveDisk)
    )
    assert "the rules refuse this action, illegal_flip" in wrong_record(seq, action=replace(action, path=((1, 1),)))


def test_an_event_too_many_is_found() -> None:
    seq, event = find_event(e.DamageDealt)
    assert isinstance(event, e.DamageDealt)
    body = greedy_records()[seq - 1]
    doubled = tuple(copy for each in body.events for copy in ([each, each] if each is event else [each]))
    assert f"had {event.tokens} damage and takes {event.taken}" in wrong_record(seq, events=doubled)


def test_an_event_too_few_is_found() -> None:
    seq, event = find_event(e.ActivationEnded)
    fault = verification_error(write_match_file(seal_records(without_event(greedy_records(), event))))
    assert (fault.seq, "by the rules" in fault.problem) == (seq, True), fault


def test_a_wholly_other_figure_is_found() -> None:
    """The catalogue is made from the records, so what contradicts them does not stay unseen."""
    seq, event = find_event(e.MatchStarted)
    assert isinstance(event, e.MatchStarted)
    stronger = (replace(event.profiles[0], toughness=99), *event.profiles[1:])
    fault = verification_error(write_match_file(seal_records(replace_event(greedy_records(), seq, profiles=stronger))))
    assert fault.seq > seq


@pytest.mark.parametrize("kind", [SeatTaken, e.MatchStarted, e.OrderSet, e.DisksDeployed])
def test_missing_event_is_found_at_its_place(kind: type[Event]) -> None:
    seq, event = find_event(kind)
    fault = verification_error(write_match_file(seal_records(without_event(greedy_records(), event))))
    assert abs(fault.seq - seq) <= 1, fault


@pytest.mark.parametrize("field", ["decisions", "cursor"])
def test_changed_field_that_a_record_leaves_out_is_found(field: str) -> None:
    seq = next(seq for seq, body in enumerate(greedy_records(), 1) if seq > 8 and getattr(body, field) is not None)
    assert "by the rules" in wrong_record(seq, **{field: None})


def forged_records() -> tuple[int, list[DiskwarsBody]]:
    """Return the match with a takeback in it by which the server takes a disk off the table, and the takeback's seq."""
    bodies = list(greedy_records())
    at, _ = find_event(e.DisksDeployed)
    before, (_, removed) = DISKWARS.fold_log(bodies[:at]), find_event(e.DisksRemoved)
    assert isinstance(removed, e.DisksRemoved)
    forgery: DiskwarsBody = RecordBody(
        at_ms=before.at_ms,
        events=(replace(removed, disks=(0,), pins_gained=(), pins_lost=()),),
        decisions=reopened(before.decisions, at + 1),
        draw_index=before.draw_index,
        taken_back_to=at,
    )
    return at + 1, [*bodies[:at], forgery, *bodies[at:]]


def test_facts_made_up_behind_a_takeback_are_found() -> None:
    seq, forged = forged_records()
    assert verification_error(write_match_file(seal_records(forged))).seq == seq


def test_a_takeback_that_changes_nothing_is_wrong_in_an_unfinished_file_too() -> None:
    """No rule makes one yet."""
    bodies = list(greedy_records()[:5])
    before = DISKWARS.fold_log(bodies)
    decisions = reopened(before.decisions, 6)
    bodies.append(RecordBody(at_ms=before.at_ms, decisions=decisions, draw_index=before.draw_index, taken_back_to=5))
    fault = verification_error(write_match_file(seal_records(bodies), viewer=PUBLIC))
    assert (fault.seq, fault.problem) == (6, "no rule takes anything back")


def test_a_takeback_within_an_action_is_wrong() -> None:
    seq, _ = find_event(e.DamageDealt)
    decisions = reopened(greedy_records()[seq - 1].decisions or (), seq)
    assert wrong_record(seq, taken_back_to=5, decisions=decisions) == "no rule takes anything back"


def test_a_takeback_that_leaves_decisions_under_their_old_ids_is_wrong_by_any_rules() -> None:
    bodies = list(greedy_records()[:5])
    before = DISKWARS.fold_log(bodies)
    for decisions in (None, before.decisions):
        back: DiskwarsBody = RecordBody(
            at_ms=before.at_ms, decisions=decisions, draw_index=before.draw_index, taken_back_to=5
        )
        for forged in ([*bodies, back], by_other_rules([*bodies, back])):
            fault = verification_error(write_match_file(seal_records(forged), viewer=PUBLIC))
            assert (fault.seq, "under an id of its own" in fault.problem) == (6, True)


def rewrite_record(seq: int, old: bytes, new: bytes) -> bytes:
    """Return the file with one body changed and all hashes recomputed."""
    header, *lines = match_file().splitlines()
    previous, out = r.genesis_hash(header), [header]
    for number, line in enumerate(lines, 1):
        if number == seq:
            assert line.count(old) == 1
            line = line.replace(old, new)
        wire = msgspec.json.decode(line, type=r.WireRecord)
        previous = r.next_hash(previous, r.wire_leaf_hash(wire))
        out.append(msgspec.json.encode(replace(wire, hash=previous.hex())))
    return b"".join(line + b"\n" for line in out)


def test_default_that_is_written_out_is_another_spelling_of_a_record() -> None:
    seq, _ = find_event(e.RoundBegan)
    fault = verification_error(rewrite_record(seq, b'"body":{"at_ms":', b'"body":{"rules_version":null,"at_ms":'))
    assert (fault.seq, "spelled in another way" in fault.problem) == (seq, True), fault


def test_record_with_a_field_of_a_later_version_is_named_and_not_decided_again() -> None:
    seq, _ = find_event(e.RoundBegan)
    raw = rewrite_record(seq, b'{"type":"round_began",', b'{"type":"round_began","more":1,')
    number = next(n for n, event in enumerate(greedy_records()[seq - 1].events) if isinstance(event, e.RoundBegan))
    verdict = verify(raw)
    assert (verdict.is_redecided, verdict.other_rules) == (False, ())
    assert verdict.unknown_fields == ((seq, f"$.events[{number}].more"),)
    seq, event = find_event(e.InitiativeRolled)
    assert isinstance(event, e.InitiativeRolled)
    reason = msgspec.json.encode(event.reasons[0])
    raw = rewrite_record(seq, reason, reason[:-1] + b',"more":7}')
    assert [seq for seq, _ in verify(raw).unknown_fields] == [seq]


# ---------------------------------------------------------------- whose rules, whose figures


def by_other_rules(bodies: Sequence[DiskwarsBody]) -> list[DiskwarsBody]:
    return replace_event(bodies, 1, rules_version=99)


def test_other_rules_do_not_accuse_what_they_would_decide_otherwise() -> None:
    seq, event = find_event(e.DamageDealt)
    assert isinstance(event, e.DamageDealt)
    forged = replace_event(greedy_records(), seq, toughness=event.toughness + 1)
    with pytest.raises(BadRecord):
        verify(write_match_file(seal_records(forged)))
    verdict = verify(write_match_file(seal_records(by_other_rules(forged))))
    assert verdict.other_rules == (RulesStretch(1, len(forged), 99),)
    assert not verdict.is_redecided


def test_wrong_dice_are_wrong_under_any_rules() -> None:
    """Also behind a record that these rules decide otherwise."""
    first, damage = find_event(e.DamageDealt)
    assert isinstance(damage, e.DamageDealt)
    seq, shot = next(
        (seq, event)
        for seq, body in enumerate(greedy_records(), 1)
        for event in body.events
        if isinstance(event, e.ShotFired) and seq > first
    )
    assert isinstance(shot, e.ShotFired)
    faces = tuple(1 + face % shot.dice.size for face in shot.dice.results)
    bodies = replace_event(
        replace_event(greedy_records(), first, toughness=damage.toughness + 1),
        seq,
        dice=replace(shot.dice, results=faces),
    )
    with pytest.raises(BadRecord, match="do not follow from the step's key") as refused:
        verify(write_match_file(seal_records(by_other_rules(bodies))))
    assert refused.value.seq == seq


def test_record_that_only_other_rules_can_read_is_not_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    seq, _ = find_event(e.RoundBegan)
    raw = rewrite_record(seq, b'"type":"round_began"', b'"type":"dawn_broke"')
    assert verification_error(raw).seq == seq
    monkeypatch.setattr(DiskwarsFileChecks, "rules_version", 99)
    with pytest.raises(IncompatibleRules, match=f"record {seq}: .*decided by version 1 of the rules, these are"):
        verify(raw)
    with pytest.raises(IncompatibleRules, match="takes anything back"):
        verify(write_match_file(seal_records(forged_records()[1])))


LATER_FIELDS_OF_THE_OPENING = {
    "a clock of another kind": (b'"rated":false}', b'"rated":false,"clock":{"type":"hourglass","sand_grams":600}}'),
    "another visibility": (b'"visibility":"public"', b'"visibility":"password"'),
}


@pytest.mark.parametrize(("old", "new"), LATER_FIELDS_OF_THE_OPENING.values(), ids=LATER_FIELDS_OF_THE_OPENING)
def test_opening_that_only_other_rules_can_read_is_not_called_wrong(
    old: bytes, new: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = rewrite_record(1, old, new)
    assert verification_error(raw).seq == 1
    monkeypatch.setattr(DiskwarsFileChecks, "rules_version", 99)
    with pytest.raises(IncompatibleRules, match=r"record 1: .*decided by version 1 of the rules, these are version 99"):
        verify(raw)


def test_actor_that_only_other_rules_know_is_not_called_wrong() -> None:
    bodies = list(greedy_records())
    seq = next(seq for seq, body in enumerate(bodies, 1) if body.decision and seq > 9)
    bodies[seq - 1] = replace(bodies[seq - 1], actor="bot")
    fault = verification_error(write_match_file(seal_records(bodies)))
    assert (fault.seq, fault.problem) == (seq, "'bot' is no actor that is known here")
    with pytest.raises(
        IncompatibleRules, match=f"record {seq}: 'bot' is no actor that is known here; decided by version"
    ):
        verify(write_match_file(seal_records(by_other_rules(bodies))))


def test_house_answer_that_other_rules_allow_is_not_called_wrong() -> None:
    """Later rules may let the house act for other reasons than a time limit."""
    bodies = list(greedy_records())
    seq = next(seq for seq, body in enumerate(bodies, 1) if body.decision and seq > 9)
    bodies[seq - 1] = replace(bodies[seq - 1], actor="house")
    assert verification_error(write_match_file(seal_records(bodies))).seq == seq
    with pytest.raises(IncompatibleRules, match=f"record {seq}: the house has answered in a match without a clock"):
        verify(write_match_file(seal_records(by_other_rules(bodies))))


def stats_fault(**fields: object) -> str:
    seq, _ = find_event(e.MatchStarted)
    raw = write_match_file(seal_records(replace_event(greedy_records(), seq, **fields)[:6]), viewer=PUBLIC)
    assert verify(raw).has_unknown_figures, "by itself nothing is wrong with it"
    with pytest.raises(BadRecord) as refused:
        verify(raw, rulesets=[Diskwars(core_pack())])
    assert refused.value.seq == seq
    return refused.value.problem


def test_figures_are_held_against_the_pack_that_the_match_names() -> None:
    assert not verify(match_file(), rulesets=[Diskwars(core_pack())]).has_unknown_figures
    assert verify(match_file()).has_unknown_figures
    _, event = find_event(e.MatchStarted)
    assert isinstance(event, e.MatchStarted)
    profile, card = event.profiles[0], event.cards[0]
    stronger = (replace(profile, toughness=99), *event.profiles[1:])
    assert stats_fault(profiles=stronger) == (
        f"match_started: by the pack it names $.profiles[0].toughness is {profile.toughness}, not 99"
    )
    assert "$.cards[0].activations" in stats_fault(cards=(replace(card, activations=9), *event.cards[1:]))
    assert "$.field.medium" in stats_fault(field=replace(event.field, medium=1))
    assert "$.battle_die[0]" in stats_fault(battle_die=("chaos", *event.battle_die[1:]))
    assert stats_fault(disks=event.disks[:-1]).endswith("the disks of seat B are not those of chaos-patrol")


def test_an_army_or_a_hand_that_the_pack_does_not_have_is_found() -> None:
    started, _ = find_event(e.MatchStarted)
    seq, event = find_event(SeatTaken)
    assert isinstance(event, SeatTaken)
    hand = event.loadout.hand
    assert isinstance(hand, tuple)
    for entry, why in (
        (replace(event.loadout, army=""), "the disks of seat A are not those of its loadout"),
        (
            replace(event.loadout, army="", hand=hand[1:]),
            "the army of seat A is none by the pack: R2.6: ",
        ),
        (
            replace(event.loadout, hand=hand[1:]),
            'none by the pack: "Empire Patrol" is a starter army with other disks or cards',
        ),
    ):
        taken = replace_event(greedy_records(), seq, loadout=entry)
        with pytest.raises(BadRecord, match=why) as refused:
            verify(write_match_file(seal_records(by_other_rules(taken))), rulesets=[Diskwars(core_pack())])
        assert refused.value.seq == started


def test_figures_that_contradict_each_other_are_found() -> None:
    seq, _ = find_event(e.MatchStarted)
    raw = write_match_file(seal_records(replace_event(greedy_records(), seq, armies=())))
    with pytest.raises(BadRecord, match="match_started contradicts itself") as refused:
        verify(raw, rulesets=[Diskwars(core_pack())])
    assert refused.value.seq == seq


def test_figures_of_an_unknown_pack_are_called_the_files_own() -> None:
    packs = (replace(core_pack().pack, hash="0" * 64),)
    other = write_match_file(seal_records(replace_event(greedy_records(), 1, packs=packs)))
    verdict = verify(other, rulesets=[Diskwars(core_pack())])
    assert (verdict.has_unknown_figures, verdict.packs) == (True, packs)


# ---------------------------------------------------------------- what a stranger may write


@pytest.mark.parametrize("seats", [-1, 0, 5, 2**45])
def test_a_number_of_seats_that_nobody_can_lay_is_refused_when_it_is_read(seats: int) -> None:
    raw = rewrite_record(1, b'"seat_count":2', b'"seat_count":%d' % seats)
    assert "seat_count" in verification_error(raw).problem


def test_an_action_before_the_one_before_it_is_found() -> None:
    assert wrong_record(20, at_ms=-5) == "it was done at -5, before 0, the time of the record before it"


def test_a_match_that_is_opened_twice_is_found_in_an_unfinished_file_too() -> None:
    bodies = [*greedy_records()[:4], greedy_records()[0]]
    fault = verification_error(write_match_file(seal_records(bodies), viewer=PUBLIC))
    assert (fault.seq, fault.problem) == (
        5,
        "a match begins with match_opened, and only there",
    )


@pytest.mark.parametrize("kept", [0, 1, 20, 40, 60])
def test_a_file_that_is_cut_in_its_first_line_is_unfinished_at_nothing(kept: int) -> None:
    verdict = verify(match_file()[:kept])
    assert (verdict.unfinished_at, verdict.records, verdict.is_redecided) == (0, 0, False)
    with pytest.raises(HeadNotFound):
        verify(match_file()[:kept], "ab" * 32)


def test_a_text_without_a_line_that_is_no_match_is_not_called_unfinished() -> None:
    assert verification_error(b"hello").seq == 0


def test_a_changed_list_of_seats_that_could_see_a_secret_is_found() -> None:
    raw = match_file()
    changed = raw.replace(b'"seats":[1]', b'"seats":[0]', 1)
    assert changed != raw
    fault = verification_error(changed)
    assert "could be seen by seats (1,)" in fault.problem
