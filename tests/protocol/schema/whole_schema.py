"""The JSON Schema of the whole protocol, made once for all tests that read it."""

from diskwars_protocol.schema.schema import make_json_schema

WHOLE_SCHEMA = make_json_schema()
DEFINITIONS = WHOLE_SCHEMA["definitions"]
