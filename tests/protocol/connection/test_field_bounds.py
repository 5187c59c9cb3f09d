"""Every bounded field of every message of a client, with values just outside its bounds."""

import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec import Struct
from msgspec import inspect as mi

from diskwars_protocol.connection.connection import ProtocolError, ServerConnection, encode
from diskwars_protocol.connection.field_bounds import OutOfBounds, check_bounds
from diskwars_protocol.match.ids import MAX_SEATS, MatchId, PlayerId
from diskwars_protocol.messages import ClientMessage
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS, Hello, ResumeRequest
from diskwars_protocol.messages.refusals import Refused
from diskwars_protocol.messages.seats import KickPlayer
from diskwars_protocol.messages.watching import Watch
from diskwars_protocol.schema.examples import find_example
from diskwars_protocol.schema_types import OWN_REFUSAL
from tests.protocol.connection.test_connection import opened_server
from tests.rows import each_row

CLIENT_MESSAGES: tuple[type[Struct], ...] = get_args(ClientMessage)
TOO_LONG = "a" * 15_000


def values_outside(info: mi.Type, stated: dict[str, Any] | None = None) -> Iterator[Any]:
    """Yield values just outside the bounds of a type, and a text that fills a frame."""
    stated = stated or {}
    match info:
        case mi.Metadata():
            if (info.extra or {}).get("refusal") != OWN_REFUSAL["refusal"]:
                yield from values_outside(info.type, info.extra_json_schema)
        case mi.StrType():
            if info.pattern or "pattern" in stated:
                yield from ("", "a\n", "A b", "☃", TOO_LONG)
            elif info.max_length is not None:
                yield "a" * (info.max_length + 1)
            elif "maxLength" in stated:
                yield "a" * (stated["maxLength"] + 1)
        case mi.IntType():
            least = stated.get("minimum", info.ge)
            most = stated.get("maximum", info.le)
            if least is not None and least > -(2**53) + 1:
                yield least - 1
            if most is not None and most < 2**53 - 1:
                yield most + 1
        case mi.UnionType():
            if {type(member) for member in info.types} & {mi.NoneType}:
                for member in info.types:
                    yield from values_outside(member)
        case mi.VarTupleType():
            yield from ([value] for value in values_outside(info.item_type))
        case mi.DictType():
            yield from ({value: 1} for value in values_outside(info.key_type))
            yield {"rounds": "A b"}
        case _:
            return


def cases() -> Iterator[tuple[type[Struct], str, Any]]:
    for kind in CLIENT_MESSAGES:
        info = mi.type_info(kind)
        assert isinstance(info, mi.StructType)
        for field in info.fields:
            if field.encode_name != "id":  # without a right one no answer has a command to name
                for value in values_outside(field.type):
                    yield kind, field.encode_name, value


CASES = list(cases())


def receive(kind: type[Struct], **fields: Any) -> Any:
    connection = ServerConnection() if kind is Hello else opened_server()
    example: Any = find_example(kind)
    frame = json.dumps({**json.loads(encode(example)), **fields}, ensure_ascii=False)
    assert len(frame.encode()) <= DEFAULT_CLIENT_LIMITS.frame_bytes
    return connection.receive(frame)


@each_row("kind", CLIENT_MESSAGES, ids=lambda kind: kind.__name__)
def test_example_of_every_message_is_within_bounds(kind: type[Struct]) -> None:
    assert type(receive(kind)) is kind


@each_row(
    ("kind", "field", "value"),
    CASES,
    ids=[f"{kind.__name__}.{field} {str(value)[:12]!r}" for kind, field, value in CASES],
)
def test_value_just_outside_is_refused_with_its_place(kind: type[Struct], field: str, value: Any) -> None:
    if kind is Hello:
        with pytest.raises(ProtocolError) as closed:
            receive(kind, **{field: value})
        assert closed.value.close_reason in ("bad_frame", "unsupported_version")
        assert closed.value.close_reason == "unsupported_version" or str(closed.value.place).startswith(f"$.{field}")
        return
    refused = receive(kind, **{field: value})
    assert isinstance(refused, Refused), refused
    assert refused.code == "wrong_shape"
    assert str(refused.place).startswith(f"$.{field}")


def test_table_reaches_what_was_let_through_before() -> None:
    found = {f"{kind.__struct_config__.tag}.{field}" for kind, field, _ in CASES}
    assert {"mute_player.player", "kick_player.seat", "report_player.seq", "report_player.player"} <= found
    assert {"seat_bot.seat", "revoke_device.device", "revoke_invite.invite", "get_players.players"} <= found
    assert len(CASES) > 150


def test_matches_to_resume_are_checked_each() -> None:
    resume = (ResumeRequest(MatchId("m"), 0), ResumeRequest(MatchId("M"), 0))
    with pytest.raises(OutOfBounds, match="an id") as fault:
        check_bounds(Hello((1,), resume=resume))
    assert fault.value.place == "$.resume[1].match"


def test_text_says_what_would_be_right() -> None:
    refused = receive(KickPlayer, seat=MAX_SEATS)
    assert (refused.text, refused.place) == ("expected a number of at most 3", "$.seat")
    refused = receive(Watch, match=PlayerId("No"))
    assert refused.text == "expected an id: 1 to 64 small letters, digits and hyphens"
