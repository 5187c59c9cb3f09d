"""Filters of the `matches` verb: what ended matches are searched by, as options and as a search."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, TypeAlias

import click
from msgspec import Struct

from diskwars_cli.command import CommandError
from diskwars_protocol.match import MatchStatus, PlayerId
from diskwars_protocol.messages import SearchMatches

Callback: TypeAlias = Callable[..., int]

DAYS = click.DateTime(["%Y-%m-%d"])


class MatchFilters(Struct, frozen=True, kw_only=True):
    """What the options say; None where one is not given."""

    player: str | None = None
    player_id: str | None = None
    outcome: str | None = None
    army: str | None = None
    ruleset: str | None = None
    end_reason: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    min_records: int | None = None
    max_records: int | None = None

    @property
    def is_empty(self) -> bool:
        return self == MatchFilters()

    def require_status(self, status: MatchStatus | None) -> None:
        """Check that no other matches than ended ones are wanted. Raises CommandError."""
        if not self.is_empty and status not in (None, "ended"):
            raise CommandError(f"only matches that have ended are searched, not those that are {status}")

    def lobby_list(self) -> tuple[str | None, PlayerId | None]:
        """Return the ruleset and the player of a list that is no search. Raises CommandError for other filters."""
        if self != MatchFilters(ruleset=self.ruleset, player_id=self.player_id):
            raise CommandError("--free-seat, --mine and --follow go with --status, --ruleset and --player-id only")
        return self.ruleset, None if self.player_id is None else PlayerId(self.player_id)

    def search(self) -> SearchMatches:
        """Return the search, with an id to be replaced. Days are those of this computer, both included."""
        return SearchMatches(
            "search",
            player=None if self.player_id is None else PlayerId(self.player_id),
            player_name=self.player,
            won=None if self.outcome is None else self.outcome == "won",
            army=self.army,
            ruleset=self.ruleset,
            end_reason=self.end_reason,
            since_ms=None if self.since is None else _milliseconds(self.since),
            until_ms=None if self.until is None else _milliseconds(self.until + timedelta(days=1)) - 1,
            min_records=self.min_records,
            max_records=self.max_records,
        )


def _milliseconds(day: datetime) -> int:
    return max(0, round(day.timestamp() * 1000))


def filter_options(callback: Callback) -> Callback:
    """Add the filters. The callback gets them as one value, `filters`."""

    def with_filters(**values: Any) -> int:
        named = {name: values.pop(name) for name in MatchFilters.__struct_fields__}
        return callback(filters=MatchFilters(**named), **values)

    found: Callback = wraps(callback)(with_filters)
    count = click.IntRange(1)
    for option in reversed(
        (
            click.option("--player", metavar="NAME", help="Of this player: the name of an account"),
            click.option("--player-id", metavar="ID", help="Of this player, also one without an account"),
            click.option("--outcome", type=click.Choice(["won", "not-won"]), help="That this player won, or did not"),
            click.option("--army", metavar="ID", help="In which this army took part"),
            click.option("--ruleset", metavar="NAME", help="Of this ruleset"),
            click.option("--ended-by", "end_reason", metavar="REASON", help="That ended so, as `resignation`"),
            click.option("--since", type=DAYS, metavar="YYYY-MM-DD", help="Opened on this day or later"),
            click.option("--until", type=DAYS, metavar="YYYY-MM-DD", help="Opened on this day or before"),
            click.option("--min-records", type=count, metavar="N", help="With at least N records"),
            click.option("--max-records", type=count, metavar="N", help="With at most N records"),
        )
    ):
        found = option(found)
    return found
