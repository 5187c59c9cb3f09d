"""The registry of the rulesets that can be played here, each made from its content."""

from collections.abc import Callable, Sequence

from diskwars_content.rulesets import close_quarters, pit, regiments
from diskwars_content.rulesets.diskwars import load_packs
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.close_quarters import CloseQuarters
from diskwars_engine.rulesets.diskwars import Diskwars
from diskwars_engine.rulesets.pit import Pit
from diskwars_engine.rulesets.regiments import Regiments


def _load_diskwars(packs: Sequence[str]) -> Diskwars:
    return Diskwars(load_packs(*packs).catalogue)


RULESETS: dict[str, Callable[[Sequence[str]], AnyRuleset]] = {
    "diskwars": _load_diskwars,
    "pit": lambda packs: Pit(pit.core_content()),
    "close_quarters": lambda packs: CloseQuarters(close_quarters.core_content()),
    "regiments": lambda packs: Regiments(regiments.core_content()),
}
"""By name: how a ruleset is loaded, with the packs that the user names. Raises PackError."""

PACK_SETS: dict[str, tuple[tuple[str, ...], ...]] = {"diskwars": ((), ("expansion",))}
"""By name: which packs that come with a ruleset can be in a match together. Without an entry: none beside its own."""
