"""What do the rules say?  Reads docs/rules.md, the register of the rules, by the form that its own head describes.

Must not know what a rule means, nor who cites it.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

PLACES = (Path(__file__).with_name("rules.md"), Path(__file__).parents[2] / "docs" / "rules.md")
"""An installed package has the register beside this file, a checkout in the folder where people read it."""

ENTRY = re.compile(r"\*\*(R\d+(?:\.\d+){1,2}|R-\d\d|F\d+|FAQ\d+)\*\* ")
ORIGINS = re.compile(r" \[([^\[\]]+)\]$")
HEADING = re.compile(r"## (?:(R\d+) )?(.+)")
ID = re.compile(r"(?<![\w.-])R(?:\d+(?:\.\d+)+|-\d\d)(?!\w)")
"""An id in a text: not inside a longer word, and a full stop after it belongs to the sentence."""
EXAMPLE = re.compile(r"(?<![\w.-])(?:F\d+|FAQ\d+)(?!\w|\.\d)")
RANGE = re.compile(r"(?<![\w.-])(R\d+(?:\.\d+)*\.)(\d+) to \1(\d+)(?!\w)")
PARTS = ("Default", "Option", "Stands in", "Reason")


class NotARegister(ValueError):
    """The text breaks the form that its own head describes; the message begins with the line."""


class Rule(Struct, frozen=True):
    """One entry. `text` is a single line without id and origins; `line` is where the entry begins."""

    id: str
    text: str
    origins: tuple[str, ...]
    line: int

    @property
    def says(self) -> str:
        """The text without the parts that a ruling has by name."""
        return re.split(rf" (?={'|'.join(PARTS)}:? )(?:{'|'.join(PARTS)}): ", self.text)[0]

    def part(self, name: str) -> str:
        """`Default`, `Option`, `Stands in` or `Reason` of a ruling; empty where it has none."""
        later = "|".join(PARTS)
        found = re.search(rf"(?:^| ){name}: (.+?)(?= (?:{later}): |$)", self.text)
        return found[1] if found else ""


class Section(Struct, frozen=True):
    """A heading of the register and the entries below it. `id` is empty for rulings and worked examples."""

    id: str
    title: str
    rules: tuple[Rule, ...]


class Register(Struct, frozen=True):
    """All rules, by id and by section, each in the order in which they stand."""

    rules: Mapping[str, Rule]
    sections: tuple[Section, ...]

    def rulings_in(self, id: str) -> list[Rule]:
        """The rulings that shape a rule."""
        return [rule for rule in self.rules.values() if id in cited(rule.part("Stands in"))]

    def examples_of(self, id: str) -> list[Rule]:
        """The worked examples that name a rule."""
        return [rule for rule in self.rules.values() if rule.id.startswith("F") and id in cited(rule.text)]


@cache
def register() -> Register:
    """The register of this version. Raises NotARegister; FileNotFoundError when there is none."""
    return read(text())


def text() -> str:
    """docs/rules.md as it stands."""
    place = next((place for place in PLACES if place.is_file()), PLACES[0])
    return place.read_text("utf-8")


def cited(words: str) -> list[str]:
    """Every rule that a text names, in their order; "one to another" names those in between as well."""
    spelled = RANGE.sub(lambda found: " ".join(_between(found[1], int(found[2]), int(found[3]))), words)
    return ID.findall(spelled)


def _between(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, last + 1)]


def read(text: str) -> Register:
    """The register that a text is. Raises NotARegister."""
    rules = rules_of(text)
    headings = [(n, found) for n, line in enumerate(text.splitlines(), 1) if (found := HEADING.fullmatch(line))]
    ends = [line for line, _ in headings[1:]] + [len(text)]
    sections = tuple(
        Section(found[1] or "", found[2], tuple(rule for rule in rules.values() if line < rule.line < end))
        for (line, found), end in zip(headings, ends, strict=True)
    )
    return Register(rules, sections)


def rules_of(text: str) -> dict[str, Rule]:
    """All entries of a register by id, in their order. Raises NotARegister."""
    rules: dict[str, Rule] = {}
    line = 1
    for block in text.split("\n\n"):
        if block.lstrip("\n").startswith("**"):
            rule = entry(block.strip("\n"), line + len(block) - len(block.lstrip("\n")))
            if rule.id in rules:
                raise NotARegister(f"{rule.line}: {rule.id} stands at line {rules[rule.id].line} already")
            rules[rule.id] = rule
        elif hidden := re.search(r"^\*\*", block, re.MULTILINE):
            raise NotARegister(f"{line + block.count(chr(10), 0, hidden.start())}: no empty line before an entry")
        line += block.count("\n") + 2
    return rules


def entry(block: str, line: int) -> Rule:
    """The entry that fills a block of lines. Raises NotARegister."""
    flat = " ".join(block.split())
    head, tail = ENTRY.match(flat), ORIGINS.search(flat)
    if head is None:
        raise NotARegister(f"{line}: no id of a known form: {flat[:40]}")
    if tail is None:
        raise NotARegister(f"{line}: {head[1]} does not end with its origins")
    if re.search(r"^\*\*", block[2:], re.MULTILINE):
        raise NotARegister(f"{line}: no empty line after {head[1]}")
    return Rule(head[1], flat[head.end() : tail.start()], tuple(tail[1].split("; ")), line)
