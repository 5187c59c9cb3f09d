"""Checks of a match file of the pit: its rules, with the figures of the file."""

from collections.abc import Sequence

from diskwars_client.file_checks import FileChecks, events_of
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.pit import RULES_VERSION, Pit
from diskwars_engine.rulesets.pit.scenario import PitContent, PitScenario
from diskwars_protocol.match import MatchId, Pack
from diskwars_protocol.rulesets.pit.events import PitStarted
from diskwars_protocol.rulesets.pit.vocabulary import PitBody

NO_PACK = Pack("pit/core", "", "")


class PitFileChecks(FileChecks):
    """The figures are those of the file: its first event of the board holds all of them."""

    rules_version = RULES_VERSION

    def __init__(self, match: MatchId, bodies: Sequence[PitBody], catalogues: Sequence[object]) -> None:
        super().__init__(match, bodies, catalogues)
        started = next((event for event in events_of(bodies) if isinstance(event, PitStarted)), None)
        known = [content for content in catalogues if isinstance(content, PitContent)]
        self._content = next((content for content in known if content.pack in self.packs), None)
        self.has_unknown_figures = started is not None and self._content is None
        if self._content is None:
            self._content = _recorded_content(started, self.packs)

    def ruleset(self) -> AnyRuleset:
        assert self._content is not None
        return Pit(self._content)


def _recorded_content(started: PitStarted | None, packs: Sequence[Pack]) -> PitContent:
    pack = packs[0] if packs else NO_PACK
    if started is None:
        return PitContent(pack, (), (), (), {})
    seats = range(len(started.rout_losses))
    bands = tuple(
        tuple(started.profiles[one.profile].id for one in started.fighters if one.seat == seat) for seat in seats
    )
    scenario = PitScenario(started.settings.scenario, bands)
    return PitContent(pack, started.profiles, started.weapons, started.deck, {scenario.id: scenario})
