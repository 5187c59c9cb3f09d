"""Messages about the seats of a match that has not begun.

Part of the two unions of `messages.py`.
"""

from msgspec import Struct

from diskwars_protocol.match.match import MatchIdText, Seat
from diskwars_protocol.schema_types import CommandId


class KickPlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="kick_player"):
    """Remove the player of a seat before the match begins. Only its opener may do that. It need not be watched.

    A person who was removed takes no seat of this match again.
    """

    id: CommandId
    match: MatchIdText
    seat: Seat
