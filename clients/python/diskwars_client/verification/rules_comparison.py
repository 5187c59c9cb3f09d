"""Comparison of a match with these rules: the first record that they decide in another way than it was decided.

Verification calls that an error only where the same version of the rules has decided the record. Here the version does
not matter: the comparison tells what a change of the rules means for matches that were played.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from diskwars_client.plugs.file_checks import events_of
from diskwars_client.plugs.record_difference import difference
from diskwars_client.verification.published_dice import dice_steps
from diskwars_client.verification.rules_verifier import ActionRefused, RulesVerifier, rules_verifier_for
from diskwars_client.verification.verify import IncompatibleRules, decode_bodies, find_ruleset
from diskwars_engine.ruleset import AnyRuleset
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.events import MatchOpened
from diskwars_protocol.match.ids import MatchId
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.records.match_file import MatchFileError, read_file
from diskwars_protocol.records.records import BadRecord


class CannotCompare(MatchFileError):
    """Error for a match that these rules cannot decide again: unfinished, sealed, or of content that is not here."""


class RulingDifference(Struct, frozen=True):
    """Record `seq` is decided in another way now: by these rules, as far as the events name some, and how.

    `is_same_version` says that the same version of the rules decided the record, which is wrong then.
    """

    match: MatchId
    seq: int
    rules: tuple[str, ...]
    text: str
    is_same_version: bool


def compare_rulings(raw: bytes, rulesets: Sequence[AnyRuleset]) -> RulingDifference | None:
    """Return the first difference between a finished match and what these rules decide; None if there is none.

    What follows the first difference is not looked at, because it may follow from it. Raises BadRecord for a file that
    is damaged, NewerFormat, UnknownRuleset, CannotCompare.
    """
    file = read_file(raw)
    if file.unfinished_at is not None or file.sealed:
        raise CannotCompare("the match is unfinished, or some of its secrets are sealed")
    vocabulary, checks_class = find_ruleset(file.header.ruleset)
    try:
        bodies = decode_bodies(file, vocabulary, checks_class.rules_version)
    except IncompatibleRules as fault:
        raise CannotCompare(str(fault)) from None
    match = MatchId(file.header.match)
    checks = checks_class(match, bodies, rulesets)
    verifier = rules_verifier_for(bodies, dice_steps(events_of(bodies)), checks)
    if verifier is None:
        raise CannotCompare("from what the match records of itself it cannot be decided again")
    state: AnyMatch | None = None
    for seq, body in enumerate(bodies, 1):
        after = vocabulary.fold_record(state, body, bodies[:seq])
        difference = _compare(verifier, seq, state, body)
        if difference is not None:
            rules, text = difference
            return RulingDifference(match, seq, rules, text, after.rules_version == checks.rules_version)
        state = after
    return None


def _compare(
    verifier: RulesVerifier, seq: int, state: AnyMatch | None, body: AnyBody
) -> tuple[tuple[str, ...], str] | None:
    """Return the rules behind a difference, and what differs; None where the rules decide the same."""
    try:
        right = _without_version(verifier.redecide(seq, state, body))
    except ActionRefused as refused:
        return (refused.rule,) if refused.rule else (), refused.problem
    except BadRecord as fault:
        return (), fault.problem
    recorded = _without_version(body)
    if recorded == right:
        return None
    return _rules_behind(recorded, right), difference(recorded, right)


def _without_version(body: AnyBody) -> AnyBody:
    """Return a record without the version of the rules that decided it, which differs as a matter of course."""
    events = tuple(replace(each, rules_version=0) if isinstance(each, MatchOpened) else each for each in body.events)
    return replace(body, rules_version=None, events=events)


def _rules_behind(recorded: AnyBody, right: AnyBody) -> tuple[str, ...]:
    """Return the rules of the first event that differs: those of reasons that differ, or else all that it names."""
    pairs = zip((*recorded.events, None), (*right.events, None), strict=False)
    for event, should in pairs:
        if event != should:
            before, now = _reasons_of(event), _reasons_of(should)
            changed = [each for each in now if each not in before] or [each for each in before if each not in now]
            return _rules_of(changed or now or before)
    return _rules_of(_reasons_of(right.result) or _reasons_of(recorded.result))


def _reasons_of(said: Any) -> tuple[Reason, ...]:
    reasons: tuple[Reason, ...] = getattr(said, "reasons", ())
    return reasons


def _rules_of(reasons: Sequence[Reason]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reason.rule for reason in reasons))
