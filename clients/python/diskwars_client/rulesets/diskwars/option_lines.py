"""The options of an activation on a screen: one row per verb, with the number of each option."""

from collections.abc import Sequence

from diskwars_client.plugs.terminal_ruleset import NumberedOption, more_line, with_numbers
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import effective_stats, position, terrain
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board
from diskwars_text.phrases import counted
from diskwars_text.rulesets.diskwars.phrases import disk_names, length_text
from diskwars_text.rulesets.diskwars.text_map import disk_letters

VERB_WIDTH = 6
_VERBS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("move", (a.MoveDisk,)),
    ("shoot", (a.Shoot,)),
    ("focus", (a.Focus,)),
    ("use", (a.UseAbility,)),
    ("bring", (a.Reinforce,)),
    ("end", (a.EndCard, a.EndScouting, a.PassDisk)),
)
"""Actions that have a row of their own; every other option has one each."""


def grouped_lines(board: Board, offered: Sequence[NumberedOption]) -> list[str]:
    """Return the rows: `move   1 K Karl Franz (5 flips of 2.25 in) · 2 H …`."""
    main = _without_further_users([(number, choice) for number, choice in with_numbers(offered) if not choice.is_minor])
    lines = []
    for verb, kinds in _VERBS:
        group = [
            f"{number} {_short_text(board, choice)}" for number, choice in main if isinstance(choice.action, kinds)
        ]
        if group:
            lines.append(f"  {verb:<{VERB_WIDTH}} {' · '.join(group)}")
    grouped = tuple(kind for _, kinds in _VERBS for kind in kinds)
    lines += [f"  {number}. {choice.text}" for number, choice in main if not isinstance(choice.action, grouped)]
    return lines + more_line(len(offered) - len(main))


def _without_further_users(options: list[tuple[int, NumberedOption]]) -> list[tuple[int, NumberedOption]]:
    """Leave out who else can use a card's ability on a target: its effect is the same (R7.9)."""
    shown, targets = [], set()
    for number, option in options:
        if isinstance(option.action, a.UseAbility) and option.action.target is not None:
            if option.action.target in targets:
                continue
            targets.add(option.action.target)
        shown.append((number, option))
    return shown


def reserve_line(board: Board, seat: Seat) -> str:
    """Return how other disks than those suggested are deployed, with the letters of all that may be."""
    names, letters = disk_names(board), disk_letters(board)
    own = [disk.id for disk in board.disks if disk.seat == seat and disk.place == RESERVE]
    disks = " · ".join(f"{letters[disk]} {names[disk]}" for disk in own)
    return f"  or `place {letters[own[0]]} X Y, ...`, every disk with its middle in inches: {disks}" if own else ""


def _short_text(board: Board, option: NumberedOption) -> str:
    names, letters, action = disk_names(board), disk_letters(board), option.action
    if isinstance(action, a.EndCard | a.EndScouting | a.PassDisk):
        return option.text
    who = f"{letters[action.disk]} {names[action.disk]}"
    match action:
        case a.MoveDisk() if option.plan is not None:
            return f"{who} ({option.plan.flips} x {length_text(option.plan.length)})"
        case a.Shoot():
            shot = effective_stats.shot(board, action.disk, action.shot)
            band = position.range_band(board, action.disk, action.target)
            dice = terrain.dice_after_cover(board, action.target, shot.dice)
            chance = f"{band}, {counted(dice, 'die', 'dice')}{' in cover' * (dice < shot.dice)}"
            return f"{letters[action.disk]} at {letters[action.target]} {names[action.target]} ({chance})"
        case a.Focus() | a.UseAbility() if action.target is not None:
            return f"{letters[action.disk]} on {letters[action.target]} {names[action.target]}"
        case a.Reinforce():
            return names[action.disk]
        case _:
            return who
