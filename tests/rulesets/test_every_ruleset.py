"""Laws of every match of every registered ruleset; a ruleset is tried as soon as it is registered.

Each test runs on matches of random bots with the fewest and the most players.
"""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_client.rulesets.registry import FILE_CHECKS, find_terminal
from diskwars_client.verification.verify import verify
from diskwars_engine.local import LocalMatch
from diskwars_engine.match_log import MatchLog
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.catalogue import CatalogueHead
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import SeatNonceOpened, StepBegan
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.ruleset_settings import ruleset_settings
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.messages.refusals import REFUSAL_CODES
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES
from tests.golden.write_files import seal_match, write_match
from tests.rulesets.matches import NAMES, TOY, PlayedMatch, before_reveal, decide, parametrize_matches, played

CHANGED_BYTES = 12


@pytest.mark.parametrize("name", NAMES)
def test_ruleset_is_registered_on_every_side(name: str) -> None:
    assert VOCABULARIES[name].name == name
    assert name in FILE_CHECKS, "no class checks its match files: name one in diskwars_client/rulesets/registry.py"


@parametrize_matches
def test_catalogue_has_the_packs_that_a_match_names_and_every_setting(match: PlayedMatch) -> None:
    rules = match.local.rules
    catalogue = rules.ruleset.catalogue()
    assert isinstance(catalogue, CatalogueHead)
    assert type(catalogue) is rules.vocabulary.catalogue
    assert catalogue.packs == match.states[0].packs
    assert catalogue.settings == ruleset_settings(rules.vocabulary.settings)
    assert list(msgspec.to_builtins(catalogue))[:2] == ["packs", "settings"]


# ---------------------------------------------------------------- the fold


@parametrize_matches
def test_folded_records_give_the_state_that_was_decided(match: PlayedMatch) -> None:
    vocabulary = match.local.rules.vocabulary
    folded: AnyMatch | None = None
    for body, state in zip(match.bodies, match.states, strict=True):
        folded = vocabulary.fold(folded, vocabulary.decode_body(encode_canonical(body)))
        assert folded == state
    assert folded == vocabulary.fold_log(match.bodies)


@parametrize_matches
def test_board_keeps_its_invariants(match: PlayedMatch) -> None:
    for n in range(len(match.bodies)):
        assert match.at(n).broken_invariants() == []


@parametrize_matches
def test_questions_of_the_board_are_the_open_decisions(match: PlayedMatch) -> None:
    for n in match.moments():
        state = match.states[n]
        asked = match.local.rules.ruleset.questions(state.board)
        assert [(decision.seat, decision.question) for decision in state.decisions] == list(asked)


@parametrize_matches
def test_match_ends_with_a_result_of_a_known_kind(match: PlayedMatch) -> None:
    result = match.states[-1].result
    assert result is not None
    assert result.end_reason in match.local.rules.vocabulary.end_reasons
    assert result == match.local.rules.ruleset.result(match.states[-1].board)


@parametrize_matches
def test_record_and_snapshot_that_end_for_an_unknown_reason_are_refused(match: PlayedMatch) -> None:
    """The reason of an end is a closed set of ids, in a shared struct that does not know those of the ruleset."""
    vocabulary, body, state = match.local.rules.vocabulary, match.bodies[-1], match.states[-1]
    assert body.result is not None
    for reason in ("", "unheard_of", "Resignation"):
        result = replace(body.result, end_reason=reason)
        with pytest.raises(msgspec.ValidationError, match=rf"'{reason}' - at `\$.result.end_reason`"):
            vocabulary.decode_body(encode_canonical(replace(body, result=result)))
        with pytest.raises(msgspec.ValidationError, match=rf"'{reason}' - at `\$.result.end_reason`"):
            vocabulary.decode_match(encode_canonical(replace(state, result=result)))


@parametrize_matches
def test_every_known_end_reason_is_read(match: PlayedMatch) -> None:
    vocabulary, body, state = match.local.rules.vocabulary, match.bodies[-1], match.states[-1]
    assert body.result is not None
    for reason in vocabulary.end_reasons:
        result = replace(body.result, end_reason=reason)
        assert vocabulary.decode_body(encode_canonical(replace(body, result=result))).result == result
        assert vocabulary.decode_match(encode_canonical(replace(state, result=result))).result == result


@parametrize_matches
def test_match_does_not_end_for_a_reason_that_its_records_could_not_be_read_with(
    match: PlayedMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The mistake of a ruleset is found before it is stored."""
    before = match.at(len(match.bodies) - 2)
    rules, last = before.rules, match.bodies[-1]
    monkeypatch.setattr(rules.vocabulary, "end_reasons", ("closed",))
    with pytest.raises(ValueError, match="no end reason of"):
        before.decide(before.seats[last.seat or 0].player, last.decision, last.action)


# ---------------------------------------------------------------- answers


@parametrize_matches
def test_every_offered_option_is_accepted(match: PlayedMatch) -> None:
    for n in match.moments():
        local = match.at(n)
        for decision in local.match.decisions:
            options = local.rules.options(local.match, decision)
            actions = [*options.actions, *(option.example for option in options.parametric)]
            assert actions
            for action in actions:
                assert decide(local, decision, action).events


@parametrize_matches
def test_default_is_accepted(match: PlayedMatch) -> None:
    for n in match.moments():
        local = match.at(n)
        for decision in local.match.decisions:
            assert decide(local, decision, local.rules.default(local.match, decision, local.secrets)).events


def refusal_of(local: LocalMatch[Any, Any, Any], decision: Decision[Any], action: Any) -> Illegal | None:
    """Return why an answer is refused; None if it is accepted."""
    try:
        decide(local, decision, action)
    except Illegal as illegal:
        return illegal
    return None


@parametrize_matches
def test_refusal_has_a_known_code_and_changes_nothing(match: PlayedMatch) -> None:
    """All actions of the match are tried as answers to other questions than theirs."""
    codes = {*REFUSAL_CODES, *match.local.rules.vocabulary.refusal_codes}
    actions = [body.action for body in match.bodies if body.action is not None][:: max(1, len(match.bodies) // 12)]
    refused = 0
    for n in match.moments():
        local = match.at(n)
        before = msgspec.json.encode(local.match)
        for decision in local.match.decisions:
            for action in actions:
                illegal = refusal_of(local, decision, action)
                refused += illegal is not None
                assert illegal is None or (illegal.code in codes and illegal.text)
        assert msgspec.json.encode(local.match) == before
    assert refused


@parametrize_matches
def test_player_answers_for_their_own_seat_only(match: PlayedMatch) -> None:
    for n in match.moments():
        local = match.at(n)
        for decision in local.match.decisions:
            action = local.rules.default(local.match, decision, local.secrets)
            other = local.seats[(decision.seat + 1) % len(local.seats)].player
            with pytest.raises(Illegal):
                local.decide(other, decision.id, action)


@parametrize_matches
def test_everything_left_out_of_the_options_has_a_reason(match: PlayedMatch) -> None:
    codes = {*REFUSAL_CODES, *match.local.rules.vocabulary.refusal_codes}
    for n in match.moments():
        local = match.at(n)
        for decision in local.match.decisions:
            for entry in local.rules.options_with_unavailable(local.match, decision).unavailable:
                assert entry.code in codes
                assert entry.text


# ---------------------------------------------------------------- what others see


@parametrize_matches
def test_folded_records_of_a_viewer_give_the_view(match: PlayedMatch) -> None:
    rules = match.local.rules
    for viewer in match.viewers:
        folded: AnyMatch | None = None
        for body, state in zip(match.bodies, match.states, strict=True):
            folded = rules.vocabulary.fold(folded, rules.redact_body(body, viewer))
            assert folded == rules.view(state, viewer)


@parametrize_matches
def test_viewer_can_resume_from_a_snapshot_after_every_record(match: PlayedMatch) -> None:
    rules = match.local.rules
    for viewer in match.viewers:
        for n, state in enumerate(match.states[:-1]):
            snapshot = rules.vocabulary.decode_match(msgspec.json.encode(rules.view(state, viewer)))
            assert snapshot == rules.view(state, viewer)
            following = rules.vocabulary.fold(snapshot, rules.redact_body(match.bodies[n + 1], viewer))
            assert following == rules.view(match.states[n + 1], viewer)


@parametrize_matches
def test_records_do_not_tell_secret_answers_apart(match: PlayedMatch) -> None:
    """Non-interference: to a viewer from whom an answer is hidden, every answer has the same record."""
    rules = match.local.rules
    hidden_answers, compared = 0, 0
    for viewer in match.viewers:
        for n, hidden in enumerate(match.bodies[1:]):
            if rules.redact_body(hidden, viewer).action == hidden.action or match.states[n].status != "running":
                continue
            local = match.at(n)
            decision = next(decision for decision in local.match.decisions if decision.id == hidden.decision)
            options = rules.options(local.match, decision)
            answers = [*options.actions, *(option.example for option in options.parametric)]
            bodies = [decide(local, decision, action) for action in answers]
            shown = {encode_canonical(before_reveal(rules.redact_body(body, viewer))) for body in bodies}
            assert len(shown) == 1
            hidden_answers += 1
            compared += len(bodies) - 1
    assert compared or not hidden_answers


@pytest.mark.parametrize("name", ["diskwars", "regiments secret_orders=yes", TOY])
def test_ruleset_with_secrets_hides_answers(name: str) -> None:
    """Otherwise the test above would try nothing."""
    match = played(name, 2, 1)
    shown = [match.local.rules.redact_body(body, PUBLIC).action for body in match.bodies]
    assert shown != [body.action for body in match.bodies]


@parametrize_matches
def test_steps_list_nonces_where_seats_are_asked_for_them(match: PlayedMatch) -> None:
    is_asked = match.local.rules.vocabulary.asks_for_nonces(match.states[0].settings)
    seats = len(match.local.seats)
    steps: list[StepBegan] = []
    given: set[int] = set()
    for event in (event for body in match.bodies for event in body.events):
        if isinstance(event, SeatNonceOpened):
            given.add(event.seat)
        elif isinstance(event, StepBegan):
            # a seat that has nothing to answer in a step gives nothing to it
            assert set(event.missing) == (set(range(seats)) - given if event.seat_nonces else set())
            steps.append(event)
            given = set()
    assert [len(step.seat_nonces) for step in steps] == [seats] + [seats if is_asked else 0] * (len(steps) - 1)


@parametrize_matches
def test_imagined_board_looks_like_the_true_one(match: PlayedMatch) -> None:
    ruleset, rng = match.local.rules.ruleset, random.Random(1)
    for n in match.moments():
        board = match.states[n].board
        for viewer in match.viewers:
            view = ruleset.view(board, viewer)
            assert ruleset.view(ruleset.determinize(view, viewer, rng), viewer) == view


@parametrize_matches
def test_terminal_has_words_for_every_record_and_question(match: PlayedMatch) -> None:
    rules, before = match.local.rules, None
    terminal = find_terminal(rules.name)
    for body, state in zip(match.bodies, match.states, strict=True):
        view: AnyMatch = rules.view(state, PUBLIC)
        lines = terminal.narrate(before, rules.redact_body(body, PUBLIC))
        assert lines == [] or any(lines)
        assert all(terminal.question_text(view, decision) for decision in view.decisions)
        before = view
    assert before is not None
    assert before.result is not None
    assert terminal.outcome_text(before, before.result)


# ---------------------------------------------------------------- stored matches


def match_file(match: PlayedMatch) -> bytes:
    return write_match(match.local.rules, match.states[-1].match, len(match.local.seats), match.bodies)


@parametrize_matches
def test_exported_match_is_verified(match: PlayedMatch) -> None:
    result = verify(match_file(match))
    assert (result.records, result.sealed_values, result.unproven_draws) == (len(match.bodies), 0, 0)
    assert result.is_redecided


@parametrize_matches
def test_changed_byte_is_found_in_its_record(match: PlayedMatch) -> None:
    raw, rng = match_file(match), random.Random(1)
    for _ in range(CHANGED_BYTES):
        place = rng.randrange(len(raw))
        byte = rng.choice([other for other in b'\n"01\\a}' if other != raw[place]])
        line = raw.count(b"\n", 0, place)
        with pytest.raises(BadRecord) as refused:
            verify(raw[:place] + bytes([byte]) + raw[place + 1 :])
        # the first hash follows from the header and record 1 together
        assert refused.value.seq in ((0, 1) if line == 0 else (line,)), f"byte {place} changed to {byte}"


@parametrize_matches
def test_match_is_restored_from_its_records_at_any_moment(match: PlayedMatch) -> None:
    rules, id = match.local.rules, match.states[-1].match
    records = seal_match(rules, id, len(match.local.seats), match.bodies)
    for n in match.moments():
        assert MatchLog.load(rules, id, records[: n + 1]).state == match.states[n]


@parametrize_matches
def test_packed_state_is_the_same_at_any_moment(match: PlayedMatch) -> None:
    rules, id = match.local.rules, match.states[-1].match
    records = seal_match(rules, id, len(match.local.seats), match.bodies)
    for n in match.moments():
        log = MatchLog.load(rules, id, records[: n + 1])
        log.pack()
        assert log.is_packed
        assert log.state == match.states[n]
