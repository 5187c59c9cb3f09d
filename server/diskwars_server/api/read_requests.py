"""Requests that only the interface has, and their responses: the others are those of the protocol."""

from typing import Annotated

from msgspec import Meta, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.messages.handshake import RulesetSummary
from diskwars_protocol.messages.history import RecordNumber
from diskwars_protocol.messages.lists import PlayerName
from diskwars_protocol.schema_types import AtLeastOne, PackId, RuleId, RulesetName
from diskwars_server.http.board_pictures import PictureForm

MAX_STREAMED_RECORDS = 10_000
MAX_NAMED_PLAYERS = 16
"""Players of four matches: a query has few parameters."""


class GetServer(Struct, frozen=True, forbid_unknown_fields=True, tag="get_server"):
    """Request what this server is, and what is played on it."""


class ServerSummary(Struct, frozen=True):
    """A server: its version with the commit of a release, the version of the protocol, and the rulesets with packs."""

    version: str
    protocol: AtLeastOne
    rulesets: tuple[RulesetSummary, ...]


class GetHealth(Struct, frozen=True, forbid_unknown_fields=True, tag="get_health"):
    """Request whether this server can store anything now."""


class GetPack(Struct, frozen=True, forbid_unknown_fields=True, tag="get_pack"):
    """Request the version and the hash of a content pack."""

    ruleset: RulesetName
    pack: PackId


class GetRule(Struct, frozen=True, forbid_unknown_fields=True, tag="get_rule"):
    """Request a rule by its id, as the reasons of events name it."""

    rule: RuleId


class RuleText(Struct, frozen=True):
    """A rule: its text, where it comes from, and the ids of rulings that refine it."""

    id: RuleId
    text: str
    origins: tuple[str, ...]
    rulings: tuple[RuleId, ...] = ()


class GetMatch(Struct, frozen=True, forbid_unknown_fields=True, tag="get_match"):
    """Request what lists show of a match."""

    match: MatchIdText


class StreamRecords(Struct, frozen=True, forbid_unknown_fields=True, tag="stream_records"):
    """Request records of a match, those that follow `after`: as the public sees them, all secrets after the end."""

    match: MatchIdText
    after: RecordNumber = 0
    limit: Annotated[int, Meta(ge=1, le=MAX_STREAMED_RECORDS)] = MAX_STREAMED_RECORDS


class GetMatchFile(Struct, frozen=True, forbid_unknown_fields=True, tag="get_match_file"):
    """Request the match file, which any client can verify: as the public sees it, all secrets after the end."""

    match: MatchIdText


class GetBoard(Struct, frozen=True, forbid_unknown_fields=True, tag="get_board"):
    """Request a picture of the board after a record, by default the last, as the public sees it."""

    match: MatchIdText
    form: PictureForm
    seq: AtLeastOne | None = None


class GetScenes(Struct, frozen=True, forbid_unknown_fields=True, tag="get_scenes"):
    """Request the course of a match: what lies on the table after each activation and melee, as the public sees it."""

    match: MatchIdText


class GetReplay(Struct, frozen=True, forbid_unknown_fields=True, tag="get_replay"):
    """Request a match as an animated picture with a frame for each scene, as the public sees it."""

    match: MatchIdText


class GetNames(Struct, frozen=True, forbid_unknown_fields=True, tag="get_names"):
    """Request the names of players by their ids, as matches hold them."""

    players: Annotated[tuple[PlayerIdText, ...], Meta(min_length=1, max_length=MAX_NAMED_PLAYERS)]


class FindPlayer(Struct, frozen=True, forbid_unknown_fields=True, tag="find_player"):
    """Request the ratings and results of a player by the name of the account, as people write it."""

    name: PlayerName
