"""Messages about ratings and statistics: the leaderboard, one player's figures, and those of armies."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from diskwars_protocol.identifiers import IdText
from diskwars_protocol.match.ids import MatchIdText, PlayerIdText
from diskwars_protocol.messages.accounts import PlayerKindText, PlayerName
from diskwars_protocol.schema_types import AtLeastOne, AtLeastZero, CommandId, RulesetName, WholeNumber

MAX_LEADERBOARD_ENTRIES = 100
"""The most players on one page of a leaderboard."""
MAX_LISTED_ARMIES = 200
"""The most armies in one answer, those with the most games first."""

MAX_RATING_CHANGES = 500
"""The most changes of a rating in one answer."""

RatingHistoryPage: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
"""Names a page of a rating's history for the server that gave it. Opaque to clients."""
LeaderboardPage: TypeAlias = Annotated[str, Meta(min_length=1, max_length=128)]
"""Names a page of a leaderboard for the server that gave it. Opaque to clients."""
SearchedName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
"""The name of an account, as people write it."""


# ---------------------------------------------------------------- from a client


class GetLeaderboard(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_leaderboard"
):
    """Request one page of the players of a ruleset with the highest ratings, or the page that a `Leaderboard` names.

    Bots have a leaderboard of their own: with `bots` "only" it is theirs, without it that of people.
    """

    id: CommandId
    ruleset: RulesetName
    page: LeaderboardPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_LEADERBOARD_ENTRIES)] = MAX_LEADERBOARD_ENTRIES
    bots: Literal["only"] | None = None


class GetPlayerStatistics(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_player_statistics"
):
    """Request the ratings and results of a player: by id, by the name of an account, or with neither the own ones."""

    id: CommandId
    player: PlayerIdText | None = None
    player_name: SearchedName | None = None


class GetArmyStatistics(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag="get_army_statistics"):
    """Request how the armies of a ruleset have fared."""

    id: CommandId
    ruleset: RulesetName


class GetRatingHistory(
    Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag="get_rating_history"
):
    """Request how the rating of a player in a ruleset has changed, the newest change first; without a player the own.

    `page` is one that a `RatingHistory` names.
    """

    id: CommandId
    ruleset: RulesetName
    player: PlayerIdText | None = None
    page: RatingHistoryPage | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_RATING_CHANGES)] = MAX_RATING_CHANGES


RatingRequest: TypeAlias = GetLeaderboard | GetPlayerStatistics | GetArmyStatistics | GetRatingHistory

# ---------------------------------------------------------------- from the server


class PlayerRating(Struct, frozen=True, gc=False):
    """How strong a player of a ruleset is, as rated matches show it.

    `rating` is a careful estimate, in thousandths: the mean less three times its `uncertainty`, 0 before the first
    game. It may be below 0.
    """

    ruleset: RulesetName
    rating: WholeNumber
    uncertainty: AtLeastZero
    games: AtLeastZero
    wins: AtLeastZero
    losses: AtLeastZero
    draws: AtLeastZero


class LeaderboardEntry(Struct, frozen=True, gc=False, omit_defaults=True):
    """A player on the leaderboard; `place` counts from 1. The other fields are those of `PlayerRating`.

    `is_bot`: the player has the account of a bot.
    """

    place: AtLeastOne
    player: PlayerIdText
    name: PlayerName
    rating: WholeNumber
    uncertainty: AtLeastZero
    games: AtLeastZero
    wins: AtLeastZero
    losses: AtLeastZero
    draws: AtLeastZero
    is_bot: bool = False


class Leaderboard(Struct, frozen=True, gc=False, omit_defaults=True, tag="leaderboard"):
    """One page, the highest rating first: players with an account and at least five rated games of this ruleset.

    `next_page` is what a request for the page after it names; None on the last.
    """

    id: CommandId
    ruleset: RulesetName
    entries: tuple[LeaderboardEntry, ...] = ()
    next_page: LeaderboardPage | None = None


class ArmyResults(Struct, frozen=True, gc=False, omit_defaults=True):
    """How an army has fared, with one player or with all. `army` is absent for armies without an id.

    `points` and `records` are sums: the scores at the end, and the numbers of records of the matches.
    """

    ruleset: RulesetName
    games: AtLeastZero
    wins: AtLeastZero
    losses: AtLeastZero
    draws: AtLeastZero
    points: WholeNumber
    records: AtLeastZero
    army: IdText | None = None


class FormerName(Struct, frozen=True, gc=False):
    """A name that a player had, and when they gave it up."""

    name: PlayerName
    until_ms: AtLeastZero


class PlayerStatistics(Struct, frozen=True, gc=False, omit_defaults=True, tag="player_statistics"):
    """Answer to `GetPlayerStatistics`: one rating for each ruleset with rated games, and the results by army.

    `armies` are of all counted matches, rated or not, those with the most games first. `former_names` are those
    that the player has given up, the last one first. `is_bot`: the player has the account of a
    bot.
    """

    id: CommandId
    player: PlayerIdText
    name: PlayerName
    kind: PlayerKindText
    ratings: tuple[PlayerRating, ...] = ()
    armies: tuple[ArmyResults, ...] = ()
    former_names: tuple[FormerName, ...] = ()
    is_bot: bool = False


class ArmyStatistics(Struct, frozen=True, gc=False, omit_defaults=True, tag="army_statistics"):
    """Answer to `GetArmyStatistics`: the armies of all counted matches, those with the most games first."""

    id: CommandId
    ruleset: RulesetName
    armies: tuple[ArmyResults, ...] = ()


class RatingChange(Struct, frozen=True, gc=False, omit_defaults=True):
    """The rating of a player after a rated match, which ended at `ended_ms`. Both figures are thousandths.

    `match` is there only where lists show it to the one who asks: who knows the id of a match by link may watch it.
    """

    ended_ms: AtLeastZero
    rating: WholeNumber
    uncertainty: AtLeastZero
    match: MatchIdText | None = None


class RatingHistory(Struct, frozen=True, gc=False, omit_defaults=True, tag="rating_history"):
    """Answer to `GetRatingHistory`: one page, the newest change first. `next_page` is None on the last."""

    id: CommandId
    player: PlayerIdText
    ruleset: RulesetName
    changes: tuple[RatingChange, ...] = ()
    next_page: RatingHistoryPage | None = None


RatingResponse: TypeAlias = Leaderboard | PlayerStatistics | ArmyStatistics | RatingHistory

REQUESTS: dict[type[Struct], type[Struct]] = {
    GetLeaderboard: Leaderboard,
    GetPlayerStatistics: PlayerStatistics,
    GetArmyStatistics: ArmyStatistics,
    GetRatingHistory: RatingHistory,
}
"""By request, the response that answers it."""
