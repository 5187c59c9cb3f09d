"""Steps of one board of a first match in a terminal, whatever the ruleset: one thing is tried in vain, one is done."""

from abc import ABC, abstractmethod
from typing import Literal, NamedTuple, TypeAlias

from diskwars_client.terminal_pages import Screen

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


class LessonSteps(ABC):
    """One board while it is played; a ruleset says what an order means on it."""

    def __init__(self, title: str, texts: LessonTexts, rule: str) -> None:
        self._title, self._texts, self._rule = title, texts, rule
        self._others = 0
        self._step: LessonStep = "try"

    @abstractmethod
    def table_text(self, screen: Screen | None) -> str: ...

    @abstractmethod
    def answer_lines(self) -> list[str]:
        """Return the answers that are offered, with their numbers."""

    @abstractmethod
    def is_tried(self, line: str) -> bool:
        """Return whether an order is the one that is refused on purpose."""

    @abstractmethod
    def answer(self, line: str, screen: Screen | None) -> tuple[list[str], bool]:
        """Carry out an order; return what to print, and whether it was taken."""

    @abstractmethod
    def show_wanted(self) -> list[str]:
        """Carry out what the board means, and return what to print."""

    @property
    def is_done(self) -> bool:
        return self._step == "done"

    def opening_lines(self, screen: Screen | None = None) -> list[str]:
        """Return the name of the board, its table, and what to type first."""
        return [f"{self._title}: {self._texts.name}", self.table_text(screen), "", *self._step_lines()]

    def follow(self, line: str, screen: Screen | None = None) -> list[str]:
        """Carry out an order, and return what to print: also for one that is refused or cannot be understood."""
        if line in ("", "map", "help"):
            return [self.table_text(screen)] if line == "map" else self._step_lines()
        if self._step == "try":
            return self._refuse() if self.is_tried(line) else self._do_otherwise()
        told, is_taken = self.answer(line, screen)
        return [*told, *(self._finish() if is_taken else self._do_otherwise())]

    def _step_lines(self) -> list[str]:
        if self._step == "done":
            return []
        is_try = self._step == "try"
        text = self._texts.tried if is_try else self._texts.wanted
        order = self._texts.tried_order if is_try else self._texts.wanted_order
        return [f"--> {text}: type `{order}`", *([] if is_try else self.answer_lines())]

    def _refuse(self) -> list[str]:
        self._step, self._others = "do", 0
        rule = f"  [{self._rule}]" if self._rule else ""
        return [f"refused: {self._texts.refused}{rule}", *self._step_lines()]

    def _do_otherwise(self) -> list[str]:
        """Count an order that is not the one that is meant: after the second, show it."""
        self._others += 1
        if self._others < MAX_OTHER_ORDERS:
            return ["That is something else.", *self._step_lines()]
        if self._step == "try":
            return [f"`{self._texts.tried_order}` was meant.", *self._refuse()]
        return ["This was meant:", *self.show_wanted(), *self._finish()]

    def _finish(self) -> list[str]:
        self._step = "done"
        return ["", self._texts.done]
