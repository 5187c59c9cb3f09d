"""Messages between client and server, one module a topic; here they are joined to two tagged unions.

Frames are JSON text, those from a client within `ClientLimits`. Actions and records stay raw JSON until a ruleset reads
them. A topic has its requests in a table `REQUESTS`.
"""

from typing import TypeAlias

from msgspec import Struct

from diskwars_protocol.messages import (
    accounts,
    branches,
    catalogues,
    challenges,
    chat,
    clubs,
    decisions,
    files,
    history,
    lesson_progress,
    lists,
    lobby,
    notices,
    opening,
    ratings,
    rematches,
    reports,
    reviews,
    seats,
    seeks,
    tournaments,
    watching,
)
from diskwars_protocol.messages.accounts import AccountRequest, AccountResponse
from diskwars_protocol.messages.branches import BranchMatch, BranchOpened
from diskwars_protocol.messages.catalogues import CatalogueRequest, CatalogueRequestResponse
from diskwars_protocol.messages.challenges import ChallengeChanged, ChallengeRequest, ChallengeResponse
from diskwars_protocol.messages.chat import ChatPosted, ChatRequest, ChatResponse
from diskwars_protocol.messages.closing import Closing
from diskwars_protocol.messages.clubs import ClubChanged, ClubRequest, ClubResponse
from diskwars_protocol.messages.decisions import Accepted, DecisionRequest, OptionsResponse
from diskwars_protocol.messages.files import FileRequest, FileResponse
from diskwars_protocol.messages.handshake import Hello, Welcome
from diskwars_protocol.messages.history import GetRecords, Openings, RecordRange, Records
from diskwars_protocol.messages.lesson_progress import AddLessonProgress, LessonProgress
from diskwars_protocol.messages.lists import ListRequest, ListResponse, MatchesChanged
from diskwars_protocol.messages.lobby import LobbyRequest, LobbyResponse
from diskwars_protocol.messages.notices import NoticeRequest, NoticeResponse
from diskwars_protocol.messages.opening import Opened, OpeningRequest
from diskwars_protocol.messages.ratings import RatingRequest, RatingResponse
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.rematches import Rematch, RematchChanged, RematchRequest
from diskwars_protocol.messages.reports import ContentReported, PlayerReported, ReportContent, ReportPlayer
from diskwars_protocol.messages.reviews import MatchReview, ReviewMatch
from diskwars_protocol.messages.seats import SeatRequest
from diskwars_protocol.messages.seeks import MatchFound, Seeking, SeekRequest
from diskwars_protocol.messages.tournaments import TournamentChanged, TournamentRequest, TournamentResponse
from diskwars_protocol.messages.watching import Unwatched, WatchersChanged, Watching, WatchRequest

Query: TypeAlias = (
    ListRequest
    | CatalogueRequest
    | LobbyRequest
    | RematchRequest
    | BranchMatch
    | FileRequest
    | RatingRequest
    | ChatRequest
    | SeekRequest
    | ReportPlayer
    | ReportContent
    | ReviewMatch
    | NoticeRequest
    | AddLessonProgress
    | TournamentRequest
    | ChallengeRequest
    | ClubRequest
)
"""Requests that change nothing at either end of the connection."""

Request: TypeAlias = OpeningRequest | SeatRequest | WatchRequest | DecisionRequest | GetRecords | Query | AccountRequest
"""The messages that a client sends under an id, and that the server answers."""

ClientMessage: TypeAlias = Hello | Request

MatchMessage: TypeAlias = Unwatched | OptionsResponse | Openings | ChatPosted | WatchersChanged
"""Messages to those who watch a match that come without a request, beside its records.

Those that may also answer a request have no `id` when they come without one. What both ends of a connection
allow, and what a feed can broadcast, follows from this list."""
WATCH_ENDING_TYPES: tuple[type[Struct], ...] = (Unwatched,)
"""After these nothing more is sent about the match."""

PlayerMessage: TypeAlias = MatchFound | RematchChanged | TournamentChanged | ChallengeChanged | ClubChanged
"""Messages to every connection of a player that answer no request, or to all that follow what they are about."""

QueryResponse: TypeAlias = (
    ListResponse
    | CatalogueRequestResponse
    | LobbyResponse
    | Rematch
    | BranchOpened
    | FileResponse
    | AccountResponse
    | RatingResponse
    | ChatResponse
    | Seeking
    | PlayerReported
    | ContentReported
    | MatchReview
    | NoticeResponse
    | LessonProgress
    | TournamentResponse
    | ChallengeResponse
    | ClubResponse
)
"""Responses that are always to a request, and about no match that is watched."""

ServerMessage: TypeAlias = (
    Welcome
    | Opened
    | Watching
    | Records
    | MatchMessage
    | RecordRange
    | Accepted
    | Refused
    | MatchesChanged
    | PlayerMessage
    | QueryResponse
    | Closing
)

REQUESTS: dict[type[Struct], type[Struct]] = {
    **opening.REQUESTS,
    **seats.REQUESTS,
    **watching.REQUESTS,
    **decisions.REQUESTS,
    **history.REQUESTS,
    **lists.REQUESTS,
    **catalogues.REQUESTS,
    **accounts.REQUESTS,
    **lobby.REQUESTS,
    **rematches.REQUESTS,
    **branches.REQUESTS,
    **files.REQUESTS,
    **ratings.REQUESTS,
    **chat.REQUESTS,
    **seeks.REQUESTS,
    **reports.REQUESTS,
    **reviews.REQUESTS,
    **notices.REQUESTS,
    **lesson_progress.REQUESTS,
    **tournaments.REQUESTS,
    **challenges.REQUESTS,
    **clubs.REQUESTS,
}
"""Every request is answered once, under its id, by a message of this type or by `Refused`."""
