"""A replay gives the state after any record, marks to jump to, and the viewpoints of seats and of the public."""

import random
from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import pytest

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_client.replays import UnknownRuleset, replay_file
from diskwars_content.rulesets.registry import PACK_SETS
from diskwars_engine.match import AnyRules, MatchRules
from diskwars_protocol.match import vocabulary as vocabulary_module
from diskwars_protocol.match.actions import ReadyQuestion
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import ALL, PUBLIC, DecisionId, Seat
from diskwars_protocol.match.match_fold import fold_many
from diskwars_protocol.match.moments import BadMoment, Moment, parse_moment, viewer_of, viewpoint_of
from diskwars_protocol.match.replay import MAX_RECENT_STATES, MAX_SNAPSHOTS, MIN_SNAPSHOT_DISTANCE, Replay, ReplayError
from diskwars_protocol.match.state import AnyBody, AnyMatch, RecordBody
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.rulesets.registry import RULESETS
from tests.client.match_files import match_file
from tests.golden.write_files import FOLDER, SUFFIX
from tests.rows import each_row

NAMES = sorted(
    path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}") if not path.name.startswith("counting")
)
TAKEN_BACK = [name for name in NAMES if name.endswith("-agreements")]


@cache
def raw_file(name: str) -> bytes:
    return (FOLDER / f"{name}{SUFFIX}").read_bytes()


@cache
def replay_of(name: str) -> Replay:
    return replay_file(raw_file(name))


@each_row("name", NAMES)
def test_state_after_any_record_is_what_the_log_folds_to(name: str) -> None:
    replay, vocabulary = replay_of(name), RULESETS[read_file(raw_file(name)).header.ruleset]
    bodies = [replay.body(seq) for seq in range(1, replay.last + 1)]
    targets = random.Random(name).sample(range(1, replay.last + 1), min(30, replay.last))
    takebacks = [seq for seq, body in enumerate(bodies, 1) if body.taken_back_to is not None]
    for seq in [*targets, *takebacks, *(seq - 1 for seq in takebacks), replay.last]:
        assert replay.state(seq) == vocabulary.fold_log(bodies[:seq])


def test_some_replayed_files_hold_takebacks() -> None:
    assert [
        name
        for name in TAKEN_BACK
        if any(replay_of(name).body(seq).taken_back_to for seq in range(1, replay_of(name).last + 1))
    ] == TAKEN_BACK
    assert len(TAKEN_BACK) == 4


@each_row("name", [name for name in NAMES if name.startswith(("diskwars", "regiments-secret"))])
def test_viewpoint_shows_what_its_viewer_was_sent(name: str) -> None:
    """The openings of a finished match say who could see what, so no rules are needed to hide it again."""
    replay = replay_of(name)
    opened = replay.body(1).events[0]
    assert isinstance(opened, MatchOpened)
    if replay.state(replay.last).board is None:
        return
    sets = [load_ruleset(opened.ruleset, packs) for packs in PACK_SETS.get(opened.ruleset, ((),))]
    rules: AnyRules = MatchRules(sets[-1])
    for viewer in (*range(opened.seat_count), PUBLIC):
        seen = replay.seen_by(viewer)
        for seq in range(1, replay.last + 1):
            expected = rules.redact_body(replay.body(seq), viewer)
            assert _without_digests(seen.body(seq)) == _without_digests(expected)


def _without_digests(body: object) -> object:
    """A received body has digests where a redacted one has empty placeholders."""

    def blank(value: object) -> object:
        if isinstance(value, dict):
            return "hidden" if set(value) == {"#"} else {key: blank(each) for key, each in value.items()}
        return [blank(each) for each in value] if isinstance(value, (list, tuple)) else value

    return blank(msgspec.to_builtins(body))


def test_public_viewpoint_hides_a_locked_card_that_its_seat_sees() -> None:
    replay = replay_file(match_file())
    locked = next(
        seq
        for seq in range(1, replay.last)
        if "CardLocked" in {type(each).__name__ for each in replay.body(seq).events}
    )
    seat = replay.body(locked).seat
    assert seat is not None

    def shown(viewer: int) -> bool:
        return '"#"' not in msgspec.json.encode(replay.seen_by(viewer).body(locked)).decode()

    assert (shown(ALL), shown(seat), shown(PUBLIC), shown(1 - seat)) == (True, True, False, False)


def test_viewpoints_of_others_need_the_end_of_the_match_with_everything_opened() -> None:
    lines = match_file().splitlines(keepends=True)
    running = b"".join(lines[:40])
    assert replay_file(running, PUBLIC).viewer == PUBLIC
    with pytest.raises(ReplayError, match="the viewpoint a can be seen once the match has ended"):
        replay_file(running, 0)
    file = read_file(match_file())
    sealed = [msgspec.structs.replace(record, openings=()) for record in file.records]
    with pytest.raises(ReplayError, match="the viewpoint b can be seen once"):
        Replay(RULESETS["diskwars"], sealed, viewer=1)
    for viewer in (ALL, 1):
        with pytest.raises(ReplayError, match="can be seen once"):
            Replay(RULESETS["diskwars"], file.records, received_as=0, viewer=viewer)
    assert Replay(RULESETS["diskwars"], file.records, received_as=0).viewer == 0
    with pytest.raises(ReplayError, match="the match has no seat d"):
        replay_file(match_file(), 3)


def test_marks_name_the_records_in_which_rounds_activations_and_melees_begin() -> None:
    for name in ("diskwars-points", "pit-counted", "close-quarters-counted", "regiments-counted"):
        replay = replay_of(name)
        for kind in ("round", "activation", "melee"):
            marks = [mark for mark in replay.marks if mark.kind == kind]
            assert [mark.number for mark in marks] == list(range(1, len(marks) + 1))
            assert [replay.seq_of(mark.kind, mark.number) for mark in marks] == [mark.seq for mark in marks]
            assert marks, (name, kind)
    rounds = [mark for mark in replay_of("diskwars-points").marks if mark.kind == "round"]
    for mark in rounds:
        board = replay_of("diskwars-points").state(mark.seq).board
        assert board is not None
        assert board.round == mark.number


def test_jump_to_a_mark_that_is_not_there_says_how_many_there_are() -> None:
    replay = replay_file(match_file())
    with pytest.raises(ReplayError, match=r"there is no round 99: the match has [0-9]+ rounds"):
        replay.seq_of("round", 99)
    with pytest.raises(ReplayError, match="there is no melee 0"):
        replay.seq_of("melee", 0)


def test_match_of_one_round_has_no_second_one() -> None:
    name = next(name for name in NAMES if sum(mark.kind == "round" for mark in replay_of(name).marks) == 1)
    with pytest.raises(ReplayError, match=r"there is no round 2: the match has 1 round$"):
        replay_of(name).seq_of("round", 2)


def test_marks_that_were_taken_back_are_left_out_of_jumps() -> None:
    undone = [(name, mark) for name in TAKEN_BACK for mark in replay_of(name).marks if mark.taken_back]
    assert undone
    for name, mark in undone:
        numbered = [each for each in replay_of(name).marks if each.kind == mark.kind and not each.taken_back]
        assert [each.number for each in numbered] == list(range(1, len(numbered) + 1))
        assert mark.seq not in [each.seq for each in numbered]


def test_steps_stop_at_both_ends() -> None:
    replay = replay_file(match_file())
    rounds = [mark.seq for mark in replay.marks if mark.kind == "round"]
    assert replay.beside(1, None, "previous") == 1
    assert (replay.beside(1, None, "next"), replay.beside(replay.last, None, "next")) == (2, replay.last)
    assert replay.beside(rounds[0], "round", "next") == rounds[1]
    assert replay.beside(rounds[1], "round", "previous") == rounds[0]
    assert replay.beside(rounds[-1], "round", "next") == replay.last
    assert replay.beside(1, "round", "previous") == 1


@each_row("seq", [-1, 0, 100_000])
def test_records_that_are_not_there_are_refused(seq: int) -> None:
    replay = replay_file(match_file())
    for ask in (replay.state, replay.body, replay.moment):
        with pytest.raises(ReplayError, match=f"match seed-1 has records 1 to {replay.last}"):
            ask(seq)


def test_kept_states_are_bounded() -> None:
    replay = replay_of("diskwars-four")
    for seq in range(1, replay.last + 1):
        replay.state(seq)
    assert len(replay._recent) <= MAX_RECENT_STATES
    assert len(replay._snapshots) <= MAX_SNAPSHOTS


def test_unknown_ruleset_cannot_be_replayed() -> None:
    with pytest.raises(UnknownRuleset, match="the ruleset counting is not installed"):
        replay_file((FOLDER / f"counting{SUFFIX}").read_bytes())


# ---------------------------------------------------------------- moments


@each_row("text", ["m-1/12", "m-1/12?as=all", "m-1/1?as=public", "m-1/9007199254740991?as=d"])
def test_moment_is_read_as_it_was_written(text: str) -> None:
    assert str(parse_moment(text)) == text


def test_link_to_a_page_ends_in_its_moment() -> None:
    moment = Moment(replay_file(match_file()).match, 771, "b")
    assert str(moment) == "seed-1/771?as=b"
    assert parse_moment(f"https://play.example.org/m/{moment}") == moment
    assert parse_moment(f"/m/{moment}") == moment


@each_row(
    ("text", "said"),
    [
        ("", "is not a moment"),
        ("m-1", "is not a moment"),
        ("m-1/", "is not a moment"),
        ("m-1/-3", "is not a moment"),
        ("aB-1/3", "is not a moment"),
        ("m-1/3?as=", "is not a moment"),
        ("m-1/3?as=a&b=c", "is not a moment"),
        ("m-1/٣", "is not a moment"),
        ("m-1/3\n", "is not a moment"),
        ("m-1/0", "records count from 1"),
        ("m-1/9007199254740992", "records count from 1"),
        ("m-1/3?as=e", 'no viewpoint "e", only all, public, a, b, c, d'),
    ],
)
def test_texts_that_name_no_moment_are_refused(text: str, said: str) -> None:
    with pytest.raises(BadMoment, match=said):
        parse_moment(text)


def test_viewpoints_name_viewers() -> None:
    assert [viewpoint_of(viewer) for viewer in (ALL, PUBLIC, 0, 1, 2, 3)] == ["all", "public", "a", "b", "c", "d"]
    for viewer in (ALL, PUBLIC, 0, 1, 2, 3):
        assert viewer_of(viewpoint_of(viewer)) == viewer


# ---------------------------------------------------------------- files that were made up


def made_up_records(targets: list[int | None]) -> tuple[AnyVocabulary, list[WireRecord]]:
    """Return the records of a match that is opened and in which nothing happens but takebacks."""
    name = next(name for name in TAKEN_BACK if name.startswith("pit"))
    file = read_file(raw_file(name))
    records = [file.records[0]]
    for seq, to in enumerate(targets, 2):
        decisions = (Decision(DecisionId(f"{seq}.0"), Seat(0), ReadyQuestion()),)
        body: AnyBody = RecordBody(at_ms=seq, events=(), decisions=decisions, taken_back_to=to)
        records.append(WireRecord(seq, "0" * 32, msgspec.Raw(msgspec.json.encode(body))))
    return RULESETS[file.header.ruleset], records


@pytest.mark.parametrize(
    "targets",
    [[1] * 4000, list(range(1, 4001)), [1, *([None, 2] * 1500)], [*range(1, 2001), *([1990] * 2000)]],
    ids=["all to one", "each to the one before", "every other", "each to the one before, then all to one"],
)
def test_thousands_of_takebacks_are_folded_once_each(
    targets: list[int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary, records = made_up_records(targets)
    folded = 0

    def fold_and_count(match: AnyMatch | None, bodies: Sequence[AnyBody], *rest: Any) -> AnyMatch | None:
        nonlocal folded
        folded += len(bodies)
        return fold_many(match, bodies, *rest)

    monkeypatch.setattr(vocabulary_module, "fold_many", fold_and_count)
    replay = Replay(vocabulary, records)
    assert folded < 20 * len(records)
    folded = 0
    middle = replay.last // 2
    state = replay.state(middle)
    assert folded <= MIN_SNAPSHOT_DISTANCE
    assert state == vocabulary.fold_log([replay.body(seq) for seq in range(1, middle + 1)])


def test_takebacks_that_undo_the_same_records_again_and_again_are_refused() -> None:
    vocabulary, records = made_up_records([None] * 2000 + list(range(2000, 0, -1)))
    with pytest.raises(ReplayError, match="undo too many records"):
        Replay(vocabulary, records)


def test_takeback_to_a_record_that_is_taken_back_is_refused() -> None:
    vocabulary, records = made_up_records([None, None, 1, 3])
    with pytest.raises(ReplayError, match="record 5 takes back to record 3, which does not count then"):
        Replay(vocabulary, records)
