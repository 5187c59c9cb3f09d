"""Operations of programs without a browser (RFC 8628): ask for codes, and fetch the token once a player has agreed."""

from typing import Annotated, Literal
from urllib.parse import quote

from msgspec import Meta, Struct

from diskwars_protocol.messages.accounts import API_SCOPES, ApiScope
from diskwars_protocol.schema_types import AtLeastOne
from diskwars_server.api.answers import Answer, json_body
from diskwars_server.api.operations import Call, Operation
from diskwars_server.api.problems import refuse
from diskwars_server.http.routes import request_site
from diskwars_server.players.device_logins import INTERVAL_MS, LIFETIME_MS, DeviceLoginService, NoTokenYet
from diskwars_server.refusals import Refusal

GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code"
CONFIRM_PATH = "/settings"
"""The page on which a player types the code."""


class StartDeviceLogin(Struct, frozen=True, forbid_unknown_fields=True, tag="start_device_login"):
    """Request codes for a program: `client_id` is what it calls itself, `scope` what it wants, with spaces between.

    Without a scope it wants to be logged in, as a device of the account that the WebSocket takes too.
    """

    client_id: Annotated[str, Meta(min_length=1, max_length=40)]
    scope: Annotated[str, Meta(max_length=64)] = ""


class DeviceCodes(Struct, frozen=True):
    """The code that a program keeps, the one that it shows, where that is typed, and times in seconds."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: AtLeastOne
    interval: AtLeastOne


class FetchDeviceToken(Struct, frozen=True, forbid_unknown_fields=True, tag="fetch_device_token"):
    """Request the token of a program, not sooner after the last request than the codes said."""

    grant_type: Literal["urn:ietf:params:oauth:grant-type:device_code"]
    device_code: Annotated[str, Meta(min_length=1, max_length=128)]
    client_id: Annotated[str, Meta(max_length=40)] = ""


class DeviceToken(Struct, frozen=True):
    """The token, for ten minutes the same: for HTTP with scopes, for the WebSocket without any."""

    access_token: str
    token_type: Literal["Bearer"]
    scope: str


class DeviceLoginOperations:
    """The operations about logins of programs, of one server."""

    def __init__(self, logins: DeviceLoginService, public_url: str, *, is_secure: bool = False) -> None:
        """`public_url` is the address of the page; empty where a server does not know it.

        `is_secure` is whether this server speaks TLS itself.
        """
        self._logins, self._public_url, self._is_secure = logins, public_url.rstrip("/"), is_secure

    def operations(self) -> tuple[Operation, ...]:
        return (
            Operation(
                "POST",
                "/device/code",
                StartDeviceLogin,
                self._start,
                topic="play",
                summary="Codes for a program without a browser",
                response=DeviceCodes,
                sample=DeviceCodes(
                    "k1vT0g…", "BDKR-WQXZ", "/settings", "/settings?code=BDKR-WQXZ", 600, INTERVAL_MS // 1000
                ),
                codes=("unknown_scope", "bad_name", "too_many_attempts"),
                example="/device/code",
                is_private=True,
            ),
            Operation(
                "POST",
                "/device/token",
                FetchDeviceToken,
                self._fetch,
                topic="play",
                summary="Token of a program whose player has agreed",
                text="The `code` of a problem is also its `error`, as RFC 8628 calls it.",
                response=DeviceToken,
                sample=DeviceToken("api_yEXAMPLE…", "Bearer", "play watch"),
                codes=("authorization_pending", "slow_down", "access_denied", "expired_token"),
                example="/device/token",
                is_private=True,
            ),
        )

    async def _start(self, call: Call, request: StartDeviceLogin) -> Answer:
        scopes = [_scope(word) for word in request.scope.split()]
        started = await self._logins.start(call.user.address, request.client_id, scopes)
        page = f"{self._public_url or self._origin(call)}{CONFIRM_PATH}"
        complete = f"{page}?code={quote(started.user_code)}"
        return json_body(
            DeviceCodes(
                started.device_code, started.user_code, page, complete, LIFETIME_MS // 1000, INTERVAL_MS // 1000
            )
        )

    async def _fetch(self, call: Call, request: FetchDeviceToken) -> Answer:
        call.user.count_query()
        try:
            fetched = await self._logins.fetch(request.device_code)
        except NoTokenYet as fault:
            raise Refusal(fault.code, str(fault), retry_after_ms=fault.retry_after_ms) from None
        return json_body(DeviceToken(fetched.token, "Bearer", " ".join(fetched.scopes)))

    def _origin(self, call: Call) -> str:
        """Return the address by which a request came. Only its sender is answered: wrong headers mislead no other."""
        site = request_site(call.http, is_secure=self._is_secure)
        if site is None:
            raise Refusal("wrong_shape", "a request names its Host", "$")
        return site


def _scope(word: str) -> ApiScope:
    for scope in API_SCOPES:
        if scope == word:
            return scope
    raise refuse("unknown_scope", f"{word!r} is not one of {', '.join(API_SCOPES)}", "$.scope")
