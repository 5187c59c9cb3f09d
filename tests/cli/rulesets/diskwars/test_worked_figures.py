"""The figures of the rules in a terminal: with the core set's disks, the numbers of the article and the FAQ."""

import pytest

from diskwars_cli.plugs.figures import FigureSummary
from diskwars_cli.rulesets.diskwars.worked_figures import (
    CORE,
    FigureAnswer,
    FigureBrowser,
    list_figures,
    load_position,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.rows import each_row

CORE_FIGURES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "F1": (
        ("move Bloodcrushers W",),
        ("Impact 6, rolled 6 on Karl Franz -> 6 damage (10 of 5), wound 1 (stamina 1)",),
    ),
    "F2": (
        ("1", "move Steam Tank E x2"),
        ("hit hit miss -> 6 damage (6 of 6), wound 1 (stamina 1)", "Impact 3 on River Troll -> 3 damage (3 of 6)"),
    ),
    "F3": (
        ("2",),
        ("Flamers shot Teclis", "critical miss -> 2 arcane damage, 0 counted (0 of 5), got an activation token"),
    ),
    "F4": (
        ("move Archaon N", "move Sun Dragon W x2"),
        (
            "Sky Cutter took 1 untyped damage (3 of 6)",
            "Militia Spearmen took 1 untyped damage (4 of 6)",
            "Maiden Guard took 1 untyped damage (2 of 6)",
            "1 untyped damage (1 of 7)",
            "Militia Spearmen took 1 untyped damage (5 of 6)",
            "Sky Cutter took 1 untyped damage (5 of 6)",
            "Maiden Guard took 1 untyped damage (3 of 6)",
        ),
    ),
    "F5": (("1", "1", "1"), ("Militia Spearmen struck Orc Boyz", "Night Goblins struck Swordmasters of Hoeth")),
    "F6": (
        ("1",),
        (
            "Luthor Huss struck Wolf Riders for 5",
            "Valkia the Bloody struck Grom the Paunch for 6",
            "1. Hellstriders, Grom the Paunch, Wolf Riders, Boar Boyz against Hellblaster Volley Gun, Flamers, Knights",
            "2. Knights Panther, Marienburg Swordsmen, Talabheim Greatswords against Hellstriders",
        ),
    ),
    "F7": (
        ("1", "2", "4"),
        (
            "Azhag the Slaughterer struck Kurgan Marauders",
            "Azhag the Slaughterer struck Bloodcrushers for 6; Azhag the Slaughterer struck Archaon for 6",
            "Archaon took 12 damage (12 of 5), wound 1 (stamina 1)",
        ),
    ),
    "F8": (
        ("1",),
        (
            "Black Orcs struck Bloodthirster for 6; Bloodthirster struck Grimgor Ironhide for 5",
            "Bloodthirster took 6 damage (6 of 6), destroyed",
            "Grimgor Ironhide took 5 damage (5 of 7)",
        ),
    ),
    "F9": (
        ("2",),
        (
            "swift: Grimgor Ironhide struck Swordmasters of Hoeth for 6; Militia Spearmen struck Grimgor",
            "Swordmasters of Hoeth took 6 damage (6 of 5), destroyed",
            "Grimgor Ironhide took 3 damage (3 of 7)",
        ),
    ),
    "F10": (
        ("2", "dice 6"),
        (
            "Marienburg Swordsmen took 5 damage (5 of 4), destroyed",
            "Tyrion took 3 damage (3 of 5)",
            "a wound on 5 or more, rolled 6, wound 1 (stamina 1)",
            "Ellyrian Reavers took 5 damage (5 of 4), destroyed",
            "Steam Tank took 3 damage (3 of 6)",
        ),
    ),
    "FAQ1": (
        ("2", "1"),
        (
            "River Troll struck Teclis for 5; Wolf Riders struck High Mage for 3; Teclis struck River Troll for 3",
            "Teclis took 5 damage (5 of 5), wound 1 (stamina 1)",
            "High Mage took 3 damage (3 of 3), destroyed",
            "River Troll took 3 damage (6 of 6), wound 1 (stamina 1)",
            "Wolf Riders took 3 damage (3 of 3), destroyed",
        ),
    ),
}
"""Orders, and what the terminal tells after them, in this order."""


def summary(id: str) -> FigureSummary:
    return next(figure for figure in list_figures() if figure.id == id)


def open_figure(id: str, variant: str = "") -> FigureBrowser:
    return FigureBrowser(load_position(summary(id), variant))


def board_of(browser: FigureBrowser) -> Board:
    assert browser.match.board is not None
    return browser.match.board


@each_row(("id", "orders", "told"), [(id, *rest) for id, rest in CORE_FIGURES.items()])
def test_figures_with_core_disks_have_the_numbers_of_the_article(
    id: str, orders: tuple[str, ...], told: tuple[str, ...]
) -> None:
    """F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, FAQ1."""
    browser = open_figure(id, CORE)
    text, at = "\n".join(line for order in orders for line in browser.follow(order)), 0
    for line in told:
        assert line in text[at:], f"{line}\n\n{text}"
        at = text.index(line, at) + len(line)


def test_every_worked_example_can_be_laid_with_core_disks() -> None:
    """The ten figures and the scrum of the FAQ; set pieces have the disks of the core set as they are."""
    assert [figure.id for figure in list_figures() if CORE in figure.variants] == list(CORE_FIGURES)


def test_scrum_of_the_faq_begins_with_three_of_the_spearmen() -> None:
    """FAQ1: the engagement before the first question; the terminal shows it on the table."""
    assert "r River Troll  damage 3/6" in open_figure("FAQ1", CORE).table_text()


def test_figure_8_begins_with_a_wound_of_the_first_six() -> None:
    assert "b Bloodthirster  wounds 1/1" in open_figure("F8", CORE).table_text()


def walk(browser: FigureBrowser, seen: set[int]) -> None:
    if browser.node_number in seen:
        return
    seen.add(browser.node_number)
    for place, answer in enumerate(browser.node.answers, 1):
        for dice in range(len(answer.outcomes)):
            told = browser.follow(str(place))
            assert not told[0].startswith(("the figure", "type")), told
            if dice:
                browser.follow(f"dice {dice + 1}")
            walk(browser, seen)
            browser.follow("undo")


@each_row(("id", "variant"), [(figure.id, variant) for figure in list_figures() for variant in figure.variants])
def test_every_recorded_answer_can_be_given_with_every_outcome_of_its_dice(id: str, variant: str) -> None:
    position, seen = load_position(summary(id), variant), set[int]()
    walk(FigureBrowser(position), seen)
    assert len(seen) == len(position.nodes)


def test_answer_that_is_not_recorded_is_answered_with_what_is() -> None:
    browser = open_figure("F4", CORE)
    assert browser.follow("move Archaon E") == ["the figure has no answer to that. It shows: move Archaon N (0°)"]
    assert browser.follow("7") == ["type 1; `help` says more"]
    assert browser.follow("dice 2") == ["the last answer was not recorded with such dice"]
    assert browser.follow("undo") == ["nothing was answered yet"]
    assert "pins Militia Spearmen and Sky Cutter" in browser.follow("preview move Archaon N")[0]
    assert browser.node.answers


def test_order_that_leaves_open_whether_more_follows_means_the_recorded_answer() -> None:
    browser = open_figure("F2")

    def taken(order: str) -> FigureAnswer:
        browser.follow(order)
        answer = browser._taken[-1][0]
        browser.follow("undo")
        return answer

    flips = [answer for answer in open_figure("F2").node.answers if answer.action.__struct_config__.tag == "move_disk"]
    assert taken("move Steam Tank E x2") in flips
    assert taken("move Steam Tank E") in flips


def test_answer_is_taken_back_and_given_with_other_dice() -> None:
    browser = open_figure("F1", CORE)
    before = board_of(browser)
    assert "rolled 6" in browser.follow("1")[1]
    assert "rolled 2" in browser.follow("dice 3")[1]
    assert board_of(browser) != before
    assert browser.follow("1") == ["the figure ends here: nothing is asked"]
    browser.follow("undo")
    assert board_of(browser) == before


@pytest.mark.parametrize(("id", "variant"), [("F2", "no_stamina"), ("terrain", CORE)])
def test_unknown_variant_is_an_error(id: str, variant: str) -> None:
    with pytest.raises(KeyError):
        load_position(summary(id), variant)


@each_row("variant", ["", CORE])
def test_figure_9_narrates_what_is_fought_before_its_first_question(variant: str) -> None:
    """F9: the Shaman and the Plaguebearers die before anybody is asked."""
    text = "\n".join(open_figure("F9", variant).opening_lines())
    table, fought, question = text.partition("-- Melee phase")[0], text.partition("-- Melee phase")[2], text[-400:]
    assert "Shaman" in table
    assert fought.count("destroyed") == 2
    assert "chooses whom to strike" in question
    assert "-- Melee phase" not in "\n".join(open_figure("F4", variant).opening_lines())
