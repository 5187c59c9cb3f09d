"""The numbers of a player's command cards, which stay the same through a match."""

from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars.board import Board


def hand_numbers(board: Board, seat: Seat) -> dict[str, int]:
    """Return the number of each card of a seat, in the order of the match's cards, from 1.

    The discards return in the order in which they were played, so the place of a card in the hand says nothing.
    Empty for a hand that is hidden.
    """
    side = board.sides[seat]
    held = if_known(side.hand)
    if held is None:
        return {}
    owned = {*held, *side.discards, *([side.revealed_card] if side.revealed_card else [])}
    return {
        card: number for number, card in enumerate((printed.id for printed in board.cards if printed.id in owned), 1)
    }
