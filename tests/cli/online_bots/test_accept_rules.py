"""Rules by which a bot accepts: read from texts, and held against offers."""

import pytest

from diskwars_cli.console.command import CommandError
from diskwars_cli.online_bots.accept_rules import AcceptRule, OfferedMatch, decline_reason, parse_rules
from tests.rows import each_row

RULESETS = ["diskwars", "pit"]


def test_rule_names_a_ruleset_a_way_and_conditions() -> None:
    rules = parse_rules(["pit", "diskwars:seats,pace=days,rated=no"], RULESETS)
    assert rules == (AcceptRule("pit"), AcceptRule("diskwars", "seats", "days", rated=False))


def test_any_stands_for_each_ruleset() -> None:
    assert [rule.ruleset for rule in parse_rules(["any:both"], RULESETS)] == RULESETS


@each_row(
    ("text", "complaint"),
    [
        ("chess", "there is no ruleset 'chess'"),
        ("pit:invites", "'invites' is not one of challenges, seats, both"),
        ("pit,pace=slow", "'pace=slow' is not one of pace="),
        ("pit,rated=maybe", "'rated=maybe' is not one of"),
    ],
)
def test_wrong_rule_is_refused_with_what_would_be_right(text: str, complaint: str) -> None:
    with pytest.raises(CommandError, match=f"--accept {text}: {complaint}"):
        parse_rules([text], RULESETS)


@each_row(
    ("rule", "reason"),
    [
        ("pit", None),
        ("pit:both,pace=live", None),
        ("diskwars", "other_game"),
        ("pit,pace=days", "too_fast"),
        ("pit:seats", "unspecified"),
        ("pit,rated=yes", "unspecified"),
    ],
)
def test_offer_is_declined_with_the_reason_of_the_closest_rule(rule: str, reason: str | None) -> None:
    offer = OfferedMatch("pit", "challenges", "live", rated=False)
    assert decline_reason(parse_rules([rule], RULESETS), offer) == reason
    assert decline_reason(parse_rules(["diskwars", rule], RULESETS), offer) == reason


@each_row(("rule", "reason"), [("pit", "too_slow"), ("pit,pace=days", "too_slow"), ("pit,pace=no_clock", None)])
def test_match_without_a_clock_is_accepted_only_where_a_rule_names_it(rule: str, reason: str | None) -> None:
    offer = OfferedMatch("pit", "challenges", "no_clock", rated=False)
    assert decline_reason(parse_rules([rule], RULESETS), offer) == reason
