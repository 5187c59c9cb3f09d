"""The `schema` verb: prints the protocol for other programs."""

import json

from diskwars_cli.console.command import CommandError


def run_schema(*, asyncapi: bool, typescript: bool, part: str | None = None) -> int:
    from diskwars_protocol.schema import schema
    from diskwars_protocol.schema.schema_roots import document_names
    from diskwars_protocol.schema.typescript import make_typescript

    if typescript:
        print(make_typescript(), end="")
        return 0
    if part is None:
        document = schema.make_asyncapi() if asyncapi else schema.make_json_schema()
    elif part in document_names():
        document = schema.make_asyncapi_part(part) if asyncapi else schema.make_json_schema_part(part)
    else:
        raise CommandError(f"no part {part!r}: there are {', '.join(document_names())}")
    print(json.dumps(document, indent=2, ensure_ascii=False))
    return 0
