"""Checks of a match file of the pit: its rules, with the reader's figures or else those of the file."""

from collections.abc import Sequence

from diskwars_client.plugs.file_checks import FileChecks, first_event, with_names_of
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.pit import RULES_VERSION, Pit
from diskwars_engine.rulesets.pit.scenario import PitContent
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.rulesets.pit.events import PitMatchStarted
from diskwars_protocol.rulesets.pit.stats import PitScenario

NAMED_FIELDS = ("profiles", "weapons")
NO_PACK = Pack("pit/core", "", "")


class PitFileChecks(FileChecks):
    """Nothing is secret in this ruleset, so deciding the match again checks everything."""

    rules_version = RULES_VERSION

    def ruleset(self) -> AnyRuleset:
        started = first_event(self.bodies, PitMatchStarted)
        if isinstance(self.local_ruleset, Pit):
            return Pit(with_names_of(self.local_ruleset.content, started, NAMED_FIELDS))
        if started is None:
            return Pit(_unknown_content(self.bodies[0].events[0].settings.scenario, self.packs))
        return Pit(_recorded_content(started, self.packs))


def _unknown_content(scenario: str, packs: Sequence[Pack]) -> PitContent:
    """Return the content of a match that never began: its scenario exists, and no figures are known."""
    pack = packs[0] if packs else NO_PACK
    return PitContent(pack, (), (), (), {scenario: PitScenario(scenario, "", ())})


def _recorded_content(started: PitMatchStarted, packs: Sequence[Pack]) -> PitContent:
    """Return the figures of a match as it records them."""
    pack = packs[0] if packs else NO_PACK
    seats = range(len(started.rout_losses))
    bands = tuple(
        tuple(started.profiles[fighter.profile].id for fighter in started.fighters if fighter.seat == seat)
        for seat in seats
    )
    places = tuple(
        tuple((fighter.x, fighter.y) for fighter in started.fighters if fighter.seat == seat) for seat in seats
    )
    scenario = PitScenario(
        started.settings.scenario,
        "",
        bands,
        started.width,
        started.height,
        started.rounds,
        places,
        started.walls,
        started.task,
    )
    return PitContent(pack, started.profiles, started.weapons, started.deck, {scenario.id: scenario})
