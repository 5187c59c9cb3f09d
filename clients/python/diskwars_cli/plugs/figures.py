"""The part of `rules --play` and `rules --learn` that a ruleset provides: positions with recorded answers."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from diskwars_client.terminal_pages import Screen


class FigureSummary(Struct, frozen=True):
    """One figure in the index. The first variant has no name: it is the figure as the sources have it."""

    id: str
    rules: tuple[str, ...]
    variants: tuple[str, ...]


class PlayedFigure(Protocol):
    """A figure as somebody plays it."""

    def opening_lines(self, screen: Screen | None = None) -> list[str]:
        """Return the position, what happens before somebody is asked, and the first question."""

    def follow(self, line: str, screen: Screen | None = None) -> list[str]:
        """Carry out an order, and return what to print: also for one that cannot be understood."""


class PlayedLesson(Protocol):
    """A board of a first match as somebody plays it."""

    @property
    def is_done(self) -> bool: ...

    def opening_lines(self, screen: Screen | None = None) -> list[str]:
        """Return the name of the board, its table, and what to type first."""

    def follow(self, line: str, screen: Screen | None = None) -> list[str]:
        """Carry out an order, and return what to print: also for one that is refused or cannot be understood."""


class Figures(Struct, frozen=True):
    """The figures of the rules of a ruleset. Each function raises OSError where their files are missing."""

    list_figures: Callable[[], tuple[FigureSummary, ...]]
    open_figure: Callable[[FigureSummary, str], PlayedFigure]
    """Takes one of the variants of a figure."""
