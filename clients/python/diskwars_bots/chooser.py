"""The interface of a bot: a pure function that chooses an answer.

A chooser gets the match as its seat may know it, the decision, the options offered, and its own random generator.
It returns an action. A card lock is returned without salt and seat nonce; its sender adds them.
"""

import random
from collections.abc import Callable
from typing import Any, TypeAlias

from diskwars_protocol.match.decisions import Decision, Options

Chooser: TypeAlias = Callable[[Any, Decision[Any], Options[Any, Any, Any], random.Random], Any]
"""`choose(match, decision, options, rng)`, which returns an action of the ruleset of the match."""


def offered(options: Options[Any, Any, Any]) -> list[Any]:
    """Return the listed answers, and the example of each parametric option: one list of legal answers."""
    return [*options.actions, *(option.example for option in options.parametric)]
