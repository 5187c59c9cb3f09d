"""Rows of the table of requests: the answer to one kind of request, and its admission.

Each service offers the rows of its requests; `session.requests` joins them.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.messages import ServerMessage
from diskwars_server.broadcast.outbox import Outbox
from diskwars_server.players.users import User

UserT_contra = TypeVar("UserT_contra", contravariant=True)
RequestT = TypeVar("RequestT", bound=Struct)

HistoryBudget: TypeAlias = Literal["unused", "lenient", "strict"]
"""Whether a request waits while too much history was sent; `lenient` has twice the budget of `strict`."""


class MatchRequest(Protocol):
    """A request that names a match."""

    @property
    def match(self) -> MatchId: ...


def match_of(request: MatchRequest) -> MatchId:
    return request.match


class Handler(Generic[UserT_contra]):
    """The answer to one kind of request, and what a request has to pass first, in the order of the arguments."""

    def __init__(
        self,
        request: type[RequestT],
        answer: Callable[[UserT_contra, RequestT], Awaitable[ServerMessage | None]],
        *,
        refused_match: Callable[[RequestT], MatchId] | None = None,
        counts_query: bool = True,
        history: HistoryBudget = "unused",
        watched_match: Callable[[RequestT], MatchId] | None = None,
        opened_match: Callable[[UserT_contra, RequestT], MatchId] | None = None,
        waits_turn: bool = False,
        in_background: bool = False,
    ) -> None:
        """`answer` returns the response, or None where it sends it itself. It may raise Refusal and StoreUnavailable.

        `refused_match` is the match that a refusal names, with its open decisions if it is watched.
        With `counts_query` the request is one of the queries of its address. With `watched_match` or `opened_match` the
        connection moves first to the process that is the home of this match. With `waits_turn` few such requests are
        worked on at once; others wait. With `in_background` later requests of the connection do not wait for it.
        """
        self.request: type[Struct] = request
        # Here the arguments fit each other; a table of rows finds the one for a request by the type of the request.
        self.answer: Callable[[UserT_contra, Any], Awaitable[ServerMessage | None]] = answer
        self.refused_match: Callable[[Any], MatchId] | None = refused_match
        self.counts_query, self.history = counts_query, history
        self.watched_match: Callable[[Any], MatchId] | None = watched_match
        self.opened_match: Callable[[UserT_contra, Any], MatchId] | None = opened_match
        self.waits_turn, self.in_background = waits_turn, in_background


class RequestService(Protocol):
    """A service that answers requests of any user and remembers connections."""

    def handlers(self) -> "Handlers[User]": ...

    def leave(self, outbox: Outbox) -> None:
        """Forget a connection that has ended."""


class ImmediateHandler(Generic[UserT_contra]):
    """The answer to a kind of request about a match that is handled while its frame is read."""

    def __init__(
        self,
        request: type[RequestT],
        answer: Callable[[UserT_contra, RequestT], None],
        *,
        refused_match: Callable[[RequestT], MatchId],
    ) -> None:
        self.request: type[Struct] = request
        self.answer: Callable[[UserT_contra, Any], None] = answer
        self.refused_match: Callable[[Any], MatchId] = refused_match


Handlers: TypeAlias = tuple[Handler[UserT_contra], ...]
ImmediateHandlers: TypeAlias = tuple[ImmediateHandler[UserT_contra], ...]
