"""Deeds in the report of a league: the rule behind each kind of action, and why some are chosen by no bot."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args, get_origin

from msgspec import Struct

from diskwars_bots.rulesets.registry import find_bots
from diskwars_cli.plugs.report import TableRow, markdown_table
from diskwars_cli.simulate.league_standings import BotTally, Standings
from diskwars_protocol.match import actions
from diskwars_protocol.match.vocabulary import AnyVocabulary

RANDOM = "random"
UNKNOWN_RULE = "-"
NO_REASON = "no reason is known"


class DeedNote(Struct, frozen=True):
    """The rule by which a kind of action is chosen, and why bots may never choose it, if there is a reason."""

    rule: str
    why_never: str = ""


DEED_NOTES: Mapping[str, Mapping[str, DeedNote]] = {
    "diskwars": {
        "choose_first_player": DeedNote("R3.2", "three or four players choose the whole order instead (R18.1)"),
        "set_order": DeedNote("R18.1", "two players choose who is first, and nothing more (R3.2)"),
        "choose_scenario": DeedNote("R3.3.1", "the quick setup has no scenario cards (R3.3)"),
        "lay_deployment_card": DeedNote("R3.4", "the quick setup has fixed zones"),
        "place_terrain": DeedNote("R3.5", "the quick setup has no terrain"),
        "deploy": DeedNote("R3.6"),
        "end_scouting": DeedNote("R3.7", "the armies of this league have no scouts"),
        "lock_card": DeedNote("R7.3"),
        "move_disk": DeedNote("R8.1.1"),
        "shoot": DeedNote("R8.1.3"),
        "focus": DeedNote("R8.1.2"),
        "pass_disk": DeedNote("R8.1.4"),
        "reinforce": DeedNote("R9.1"),
        "use_ability": DeedNote("R7.9"),
        "end_card": DeedNote("R7.12"),
        "choose_scatter": DeedNote("R-21", "asked only where several disks are equally near to the target"),
        "order_triggers": DeedNote("R6.7", "asked only where one landing sets off several abilities at once"),
        "use_engage_ability": DeedNote(
            "R19.20", "asked only where an engage ability may be declined or has several targets"
        ),
        "choose_engagement": DeedNote("R15.2.4"),
        "choose_targets": DeedNote("R15.3.2"),
    },
    "pit": {
        "engage": DeedNote("A-9"),
        "move": DeedNote("A-10"),
        "end_phase": DeedNote("A-10"),
        "choose_combat": DeedNote("A-11"),
        "choose_fighter": DeedNote("A-13"),
        "declare_attacks": DeedNote("A-15"),
        "choose_target": DeedNote("A-16", "asked only of a fighter that struck at several enemies at once"),
        "concede": DeedNote("A-7"),
    },
    "close_quarters": {
        "choose_unit": DeedNote("B-25"),
        "hold": DeedNote("B-25"),
        "advance": DeedNote("B-25"),
        "double": DeedNote("B-25"),
        "fire_at": DeedNote("B-7"),
        "hold_fire": DeedNote("B-7", "defensive fire costs nothing, so that somebody always fires who may"),
        "consolidate": DeedNote("B-15", "these bots name a manoeuvre (`consolidate_by`) rather than points"),
        "consolidate_by": DeedNote("B-15"),
        "shoot": DeedNote("B-9"),
        "choose_weapon": DeedNote("B-10", "asked only of brutes, who are in the scenario `brutes` alone"),
        "split_hits": DeedNote(
            "B-11", "asked only where one model strikes at several units and its hits do not part evenly"
        ),
        "pick_casualties": DeedNote("B-14"),
    },
    "regiments": {
        "hold": DeedNote("C-24"),
        "march": DeedNote("C-24"),
        "reform": DeedNote("C-25"),
        "charge": DeedNote("C-26"),
        "fight": DeedNote("C-27"),
        "retreat": DeedNote("C-27"),
        "lock_orders": DeedNote("C-29", "asked only with the option `secret_orders`, which is off by default"),
    },
}
"""By ruleset and kind of action."""


def deeds_of(vocabulary: AnyVocabulary) -> list[str]:
    """Return the kinds of actions of a ruleset, in the order of its vocabulary; not those of every match."""
    kinds = dict.fromkeys(_members(vocabulary.action))
    return [str(kind.__struct_config__.tag) for kind in kinds if kind.__module__ != actions.__name__]


def has_deeds(tallies: Iterable[BotTally]) -> bool:
    """Return whether any match says what its bots did."""
    return any(tally.seats for tally in tallies)


def deeds_table(standings: Standings) -> str:
    """Return how often each bot chose each kind of action, and in which share of its seats at least once.

    Every kind that the ruleset has is a row, so that what no bot ever did is seen too.
    """
    ruleset = standings.plan.ruleset
    rows: list[TableRow] = [
        (deed, _note(ruleset, deed).rule, *(_deed_text(standings.bots[bot], deed) for bot, _ in standings.ranking()))
        for deed in deeds_of(standings.plan.vocabulary)
    ]
    return markdown_table(["deed", "rule", *(standings.plan.bots[bot] for bot, _ in standings.ranking())], rows)


def never_lines(standings: Standings) -> list[str]:
    """Return a line for each kind that no bot chose which plays to win, with the reason."""
    ruleset = standings.plan.ruleset
    return [
        f"- `{deed}`: {_note(ruleset, deed).why_never or NO_REASON}."
        for deed in deeds_of(standings.plan.vocabulary)
        if not any(standings.bots[bot].deeds[deed] for bot in _serious_bots(standings))
    ]


def _serious_bots(standings: Standings) -> list[int]:
    """Return the bots of a league but for the random one and those of one idea; all of them if there are no others."""
    references = find_bots(standings.plan.ruleset).references
    bots = list(range(len(standings.plan.bots)))
    serious = [bot for bot in bots if (name := standings.plan.bots[bot]) != RANDOM and name not in references]
    return serious or bots


def _note(ruleset: str, deed: str) -> DeedNote:
    return DEED_NOTES.get(ruleset, {}).get(deed, DeedNote(UNKNOWN_RULE))


def _deed_text(tally: BotTally, deed: str) -> str:
    if not tally.deeds[deed]:
        return "0"
    return f"{tally.deeds[deed]:,} ({100 * tally.deed_seats[deed] / tally.seats:.0f} %)"


def _members(union: Any) -> Iterable[type[Struct]]:
    """Yield the classes of a union, also of nested ones; a generic one by its origin."""
    origin = get_origin(union)
    if isinstance(origin, type) and issubclass(origin, Struct):
        yield origin
    elif members := get_args(union):
        for member in members:
            yield from _members(member)
    elif isinstance(union, type) and issubclass(union, Struct):
        yield union
