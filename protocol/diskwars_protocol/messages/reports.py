"""Messages about reports: a player tells the operators of a server what another one has done, and where in a match."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.schema_types import OWN_REFUSAL, AtLeastOne, CommandId

MAX_REPORT_TEXT_LENGTH = 500

ReportText: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_REPORT_TEXT_LENGTH}, extra=OWN_REFUSAL)
]
"""One line of plain text."""


class ReportPlayer(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="report_player"):
    """Report another player to the operators, for what happened in a watched match at record `seq`.

    Nobody else gets it. Sent again under its id, it is stored once.
    """

    id: CommandId
    match: MatchIdText
    seq: AtLeastOne
    player: PlayerIdText
    text: ReportText


class PlayerReported(Struct, frozen=True, gc=False, tag="player_reported"):
    """Answer to `ReportPlayer`: the report is stored."""

    id: CommandId
    match: MatchIdText


REQUESTS: dict[type[Struct], type[Struct]] = {ReportPlayer: PlayerReported}
"""By request, the response that answers it."""
