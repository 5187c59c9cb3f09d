"""Tests of the mutation testing of the rules, `./dev mutants`."""

import ast
import subprocess
import sys
import textwrap
from functools import cache
from pathlib import Path

import pytest

from tools.rule_mutants import __main__ as command
from tools.rule_mutants import attribution, report, trials
from tools.rule_mutants.attribution import ROOT, Mutant, mutants_of
from tools.rule_mutants.mutations import mutations_of
from tools.rule_mutants.results import SURVIVED, Results, Trial
from tools.rule_mutants.substitutions import substitutions_of

pytestmark = pytest.mark.timeout(180)  # the first test that needs them parses all code of the rules


@cache
def find_mutants() -> list[Mutant]:
    return attribution.find_mutants()


def changes(code: str, head: str = "def f(a, b):") -> list[str]:
    """Return every mutated version of the body of a function."""
    source = f"{head}\n{textwrap.indent(textwrap.dedent(code).strip(), '    ')}\n"
    (function,) = ast.parse(source).body
    mutated = [mutation.apply(source) for mutation in mutations_of(source, "a.py", "f", function)]
    return [ast.unparse(ast.parse(text)).partition("\n")[2].replace("    ", "").replace("\n", "; ") for text in mutated]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if a:\n    b.go()", ["if not a:; b.go()", "if False:; b.go()", "if a:; pass"]),
        ("if not a:\n    b.go()", ["if a:; b.go()", "if False:; b.go()", "if not a:; pass"]),
        ("if a == b:\n    b.go()", ["if False:; b.go()", "if a != b:; b.go()", "if a == b:; pass"]),
        ("if not a:\n    return", ["if a:; return", "if False:; return"]),
        ("return a < b", ["return a <= b"]),
        ("return a <= b < 7", ["return a < b < 7", "return a <= b <= 7", "return a <= b < 8"]),
        ("return a and b", ["return a or b", "return b", "return a"]),
        (
            "return a or b or 1",
            ["return a and b and 1", "return b or 1", "return a or 1", "return a or b", "return a or b or 2"],
        ),
        (
            "return any(not c.down for c in a)",
            ["return all((not c.down for c in a))", "return any((c.down for c in a))"],
        ),
        (
            "return sorted(a, key=lambda c: -c.x and b)",
            [
                "return sorted(a, key=lambda c: -c.x or b)",
                "return sorted(a, key=lambda c: b)",
                "return sorted(a, key=lambda c: -c.x)",
            ],
        ),
        ("return a not in b", ["return a in b"]),
        ("return max(a, 3)", ["return min(a, 3)", "return max(a, 4)"]),
        ("return a - b", ["return a + b"]),
        ("return a * b", ["return a // b"]),
        ("return a // 2", ["return a * 2", "return a // 3"]),
        ('return a == "x"', ["return a != 'x'", "return a == 'x!'"]),
        ('return a in ("x", b)', ["return a not in ('x', b)", "return a in ('x!', b)"]),
        ('return a["x"]', ["return a['x!']"]),
        (
            "match a:\n    case [b]:\n        b.go()",
            ["match a:; case [b] if False:; b.go()", "match a:; case [b]:; pass"],
        ),
        ("match a:\n    case 1 if b:\n        pass\n    case _:\n        assert_never(a)", []),
        ("match a:\n    case 1 if b:\n        return b", ["match a:; case 1 if False:; return b"]),
        ("return [c for c in a if c]", ["return [c for c in a if not c]", "return [c for c in a if True]"]),
        ("return 1 if a else b", ["return 1 if not a else b", "return 2 if a else b"]),
        ("a.go(quick=True)", ["pass", "a.go(quick=False)"]),
        ("yield a", ["yield from ()"]),
        ("a[b] = b", ["pass"]),
        ("c = a\nc = b", ["c = a; pass"]),
        ("for c in a:\n    continue", ["for c in a:; pass"]),
        ("raise ValueError(3)", ["pass"]),
        ('a.go("text", Reason("R1.1", {"n": 3}), f"{a + 1}")', ["pass"]),
        ('"""Docstring of 3."""\nc: int = a', []),
        ("assert_never(a)", []),
        ("raise wrong_action(a, b)", []),
        ('b = f"a is {a}"', []),
        ("return zip(a, b, strict=True)", []),
    ],
)
def test_each_kind_of_statement_and_expression_has_its_mutations(code: str, expected: list[str]) -> None:
    assert changes(code) == expected


def test_a_returned_collection_is_emptied_by_the_annotation() -> None:
    assert changes("return a", "def f(a) -> list[int]:") == ["return []"]
    assert changes("return a", "def f(a) -> Iterator[int]:") == ["return iter(())"]
    assert changes("return a", "def f(a) -> int:") == []


def test_text_that_is_no_ascii_does_not_shift_a_mutation() -> None:
    assert changes('a.go("µm", 3)') == ["pass", "a.go('µm', 4)"]


def substitutions(code: str, path: str = "a.py") -> list[tuple[str, str, str]]:
    """Return the kind, text and replacement of each substitution in the last function of a file."""
    source = textwrap.dedent(code)
    function = ast.parse(source).body[-1]
    return [(edit.kind, ast.unparse(edit.node), edit.replacement) for edit in substitutions_of(source, path, function)]


def test_a_filtered_list_is_replaced_by_the_one_before_its_filter() -> None:
    code = """
        def f(targets):
            alive = [pair for pair in targets if pair.up]
            names = [pair.name for pair in targets if pair.up]
            draw(len(alive), names, Reason("C-4", {"n": len(alive)}))
            raise ValueError(alive)
    """
    assert substitutions(code) == [("filter bypassed", "alive", "targets")]


def test_a_call_is_replaced_by_that_of_the_next_function_with_the_same_types() -> None:
    code = """
        from diskwars_protocol.rulesets.close_quarters import position

        def near(board: Board, unit: int) -> int: ...
        def far(board: Board, unit: int) -> int: ...
        def other(board: Board) -> int: ...

        def f(board, unit):
            return near(board, other(board)), far(board, 1), position.enemies(board, 1), position.standing(board)
    """
    assert substitutions(code) == [
        ("sibling called", "near", "far"),
        ("sibling called", "far", "near"),
        ("sibling called", "position.enemies", "position.opponents"),
    ]


def test_a_figure_in_force_is_replaced_by_the_printed_one() -> None:
    code = """
        def f(board, fighter, weapon):
            return fighter.agility, weapon.melee, fighter.x, effective_stats.strength(board, fighter.id)
    """
    disks = ("printed figure", "effective_stats.strength(board, fighter.id)", "board.profile(fighter.id).strength")
    assert substitutions(code) == [disks]
    assert substitutions(code, "rulesets/pit/a.py") == [
        ("printed figure", "fighter.agility", "board.profile(fighter).agility"),
        disks,
    ]
    of_resolution = "def f(resolution, fighters):\n    return min(fighters, key=lambda fighter: fighter.agility)"
    assert substitutions(of_resolution, "rulesets/pit/a.py") == [
        ("printed figure", "fighter.agility", "resolution.board.profile(fighter).agility")
    ]


SURVIVORS_OF_AN_OUTSIDE_HAND = {
    "eliminate": ("R4.9", "branch dropped", "not board.round", "False"),
    "_points": ("R-66", "operand dropped", "disk.seat != seat and disk.place == CASUALTY", "((disk.seat != seat))"),
    "_has_other_target": (
        "A-10",
        "operand dropped",
        "other.id != fighter.id and not other.is_down",
        "((other.id != fighter.id))",
    ),
    "begin": ("A-12", "printed figure", "fighter.agility", "resolution.board.profile(fighter).agility"),
    "fall_back": ("B-17", "sibling called", "position.enemies", "position.opponents"),
    "UnitAttacks.strike": ("C-4", "filter bypassed", "alive", "targets"),
}
"""Changes that all tests once let pass, by function: rule, kind, text and replacement."""


@pytest.mark.parametrize("name", SURVIVORS_OF_AN_OUTSIDE_HAND)
def test_a_change_that_an_outside_hand_found_unnoticed_is_among_the_mutants(name: str) -> None:
    rule, *change = SURVIVORS_OF_AN_OUTSIDE_HAND[name]
    found = [(m.kind, m.original, m.replacement) for m, rules in find_mutants() if m.name == name and rule in rules]
    assert tuple(change) in found


SOURCE = '''
LIMIT = 5
"""R1.1"""


class Disk:
    """R2.1"""

    def flip(self, a):
        return a < 1


def move(a):
    """R3.1: how far."""
    # R3.2 a pinned disk stays
    if a.pinned:
        a.stop()
    for b in a:
        if b == 2:  # R3.3
            b.go()
        else:
            b.stay()
    a.end()
    match a:
        case 3:
            a.fly(Reason("R3.4"))
        case 4:
            a.land()
    if a.left:
        # R3.5 the first of two branches
        a.turn()
        a.go()
    # R3.6 the second
    else:
        a.wait()


def other(a):
    return a + 1


def push(a):
    # R3.7
    _push(a)
    return _nothing(a)


def _push(a):
    _pull(a, 9)


def _pull(a):
    return a + 8
'''


def test_a_mutant_belongs_to_the_rules_cited_beside_it_or_else_to_those_of_the_docstring() -> None:
    cited = [
        (n, id)
        for n, line in enumerate(SOURCE.splitlines(), 1)
        for id in ("R1.1", "R2.1", "R3.1", "R3.2", "R3.3", "R3.4", "R3.5", "R3.6", "R3.7")
        if id in line
    ]
    found = {
        (mutant.mutation.original, mutant.mutation.kind): set(mutant.rules)
        for mutant in mutants_of(SOURCE, "a.py", cited)
    }
    assert found == {
        ("5", "number off by one"): {"R1.1"},
        ("a < 1", "< became <="): {"R2.1"},
        ("1", "number off by one"): {"R2.1"},
        ("a.pinned", "condition negated"): {"R3.2"},
        ("a.pinned", "branch dropped"): {"R3.2"},
        ("a.stop()", "statement dropped"): {"R3.2"},
        ("b == 2", "== became !="): {"R3.3"},
        ("b == 2", "branch dropped"): {"R3.3"},
        ("2", "number off by one"): {"R3.3"},
        ("b.go()", "statement dropped"): {"R3.3"},
        ("b.stay()", "statement dropped"): {"R3.1"},
        ("a.end()", "statement dropped"): {"R3.1"},
        ("3", "case disabled"): {"R3.4"},
        ('a.fly(Reason("R3.4"))', "statement dropped"): {"R3.4"},
        ("4", "case disabled"): {"R3.1"},
        ("a.land()", "statement dropped"): {"R3.1"},
        ("a.left", "condition negated"): {"R3.5", "R3.6"},
        ("a.left", "branch dropped"): {"R3.5", "R3.6"},
        ("a.turn()", "statement dropped"): {"R3.5"},
        ("a.go()", "statement dropped"): {"R3.1"},
        ("a.wait()", "statement dropped"): {"R3.6"},
        ("_push(a)", "statement dropped"): {"R3.7"},
        # helpers that cite nothing obey the rules of the places that call them
        ("_pull(a, 9)", "statement dropped"): {"R3.7"},
        ("9", "number off by one"): {"R3.7"},
        ("a + 8", "sign changed"): {"R3.7"},
        ("8", "number off by one"): {"R3.7"},
    }


def test_ids_of_mutants_are_unique_and_survive_a_move_in_the_file() -> None:
    mutants = find_mutants()
    assert len({mutant.mutation.id for mutant in mutants}) == len(mutants)
    (function,) = ast.parse("def f(a):\n    return a < 1").body
    (moved,) = ast.parse("\n\ndef f(a):\n    return a < 1").body
    before = [mutation.id for mutation in mutations_of("def f(a):\n    return a < 1", "a.py", "f", function)]
    assert [mutation.id for mutation in mutations_of("\n\ndef f(a):\n    return a < 1", "a.py", "f", moved)] == before


def test_every_mutant_in_the_list_of_equivalent_ones_exists() -> None:
    """A line of equivalent.toml whose code has changed is out of date: find out whether it still holds."""
    known = {mutant.mutation.id for mutant in find_mutants()}
    assert sorted(set(report.load_reasons()) - known) == []


def test_a_killed_mutant_is_tried_again_when_its_function_or_the_test_that_killed_it_changes(tmp_path: Path) -> None:
    mutation = find_mutants()[0].mutation
    killed = Trial("killed", "a")
    Results(tmp_path / "results").add_trial(mutation, {"a": "assert True"}, killed)
    known = Results(tmp_path / "results")
    assert known.trial(mutation, {"a": "assert True", "b": "another"}) == killed
    assert known.trial(mutation, {"a": "assert False"}) is None
    assert known.trial(mutation, {"b": "another"}) is None
    assert known.trial(mutation._replace(around="def f(): ..."), {"a": "assert True"}) is None


def test_a_survivor_is_tried_again_when_a_test_changes_or_is_added(tmp_path: Path) -> None:
    mutation = find_mutants()[0].mutation
    known = Results(tmp_path / "results")
    known.add_trial(mutation, {"a": "assert True"}, SURVIVED)
    assert known.trial(mutation, {"a": "assert True"}) == SURVIVED
    assert known.trial(mutation, {"a": "assert False"}) is None
    assert known.trial(mutation, {"a": "assert True", "b": "another"}) is None


def test_method_that_calls_super_no_more_is_left_to_a_process_of_its_own() -> None:
    """Its code cannot be replaced: it has no place for the class any more."""
    source = (ROOT / "protocol/diskwars_protocol/match/match_fold.py").read_text("utf-8")
    of_method = [mutant for mutant, _ in find_mutants() if mutant.name == "RefoldRequired.__init__"]
    (mutation,) = [mutant for mutant in of_method if "super()" in mutant.original]
    assert not trials.replace_function(mutation, mutation.apply(source))


@pytest.mark.parametrize(
    ("name", "kind", "tests"),
    [("ROUNDS", "number off by one", "setup/test_setup"), ("speed", "condition negated", "rules/test_keywords")],
    ids=["table", "function"],
)
def test_mutant_is_killed_by_a_test_that_names_its_rule(name: str, kind: str, tests: str, tmp_path: Path) -> None:
    """In a process of its own, as `./dev mutants` does: pytest collects and forks there."""
    (id,) = [mutant.id for mutant, _ in find_mutants() if (mutant.name, mutant.kind) == (name, kind)]
    words = [
        "--mutant",
        id,
        "--tests",
        f"tests/engine/rulesets/diskwars/{tests}.py",
        "--results",
        str(tmp_path / "results"),
    ]
    ended = subprocess.run(
        [sys.executable, "-m", "tools.rule_mutants", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert (ended.stdout.splitlines()[-1], ended.returncode) == ("1 mutants, 1 killed, 0 equivalent", 0)


def test_the_page_counts_a_mutant_for_each_of_its_rules_and_lists_the_survivors() -> None:
    first, second = [mutant for mutant in find_mutants() if len(mutant.rules) == 2][:2]
    text = report.page([(first, Trial("killed", "a")), (second, Trial("survived", ""))], "2026-11-28")
    assert "Tried on 2026-11-28." in text
    totals = next(line for line in text.splitlines() if line.startswith("| each mutant once"))
    assert totals == "| each mutant once | 2 | 1 | 0 | 1 | 0 |"
    assert f"`{second.mutation.id}`" in text
    assert f"`{first.mutation.id}`" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--rule", "nothing", "--rule", "r6.3"], "no rule has mutants: nothing\nno rule has mutants: r6.3"),
        (["--mutant", "zzzz"], "no mutant has the id: zzzz"),
        (["--kind", "broken"], "no mutant is of the kind: broken"),
        (["--file", "nonsense"], "no file with mutants has this in its path: nonsense"),
        (["--tests", "tests/nothing.py"], "no such file: tests/nothing.py"),
    ],
)
def test_name_that_is_none_is_refused(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "find_mutants", find_mutants)
    assert command.main([*words, "--list"]) == 2
    assert capsys.readouterr().err == said + "\n"


def test_sample_is_a_number_above_0(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--sample", "-3", "--list"])
    assert "-3 is less than 1" in capsys.readouterr().err
