"""The registry of bots: the weights of the greedy ones say what they stand for."""

import ast
import inspect
from importlib import import_module
from types import ModuleType

from diskwars_bots.rulesets.registry import BOTS
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
