"""The random bot of every ruleset: picks any of the answers that it is offered."""

import random
from typing import Any

from diskwars_bots.chooser import offered
from diskwars_protocol.match.decisions import Decision, Options


def choose_offered(match: Any, decision: Decision[Any], options: Options[Any, Any, Any], rng: random.Random) -> Any:
    """Choose among the listed actions and the examples of what has too many forms to list."""
    return rng.choice(offered(options))
