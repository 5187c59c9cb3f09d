"""Is docs/rules.md the register that it says it is, and does whoever cites a rule cite one that stands there?

Must not know what the rules mean, nor import anything of ours: it reads texts only.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
REGISTER = ROOT / "docs" / "rules.md"
RULINGS = re.findall(r"^\*\*(R-\d\d)\*\*", REGISTER.read_text("utf-8"), re.MULTILINE)
FIGURES = range(1, 11)

# Where rules are cited, and in what kinds of file.
ENGINE = ("server/diskwars_engine", (".py",))
TESTS = ("tests", (".py", ".toml", ".txt"))
CITING = [ENGINE, ("protocol", (".py",)), ("server/diskwars_content", (".py", ".toml")), TESTS]

ENTRY = re.compile(r"\*\*(R\d+(?:\.\d+){1,2}|R-\d\d|F\d+|FAQ\d+)\*\* ")
ORIGINS = re.compile(r" \[([^\[\]]+)\]$")
# Not inside a longer word, and a full stop after an id belongs to the sentence.
CITATION = re.compile(r"(?<![\w.-])R(?:\d+(?:\.\d+)+|-\d\d)(?!\w)")


# ---------------------------------------------------------------- reading


class NotARegister(ValueError):
    """The text breaks the form that its own head describes; the message begins with the line."""


class Rule(NamedTuple):
    """One entry. `text` is a single line without id and origins; `line` is where the entry begins."""

    id: str
    text: str
    origins: tuple[str, ...]
    line: int


class Citation(NamedTuple):
    """A rule named in a file."""

    id: str
    path: str
    line: int


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


def citations(folder: str, suffixes: tuple[str, ...]) -> Iterator[Citation]:
    """Every rule named in the files of a folder; this file's own samples are left out."""
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in suffixes and path != Path(__file__).resolve():
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                for found in CITATION.findall(line):
                    yield Citation(found, path.relative_to(ROOT).as_posix(), number)


def unknown(cited: Iterator[Citation], rules: dict[str, Rule]) -> list[str]:
    """A line for each citation of a rule that does not exist."""
    return [f"{c.path}:{c.line}: {c.id} is not in docs/rules.md" for c in cited if c.id not in rules]


@pytest.fixture(scope="module")
def text() -> str:
    return REGISTER.read_text("utf-8")


@pytest.fixture(scope="module")
def rules(text: str) -> dict[str, Rule]:
    return rules_of(text)


# ---------------------------------------------------------------- the register


def test_every_section_of_the_game_has_rules_numbered_without_gaps(rules: dict[str, Rule]) -> None:
    numbers = [tuple(map(int, id.removeprefix("R").split("."))) for id in rules if re.match(r"R\d", id)]
    assert {number[0] for number in numbers} == set(range(1, 21))
    for parent, children in Counter(number[:-1] for number in numbers).items():
        last = max(number[-1] for number in numbers if number[:-1] == parent)
        assert last == children, f"the parts of R{'.'.join(map(str, parent))} end at {last} but are {children}"
    assert {number[:2] for number in numbers if len(number) == 3} <= set(numbers)
    assert numbers == sorted(numbers)


def test_every_rule_stands_under_the_heading_of_its_section(text: str, rules: dict[str, Rule]) -> None:
    lines = text.splitlines()
    for rule in rules.values():
        heading = next(line for line in reversed(lines[: rule.line - 1]) if line.startswith("## "))
        if rule.id.startswith("R-"):
            assert heading == "## Rulings"
        elif rule.id.startswith("R"):
            assert heading.startswith(f"## {rule.id.split('.')[0]} "), f"{rule.id} stands under {heading}"
        else:
            assert heading == "## Worked examples"


def test_all_rulings_are_there_in_order_and_give_their_reason(rules: dict[str, Rule]) -> None:
    assert [id for id in rules if id.startswith("R-")] == RULINGS == sorted(RULINGS)
    assert RULINGS[:34] == [f"R-{number:02}" for number in range(1, 35)]
    for id in RULINGS:
        reason = re.search(r"Reason: (.+)$", rules[id].text)
        assert reason is not None, f"{id} gives no reason"
        assert len(reason[1].split()) >= 5, f"the reason of {id} says nothing"
        assert rules[id].origins == ("our ruling",)


def test_a_ruling_and_the_rules_it_shapes_name_each_other(rules: dict[str, Rule]) -> None:
    for id in RULINGS:
        places = re.search(r"Stands in: (R[^.]*\.[\d., R]*\d)\. ", rules[id].text)
        assert places is not None, f"{id} does not say where it stands"
        assert any(id in rules[place].text for place in places[1].split(", ")), f"no rule names {id}"


def test_every_rule_named_in_the_register_is_in_it(text: str, rules: dict[str, Rule]) -> None:
    assert sorted(set(CITATION.findall(text)) - set(rules)) == []


def test_every_origin_used_is_explained_and_every_one_explained_is_used(text: str, rules: dict[str, Rule]) -> None:
    table = text[text.index("| origin |") : text.index("## R1 ")]
    explained = set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))
    assert {origin for rule in rules.values() for origin in rule.origins} == explained


def test_every_figure_has_its_entry_and_the_place_of_its_picture(text: str, rules: dict[str, Rule]) -> None:
    assert [id for id in rules if id.startswith("F")] == [*(f"F{n}" for n in FIGURES), "FAQ1"]
    for n in FIGURES:
        after = text[text.index(f"\n**F{n}** ") :].split("\n\n")[1]
        assert after.strip() == f"![Figure {n}](figures/figure-{n:02}.svg)"


# ---------------------------------------------------------------- those who cite it


def test_every_cited_rule_is_in_the_register(rules: dict[str, Rule]) -> None:
    wrong = [line for folder, suffixes in CITING for line in unknown(citations(folder, suffixes), rules)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_how_many_rules_are_cited_is_said_aloud(rules: dict[str, Rule], capsys: pytest.CaptureFixture[str]) -> None:
    citable = {id for id in rules if id.startswith("R")}
    by_engine, by_tests = ({c.id for c in citations(*where)} & citable for where in (ENGINE, TESTS))
    with capsys.disabled():
        print(f"\nrules register: {len(citable)} rules, cited in engine {len(by_engine)}, in tests {len(by_tests)}")
    assert len(citable) > 250


# ---------------------------------------------------------------- the reader itself


def test_an_entry_may_run_over_several_lines() -> None:
    read = rules_of("# Head\n\n**R6.1** One\ntwo. [summary; our ruling]\n\n\n**R-04** Three. [forum]\n")
    assert read == {
        "R6.1": Rule("R6.1", "One two.", ("summary", "our ruling"), 3),
        "R-04": Rule("R-04", "Three.", ("forum",), 7),
    }


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        ("**R6.1** One. [a]\n\n**R6.1** Two. [a]", "3: R6.1 stands at line 1 already"),
        ("**R6.1** One.", "1: R6.1 does not end with its origins"),
        ("**R6** One. [a]", "1: no id of a known form"),
        ("**R-4** One. [a]", "1: no id of a known form"),
        ("**R6.1** One. [a]\n**R6.2** Two. [a]", "1: no empty line after R6.1"),
        ("Words.\n**R6.1** One. [a]", "2: no empty line before an entry"),
    ],
)
def test_a_register_that_breaks_its_form_is_refused_with_the_line(broken: str, complaint: str) -> None:
    with pytest.raises(NotARegister, match=f"^{re.escape(complaint)}"):
        rules_of(broken)


def test_a_citation_is_found_at_the_end_of_a_sentence_and_not_inside_a_word() -> None:
    assert CITATION.findall("# R6.1, R15.3.2 and R-04. See R13.4.") == ["R6.1", "R15.3.2", "R-04", "R13.4"]
    assert CITATION.findall("CR6.1 R6 R6.1x vR-04 R-041 AR-04") == []


def test_a_citation_of_a_rule_that_does_not_exist_is_reported_with_its_place(rules: dict[str, Rule]) -> None:
    cited = iter([Citation("R6.1", "a.py", 1), Citation("R99.1", "b.py", 7)])
    assert unknown(cited, rules) == ["b.py:7: R99.1 is not in docs/rules.md"]
