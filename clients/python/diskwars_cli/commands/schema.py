"""The `schema` verb: prints the protocol for other programs."""

import json


def run_schema(*, asyncapi: bool, typescript: bool) -> int:
    from diskwars_protocol.schema import schema
    from diskwars_protocol.schema.typescript import make_typescript

    if typescript:
        print(make_typescript(), end="")
        return 0
    document = schema.make_asyncapi() if asyncapi else schema.make_json_schema()
    print(json.dumps(document, indent=2, ensure_ascii=False))
    return 0
