"""Rows of the table of operations: a method, a path, the request that they stand for, and who answers it.

Most requests are those of the protocol, and the answer is that of the service that answers them on a socket.
"""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec import Struct
from websockets.http11 import Request

from diskwars_protocol.messages import REQUESTS
from diskwars_protocol.messages.accounts import ApiScope
from diskwars_protocol.schema.schema import message_tag
from diskwars_server.api.answers import JSON_TYPE, Answer
from diskwars_server.api.parameters import parameter_fields
from diskwars_server.matches.match_users import MatchUser
from diskwars_server.players.users import LoggedInDevice

API_PREFIX = "/api/v1"
Method: TypeAlias = Literal["GET", "POST", "DELETE"]
Topic: TypeAlias = Literal["server", "rules", "matches", "players", "tournaments", "clubs", "play"]
RequestT = TypeVar("RequestT", bound=Struct)

COMMON_CODES = ("wrong_shape", "busy", "unavailable", "fault")
"""Codes of problems that every operation may lead to."""
_PART = re.compile(r"\{(\w+)\}")


class Call(Struct, frozen=True):
    """One request over HTTP: who makes it, and its head. `device` is that of a token; None without one."""

    user: MatchUser
    http: Request
    device: LoggedInDevice | None = None
    file: bytes = b""


class Operation:
    """One operation of the interface."""

    def __init__(
        self,
        method: Method,
        path: str,
        request: type[RequestT],
        answer: Callable[[Call, RequestT], Awaitable[Answer]],
        *,
        topic: Topic,
        summary: str,
        text: str = "",
        id: str = "",
        response: type[Struct] | None = None,
        hidden: Sequence[str] = (),
        content_types: Sequence[str] = (JSON_TYPE,),
        codes: Sequence[str] = (),
        example: str = "",
        sample: Struct | None = None,
        scope: ApiScope | None = None,
        needs_token: bool = False,
        takes_file: bool = False,
        is_private: bool = False,
    ) -> None:
        """`path` follows the prefix of the interface and has the names of fields of the request in braces.

        Without an `id` the operation is called as the request is, and without a `response` it answers as a socket does.
        With a `scope` it takes tokens that have it, and with `needs_token` it takes nothing else.
        An answer that `is_private` is kept nowhere and read by no page of another origin.
        With `takes_file` the body is a match file. `hidden` are fields of the request that are no parameters here.
        `codes` are those of problems beside the common ones; `example` is a query and a path that works, such as
        `/matches?status=running`. `sample` is an answer for those to read; without it, that of the protocol's examples.
        """
        self.method, self.path, self.request = method, path, request
        # Here the arguments fit each other; `read_request` makes the request of this type.
        self.answer: Callable[[Call, Any], Awaitable[Answer]] = answer
        self.sample, self.scope, self.needs_token, self.takes_file = sample, scope, needs_token, takes_file
        self.is_private = is_private
        self.topic, self.summary, self.text = topic, summary, text
        self.id = id or message_tag(request)
        self.response = response or REQUESTS.get(request)
        self.content_types, self.codes, self.example = (
            tuple(content_types),
            (*COMMON_CODES, *self._more_codes(), *codes),
            example,
        )
        self.parameters = parameter_fields(request, frozenset(hidden))
        self._pattern = re.compile(
            _PART.sub(r"(?P<\1>[^/]{1,256}?)", re.escape(path).replace(r"\{", "{").replace(r"\}", "}"))
        )

    @property
    def has_body(self) -> bool:
        return self.method == "POST"

    def _more_codes(self) -> tuple[str, ...]:
        """Return the codes that follow from the method and the scope."""
        of_body = ("body_too_large", "bad_content_type") if self.has_body else ()
        return (*of_body, *(("bad_token", "missing_scope") if self.scope else ()))

    @property
    def path_fields(self) -> tuple[str, ...]:
        """The names of the fields that the path holds."""
        return tuple(_PART.findall(self.path))

    def find_parts(self, path: str) -> dict[str, str] | None:
        """Return the parts of a path below the prefix, by the names of fields; None for another path."""
        found = self._pattern.fullmatch(path)
        return None if found is None else found.groupdict()
