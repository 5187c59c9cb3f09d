"""Problems: the one shape in which the interface refuses a request (RFC 9457), and the status of each code."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.schema_types import AtLeastOne, JsonPlace, RuleId, WholeNumber
from diskwars_server.refusals import UNAVAILABLE_RETRY_AFTER_MS, Refusal
from diskwars_server.store.errors import StoreUnavailable

PROBLEM_TYPE = "application/problem+json"

HTTP_CODES: Mapping[str, str] = MappingProxyType(
    {
        "unknown_path": "the interface has nothing at this path",
        "bad_method": "the path does not take this method; `Allow` names those that it takes",
        "bad_content_type": "a body is JSON, and the request says so: Content-Type: application/json",
        "body_too_large": "a body has a Content-Length, of at most 16384 bytes, and 1 MB for a match file",
        "bad_token": "the request needs a token: Authorization: Bearer api_…",
        "missing_scope": "the token was made without the scope for this",
        "unknown_scope": "a scope is one of open, play, watch and import",
        "authorization_pending": "the player has not answered yet: ask again after `interval` seconds",
        "slow_down": "the program asks too often: `interval` is five seconds longer from now on",
        "access_denied": "the player has refused",
        "expired_token": "the code is unknown, used up or too old",
        "no_board": "there is no such record, or no board at it yet",
        "no_pictures": "this server draws no boards",
        "unknown_rule": "no rule has this id",
    }
)
"""Codes that only the interface gives, with what they mean; the others are those of refusals."""


OAUTH_ERRORS = ("authorization_pending", "slow_down", "access_denied", "expired_token")
"""Codes of RFC 8628, which programs look for under the name `error`."""
ProblemCode: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,63}$")]


class Problem(Struct, frozen=True, omit_defaults=True):
    """Nothing has changed. `code` says what is wrong, `detail` says it to people, `place` is the parameter or field.

    `status` is that of the response, `title` its name. The other fields are those of a `refused` message: `rule` is an
    id of the rules, `numbers` are those in the text, and with `retry_after_ms` the request may succeed later, after
    the time that `Retry-After` says in seconds. `error` is the code once more, where RFC 8628 names it.
    """

    status: int
    title: str
    code: ProblemCode
    detail: str
    place: JsonPlace | None = None
    rule: RuleId | None = None
    retry_after_ms: AtLeastOne | None = None
    numbers: dict[str, WholeNumber] = {}
    oldest_match: MatchIdText | None = None
    error: ProblemCode | None = None


_STATUS_GROUPS: Mapping[HTTPStatus, tuple[str, ...]] = {
    HTTPStatus.BAD_REQUEST: ("wrong_shape", "unknown_type", "unknown_scope", *OAUTH_ERRORS),
    HTTPStatus.UNAUTHORIZED: ("bad_token",),
    HTTPStatus.FORBIDDEN: ("not_watchable", "locked", "missing_scope"),
    HTTPStatus.NOT_FOUND: (
        "bad_page",
        "bad_resume",
        "no_board",
        "no_pictures",
        "unknown_club",
        "no_season",
        "unknown_match",
        "unknown_pack",
        "unknown_path",
        "unknown_player",
        "unknown_rule",
        "unknown_ruleset",
        "unknown_tournament",
    ),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: ("body_too_large", "import_too_large"),
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: ("bad_content_type",),
    HTTPStatus.METHOD_NOT_ALLOWED: ("bad_method",),
    HTTPStatus.TOO_MANY_REQUESTS: (
        "busy",
        "retry",
        "too_many_searches",
        "too_many_attempts",
        "too_much_history",
        "too_much_written",
        "too_many_open",
        "too_many_bots",
        "too_many_imports",
        "too_many_reviews",
        "too_many_watched",
    ),
    HTTPStatus.SERVICE_UNAVAILABLE: ("unavailable",),
    HTTPStatus.INTERNAL_SERVER_ERROR: ("fault",),
}
STATUS_OF_CODE: Mapping[str, HTTPStatus] = MappingProxyType(
    {code: status for status, codes in _STATUS_GROUPS.items() for code in codes}
)
"""The status of every code that has one of its own."""
OTHER_STATUS = HTTPStatus.CONFLICT
"""Of all other codes: the request was understood, and the rules or the state of the match do not allow it."""


def status_of(code: str) -> HTTPStatus:
    """Return the status of the response that refuses with a code."""
    return STATUS_OF_CODE.get(code, OTHER_STATUS)


def code_text(code: str) -> str:
    """Return what a code means."""
    return HTTP_CODES.get(code) or REFUSAL_CODES.get(code, "")


def refuse(code: str, text: str = "", place: str = "") -> Refusal:
    """Return the refusal of a request over HTTP."""
    return Refusal(code, text or code_text(code), place)


def refusal_of(refused: Refused) -> Refusal:
    """Return a refusal that a match has sent, to be raised."""
    return Refusal(
        refused.code,
        refused.text,
        refused.place or "",
        refused.rule or "",
        refused.retry_after_ms,
        refused.numbers,
        refused.oldest_match,
    )


def problem_of(fault: Refusal | StoreUnavailable) -> Problem:
    """Return the problem that a fault leads to."""
    if isinstance(fault, StoreUnavailable):
        fault = Refusal("unavailable", retry_after_ms=UNAVAILABLE_RETRY_AFTER_MS)
    status = status_of(fault.code)
    return Problem(
        status.value,
        status.phrase,
        fault.code,
        fault.text,
        fault.place or None,
        fault.rule or None,
        _wait_ms(status, fault.retry_after_ms),
        fault.numbers,
        fault.oldest_match,
        fault.code if fault.code in OAUTH_ERRORS else None,
    )


def _wait_ms(status: HTTPStatus, wait_ms: int | None) -> int | None:
    """Return the wait that a problem names: each that says "too many" names one."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return wait_ms or UNAVAILABLE_RETRY_AFTER_MS
    return wait_ms
