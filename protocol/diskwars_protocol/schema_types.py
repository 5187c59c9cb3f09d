"""Types of fields whose range or form only the schema states.

Readers do not check them: what a server writes is covered by the hash of its record. What a client sends is checked
where it arrives (`field_bounds`), actions by the rules, each with a code and a place of its own.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Raw

OWN_REFUSAL = {"refusal": "own"}
"""Marks types in the `extra` of their `Meta` whose bounds the server checks itself, with a code that says more."""

MAX_INTEGER = 2**53 - 1
"""The largest number in messages and records, so that every language reads them alike."""

WholeNumber: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": -MAX_INTEGER, "maximum": MAX_INTEGER})]
"""A number that may be below 0 and has no bounds of its own: a score, a coordinate, a figure in a text."""
AtLeastZero: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0, "maximum": MAX_INTEGER})]
AtLeastOne: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1, "maximum": MAX_INTEGER})]

Micrometres: TypeAlias = WholeNumber
"""A coordinate, or a difference of two."""

MAX_PACK_ID_LENGTH = 64
PackId: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": MAX_PACK_ID_LENGTH})]
MAX_OPENED_PACKS = 16
OpenedPacks: TypeAlias = Annotated[
    tuple[Annotated[str, Meta(min_length=1, max_length=MAX_PACK_ID_LENGTH)], ...], Meta(max_length=MAX_OPENED_PACKS)
]
"""Ids of content packs; a server refuses those that it does not have."""
"""The id or the version of a pack; its loader checks the length."""
FieldName: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[a-z#][a-z0-9_]{0,63}$"})]
Token: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[!-~]{1,512}$"}, extra=OWN_REFUSAL)]
"""The proof of who a player is, opaque to clients."""
ServerName: TypeAlias = Annotated[str, Meta(extra_json_schema={"minLength": 1, "maxLength": 64})]

RULESET_NAME_PATTERN = "^[a-z][a-z0-9_-]{0,31}$"
RulesetName: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": RULESET_NAME_PATTERN})]
RULE_ID_PATTERN = "[A-Z]+-?[0-9]+([.][0-9]+)*[a-z]?"
RuleId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": f"^{RULE_ID_PATTERN}$"})]
"""The id of a rule of a rule book in docs/, or of a ruling: `R2.3`, `R-04`, `B-8a`."""
JsonPlace: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[$]"})]
"""The place of a fault in a message or a loadout, as a path such as `$.settings.setup`."""


def values_of_this_version(*ids: str) -> dict[str, object]:
    """Return what the schema says of an id of content in the settings.

    Readers take any id: a pack of a later version may have more, and a match that is played with one is no less
    readable. Servers open matches with these only.
    """
    return {"enum": list(ids)}


OPAQUE_ID_PATTERN = "^[a-z0-9-]{1,64}$"
"""The form of the ids of matches and players."""

HEX32_PATTERN = "^[0-9a-f]{32}$"
Hex32: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": HEX32_PATTERN})]
"""16 bytes in lower-case hex digits: a chain head, a seat nonce, a salt."""
OptionalHex32: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^([0-9a-f]{32})?$"})]
Hex64: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
"""32 bytes in lower-case hex digits: a SHA-256, a link of the server's chain, the deal secret."""
OptionalHex64: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^([0-9a-f]{64})?$"})]

MAX_COMMAND_ID_LENGTH = 64
CommandId: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_COMMAND_ID_LENGTH)]
"""Made by the client, a UUID for example. The answer carries it; a command sent again under it is not done again."""

NO_FIELDS = Raw(b"{}")
"""An object in which every field has its default."""
ABSENT = Raw()
"""Raw JSON that is not there. It is falsy, and left out because a field has the same object as its default."""

HASH_PATTERN = "^[0-9a-f]{64}$"
Hash: TypeAlias = Annotated[str, Meta(pattern=HASH_PATTERN)]
"""A SHA-256 in small hex digits."""

# The content of raw JSON, from a ruleset or a module above this one, is named for the schema (schema_roots.py).
RawSettings: TypeAlias = Annotated[Raw, Meta(extra={"content": "Settings"})]
RawMatchOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "MatchOptions"})]
RawLoadout: TypeAlias = Annotated[Raw, Meta(extra={"content": "Loadout"})]
RawCatalogue: TypeAlias = Annotated[Raw, Meta(extra={"content": "Catalogue"})]
