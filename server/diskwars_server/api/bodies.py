"""Bodies of requests over HTTP: JSON, with the limits of a frame, read into the structs of the protocol."""

import zlib
from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Raw, Struct
from websockets.http11 import Request

from diskwars_protocol.connection.connection import ProtocolError, check_client_frame, parse_validation_error
from diskwars_protocol.connection.field_bounds import OutOfBounds, check_bounds
from diskwars_protocol.connection.shape_faults import describe_shape_fault, place_of_field
from diskwars_protocol.messages.handshake import DEFAULT_CLIENT_LIMITS
from diskwars_server.api.answers import JSON_TYPE, NDJSON_TYPE
from diskwars_server.api.problems import refuse
from diskwars_server.refusals import Refusal

RequestT = TypeVar("RequestT", bound=Struct)

FILE_LEVEL = 1
"""Of the compression of a file that came without: it is undone at once in another process."""
_OBJECT = msgspec.json.Decoder(dict[str, Raw])


def read_body(kind: type[RequestT], named: Mapping[str, str], query: str, request: Request, body: bytes) -> RequestT:
    """Return the request that a body stands for, with the parts of the path. Raises Refusal.

    The body is the message of the protocol without its `type` and without what the path says.
    """
    if query:
        raise Refusal("wrong_shape", "a request with a body has no query", "$")
    content_type = ",".join(request.headers.get_all("Content-Type")).partition(";")[0].strip().lower()
    if content_type != JSON_TYPE:
        raise refuse("bad_content_type")
    fields = _read_object(body)
    for name in ("type", *named):
        if name in fields:
            raise Refusal("wrong_shape", "the path says this", f"$.{name}")
    for name, value in fields.items():
        if bytes(value) == b"null":
            raise Refusal("wrong_shape", "a field that has no value is left out", f"$.{name}")
    complete = fields | {name: Raw(msgspec.json.encode(text)) for name, text in named.items()}
    try:
        message = msgspec.json.decode(msgspec.json.encode(complete), type=kind)
        check_bounds(message)
    except msgspec.ValidationError as fault:
        text, place = parse_validation_error(fault)
        raise Refusal("wrong_shape", describe_shape_fault(text), place_of_field(text, place)) from None
    except OutOfBounds as fault:
        raise Refusal("wrong_shape", str(fault), fault.place) from None
    return message


def read_file(request: Request, body: bytes) -> bytes:
    """Return the match file that a body is, compressed with zlib. Raises Refusal."""
    content_type = ",".join(request.headers.get_all("Content-Type")).partition(";")[0].strip().lower()
    encoding = ",".join(request.headers.get_all("Content-Encoding")).strip().lower()
    if content_type != NDJSON_TYPE or encoding not in ("", "identity", "deflate"):
        raise refuse("bad_content_type", f"a match file is {NDJSON_TYPE}, as it is or with Content-Encoding: deflate")
    return body if encoding == "deflate" else zlib.compress(body, FILE_LEVEL)


def _read_object(body: bytes) -> dict[str, Raw]:
    try:
        check_client_frame(body.decode(), DEFAULT_CLIENT_LIMITS)
        return _OBJECT.decode(body)
    except UnicodeDecodeError:
        raise Refusal("wrong_shape", "the body is no UTF-8", "$") from None
    except ProtocolError as fault:
        closing = fault.to_message()
        raise Refusal("wrong_shape", closing.text, closing.place or "$") from None
    except (msgspec.ValidationError, msgspec.DecodeError):
        raise Refusal("wrong_shape", "the body is no JSON object", "$") from None
