"""Reference page of the interface: every operation with parameters, problems and an example, without a script."""

import html
import json
from collections.abc import Sequence

from diskwars_protocol.schema.schema import struct_description
from diskwars_server.api.openapi import example_response
from diskwars_server.api.operations import API_PREFIX, Operation
from diskwars_server.api.problems import code_text, status_of

PAGE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The page has styles, and loads and runs nothing."""
MAX_EXAMPLE_CHARACTERS = 2_000
_STYLE = (
    "body{font:1rem/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "code,pre{font:.875rem/1.4 ui-monospace,monospace}pre{overflow:auto;padding:.75rem;background:#8882}"
    "table{border-collapse:collapse}td,th{padding:.15rem .75rem .15rem 0;text-align:left;vertical-align:top}"
    "h2{margin-top:2.5rem}h3{margin-top:2rem}"
    "@media(prefers-color-scheme:dark){body{background:#111;color:#eee}a{color:#9cf}}"
)


def make_reference_page(operations: Sequence[Operation], version: str) -> bytes:
    """Return the page, as UTF-8."""
    topics = dict.fromkeys(operation.topic for operation in operations)
    listed = "".join(
        f"<li><a href='#{operation.id}'><code>{_head(operation)}</code></a> {html.escape(operation.summary)}</li>"
        for operation in operations
    )
    sections = "".join(
        f"<h2>{topic.capitalize()}</h2>" + "".join(_section(row) for row in operations if row.topic == topic)
        for topic in topics
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Diskwars: HTTP interface</title><style>{_STYLE}</style></head><body><h1>HTTP interface</h1>"
        f"<p>Diskwars {html.escape(version)}. For programs: <a href='{API_PREFIX}/openapi.json'>openapi.json</a>.</p>"
        f"<ul>{listed}</ul>{sections}</body></html>\n"
    ).encode()


def _head(operation: Operation) -> str:
    return f"{operation.method} {API_PREFIX}{html.escape(operation.path)}"


def _section(operation: Operation) -> str:
    text = " ".join(filter(None, (struct_description(operation.request), operation.text)))
    return (
        f"<h3 id='{operation.id}'>{html.escape(operation.summary)}</h3><p><code>{_head(operation)}</code></p>"
        f"<p>{html.escape(text)}</p>{_parameters(operation)}{_problems(operation)}{_example(operation)}"
    )


def _parameters(operation: Operation) -> str:
    in_path = operation.path_fields
    rows = "".join(
        f"<tr><td><code>{name}</code></td><td>{'path' if name in in_path else 'query'}</td>"
        f"<td>{'needed' if field.required or name in in_path else ''}</td></tr>"
        for name, field in operation.parameters.items()
        if name in in_path or not operation.has_body
    )
    return f"<table><tr><th>parameter</th><th>in</th><th></th></tr>{rows}</table>" if rows else ""


def _problems(operation: Operation) -> str:
    rows = "".join(
        f"<tr><td>{status_of(code).value}</td><td><code>{code}</code></td><td>{html.escape(code_text(code))}</td></tr>"
        for code in sorted(operation.codes, key=status_of)
    )
    return f"<details><summary>Problems</summary><table>{rows}</table></details>"


def _example(operation: Operation) -> str:
    command = f"curl http://localhost:8765{API_PREFIX}{operation.example}"
    answer = example_response(operation)
    shown = "" if answer is None else json.dumps(answer, ensure_ascii=False, indent=1)
    if len(shown) > MAX_EXAMPLE_CHARACTERS:
        shown = shown[:MAX_EXAMPLE_CHARACTERS] + " …"
    return f"<pre>{html.escape(command)}\n\n{html.escape(shown)}</pre>"
