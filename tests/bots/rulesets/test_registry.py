"""The registry of bots: the same levels in each game, and weights that say what they stand for."""

import ast
import inspect
from importlib import import_module
from types import ModuleType

from diskwars_bots.rulesets.registry import BOTS
from diskwars_bots.strength import BOT_WORDS, STRENGTHS, MeasuredStrength, describe_bot
from tests.rows import each_row


def unexplained_weights(module: ModuleType) -> list[str]:
    """Return the names of the numbers of a module that no sentence follows."""
    body = ast.parse(inspect.getsource(module)).body
    return [
        ast.unparse(node)
        for node, after in zip(body, [*body[1:], ast.Pass()], strict=True)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant))
    ]


@each_row("ruleset", sorted(BOTS))
def test_every_weight_of_a_greedy_bot_has_a_sentence(ruleset: str) -> None:
    assert unexplained_weights(import_module(f"diskwars_bots.rulesets.{ruleset}.weights")) == []


@each_row("ruleset", sorted(BOTS))
def test_every_bot_of_a_game_is_described_and_measured_against_another(ruleset: str) -> None:
    measured = STRENGTHS[ruleset]
    for name in BOTS[ruleset].choosers:
        assert describe_bot(ruleset, name).startswith(BOT_WORDS[name])
    assert set(measured) >= {"mild", "greedy"}
    assert all(row.over in BOTS[ruleset].choosers and 0 < row.percent < 100 for row in measured.values())


def test_bot_that_is_not_known_is_described_by_nothing() -> None:
    assert describe_bot("pit", "my_bot.py:choose") == ""
    assert MeasuredStrength("random", 52.5, 60).percent == 88
