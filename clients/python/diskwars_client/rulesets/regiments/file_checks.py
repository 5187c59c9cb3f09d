"""Checks of a match file of regiments: its rules, with the reader's figures or else those of the file."""

from collections.abc import Sequence

from diskwars_client.file_checks import FileChecks, first_event, with_names_of
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.regiments import RULES_VERSION, Regiments
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent, starting_row
from diskwars_protocol.match import Pack
from diskwars_protocol.rulesets.regiments.events import RegimentsMatchStarted, Side
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, ScenarioUnit

NAMED_FIELDS = ("profiles", "weapons")
NO_PACK = Pack("regiments/core", "", "")


class RegimentsFileChecks(FileChecks):
    """Nothing is secret in this ruleset, so deciding the match again checks everything."""

    rules_version = RULES_VERSION

    def ruleset(self) -> AnyRuleset:
        started = first_event(self.bodies, RegimentsMatchStarted)
        if isinstance(self.local_ruleset, Regiments):
            return Regiments(with_names_of(self.local_ruleset.content, started, NAMED_FIELDS))
        return Regiments(_recorded_content(started, self.packs))


def _recorded_content(started: RegimentsMatchStarted | None, packs: Sequence[Pack]) -> RegimentsContent:
    """Return the figures of a match; none for one that never began."""
    pack = packs[0] if packs else NO_PACK
    if started is None:
        return RegimentsContent(pack, (), (), {})
    scenario = RegimentsScenario(started.settings.scenario, "", (_army(started, 0), _army(started, 1)))
    return RegimentsContent(pack, started.profiles, started.weapons, {scenario.id: scenario})


def _army(started: RegimentsMatchStarted, side: Side) -> tuple[ScenarioUnit, ...]:
    """Return the units of a side as a scenario has them."""
    leaders = started.sides[side]
    return tuple(
        ScenarioUnit(
            started.profiles[unit.profile].id,
            unit.models,
            unit.files,
            starting_row(unit.y, side),
            leaders.index(unit.seat),
        )
        for unit in started.units
        if unit.seat in leaders
    )
