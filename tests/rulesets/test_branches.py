"""Branches of matches of every ruleset: they play on from any moment of another match, and hide what that hides."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.seeded_match import play_bots
from diskwars_client.verification.verify import verify
from diskwars_engine.branches import BranchStart, begin_branch, branch_start
from diskwars_engine.local import LocalMatch, LocalSeat
from diskwars_engine.match import MatchOpening
from diskwars_engine.match_dice import MatchSecrets
from diskwars_engine.match_log import MatchLog
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import TakeBack
from diskwars_protocol.match.events import BranchBegan, Position, PositionSet
from diskwars_protocol.match.ids import ALL, PUBLIC, MatchId, PlayerId, Viewer
from diskwars_protocol.match.match_options import BranchPoint, MatchOptions
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.records.canonical import encode_canonical
from diskwars_protocol.records.fairness import seeded_entropy
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.records.sealed import count_sealed
from tests.effort import some_of
from tests.golden.write_files import seal_match, write_match
from tests.rulesets.matches import NAMES, TOY, VARIANTS, PlayedMatch, played

BRANCH = MatchId("branch")
PLACES = 4
"""In how many moments of a match a branch is made of it."""

parametrize_parents = pytest.mark.parametrize(
    ("name", "count", "seed"),
    [(name, count, 1) for name in (*NAMES, *VARIANTS) if name != TOY for count in (min, max)],
    ids=lambda value: getattr(value, "__name__", str(value)),
    scope="module",
)


def places(parent: PlayedMatch) -> list[int]:
    moments = parent.moments()
    return moments[:: max(1, len(moments) // PLACES)]


def start_of(parent: PlayedMatch, n: int, viewer: Viewer, seed: int = 1) -> BranchStart:
    """Return what a branch of a match after `bodies[n]` is opened with, by somebody who sees it as `viewer` does."""
    return branch_start(parent.local.rules.ruleset, parent.states[n], viewer, random.Random(seed))


def opened(parent: PlayedMatch, n: int, start: BranchStart, seed: int = 5) -> LocalMatch[Any, Any, Any]:
    """Return a branch that nobody has entered yet."""
    before = parent.local.seats
    seats = [
        LocalSeat(PlayerId(f"branch-{seat}"), state.loadout, seeded_entropy(seat, "branch"))
        for seat, state in enumerate(before)
    ]
    state = parent.states[n]
    options = MatchOptions(branch_of=BranchPoint(state.match, n + 1), takebacks=True)
    opening = MatchOpening(BRANCH, state.settings, len(seats), seats[0].player, 0, True, options, start)
    entropy = seeded_entropy(seed, "branch")
    return LocalMatch(parent.local.rules, opening, MatchSecrets(entropy(32), entropy(32)), seats)


def play_to_the_end(branch: LocalMatch[Any, Any, Any]) -> tuple[list[AnyBody], list[AnyMatch]]:
    """Play a branch between random bots; return its records, and the state after each."""
    bodies, states = [], []
    for body in play_bots(branch, 3, ["random"] * len(branch.seats)):
        bodies.append(body)
        states.append(branch.match)
    return bodies, states


def played_branch(parent: PlayedMatch, n: int, viewer: Viewer) -> PlayedMatch:
    """Return a branch that random bots have played to its end, played once for all tests.

    The parent has to be one that all tests share as well: it is known by its identity.
    """
    key = (id(parent), n, viewer)
    if key not in _PLAYED_BRANCHES:
        branch = opened(parent, n, start_of(parent, n, viewer))
        _PLAYED_BRANCHES[key] = parent, PlayedMatch(branch, *play_to_the_end(branch))
    return _PLAYED_BRANCHES[key][1]


_PLAYED_BRANCHES: dict[tuple[int, int, Viewer], tuple[PlayedMatch, PlayedMatch]] = {}
"""With the parent, so that no other gets its identity."""


def questions_of(state: AnyMatch) -> list[tuple[int, Any]]:
    return [(decision.seat, decision.question) for decision in state.decisions]


def begun(states: Sequence[AnyMatch]) -> int:
    """Return the place of the record with which a branch begins."""
    return next(n for n, state in enumerate(states) if state.board is not None)


@parametrize_parents
def test_branch_plays_on_from_the_position_and_its_file_is_verified(match: PlayedMatch) -> None:
    rules = match.local.rules
    for n in places(match):
        branch, bodies, states = played_branch(match, n, ALL).parts
        first = states[begun(states)]
        assert first.board == match.states[n].board, "as its parent has ended, it has the true position"
        assert questions_of(first) == questions_of(match.states[n])
        assert first.position is None
        assert branch.broken_invariants() == []
        result = verify(write_match(rules, BRANCH, len(branch.seats), bodies))
        assert (result.records, result.sealed_values, result.unproven_draws) == (len(bodies), 0, 0)
        assert result.is_redecided
        assert result.branch_of == BranchPoint(match.states[n].match, n + 1)


@parametrize_parents
def test_records_of_a_branch_fold_to_what_each_viewer_may_know(match: PlayedMatch) -> None:
    rules = match.local.rules
    for n in places(match)[:2]:
        _, bodies, states = played_branch(match, n, 0).parts
        for viewer in match.viewers:
            folded: AnyMatch | None = None
            for body, state in zip(bodies, states, strict=True):
                shown = rules.vocabulary.decode_body(encode_canonical(rules.redact_body(body, viewer)))
                folded = rules.vocabulary.fold(folded, shown)
                assert folded == rules.view(state, viewer)
                snapshot = msgspec.json.encode(rules.view(state, viewer))
                assert rules.vocabulary.decode_match(snapshot) == folded


@parametrize_parents
def test_stored_branch_shows_each_viewer_what_they_may_know(match: PlayedMatch) -> None:
    """Also with the digests of what is sealed in the place of the secrets."""
    rules, n = match.local.rules, match.moments()[-1]
    _, bodies, states = played_branch(match, n, ALL).parts
    records = seal_match(rules, BRANCH, len(match.local.seats), bodies)
    assert MatchLog.load(rules, BRANCH, records).state == states[-1]
    public = rules.vocabulary.fold_log([rules.vocabulary.decode_body(record.body) for record in records])
    assert public == rules.view(states[-1], PUBLIC)


@parametrize_parents
def test_who_branches_a_running_match_learns_nothing_of_what_is_hidden(match: PlayedMatch) -> None:
    """Positions that look the same to a viewer give the same branch."""
    ruleset = match.local.rules.ruleset
    for n in some_of(match.moments(), 3):
        board = match.states[n].board
        for viewer in (*range(len(match.local.seats)), PUBLIC):
            seen = ruleset.view(board, viewer)
            other = ruleset.determinize(seen, viewer, random.Random(9))
            start = start_of(match, n, viewer)
            parent = replace(match.states[n], board=other)
            assert branch_start(ruleset, parent, viewer, random.Random(1)) == start
            assert ruleset.view(start.position.board, viewer) == seen
            assert not count_sealed(encode_canonical(start.position))
            assert start.position.resampled or start.position.board == board


@parametrize_parents
def test_secrets_of_a_position_are_for_its_seats_once_the_branch_has_begun(match: PlayedMatch) -> None:
    rules = match.local.rules
    for n in places(match)[:2]:
        _, bodies, states = played_branch(match, n, 0).parts
        start = begun(states)
        board = states[start].board
        for viewer in (*range(len(match.local.seats)), PUBLIC):
            assert rules.redact_body(bodies[0], viewer) == rules.redact_body(bodies[0], PUBLIC)
            before = rules.view(states[0], viewer).position
            assert before is not None
            assert before.board == rules.ruleset.view(board, PUBLIC)
            assert rules.view(states[start], viewer).board == rules.ruleset.view(board, viewer)


@parametrize_parents
def test_branch_of_a_branch_plays_on(match: PlayedMatch) -> None:
    parent = played_branch(match, places(match)[0], ALL)
    middle = parent.moments()[0]
    again = opened(parent, middle, start_of(parent, middle, ALL))
    assert play_to_the_end(again)[1][-1].result is not None


@parametrize_parents
def test_branch_goes_back_no_further_than_to_its_beginning(match: PlayedMatch) -> None:
    branch = opened(match, match.moments()[0], start_of(match, match.moments()[0], ALL))
    list(branch.begin())
    start = len(branch.records)
    asked = branch.match.decisions[0]
    chosen = branch.rules.default(branch.match, asked, branch.secrets)
    branch.answer(asked, chosen)
    if branch.is_over:
        return
    player = branch.seats[asked.seat].player
    for record in range(1, start):
        with pytest.raises(Illegal, match="bad_takeback"):
            branch.decide(player, None, TakeBack(record))


@parametrize_parents
def test_nobody_branches_before_the_board_or_after_the_end(match: PlayedMatch) -> None:
    for n in (0, len(match.bodies) - 1):
        with pytest.raises(Illegal) as refused:
            start_of(match, n, ALL)
        assert (refused.value.code, refused.value.place) == ("bad_branch", "$.seq")


@parametrize_parents
def test_changed_position_is_found(match: PlayedMatch) -> None:
    """The hashes cover it, and a branch begins with the position that it was opened with."""
    n = match.moments()[-1]
    branch, bodies, states = played_branch(match, n, ALL).parts
    other = match.states[match.moments()[0]].board
    position = states[0].position
    assert position is not None
    forged = replace(bodies[0], events=(bodies[0].events[0], PositionSet(replace(position, board=other))))
    with pytest.raises(BadRecord):
        verify(write_match(match.local.rules, BRANCH, len(branch.seats), [forged, *bodies[1:]]))
    start = begun(states)
    without = tuple(event for event in bodies[start].events if not isinstance(event, BranchBegan))
    cut = [*bodies[:start], replace(bodies[start], events=without), *bodies[start + 1 :]]
    with pytest.raises(BadRecord):
        verify(write_match(match.local.rules, BRANCH, len(branch.seats), cut))


def test_board_whose_secret_is_for_one_seat_alone_is_refused() -> None:
    """The event of a hint in the toy ruleset is hidden from all others as a whole."""
    parent = played(TOY, 2, 1)
    with pytest.raises(Illegal, match="cannot be sealed"):
        start_of(parent, parent.moments()[-1], ALL)


# ---------------------------------------------------------------- single conditions, in the pit, which hides nothing


def running_pit() -> tuple[Any, AnyMatch]:
    """Return the rules of the pit, and a match of four that is under way."""
    parent = played("pit", 4, 1)
    return parent.local.rules, parent.states[parent.moments()[0]]


def refused_text(ruleset: Any, state: AnyMatch, viewer: Viewer = ALL) -> str:
    with pytest.raises(Illegal) as refused:
        branch_start(ruleset, state, viewer, random.Random(1))
    assert (refused.value.code, refused.value.place) == ("bad_branch", "$.seq")
    return refused.value.text


def test_nobody_branches_where_the_players_have_ended_the_match_though_its_board_goes_on() -> None:
    rules, state = running_pit()
    assert "the match is over there" in refused_text(rules.ruleset, replace(state, status="ended"))
    assert "has not begun there" in refused_text(rules.ruleset, replace(state, board=None))


def test_nobody_branches_from_a_board_on_which_there_is_nothing_to_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, state = running_pit()
    monkeypatch.setattr(rules.ruleset, "questions", lambda board: ())
    assert refused_text(rules.ruleset, state) == "nobody has anything to decide there"


def test_nobody_branches_where_what_is_hidden_cannot_be_filled_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def determinize(*_: object) -> None:
        raise ValueError("nothing fits")

    rules, state = running_pit()
    monkeypatch.setattr(rules.ruleset, "determinize", determinize)
    assert refused_text(rules.ruleset, state, viewer=0) == "what is hidden cannot be filled in: nothing fits"


def test_position_names_the_seats_that_have_resigned_and_is_resampled_only_where_something_was_drawn() -> None:
    rules, state = running_pit()
    seats = tuple(replace(seat_state, resigned=seat == 2) for seat, seat_state in enumerate(state.seats))
    for viewer in (ALL, 0):
        start = branch_start(rules.ruleset, replace(state, seats=seats), viewer, random.Random(1))
        assert start.position == Position(state.board, resampled=False, resigned=(2,))


def test_match_without_a_position_does_not_begin_as_a_branch() -> None:
    rules, state = running_pit()
    with pytest.raises(ValueError, match=f"match {state.match} is no branch"):
        begin_branch(rules.ruleset, state, [])
