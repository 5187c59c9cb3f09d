"""Every rule by which an answer is refused without a code of its own has a German text on the page."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TEXTS = ROOT / "clients/web/src/messages/de/parts/rule_refusals.json"
CODE_TEXTS = ROOT / "clients/web/src/messages/de/parts/refusals.json"
"""Every other language has the same keys: check_catalogues.js compares them."""
FOLDERS = ("server/diskwars_engine/rulesets", "protocol/diskwars_protocol/rulesets")
REFUSING = ("Illegal", "_refused", "PlanFault", "_check_models", "_check_count")
"""Functions that refuse by a rule that is one of their arguments."""
RULE_ID = re.compile(r"[ABC]-\d+[a-z]?")


def find_rules(tree: ast.AST) -> Iterator[str]:
    """Yield the rules of refusals: arguments, parts of returned pairs, and `rule` of a function that refuses."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            nodes = list(ast.walk(function))
            refusals = [node for node in nodes if isinstance(node, ast.Call) and is_refusal(node)]
            pairs = [node.value for node in nodes if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple)]
            named = [node.value for node in nodes if isinstance(node, ast.Assign) and is_rule(node) and refusals]
            for part in (*refusals, *pairs, *named):
                yield from (one for one in constants(part) if RULE_ID.fullmatch(one))


def is_refusal(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in REFUSING


def is_rule(assignment: ast.Assign) -> bool:
    return [one.id for one in assignment.targets if isinstance(one, ast.Name)] == ["rule"]


def constants(node: ast.AST) -> Iterator[str]:
    return (one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str))


@pytest.mark.parametrize(("game", "least"), [("pit", 6), ("close_quarters", 12), ("regiments", 7)])
def test_every_rule_that_refuses_has_a_german_text(game: str, least: int) -> None:
    files = [file for folder in FOLDERS for file in sorted((ROOT / folder / game).rglob("*.py"))]
    rules = {rule for file in files for rule in find_rules(ast.parse(file.read_text("utf-8")))}
    # Where this finds fewer, refusals are written in another way, and it has to look for that.
    assert len(rules) >= least
    assert rules - {key.split(":")[0] for key in json.loads(TEXTS.read_text("utf-8"))} == set()


def test_every_rule_of_diskwars_that_refuses_without_a_code_of_its_own_has_a_german_text() -> None:
    trees = [ast.parse(file.read_text("utf-8")) for file in (ROOT / FOLDERS[0] / "diskwars").rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    refusals = [set(constants(call)) for call in calls if isinstance(call.func, ast.Name)]
    rules = {one for words in refusals if "not_legal" in words for one in words if re.fullmatch(r"R-?\d[\d.]*", one)}
    assert len(rules) > 20
    by_code = {key.removeprefix("not_legal.") for key in json.loads(CODE_TEXTS.read_text("utf-8"))}
    assert rules - by_code - {key.split(":")[0] for key in json.loads(TEXTS.read_text("utf-8"))} == set()
