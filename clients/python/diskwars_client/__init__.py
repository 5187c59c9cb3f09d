"""Python SDK: play, watch and verify matches.

The names that a bot or another program needs are imported on first use, so that a program that only connects does not
load the rules. docs/bots.md shows them in use.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from diskwars_client.bot_runner import answer_decision, play_bot
    from diskwars_client.client import Client, connect
    from diskwars_client.errors import (
        ClientError,
        CommandRefused,
        DecisionUnavailable,
        InvalidRequest,
        MatchUnavailable,
        SessionEnded,
    )
    from diskwars_client.match_handle import MatchHandle
    from diskwars_client.retry_policy import RetryPolicy
    from diskwars_client.server_sockets import ServerBusy, ServerUnreachable
    from diskwars_client.updates import Update
else:
    from importlib import import_module

    _HOMES = {
        "bot_runner": ("answer_decision", "play_bot"),
        "client": ("Client", "connect"),
        "errors": (
            "ClientError",
            "CommandRefused",
            "DecisionUnavailable",
            "InvalidRequest",
            "MatchUnavailable",
            "SessionEnded",
        ),
        "match_handle": ("MatchHandle",),
        "retry_policy": ("RetryPolicy",),
        "server_sockets": ("ServerBusy", "ServerUnreachable"),
        "updates": ("Update",),
    }

    def __getattr__(name):
        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{home}"), name)


__all__ = [
    "Client",
    "ClientError",
    "CommandRefused",
    "DecisionUnavailable",
    "InvalidRequest",
    "MatchHandle",
    "MatchUnavailable",
    "RetryPolicy",
    "ServerBusy",
    "ServerUnreachable",
    "SessionEnded",
    "Update",
    "answer_decision",
    "connect",
    "play_bot",
]
