"""The choice between unfinished matches and a new one, before `play` connects to a server."""

import sys
from collections.abc import Sequence

from diskwars_cli.console.command import CommandError, program_name
from diskwars_cli.console.output import print_line
from diskwars_cli.console.signals import check_stop
from diskwars_cli.play.remembered.seat_memory import RememberedSeat

MAX_LISTED_SEATS = 15
"""Unfinished matches that are listed, so that they fit a small terminal."""
YES, NEW = ("", "y", "yes", "resume", "continue"), ("n", "no", "new")


def choose_seat(seats: Sequence[RememberedSeat], *, new_allowed: bool) -> RememberedSeat | None:
    """Let the player choose one of these seats, the newest first; None for a new match. Raises CommandError."""
    shown = seats[:MAX_LISTED_SEATS]
    print_line("unfinished matches, the newest first:" if len(seats) > 1 else "you have an unfinished match:")
    for number, seat in enumerate(shown, 1):
        print_line(f"  {number}. {seat.summary}")
    if len(seats) > len(shown):
        print_line(f"  and {len(seats) - len(shown)} older ones: `{program_name()} play --match MATCH` continues one")
    numbers = "Enter" if len(shown) == 1 else f"Enter for 1, or a number to {len(shown)}"
    question = f"{numbers} continues it" + ("; `new` begins another match: " if new_allowed else ": ")
    while (answer := _read_answer(question)) is not None:
        if answer in YES:
            return shown[0]
        if answer in NEW and new_allowed:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(shown):
            return shown[int(answer) - 1]
        print_line(f"{answer[:20]!r} is none of them")
    raise CommandError("no match was chosen")


def only_seat(seats: Sequence[RememberedSeat]) -> RememberedSeat | None:
    """Return the one seat among those in matches of one name. Raises CommandError for seats on several servers."""
    places = list(dict.fromkeys(seat.url or "your own server" for seat in seats))
    if len(places) > 1:
        raise CommandError(f"you have a seat in a match {seats[0].match} on {' and on '.join(places)}: add --url")
    return seats[0] if seats else None


def _read_answer(question: str) -> str | None:
    """Return what was typed in lower case; None at the end of input."""
    print(question, end="", flush=True)
    check_stop()  # recorded during an import, a signal would not end the wait
    line = sys.stdin.readline()
    return line.strip().lower() if line else None
