"""Values of a ruleset's own types as clients send them: decoded, checked, and digested."""

from functools import cache
from typing import Any

import msgspec

from diskwars_protocol.connection.known_fields import UnknownField, check_known_fields
from diskwars_protocol.connection.shape_faults import describe_shape_fault, place_of_field
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.messages.decisions import Act
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical
from diskwars_protocol.records.fairness import command_digest
from diskwars_protocol.records.sealed import count_sealed
from diskwars_protocol.suggestions import suggest_for_error
from diskwars_server.refusals import Refusal

_ENCODER = msgspec.json.Encoder()


@cache
def json_decoder(words: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a ruleset's own types. Callers keep it: finding it again costs as much as decoding."""
    return msgspec.json.Decoder(words)


def decode_or_refuse(raw: msgspec.Raw, decoder: msgspec.json.Decoder[Any], code: str, place: str) -> Any:
    """Decode what a client sent in a ruleset's own types. Raises Refusal with the place of the fault.

    A field that does not exist is a fault, at every level.
    """
    try:
        value, sent = decoder.decode(raw), bytes(raw)
        # What comes out as it went in was read to its last field. Only other spellings are walked through.
        if _ENCODER.encode(value) != sent:
            check_known_fields(sent, value)
    except UnknownField as fault:
        raise Refusal(code, str(fault), place + fault.place) from None
    except msgspec.ValidationError as fault:
        text, _, where = str(fault).partition(" - at `$")
        where = where.rstrip("`")
        words = describe_shape_fault(text) + suggest_for_error(text, decoder.type, where)
        raise Refusal(code, words, place_of_field(text, place + where)) from None
    return value


def digest_action(decision: DecisionId | None, action: Any, are_plain: bool) -> str:
    """Return the digest of a command. `are_plain` is the vocabulary's `is_canonical`.

    An action becomes part of a record, where sealed fields are the server's alone. Raises Refusal.
    """
    try:
        raw = encode_canonical([decision, action], are_plain)
    except NotCanonical as fault:
        raise Refusal("bad_action", str(fault), "$.action") from None
    if count_sealed(raw):
        raise Refusal("bad_action", "an action holds its secrets in the open", "$.action")
    return command_digest(raw)


def read_action(act: Act, decoder: msgspec.json.Decoder[Any], are_plain: bool) -> tuple[Any, str]:
    """Return the action of a client's act and the digest of the command. Raises Refusal."""
    action = decode_or_refuse(act.action, decoder, "bad_action", "$.action")
    return action, digest_action(act.decision, action, are_plain)
