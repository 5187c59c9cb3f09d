"""The console of a terminal, as the program that has one provides it."""

from collections.abc import Sequence
from typing import Protocol

from diskwars_client.terminal_pages import Screen


class Console(Protocol):
    """Source of typed lines and destination of output."""

    async def read_line(self) -> str | None:
        """Return the next line, also one typed before it was wanted; None at the end of input."""

    def show_prompt(self, text: str) -> None: ...

    def print_line(self, text: str) -> None: ...

    def screen(self) -> Screen | None:
        """Return the size of the screen; None where there is none, and everything is printed at once."""

    def ring_bell(self) -> None:
        """Call the player, where a bell is wanted."""

    def set_status(self, text: str) -> None:
        """Show whose turn it is, where there is a place for it."""

    def set_completions(self, orders: Sequence[str], names: Sequence[str]) -> None:
        """Offer these orders as first words, and these names behind them."""
