"""What packs print is one object in memory, however many matches of a ruleset are loaded."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from diskwars_content.rulesets.registry import RULESETS
from diskwars_protocol.match.state import AnyMatch
from tests.rulesets.matches import played

MAX_OWN_PART = 0.5
"""The part of a board's JSON that a match may have for itself."""


def loaded(name: str) -> tuple[AnyMatch, AnyMatch, AnyMatch]:
    """Return the last state of a match, and the same twice as it comes out of two logs."""
    match = played(name, 2, 1)
    vocabulary = match.local.rules.vocabulary
    raw = msgspec.json.encode(match.states[-1])
    first, second = (vocabulary.share_facts(vocabulary.decode_match(raw)) for _ in range(2))
    return match.states[-1], first, second


def own_size(first: Any, second: Any) -> int:
    """Return the bytes of JSON of the fields that two boards do not share."""
    values = [(getattr(first, field.name), getattr(second, field.name)) for field in fields(first)]
    return sum(len(msgspec.json.encode(value)) for value, other in values if value is not other)


@pytest.mark.parametrize("name", RULESETS)
def test_two_matches_share_what_their_packs_print(name: str) -> None:
    state, first, second = loaded(name)
    assert first == second == state
    assert own_size(first.board, second.board) < MAX_OWN_PART * len(msgspec.json.encode(state.board))


def test_match_that_has_no_board_yet_stays_as_it_is() -> None:
    match = played("diskwars", 2, 1)
    before: AnyMatch = match.states[0]
    assert before.board is None
    assert match.local.rules.vocabulary.share_facts(before) is before


def test_facts_of_another_pack_are_not_taken_for_equal() -> None:
    """A pack of one's own may print another figure on the same disk."""
    match = played("diskwars", 2, 1)
    vocabulary, state = match.local.rules.vocabulary, match.states[-1]
    board: Any = state.board
    changed = replace(board.profiles[0], name="Other")
    other = replace(state, board=replace(board, profiles=(changed, *board.profiles[1:])))
    assert vocabulary.share_facts(other) == other
    assert vocabulary.share_facts(state) == state
