"""Events become records, and each viewer receives what it may know."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_engine.match import Command, MatchOpening, MatchRules, MatchSecrets
from diskwars_engine.match_log import (
    AnyMatch,
    Append,
    BrokenChain,
    LogError,
    MatchLog,
    RecordCodec,
    RecordMeta,
    Salts,
    group_appends,
    ruleset_of,
)
from diskwars_engine.ruleset import Illegal
from diskwars_protocol import records as r
from diskwars_protocol.canonical import encode_canonical
from diskwars_protocol.fairness import seeded_entropy
from diskwars_protocol.match import (
    ALL,
    PUBLIC,
    DecisionId,
    MatchId,
    PlayerId,
    Ready,
    RefoldRequired,
    TakenBack,
    TakeSeat,
)
from diskwars_protocol.sealed import RedactionError, Sealed, count_sealed, unseal
from tests.server.counting_ruleset import (
    ChooseNumber,
    CountingLoadout,
    CountingRules,
    CountingSettings,
    HintGiven,
    NumberChosen,
)

RULES = MatchRules(CountingRules())
MATCH = MatchId("m")
SECRETS = MatchSecrets(b"f" * 32, b"d" * 32)
PLAYERS = (PlayerId("ann"), PlayerId("bob"))
VIEWERS = (0, 1, PUBLIC)


def salts(label: str = "salts") -> Salts:
    stream = seeded_entropy(1, label)
    return lambda: stream(16)


def open_match() -> tuple[MatchLog, Append]:
    events = RULES.open(MatchOpening(MATCH, CountingSettings(), 2, PLAYERS[0], 1000), SECRETS)
    return MatchLog.open(RULES, events, RecordMeta(PLAYERS[0], "open", "1", 1000), salts())


def answer_seat(book: MatchLog, seat: int, action: Any) -> Append:
    """Return the append of a seat's answer to its open decision, turned."""
    decision = next((d.id for d in book.state.decisions if d.seat == seat), DecisionId(""))
    page = book.decide(Command(PLAYERS[seat], decision, action, 2000), f"c{book.head}", SECRETS, "1", salts())
    book.commit(page, book.fold(page))
    return page


def begin_match() -> tuple[MatchLog, list[Append]]:
    book, first = open_match()
    found = [first]
    for seat in (0, 1):
        found.append(answer_seat(book, seat, TakeSeat("00" * 16, CountingLoadout(f"player {seat}", 3 + seat))))
    for seat in (0, 1):
        found.append(answer_seat(book, seat, Ready()))
    return book, found


def play_whole_match() -> tuple[MatchLog, list[Append]]:
    book, found = begin_match()
    for number in (2, 5):
        for seat in (0, 1):
            found.append(answer_seat(book, seat, ChooseNumber(number - seat)))
    return book, found


def stored_records(found: list[Append]) -> list[r.Record]:
    return [line.record for page in found for line in page]


def test_records_are_numbered_and_chained_from_the_header() -> None:
    book, found = play_whole_match()
    records = stored_records(found)
    hash = r.genesis_hash(b'{"type":"diskwars-match","format":1,"match":"m","ruleset":"counting"}')
    for seq, record in enumerate(records, 1):
        hash = r.next_hash(hash, r.leaf_hash(record.salt, record.body))
        assert (record.seq, record.hash) == (seq, hash)
    assert (book.head, book.hash) == (len(records), hash)
    assert [record.part for record in records] == [part for page in found for part in range(len(page))]


def test_a_record_says_whose_command_made_it_and_when() -> None:
    _, found = begin_match()
    record = found[2][0].record
    assert (record.kind, record.actor, record.command_id, record.rules, record.at) == ("acted", "bob", "c5", "1", 2000)


def test_what_is_hidden_from_anybody_is_sealed_in_the_stored_body() -> None:
    _, found = play_whole_match()
    for page in found:
        for line in page:
            full = encode_canonical(line.event)
            assert unseal(line.record.body, line.openings) == full
            is_secret = any(RULES.redact(line.event, viewer) not in (None, line.event) for viewer in VIEWERS)
            assert bool(count_sealed(line.record.body)) == is_secret == (line.record.secret is not None)
    chosen = next(line for line in found[5] if isinstance(line.event, NumberChosen))
    assert b'"number":2' in encode_canonical(chosen.event)
    assert b'"number":{"#":' in chosen.record.body


def test_every_viewer_gets_exactly_what_the_redaction_leaves() -> None:
    _, found = play_whole_match()
    for page in found:
        for line in page:
            for viewer in VIEWERS:
                shown, redacted = line.as_seen_by(viewer), RULES.redact(line.event, viewer)
                assert r.is_shell(shown) == (redacted is None)
                assert r.wire_leaf_hash(shown) == r.leaf_hash(line.record.salt, line.record.body)
                if redacted is not None:
                    masked = body_without_commitments(r.unsealed_body(shown))
                    assert masked == encode_canonical(redacted)
            assert r.unsealed_body(line.as_seen_by(ALL)) == encode_canonical(line.event)


def body_without_commitments(body: bytes | None) -> bytes:
    """Return the body with every digest that is left replaced by none, as a redaction has it."""

    def masked(value: Any) -> Any:
        if isinstance(value, dict):
            return {"#": ""} if set(value) == {"#"} else {name: masked(item) for name, item in value.items()}
        return [masked(item) for item in value] if isinstance(value, list) else value

    return encode_canonical(masked(msgspec.json.decode(body or b"null")))


def test_a_stored_record_is_shown_as_it_was_when_it_was_new() -> None:
    book, found = play_whole_match()
    for page in found:
        for line in page:
            again = book.codec.open_record(line.record)
            assert again == line
            assert book.codec.open_events([line.record]) == [line.event]
            for viewer in (*VIEWERS, ALL):
                assert book.codec.as_seen_by(line.record, viewer) == line.as_seen_by(viewer)


def test_a_viewer_whom_the_match_does_not_have_is_shown_nothing_that_is_secret() -> None:
    _, found = play_whole_match()
    secret = next(line for page in found for line in page if isinstance(line.event, HintGiven))
    with pytest.raises(KeyError):
        secret.as_seen_by(2)


def test_every_record_and_every_secret_has_a_salt_of_its_own() -> None:
    drawn: list[bytes] = []
    stream = seeded_entropy(1, "salts")

    def counted() -> bytes:
        drawn.append(stream(16))
        return drawn[-1]

    book, _ = begin_match()
    page = book.decide(Command(PLAYERS[0], book.state.decisions[0].id, ChooseNumber(1), 5), "c", SECRETS, "1", counted)
    used = [line.record.salt for line in page]
    used += [bytes.fromhex(opening.salt) for line in page for opening in line.openings]
    assert sorted(used) == sorted(drawn)
    assert len(set(drawn)) == len(drawn) > len(page)


def test_an_event_that_comes_sealed_is_refused() -> None:
    book, _ = begin_match()
    event = NumberChosen(0, Sealed("00" * 32), "")
    with pytest.raises(RedactionError, match="chosen: the event already holds a sealed field"):
        book.codec.seal([event], book.head, book.hash, RecordMeta(PLAYERS[0], "c", "1", 0), salts())


def test_lines_are_grouped_by_append_also_from_the_middle() -> None:
    _, found = play_whole_match()
    lines = [line for page in found for line in page]
    assert group_appends(lines) == found
    assert group_appends(lines[1:]) == [found[0][1:], *found[1:]]
    assert group_appends([]) == []


def test_a_book_read_from_the_log_is_the_one_that_wrote_it() -> None:
    book, found = play_whole_match()
    again = MatchLog.load(RULES, MATCH, stored_records(found))
    assert again.state == book.state
    assert (
        (again.head, again.hash, again.opened_at)
        == (book.head, book.hash, book.opened_at)
        == (book.head, book.hash, 1000)
    )
    for page in found:
        record = page[0].record
        made = again.receipt(PlayerId(record.actor), record.command_id)
        assert made == book.receipt(PlayerId(record.actor), record.command_id)
        assert made is not None
        assert (made.first, made.last) == (page[0].record.seq, page[-1].record.seq)


def test_a_book_knows_whose_command_an_id_is() -> None:
    book, found = begin_match()
    command = found[2][0].record.command_id
    assert book.receipt(PLAYERS[1], command) is not None
    assert book.receipt(PLAYERS[0], command) is None
    assert book.is_command_known(command)
    assert not book.is_command_known("never")


def test_a_book_reads_on_where_it_stands() -> None:
    book, found = play_whole_match()
    behind, _ = begin_match()
    assert stored_records(found)[: behind.head] == stored_records(begin_match()[1])
    rest = behind.read(stored_records(found)[behind.head :])
    assert rest == found[5:]
    for page in rest:
        behind.commit(page, behind.fold(page))
    assert (behind.state, behind.head, behind.hash) == (book.state, book.head, book.hash)


def test_deciding_and_folding_change_nothing() -> None:
    book, _ = begin_match()
    before = (book.state, book.head, book.hash)
    decision = book.state.decisions[0]
    page = book.decide(Command(PLAYERS[0], decision.id, ChooseNumber(1), 5), "c", SECRETS, "1", salts())
    assert book.fold(page) != before[0]
    with pytest.raises(Illegal):
        book.decide(Command(PLAYERS[0], decision.id, ChooseNumber(0), 5), "c", SECRETS, "1", salts())
    assert (book.state, book.head, book.hash) == before


def test_a_takeback_cannot_be_folded_onto_a_state_but_from_the_start() -> None:
    book, found = begin_match()
    state: AnyMatch = book.state
    more = answer_seat(book, 0, ChooseNumber(4))
    stamp = RecordMeta(PLAYERS[0], "back", "1", 0)
    back = book.codec.seal([TakenBack(more[0].record.seq - 1)], book.head, book.hash, stamp, salts())
    with pytest.raises(RefoldRequired):
        book.fold(back)
    again = MatchLog.load(RULES, MATCH, stored_records([*found, more, back]))
    assert again.state.board == state.board
    assert again.head == back[0].record.seq


@pytest.mark.parametrize("damage", ["body", "hash", "missing", "swapped"])
def test_a_damaged_log_is_refused_at_its_first_wrong_record(damage: str) -> None:
    _, found = play_whole_match()
    records = stored_records(found)
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
    _, found = begin_match()
    assert ruleset_of(stored_records(found)[0]) == "counting"
    with pytest.raises(LogError, match="record 3 does not open a match"):
        ruleset_of(stored_records(found)[2])
    with pytest.raises(LogError, match="begins with match_opened, not with hinted"):
        MatchLog.open(RULES, [HintGiven(0, "")], RecordMeta(PLAYERS[0], "c", "1", 0), salts())


def test_two_matches_do_not_share_a_chain() -> None:
    one, other = RecordCodec(RULES, MATCH, 2), RecordCodec(RULES, MatchId("n"), 2)
    assert one.genesis != other.genesis
