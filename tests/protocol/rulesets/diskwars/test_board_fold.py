"""Folding the records of a match as each viewer receives them gives the boards in tests/vectors/board_fold.json.

The file is for folds in other languages. It contains three matches, record by record, with what a viewer receives where
that differs, and the viewer's board after some of them. This test compares our fold with it, and the file with the
engine: deciding its actions again gives it word for word. DISKWARS_GOLDEN=1 writes it again.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from diskwars_protocol.match.actions import Resign
from diskwars_protocol.match.ids import ALL, PUBLIC, Viewer
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from diskwars_protocol.rulesets.diskwars.setup_cards import TerrainCard, TerrainKeyword
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS, DiskwarsBody
from tests.engine.played_match import (
    IS_UPDATING_GOLDEN,
    QUICK_SETTINGS,
    Chooser,
    PlayedMatch,
    board_actions,
    build_rules,
    default_action,
    greedy_action,
    player_of,
    random_action,
    replay_or_choose,
)
from tests.engine.rulesets.diskwars.setup_positions import INCH, make_terrain_card, small_catalogue
from tests.golden.whole_match_rules import WHOLE_MATCH_CATALOGUE
from tests.rows import each_row

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[3] / "vectors" / "board_fold.json"
MAX_FILE_SIZE = 600_000
VIEWERS: dict[str, Viewer] = {"seat 0": 0, "seat 1": 1, "public": PUBLIC, "all": ALL}
PRINTED = ("settings", "field", "battle_die", "profiles", "cards", "rounds")
"""Fields of a board that are in `match_started` and never change; the states of the file leave them out."""
ABOUT = [
    "Three matches for testing a fold of records: start from nothing, fold every record in order, compare the states.",
    "A record holds its body as everybody receives it, or under a viewer's name as that viewer receives it instead;",
    'a hidden field is {"#": ""}. A state is the match of one viewer after this many records. Its board leaves out:',
    ", ".join(PRINTED) + ", which are those of the event match_started and never change.",
]


class MatchRecipe(NamedTuple):
    """The making of a match of the file, and the number of appends after which its states are taken."""

    name: str
    seed: int
    armies: tuple[str, str]
    choose: Chooser
    samples: int
    settings: a.DiskwarsSettings = QUICK_SETTINGS
    leaves: int = 0
    """Seat 0 resigns after this many records; 0 for never."""


MATCH_RECIPES = (
    MatchRecipe("fought", 1, ("chaos-patrol", "greenskin-patrol"), greedy_action, 3),
    MatchRecipe(
        "given up",
        13,
        ("high-elf-patrol", "empire-patrol"),
        random_action,
        1,
        a.DiskwarsSettings(setup="full", regiments=1),
        leaves=36,
    ),
    MatchRecipe(
        "set up in full",
        2,
        ("greenskin-patrol", "empire-patrol"),
        default_action,
        2,
        a.DiskwarsSettings(setup="full", regiments=1),
    ),
)

RARE_EVENTS = {"disk_healed", "disk_poisoned", "guard_rolled", "rampaged"}
"""Events that no disk or card of these armies can bring about."""
ROUGH_SETTINGS = (TerrainKeyword("dangerous", damage_type="physical"), TerrainKeyword("rough"))


def wild_army(name: str) -> TerrainCard:
    """Return a piece of terrain that affects disks that land on it."""
    card = make_terrain_card(name, 2 * INCH)
    return replace(
        card, faces=(replace(card.faces[0], keywords=ROUGH_SETTINGS), replace(card.faces[1], keywords=ROUGH_SETTINGS))
    )


TIGHT_SETTINGS = {
    **{f"t{n}": make_terrain_card(f"t{n}", 16 * INCH) for n in range(3)},
    "t3": wild_army("t3"),
    "t4": wild_army("t4"),
}
"""Of four terrain cards dealt at least one fits nowhere, and at least one is wild."""
RULES = build_rules(
    small_catalogue(terrain=TIGHT_SETTINGS, disks=WHOLE_MATCH_CATALOGUE.disks, armies=WHOLE_MATCH_CATALOGUE.armies)
)

# ---------------------------------------------------------------- making the file


def builtins(value: object) -> Json:
    return json.loads(msgspec.json.encode(value))


def state_of(match: DiskwarsMatch) -> Json:
    """Return a match as JSON, without what is printed on its board."""
    found = builtins(match)
    if found["board"]:
        found["board"] = {name: value for name, value in found["board"].items() if name not in PRINTED}
    return found


def play_recipe(recipe: MatchRecipe, recorded: Sequence[Json]) -> Json:
    """Return a match of the file, from the actions that are recorded in it."""
    # only the actions are read: the events are what may have changed
    given = [record["body"]["action"] for record in recorded if "action" in record["body"]]
    actions: list[a.Action] = [msgspec.convert(action, DISKWARS.action, strict=False) for action in given]
    left = board_actions(action for action in actions if not isinstance(action, Resign))
    playing = PlayedMatch(recipe.seed, recipe.armies, recipe.settings, RULES)
    while playing.state.status != "ended":
        if len(playing.bodies) == recipe.leaves:
            playing.commit(playing.decide(player_of(0), None, Resign()))
            continue
        choose = recipe.choose if IS_UPDATING_GOLDEN else None
        playing.commit(replay_or_choose(playing, playing.state.decisions[0], left, choose)[1])
    return {
        "name": recipe.name,
        "records": [record_of(playing, body) for body in playing.bodies],
        "states": list(states(playing, recipe.samples)),
    }


def record_of(playing: PlayedMatch, body: DiskwarsBody) -> Json:
    record = {"body": builtins(body)}
    for name, viewer in VIEWERS.items():
        redacted = playing.rules.redact_body(body, viewer)
        if redacted is not body and redacted != body:
            record[name] = builtins(redacted)
    return record


def states(playing: PlayedMatch, samples: int) -> Iterator[Json]:
    """Yield what each viewer holds after some records, the last among them."""
    count = len(playing.bodies)
    chosen = {count * (n + 1) // samples for n in range(samples)}
    state = None
    for seq, body in enumerate(playing.bodies, 1):
        state = playing.rules.fold(state, body)
        for name, viewer in VIEWERS.items() if seq in chosen else ():
            yield {"after": seq, "viewer": name, "match": state_of(playing.rules.view(state, viewer))}


def format_vectors(matches: Sequence[Json]) -> str:
    """Return the whole file: one line for each record and each state."""
    lines = ["{", f'"about": {json.dumps(ABOUT, indent=1)},', '"matches": [']
    for number, match in enumerate(matches):
        lines.append(f'{{"name": {json.dumps(match["name"])},')
        for key in ("records", "states"):
            rows = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in match[key]]
            lines.append(f'"{key}": [\n' + ",\n".join(rows) + "\n]" + ("," if key == "records" else ""))
        lines.append("}" + ("," if number + 1 < len(matches) else ""))
    return "\n".join([*lines, "]", "}"]) + "\n"


@cache
def vectors() -> Json:
    if IS_UPDATING_GOLDEN:
        before = json.loads(FILE.read_text("utf-8"))["matches"] if FILE.exists() else []
        recorded = {match["name"]: match["records"] for match in before}
        FILE.write_text(
            format_vectors([play_recipe(recipe, recorded.get(recipe.name, [])) for recipe in MATCH_RECIPES]), "utf-8"
        )
    return json.loads(FILE.read_text("utf-8"))["matches"]


# ---------------------------------------------------------------- the tests


def visible_state(match: Json, viewer: str) -> list[Any]:
    """Return the records of a match as a viewer receives them."""
    return [
        DISKWARS.decode_body(json.dumps(record.get(viewer, record["body"])).encode()) for record in match["records"]
    ]


def events_of(match: Json) -> list[Json]:
    return [event for record in match["records"] for event in record["body"].get("events", ())]


@each_row("viewer", VIEWERS)
@each_row("number", range(len(MATCH_RECIPES)))
def test_folding_the_records_of_a_viewer_gives_the_states_of_the_file(number: int, viewer: str) -> None:
    match = vectors()[number]
    expected = {state["after"]: state["match"] for state in match["states"] if state["viewer"] == viewer}
    assert expected
    state: DiskwarsMatch | None = None
    for seq, body in enumerate(visible_state(match, viewer), 1):
        state = DISKWARS.fold(state, body)
        if seq in expected:
            assert state_of(state) == expected.pop(seq)
    assert expected == {}


@each_row("number", range(len(MATCH_RECIPES)))
def test_fields_left_out_of_the_states_are_in_the_first_event_and_never_change(number: int) -> None:
    match = vectors()[number]
    started = next(event for event in events_of(match) if event["type"] == "match_started")
    board = builtins(DISKWARS.fold_log(visible_state(match, "public")).board)
    assert {name: board[name] for name in PRINTED} == {name: started[name] for name in PRINTED}


@each_row("number", range(len(MATCH_RECIPES)))
def test_deciding_the_actions_of_the_file_again_gives_the_file(number: int) -> None:
    assert play_recipe(MATCH_RECIPES[number], vectors()[number]["records"]) == vectors()[number]


def test_every_event_of_the_board_is_in_the_file_but_those_of_rare_disks() -> None:
    told_types = {event["type"] for match in vectors() for event in events_of(match)}
    assert {kind.__struct_config__.tag for kind in _members(e.BoardEvent)} - told_types == RARE_EVENTS


def _members(union: Any) -> Iterator[Any]:
    for member in get_args(union):
        yield from _members(member) if get_args(member) else [member]


def test_some_records_differ_for_each_viewer() -> None:
    for viewer in ("seat 0", "seat 1", "public"):
        assert any(viewer in record for match in vectors() for record in match["records"])
    assert not any("all" in record for match in vectors() for record in match["records"])


def test_the_file_stays_small_and_as_it_is_written() -> None:
    assert FILE.stat().st_size < MAX_FILE_SIZE
    assert format_vectors(vectors()) == FILE.read_text("utf-8")
