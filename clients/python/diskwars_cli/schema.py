"""Subcommand `schema`: print the protocol for other programs."""

import json

from diskwars_cli.command import Options, VerbRegistry


def add_verbs(verbs: VerbRegistry) -> None:
    parser = verbs.add("schema", "Print the protocol: every message, action and event, as JSON Schema.", run_schema)
    parser.add_argument("--asyncapi", action="store_true", help="as an AsyncAPI 3.0 document instead")


def run_schema(options: Options) -> int:
    from diskwars_protocol import schema

    document = schema.make_asyncapi() if options.asyncapi else schema.make_json_schema()
    print(json.dumps(document, indent=2, ensure_ascii=False))
    return 0
