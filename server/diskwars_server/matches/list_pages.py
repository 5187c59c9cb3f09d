"""Names of the pages of lists and searches: what `next_page` holds, and where it leads."""

import hashlib
import re

from diskwars_server.refusals import Refusal
from diskwars_server.store.match_index import MatchIndex

_LIST_PAGE = re.compile("([0-9]{1,16})[.]([a-z0-9-]{1,64})")
"""The time at which the last match of a page was opened, and its id."""
_SEARCH_PAGE = re.compile("([0-9]{1,16})[.]([0-9a-f]{32})")
"""The time at which the last match that a search looked at was opened, and the hash of its id."""
_DIGEST_LENGTH = 32


def match_before(page: str) -> tuple[int, str]:
    """Return the time and the id of the match that a page of a list begins after. Raises Refusal."""
    name = _LIST_PAGE.fullmatch(page)
    if name is None:
        raise Refusal("bad_page", place="$.page")
    return int(name[1]), name[2]


def search_page(last: tuple[int, str]) -> str:
    """Return the name of the page after a match, which a search has looked at but may not show: so it is not named."""
    created_ms, match = last
    return f"{created_ms}.{_digest(match)}"


async def find_search_place(matches: MatchIndex, page: str) -> tuple[int, str]:
    """Return the time and the id of the match that a page of a search begins after.

    Raises Refusal and StoreUnavailable.
    """
    name = _SEARCH_PAGE.fullmatch(page)
    if name is None:
        raise Refusal("bad_page", place="$.page")
    created_ms = int(name[1])
    there = (match for match in await matches.find_ended_at(created_ms) if _digest(match) == name[2])
    # Of a match that was removed meanwhile only the time is known: those of its millisecond have been looked at.
    return created_ms, next(there, "")


def _digest(match: str) -> str:
    return hashlib.sha256(match.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
