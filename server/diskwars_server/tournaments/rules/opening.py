"""Options of a tournament that fit together."""

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.tournaments.events import TournamentOpened
from diskwars_protocol.tournaments.options import MAX_ROUND_ROBIN_ENTRANTS, TournamentOptions

_FINAL_SIZES = (0, 2, 4, 8, 16)


def open_tournament(name: str, options: TournamentOptions, organiser: PlayerId, at_ms: int) -> TournamentOpened:
    """Return the first event of a tournament. Raises Illegal for options that do not fit together."""
    _check(options, at_ms)
    return TournamentOpened(name, options, organiser)


def _check(options: TournamentOptions, at_ms: int) -> None:
    format = options.format
    if format == "round_robin" and options.entrant_limit > MAX_ROUND_ROBIN_ENTRANTS:
        text = f"a round robin has at most {MAX_ROUND_ROBIN_ENTRANTS} entrants"
        raise _unfit(text, "entrant_limit", entrants=MAX_ROUND_ROBIN_ENTRANTS)
    if options.final_top not in _FINAL_SIZES:
        raise _unfit("a final has 2, 4, 8 or 16 entrants, or there is none", "final_top")
    if options.final_top and format not in ("round_robin", "swiss"):
        raise _unfit("only a Swiss or round-robin tournament has a final", "final_top")
    if options.rounds is not None and format != "swiss":
        raise _unfit("only a Swiss tournament has a number of rounds", "rounds")
    if options.third_place and format in ("double_elimination", "arena"):
        raise _unfit("only a single elimination has a match for the third place", "third_place")
    if options.late_entry and format in ("round_robin", "single_elimination", "double_elimination"):
        raise _unfit("only a Swiss tournament or an arena takes late entries", "late_entry")
    if options.pairs_by_hand and format == "arena":
        raise _unfit("an arena pairs by itself", "pairs_by_hand")
    if options.starts_ms is not None and options.starts_ms <= at_ms:
        raise _unfit("the start is over already", "starts_ms")
    if options.check_in_minutes and options.starts_ms is None:
        raise _unfit("a check-in needs a time of the start", "check_in_minutes")
    if len(set(options.tie_breaks)) < len(options.tie_breaks):
        raise _unfit("a tie-break is named twice", "tie_breaks")


def _unfit(text: str, field: str, **numbers: int) -> Illegal:
    return Illegal("bad_tournament", text, place=f"$.options.{field}", numbers=numbers)
