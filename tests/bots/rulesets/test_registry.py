"""The registry of bots: the weights of the greedy ones say what they stand for."""

import ast
import inspect
from types import ModuleType

from diskwars_bots.rulesets.close_quarters import weights as close_quarters
from diskwars_bots.rulesets.diskwars import weights as diskwars
from diskwars_bots.rulesets.pit import weights as pit
from diskwars_bots.rulesets.regiments import weights as regiments
from diskwars_bots.rulesets.registry import BOTS
from tests.rows import each_row

TABLES = {"close_quarters": close_quarters, "diskwars": diskwars, "pit": pit, "regiments": regiments}


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
    assert unexplained_weights(TABLES[ruleset]) == []
