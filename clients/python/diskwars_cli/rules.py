"""The `rules` verb: prints a rule with its reason, the code that implements it and the tests that prove it."""

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
"""The number of rules listed for a search."""
RULE_ID = re.compile(r"(R|[A-Z]-|F|FAQ)\d[\d.]*[A-Z]?", re.IGNORECASE)
"""The form of a rule id, whether or not there is such a rule."""


def run_rules(words: Sequence[str]) -> int:
    from diskwars_content.rule_register import load_register

    lines = _lookup(load_register(), words) if words else _print_contents(load_register())
    print("\n".join(lines))
    return 0


def _print_contents(rules: "RuleRegister") -> Iterator[str]:
    """Yield the table of contents: the sections with their range of ids, and examples of use."""
    for section in rules.sections:
        if section.rules:
            yield f"{section.id or section.rules[0].id:<5} {section.title}: {_section_range(section)}"
    yield ""
    yield f"{program_name()} rules R15          print a section"
    yield f"{program_name()} rules R15.2        print a rule with its reason, code and tests"
    yield f"{program_name()} rules high ground  search the rules"


def _section_range(section: "RuleSection") -> str:
    ids = [rule.id for rule in section.rules]
    return f"{ids[0]} to {ids[-1]}" if len(ids) > 1 else ids[0]


def _lookup(rules: "RuleRegister", words: Iterable[str]) -> Iterator[str]:
    """Yield the text of each rule or section, or search for the words. Raises CommandError for an unknown id."""
    if not any(RULE_ID.fullmatch(word) for word in words):
        yield from _search(rules, " ".join(words))
        return
    for number, word in enumerate(words):
        if number:
            yield ""
        section = next((each for each in rules.sections if each.id and each.id == word.upper()), None)
        rule = next((each for id, each in rules.rules.items() if id.upper() == word.upper()), None)
        if section is not None:
            yield from _section_text(section)
        elif rule is not None:
            yield from _rule_text(rules, rule)
        else:
            raise CommandError(_unknown_rule(rules, word))


def _search(rules: "RuleRegister", words: str) -> Iterator[str]:
    """Yield the rules that contain the words, those that begin with them first, one line each. Raises CommandError."""
    pattern = re.compile(rf"\b{re.escape(words)}", re.IGNORECASE)
    matching = [rule for rule in rules.rules.values() if words.strip() and pattern.search(rule.text)]
    if not matching:
        known = {word for rule in rules.rules.values() for word in re.findall("[a-z]{4,}", rule.text.lower())}
        near = get_close_matches(words.lower(), sorted(known), 3, cutoff=0.75)
        hint = f"did you mean {' or '.join(near)}?" if near else f"`{program_name()} rules` lists the sections"
        raise CommandError(f"no rule mentions {words!r}; {hint}")
    matching.sort(key=lambda rule: pattern.match(rule.text) is None)
    for rule in matching[:MAX_RESULTS]:
        yield textwrap.shorten(f"{rule.id:<8} {rule.statement}", TEXT_WIDTH, placeholder=" …")
    if len(matching) > MAX_RESULTS:
        yield f"… and {len(matching) - MAX_RESULTS} more"


def _unknown_rule(rules: "RuleRegister", word: str) -> str:
    section_ids = [section.id for section in rules.sections if section.id]
    near = get_close_matches(word.upper(), [*rules.rules, *section_ids], 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; `{program_name()} rules` lists the sections"
    return f"there is no rule {word!r}{hint}"


def _section_text(section: "RuleSection") -> Iterator[str]:
    yield f"{section.id} {section.title}"
    for rule in section.rules:
        yield ""
        yield from _wrap(f"{rule.id} {rule.text} [{'; '.join(rule.origins)}]", "  ")


def _rule_text(rules: "RuleRegister", rule: "Rule") -> Iterator[str]:
    section = next(each for each in rules.sections if rule in each.rules)
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
    if examples := [example.id for example in rules.examples_citing(rule.id)]:
        yield f"  worked in: {', '.join(examples)}"
    yield from _code_references(rule.id)
    yield from _test_references(rule.id)


def _code_references(id: str) -> Iterator[str]:
    """Yield the places in code that cite the rule, those in the engine first."""
    from diskwars_content import rule_citations

    citations = [citation for citation in rule_citations.citations_in_code() if citation.id == id]
    first = {(citation.path, citation.name): citation for citation in reversed(citations)}
    if first:
        yield "  code:"
    for citation in sorted(first.values(), key=lambda each: ("engine" not in each.path, each.path, each.line)):
        yield f"    {citation}"


def _test_references(id: str) -> Iterator[str]:
    """Yield the tests that cite the rule; they are only found in a checkout."""
    from diskwars_content import rule_citations

    if rule_citations.tests_folder() is None:
        yield "  tests: not installed; they are in a checkout of the project"
        return
    yield "  tests:"
    citations = [citation for citation in rule_citations.citations_in_tests() if citation.id == id]
    tests = dict.fromkeys(f"{citation.path}::{citation.name}" for citation in citations)
    yield from (f"    {test}" for test in tests)


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(
        text, TEXT_WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
