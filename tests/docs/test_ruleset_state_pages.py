"""docs/match-state-<ruleset>.md agree with the code: each is compared with what frozen matches do to their boards."""

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeAlias

import msgspec
import msgspec.inspect as mi
import pytest
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol.match.actions import ReadyQuestion, SeatQuestion
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.events import MATCH_EVENT_TYPES, MatchEvent
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.match.match_fold import without_takebacks
from diskwars_protocol.match.state import Match
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.pit.actions import Attack
from diskwars_protocol.rulesets.pit.events import (
    AttacksDeclared,
    CombatBegan,
    CombatEnded,
    CombatsFixed,
    FighterImproved,
    MoraleChecked,
    RoundBegan,
    SeatWithdrew,
    SlotLost,
    SlotTaken,
    TurnBegan,
    TurnOrderSet,
)
from diskwars_protocol.rulesets.regiments.events import FlightBegan, UnitRallied
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema import schema
from tests.code_sizes import ROOT
from tests.docs.page_folds import FOLDS
from tests.docs.state_pages import (
    Json,
    changed_fields,
    code_words,
    default_of,
    documented_changes,
    first_table,
    is_covered,
    marked_table,
)
from tests.golden.test_files import NAMES_BY_RULESET, golden_file
from tests.protocol.rulesets.close_quarters import close_quarters_events
from tests.rows import each_row

AnyMatch: TypeAlias = Match[Any, Any]

PAGES = {
    path.stem.removeprefix("match-state-").replace("-", "_"): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "docs").glob("match-state-*.md"))
}
CHANGES = {name: documented_changes(page, "board") for name, page in PAGES.items()}
ROWS = [(name, kind) for name in PAGES for kind in CHANGES[name]]

RARE_EVENTS: dict[str, tuple[Any, ...]] = {
    "pit": (
        TurnOrderSet((0, 1, 2, 3), ()),
        RoundBegan(2),
        MoraleChecked(0, passed=True, reasons=()),
        TurnBegan(0),
        FighterImproved(0, (), "injury", 5),
        FighterImproved(0, (), "attacks", 3),
        FighterImproved(0, (), "agility", 19),
        CombatBegan(0, (0, 5), ()),
        CombatEnded(0),
        CombatsFixed(((0, 5),), ()),
        CombatBegan(0, (0, 5), ()),
        SlotTaken(0),
        SlotLost(0, ()),
        TurnBegan(0),
        CombatBegan(0, (0, 5), ()),
        SlotTaken(0),
        SeatWithdrew(3, "resigned", ()),
        AttacksDeclared(0, (Attack(5), Attack(10)), ()),
        SeatWithdrew(1, "resigned", ()),
        SeatWithdrew(2, "resigned", ()),
        SlotTaken(0),
        AttacksDeclared(0, (Attack(5), Attack(10)), ()),
        SeatWithdrew(0, "resigned", ()),
    ),
    "close_quarters": close_quarters_events.RARE_EVENTS,
    "regiments": (FlightBegan(0, "retreated", 1, "north", ()), UnitRallied(0, "west", ())),
}
"""Events on a new board, one after another, that frozen matches do not have, or not when they change all they can."""


def frozen_states(ruleset: str) -> Iterator[tuple[AnyMatch | None, Any, AnyMatch]]:
    """Yield each event of the frozen matches of a ruleset and then the rare ones, with the states before and after."""
    vocabulary, start = RULESETS[ruleset], None
    for name in NAMES_BY_RULESET[ruleset]:
        if name.endswith("-branch"):  # it begins with a whole board
            continue
        state: AnyMatch | None = None
        for body in without_takebacks([*map(vocabulary.decode_body, golden_file(name).bodies)]):
            for event in body.events:
                before, state = state, vocabulary.fold_event(state, event)
                yield before, event, state
                if schema.message_tag(type(event)) == "match_started" and "four" in name:
                    start = state
            assert state is not None
            state = vocabulary.close_record(state, body)
    for event in RARE_EVENTS.get(ruleset, ()):
        before, start = start, vocabulary.fold_event(start, event)
        yield before, event, start


@cache
def observed_changes(ruleset: str) -> dict[str, set[str]]:
    """Return the fields of the board that each event has changed."""
    fields_by_event: dict[str, set[str]] = defaultdict(set)
    for before, event, after in frozen_states(ruleset):
        if type(event) not in MATCH_EVENT_TYPES:
            board = None if before is None else before.board
            fields_by_event[schema.message_tag(type(event))].update(changed_fields(board, after.board))
    return fields_by_event


# ---------------------------------------------------------------- events


def tags_of(union: Any) -> set[object]:
    known = mi.type_info(union)
    assert isinstance(known, mi.UnionType)
    return {kind.tag for kind in known.types if isinstance(kind, mi.StructType)}


@each_row("ruleset", PAGES)
def test_every_event_of_the_board_has_a_row(ruleset: str) -> None:
    assert set(CHANGES[ruleset]) == tags_of(RULESETS[ruleset].event) - tags_of(MatchEvent)


@each_row(("ruleset", "kind"), ROWS)
def test_an_event_changes_no_field_of_the_board_that_its_row_leaves_out(ruleset: str, kind: str) -> None:
    for place in observed_changes(ruleset)[kind]:
        assert is_covered(place, CHANGES[ruleset][kind]), f"{kind} has changed {place}"


@each_row(("ruleset", "kind"), ROWS)
def test_an_event_changes_every_field_of_the_board_that_its_row_names(ruleset: str, kind: str) -> None:
    places = observed_changes(ruleset)[kind]
    for name in CHANGES[ruleset][kind] - {"all"}:
        assert any(is_covered(place, [name]) for place in places), f"{kind} never changes {name}"


# ---------------------------------------------------------------- fields


def structs_of(kind: mi.Type) -> Iterator[type[Struct]]:
    """Yield the structs that a type is made of."""
    match kind:
        case mi.StructType():
            yield kind.cls
            for field in kind.fields:
                yield from structs_of(field.type)
        case mi.UnionType():
            for part in kind.types:
                yield from structs_of(part)
        case mi.VarTupleType():
            yield from structs_of(kind.item_type)
        case mi.TupleType():
            for part in kind.item_types:
                yield from structs_of(part)
        case _:
            return


def board_structs(ruleset: str) -> dict[str, type[Struct]]:
    return {cls.__name__: cls for cls in structs_of(mi.type_info(RULESETS[ruleset].board))}


def check_fields(table: list[list[str]], kind: type[Struct], defaults_are_complete: bool) -> None:
    """Check that a table has the fields of a struct in their order, and that the defaults it gives are those."""
    documented = {name: code_words(cell) for names, cell, *_ in table for name in code_words(names)}
    assert list(documented) == list(kind.__struct_fields__)
    for field in fields(kind):
        given = documented[field.encode_name]
        # a default that a function makes is written (`always_written`)
        is_written = field.default is NODEFAULT
        if defaults_are_complete:
            assert bool(given) != is_written, field.encode_name
        if len(given) == 1 and not is_written:
            assert json.loads(given[0]) == default_of(field), field.encode_name


@each_row("ruleset", PAGES)
def test_the_fields_of_the_board_are_those_of_the_page(ruleset: str) -> None:
    heading = re.search(r"^## Board of .*$", PAGES[ruleset], re.MULTILINE)
    assert heading
    check_fields(first_table(PAGES[ruleset], heading[0]), RULESETS[ruleset].board, defaults_are_complete=False)


@each_row(
    ("ruleset", "struct"),
    [(name, struct) for name, page in PAGES.items() for struct in re.findall(r"<!-- fields (\w+) -->", page)],
)
def test_the_fields_of_a_part_of_the_board_are_those_of_the_page(ruleset: str, struct: str) -> None:
    table = marked_table(PAGES[ruleset], f"fields {struct}")
    check_fields(table, board_structs(ruleset)[struct], defaults_are_complete=True)


@each_row("ruleset", PAGES)
def test_every_field_within_the_board_is_named(ruleset: str) -> None:
    """Actions and settings on the board are those of the protocol page and the schema."""
    named = set(code_words(PAGES[ruleset]))
    for kind in board_structs(ruleset).values():
        if not kind.__module__.endswith(".actions"):
            assert [name for name in kind.__struct_fields__ if name not in named] == [], kind


# ---------------------------------------------------------------- views


def documented_secrets(ruleset: str) -> set[tuple[str, str]]:
    """Return the secrets of a ruleset, each with the event, action or array of the board that it is in."""
    section = PAGES[ruleset].split("\n## Views of ", 1)[1].split("\n## ", 1)[0]
    table = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| ")][1:]
    pairs = {(place, name) for places, names in table for place in code_words(places) for name in code_words(names)}
    return {(place, name) for place, name in pairs if place not in ("ready", "seat_nonce_opened") and name != "digest"}


def hidden_fields(value: Struct) -> set[tuple[str, str]]:
    names = {name for name in value.__struct_fields__ if getattr(value, name) == HIDDEN}
    return {(schema.message_tag(type(value)), name) for name in names}


@each_row("ruleset", PAGES)
def test_the_public_sees_all_but_the_secrets_of_the_page(ruleset: str) -> None:
    """Everything that a ruleset hides is on the page of the match state."""
    rules, vocabulary, secrets = load_ruleset(ruleset, ()), RULESETS[ruleset], set[tuple[str, str]]()
    for _, event, after in frozen_states(ruleset):
        if type(event) not in MATCH_EVENT_TYPES:
            secrets |= hidden_fields(rules.redact(event, PUBLIC))
        if after.board is not None:
            shown = changed_fields(after.board, rules.view(after.board, PUBLIC))
            secrets |= {(array, name) for array, name in (place.split("[].") for place in shown)}
    for name in NAMES_BY_RULESET[ruleset]:
        for body in map(vocabulary.decode_body, golden_file(name).bodies):
            if body.seat is not None and body.action is not None:
                secrets |= hidden_fields(rules.redact_action(body.action, body.seat, PUBLIC))
    assert secrets == documented_secrets(ruleset)


# ---------------------------------------------------------------- default actions


def first_action(options: Options[Any, Any, Any]) -> Any:
    return options.actions[0]


def first_example(options: Options[Any, Any, Any]) -> Any:
    return options.parametric[0].example


ANSWERS: dict[str, Callable[[Options[Any, Any, Any]], Any]] = {
    "the first of `actions` in the options": first_action,
    "the example of the first of `parametric` in the options": first_example,
}


def documented_defaults(ruleset: str) -> dict[str, str]:
    return {
        question: answer
        for questions, answer, *_ in marked_table(PAGES[ruleset], "table defaults")
        for question in code_words(questions)
    }


def without_salt(action: Any) -> Any:
    """Return an action as JSON, without the hidden salt of a lock."""
    plain = msgspec.to_builtins(action)
    plain.pop("salt", None)
    return plain


@each_row("ruleset", PAGES)
def test_every_question_has_a_default_action(ruleset: str) -> None:
    asked_before = {schema.message_tag(kind) for kind in (SeatQuestion, ReadyQuestion)}
    assert set(documented_defaults(ruleset)) == tags_of(RULESETS[ruleset].question) - asked_before


@each_row("ruleset", PAGES)
def test_default_actions_of_frozen_matches_are_those_of_the_page(ruleset: str) -> None:
    """Only the type of the action is compared if the page names no more."""
    rules, vocabulary = load_ruleset(ruleset, ()), RULESETS[ruleset]
    documented, seen = documented_defaults(ruleset), set()
    for name in NAMES_BY_RULESET[ruleset]:
        state: AnyMatch | None = None
        for body in without_takebacks([*map(vocabulary.decode_body, golden_file(name).bodies)]):
            state = vocabulary.fold(state, body)
            for decision in state.decisions if state.board is not None else ():
                kind = schema.message_tag(type(decision.question))
                dice = QuickDice(random.Random(1), len(state.seats))
                action = rules.default(state.board, decision.seat, decision.question, dice)
                phrase = next((known for known in ANSWERS if documented[kind].startswith(known)), None)
                if phrase is None:
                    assert schema.message_tag(type(action)) == code_words(documented[kind])[0]
                else:
                    options = rules.options(state.board, decision.seat, decision.question)
                    assert without_salt(action) == without_salt(ANSWERS[phrase](options)), kind
                seen.add(kind)
    assert seen == set(documented)


# ---------------------------------------------------------------- a fold written from the page


def without_defaults(ruleset: str, board: Json) -> Json:
    """Return a board as it is written: without the fields that have the default that the page gives."""
    page = PAGES[ruleset]
    heading = re.search(r"^## Board of .*$", page, re.MULTILINE)
    assert heading
    parts = {"board": first_table(page, heading[0])}
    parts |= {name: marked_table(page, f"fields {kind}") for name, kind in PARTS_OF_BOARDS[ruleset].items()}
    return written(board, "board", {name: defaults_of(table) for name, table in parts.items()})


PARTS_OF_BOARDS = {
    "pit": {"fighters": "Fighter", "seats": "PitSeat", "combat": "CombatState"},
    "regiments": {"units": "Unit", "locks": "OrdersLock"},
}


def defaults_of(table: list[list[str]]) -> dict[str, Json]:
    return {name: json.loads(code_words(row[1])[0]) for row in table if row[1] for name in code_words(row[0])}


def written(item: Json, part: str, parts: dict[str, dict[str, Json]]) -> Json:
    if isinstance(item, list):
        return [written(entry, part, parts) for entry in item]
    if part not in parts or not isinstance(item, dict):
        return item
    default = parts[part]
    return {
        name: written(value, name, parts)
        for name, value in item.items()
        if not (name in default and default[name] == value)
    }


@pytest.mark.parametrize("ruleset", FOLDS)
def test_a_fold_written_from_the_page_gives_the_same_boards(ruleset: str) -> None:
    """After each event of the frozen matches, and of the rare events."""
    start, fold = FOLDS[ruleset]
    board: Json = None
    for before, event, after in frozen_states(ruleset):
        if type(event) in MATCH_EVENT_TYPES:
            continue
        if schema.message_tag(type(event)) == "match_started":
            board = start(plain(event))
        elif event is RARE_EVENTS[ruleset][0]:
            assert before is not None
            board = start(plain(started_event(ruleset)))
            assert without_defaults(ruleset, board) == plain(before.board)
            fold(board, plain(event))
        else:
            fold(board, plain(event))
        assert without_defaults(ruleset, board) == plain(after.board), event


def started_event(ruleset: str) -> Any:
    """Return the event that begins the match of four players, on whose board the rare events happen."""
    name = next(name for name in NAMES_BY_RULESET[ruleset] if "four" in name)
    bodies = map(RULESETS[ruleset].decode_body, golden_file(name).bodies)
    return next(event for body in bodies for event in body.events if schema.message_tag(type(event)) == "match_started")


def plain(value: Any) -> Json:
    return json.loads(msgspec.json.encode(value))


def test_hidden_orders_fold_to_hidden_orders() -> None:
    """A lock of another seat is sealed in a record and hidden in the state."""
    start, fold = FOLDS["regiments"]
    board = start(plain(started_event("regiments")))
    sealed, text = {"#": "ab"}, "0" * 64
    event = {"type": "orders_locked", "seat": 1, "step": 2, "commitment": text, "orders": sealed, "salt": sealed}
    vocabulary = RULESETS["regiments"]
    folded = vocabulary.fold_board(None, started_event("regiments"))
    folded = vocabulary.fold_board(folded, msgspec.json.decode(json.dumps(event), type=vocabulary.event))
    fold(board, event)
    assert plain(folded)["locks"] == [{"seat": 1, "orders": {"#": ""}, "salt": {"#": ""}}]
    assert without_defaults("regiments", board) == plain(folded)
