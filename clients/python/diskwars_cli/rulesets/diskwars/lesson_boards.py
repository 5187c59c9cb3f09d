"""The five boards of a first match in a terminal: on each, one thing is tried in vain and one is done."""

from pathlib import Path

import msgspec
from msgspec import Struct

from diskwars_cli.plugs.lesson_steps import LessonSteps, LessonTexts
from diskwars_cli.rulesets.diskwars.worked_figures import FigureBrowser, FigurePosition
from diskwars_client.terminal_pages import Screen

BOARD_FOLDERS = (
    Path(__file__).parents[2] / "lessons",
    Path(__file__).parents[4] / "web" / "src" / "rulesets" / "diskwars" / "lessons" / "boards",
)
"""In an installed package, and in a clone, where the page has them."""

LESSONS: dict[str, LessonTexts] = {
    "turn": LessonTexts(
        "Turn a disk",
        "First try the Crossbowmen, who have acted in this round",
        "move Reikland Crossbowmen N",
        "They have acted: each disk acts once in a round.",
        "Now turn your Swordsmen twice, to the north",
        "move Marienburg Swordsmen N N",
        "A disk moves by turning over its own edge, as often as its movement says.",
    ),
    "land": LessonTexts(
        "Land on one",
        "First try Karl Franz, on whom Night Goblins lie",
        "move Karl Franz N",
        "Karl Franz is pinned, and pinned disks are not activated.",
        "Now turn your Swordsmen until they lie on the Orc Boyz",
        "move Marienburg Swordsmen 15 15 15",
        "A disk that lies on an enemy pins it: it cannot move away, and at the end of the round they fight.",
    ),
    "melee": LessonTexts(
        "A melee",
        "First try to strike Grimgor, on whom your disk does not lie",
        "Marienburg Swordsmen > Grimgor Ironhide",
        "A disk strikes only those that it pins, or that pin it.",
        "Now strike the Night Goblins",
        "2",
        "Damage of at least the toughness destroys. The counter-strikes of both destroyed your Swordsmen too.",
    ),
    "card": LessonTexts(
        "The secret card",
        "First try to move a disk: cards come before that",
        "move Karl Franz N",
        "Cards are locked first. Then disks move.",
        "Now choose a card: your opponent sees nothing of it",
        "1",
        "Both cards lie open. What they are says who goes first; their number is how many disks you activate.",
    ),
    "score": LessonTexts(
        "What scores",
        "First try the Orc Boyz, which belong to the other player",
        "move Orc Boyz S",
        "That disk is your opponent's.",
        "Now turn your Swordsmen twice, onto the wood: a player alone on it holds it",
        "move Marienburg Swordsmen N N",
        "The match is over, and the points are counted: 3 for the wood, as your objective says.",
    ),
}


class _Refusal(Struct, frozen=True):
    disk: int
    code: str
    rule: str = ""


class _LessonFile(Struct, frozen=True):
    refusal: _Refusal
    done: int
    position: FigurePosition


class LessonPlay(LessonSteps):
    """One board while it is played."""

    def __init__(self, number: int, texts: LessonTexts, file: _LessonFile) -> None:
        super().__init__(f"Board {number} of {len(LESSONS)}", texts, file.refusal.rule)
        self._texts_of_board, self._file = texts, file
        self._browser = FigureBrowser(file.position)

    def table_text(self, screen: Screen | None) -> str:
        return self._browser.table_text(screen)

    def answer_lines(self) -> list[str]:
        return self._browser.question_lines()[2:]

    def is_tried(self, line: str) -> bool:
        """Return whether an order is the one that is refused: a move before the cards, or one that names the disk."""
        texts = self._texts_of_board
        name = texts.tried_order.removeprefix("move ").rpartition(" > ")[2].split()[0].lower()
        return name in line.lower().split() or (line.startswith("move") and texts.wanted_order == "1")

    def answer(self, line: str, screen: Screen | None) -> tuple[list[str], bool]:
        told = self._browser.follow(line, screen)
        is_taken = self._browser.node_number > 0
        return told[: _question_place(told)] if is_taken else told, is_taken

    def show_wanted(self) -> list[str]:
        told = self._browser.follow(str(self._file.done + 1))
        return told[: _question_place(told)]


def _question_place(lines: list[str]) -> int:
    """Return where the question begins in what a figure prints, behind an empty line."""
    return len(lines) - 1 - lines[::-1].index("") if "" in lines else len(lines)


def open_lessons() -> tuple[LessonPlay, ...]:
    """Return the boards in their order. Raises OSError where their files are missing."""
    return tuple(LessonPlay(number, texts, _read(id)) for number, (id, texts) in enumerate(LESSONS.items(), 1))


def _read(id: str) -> _LessonFile:
    paths = [folder / f"{id}.json" for folder in BOARD_FOLDERS]
    path = next((path for path in paths if path.is_file()), paths[0])
    return msgspec.json.decode(path.read_bytes(), type=_LessonFile)
