"""Rows of lists of matches: who plays whom, and how it ended, short enough for a terminal of 80 columns."""

import time
from collections.abc import Callable, Iterable, Mapping

from diskwars_client.rulesets.registry import find_terminal
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import MAX_SEATS, Seat, seat_letter
from diskwars_protocol.messages.match_summary import MatchSummary, SeatSummary
from diskwars_text.listing_text import listing_text

HEADINGS = ("match", "opened", "ruleset", "players and result")
RECENT_SECONDS = 300 * 24 * 3600
"""Age up to which a match is listed with its time of day, and without its year."""


def players_of(summaries: Iterable[MatchSummary]) -> list[str]:
    """Return the people of some matches, whose names their rows show."""
    people = [seat.player for summary in summaries for seat in summary.seats if seat.player and not seat.bot]
    return list(dict.fromkeys(people))


def match_row(summary: MatchSummary, names: Mapping[str, str]) -> tuple[str, str, str, str]:
    """Return a row under `HEADINGS`. `names` are those of players by id; others are shown by their seats."""
    shown = [_seat_text(summary, seat, names) for seat in range(len(summary.seats))]
    notes = [note for note in (_deciding_text(summary, shown), _watchers_text(summary.watchers)) if note]
    if game := listing_text(summary):
        notes.insert(0, game)
    notes += ["locked"] * summary.is_locked + ["imported"] * summary.imported
    text = "; ".join([_players_text(summary, shown), *notes])
    return summary.match, _opened_text(summary.created_ms), summary.ruleset, text


def _opened_text(created_ms: int) -> str:
    seconds = created_ms / 1000
    shape = "%d %b %H:%M" if time.time() - seconds < RECENT_SECONDS else "%d %b %Y"
    return time.strftime(shape, time.localtime(seconds))


def _seat_text(summary: MatchSummary, seat: Seat, names: Mapping[str, str]) -> str:
    sitting: SeatSummary = summary.seats[seat]
    if sitting.bot:
        return f"bot {sitting.bot}"
    if sitting.player is None and not summary.imported and summary.status == "open":
        return "a free seat"
    return names.get(sitting.player or "") or f"seat {seat_letter(seat)}"


def _players_text(summary: MatchSummary, shown: list[str]) -> str:
    """Return who plays whom: `Ann against bot greedy`, `Ann beat bot greedy, 12 to 8 (victory points)`."""
    if summary.result is None:
        return f"{summary.status}: {shown[0]} against {' and '.join(shown[1:])}"
    won = [seat for seat in summary.result.winners if seat < len(shown)]
    lost = [seat for seat in range(len(shown)) if seat not in won]
    reason = f"({summary.result.end_reason.replace('_', ' ')})"
    if not won or not lost:  # nobody, or everybody
        return f"{shown[0]} against {' and '.join(shown[1:])}: {'all' if won else 'nobody'} won {reason}"
    scores = _scores_text(summary.result, won, lost, find_terminal(summary.ruleset).score_text)
    return f"{_names_text(shown, won)} beat {_names_text(shown, lost)}{scores} {reason}"


def _names_text(shown: list[str], seats: list[Seat]) -> str:
    return " and ".join(shown[seat] for seat in seats)


def _scores_text(result: Result, won: list[Seat], lost: list[Seat], score_text: Callable[[int], str]) -> str:
    """Return the scores in the order in which the players are named; empty where points play no part."""
    if len(result.scores) != len(won) + len(lost):
        return ""
    winning, losing = (" and ".join(score_text(result.scores[seat]) for seat in seats) for seats in (won, lost))
    return f", {winning} to {losing}"


def _deciding_text(summary: MatchSummary, shown: list[str]) -> str:
    seats = [seat for seat in summary.deciding if 0 <= seat < min(MAX_SEATS, len(shown))]
    return f"{_names_text(shown, seats)} to decide" if seats and summary.status == "running" else ""


def _watchers_text(count: int) -> str:
    return f"{count} watching" if count else ""
