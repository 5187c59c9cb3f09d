"""Options of a club: who sees it, how one comes in, what its members play with, and its own rules in words."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.match.match_options import DEFAULT_RULESET
from diskwars_protocol.schema_types import OpenedPacks, RulesetName

MAX_MEMBERS = 200
MAX_OFFICERS = 12
MAX_CLUB_NAME_LENGTH = 60
MAX_HOUSE_RULES_LENGTH = 600
MAX_INVITATIONS = 10
"""Links of one club that are not revoked."""
MAX_REMOVED = 200
"""Removed players whom a club keeps out of an open entry; of more the one removed longest ago may come again."""
MAX_SEASON_NAME_LENGTH = 60
MAX_SEASONS = 100

ClubVisibility: TypeAlias = Literal["public", "private"]
ClubEntry: TypeAlias = Literal["open", "invitation"]
ClubRole: TypeAlias = Literal["leader", "officer", "member"]

ClubName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_CLUB_NAME_LENGTH)]
SeasonName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MAX_SEASON_NAME_LENGTH)]


class ClubOptions(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the leader and the officers of a club decide.

    `visibility` "private": nobody but its members learns that the club is there, unless by an invitation. `entry`
    "open": any player with an account may join. `packs` are the content packs that its matches use; left out, any.
    `ruleset` is the game of its ladder.
    """

    visibility: ClubVisibility = "public"
    entry: ClubEntry = "invitation"
    ruleset: RulesetName = DEFAULT_RULESET
    packs: OpenedPacks | None = None
    house_rules: Annotated[str, Meta(min_length=1, max_length=MAX_HOUSE_RULES_LENGTH)] | None = None
