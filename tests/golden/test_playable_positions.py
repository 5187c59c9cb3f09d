"""The rules page replays what the engine decides, and shows what docs/rules.md says of the figures.

DISKWARS_GOLDEN=1 writes the files of the page again.
"""

import json
from functools import cache, reduce
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars.board import Board, fold
from diskwars_protocol.rulesets.diskwars.events import BlowsStruck
from tests.engine.played_match import IS_UPDATING_GOLDEN
from tests.golden.playable_positions import (
    CORE,
    FIGURES,
    SET_PIECE_RULES,
    Example,
    Node,
    PlayablePosition,
    make_examples,
)
from tests.golden.set_pieces import EXCERPTS
from tests.rows import each_row

FOLDER = Path(__file__).parents[2] / "clients" / "web" / "src" / "rules" / "figures"
INDEX = "index.json"
MAX_FILE_SIZE = 120_000
IDS = [*FIGURES, *SET_PIECE_RULES]
SHOWN_ELSEWHERE = {"archaon", "tyrion", "locking-cards"}
"""Set pieces that are no position of the page: two are figures 4 and 10, and a card is locked by a player's device."""


@cache
def examples() -> dict[str, Example]:
    return {example.id: example for example in make_examples()}


def files_of(example: Example) -> dict[str, str]:
    """Return the files of an example by name: what is printed, and the variant with the disks of the core set."""
    core = tuple(position for position in example.positions if position.name == CORE)
    printed = tuple(position for position in example.positions if position.name != CORE)
    files = {example.id: text_of(replace(example, positions=printed))}
    return files | ({f"{example.id}-{CORE}": text_of(replace(example, positions=core))} if core else {})


def text_of(example: Example) -> str:
    """Return a file of an example, with a line for each node."""
    text = json.dumps(msgspec.to_builtins(example), separators=(",", ":"))
    return text.replace('"nodes":[', '"nodes":[\n').replace(',{"seat"', ',\n{"seat"') + "\n"


def index_text() -> str:
    """Return which examples there are, the rules that each shows, and the names of its variants."""
    rows = [
        {"id": example.id, "rules": example.rules, "variants": [position.name for position in example.positions]}
        for example in examples().values()
    ]
    return json.dumps(rows, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n"


@each_row("id", IDS)
def test_the_page_replays_what_the_engine_decides(id: str) -> None:
    for name, text in files_of(examples()[id]).items():
        file = FOLDER / f"{name}.json"
        if IS_UPDATING_GOLDEN:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        assert file.read_text("utf-8") == text
        assert len(text) <= MAX_FILE_SIZE


def test_the_page_lists_every_example_with_its_rules() -> None:
    file = FOLDER / INDEX
    if IS_UPDATING_GOLDEN:
        file.write_text(index_text(), "utf-8")
    assert file.read_text("utf-8") == index_text()
    core = {f"{id}-{CORE}" for id in FIGURES}
    assert {path.stem for path in FOLDER.glob("*.json")} == {*IDS, *core, "index"}


def test_every_figure_and_set_piece_can_be_played() -> None:
    assert set(FIGURES) == {*(f"F{number}" for number in range(1, 11)), "FAQ1"}
    assert {*SET_PIECE_RULES, *SHOWN_ELSEWHERE} == set(EXCERPTS)
    for example in examples().values():
        for position in example.positions:
            assert position.nodes[0].answers, f"nothing can be done in {example.id} {position.name}"


# ---------------------------------------------------------------- what comes out


def endings(position: PlayablePosition) -> list[Board]:
    """Return the board of every way to play a position to an end, along its first outcomes and all others."""
    found: dict[int, Board] = {}

    def walk(number: int, board: Board) -> None:
        node = position.nodes[number]
        if not node.answers:
            found[number] = board
        for answer in node.answers:
            for outcome in answer.outcomes:
                if outcome.next not in seen:
                    seen.add(outcome.next)
                    after = board
                    for event in outcome.events:
                        after = fold(after, event)
                    walk(outcome.next, after)

    seen: set[int] = {0}
    walk(0, opened(position))
    return list(found.values())


def opened(position: PlayablePosition) -> Board:
    """Return the board when the first question is asked."""
    return reduce(fold, position.opening, position.board)


def named(board: Board, name: str) -> int:
    return next(disk.id for disk in board.disks if board.profiles[disk.profile].name == name)


def test_figure_1_ends_with_a_wound_and_without_stamina_with_a_removal() -> None:
    with_stamina, without, _ = examples()["F1"].positions
    assert {(b.disks[0].place, b.disks[0].wounds, b.disks[0].damage) for b in endings(with_stamina)} == {
        ("battlefield", 1, 0)
    }
    assert {b.disks[0].place for b in endings(without)} == {"casualty"}


def test_figure_8_ends_otherwise_where_grimgor_is_not_swift() -> None:
    swift, normal, _ = examples()["F8"].positions
    assert {b.disks[named(b, "Bloodthirster")].place for b in endings(swift)} == {"casualty"}
    assert {b.disks[named(b, "Bloodthirster")].place for b in endings(normal)} == {"battlefield"}


def nodes_asking(id: str, tag: str) -> list[Node]:
    return [
        node
        for node in examples()[id].positions[0].nodes
        if node.question is not None and node.question.__struct_config__.tag == tag
    ]


@each_row("id", ["F9", "FAQ1"])
def test_what_is_fought_before_the_first_question_can_be_watched(id: str) -> None:
    """F9: the Shaman and the Plaguebearers die before anybody is asked."""
    for position in examples()[id].positions:
        assert any(isinstance(event, BlowsStruck) for event in position.opening)
        assert all(disk.damage == 0 and disk.place == "battlefield" for disk in position.board.disks)
        lost = [disk.id for disk in opened(position).disks if disk.place != "battlefield"]
        assert len(lost) == (2 if id == "F9" else 0)


def test_figure_6_asks_first_for_b_or_c_and_later_for_a_or_d() -> None:
    engagements = {len(node.answers) for node in nodes_asking("F6", "engagement")}
    assert engagements == {2}


def test_nothing_is_offered_that_is_not_recorded() -> None:
    for example in examples().values():
        for node in (node for position in example.positions for node in position.nodes):
            recorded = [answer.action for answer in node.answers]
            offered = node.options.actions if node.options else ()
            assert all(action in recorded for action in offered)
