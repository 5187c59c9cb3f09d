"""The registry of the rulesets that environments know."""

from diskwars_rl.arrays import ResearchRuleset
from diskwars_rl.rulesets.close_quarters.research import CloseQuartersResearch
from diskwars_rl.rulesets.diskwars.research import DiskwarsResearch
from diskwars_rl.rulesets.pit.research import PitResearch
from diskwars_rl.rulesets.regiments.research import RegimentsResearch

RESEARCH: dict[str, ResearchRuleset] = {
    "diskwars": DiskwarsResearch(),
    "pit": PitResearch(),
    "close_quarters": CloseQuartersResearch(),
    "regiments": RegimentsResearch(),
}
"""By name of the ruleset."""
