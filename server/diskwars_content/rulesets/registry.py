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


def _load_pit(packs: Sequence[str]) -> Pit:
    return Pit(pit.core_content())


def _load_close_quarters(packs: Sequence[str]) -> CloseQuarters:
    return CloseQuarters(close_quarters.core_content())


def _load_regiments(packs: Sequence[str]) -> Regiments:
    return Regiments(regiments.core_content())


RULESETS: dict[str, Callable[[Sequence[str]], AnyRuleset]] = {
    "diskwars": _load_diskwars,
    "pit": _load_pit,
    "close_quarters": _load_close_quarters,
    "regiments": _load_regiments,
}
"""By name: how a ruleset is loaded, with the packs that the user names. Raises PackError."""

PACK_SETS: dict[str, tuple[tuple[str, ...], ...]] = {"diskwars": ((), ("expansion",))}
"""By name: which packs that come with a ruleset can be in a match together. Without an entry: none beside its own."""
