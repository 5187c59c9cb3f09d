"""Loading of stored matches into memory, in pieces between which everything else goes on."""

import asyncio
from collections.abc import Sequence

from diskwars_engine.match import AnyRules
from diskwars_engine.match_log import MatchLog
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.records.records import Record


async def load_in_pieces(rules: AnyRules, match: MatchId, records: Sequence[Record]) -> MatchLog:
    """Load a match; others go on in between, however long it is. Raises `LogError`."""
    pieces = MatchLog.load_in_pieces(rules, match, records)
    while True:
        try:
            next(pieces)
        except StopIteration as done:
            loaded: MatchLog = done.value
            return loaded
        await asyncio.sleep(0)
