"""Messages about challenges: a player asks another one, by name, for a match of two."""

from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Raw, Struct

from diskwars_protocol.match.ids import MatchIdText, PlayerIdText, Seat
from diskwars_protocol.messages.accounts import PlayerName
from diskwars_protocol.schema_types import (
    NO_FIELDS,
    OPAQUE_ID_PATTERN,
    AtLeastZero,
    CommandId,
    OpenedPacks,
    RulesetName,
)

CHALLENGE_SEATS = 2
ChallengeId: TypeAlias = Annotated[str, Meta(extra_json_schema={"pattern": OPAQUE_ID_PATTERN})]
ChosenSeat: TypeAlias = Annotated[int, Meta(ge=0, le=CHALLENGE_SEATS - 1)]

DeclineReason: TypeAlias = Literal["unspecified", "later", "too_fast", "too_slow", "other_game", "other_size"]
"""Why a challenge is declined: not now, rather more or less time, another ruleset, or another size of match."""
ChallengeStatus: TypeAlias = Literal["open", "accepted", "declined", "withdrawn"]

# The schema has the values of this version; readers take any text.
DeclineReasonText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(DeclineReason))})]
ChallengeStatusText: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(get_args(ChallengeStatus))})]


# ---------------------------------------------------------------- from a client


class ChallengePlayer(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="challenge_player"
):
    """Challenge the player of an account to a match of two. Players with an account can.

    `seat` is the challenger's; without one it goes by lot. The same request under the same `id` is one challenge.
    """

    id: CommandId
    name: PlayerName
    ruleset: RulesetName
    settings: Annotated[Raw, Meta(extra={"content": "Settings"})] = NO_FIELDS
    match_options: Annotated[Raw, Meta(extra={"content": "MatchOptions"})] = NO_FIELDS
    packs: OpenedPacks | None = None
    seat: ChosenSeat | None = None


class AcceptChallenge(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="accept_challenge"):
    """Accept a challenge. Its match is opened: watch it, and take the own seat."""

    id: CommandId
    challenge: ChallengeId


class DeclineChallenge(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="decline_challenge"
):
    """Decline a challenge."""

    id: CommandId
    challenge: ChallengeId
    reason: DeclineReason = "unspecified"


class WithdrawChallenge(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="withdraw_challenge"):
    """Take an own challenge back."""

    id: CommandId
    challenge: ChallengeId


class ListChallenges(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="list_challenges"):
    """Request the challenges to and from oneself that are open, or were answered lately."""

    id: CommandId


class AllowChallenges(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="allow_challenges"):
    """Take challenges, as every account does at first, or take none. Those that are open stay open."""

    id: CommandId
    allowed: bool


ChallengeRequest: TypeAlias = (
    ChallengePlayer | AcceptChallenge | DeclineChallenge | WithdrawChallenge | ListChallenges | AllowChallenges
)

# ---------------------------------------------------------------- from the server


class Challenge(Struct, frozen=True, gc=False, omit_defaults=True):
    """A challenge as both players see it. It may be accepted until `expires_ms`.

    `seat` is the challenger's; where it goes by lot it is not there before the challenge is accepted. `match` is the
    match that was opened then. `reason` is why it was declined.
    """

    challenge: ChallengeId
    challenger: PlayerIdText
    challenged: PlayerIdText
    status: ChallengeStatusText
    ruleset: RulesetName
    settings: Annotated[Raw, Meta(extra={"content": "Settings"})]
    match_options: Annotated[Raw, Meta(extra={"content": "MatchOptions"})]
    created_ms: AtLeastZero
    expires_ms: AtLeastZero
    packs: OpenedPacks | None = None
    seat: Seat | None = None
    reason: DeclineReasonText | None = None
    match: MatchIdText | None = None


class ChallengeView(Struct, frozen=True, gc=False, tag="challenge_view"):
    """Answer to requests about one challenge: what it is now."""

    id: CommandId
    challenge: Challenge


class ChallengeList(Struct, frozen=True, gc=False, omit_defaults=True, tag="challenge_list"):
    """Answer to `ListChallenges` and `AllowChallenges`: challenges to and from the player, the newest first.

    `allowed`: the player takes challenges.
    """

    id: CommandId
    challenges: tuple[Challenge, ...] = ()
    allowed: bool = True


class ChallengeChanged(Struct, frozen=True, gc=False, tag="challenge_changed"):
    """Sent to every connection of both players when a challenge is made, answered or taken back.

    It may get lost: `ListChallenges` answers the same.
    """

    challenge: Challenge


ChallengeResponse: TypeAlias = ChallengeView | ChallengeList

REQUESTS: dict[type[Struct], type[Struct]] = {
    ChallengePlayer: ChallengeView,
    AcceptChallenge: ChallengeView,
    DeclineChallenge: ChallengeView,
    WithdrawChallenge: ChallengeView,
    ListChallenges: ChallengeList,
    AllowChallenges: ChallengeList,
}
"""By request, the response that answers it."""
