"""The requests and responses of topics with modules of their own, gathered for the unions of `messages.py`."""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.messages.chat import CHAT_RESPONSE_TYPES, ChatRequest, ChatResponse
from diskwars_protocol.messages.ratings import RATING_RESPONSE_TYPES, RatingRequest, RatingResponse
from diskwars_protocol.messages.rematches import RematchChanged
from diskwars_protocol.messages.reports import REPORT_RESPONSE_TYPES, PlayerReported, ReportPlayer
from diskwars_protocol.messages.seeks import SEEK_RESPONSE_TYPES, MatchFound, Seeking, SeekMatch, StopSeeking

SeekRequest: TypeAlias = SeekMatch | StopSeeking
TopicRequest: TypeAlias = RatingRequest | ChatRequest | SeekRequest | ReportPlayer
TopicResponse: TypeAlias = RatingResponse | ChatResponse | Seeking | PlayerReported
TOPIC_RESPONSE_TYPES: dict[type[Struct], type[Struct]] = {
    **RATING_RESPONSE_TYPES,
    **CHAT_RESPONSE_TYPES,
    **SEEK_RESPONSE_TYPES,
    **REPORT_RESPONSE_TYPES,
}
"""By request, the response that answers it."""

PlayerNotice: TypeAlias = MatchFound | RematchChanged
"""Messages to every connection of a player that answer no request."""
