"""Checks of a match file of close quarters: its rules, with the reader's figures or else those of the file."""

from collections.abc import Sequence

from diskwars_client.plugs.file_checks import FileChecks, first_event, with_names_of
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.close_quarters import RULES_VERSION, CloseQuarters
from diskwars_engine.rulesets.close_quarters.scenario import SIDE_COUNT, CloseQuartersContent
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.rulesets.close_quarters.events import CloseQuartersMatchStarted
from diskwars_protocol.rulesets.close_quarters.stats import CloseQuartersScenario, Squad

NAMED_FIELDS = ("profiles", "ranged_weapons", "melee_weapons")
NO_PACK = Pack("close_quarters/core", "", "")


class CloseQuartersFileChecks(FileChecks):
    """Nothing is secret in this ruleset, so deciding the match again checks everything."""

    rules_version = RULES_VERSION

    def ruleset(self) -> AnyRuleset:
        started = first_event(self.bodies, CloseQuartersMatchStarted)
        if isinstance(self.local_ruleset, CloseQuarters):
            return CloseQuarters(with_names_of(self.local_ruleset.content, started, NAMED_FIELDS))
        return CloseQuarters(_recorded_content(started, self.packs))


def _recorded_content(started: CloseQuartersMatchStarted | None, packs: Sequence[Pack]) -> CloseQuartersContent:
    """Return the figures of a match; none for one that never began."""
    pack = packs[0] if packs else NO_PACK
    if started is None:
        return CloseQuartersContent(pack, (), (), (), {})
    squads, opposing = (
        tuple(_squad(started, number) for number, unit in enumerate(started.units) if unit.side == side)
        for side in range(SIDE_COUNT)
    )
    scenario = CloseQuartersScenario(
        started.settings.scenario,
        "",
        started.width,
        started.height,
        started.turns,
        squads,
        started.barricade,
        started.high_ground,
        opposing,
        started.task,
        started.slow_start,
    )
    return CloseQuartersContent(
        pack, started.profiles, started.ranged_weapons, started.melee_weapons, {scenario.id: scenario}
    )


def _squad(started: CloseQuartersMatchStarted, unit: int) -> Squad:
    leader, *others = [model for model in started.models if model.unit == unit]
    formation = tuple((model.x - leader.x, model.y - leader.y) for model in others)
    return Squad(started.profiles[started.units[unit].profile].id, leader.x, leader.y, formation)
