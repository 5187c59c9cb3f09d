"""Messages about the seats of a match that has not begun."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.ids import MatchIdText, Seat
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.schema_types import NO_FIELDS, CommandId, RawLoadout

BotName: TypeAlias = Annotated[str, Meta(pattern=BOT_NAME_PATTERN)]
"""The name of a bot, in a request."""


class SeatBot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="seat_bot"):
    """Let a bot of the server take a seat of a match that has not begun, with this loadout; `seat` None: a free one.

    Only the opener may do that. The match need not be watched. `Welcome` lists the bots of each ruleset.
    """

    id: CommandId
    match: MatchIdText
    bot: BotName
    seat: Seat | None = None
    loadout: RawLoadout = NO_FIELDS


class KickPlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="kick_player"):
    """Remove the player of a seat before the match begins. Only its opener may do that. It need not be watched.

    A person who was removed takes no seat of this match again.
    """

    id: CommandId
    match: MatchIdText
    seat: Seat


SeatRequest: TypeAlias = SeatBot | KickPlayer

REQUESTS: dict[type[Struct], type[Struct]] = {SeatBot: Accepted, KickPlayer: Accepted}
"""By request, the response that answers it."""
