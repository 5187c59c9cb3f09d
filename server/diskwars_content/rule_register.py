"""The register of the rules: one page of docs for each ruleset, parsed by the format that docs/rules.md describes."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

PAGES = ("rules.md", "rules-pit.md", "rules-close-quarters.md", "rules-regiments.md")
REGISTER_FOLDERS = (Path(__file__).parent, Path(__file__).parents[2] / "docs")
"""An installed package has the register beside this file, a checkout has it in docs."""

ENTRY_PATTERN = re.compile(r"\*\*(R\d+(?:\.\d+){1,2}|R-\d\d|(?!R)[A-Z]-\d{1,2}[a-z]?|F\d+|FAQ\d+)\*\* ")
ORIGINS_PATTERN = re.compile(r" \[([^\[\]]+)\]$")
HEADING_PATTERN = re.compile(r"## (?:(R\d+) )?(.+)")
RULE_ID_PATTERN = re.compile(r"(?<![\w.-])(?:R(?:\d+(?:\.\d+)+|-\d\d)|(?!R)[A-Z]-\d{1,2}[a-z]?)(?!\w)")
"""An id in a text, not inside a longer word; a full stop after it belongs to the sentence.

The letter is that of the ruleset, R for Diskwars.
"""
EXAMPLE_ID_PATTERN = re.compile(r"(?<![\w.-])(?:F\d+|FAQ\d+)(?!\w|\.\d)")
RULE_RANGE_PATTERN = re.compile(r"(?<![\w.-])(R\d+(?:\.\d+)*\.|(?!R)[A-Z]-)(\d+) to \1(\d+)(?!\w)")
RULING_PARTS = ("Default", "Option", "Stands in", "Reason")


class RegisterSyntaxError(ValueError):
    """A text that breaks the format that its introduction describes; the message begins with the line."""


class Rule(Struct, frozen=True):
    """One entry of the register. `text` is a single line without id and origins; `line` is where the entry begins."""

    id: str
    text: str
    origins: tuple[str, ...]
    line: int

    @property
    def statement(self) -> str:
        """The text without the named parts of a ruling."""
        return re.split(rf" (?={'|'.join(RULING_PARTS)}:? )(?:{'|'.join(RULING_PARTS)}): ", self.text)[0]

    def ruling_part(self, name: str) -> str:
        """Return the `Default`, `Option`, `Stands in` or `Reason` of a ruling; empty if it has none."""
        next_part = "|".join(RULING_PARTS)
        match = re.search(rf"(?:^| ){name}: (.+?)(?= (?:{next_part}): |$)", self.text)
        return match[1] if match else ""


class RuleSection(Struct, frozen=True):
    """A heading of the register and the entries below it.

    Only the sections of Diskwars have an `id`, other than its rulings and worked examples.
    """

    id: str
    title: str
    rules: tuple[Rule, ...]
    page_title: str = ""


class RuleRegister(Struct, frozen=True):
    """All rules by id, and the sections, both in document order."""

    rules: Mapping[str, Rule]
    sections: tuple[RuleSection, ...]

    def rulings_on(self, id: str) -> list[Rule]:
        """Return the rulings that refine a rule."""
        return [rule for rule in self.rules.values() if id in find_rule_ids(rule.ruling_part("Stands in"))]

    def examples_citing(self, id: str) -> list[Rule]:
        """Return the worked examples that name a rule."""
        return [rule for rule in self.rules.values() if rule.id.startswith("F") and id in find_rule_ids(rule.text)]


@cache
def load_register() -> RuleRegister:
    """Load the register of this version. Raises RegisterSyntaxError, or FileNotFoundError if there is none."""
    pages = [parse_register(read_page(name)) for name in PAGES]
    rules = {id: rule for page in pages for id, rule in page.rules.items()}
    return RuleRegister(rules, tuple(section for page in pages for section in page.sections))


def read_page(name: str) -> str:
    """Return the text of a page of the register."""
    paths = [folder / name for folder in REGISTER_FOLDERS]
    return next((path for path in paths if path.is_file()), paths[0]).read_text("utf-8")


def find_rule_ids(text: str) -> list[str]:
    """Return the ids of all rules that a text names, in order; a range "one to another" is expanded."""
    expanded = RULE_RANGE_PATTERN.sub(
        lambda match: " ".join(_expand_range(match[1], int(match[2]), int(match[3]))), text
    )
    return RULE_ID_PATTERN.findall(expanded)


def _expand_range(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, last + 1)]


def parse_register(text: str) -> RuleRegister:
    """Parse a text as a register. Raises RegisterSyntaxError."""
    rules = parse_rules(text)
    headings = [(n, match) for n, line in enumerate(text.splitlines(), 1) if (match := HEADING_PATTERN.fullmatch(line))]
    ends = [line for line, _ in headings[1:]] + [len(text)]
    page_title = text.partition("\n")[0].removeprefix("# ") if text.startswith("# ") else ""
    sections = tuple(
        RuleSection(
            match[1] or "", match[2], tuple(rule for rule in rules.values() if line < rule.line < end), page_title
        )
        for (line, match), end in zip(headings, ends, strict=True)
    )
    return RuleRegister(rules, sections)


def parse_rules(text: str) -> dict[str, Rule]:
    """Parse all entries of a register, by id and in document order. Raises RegisterSyntaxError."""
    rules: dict[str, Rule] = {}
    line = 1
    for block in text.split("\n\n"):
        if block.lstrip("\n").startswith("**"):
            rule = parse_rule(block.strip("\n"), line + len(block) - len(block.lstrip("\n")))
            if rule.id in rules:
                raise RegisterSyntaxError(f"{rule.line}: {rule.id} is already at line {rules[rule.id].line}")
            rules[rule.id] = rule
        elif hidden := re.search(r"^\*\*", block, re.MULTILINE):
            raise RegisterSyntaxError(
                f"{line + block.count(chr(10), 0, hidden.start())}: no empty line before an entry"
            )
        line += block.count("\n") + 2
    return rules


def parse_rule(block: str, line: int) -> Rule:
    """Parse the entry that fills a block of lines; `line` is the number of its first. Raises RegisterSyntaxError."""
    flat = " ".join(block.split())
    head, tail = ENTRY_PATTERN.match(flat), ORIGINS_PATTERN.search(flat)
    if head is None:
        raise RegisterSyntaxError(f"{line}: no id of a known form: {flat[:40]}")
    if tail is None:
        raise RegisterSyntaxError(f"{line}: {head[1]} does not end with its origins")
    if re.search(r"^\*\*", block[2:], re.MULTILINE):
        raise RegisterSyntaxError(f"{line}: no empty line after {head[1]}")
    return Rule(head[1], flat[head.end() : tail.start()], tuple(tail[1].split("; ")), line)
