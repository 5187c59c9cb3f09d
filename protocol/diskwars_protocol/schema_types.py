"""Types of fields whose range or form only the schema states.

Readers do not check them: the rules refuse what a client sends, each with a code and a place of its own, and what a
server writes is covered by the hash of its record.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta

AtLeastZero: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 0})]
AtLeastOne: TypeAlias = Annotated[int, Meta(extra_json_schema={"minimum": 1})]

OPAQUE_ID_PATTERN = "^[a-z0-9-]{1,64}$"
"""The form of the ids of matches and players."""

Hex32: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{32}$"})]
"""16 bytes in lower-case hex digits: a chain head, a seat nonce, a salt."""
OptionalHex32: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^([0-9a-f]{32})?$"})]
Hex64: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^[0-9a-f]{64}$"})]
"""32 bytes in lower-case hex digits: a SHA-256, a link of the server's chain, the deal secret."""
OptionalHex64: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": "^([0-9a-f]{64})?$"})]
