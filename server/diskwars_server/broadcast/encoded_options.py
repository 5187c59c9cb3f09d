"""Encoded options of the open decisions of one match, kept until its next record."""

from typing import Any

import msgspec
from msgspec import Struct

from diskwars_engine.match import AnyRules
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.match.state import AnyMatch

_JSON = msgspec.json.Encoder()


class EncodedOptions(Struct, frozen=True):
    """Options as JSON; `is_repeated` when they were requested before."""

    json: bytes
    is_repeated: bool


class EncodedOptionsCache:
    """Keeps the options that were requested since the last record: two for each open decision, at most.

    To work them out takes milliseconds at the beginning of a match, and a client may request them a thousand times a
    second.
    """

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self._encoded: dict[tuple[DecisionId, bool], bytes] = {}

    def get(self, state: AnyMatch, decision: Decision[Any], include_unavailable: bool) -> EncodedOptions:
        """Return the options of an open decision. `state` is the one after the last record."""
        key = decision.id, include_unavailable
        encoded = self._encoded.get(key)
        if encoded is not None:
            return EncodedOptions(encoded, is_repeated=True)
        self._encoded[key] = encoded = encode_options(self._rules, state, decision, include_unavailable)
        return EncodedOptions(encoded, is_repeated=False)

    def clear(self) -> None:
        """Forget all of them: there is another record."""
        self._encoded.clear()


def encode_options(rules: AnyRules, state: AnyMatch, decision: Decision[Any], include_unavailable: bool) -> bytes:
    """Return the options of a decision as JSON, with what is unavailable if that is wanted."""
    if include_unavailable:
        return _JSON.encode(rules.options_with_unavailable(state, decision))
    return _JSON.encode(rules.options(state, decision))
