"""Matches of every registered ruleset, played by its random bot, for the suite that all rulesets share.

Nothing here knows a ruleset: setups, loadouts, bots and texts are what the registries hold.
"""

import copy
from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.local import LocalMatch
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.events import StepBegan
from diskwars_protocol.match.ids import ALL, PUBLIC, Viewer
from diskwars_protocol.match.state import AnyMatch, RecordBody

TOY = "counting"
"""The toy ruleset of the tests, registered by the fixture `toy_ruleset`."""
NAMES = (*RULESETS, TOY)
"""Every ruleset that is registered."""
VARIANTS = ("regiments secret_orders=yes", "close_quarters barricade=yes")
"""Rulesets with options that are off by default and bring questions or secrets of their own."""
SEEDS = (1, 2)
MOMENTS = 24
"""In how many places of a match what takes long is tried."""

COMMITMENTS: dict[str, str] = {"card_locked": "commitment", "orders_locked": "commitment"}
"""By tag of an event: its field that depends on a secret by design and gives nothing away."""


class PlayedMatch(Struct, frozen=True):
    """A match from its first record to its last. `states[n]` is the match after `bodies[n]`."""

    local: LocalMatch[Any, Any, Any]
    bodies: list[RecordBody[Any, Any, Any]]
    states: list[AnyMatch]

    @property
    def parts(self) -> tuple[LocalMatch[Any, Any, Any], list[RecordBody[Any, Any, Any]], list[AnyMatch]]:
        return self.local, self.bodies, self.states

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        return (*range(len(self.local.seats)), PUBLIC, ALL)

    def at(self, n: int) -> LocalMatch[Any, Any, Any]:
        """Return the match as it was after `bodies[n]`, to be gone on with separately."""
        local = copy.copy(self.local)
        local.match, local.records = self.states[n], self.bodies[: n + 1]
        return local

    def moments(self) -> list[int]:
        """Return some places, spread over the match, in which its board has open questions."""
        places = [n for n, state in enumerate(self.states) if state.status == "running" and state.decisions]
        return places[:: max(1, len(places) // MOMENTS)]


@cache
def played(name: str, players: int, seed: int) -> PlayedMatch:
    """Play a match between random bots to its end; `name` is a ruleset, and options such as `secret_orders=yes`."""
    ruleset, *chosen = name.split()
    # An army of the first seed is as small as the ruleset has it: a match is half as long then, and as good here.
    values = {} if seed != SEEDS[0] else {"regiments": 1}
    options = BotMatchFlags(
        data=DataOptions(),
        ruleset=ruleset,
        players=players,
        bots="random",
        house_rules=tuple(chosen),
        ruleset_values=values,
    )
    job = next(find_simulation(ruleset).jobs(options, [seed]))
    local = seeded_match(load_ruleset(ruleset, ()), seed, job.loadouts, job.settings)
    bodies, states = [], []
    for body in play_bots(local, seed, job.bots):
        bodies.append(body)
        states.append(local.match)
    return PlayedMatch(local, bodies, states)


def decide(local: LocalMatch[Any, Any, Any], decision: Decision[Any], action: Any) -> RecordBody[Any, Any, Any]:
    """Return the record that an answer of the seat makes; nothing is changed. Raises Illegal."""
    completed = local.with_secrets(decision.seat, action)
    return local.decide(local.seats[decision.seat].player, decision.id, completed).body


def before_reveal(body: RecordBody[Any, Any, Any]) -> RecordBody[Any, Any, Any]:
    """Return the record up to the step of the dice at which secrets are revealed, with its commitments blanked."""
    step = next((n for n, event in enumerate(body.events) if isinstance(event, StepBegan)), None)
    if step is None:
        return replace(body, events=tuple(map(_blank, body.events)))
    return replace(
        body, events=tuple(map(_blank, body.events[:step])), decisions=None, draw_index=None, cursor=None, result=None
    )


def _blank(event: Any) -> Any:
    field = COMMITMENTS.get(str(event.__struct_config__.tag))
    return replace(event, **{field: ""}) if field else event


parametrize_matches = pytest.mark.parametrize(
    ("name", "count", "seed"),
    [(name, count, seed) for name in (*NAMES, *VARIANTS) for count in (min, max) for seed in SEEDS],
    ids=lambda value: getattr(value, "__name__", str(value)),
    scope="module",
)
"""With the fewest and with the most players of a ruleset; the tests of a match follow on each other."""
