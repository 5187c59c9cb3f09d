"""The opening of a match of any ruleset as text: what is played, and a table of its options."""

from typing import Any

from msgspec import Struct

from diskwars_protocol.match.events import MatchOpened, PositionSet
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, BankClock, MatchClock, MatchOptions
from diskwars_protocol.match.ruleset_settings import RulesetSetting, ruleset_settings
from diskwars_protocol.match.state import AnyMatch
from diskwars_text.phrases import joined
from diskwars_text.struct_lines import value_text

PACK_HASH_LENGTH = 12
"""Digits of a pack's hash that are shown."""
SEED_WARNING = "from a seed: anyone who knows the seed can predict every roll"


def opening_lines(event: MatchOpened[Any]) -> list[str]:
    """Return what is played, and a table with all settings, and with the options of the match that are not usual."""
    rows = [*_setting_rows(event.settings), *_match_rows(event)]
    if event.repeatable:
        rows.append(("dice", SEED_WARNING, ""))
    return [_title(event), *_table(rows)]


def short_opening_lines(event: MatchOpened[Any]) -> list[str]:
    """Return what is played, and of the settings and options only those that are not usual."""
    kind: type[Struct] = type(event.settings)
    usual = {setting.id: value_text(setting.default) for setting in ruleset_settings(kind)}
    rows = [row for row in _setting_rows(event.settings) if row[1] != usual[row[0]]]
    rows += [(name, text, "") for name, text in _match_option_texts(event.match_options)]
    if event.repeatable:
        rows.append(("dice", SEED_WARNING, ""))
    return [_title(event), *_table(rows)]


def settings_lines(match: AnyMatch) -> list[str]:
    """Return the table of a match that is being played."""
    return _table([*_setting_rows(match.settings), *_match_rows(match)])


def position_text(event: PositionSet[Any]) -> str:
    """Return what a branch plays on from."""
    drawn = ": what its opener could not see of it was drawn at random" if event.position.resampled else ""
    return f"The match plays on from a position of another one{drawn}"


def _title(event: MatchOpened[Any]) -> str:
    return f"Match {event.match} of {event.ruleset} for {event.seat_count} players"


def _setting_rows(settings: Any) -> list[tuple[str, str, str]]:
    kind: type[Struct] = type(settings)
    return [
        (setting.id, value_text(getattr(settings, setting.id)), _meaning(setting)) for setting in ruleset_settings(kind)
    ]


def _match_rows(match: MatchOpened[Any] | AnyMatch) -> list[tuple[str, str, str]]:
    packs = ", ".join(f"{pack.id} {pack.version} ({pack.hash[:PACK_HASH_LENGTH]})" for pack in match.packs)
    rows = [(name, text, "") for name, text in _match_option_texts(match.match_options)]
    return [*rows, ("packs", packs, "")] if packs else rows


def _meaning(setting: RulesetSetting) -> str:
    return " ".join([setting.text or "", f"({setting.rule})" if setting.rule else ""]).strip()


def _match_option_texts(options: MatchOptions) -> list[tuple[str, str]]:
    """Return the options of the match that differ from the default."""
    texts = [
        (name, value_text(getattr(options, name)))
        for name in ("visibility", "watchers", "rated")
        if getattr(options, name) != getattr(DEFAULT_MATCH_OPTIONS, name)
    ]
    if options.branch_of is not None:
        texts.append(("branch of", f"match {options.branch_of.match}, after record {options.branch_of.seq}"))
    agreements = [name for name in ("draws", "takebacks", "pauses") if getattr(options, name)]
    if agreements:
        texts.append(("by consent", joined(agreements)))
    if options.clock is not None:
        texts.append(("clock", _clock_text(options.clock)))
    if options.grace_seconds is not None:
        texts.append(("grace_seconds", f"{options.grace_seconds} seconds to reconnect after a lost connection"))
    if options.missed_limit is not None:
        what = "bring in a bot while another person plays" if options.on_missed_limit == "bot" else "resign a player"
        texts.append(("missed_limit", f"{options.missed_limit} missed answers in a row {what}"))
    if options.abandoned_after_days != DEFAULT_MATCH_OPTIONS.abandoned_after_days:
        days = options.abandoned_after_days
        what = f"{days} days without an answer count as leaving" if days else "never"
        texts.append(("abandoned_after_days", what))
    return texts


def _clock_text(clock: MatchClock) -> str:
    if not isinstance(clock, BankClock):
        return f"{clock.decision_seconds} seconds for each decision"
    increment = f", and {clock.increment_seconds} more for each answer" if clock.increment_seconds else ""
    return f"{clock.bank_seconds} seconds for each player{increment}"


def _table(rows: list[tuple[str, str, str]]) -> list[str]:
    """Align the columns; a value without a meaning may be of any length."""
    names = max((len(name) for name, _, _ in rows), default=0)
    values = max((len(value) for _, value, meaning in rows if meaning), default=0)
    return [f"  {name:<{names}}  {value:<{values}}  {meaning}".rstrip() for name, value, meaning in rows]
