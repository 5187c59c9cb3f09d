"""What a notebook shows of a match: a line about it, and its board as SVG."""

from collections.abc import Sequence
from html import escape

from diskwars_client.rulesets.registry import find_picture
from diskwars_protocol.match.ids import seat_letter
from diskwars_protocol.match.state import AnyMatch

MAX_WIDTH_PX = 480


def board_svg(state: AnyMatch | None) -> str | None:
    """Return the picture of the board of a match; None before there is one, and for rulesets without pictures."""
    draw = None if state is None or state.board is None else find_picture(state.ruleset)
    return None if state is None or draw is None else draw(state.board)


def match_html(match: str, state: AnyMatch | None, names: Sequence[str] = ()) -> str:
    """Return a match as HTML, with `names` of its seats."""
    if state is None:
        return f"<p><b>{escape(match)}</b>: no record has arrived</p>"
    seats = [f"{seat_letter(seat)} {escape(name)}" for seat, name in enumerate(names)]
    parts = [f"<b>{escape(match)}</b>", escape(state.ruleset), *seats, escape(_status(state))]
    picture = board_svg(state)
    board = "" if picture is None else f'<div style="max-width:{MAX_WIDTH_PX}px">{picture}</div>'
    return f"<div><p>{' · '.join(parts)}</p>{board}</div>"


def _status(state: AnyMatch) -> str:
    result = state.result
    if result is None:
        return state.status
    winners = " and ".join(seat_letter(seat) for seat in result.winners)
    return f"{f'won by {winners}' if winners else 'won by nobody'}: {result.end_reason.replace('_', ' ')}"
