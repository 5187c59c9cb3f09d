"""Messages between client and server: two tagged unions, the codes of refusals, and the close codes.

Frames are JSON text, those from a client within `ClientLimits`. Actions and records stay raw JSON until a ruleset reads
them.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Raw, Struct

from diskwars_protocol.identifiers import DisplayName
from diskwars_protocol.match.bot_identity import BOT_NAME_PATTERN
from diskwars_protocol.match.match import (
    DecisionIdText,
    MatchIdText,
    MatchStatus,
    PlayerIdText,
    RefusalCode,
    Seat,
    SeatCount,
)
from diskwars_protocol.match.match_options import Pace
from diskwars_protocol.match.ruleset_settings import SettingValue
from diskwars_protocol.messages.accounts import (
    Account,
    AccountChanged,
    AccountRequest,
    AccountResponse,
    ChangePassword,
    DeleteAccount,
    DeviceList,
    GetPlayers,
    ListDevices,
    LogIn,
    LogOut,
    Password,
    PlayerList,
    Register,
    Rename,
    RevokeDevice,
    SignedIn,
)
from diskwars_protocol.messages.catalogues import ArmyChecked as ArmyChecked
from diskwars_protocol.messages.catalogues import CatalogueResponse as CatalogueResponse
from diskwars_protocol.messages.catalogues import CheckArmy as CheckArmy
from diskwars_protocol.messages.catalogues import GetCatalogue as GetCatalogue
from diskwars_protocol.messages.chat import ChatPosted as ChatPosted
from diskwars_protocol.messages.decisions import Act as Act
from diskwars_protocol.messages.decisions import GetOptions as GetOptions
from diskwars_protocol.messages.files import FILE_RESPONSE_TYPES, FileRequest, FileResponse
from diskwars_protocol.messages.lobby import LOBBY_RESPONSE_TYPES, LobbyRequest, LobbyResponse
from diskwars_protocol.messages.match_summary import BotText as BotText
from diskwars_protocol.messages.match_summary import ClockSummary as ClockSummary
from diskwars_protocol.messages.match_summary import MatchOptionsSummary as MatchOptionsSummary
from diskwars_protocol.messages.match_summary import MatchSummary as MatchSummary
from diskwars_protocol.messages.match_summary import SeatSummary as SeatSummary
from diskwars_protocol.messages.refusal_codes import REFUSAL_CODES as REFUSAL_CODES
from diskwars_protocol.messages.seats import KickPlayer as KickPlayer
from diskwars_protocol.messages.topic_messages import TOPIC_RESPONSE_TYPES, TopicRequest, TopicResponse
from diskwars_protocol.messages.topic_messages import PlayerNotice as PlayerNotice
from diskwars_protocol.messages.watchers import WatchersChanged as WatchersChanged
from diskwars_protocol.records.records import WireRecord
from diskwars_protocol.records.sealed import Opening
from diskwars_protocol.schema_types import ABSENT as ABSENT
from diskwars_protocol.schema_types import (
    MAX_INTEGER,
    AtLeastOne,
    AtLeastZero,
    CommandId,
    FieldName,
    Hash,
    JsonPlace,
    OpenedPacks,
    PackId,
    RawLoadout,
    RawSettings,
    RuleId,
    RulesetName,
    ServerName,
    Token,
    WholeNumber,
)
from diskwars_protocol.schema_types import NO_FIELDS as NO_FIELDS

PROTOCOL_VERSION = 1
"""The protocol version. A server that supports none of a client's versions lists its own in `Closing`."""

MAX_RANGE_RECORDS = 256
"""The most records that one `GetRecords` gives."""

MAX_LISTED_MATCHES = 100
MAX_WANTED_SETTINGS = 16
"""The most matches on one page of the list."""
MAX_LIST_PAGE_LENGTH = 256
ListPage: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_LIST_PAGE_LENGTH)]
"""Names a page of the list for the server that gave it. Opaque to clients: servers may sort in another order."""

ClientName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""Program and version of a client, for the server's log."""

ArmyId: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9][a-z0-9/_-]{0,127}$")]
"""The id of an army, in a request."""
EndReasonName: TypeAlias = Annotated[str, Meta(pattern="^[a-z][a-z_]{0,63}$")]
"""Why a match ended, in a request."""
PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""The name of an account, as people write it."""

BotName: TypeAlias = Annotated[str, Meta(pattern=BOT_NAME_PATTERN)]
"""The name of a bot, in a request."""

RecordNumber: TypeAlias = Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MAX_INTEGER})]
"""The seq of a record; 0 stands for the time before the first."""

# What a ruleset, or a module above this one, puts into a field of raw JSON is named for the schema (schema_roots.py).
RawOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "Options"})]
RawMatch: TypeAlias = Annotated[Raw, Meta(extra={"content": "Match"})]
RawOpenDecisions: TypeAlias = Annotated[Raw, Meta(extra={"content": "OpenDecisions"})]
RawMatchOptions: TypeAlias = Annotated[Raw, Meta(extra={"content": "MatchOptions"})]
RawHeader: TypeAlias = Annotated[Raw, Meta(extra={"content": "MatchHeader"})]


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

# ---------------------------------------------------------------- from a client

# Unknown fields are refused: a misspelled optional field would otherwise be ignored without a word.


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


class Hello(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="hello"):
    """First message. Without a token, the server creates a guest and issues one.

    Each match of `resume` is answered by a `Watching` or a `Refused` that names the match and has no id.
    """

    versions: tuple[AtLeastOne, ...]
    client: ClientName | None = None
    token: Token | None = None
    resume: tuple[ResumeRequest, ...] = ()


class OpenMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="open_match"):
    """Open a match. `settings` are the ruleset's own, `match_options` those of every match.

    The opener watches it: `Opened`, then a `Watching` without id.
    `push_options`, `include_unavailable` and `push_openings` are those of that watch.
    With a `password`, or `invited_only`, the match is locked: others watch it and take seats after they have entered.
    `packs` are the content packs that it is played with besides the ruleset's own; None: all that the server has.
    """

    id: CommandId
    ruleset: RulesetName
    seat_count: SeatCount
    settings: RawSettings = NO_FIELDS
    match_options: RawMatchOptions = NO_FIELDS
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False
    password: Password | None = None
    invited_only: bool = False
    packs: OpenedPacks | None = None


class Watch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="watch"):
    """See the records of a match after `after`, as what one is there: a seat, or the public.

    With `snapshot` the answer holds the match as it is now, and only later records follow; `after` is then 0.
    `reveal_secrets` asks for every secret of an ended match. With `push_options` the options of the own open decisions
    follow each record, those unavailable among them with `include_unavailable`. With `push_openings` the openings of
    all records follow the last one. A match that is already watched on this connection starts over.
    """

    id: CommandId
    match: MatchIdText
    after: RecordNumber = 0
    reveal_secrets: bool = False
    snapshot: bool = False
    push_options: bool = False
    include_unavailable: bool = False
    push_openings: bool = False


class Unwatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="unwatch"):
    id: CommandId
    match: MatchIdText


class GetRecords(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_records"):
    """Request records of a watched match: at most `limit` of those after record `after`, as the viewer of the watch."""

    id: CommandId
    match: MatchIdText
    after: RecordNumber
    limit: Annotated[int, Meta(ge=1, le=MAX_RANGE_RECORDS)] = MAX_RANGE_RECORDS


class CloseMatch(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="close_match"):
    """End a match that has not begun. Only its opener may do that. It need not be watched."""

    id: CommandId
    match: MatchIdText


class SeatBot(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="seat_bot"):
    """Let a bot of the server take a seat of a match that has not begun, with this loadout; `seat` None: a free one.

    Only the opener may do that. The match need not be watched. `Welcome` lists the bots of each ruleset.
    """

    id: CommandId
    match: MatchIdText
    bot: BotName
    seat: Seat | None = None
    loadout: RawLoadout = NO_FIELDS


WantedSettings: TypeAlias = Annotated[dict[FieldName, SettingValue], Meta(max_length=MAX_WANTED_SETTINGS)]


class ListMatches(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="list_matches"):
    """Request one page of the list: the newest matches, or the page that a `MatchList` names as the next.

    What is given narrows the list: matches of a status, of a ruleset, with a player in a seat, that one has opened or
    plays in (`mine`), that have a free seat to take, that have all these settings, or that are played at this pace.
    """

    id: CommandId
    status: MatchStatus | None = None
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES
    ruleset: RulesetName | None = None
    player: PlayerIdText | None = None
    mine: bool = False
    has_free_seat: bool = False
    settings: WantedSettings = {}
    pace: Pace | None = None


class FollowMatches(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="follow_matches"
):
    """Request the first page of a list, and every change of it from then on: see `MatchesChanged`.

    The fields are those of `ListMatches`. A connection follows one list; a second request takes the place of the first.
    """

    id: CommandId
    status: MatchStatus | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES
    ruleset: RulesetName | None = None
    player: PlayerIdText | None = None
    mine: bool = False
    has_free_seat: bool = False
    settings: WantedSettings = {}
    pace: Pace | None = None


class UnfollowMatches(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="unfollow_matches"):
    """Stop following a list."""

    id: CommandId


class SearchMatches(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="search_matches"
):
    """Request one page of the matches that have ended and fit everything named here, the newest first.

    `player` took part, or who has the account name `player_name`; `won` says how that player fared. `army` is the id of
    an army that took part. Times are when a match was opened, numbers of records include both ends. A page may hold
    fewer matches than `limit`, also none, and still not be the last.
    """

    id: CommandId
    player: PlayerIdText | None = None
    player_name: PlayerName | None = None
    won: bool | None = None
    army: ArmyId | None = None
    ruleset: RulesetName | None = None
    end_reason: EndReasonName | None = None
    since_ms: AtLeastZero | None = None
    until_ms: AtLeastZero | None = None
    min_records: AtLeastOne | None = None
    max_records: AtLeastOne | None = None
    page: ListPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LISTED_MATCHES)] = MAX_LISTED_MATCHES


Query: TypeAlias = (
    ListMatches
    | FollowMatches
    | UnfollowMatches
    | SearchMatches
    | GetCatalogue
    | CheckArmy
    | LobbyRequest
    | FileRequest
    | TopicRequest
)
"""Requests that change nothing at either end of the connection."""

Request: TypeAlias = (
    OpenMatch
    | CloseMatch
    | SeatBot
    | KickPlayer
    | Watch
    | Unwatch
    | Act
    | GetOptions
    | GetRecords
    | Query
    | AccountRequest
)
"""What a client sends under an id, and the server answers."""

ClientMessage: TypeAlias = Hello | Request

# ---------------------------------------------------------------- from the server


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


class Opened(Struct, frozen=True, gc=False, tag="opened"):
    id: CommandId
    match: MatchIdText


class Watching(Struct, frozen=True, gc=False, omit_defaults=True, tag="watching"):
    """The records after `after` follow, and then every new one. `head` is the last by now.

    `seat` is the viewer's own, None for the public. `header` is the one of the match file; `hash` is the chain's after
    record `after`, so that a client who goes on sees at once that nothing before has been rewritten.
    `snapshot` is the match after record `after` as the viewer may see it: what the records up to there fold to. It is
    there only if it was requested; then `after` is `head`.
    `is_delayed`: records come once their round is over, and `head` is the last of those.
    `id` is None when the watching was asked for by `Hello` or `OpenMatch`.
    """

    match: MatchIdText
    ruleset: RulesetName
    after: AtLeastZero
    head: AtLeastZero
    header: RawHeader
    hash: Hash
    seat: Seat | None = None
    id: CommandId | None = None
    reveal_secrets: bool = False
    snapshot: RawMatch = ABSENT
    is_delayed: bool = False


class Unwatched(Struct, frozen=True, gc=False, omit_defaults=True, tag="unwatched"):
    """No more records of this match follow. `id` is None when the server ends it; watch it again."""

    match: MatchIdText
    id: CommandId | None = None


class Records(Struct, frozen=True, gc=False, tag="records"):
    """The next records of a match, without a gap: a new one alone, of those before it as many as fit well."""

    match: MatchIdText
    records: tuple[WireRecord, ...]


class RecordOpenings(Struct, frozen=True, gc=False):
    """Every opening of a record, in the place of those that came with it. Each names the seats that could see it."""

    seq: AtLeastOne
    openings: tuple[Opening, ...]


class Openings(Struct, frozen=True, gc=False, omit_defaults=True, tag="openings"):
    """Some more openings of a match that is over, in the order of its records; those without secrets are left out.

    The message with `complete` is the last.
    """

    match: MatchIdText
    records: tuple[RecordOpenings, ...] = ()
    complete: bool = False


class RecordRange(Struct, frozen=True, gc=False, tag="record_range"):
    """Answer to `GetRecords`: the records that follow on record `after`. `hash` is the chain's after that record.

    There may be fewer than requested: go on after the last of them. It is empty when record `after` is the last.
    """

    id: CommandId
    match: MatchIdText
    after: AtLeastZero
    hash: Hash
    records: tuple[WireRecord, ...]


class Accepted(Struct, frozen=True, gc=False, tag="accepted"):
    """The command made record `seq`, which came before this answer on the same connection."""

    id: CommandId
    match: MatchIdText
    seq: AtLeastOne


class Refused(Struct, frozen=True, gc=False, omit_defaults=True, tag="refused"):
    """Nothing has changed. `place` is where in the message the fault lies.

    `open_decisions` are the decisions that are open now in `match`, if this connection watches it. `rule` is an id of
    docs/rules.md. `numbers` are those in the text; lengths have the unit of the ruleset. `id` is None when a match of
    `Hello` cannot be taken up again. With `retry_after_ms` the command may succeed later.
    """

    code: RefusalCode
    text: str
    id: CommandId | None = None
    rule: RuleId | None = None
    place: JsonPlace | None = None
    match: MatchIdText | None = None
    open_decisions: RawOpenDecisions = ABSENT
    retry_after_ms: AtLeastOne | None = None
    numbers: dict[str, WholeNumber] = {}


class OptionsResponse(Struct, frozen=True, gc=False, omit_defaults=True, tag="options"):
    """`options` is an `Options` of the ruleset's actions: those of the match after the last record that was sent.

    `id` is None when they were pushed.
    """

    match: MatchIdText
    decision: DecisionIdText
    options: RawOptions
    id: CommandId | None = None


class MatchList(Struct, frozen=True, gc=False, omit_defaults=True, tag="match_list"):
    """One page, the newest first. `next_page` is what a request for the page after it names; None on the last."""

    id: CommandId
    matches: tuple[MatchSummary, ...]
    next_page: ListPage | None = None


class Unfollowed(Struct, frozen=True, gc=False, tag="unfollowed"):
    """Answer to `UnfollowMatches`."""

    id: CommandId


class MatchesChanged(Struct, frozen=True, gc=False, omit_defaults=True, tag="matches_changed"):
    """What has changed in the list that this connection follows: matches as they are now, and those no longer in it.

    Changes that come soon after one another come together. With `list_again` there were too many, or this connection
    was too slow for them: what was sent is out of date, and the list has to be requested again.
    """

    matches: tuple[MatchSummary, ...] = ()
    gone: tuple[MatchIdText, ...] = ()
    list_again: bool = False


CloseReason: TypeAlias = Literal[
    "going_away",
    "binary",
    "too_big",
    "fault",
    "protocol",
    "bad_frame",
    "unsupported_version",
    "hello_expected",
    "token_expired",
    "token_bad",
    "flood",
    "slow",
    "gap",
    "bad_record",
    "token_revoked",
    "restarting",
    "banned",
]
"""A stable word for why a connection is closed. `CLOSE_CODES` has the WebSocket close code that goes with each."""
CloseReasonText: TypeAlias = Annotated[str, Meta(extra={"content": "CloseReason"})]
"""A `CloseReason`, or one that a later server has added: readers take any."""


class Closing(Struct, frozen=True, gc=False, omit_defaults=True, tag="closing"):
    """Sent before the server closes: the close code, a stable word for it, why, and when to reconnect.

    `place` is where in the frame the fault lies; `versions` are those that the server speaks, when that was the reason.
    A reader that does not know the word reconnects if there is a `retry_after_ms`, and otherwise does not.
    """

    code: AtLeastOne
    close_reason: CloseReasonText
    text: str
    retry_after_ms: AtLeastOne | None = None
    place: JsonPlace | None = None
    versions: tuple[AtLeastOne, ...] = ()


MatchNotice: TypeAlias = Unwatched | OptionsResponse | Openings | ChatPosted | WatchersChanged
"""Messages to those who watch a match that come without a request, beside its records.

Those that may also answer a request have no `id` when they come without one. What both ends of a connection
allow, and what a feed can broadcast, follows from this list."""
WATCH_ENDING_TYPES: tuple[type[Struct], ...] = (Unwatched,)
"""After these nothing more is sent about the match."""

QueryResponse: TypeAlias = (
    MatchList
    | Unfollowed
    | CatalogueResponse
    | ArmyChecked
    | LobbyResponse
    | FileResponse
    | AccountResponse
    | TopicResponse
)
"""Responses that are always to a request, and about no match that is watched."""

ServerMessage: TypeAlias = (
    Welcome
    | Opened
    | Watching
    | Records
    | MatchNotice
    | RecordRange
    | Accepted
    | Refused
    | MatchesChanged
    | PlayerNotice
    | QueryResponse
    | Closing
)

RESPONSE_TYPES: dict[type[Struct], type[Struct]] = {
    OpenMatch: Opened,
    CloseMatch: Accepted,
    SeatBot: Accepted,
    KickPlayer: Accepted,
    Watch: Watching,
    Unwatch: Unwatched,
    Act: Accepted,
    GetOptions: OptionsResponse,
    GetRecords: RecordRange,
    ListMatches: MatchList,
    FollowMatches: MatchList,
    UnfollowMatches: Unfollowed,
    SearchMatches: MatchList,
    GetCatalogue: CatalogueResponse,
    CheckArmy: ArmyChecked,
    Register: SignedIn,
    LogIn: SignedIn,
    LogOut: AccountChanged,
    ListDevices: DeviceList,
    RevokeDevice: DeviceList,
    ChangePassword: AccountChanged,
    Rename: AccountChanged,
    DeleteAccount: AccountChanged,
    GetPlayers: PlayerList,
    **LOBBY_RESPONSE_TYPES,
    **FILE_RESPONSE_TYPES,
    **TOPIC_RESPONSE_TYPES,
}
"""Every request is answered once, under its id, by a message of this type or by `Refused`."""

# ---------------------------------------------------------------- codes

CLOSE_CODES: dict[str, int] = {
    "going_away": 1001,
    "binary": 1003,
    "too_big": 1009,
    "fault": 1011,
    "protocol": 4000,
    "bad_frame": 4001,
    "unsupported_version": 4002,
    "hello_expected": 4003,
    "token_expired": 4004,
    "token_bad": 4005,
    "flood": 4006,
    "slow": 4007,
    "gap": 4008,
    "bad_record": 4009,
    "token_revoked": 4010,
    "restarting": 1012,
    "banned": 4011,
}
"""Words of a `Closing` and the WebSocket close code that goes with each. `gap` and `bad_record` are a client's own."""
