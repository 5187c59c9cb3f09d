"""Turns of connections that have received more than one frame at once.

A client may send hundreds of short frames in one go, and they are read at once. Parsing a frame takes the library some
15 µs. Parsed at once they kept every match waiting, for 70 ms where a hundred connections had been waiting to be read.
"""

import asyncio
from typing import Protocol

from diskwars_server.limits.turns import AddressTurns


class PiecewiseParser(Protocol):
    """A connection that has received what is not parsed yet."""

    @property
    def address(self) -> str: ...

    def parse_piece(self) -> None:
        """Parse a little of it."""
        ...


class ParseQueue:
    """Gives one waiting connection a turn in each round of the event loop, the addresses one after another.

    It holds no more than the connections that are open.
    """

    def __init__(self) -> None:
        self._waiting = AddressTurns[PiecewiseParser]()

    def add(self, parser: PiecewiseParser) -> None:
        """Give a connection that is not waiting yet one turn."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._take_turn)
        self._waiting.add(parser.address, parser)

    def _take_turn(self) -> None:
        parser = self._waiting.take()
        if self._waiting:  # before its turn, in which it may be added again
            asyncio.get_running_loop().call_soon(self._take_turn)
        parser.parse_piece()
