"""Orders that are probably slips: what they would do is said, and they are carried out only when confirmed."""

import re
from collections.abc import Sequence

from diskwars_client.plugs.terminal_ruleset import NumberedOption
from diskwars_client.rulesets.diskwars.damage_odds import dangers
from diskwars_client.rulesets.diskwars.orders import harms_own_disk
from diskwars_client.rulesets.diskwars.preview import deployed_overlaps, own_disks_pinned
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board, DiskwarsMatch
from diskwars_text.phrases import counted, joined
from diskwars_text.rulesets.diskwars.phrases import disk_names

COUNT_LIKE = re.compile(r"\b(N|NE|E|SE|S|SW|W|NW|\d{1,3})[\s,]+(\d)$", re.IGNORECASE)
"""A direction and behind it a single digit, which reads as a direction of so few degrees."""
REPEATS = re.compile(r"\sx\d", re.IGNORECASE)
"""A number of flips as it is typed: an order with one of these means a direction by a bare digit."""


def doubt_text(
    line: str,
    match: DiskwarsMatch,
    decision: Decision[a.Question],
    action: a.Action,
    offered: Sequence[NumberedOption],
) -> str:
    """Return what an order would do, if it is probably not meant; otherwise nothing."""
    board, question = match.board, decision.question
    if board is None:
        return ""
    match action:
        case a.EndCard() if isinstance(question, a.ActivationQuestion):
            return _unused_text(board, question, offered)
        case a.PassDisk() if isinstance(question, a.ActivationQuestion):
            return f"{disk_names(board)[action.disk]} would be activated and do nothing"
        case a.MoveDisk():
            return _move_doubt(line, board, action)
        case a.Reinforce():
            return _landing_doubt(board, action)
        case a.Deploy():
            return _stacked_text(board, action)
        case a.Shoot() | a.Focus() | a.UseAbility() if harms_own_disk(board, decision.seat, action):
            target = "" if action.target is None else disk_names(board)[action.target]
            return f"that is aimed at your own {target}"
        case _:
            return ""


def _unused_text(board: Board, question: a.ActivationQuestion, offered: Sequence[NumberedOption]) -> str:
    """Return what the end of a card throws away: nothing where nothing useful can be done."""
    useful = [choice for choice in offered if not choice.is_minor and not isinstance(choice.action, a.EndCard)]
    if not useful:
        return ""
    left = counted(question.activations_left, "activation")
    return f"{board.card_name(question.card)} would end with {left} unused"


def _move_doubt(line: str, board: Board, move: a.MoveDisk) -> str:
    slip = COUNT_LIKE.search(line.removesuffix(" end").strip())
    if slip is not None and len(move.path) > 1 and not REPEATS.search(line):
        way, digit = slip.groups()
        return (
            f"that is one flip {way} and another in the direction of {digit}°; "
            f"{digit} flips {way} are `{line[: slip.start()]}{way} x{digit}`"
        )
    return _landing_doubt(board, move)


def _landing_doubt(board: Board, action: a.MoveDisk | a.Reinforce) -> str:
    own = own_disks_pinned(board, action)
    doubts = [f"that ends on your own {joined(disk_names(board)[disk] for disk in own)}"] if own else []
    danger = next(dangers(board, action), "")
    return "; ".join([*doubts, *([f"that lands on dangerous ground, {danger}"] if danger else [])])


def _stacked_text(board: Board, action: a.Deploy) -> str:
    names = disk_names(board)
    stacked = [
        f"{names[top]} would lie on your own {names[bottom]}" for top, bottom in deployed_overlaps(board, action)
    ]
    return f"{joined(stacked)}, and pin them" if stacked else ""
