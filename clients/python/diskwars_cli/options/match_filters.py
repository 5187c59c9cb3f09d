"""Filters of the `matches` verb: what ended matches are searched by, as options and as a search."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, NamedTuple, TypeAlias, get_args

import click
import msgspec
from msgspec import Struct

from diskwars_cli.console.command import CommandError
from diskwars_cli.plugs.setting_texts import parse_settings
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.match.match_options import DEFAULT_RULESET, Pace
from diskwars_protocol.match.ruleset_settings import SettingValue, ruleset_settings
from diskwars_protocol.match.state import MatchStatus
from diskwars_protocol.messages.lists import SearchMatches

Callback: TypeAlias = Callable[..., int]

DAYS = click.DateTime(["%Y-%m-%d"])


class MatchFilters(Struct, frozen=True, kw_only=True):
    """Values of the options; None where one is not given."""

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
    option: tuple[str, ...] = ()
    pace: Pace | None = None

    @property
    def is_empty(self) -> bool:
        return self == MatchFilters()

    def require_status(self, status: MatchStatus | None) -> None:
        """Check that no other matches than ended ones are wanted. Raises CommandError."""
        if not self.is_empty and status not in (None, "ended"):
            raise CommandError(f"only matches that have ended are searched, not those that are {status}")

    @property
    def is_list(self) -> bool:
        """Return whether an option is given by which ended matches are not searched."""
        return bool(self.option or self.pace)

    def lobby_list(self) -> "LobbyFilter":
        """Return the filter of a list that is no search. Raises CommandError for other filters."""
        if self != MatchFilters(ruleset=self.ruleset, player_id=self.player_id, option=self.option, pace=self.pace):
            flags = "--free-seat, --mine, --follow, --option and --pace"
            raise CommandError(f"{flags} go with --status, --ruleset and --player-id only")
        player = None if self.player_id is None else PlayerId(self.player_id)
        if not self.option:
            return LobbyFilter(self.ruleset, player, {}, self.pace)
        ruleset = self.ruleset or DEFAULT_RULESET
        return LobbyFilter(ruleset, player, _parse_options(ruleset, self.option), self.pace)

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


class LobbyFilter(NamedTuple):
    """Conditions that narrow a list of the lobby."""

    ruleset: str | None
    player: PlayerId | None
    settings: dict[str, SettingValue]
    pace: Pace | None


def _parse_options(ruleset: str, texts: Sequence[str]) -> dict[str, SettingValue]:
    """Return settings from texts such as `regiments=2`. Raises CommandError."""
    from diskwars_protocol.rulesets.registry import RULESETS  # not for --help, which loads this module

    if ruleset not in RULESETS:
        raise CommandError(f"--option needs a ruleset that is installed, not {ruleset}")
    settings = parse_settings(ruleset_settings(RULESETS[ruleset].settings), texts)
    return msgspec.convert(settings, dict[str, SettingValue])


def _milliseconds(day: datetime) -> int:
    return max(0, round(day.timestamp() * 1000))


def filter_options(callback: Callback) -> Callback:
    """Add the filters. The callback gets them as one value, `filters`."""

    def with_filters(**values: Any) -> int:
        named = {name: values.pop(name) for name in MatchFilters.__struct_fields__}
        return callback(filters=MatchFilters(**named), **values)

    with_flags: Callback = wraps(callback)(with_filters)
    count = click.IntRange(1)
    for option in reversed(
        (
            click.option("--player", metavar="NAME", help="Of this player: the name of an account"),
            click.option("--player-id", metavar="ID", help="Of this player, also one without an account"),
            click.option("--outcome", type=click.Choice(["won", "not-won"]), help="That this player won, or did not"),
            click.option("--army", metavar="ID", help="In which this army took part"),
            click.option("--ruleset", metavar="NAME", help="Of this ruleset"),
            click.option(
                "--option",
                multiple=True,
                metavar="NAME=VALUE",
                help="With this setting of its ruleset, as `regiments=2` (repeatable)",
            ),
            click.option("--pace", type=click.Choice(get_args(Pace)), help="Without a clock, at one go, or over days"),
            click.option("--ended-by", "end_reason", metavar="REASON", help="That ended so, as `resignation`"),
            click.option("--since", type=DAYS, metavar="YYYY-MM-DD", help="Opened on this day or later"),
            click.option("--until", type=DAYS, metavar="YYYY-MM-DD", help="Opened on this day or before"),
            click.option("--min-records", type=count, metavar="N", help="With at least N records"),
            click.option("--max-records", type=count, metavar="N", help="With at most N records"),
        )
    ):
        with_flags = option(with_flags)
    return with_flags
