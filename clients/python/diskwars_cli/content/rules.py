"""The `rules` verb: prints a rule with its reason, the code that implements it and the tests that prove it."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import groupby
from typing import TYPE_CHECKING

from diskwars_cli.console.command import CommandError, program_name

if TYPE_CHECKING:
    from diskwars_content.rule_register import Rule, RuleRegister, RuleSection

TEXT_WIDTH = 100
MAX_RESULTS = 20
"""The number of rules listed for a search."""
RULE_ID = re.compile(r"(R|[A-Z]-|F|FAQ)\d[\d.]*[A-Z]?", re.IGNORECASE)
"""The form of a rule id, whether or not there is such a rule."""
RULE_RANGE = re.compile(rf"(?P<first>{RULE_ID.pattern})-(?P<last>{RULE_ID.pattern})", re.IGNORECASE)


def run_rules(words: Sequence[str]) -> int:
    from diskwars_content.rule_register import load_register

    lines = _lookup(load_register(), words) if words else _print_contents(load_register())
    print("\n".join(lines))
    return 0


def _print_contents(rules: "RuleRegister") -> Iterator[str]:
    """Yield the table of contents: the sections of each page with their ids, and examples of use."""
    for page_title, sections in groupby(rules.sections, key=lambda section: section.page_title):
        yield page_title
        for section in sections:
            if section.rules:
                yield f"  {_section_line(section)}"
    yield ""
    yield f"{program_name()} rules R15            print a section, also by its title: rules melee phase"
    yield f"{program_name()} rules R15.2          print a rule with its reason, code and tests"
    yield f"{program_name()} rules R4.1-R4.9      print the rules of a range"
    yield f"{program_name()} rules high ground    list the sections and rules that mention all these words"


def _section_line(section: "RuleSection") -> str:
    return f"{f'{section.id:<5} ' if section.id else ''}{section.title}: {compress_ids(_section_ids(section))}"


def _section_ids(section: "RuleSection") -> list[str]:
    """Return the ids of a section's rules, without those that are parts of another rule, such as R8.1.2."""
    ids = [rule.id for rule in section.rules]
    return [id for id in ids if id.rpartition(".")[0] not in ids]


def compress_ids(ids: Iterable[str]) -> str:
    """Return ids with each run of three or more following numbers as a range, such as `A-0, A-3 to A-6`."""
    runs: list[list[str]] = []
    for id in ids:
        if runs and _is_next(runs[-1][-1], id):
            runs[-1].append(id)
        else:
            runs.append([id])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)


def _is_next(before: str, id: str) -> bool:
    (stem, number), (next_stem, next_number) = _split_number(before), _split_number(id)
    return stem == next_stem and next_number == number + 1


def _split_number(id: str) -> tuple[str, int]:
    """Split an id into its beginning and its last number; 0 for an id with a letter behind it."""
    stem = id.rstrip("0123456789")
    return (stem, int(id[len(stem) :])) if stem != id else (id, 0)


def _lookup(rules: "RuleRegister", words: Sequence[str]) -> Iterator[str]:
    """Yield the text of each rule or section, or search for the words. Raises CommandError for an unknown id."""
    ids = [id for word in words for id in _expand_range(rules, word)]
    if not any(RULE_ID.fullmatch(id) for id in ids):
        section = _find_titled(rules, " ".join(words))
        yield from _search(rules, " ".join(words)) if section is None else _section_text(section)
        return
    for number, word in enumerate(ids):
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


def _expand_range(rules: "RuleRegister", word: str) -> list[str]:
    """Return all ids of a range of one section, such as R4.1-R4.9, and any other word alone. Raises CommandError."""
    halves = RULE_RANGE.fullmatch(word)
    if halves is None:
        return [word]
    first, last = (halves[name].upper() for name in ("first", "last"))
    for section in rules.sections:
        ids = [rule.id.upper() for rule in section.rules]
        if first in ids and last in ids[ids.index(first) :]:
            return ids[ids.index(first) : ids.index(last) + 1]
    raise CommandError(f"{word!r} is no range of rules of one section; `{program_name()} rules` lists the ranges")


def _find_titled(rules: "RuleRegister", title: str) -> "RuleSection | None":
    wanted = title.lower().strip()
    return next((section for section in rules.sections if section.rules and section.title.lower() == wanted), None)


def _search(rules: "RuleRegister", words: str) -> Iterator[str]:
    """Yield the sections whose titles contain all words, then the rules that do, one line each. Raises CommandError.

    Rules that begin with the words come first, then those that contain them one after another.
    """
    patterns = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in words.split()]
    phrase = re.compile(rf"\b{re.escape(words)}", re.IGNORECASE)
    sections = [
        section for section in rules.sections if section.rules and patterns and _has_all(patterns, section.title)
    ]
    matching = [rule for rule in rules.rules.values() if patterns and _has_all(patterns, rule.text)]
    if not sections and not matching:
        raise CommandError(_nothing_found(rules, words))
    matching.sort(key=lambda rule: (phrase.match(rule.text) is None, phrase.search(rule.text) is None))
    for section in sections:
        yield textwrap.shorten(f"section {_section_line(section)}", TEXT_WIDTH, placeholder=" …")
    for rule in matching[:MAX_RESULTS]:
        yield textwrap.shorten(f"{rule.id:<8} {rule.statement}", TEXT_WIDTH, placeholder=" …")
    if len(matching) > MAX_RESULTS:
        yield f"… and {len(matching) - MAX_RESULTS} more"


def _has_all(patterns: Iterable[re.Pattern[str]], text: str) -> bool:
    return all(pattern.search(text) for pattern in patterns)


def _nothing_found(rules: "RuleRegister", words: str) -> str:
    known = {word for rule in rules.rules.values() for word in re.findall("[a-z]{4,}", rule.text.lower())}
    near = get_close_matches(words.lower(), sorted(known), 3, cutoff=0.75)
    hint = f"did you mean {' or '.join(near)}?" if near else f"`{program_name()} rules` lists the sections"
    return f"no rule mentions {words!r}; {hint}"


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
