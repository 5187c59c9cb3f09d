"""The message before a connection is closed: reasons, close codes, and when to reconnect."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.schema_types import AtLeastOne, JsonPlace

CloseReason: TypeAlias = Literal[
    "going_away",
    "binary",
    "too_big",
    "fault",
    "protocol",
    "bad_frame",
    "unsupported_version",
    "hello_expected",
    "token_expired",
    "token_bad",
    "flood",
    "slow",
    "gap",
    "bad_record",
    "token_revoked",
    "restarting",
    "banned",
]
"""A stable word for why a connection is closed. `CLOSE_CODES` has the WebSocket close code that goes with each."""

CloseReasonText: TypeAlias = Annotated[str, Meta(extra={"content": "CloseReason"})]
"""A `CloseReason`, or one that a later server has added: readers take any."""


class Closing(Struct, frozen=True, gc=False, omit_defaults=True, tag="closing"):
    """Sent before the server closes: the close code, a stable word for it, why, and when to reconnect.

    `place` is where in the frame the fault lies; `versions` are those that the server speaks, when that was the reason.
    A reader that does not know the word reconnects if there is a `retry_after_ms`, and otherwise does not.
    """

    code: AtLeastOne
    close_reason: CloseReasonText
    text: str
    retry_after_ms: AtLeastOne | None = None
    place: JsonPlace | None = None
    versions: tuple[AtLeastOne, ...] = ()


CLOSE_CODES: dict[str, int] = {
    "going_away": 1001,
    "binary": 1003,
    "too_big": 1009,
    "fault": 1011,
    "protocol": 4000,
    "bad_frame": 4001,
    "unsupported_version": 4002,
    "hello_expected": 4003,
    "token_expired": 4004,
    "token_bad": 4005,
    "flood": 4006,
    "slow": 4007,
    "gap": 4008,
    "bad_record": 4009,
    "token_revoked": 4010,
    "restarting": 1012,
    "banned": 4011,
}
"""Words of a `Closing` and the WebSocket close code that goes with each. `gap` and `bad_record` are a client's own."""
