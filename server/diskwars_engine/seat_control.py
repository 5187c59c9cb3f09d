"""Control of a seat: which of a player's devices gives its nonces and secret choices, and how another one takes over.

The device whose chain was recorded last for the seat is in control. Nothing else is stored: every device can tell from
the records whether that chain is one of its own.
"""

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.events import ChainReplaced
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import AnyMatch, newest_chain_link
from diskwars_protocol.records.fairness import is_seat_nonce

MAX_CHAINS_PER_STEP = 20
"""New chains of one seat within a step of the dice, so that nobody fills the log by changing devices."""


def check_head(chain: str) -> None:
    """Raise `Illegal` for a text that is no head of a chain."""
    if not is_seat_nonce(chain):
        raise Illegal("bad_chain", "a chain head is 32 hex digits, in small letters", place="$.action.chain_head")


def replace_chain(match: AnyMatch, seat: Seat, chain: str) -> ChainReplaced:
    """Return the event of a new chain, valid from the next step but one. Raises `Illegal`.

    Another one may take its place until the next step begins: nobody can know anything yet of the step that it is for.
    """
    check_head(chain)
    now = match.seats[seat].chain
    if now is not None and now.new_head and now.superseded >= MAX_CHAINS_PER_STEP - 1:
        text = f"a seat gets at most {MAX_CHAINS_PER_STEP} new chains within a step of the dice"
        raise Illegal("not_legal", text, place="$.action.chain_head", numbers={"limit": MAX_CHAINS_PER_STEP})
    return ChainReplaced(seat, chain, match.step + 2)


def require_control(match: AnyMatch, seat: Seat, link: str) -> None:
    """Raise `Illegal` if another device has taken over since `link` was the newest of the seat."""
    if link != newest_chain_link(match.seats[seat]):
        text = "another device of yours plays this seat: take it over first"
        raise Illegal("not_in_control", text, place="$.chain_head")
