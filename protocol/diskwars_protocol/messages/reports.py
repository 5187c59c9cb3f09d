"""Messages about reports to the operators of a server: of a player in a match, and of clubs and tournaments."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.schema_types import OPAQUE_ID_PATTERN, OWN_REFUSAL, AtLeastOne, CommandId

MAX_REPORT_TEXT_LENGTH = 500

ReportText: TypeAlias = Annotated[
    str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_REPORT_TEXT_LENGTH}, extra=OWN_REFUSAL)
]
"""One line of plain text."""

ReportedContentKind: TypeAlias = Literal["club", "tournament"]
ContentIdText: TypeAlias = Annotated[str, Meta(pattern=OPAQUE_ID_PATTERN)]


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


class ReportContent(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="report_content"):
    """Report the name, the rules or the notes of a club or tournament to the operators, as they are now.

    Nobody else gets it. Sent again under its id, it is stored once.
    """

    id: CommandId
    kind: ReportedContentKind
    subject: ContentIdText
    """The id of the club or tournament."""
    text: ReportText


class ContentReported(Struct, frozen=True, gc=False, tag="content_reported"):
    """Answer to `ReportContent`: the report is stored."""

    id: CommandId
    kind: ReportedContentKind
    subject: Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]


REQUESTS: dict[type[Struct], type[Struct]] = {ReportPlayer: PlayerReported, ReportContent: ContentReported}
"""By request, the response that answers it."""
