"""Python SDK: play, watch and verify matches.

The names that a bot or another program needs are imported on first use, so that a program that only connects does not
load the rules. docs/bots.md shows them in use.

- `any_ruleset`: types where the ruleset of a match is not known
- `bot_runner`: answers decisions of a handle by a chooser
- `client`: `connect` and `Client`
- `errors`: errors that a client raises
- `former_names`: names from before clients and handles had parts, until 1.0
- `match_handle`: handle of one match: follow it and act in it
- `match_requests`: requests that a handle sends through its client
- `match_stream`: records of a match as they arrive, and the state that they fold to
- `notebook`: what a notebook shows of a match: a line about it, and its board as SVG
- `own_seat`: secrets of the own seat, control over it, and actions that carry secrets
- `playing`: whole matches in a few lines, `Player` to derive from, and a client that blocks
- `plugs`: classes of a ruleset for the terminal and for verification
- `promise_checks`: checks of what the server publishes about the own seat
- `received_records`: records of a match as they were received, and its match file
- `reconnects`: closed connections that are made again
- `replays`: replays of match files and of followed matches
- `request_sender`: requests under way, within the limits of the server
- `requester`: protocol by which the parts of a client send requests
- `retry_policy`: policy of reconnects and repeated requests
- `rulesets`: parts of the client for each ruleset
- `seat_secrets`: nonce chain, salts and promises of a seat
- `server_addresses`: addresses of the nodes of one service
- `server_link`: sockets of a client, one after another
- `server_sockets`: opens a WebSocket to a server
- `terminal`: playing, watching and looking back in a terminal
- `terminal_pages`: output of a terminal in pages
- `topics`: requests of a client by topic
- `updates`: updates of a match that wait to be taken
- `verification`: verification of match files
- `watch_mode`: options of watching a match
- `watched_matches`: handles of a client, and how each match is watched again
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
    from diskwars_client.playing import BlockingClient, EndedMatch, Player, play, play_matches
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
        "playing": ("BlockingClient", "EndedMatch", "Player", "play", "play_matches"),
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
    "BlockingClient",
    "Client",
    "ClientError",
    "CommandRefused",
    "DecisionUnavailable",
    "EndedMatch",
    "InvalidRequest",
    "MatchHandle",
    "MatchUnavailable",
    "Player",
    "RetryPolicy",
    "ServerBusy",
    "ServerUnreachable",
    "SessionEnded",
    "Update",
    "answer_decision",
    "connect",
    "play",
    "play_bot",
    "play_matches",
]
