"""Refusals that do not come from the rules, decoding of a ruleset's types, and what a fault may write to the log."""

import traceback
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from diskwars_engine.ruleset import NO_NUMBERS, Illegal
from diskwars_protocol.connection.known_fields import UnknownField, check_known_fields
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.messages.refusals import REFUSAL_CODES, Refused
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical
from diskwars_protocol.records.fairness import command_digest
from diskwars_protocol.records.sealed import count_sealed
from diskwars_protocol.suggestions import suggest_for_error

RETRY_AFTER_MS = 100
UNAVAILABLE_RETRY_AFTER_MS = 1000


class Refusal(Exception):
    """Nothing was done. `code` is a key of `messages.REFUSAL_CODES`, which has the text for it unless one is given."""

    def __init__(
        self,
        code: str,
        text: str = "",
        place: str = "",
        rule: str = "",
        retry_after_ms: int | None = None,
        numbers: Mapping[str, int] = NO_NUMBERS,
    ) -> None:
        super().__init__(f"{code}: {text or REFUSAL_CODES[code]}")
        self.code, self.text, self.place, self.rule = code, text or REFUSAL_CODES[code], place, rule
        self.retry_after_ms = retry_after_ms
        self.numbers = dict(numbers)

    @classmethod
    def from_illegal(cls, illegal: Illegal) -> "Refusal":
        """Return the refusal of a rule."""
        return cls(illegal.code, illegal.text, illegal.place, illegal.rule, numbers=illegal.numbers)

    def to_message(self, id: str | None, match: MatchId | None, open: bytes = b"[]") -> Refused:
        """Return what to say to the command `id`, None where no command led to this.

        `open` are the decisions that are open, as JSON.
        """
        refused = Refused(
            self.code,
            self.text,
            id,
            self.rule or None,
            self.place or None,
            match,
            retry_after_ms=self.retry_after_ms,
            numbers=self.numbers,
        )
        # msgspec leaves out a default of this type only if it is the same object.
        return refused if open == b"[]" else msgspec.structs.replace(refused, open_decisions=msgspec.Raw(open))


@cache
def json_decoder(words: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a ruleset's own types. Callers keep it: finding it again costs as much as decoding."""
    return msgspec.json.Decoder(words)


def decode_or_refuse(raw: msgspec.Raw, decoder: msgspec.json.Decoder[Any], code: str, place: str) -> Any:
    """Decode what a client sent in a ruleset's own types. Raises Refusal with the place of the fault.

    A field that does not exist is a fault, at every level.
    """
    try:
        value = decoder.decode(raw)
        check_known_fields(bytes(raw), value)
    except UnknownField as fault:
        raise Refusal(code, str(fault), place + fault.place) from None
    except msgspec.ValidationError as fault:
        text, _, where = str(fault).partition(" - at `$")
        where = where.rstrip("`")
        raise Refusal(code, text + suggest_for_error(text, decoder.type, where), place + where) from None
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


def describe_fault(fault: Exception) -> dict[str, str]:
    """For the log: what kind of fault, and where in the code. Its own words may hold a secret, so they are left out."""
    return {"why": type(fault).__name__, "where": "".join(traceback.format_tb(fault.__traceback__))}
