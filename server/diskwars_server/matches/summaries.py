"""Summaries of matches as lists show them, and the filters of a request for a list."""

from collections.abc import Container

from diskwars_protocol.match.bot_identity import bot_name
from diskwars_protocol.match.ids import MatchId, PlayerId
from diskwars_protocol.match.match_options import BankClock, MatchClock, MatchOptions
from diskwars_protocol.messages.lists import FollowMatches, ListMatches
from diskwars_protocol.messages.match_summary import ClockSummary, MatchOptionsSummary, MatchSummary, SeatSummary
from diskwars_server.store.listed_settings import SettingValues, unusual_settings
from diskwars_server.store.match_index import ListFilter, Listing, shows_turns_to


def filter_of(request: ListMatches | FollowMatches, viewer: PlayerId) -> ListFilter:
    """Return what a request narrows the list to, beside its status."""
    return ListFilter(
        ruleset=request.ruleset,
        player=request.player,
        own_of=viewer if request.mine else None,
        has_free_seat=request.has_free_seat,
        settings=tuple(request.settings.items()),
        pace=request.pace,
    )


def summary_of(
    listing: Listing, viewer: str, watchers: int, usual: SettingValues, bots: Container[str] = ()
) -> MatchSummary:
    """Return what a player sees of a match who may see it in a list.

    `watchers` is how many people watch it, `usual` what settings a match of its ruleset has usually.
    `bots` are players with the account of a bot.
    """
    return MatchSummary(
        match=MatchId(listing.match),
        ruleset=listing.ruleset,
        status=listing.status,
        seats=tuple(_summary_of_seat(player, bots) for player in listing.seats),
        created_ms=listing.created_ms,
        updated_ms=listing.updated_ms,
        result=listing.result,
        match_options=_summary_of_options(listing.match_options),
        is_locked=listing.is_locked,
        armies=tuple(army or "" for army in listing.armies),
        records=listing.records,
        deciding=listing.deciding if shows_turns_to(listing, viewer) else (),
        imported=listing.imported,
        watchers=watchers,
        settings=unusual_settings(listing.settings, usual),
        packs=tuple(pack for pack in listing.packs if pack != f"{listing.ruleset}/core"),
    )


def _summary_of_seat(player: str | None, bots: Container[str]) -> SeatSummary:
    if player is None:
        return SeatSummary()
    return SeatSummary(PlayerId(player), bot_name(player), player in bots)


def _summary_of_options(options: MatchOptions) -> MatchOptionsSummary:
    return MatchOptionsSummary(
        visibility=options.visibility,
        watchers=options.watchers,
        rated=options.rated,
        clock=None if options.clock is None else _summary_of_clock(options.clock),
        draws=options.draws,
        takebacks=options.takebacks,
        pauses=options.pauses,
        missed_limit=options.missed_limit,
        on_missed_limit=options.on_missed_limit,
        rematch_of=None if options.rematch_of is None else MatchId(options.rematch_of),
        branch_of=options.branch_of,
        grace_seconds=options.grace_seconds,
        abandoned_after_days=options.abandoned_after_days,
        club=options.club,
    )


def _summary_of_clock(clock: MatchClock) -> ClockSummary:
    if isinstance(clock, BankClock):
        return ClockSummary("bank", bank_seconds=clock.bank_seconds, increment_seconds=clock.increment_seconds)
    return ClockSummary("per_decision", clock.decision_seconds)
