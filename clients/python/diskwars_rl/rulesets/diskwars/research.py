"""Diskwars as environments know it: small battles without a full setup, unless other settings are given."""

from collections.abc import Mapping, Sequence
from typing import Any

from diskwars_engine.ruleset import AnyRuleset, RandomSource
from diskwars_protocol import geometry
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.catalogue import DiskwarsCatalogue
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption
from diskwars_rl.arrays import REACHES, unit_vector
from diskwars_rl.deeds import Deed, offered_deeds
from diskwars_rl.rulesets.diskwars.deeds import DEEDS
from diskwars_rl.rulesets.diskwars.encoder import CARDS, DISKS, ROUND, TERRAIN, ZONES, DiskwarsEncoder
from diskwars_text.rulesets.diskwars.picture import draw_board
from diskwars_text.rulesets.diskwars.text_map import draw_text_map

RESEARCH_SETTINGS: Mapping[str, Any] = {"setup": "quick", "regiments": 1}
"""Settings of a match where none are given: a battle begins after each player's deployment, and is short."""


class DiskwarsResearch:
    """Implements `arrays.ResearchRuleset`."""

    axes = (ROUND, DISKS, CARDS, ZONES, TERRAIN)
    table = DEEDS
    on_field = ("on_battlefield",)
    max_deeds = 128

    def settings(self, kind: Any, given: Mapping[str, Any]) -> Any:
        return kind(**{**RESEARCH_SETTINGS, **given})

    def loadouts(
        self, rules: AnyRuleset, settings: Any, given: Sequence[str], seats: int, rng: RandomSource
    ) -> list[Any]:
        """Return the given armies; without any, starter armies of the right size, drawn for each match."""
        if given:
            return [a.Loadout(army) for army in given]
        catalogue = rules.catalogue()
        assert isinstance(catalogue, DiskwarsCatalogue)
        armies = sorted(army.id for army in catalogue.armies if len(army.regiments) == settings.regiments)
        return [a.Loadout(_take(armies, rng)) for _ in range(seats)]

    def new_encoder(self, board: Board) -> DiskwarsEncoder:
        return DiskwarsEncoder(board)

    def deeds(self, board: Board, options: Options[Any, Any, Any], is_factored: bool) -> list[Deed]:
        """Return the listed actions and the examples: moves and placements are too free to be listed."""
        return offered_deeds(options)

    def shaped(self, board: Board, deed: Deed, direction: int, reach: int) -> Any:
        """Return flips in one direction, or a placement in a direction from the middle of an area."""
        option: DiskwarsOption = deed.option
        match deed.action:
            case a.MoveDisk(disk=disk) if option.flips:
                flips = -(-option.flips * (reach + 1) // REACHES)
                return a.MoveDisk(disk, (geometry.flip_at(direction, option.length),) * flips)
            case a.Reinforce(disk=disk) if option.areas:
                return a.Reinforce(disk, *_place(board, disk, option.areas, direction, reach))
            case _:
                return deed.action

    def draw_text(self, board: Board) -> str:
        return draw_text_map(board)

    def draw_picture(self, board: Board) -> str:
        return draw_board(board)


def _take(names: list[str], rng: RandomSource) -> str:
    return names[rng.randrange(len(names))]


def _place(board: Board, disk: int, areas: Sequence[Area], direction: int, reach: int) -> tuple[int, int]:
    """Return a place in the first area: from its middle, as far towards its edge as the reach says."""
    area, radius = areas[0], board.profile(disk).radius
    dx, dy = unit_vector(direction)
    half_width, half_height = (area.x1 - area.x0) // 2 - radius, (area.y1 - area.y0) // 2 - radius
    share = reach / (REACHES - 1)
    x, y = (area.x0 + area.x1) // 2, (area.y0 + area.y1) // 2
    return x + int(dx * share * half_width), y + int(dy * share * half_height)
