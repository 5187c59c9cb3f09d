"""The registry of what the command keeps to one ruleset."""

from diskwars_cli.command import CommandError
from diskwars_cli.rulesets.diskwars.simulation import DiskwarsSimulation
from diskwars_cli.simulation import Simulation
from diskwars_protocol.suggestions import suggest

SIMULATIONS: dict[str, Simulation] = {"diskwars": DiskwarsSimulation()}
"""By ruleset: how `simulate` plays its matches and what it counts."""


def find_simulation(ruleset: str) -> Simulation:
    """Return how a ruleset is simulated. Raises CommandError with a suggestion."""
    if ruleset not in SIMULATIONS:
        raise CommandError(f"--ruleset: there is no ruleset {ruleset!r}{suggest(ruleset, SIMULATIONS)}")
    return SIMULATIONS[ruleset]
