"""The registry of what the client keeps to one ruleset; a ruleset that is not named here has no secrets to keep.

The vocabularies themselves are registered in `diskwars_protocol.rulesets.registry`.
"""

from collections.abc import Callable

from diskwars_client.rulesets.diskwars.card_promises import CardPromises
from diskwars_client.seat_secrets import NoPromises, RulesetPromises
from diskwars_protocol.match import MatchId

PROMISES: dict[str, Callable[[MatchId], RulesetPromises]] = {"diskwars": CardPromises}
"""By ruleset: what the secret actions of a seat bind the server to."""


def new_promises(ruleset: str, match: MatchId) -> RulesetPromises:
    """Return the promises of one seat in a match of this ruleset."""
    return PROMISES.get(ruleset, NoPromises)(match)
