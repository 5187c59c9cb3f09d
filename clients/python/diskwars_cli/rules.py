"""The `rules` verb: prints a rule with its reason, the code that obeys it and the tests that show it."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

from diskwars_cli.command import CommandError, program_name

if TYPE_CHECKING:
    from diskwars_content.rule_register import Rule, RuleRegister, RuleSection

TEXT_WIDTH = 100
MAX_RESULTS = 20
"""Rules that are listed for words."""
RULE_ID = re.compile(r"(R-?|F|FAQ)\d[\d.]*", re.IGNORECASE)
"""What looks like an id, whether there is such a rule or not."""


def run_rules(words: Sequence[str]) -> int:
    from diskwars_content.rule_register import load_register

    lines = _lookup(load_register(), words) if words else _print_contents(load_register())
    print("\n".join(lines))
    return 0


def _print_contents(rules: "RuleRegister") -> Iterator[str]:
    """Yield the sections, and how many entries each has."""
    for section in rules.sections:
        if section.rules:
            yield f"{section.id or section.rules[0].id:<5} {section.title}: {_section_range(section)}"
    yield ""
    yield f"{program_name()} rules R15          prints a section"
    yield f"{program_name()} rules R15.2        a rule with its reason and the tests that show it"
    yield f"{program_name()} rules high ground  the rules about it"


def _section_range(section: "RuleSection") -> str:
    ids = [rule.id for rule in section.rules]
    return f"{ids[0]} to {ids[-1]}" if len(ids) > 1 else ids[0]


def _lookup(rules: "RuleRegister", ids: Iterable[str]) -> Iterator[str]:
    """Yield the text of each rule. Raises CommandError for an unknown id."""
    if not any(RULE_ID.fullmatch(word) for word in ids):
        yield from _search(rules, " ".join(ids))
        return
    for number, word in enumerate(ids):
        if number:
            yield ""
        id = word.upper()
        section = next((one for one in rules.sections if id and one.id == id), None)
        if section is not None:
            yield from _section_text(section)
        elif id in rules.rules:
            yield from _rule_text(rules, rules.rules[id])
        else:
            raise CommandError(_unknown_rule(rules, word))


def _search(rules: "RuleRegister", words: str) -> Iterator[str]:
    """The rules in which words stand, those first that begin with them, each with as much of it as fits in a line.

    Raises CommandError.
    """
    looks = re.compile(rf"\b{re.escape(words)}", re.IGNORECASE)
    found = [rule for rule in rules.rules.values() if words.strip() and looks.search(rule.text)]
    if not found:
        raise CommandError(f"no rule mentions {words!r}; `{program_name()} rules` lists the sections")
    found.sort(key=lambda rule: looks.match(rule.text) is None)
    for rule in found[:MAX_RESULTS]:
        yield textwrap.shorten(f"{rule.id:<8} {rule.statement}", TEXT_WIDTH, placeholder=" …")
    if len(found) > MAX_RESULTS:
        yield f"… and {len(found) - MAX_RESULTS} more"


def _unknown_rule(rules: "RuleRegister", word: str) -> str:
    near = get_close_matches(word.upper(), [*rules.rules, *(one.id for one in rules.sections if one.id)], 3)
    meant = f"; did you mean {' or '.join(near)}?" if near else f"; `{program_name()} rules` lists the sections"
    return f"there is no rule {word!r}{meant}"


def _section_text(section: "RuleSection") -> Iterator[str]:
    yield f"{section.id} {section.title}"
    for rule in section.rules:
        yield ""
        yield from _wrap(f"{rule.id} {rule.text} [{'; '.join(rule.origins)}]", "  ")


def _rule_text(rules: "RuleRegister", rule: "Rule") -> Iterator[str]:
    section = next(one for one in rules.sections if rule in one.rules)
    yield f"{rule.id}  ({f'{section.id} ' if section.id else ''}{section.title})"
    yield from _wrap(rule.statement, "  ")
    yield f"  from: {', '.join(rule.origins)}"
    for part in ("Default", "Option", "Stands in", "Reason"):
        if rule.ruling_part(part):
            yield from _wrap(f"{part.lower()}: {rule.ruling_part(part)}", "  ")
    for ruling in rules.rulings_on(rule.id):
        yield from _wrap(f"ruling {ruling.id}: {ruling.statement} Reason: {ruling.ruling_part('Reason')}", "  ")
    parts = [id for id in rules.rules if id.startswith(f"{rule.id}.")]
    if parts:
        yield f"  parts: {', '.join(parts)}"
    if examples := [one.id for one in rules.examples_citing(rule.id)]:
        yield f"  worked in: {', '.join(examples)}"
    yield from _code_references(rule.id)
    yield from _test_references(rule.id)


def _code_references(id: str) -> Iterator[str]:
    """Yield where code says that it obeys the rule: the engine first."""
    from diskwars_content import rule_citations

    first = {(one.path, one.name): one for one in reversed(rule_citations.citations_in_code()) if one.id == id}
    if first:
        yield "  obeyed in:"
    for one in sorted(first.values(), key=lambda one: ("engine" not in one.path, one.path, one.line)):
        yield f"    {one}"


def _test_references(id: str) -> Iterator[str]:
    """Yield the tests that name the rule, which are there in a checkout only."""
    from diskwars_content import rule_citations

    if rule_citations.tests_folder() is None:
        yield "  shown by: the tests are not installed; look into a checkout of the project"
        return
    yield "  shown by:"
    shown = dict.fromkeys(f"{one.path}::{one.name}" for one in rule_citations.citations_in_tests() if one.id == id)
    yield from (f"    {test}" for test in shown)


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, TEXT_WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
