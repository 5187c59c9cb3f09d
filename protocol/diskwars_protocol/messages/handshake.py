"""Handshake: the first message of a client, and what the server offers and takes."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import DisplayName
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.messages.accounts import Account
from diskwars_protocol.messages.history import RecordNumber
from diskwars_protocol.messages.match_summary import BotText
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, PackId, RulesetName, ServerName, Token

PROTOCOL_VERSION = 1
"""The protocol version. A server that supports none of a client's versions lists its own in `Closing`."""

ClientName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""Program and version of a client, for the server's log."""


class ClientLimits(Struct, frozen=True, gc=False):
    """What the server takes from one connection.

    `json_values` bounds the commas and opening brackets of a frame, inside strings as well. Every frame counts for
    `frames_per_second` and `frame_burst`, ten times if it is a ping or pong, and once more for each KiB.
    """

    frame_bytes: AtLeastOne = 16 * 1024
    json_depth: AtLeastOne = 12
    json_values: AtLeastOne = 512
    commands_in_flight: AtLeastOne = 16
    frames_per_second: AtLeastOne = 100
    frame_burst: AtLeastOne = 500
    watched_matches: AtLeastOne = 64


DEFAULT_CLIENT_LIMITS = ClientLimits()


class ResumeRequest(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """Go on watching a match after record `after` (0 = from the start); the rest is as in `Watch`.

    With `snapshot`, after a long absence, the match comes as it is now; `after` is then 0.
    """

    match: MatchIdText
    after: RecordNumber
    reveal_secrets: bool = False
    push_options: bool = False
    include_unavailable: bool = False
    snapshot: bool = False
    push_openings: bool = False
    openings_after: RecordNumber = 0


class Hello(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="hello"):
    """First message. Without a token, the server creates a guest and issues one.

    Each match of `resume` is answered by a `Watching` or a `Refused` that names the match and has no id.
    """

    versions: tuple[AtLeastOne, ...]
    client: ClientName | None = None
    token: Token | None = None
    resume: tuple[ResumeRequest, ...] = ()


class RulesetSummary(Struct, frozen=True, gc=False, omit_defaults=True):
    """A ruleset of the server. `seat_counts` are the numbers of seats that a match of it can have.

    `bots` are those that the server can seat, the usual one first. `packs` are the content packs that a match may be
    opened with or without. `pack_names` are what players call packs, by id; one that is not there is called by its id.
    """

    id: RulesetName
    seat_counts: tuple[AtLeastOne, ...]
    bots: tuple[BotText, ...] = ()
    packs: tuple[PackId, ...] = ()
    pack_names: dict[PackId, DisplayName] = {}


class Welcome(Struct, frozen=True, gc=False, omit_defaults=True, tag="welcome"):
    """Answer to `Hello`. `token` proves to be `player` next time; `server_time_ms` is the clock of the server.

    `account` is there for a player who has registered.
    """

    version: AtLeastOne
    player: PlayerIdText
    token: Token
    server_time_ms: AtLeastZero
    rulesets: tuple[RulesetSummary, ...]
    limits: ClientLimits
    server: ServerName | None = None
    account: Account | None = None
