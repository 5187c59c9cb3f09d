"""The page of the protocol lists the numbers of every reason: what matches record, and what the rules write."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeAlias

import msgspec

from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_content.rulesets.registry import RULESETS
from tests.code_sizes import PACKAGES, ROOT
from tests.golden.test_files import NAMES, golden_file
from tests.rulesets.matches import SEEDS, played

Json: TypeAlias = Any  # what json.loads gives
RuleNumber: TypeAlias = tuple[str, str]
"""The id of a rule, and the name of a number."""

MATCH_SEEDS = (*SEEDS, 3)
"""The third has points for a disk in the middle."""
SOURCES = (PACKAGES["diskwars_engine"] / "rulesets", PACKAGES["diskwars_protocol"] / "rulesets")
TABLE = re.compile(r"<!-- numbers of reasons -->\n(.*?)<!-- end -->", re.DOTALL)


@cache
def listed() -> frozenset[RuleNumber]:
    """Return the rows of the page, one for each number."""
    found = TABLE.search((ROOT / "docs" / "protocol-reference.md").read_text(encoding="utf-8"))
    assert found is not None
    rows = [line.strip("| ").split(" | ") for line in found[1].splitlines()[2:]]
    return frozenset((rule.strip("`"), name) for rule, numbers in rows for name in re.findall(r"`(\w+)`", numbers))


def numbers_in(value: Json) -> Iterator[RuleNumber]:
    """Yield what the reasons anywhere in a record name."""
    if isinstance(value, list):
        for item in value:
            yield from numbers_in(item)
    elif isinstance(value, dict):
        for reason in value.get("reasons", ()):
            yield from ((reason["rule"], name) for name in reason.get("numbers", {}))
        for item in value.values():
            yield from numbers_in(item)


@cache
def recorded() -> frozenset[RuleNumber]:
    """Return the numbers of reasons in the golden files and in matches of random bots."""
    bodies = [body for name in NAMES for body in golden_file(name).bodies]
    for name in RULESETS:
        seats = load_ruleset(name, ()).seat_counts
        matches = [played(name, players, seed) for players in (seats[0], seats[-1]) for seed in MATCH_SEEDS]
        bodies += [msgspec.json.encode(body) for match in matches for body in match.bodies]
    return frozenset(number for body in bodies for number in numbers_in(json.loads(body)))


@cache
def written() -> frozenset[RuleNumber]:
    """Return the numbers that the rules write by name; the rule is empty where it is chosen elsewhere."""
    numbers: set[RuleNumber] = set()
    for file in sorted(file for folder in SOURCES for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Reason", "because") and node.args:
                rule = node.args[0]
                id = str(rule.value) if isinstance(rule, ast.Constant) else ""
                numbers |= {(id, name) for name in _names(node)}
    return frozenset(numbers)


def _names(call: ast.Call) -> set[str]:
    named = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    keys = [key for argument in call.args[1:] if isinstance(argument, ast.Dict) for key in argument.keys]
    return named | {str(key.value) for key in keys if isinstance(key, ast.Constant)}


def test_numbers_that_matches_record_are_on_the_page() -> None:
    assert len(recorded()) > 45
    assert recorded() <= listed()


def test_numbers_that_the_rules_write_are_on_the_page() -> None:
    by_rule = {number for number in written() if number[0]}
    assert len(by_rule) > 40
    assert by_rule <= listed()
    assert {name for rule, name in written() if not rule} <= {name for _, name in listed()}


def test_every_number_on_the_page_is_recorded_or_written() -> None:
    chosen = {name for rule, name in written() if not rule}
    rules = "".join(file.read_text(encoding="utf-8") for folder in SOURCES for file in folder.rglob("*.py"))
    unseen = listed() - recorded() - written()
    assert {(rule, name) for rule, name in unseen if name not in chosen or f'"{rule}"' not in rules} == set()
