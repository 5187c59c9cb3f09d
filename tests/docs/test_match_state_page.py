"""docs/match-state.md and the tables of docs/fairness.md agree with the code: each is compared with what matches do."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import get_args

import msgspec.inspect as mi
import pytest
from msgspec import NODEFAULT, UNSET, Struct
from msgspec.structs import fields, replace

from diskwars_protocol.match.actions import DrawOffer
from diskwars_protocol.match.events import (
    ChainReplaced,
    MatchEnded,
    MatchEvent,
    OfferAnswered,
    OfferMade,
    PlayPaused,
    PlayResumed,
    PositionSet,
    SeatResigned,
    SeatTakenBack,
    SeatTakenOver,
    SeatVacated,
    SpentNonce,
    StepBegan,
    TakebackMade,
)
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.state import Match, RecordBody, SeatChainState, SeatState
from diskwars_protocol.records.fairness import Draw
from diskwars_protocol.records.sealed import Sealed
from diskwars_protocol.rulesets.diskwars import board as b
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.actions import BoardQuestion
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.setup_cards import Layout
from diskwars_protocol.rulesets.diskwars.setup_events import ObjectivesRevealed, RevealedObjective
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from diskwars_protocol.rulesets.registry import RULESETS
from diskwars_protocol.schema import schema
from tests.code_sizes import ROOT
from tests.docs.state_pages import (
    Json,
    changed_fields,
    code_words,
    defaults,
    documented_changes,
    first_table,
    is_covered,
    marked_table,
    rows,
)
from tests.golden.test_files import NAMES_BY_RULESET, golden_file
from tests.interop.played_matches import PLAYED_MATCHES, bodies_of, draws_of
from tests.rows import each_row

PAGE = (ROOT / "docs" / "match-state.md").read_text(encoding="utf-8")
FAIRNESS = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
VECTORS = ROOT / "tests" / "vectors" / "board_fold.json"
TRIED_MATCHES = tuple(PLAYED_MATCHES[number] for number in (1, 4, 5, 10, 13, 15))
"""In these, with the vectors, each event changes every field that it changes in any of them."""


# ---------------------------------------------------------------- what each event changes


@cache
def observed_changes() -> dict[str, set[str]]:
    """Return the fields that each event has changed in some match."""
    changes: dict[str, set[str]] = defaultdict(set)
    for bodies in [*map(bodies_of, TRIED_MATCHES), *vector_bodies(), branch_bodies()]:
        state: DiskwarsMatch | None = None
        for body in bodies:
            for event in body.events:
                state = fold_and_record(state, event, changes)
            assert state is not None
            state = DISKWARS.close_record(state, body)
        assert state is not None
        state = replace(state, seats=tuple(replace(seat, missed=1) for seat in state.seats))
        for event in RARE_EVENTS:
            state = fold_and_record(state, event, changes)
    return changes


def fold_and_record(
    state: DiskwarsMatch | None, event: e.Event | Sealed, changes: dict[str, set[str]]
) -> DiskwarsMatch:
    after = DISKWARS.fold_event(state, event)
    changes[schema.message_tag(type(event))].update(changed_fields(state, after))
    return after


def vector_bodies() -> Iterator[list[DiskwarsBody]]:
    """Yield the matches of the vector file: in one of them a seat resigns and a card finds no room."""
    for recorded in json.loads(VECTORS.read_text(encoding="utf-8"))["matches"]:
        yield [DISKWARS.decode_body(json.dumps(record["body"]).encode()) for record in recorded["records"]]


def branch_bodies() -> list[DiskwarsBody]:
    """Return a match that plays on from a moment of another one, in which a seat had resigned."""
    first, *others = [DISKWARS.decode_body(raw) for raw in golden_file("diskwars-branch").bodies]
    opened, set_ = first.events
    assert isinstance(set_, PositionSet)
    return [replace(first, events=(opened, PositionSet(replace(set_.position, resigned=(0,))))), *others]


RARE_EVENTS: tuple[e.Event, ...] = (
    ChainReplaced(0, "0" * 32, 99),
    e.DiskPoisoned(0, poisoned=True, reasons=()),
    e.DiskWounded(0, 7, ()),
    e.DiskPoisoned(0, poisoned=True, reasons=()),
    e.TokensCleared((0,), ()),
    e.DiskHealed(0, 77, ()),
    e.GuardRolled(disk=0, amount=1, enemy=2, dice=None, reasons=()),
    e.Rampaged(disk=0, targets=(1,), must_overlap=False, reasons=()),
    e.ReservesLost((0, 1), ()),
    e.DiskFlipped(disk=0, x=1, y=2, z=9999, pins_gained=(), pins_lost=()),
    e.DiskReinforced(disk=1, x=1, y=2, z=9999, pins_gained=(), pins_lost=(), terrain_entered=(5,)),
    e.CardBegan(0, "feint"),
    e.PhaseBegan("melee"),
    e.CardLocked(seat=0, step=9, commitment="", card="feint", salt="ab"),
    e.SeatEliminated(0, ()),
    ObjectivesRevealed((RevealedObjective(0, "last-stand"),), ()),
    SeatTakenOver(0),
    SeatTakenBack(0),
    OfferMade(5, 0, DrawOffer()),
    OfferAnswered(1, agree=True),
    PlayPaused(),
    OfferMade(6, 0, DrawOffer()),
    TakebackMade(0),
    PlayPaused(),
    PlayResumed(1, 77),
    OfferMade(7, 0, DrawOffer()),
    SeatResigned(1),
    StepBegan(99, "0" * 64),
    OfferMade(8, 0, DrawOffer()),
    SeatVacated(1, PlayerId("removed"), 5, (SpentNonce(0, "0" * 32),), kicked=True),
    MatchEnded("0" * 64, "0" * 64),
)
"""Events one after another that these matches do not have, or not at a time when they change everything they can."""


DOCUMENTED = documented_changes(PAGE, "match") | documented_changes(PAGE, "board")


def test_every_event_has_a_row_in_the_table() -> None:
    shared = [getattr(kind, "__origin__", kind) for kind in get_args(MatchEvent)]
    assert set(documented_changes(PAGE, "match")) == {schema.message_tag(kind) for kind in shared}
    assert set(documented_changes(PAGE, "board")) == {schema.message_tag(kind) for kind in get_args(e.BoardEvent)}


@each_row("kind", sorted(DOCUMENTED))
def test_an_event_changes_no_field_that_its_row_leaves_out(kind: str) -> None:
    is_shared = kind in documented_changes(PAGE, "match")
    for place in observed_changes().get(kind, set()):
        if not is_shared and place in ("status", "board"):
            continue  # what every event of the board does
        inside = place if is_shared else place.removeprefix("board.")
        assert is_covered(inside, DOCUMENTED[kind]), f"{kind} has changed {place}"


@each_row("kind", sorted(DOCUMENTED))
def test_an_event_changes_every_field_that_its_row_names(kind: str) -> None:
    places = {place.removeprefix("board.") for place in observed_changes()[kind]}
    for name in DOCUMENTED[kind] - {"all"}:
        assert any(is_covered(place, [name]) for place in places), f"{kind} never changes {name}"


# ---------------------------------------------------------------- structures


def test_the_fields_of_a_record_are_those_of_the_page() -> None:
    documented = [
        (code_words(name)[0], json.loads(code_words(default)[0]) if default else UNSET)
        for name, default, _ in first_table(PAGE, "## Records")
    ]
    assert documented == defaults(RecordBody)


@pytest.mark.parametrize(("heading", "kind"), [("## Match", Match), ("## Board of Diskwars", b.Board)])
def test_the_fields_of_a_state_are_those_of_the_page(heading: str, kind: type[Struct]) -> None:
    """A field with a literal value begins with the default of the code."""
    documented = {
        name: code_words(value)[0] if value.startswith("`") and "event" not in value else ""
        for names, value in first_table(PAGE, heading)
        for name in code_words(names)
    }
    assert list(documented) == list(kind.__struct_fields__)
    for name, default in defaults(kind):
        if documented[name] and default is not UNSET:
            assert json.loads(documented[name]) == default, name


def json_objects(page: str) -> list[Json]:
    """Return the objects that the page shows in running text."""
    texts = re.findall(r"`(\{[^`]*\})`", page.replace("\n", " "))
    return [
        json.loads(text.replace(": place", ": 0").replace(": name", ': ""')) for text in texts if ": digest" not in text
    ]


@each_row(
    ("begins", "kind"),
    [
        ("A seat has the fields", SeatState),
        ("A chain has the fields", SeatChainState),
        ("A disk has the fields", b.Disk),
        ("A side has the fields", b.Side),
        ("The layout has the fields", Layout),
    ],
)
def test_the_fields_that_may_be_left_out_are_named_in_order(begins: str, kind: type[Struct]) -> None:
    sentence = re.split(r"\.\s", PAGE.split(begins, 1)[1])[0]
    named = [word for word in code_words(sentence) if word in kind.__struct_fields__ and word != "profiles"]
    assert named == list(kind.__struct_fields__)


def test_every_question_of_the_board_has_a_default() -> None:
    questions = {schema.message_tag(kind) for kind in get_args(BoardQuestion)}
    assert sorted(word for cell, _ in marked_table(PAGE, "table defaults") for word in code_words(cell)) == sorted(
        questions
    )


# ---------------------------------------------------------------- draws


def test_every_draw_has_its_tag_kind_and_event_in_the_table() -> None:
    table = first_table(FAIRNESS, "### Draws")
    assert code_words(table[0][0]) == ["step", "index"]
    tags = [
        row
        for table in re.findall(r"\| tag \| kind \| event \|.*?(?=\n\n)", FAIRNESS, re.DOTALL)
        for row in rows(table)
    ]
    documented = {
        (tag, code_words(kind)[0], code_words(event)[0]) for names, kind, event, _ in tags for tag in code_words(names)
    }
    events = [event for played in TRIED_MATCHES for body in bodies_of(played) for event in body.events]
    seen = {(draw.tag, draw.kind, schema.message_tag(type(event))) for event in events for draw in draws_of(event)}
    assert seen <= documented
    files = (ROOT / "server" / "diskwars_engine").rglob("*.py")
    engine = "".join(path.read_text(encoding="utf-8") for path in files)
    literals = set(re.findall(r'(?:roll|shuffle|roll_amount|roll_checks|rolls.pick)\([^\n]*, "([a-z ]+)"\)', engine))
    tag_names = {tag for tag, _, _ in documented}
    assert literals <= tag_names
    assert [tag for tag in tag_names if f'"{tag}"' not in engine] == []


@each_row("name", RULESETS)
def test_every_draw_of_a_frozen_match_is_in_the_table_of_its_ruleset(name: str) -> None:
    page_name = {"diskwars": "Diskwars", "close_quarters": "close quarters", "pit": "the pit"}.get(name, name)
    table = FAIRNESS.split(f"The tags of {page_name}, ", 1)[1].split("\n\n", 2)[1]
    documented = {
        (tag, code_words(kind)[0], event)
        for names, kind, events, _ in rows(table)
        for tag in code_words(names)
        for event in code_words(events)
    }
    bodies = [RULESETS[name].decode_body(raw) for file in NAMES_BY_RULESET[name] for raw in golden_file(file).bodies]
    events = [event for body in bodies for event in body.events]
    seen = {(draw.tag, draw.kind, schema.message_tag(type(event))) for event in events for draw in draws_of(event)}
    assert seen
    assert seen <= documented
    known = mi.type_info(RULESETS[name].event)
    assert isinstance(known, mi.UnionType)
    assert {event for _, _, event in documented} <= {
        kind.tag for kind in known.types if isinstance(kind, mi.StructType)
    }


def test_the_fields_of_a_draw_are_those_of_the_page() -> None:
    named = [word for names, _ in first_table(FAIRNESS, "### Draws") for word in code_words(names)]
    assert named == list(Draw.__struct_fields__)


# ---------------------------------------------------------------- links


@each_row("page", ["fairness.md", *sorted(path.name for path in (ROOT / "docs").glob("match-state*.md"))])
def test_links_of_these_pages_lead_somewhere(page: str) -> None:
    folder = ROOT / "docs"
    for target in re.findall(r"\]\(([^)]+)\)", (folder / page).read_text(encoding="utf-8")):
        file, _, anchor = target.partition("#")
        linked = (folder / file if file else folder / page).resolve()
        assert linked.is_file(), target
        headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), flags=re.MULTILINE) if anchor else []
        slugs = [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]
        assert not anchor or anchor in slugs, target


def test_fields_that_are_always_written_are_marked() -> None:
    kinds = {kind.__name__: kind for kind in (Match, SeatState, b.Board, b.Disk, b.Side)}
    table = marked_table(PAGE, "always written")
    assert [name for name, _ in table] == list(kinds)
    for name, cell in table:
        assert kinds[name].__struct_config__.omit_defaults
        written = [field.encode_name for field in fields(kinds[name]) if field.default is NODEFAULT]
        assert code_words(cell) == written, name
