"""What the lobby shows of a match, read off its state."""

import msgspec

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.ruleset_settings import setting_values
from diskwars_protocol.match.state import AnyMatch, MatchStatus, is_revealed
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_server.store.match_index import Listing


def make_listing(state: AnyMatch, opener: str, created_ms: int, updated_ms: int) -> Listing:
    """Return what the lobby shows of a match."""
    status, seats, result = listed_fields(state)
    return Listing(
        match=state.match,
        ruleset=state.ruleset,
        status=status,
        seats=seats,
        opener=opener,
        created_ms=created_ms,
        updated_ms=updated_ms,
        result=result,
        match_options=state.match_options,
        deciding=deciding_seats(state),
        settings=setting_values(state.settings),
        packs=tuple(pack.id for pack in state.packs),
    )


def listing_after(
    vocabulary: AnyVocabulary, after: AnyMatch, opener: str, created_ms: int, *, updated_ms: int, records: int
) -> Listing:
    """Return what the lobby shows after a record: at the end also what histories are searched by."""
    listing = make_listing(after, opener, created_ms, updated_ms)
    if not is_revealed(after):
        return listing
    return msgspec.structs.replace(listing, armies=vocabulary.history_facts.armies(after.board), records=records)


def deciding_seats(state: AnyMatch) -> tuple[Seat, ...]:
    """Return the seats for whose players the match waits: those of open decisions, which every record shows to all.

    Nobody is waited for on a free seat, nor in a match that is paused.
    """
    if state.paused:
        return ()
    return tuple(sorted({decision.seat for decision in state.decisions if state.seats[decision.seat].player}))


def listed_fields(state: AnyMatch) -> tuple[MatchStatus, tuple[str | None, ...], Result | None]:
    """Return what a record may change of a listing: status, players by seat, result without its reasons."""
    result = None if state.result is None else msgspec.structs.replace(state.result, reasons=())
    return state.status, tuple(seat_state.player or None for seat_state in state.seats), result
