"""Which challenges and free seats a bot accepts, as texts such as `pit` or `regiments:seats,pace=days,rated=no`."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.console.command import CommandError
from diskwars_protocol.match.match_options import Pace
from diskwars_protocol.messages.challenges import DeclineReason

ANY_RULESET = "any"
Way: TypeAlias = Literal["challenges", "seats", "both"]
"""How a match is offered: by a challenge, by a free seat in a public match, or by either."""
FORM = "RULESET[:challenges|:seats][,pace=PACE][,rated=yes|no]"


class AcceptRule(Struct, frozen=True):
    """Matches of one ruleset that a bot accepts; None accepts either.

    A match without a clock is accepted only where `pace` names it: nothing would ever end it.
    """

    ruleset: str
    way: Way = "challenges"
    pace: Pace | None = None
    rated: bool | None = None

    def mismatch(self, offer: "OfferedMatch") -> DeclineReason | None:
        """Return why this rule does not accept an offer; None if it does."""
        if self.ruleset != offer.ruleset:
            return "other_game"
        if self.way not in ("both", offer.way):
            return "unspecified"
        if not self.accepts_pace(offer.pace):
            return "too_fast" if offer.pace == "live" else "too_slow"
        return "unspecified" if self.rated not in (None, offer.rated) else None

    def accepts_pace(self, pace: Pace) -> bool:
        return pace != "no_clock" if self.pace is None else pace == self.pace


class OfferedMatch(Struct, frozen=True):
    """What the rules of a bot look at."""

    ruleset: str
    way: Literal["challenges", "seats"]
    pace: Pace
    rated: bool


def parse_rules(texts: Iterable[str], rulesets: Sequence[str]) -> tuple[AcceptRule, ...]:
    """Return the rules of these texts; a text that names any ruleset stands for all `rulesets`. Raises CommandError."""
    return tuple(rule for text in texts for rule in _parse_rule(text, rulesets))


def decline_reason(rules: Sequence[AcceptRule], offer: OfferedMatch) -> DeclineReason | None:
    """Return why no rule accepts an offer, by the rule that comes closest; None if one accepts it."""
    reasons = [rule.mismatch(offer) for rule in rules]
    if None in reasons:
        return None
    return next((reason for reason in reasons if reason != "other_game"), "other_game")


def _parse_rule(text: str, rulesets: Sequence[str]) -> list[AcceptRule]:
    head, *conditions = text.split(",")
    name, colon, way = head.partition(":")
    if name != ANY_RULESET and name not in rulesets:
        raise CommandError(f"--accept {text}: there is no ruleset {name!r}; there are {', '.join(rulesets)} and any")
    if colon and way not in get_args(Way):
        raise CommandError(f"--accept {text}: {way!r} is not one of {', '.join(get_args(Way))}")
    rule = AcceptRule(name)
    if colon:
        rule = replace(rule, way=way)
    for condition in conditions:
        rule = _with_condition(rule, condition, text)
    names = rulesets if name == ANY_RULESET else [name]
    return [replace(rule, ruleset=ruleset) for ruleset in names]


def _with_condition(rule: AcceptRule, condition: str, text: str) -> AcceptRule:
    name, _, value = condition.partition("=")
    if name == "pace" and value in get_args(Pace):
        return replace(rule, pace=value)
    if name == "rated" and value in ("yes", "no"):
        return replace(rule, rated=value == "yes")
    known = f"pace={'|'.join(get_args(Pace))}, rated=yes|no"
    raise CommandError(f"--accept {text}: {condition!r} is not one of {known}; a rule is {FORM}")
