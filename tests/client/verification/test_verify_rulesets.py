"""Match files of every registered ruleset are verified by the same code, here those of the toy ruleset."""

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from pkgutil import resolve_name
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.plugs.file_checks import FileChecks
from diskwars_client.replays import UnknownRuleset
from diskwars_client.rulesets.registry import FILE_CHECKS
from diskwars_client.verification.verify import IncompatibleRules, RulesStretch, verify
from diskwars_engine.local import LocalMatch
from diskwars_engine.match import Command, MatchRules
from diskwars_protocol.match import vocabulary as vocabulary_module
from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.events import MatchEnded, MatchOpened, SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import HOUSE
from diskwars_protocol.match.match_fold import fold_log
from diskwars_protocol.match.match_options import MatchOptions, PerDecisionClock
from diskwars_protocol.match.state import RecordBody
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.records.records import BadRecord, WireRecord
from diskwars_protocol.rulesets.registry import RULESETS
from tests.client.verification.counting_file_checks import CountingFileChecks, register_counting
from tests.golden.test_files import HEADS
from tests.golden.write_files import COUNTING, FOLDER, SUFFIX, counting_match, todays_file, write_match
from tests.server.counting_ruleset import ChooseNumber, CountingRules, HintGiven, NumberChosen, NumbersRevealed

Bodies = list[RecordBody[Any, Any, Any]]


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    register_counting(monkeypatch)


def golden_file(name: str) -> bytes:
    return (FOLDER / f"{name}{SUFFIX}").read_bytes()


def golden_bodies() -> Bodies:
    """Return the records of the golden match that is counted to its end."""
    return [COUNTING.vocabulary.decode_body(raw) for raw in read_file(golden_file("counting")).bodies]


def with_event(bodies: Sequence[Any], kind: type, change: Callable[[Any], Any]) -> tuple[int, Bodies]:
    """Return the records with the first event of a kind changed, and the seq of its record."""
    seq = next(n for n, body in enumerate(bodies, 1) if any(isinstance(event, kind) for event in body.events))
    copies = list(bodies)
    events = tuple(change(event) if isinstance(event, kind) else event for event in copies[seq - 1].events)
    copies[seq - 1] = replace(copies[seq - 1], events=events)
    return seq, copies


def counting_file(bodies: Bodies) -> bytes:
    """Return the file of these records: a chain that holds, whatever they say."""
    return write_match(COUNTING, bodies[0].events[0].match, 2, bodies)


def problem_with(bodies: Bodies, seq: int) -> str:
    """Return what is wrong with a match whose first wrong record is `seq`."""
    with pytest.raises(BadRecord) as refused:
        verify(counting_file(bodies))
    assert refused.value.seq == seq, refused.value
    return refused.value.problem


# ---------------------------------------------------------------- the registry


def test_every_ruleset_of_the_registry_can_be_verified() -> None:
    for name, path in FILE_CHECKS.items():
        assert RULESETS[name].name == name
        assert issubclass(resolve_name(path), FileChecks)


def test_ruleset_that_is_not_registered_is_refused_by_name() -> None:
    with pytest.raises(UnknownRuleset, match=f"verify knows {', '.join(FILE_CHECKS)}, not counting"):
        verify(golden_file("counting"))


def test_registry_is_read_without_the_engine() -> None:
    program = (
        "import sys\n"
        "sys.modules['diskwars_engine'] = None\n"
        f"sys.path[:0] = {[path for path in sys.path if path]!r}\n"
        "import diskwars_client.client\n"
        "from diskwars_client.rulesets.registry import FILE_CHECKS\n"
        "print(*FILE_CHECKS)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{' '.join(FILE_CHECKS)}\n", "")


# ---------------------------------------------------------------- valid files


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", ["counting", "counting-resigned"])
def test_golden_match_of_the_toy_ruleset_is_decided_again(name: str) -> None:
    result = verify(golden_file(name), HEADS[name])
    assert result.is_redecided
    assert (result.head_seq, result.sealed_values, result.unproven_draws) == (result.records, 0, 0)
    assert (result.packs, result.has_unknown_figures) == ((), False)


@pytest.mark.usefixtures("counting")
def test_golden_match_across_an_upgrade_is_decided_again_from_the_upgrade_on() -> None:
    result = verify(golden_file("counting-upgrade"), HEADS["counting-upgrade"])
    assert (result.other_rules, result.is_redecided) == ((RulesStretch(1, 8, 0),), False)


@pytest.mark.usefixtures("counting")
def test_match_decided_by_these_rules_is_decided_again() -> None:
    result = verify(counting_file(golden_bodies()))
    assert result.is_redecided
    assert (result.local_rules, result.other_rules) == (CountingRules.rules_version, ())


@pytest.mark.usefixtures("counting")
def test_golden_takeback_is_not_called_wrong_by_other_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fold knows takebacks; no rule makes one yet."""
    raw = golden_file("counting-taken-back")
    with pytest.raises(BadRecord, match="record 7: "):
        verify(raw)
    monkeypatch.setattr(CountingFileChecks, "rules_version", 99)
    with pytest.raises(IncompatibleRules, match="record 7: no rule takes anything back"):
        verify(raw)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_takeback_is_verified_by_folding_what_lasts(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge folds the records up to the one that it goes back to; the log is not folded again and again."""
    raw = todays_file(f"{ruleset.replace('_', '-')}-agreements")
    known = RULESETS[ruleset]
    bodies = [known.decode_body(body) for body in read_file(raw).bodies]
    takebacks = [(seq, body, body.taken_back_to) for seq, body in enumerate(bodies, 1) if body.taken_back_to]
    assert takebacks
    for seq, body, to in takebacks:
        before = known.fold_log(bodies[:to])
        assert known.fold_takeback(before, bodies[to : seq - 1], body) == known.fold_log(bodies[:seq])
    folded: list[int] = []

    def fold_and_note(log: Sequence[Any], *rest: Any) -> Any:
        folded.append(len(log))
        return fold_log(log, *rest)

    monkeypatch.setattr(vocabulary_module, "fold_log", fold_and_note)
    assert verify(raw).is_redecided
    assert folded == [to for _, _, to in takebacks]


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("lines", range(1, 12))
def test_cut_file_is_verified_as_far_as_it_goes(lines: int) -> None:
    raw = b"".join(golden_file("counting").splitlines(keepends=True)[:lines])
    result = verify(raw)
    assert (result.unfinished_at, result.is_redecided) == (lines - 1, False)


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("lines", [6, 12])
def test_file_without_its_openings_is_verified_in_part(lines: int) -> None:
    header, *records = golden_file("counting").splitlines()[:lines]
    wires = [msgspec.json.decode(line, type=WireRecord) for line in records]
    sealed = [header, *(msgspec.json.encode(replace(wire, openings=())) for wire in wires)]
    result = verify(b"".join(line + b"\n" for line in sealed))
    assert result.sealed_values == sum(len(wire.openings) for wire in wires) > 0
    assert not result.is_redecided


# ---------------------------------------------------------------- altered files


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("name", ["counting", "counting-resigned"])
def test_byte_changed_anywhere_is_found_in_its_record(name: str) -> None:
    raw, rng = golden_file(name), random.Random(1)
    for _ in range(150):
        place = rng.randrange(len(raw))
        byte = rng.choice([other for other in (10, 34, 48, 49, 92, 97, 125, 255) if other != raw[place]])
        line = raw.count(b"\n", 0, place)
        with pytest.raises(BadRecord) as refused:
            verify(raw[:place] + bytes([byte]) + raw[place + 1 :])
        # the first hash follows from the header and record 1 together
        assert refused.value.seq in ((0, 1) if line == 0 else (line,)), f"byte {place} changed to {byte}"


@pytest.mark.usefixtures("counting")
def test_seats_that_could_not_see_a_secret_are_found() -> None:
    raw = golden_file("counting").replace(b'"seats":[0]', b'"seats":[1]', 1)
    with pytest.raises(BadRecord, match="could be seen by seats"):
        verify(raw)


@pytest.mark.usefixtures("counting")
def test_forged_dice_are_found() -> None:
    def turn(event: NumbersRevealed) -> NumbersRevealed:
        return replace(event, dice=replace(event.dice, results=tuple(7 - face for face in event.dice.results)))

    seq, forged = with_event(golden_bodies(), NumbersRevealed, turn)
    assert "do not follow from the step's key" in problem_with(forged, seq)


@pytest.mark.usefixtures("counting")
def test_forged_result_is_found() -> None:
    bodies = golden_bodies()
    result = bodies[-1].result
    assert result is not None
    (winner,) = result.winners
    bodies[-1] = replace(bodies[-1], result=replace(result, winners=(1 - winner,)))
    assert problem_with(bodies, len(bodies)) == f"by the rules $.result.winners[0] is {winner}, not {1 - winner}"


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize(
    ("kind", "fields", "problem"),
    [
        (MatchOpened, {"match": "another"}, "which the header does not name"),
        (MatchOpened, {"ruleset": "diskwars"}, "which the header does not name"),
        (SeatNonceOpened, {"seat_nonce": "ab" * 16}, "does not open the chain of seat"),
        (StepBegan, {"server_link": "ab" * 32}, "the server's link does not lead"),
        (StepBegan, {"step": 2}, "does not come now"),
        (NumberChosen, {"note": "changed"}, 'chosen: by the rules $.note is "", not "changed"'),
        (HintGiven, {"hint": "wrong"}, "by the rules $.hint is"),
        (MatchEnded, {"deal_secret": "ab" * 32}, "the deal secret is not the one that was promised"),
    ],
)
def test_forged_event_is_found(kind: type, fields: dict[str, object], problem: str) -> None:
    match = golden_bodies()[0].events[0].match
    seq, forged = with_event(golden_bodies(), kind, lambda event: replace(event, **fields))
    with pytest.raises(BadRecord) as refused:
        verify(write_match(COUNTING, match, 2, forged))
    assert (refused.value.seq, problem in refused.value.problem) == (seq, True), refused.value


@pytest.mark.usefixtures("counting")
def test_action_that_the_rules_refuse_is_found() -> None:
    bodies = golden_bodies()
    seq = next(seq for seq, body in enumerate(bodies, 1) if isinstance(body.action, ChooseNumber))
    action: Any = bodies[seq - 1].action
    bodies[seq - 1] = replace(bodies[seq - 1], action=replace(action, number=7))
    assert "the rules refuse this action, not_legal" in problem_with(bodies, seq)


@pytest.mark.usefixtures("counting")
def test_other_rules_do_not_accuse_what_they_decide_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = golden_bodies()
    seq, forged = with_event(bodies, HintGiven, lambda event: replace(event, hint="wrong"))
    monkeypatch.setattr(CountingFileChecks, "rules_version", 99)
    result = verify(counting_file(forged))
    assert (result.is_redecided, result.local_rules) == (False, 99)
    assert result.other_rules == (RulesStretch(1, len(bodies), 1),)
    monkeypatch.setattr(CountingFileChecks, "rules_version", 1)
    with pytest.raises(BadRecord, match=f"record {seq}: "):
        verify(counting_file(forged))


def match_across_an_upgrade() -> LocalMatch[Any, Any, Any]:
    """Return a match whose server got version 2 of the rules, which give other hints, after the first round."""
    match = counting_match(5)
    list(match.begin())
    for number in (3, 4):
        match.answer(match.match.decisions[0], ChooseNumber(number))
    match.rules = MatchRules(CountingRulesAfterUpgrade())
    while not match.is_over:
        match.answer(match.match.decisions[0], ChooseNumber(5))
    return match


class CountingRulesAfterUpgrade(CountingRules):
    rules_version = 2

    def decide(self, board: Any, seat: int, ask: Any, action: Any, dice: Any) -> Any:
        return super().decide(board, seat, ask, replace(action, note=f"after {action.number}"), dice)


def test_first_record_decided_by_another_version_names_it() -> None:
    match = match_across_an_upgrade()
    assert match.records[0].events[0].rules_version == 1
    assert [
        (seq, body.rules_version) for seq, body in enumerate(match.records, 1) if body.rules_version is not None
    ] == [(8, 2)]
    assert match.match.rules_version == 2
    assert match.match == COUNTING.fold_log(match.records)


@pytest.mark.usefixtures("counting")
def test_each_version_verifies_its_own_stretch_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    bodies = match_across_an_upgrade().records
    result = verify(counting_file(bodies))
    assert (result.other_rules, result.is_redecided) == ((RulesStretch(8, len(bodies), 2),), False)
    monkeypatch.setattr(CountingFileChecks, "rules_version", 2)
    monkeypatch.setattr(CountingFileChecks, "ruleset", lambda self: CountingRulesAfterUpgrade())
    result = verify(counting_file(bodies))
    assert (result.other_rules, result.is_redecided) == ((RulesStretch(1, 7, 1),), False)


@pytest.mark.usefixtures("counting")
def test_forgery_in_the_stretch_of_these_rules_is_found_also_in_a_match_across_an_upgrade() -> None:
    bodies = match_across_an_upgrade().records
    seq, forged = with_event(bodies, HintGiven, lambda event: replace(event, hint="wrong"))
    assert seq < 8
    assert "by the rules $.hint is" in problem_with(forged, seq)
    named = [*bodies[:8], replace(bodies[8], rules_version=2), *bodies[9:]]
    assert "names version 2 of the rules" in problem_with(named, 9)


# ---------------------------------------------------------------- the house answers


def match_with_house_answer() -> Bodies:
    """Return a match in which the house answers the first question and the second player leaves."""
    seconds = 30
    match = counting_match(4)
    opened: MatchOpened[Any] = match.records[0].events[0]
    events = (replace(opened, match_options=MatchOptions(clock=PerDecisionClock(seconds))),)
    match.records[0] = replace(match.records[0], events=events)
    match.match = COUNTING.fold_log(match.records)
    list(match.begin())
    decision = match.match.decisions[0]
    action = COUNTING.default(match.match, decision, match.secrets)
    late = Command(HOUSE, decision.id, action, 1000 * seconds)
    match.commit(COUNTING.decide(match.match, len(match.records), late, match.secrets))
    leave = Command(match.seats[1].player, None, Resign(), 1000 * seconds)
    match.commit(COUNTING.decide(match.match, len(match.records), leave, match.secrets))
    return match.records


@pytest.mark.usefixtures("counting")
def test_house_answer_is_decided_again() -> None:
    bodies = match_with_house_answer()
    seq = next(seq for seq, body in enumerate(bodies, 1) if body.actor is not None)
    assert verify(counting_file(bodies)).is_redecided

    early = [*bodies]
    early[seq - 1] = replace(bodies[seq - 1], at_ms=29_999)
    assert "before the time of the seat was up" in problem_with(early, seq)

    action: Any = bodies[seq - 1].action
    other = [*bodies]
    other[seq - 1] = replace(bodies[seq - 1], action=replace(action, number=1 + action.number % 6))
    assert "the house has not answered as the rules do" in problem_with(other, seq)
