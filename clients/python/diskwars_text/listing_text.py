"""A match in a list, in a few words: settings that are not usual, packs, clock, who may join or watch."""

from diskwars_protocol.messages.match_summary import ClockSummary, MatchSummary
from diskwars_text.struct_lines import value_text

_UNITS = (("d", 86_400), ("h", 3600), ("min", 60))


def listing_text(summary: MatchSummary) -> str:
    """Return it as `regiments 2, 15 min for each player, rated`; empty for a match with nothing unusual."""
    options = summary.match_options
    parts = [f"{name.replace('_', ' ')} {value_text(value)}" for name, value in summary.settings.items()]
    parts += [f"with {pack}" for pack in summary.packs]
    if options.clock is not None:
        parts.append(_clock_text(options.clock))
    parts += ["rated"] * options.rated
    if options.club is not None:
        parts.append("of a club")
    elif options.visibility != "public":
        parts.append(f"by {options.visibility}")
    if options.watchers != "live":
        parts.append(f"watchers {options.watchers.replace('_', ' ')}")
    return ", ".join(parts)


def _clock_text(clock: ClockSummary) -> str:
    if clock.decision_seconds is not None:
        return f"{duration_text(clock.decision_seconds)} a decision"
    if clock.bank_seconds is None:
        return f"clock {clock.type.replace('_', ' ')}"
    increment = f" + {duration_text(clock.increment_seconds)}" if clock.increment_seconds else ""
    return f"{duration_text(clock.bank_seconds)}{increment} for each player"


def duration_text(seconds: int) -> str:
    """Return a time in the largest unit that it is a whole number of: `3 d`, `90 min`."""
    for unit, size in _UNITS:
        if seconds and seconds % size == 0:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
