"""Listings of the lobby, read off the state of a match."""

import msgspec

from diskwars_protocol.match.ruleset_settings import setting_values
from diskwars_protocol.match.state import AnyMatch, is_revealed
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_server.store.changes import deciding_seats, listed_result, seated_players
from diskwars_server.store.match_index import Listing


def make_listing(state: AnyMatch, opener: str, created_ms: int, updated_ms: int) -> Listing:
    """Return the listing of a match."""
    return Listing(
        match=state.match,
        ruleset=state.ruleset,
        status=state.status,
        seats=seated_players(state),
        opener=opener,
        created_ms=created_ms,
        updated_ms=updated_ms,
        result=listed_result(state),
        match_options=state.match_options,
        deciding=deciding_seats(state),
        settings=setting_values(state.settings),
        packs=tuple(pack.id for pack in state.packs),
    )


def listing_after(
    vocabulary: AnyVocabulary, after: AnyMatch, opener: str, created_ms: int, *, updated_ms: int, records: int
) -> Listing:
    """Return the listing after a record: at the end also the facts that histories are searched by."""
    listing = make_listing(after, opener, created_ms, updated_ms)
    if not is_revealed(after):
        return listing
    return msgspec.structs.replace(listing, armies=vocabulary.history_facts.armies(after.board), records=records)
