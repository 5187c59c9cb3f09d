"""Positions of every ruleset: those of real matches pass the check of positions from outside, others do not."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_client.verification.record_checks import ImpossiblePosition
from diskwars_client.verification.verify import verify
from diskwars_engine.branches import branch_start, position_faults, position_terms
from diskwars_engine.ruleset import AnyRuleset, Illegal
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_protocol.match.events import MatchOpened, Position, PositionSet
from diskwars_protocol.match.ids import ALL, PUBLIC
from diskwars_protocol.match.position_bounds import board_faults
from diskwars_protocol.match.state import AnyMatch
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.registry import RULESETS as VOCABULARIES
from tests.effort import spread_of
from tests.golden.write_files import BOTH_PACKS, write_match
from tests.rulesets.matches import TOY, PlayedMatch, parametrize_matches, played
from tests.rulesets.test_branches import BRANCH, places, played_branch

WHOLE, PART = 24, 8
"""Positions of a match that are checked, each with its options; `tools.invented_positions` checks 10^5."""
GOLDEN_FILES = sorted((Path(__file__).parents[1] / "golden" / "files").glob("*.match.jsonl"))


def faults_of(ruleset: AnyRuleset, state: AnyMatch, board: Any) -> list[str]:
    """Return what is wrong with a board as a position in a match."""
    terms = position_terms(ruleset, state.settings, len(state.seats), state.packs)
    return position_faults(ruleset, Position(board), terms)


@parametrize_matches
def test_every_position_of_a_real_match_passes(match: PlayedMatch) -> None:
    ruleset = match.local.rules.ruleset
    for n, state in spread_of(list(enumerate(match.states)), WHOLE, PART):
        if state.board is not None and state.status == "running":
            assert faults_of(ruleset, state, state.board) == [], f"after record {n + 1}"
        if state.board is not None:
            board = msgspec.json.decode(msgspec.json.encode(state.board))
            assert list(board_faults(board, ruleset.vocabulary.position_bounds)) == [], f"after record {n + 1}"


@parametrize_matches
def test_every_position_that_is_drawn_for_a_viewer_passes(match: PlayedMatch) -> None:
    ruleset = match.local.rules.ruleset
    for n in spread_of(match.moments(), WHOLE // 2, PART // 2):
        state = match.states[n]
        for viewer in (*range(len(state.seats)), PUBLIC):
            seen = ruleset.view(state.board, viewer)
            board = ruleset.determinize(seen, viewer, random.Random(n))
            assert faults_of(ruleset, state, board) == [], f"after record {n + 1}, for {viewer}"


@pytest.mark.parametrize("path", GOLDEN_FILES, ids=lambda path: path.name.partition(".")[0])
def test_every_position_of_a_golden_file_passes(path: Path) -> None:
    file = read_file(path.read_bytes())
    name = file.header.ruleset
    vocabulary = VOCABULARIES.get(name)
    if vocabulary is None or name == TOY:
        pytest.skip("the toy ruleset of the tests has no positions that could be wrong")
    ruleset: AnyRuleset = Diskwars(BOTH_PACKS) if "expansion" in path.name else load_ruleset(name, ())
    state: AnyMatch | None = None
    bodies = [vocabulary.decode_body(raw) for raw in file.bodies]
    positions = [event.position for body in bodies for event in body.events if isinstance(event, PositionSet)]
    opening = bodies[0].events[0]
    assert isinstance(opening, MatchOpened)
    terms = position_terms(ruleset, opening.settings, opening.seat_count, opening.packs)
    for position in positions:
        assert position_faults(ruleset, position, terms) == []
    tried = set(spread_of(range(1, len(bodies) + 1), WHOLE, PART))
    for seq, body in enumerate(bodies, 1):
        if any(body.taken_back_to is not None for body in bodies):
            break
        state = vocabulary.fold(state, body)
        if seq in tried and state.board is not None and state.status == "running":
            assert position_faults(ruleset, Position(state.board), terms) == [], f"after record {seq}"


# ---------------------------------------------------------------- positions that no rules can produce


def wide(board: Any) -> Any:
    return replace(board, width=1_000_000)


def fast_fighters(board: Any) -> Any:
    return replace(board, profiles=tuple(replace(profile, movement=1_000_000) for profile in board.profiles))


def far_models(board: Any) -> Any:
    profiles = tuple(replace(profile, movement_inches=1_000_000) for profile in board.profiles)
    return replace(board, profiles=profiles)


def lost_fighter(board: Any) -> Any:
    return replace(board, fighters=(replace(board.fighters[0], profile=99), *board.fighters[1:]))


def many_attacks(board: Any) -> Any:
    return replace(board, fighters=tuple(replace(fighter, attacks=10_000) for fighter in board.fighters))


def late_round(board: Any) -> Any:
    return replace(board, round=10**9)


def broken_cursor(board: Any) -> Any:
    return replace(board, cursor="1[[")


def foreign_task(board: Any) -> Any:
    return replace(board, cursor='1[["rampage",4711]]')


def large_field(board: Any) -> Any:
    return replace(board, field=replace(board.field, width=10**12))


def many_markers(board: Any) -> Any:
    return replace(board, units=tuple(replace(unit, markers=10**9) for unit in board.units))


def many_models(board: Any) -> Any:
    return replace(board, units=tuple(replace(unit, models=(1,) * 100_000) for unit in board.units))


def foreign_turn(board: Any) -> Any:
    return replace(board, active_seat=9)


def escaping_names(board: Any) -> Any:
    return replace(board, profiles=tuple(replace(profile, name="\x1b[2JCaptain") for profile in board.profiles))


INVENTED: tuple[tuple[str, Callable[[Any], Any], str], ...] = (
    ("pit", wide, "$.board.width"),
    ("pit", fast_fighters, "$.board.profiles[0].movement"),
    ("pit", lost_fighter, "$.board.fighters[0].profile"),
    ("pit", many_attacks, "$.board.fighters[0].attacks"),
    ("pit", late_round, "$.board.round"),
    ("close_quarters", wide, "$.board.width"),
    ("close_quarters", far_models, "$.board.profiles"),
    ("close_quarters", many_markers, "$.board.units[0].markers"),
    ("regiments", wide, "$.board.width"),
    ("regiments", many_models, "$.board.units[0].models"),
    ("regiments", late_round, "$.board.round"),
    ("diskwars", foreign_turn, "$.board.active_seat"),
    ("diskwars", large_field, "$.board.field"),
    ("diskwars", fast_fighters, "$.board.profiles[0].movement"),
    ("diskwars", broken_cursor, "$.board.cursor"),
    ("diskwars", foreign_task, "$.board.cursor"),
    *(
        (name, escaping_names, "$.board.profiles[0].name")
        for name in ("pit", "close_quarters", "regiments", "diskwars")
    ),
)
parametrize_invented = pytest.mark.parametrize(
    ("name", "invent", "place"), INVENTED, ids=[f"{name}-{invent.__name__}" for name, invent, _ in INVENTED]
)


@parametrize_invented
def test_invented_position_is_refused_with_its_place(name: str, invent: Callable[[Any], Any], place: str) -> None:
    parent = played(name, 2, 1)
    state = parent.states[places(parent)[-1]]
    faults = faults_of(parent.local.rules.ruleset, state, invent(state.board))
    assert faults
    assert faults[0].startswith(place)


@parametrize_invented
def test_nobody_branches_where_no_rules_lead(name: str, invent: Callable[[Any], Any], place: str) -> None:
    parent = played(name, 2, 1)
    state = parent.states[places(parent)[-1]]
    invented = replace(state, board=invent(state.board))
    with pytest.raises(Illegal) as refused:
        branch_start(parent.local.rules.ruleset, invented, ALL, random.Random(1))
    assert (refused.value.code, refused.value.place) == ("bad_branch", "$.seq")


@parametrize_invented
def test_file_that_begins_where_no_rules_lead_is_not_verified(
    name: str, invent: Callable[[Any], Any], place: str
) -> None:
    parent = played(name, 2, 1)
    n = places(parent)[-1]
    bodies = played_branch(parent, n, ALL).bodies
    opening, first = bodies[0].events
    assert isinstance(first, PositionSet)
    position = replace(first.position, board=invent(first.position.board))
    forged = replace(bodies[0], events=(opening, PositionSet(position)))
    rules = parent.local.rules
    raw = write_match(rules, BRANCH, len(parent.local.seats), [forged, *bodies[1:]])
    with pytest.raises(ImpossiblePosition) as found:
        verify(raw, rulesets=[rules.ruleset])
    assert (found.value.seq, found.value.code) == (1, "impossible_position")
    assert found.value.place.startswith(place.replace("$", "$.events[1].position", 1))


def test_seats_that_have_resigned_are_those_of_the_match() -> None:
    parent = played("pit", 2, 1)
    state = parent.states[places(parent)[-1]]
    ruleset = parent.local.rules.ruleset
    terms = position_terms(ruleset, state.settings, 2, state.packs)
    for resigned in ((2,), (1, 0), (0, 0)):
        position = Position(state.board, resigned=resigned)
        assert position_faults(ruleset, position, terms) == [
            "$.resigned: it names seats of the match in their order, each once"
        ]


def test_full_setup_has_one_edge_for_each_seat() -> None:
    """More of them were drawn as edges of seats that no match has."""
    file = read_file((GOLDEN_FILES[0].parent / "diskwars-branch.match.jsonl").read_bytes())
    opening, first = VOCABULARIES["diskwars"].decode_body(file.bodies[0]).events
    ruleset = load_ruleset("diskwars", ())
    terms = position_terms(ruleset, opening.settings, opening.seat_count, opening.packs)
    board = first.position.board
    layout = replace(board.layout, edges=board.layout.edges * 50)
    faults = position_faults(ruleset, replace(first.position, board=replace(board, layout=layout)), terms)
    assert faults[0] == "$.board.layout.edges: each seat has an edge of its own"


def test_position_whose_options_the_rules_cannot_list_is_refused() -> None:
    """A unit of which no model stands was to consolidate: its options failed in the middle of the match."""
    parent = played("close_quarters", 2, 3)
    ruleset, refused = parent.local.rules.ruleset, 0
    for state in parent.states:
        board = state.board
        if board is None or state.status != "running" or board.combat is None or board.combat.unit is None:
            continue
        standing = {model.unit for model in board.models if model.is_standing}
        for unit in board.units:
            if unit.id not in standing:
                combat = replace(board.combat, unit=unit.id, step="consolidate", source=None, pending=(), loss=None)
                assert faults_of(ruleset, state, replace(board, combat=combat))
                refused += 1
    assert refused
