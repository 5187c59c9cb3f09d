"""docs/rules.md has the form of a register, and every citation of a rule refers to an entry in it.

It reads texts only and does not depend on what the rules mean.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from diskwars_content import rule_citations
from diskwars_content.rule_citations import Citation
from diskwars_content.rule_register import (
    PAGES,
    RegisterSyntaxError,
    Rule,
    find_rule_ids,
    load_register,
    parse_register,
    parse_rules,
    read_page,
)
from tests import rule_coverage
from tests.rows import each_row

pytestmark = pytest.mark.usefixtures("paused_garbage_search")

ROOT = Path(__file__).resolve().parents[2]
REGISTER = ROOT / "docs" / "rules.md"
RULINGS = re.findall(r"^\*\*(R-\d\d)\*\*", REGISTER.read_text("utf-8"), re.MULTILINE)
FIGURES = range(1, 11)

# Wherever a rule may be cited, in code or in a test, by a name or not.
CITING = [("protocol", (".py",)), ("server", (".py", ".toml")), ("clients", (".py",)), ("tests", (".py", ".toml"))]


def unknown_rules(citations: Iterable[Citation], rules: dict[str, Rule]) -> list[str]:
    """Return a line for each citation of a rule that does not exist."""
    return [f"{c.path}:{c.line}: {c.id} is in no register" for c in citations if c.id[0] != "F" and c.id not in rules]


@pytest.fixture(scope="module")
def text() -> str:
    return REGISTER.read_text("utf-8")


@pytest.fixture(scope="module")
def rules(text: str) -> dict[str, Rule]:
    return parse_rules(text)


# ---------------------------------------------------------------- the register


def test_every_section_of_the_game_has_rules_numbered_without_gaps(rules: dict[str, Rule]) -> None:
    numbers = [tuple(map(int, id.removeprefix("R").split("."))) for id in rules if re.match(r"R\d", id)]
    assert {number[0] for number in numbers} == set(range(1, 21))
    for parent, children in Counter(number[:-1] for number in numbers).items():
        last = max(number[-1] for number in numbers if number[:-1] == parent)
        assert last == children, f"the parts of R{'.'.join(map(str, parent))} end at {last} but are {children}"
    assert {number[:2] for number in numbers if len(number) == 3} <= set(numbers)
    assert numbers == sorted(numbers)


def test_every_rule_is_under_the_heading_of_its_section(text: str, rules: dict[str, Rule]) -> None:
    lines = text.splitlines()
    for rule in rules.values():
        heading = next(line for line in reversed(lines[: rule.line - 1]) if line.startswith("## "))
        if rule.id.startswith("R-"):
            assert heading == "## Rulings"
        elif rule.id.startswith("R"):
            assert heading.startswith(f"## {rule.id.split('.')[0]} "), f"{rule.id} is under {heading}"
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
    assert sorted(set(find_rule_ids(text)) - set(rules)) == []


def test_every_origin_used_is_explained_and_every_one_explained_is_used(text: str, rules: dict[str, Rule]) -> None:
    table = text[text.index("| origin |") : text.index("## R1 ")]
    explained = set(re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE))
    assert {origin for rule in rules.values() for origin in rule.origins} == explained


def test_every_figure_has_its_entry_and_the_place_of_its_picture(text: str, rules: dict[str, Rule]) -> None:
    assert [id for id in rules if id.startswith("F")] == [*(f"F{n}" for n in FIGURES), "FAQ1"]
    for n in FIGURES:
        after = text[text.index(f"\n**F{n}** ") :].split("\n\n")[1]
        assert after.strip() == f"![Figure {n}](figures/figure-{n:02}.svg)"


# ---------------------------------------------------------------- the registers of the other rulesets


CHAPTERS = PAGES[1:]
UNSOURCED_RULES = {0: "set-up", 22: "resignation", 23: "end", 24: "battlefield", 25: "actions"}
"""Numbers of rules with the same topic on every page of an arena that has them; no source numbers these."""


@each_row("page", CHAPTERS)
def test_rules_of_a_chapter_are_numbered_without_gaps_under_one_letter(page: str) -> None:
    ids = list(parse_rules(read_page(page)))
    letters = {id[0] for id in ids}
    numbers = {int(re.sub(r"[A-Z]-|[a-z]$", "", id)) for id in ids}
    assert len(letters) == 1, letters
    from_sources = numbers - set(UNSOURCED_RULES)
    assert from_sources == set(range(1, 1 + max(from_sources))) - set(UNSOURCED_RULES)


@each_row("page", CHAPTERS)
def test_rules_of_a_chapter_explain_their_origins_and_give_the_reasons_of_rulings(page: str) -> None:
    text = read_page(page)
    rules = parse_rules(text)
    explained = set(re.findall(r"^\| `([^`]+)` \|", text[: text.index("\n## ")], re.MULTILINE))
    assert {origin for rule in rules.values() for origin in rule.origins} == explained
    for rule in rules.values():
        reason = rule.ruling_part("Reason")
        assert bool(reason) == ("our ruling" in rule.origins), f"{rule.id}: a ruling has a reason"
        assert not reason or len(reason.split()) >= 5, f"the reason of {rule.id} says nothing"
    assert sorted(set(find_rule_ids(text)) - set(rules)) == []


# ---------------------------------------------------------------- those who cite it


def test_every_cited_rule_is_in_a_register() -> None:
    rules = dict(load_register().rules)
    citations = [c for folder, suffixes in CITING for c in rule_citations.citations_in_folder(ROOT / folder, suffixes)]
    wrong = unknown_rules((c for c in citations if ROOT / c.path != Path(__file__).resolve()), rules)
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_rule_is_cited_where_the_code_obeys_it_and_by_a_test_that_shows_it() -> None:
    coverage = rule_coverage.measure_checkout()
    assert (coverage.without_code, coverage.without_test) == ((), ()), "\n" + coverage.table()


def test_a_rule_that_nobody_cites_any_more_is_missed_and_a_worked_example_too() -> None:
    code = [citation for citation in rule_citations.citations_in_code() if citation.id != "R6.1"]
    tests = [citation for citation in rule_citations.citations_in_tests() if citation.id not in ("R-04", "F7")]
    coverage = rule_coverage.compare_citations(code, tests)
    assert (coverage.without_code, coverage.without_test) == (("R6.1",), ("R-04", "F7"))


def test_the_table_of_rules_counts_what_is_missing_and_names_it() -> None:
    table = rule_coverage.RuleCoverage(3, ("R1.1",), ("R1.1", "R-02")).table()
    assert table.splitlines()[1].split() == ["3", "2", "1", "2"]
    assert table.splitlines()[2:] == ["no code: R1.1", "no test: R1.1, R-02"]


# ---------------------------------------------------------------- who cites what


SOURCE = textwrap.dedent(
    '''
    """A question (R1.1)?"""

    # R1.2 a heading

    TABLE = {
        1: 2,  # R2.1
    }
    """R2.2 to R2.4"""


    class Disk:
        """R3.1"""

        # R3.2
        @decorated("R3.3")
        def test_it(self) -> None:
            """R3.4: F7."""
    '''
)


def test_citation_is_named_after_its_definition() -> None:
    citations = [(citation.id, citation.name) for citation in rule_citations.citations_in_text(SOURCE, "a.py")]
    assert citations == [
        ("R1.1", ""),
        ("R1.2", ""),
        ("R2.1", "TABLE"),
        *((f"R2.{n}", "TABLE") for n in (2, 3, 4)),
        ("R3.1", "Disk"),
        ("R3.2", "Disk"),
        *((id, "Disk.test_it") for id in ("R3.3", "R3.4", "F7")),
    ]
    assert [citation.id for citation in rule_citations.citations_in_text(SOURCE, "a.py") if citation.is_test] == [
        "R3.3",
        "R3.4",
        "F7",
    ]


def test_figures_of_a_pack_are_a_table() -> None:
    (found,) = rule_citations.citations_in_text("# R5.1\nsmall = 1\n", "a/table.toml")
    assert str(found) == "a/table.toml:1 a table of figures"


# ---------------------------------------------------------------- the reader itself


def test_an_entry_may_run_over_several_lines() -> None:
    entries = parse_rules("# Head\n\n**R6.1** One\ntwo. [summary; our ruling]\n\n\n**R-04** Three. [forum]\n")
    assert entries == {
        "R6.1": Rule("R6.1", "One two.", ("summary", "our ruling"), 3),
        "R-04": Rule("R-04", "Three.", ("forum",), 7),
    }


@each_row(
    ("broken", "complaint"),
    [
        ("**R6.1** One. [a]\n\n**R6.1** Two. [a]", "3: R6.1 is already at line 1"),
        ("**R6.1** One.", "1: R6.1 does not end with its origins"),
        ("**R6** One. [a]", "1: no id of a known form"),
        ("**R-4** One. [a]", "1: no id of a known form"),
        ("**R6.1** One. [a]\n**R6.2** Two. [a]", "1: no empty line after R6.1"),
        ("Words.\n**R6.1** One. [a]", "2: no empty line before an entry"),
    ],
)
def test_a_register_that_breaks_its_form_is_refused_with_the_line(broken: str, complaint: str) -> None:
    with pytest.raises(RegisterSyntaxError, match=f"^{re.escape(complaint)}"):
        parse_rules(broken)


def test_a_section_holds_the_entries_below_its_heading() -> None:
    register = parse_register(
        "# Head\n\n## R6 Pins\n\n**R6.1** One (R-04). [a]\n\n## Rulings\n\nWords.\n\n**R-04** Two. [a]\n"
    )
    assert [(section.id, section.title, [rule.id for rule in section.rules]) for section in register.sections] == [
        ("R6", "Pins", ["R6.1"]),
        ("", "Rulings", ["R-04"]),
    ]


def test_a_ruling_is_read_with_its_parts() -> None:
    text = "One. Two. Default: strict. Option: contact, or so. Stands in: R6.1, R6.2. Reason: It is plain. Quite."
    ruling = Rule("R-04", text, ("our ruling",), 1)
    assert ruling.statement == "One. Two."
    assert [ruling.ruling_part(name) for name in ("Default", "Option", "Stands in", "Reason")] == [
        "strict.",
        "contact, or so.",
        "R6.1, R6.2.",
        "It is plain. Quite.",
    ]
    assert Rule("R1.1", "One.", (), 1).ruling_part("Reason") == ""
    register = parse_register(f"## R6 Pins\n\n**R6.1** One. [a]\n\n## Rulings\n\n**R-04** {text} [our ruling]\n")
    assert [ruling.id for ruling in register.rulings_on("R6.1")] == ["R-04"]


def test_a_citation_is_found_at_the_end_of_a_sentence_and_not_inside_a_word() -> None:
    assert find_rule_ids("# R6.1, R15.3.2 and R-04. See R13.4.") == ["R6.1", "R15.3.2", "R-04", "R13.4"]
    assert find_rule_ids("CR6.1 R6 R6.1x vR-04 R-041 AR-04 R-4") == []
    assert find_rule_ids("Rules of other rulesets: A-3, B-8a. Not UTF-8.") == ["A-3", "B-8a"]


def test_a_range_of_rules_cites_all_of_them() -> None:
    assert find_rule_ids("R4.2 to R4.4, R15.2.2 to R15.2.3.") == ["R4.2", "R4.3", "R4.4", "R15.2.2", "R15.2.3"]
    assert find_rule_ids("R4.2 to R5.4") == ["R4.2", "R5.4"]
    assert find_rule_ids("A-1 to A-3") == ["A-1", "A-2", "A-3"]


def test_a_citation_of_a_rule_that_does_not_exist_is_reported_with_its_place(rules: dict[str, Rule]) -> None:
    citations = [Citation("R6.1", "a.py", 1, "f"), Citation("R99.1", "b.py", 7, "g")]
    assert unknown_rules(citations, rules) == ["b.py:7: R99.1 is in no register"]
