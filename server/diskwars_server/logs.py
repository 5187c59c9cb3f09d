"""The server's log: one line per message, as text or JSON, on stderr.

structlog puts the fields together, for messages of this program and of its libraries. Fields whose names say that
they hold a secret are replaced.
"""

import json
import logging
import sys
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

SECRET_FIELDS = frozenset({"token", "password", "card", "salt", "seat_nonce", "chain_head", "seed", "body", "action"})

BOUND_FIELDS = ("worker", "node")
"""Fields that all lines of a process or of a node have."""


def configure_logging(level: str, form: Literal["text", "json"] = "text", worker: int | None = None) -> None:
    """Send everything of this level or above to stderr. `worker` is the number of this process, if it is one of many.

    Call it before the event loop begins: tasks inherit the number.
    """
    if worker is not None:
        structlog.contextvars.bind_contextvars(worker=worker)
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
        structlog.processors.format_exc_info,
        drop_secrets,
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    render: Processor = structlog.processors.JSONRenderer() if form == "json" else render_text
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, render]
        )
    )
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    # Connections dropped during the handshake are not errors.
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def name_node(node: str) -> None:
    """Add the id of a node to what this task and those that it starts log from now on."""
    structlog.contextvars.bind_contextvars(node=node)


def drop_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Drop secrets from log entries, in case a call logs one by mistake."""
    return {name: "(secret)" if name in SECRET_FIELDS else value for name, value in event.items()}


def render_text(_: WrappedLogger, __: str, event: EventDict) -> str:
    """`time level logger: message name=value ...`; what a client sent cannot start a line or a field of its own."""
    fields = dict(event)
    bound = {name: fields.pop(name) for name in BOUND_FIELDS if name in fields}  # last: the same in every line
    line = f"{fields.pop('at')} {fields.pop('level')} {fields.pop('logger')}: {fields.pop('event')}"
    return line + "".join(f" {name}={_quote(value)}" for name, value in (fields | bound).items())


def _quote(value: object) -> str:
    text = str(value)
    return text if text.isprintable() and text and not set(text) & set(' "=') else json.dumps(text)
