"""The five boards of a first match in a terminal: on each, one thing is tried in vain and one is done."""

from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from diskwars_cli.rulesets.diskwars.worked_figures import FigureBrowser, FigurePosition
from diskwars_client.terminal_pages import Screen

BOARD_FOLDERS = (
    Path(__file__).parents[2] / "lessons",
    Path(__file__).parents[4] / "web" / "src" / "rulesets" / "diskwars" / "lessons" / "boards",
)
"""In an installed package, and in a clone, where the page has them."""
MAX_OTHER_ORDERS = 2
"""After this many other orders the board shows what it means."""
LessonStep: TypeAlias = Literal["try", "do", "done"]


class LessonTexts(NamedTuple):
    """What a board says: its name, what to type first, why that is refused, what to type then, and what came of it."""

    name: str
    tried: str
    tried_order: str
    refused: str
    wanted: str
    wanted_order: str
    done: str


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


class LessonPlay:
    """One board while it is played."""

    def __init__(self, number: int, texts: LessonTexts, file: _LessonFile) -> None:
        self._number, self._texts, self._file = number, texts, file
        self._browser = FigureBrowser(file.position)
        self._others = 0
        self._step: LessonStep = "try"

    @property
    def is_done(self) -> bool:
        return self._step == "done"

    def opening_lines(self, screen: Screen | None = None) -> list[str]:
        """Return the name of the board, its table, and what to type first."""
        title = f"Board {self._number} of {len(LESSONS)}: {self._texts.name}"
        return [title, self._browser.table_text(screen), "", *self._step_lines()]

    def follow(self, line: str, screen: Screen | None = None) -> list[str]:
        """Carry out an order, and return what to print: also for one that is refused or cannot be understood."""
        if line in ("", "map", "help"):
            return [self._browser.table_text(screen)] if line == "map" else self._step_lines()
        if self._step == "try":
            return self._try(line)
        told = self._browser.follow(line, screen)
        if self._browser.node_number:
            return [*told[: _question_place(told)], *self._finish()]
        return [*told, *self._do_otherwise()]

    def _step_lines(self) -> list[str]:
        if self._step == "done":
            return []
        is_try = self._step == "try"
        text = self._texts.tried if is_try else self._texts.wanted
        order = self._texts.tried_order if is_try else self._texts.wanted_order
        return [f"--> {text}: type `{order}`", *([] if is_try else self._browser.question_lines()[2:])]

    def _try(self, line: str) -> list[str]:
        """Take the order that is refused on purpose: a move before the cards, or one that names the disk."""
        name = self._texts.tried_order.removeprefix("move ").rpartition(" > ")[2].split()[0].lower()
        if name in line.lower().split() or (line.startswith("move") and self._texts.wanted_order == "1"):
            return self._refuse()
        return self._do_otherwise()

    def _refuse(self) -> list[str]:
        self._step, self._others = "do", 0
        rule = f"  [{self._file.refusal.rule}]" if self._file.refusal.rule else ""
        return [f"refused: {self._texts.refused}{rule}", *self._step_lines()]

    def _do_otherwise(self) -> list[str]:
        """Count an order that is not the one that is meant: after the second, show it."""
        self._others += 1
        if self._others < MAX_OTHER_ORDERS:
            return ["That is something else.", *self._step_lines()]
        if self._step == "try":
            return [f"`{self._texts.tried_order}` was meant.", *self._refuse()]
        told = self._browser.follow(str(self._file.done + 1))
        return ["This was meant:", *told[: _question_place(told)], *self._finish()]

    def _finish(self) -> list[str]:
        self._step = "done"
        return ["", self._texts.done]


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
