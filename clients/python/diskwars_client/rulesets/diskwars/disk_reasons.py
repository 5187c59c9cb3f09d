"""Acts of a disk that are possible now, and reasons why others are not, beside those that the server gives."""

from collections.abc import Iterator, Sequence

from diskwars_client.plugs.terminal_ruleset import NumberedOption
from diskwars_client.rulesets.diskwars.aiming_reasons import focus_obstacle, shot_obstacle
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsUnavailable
from diskwars_text.rulesets.diskwars.phrases import disk_names
from diskwars_text.rulesets.diskwars.text_map import disk_letters

_VERBS: tuple[tuple[type[a.Action], str], ...] = (
    (a.MoveDisk, "move"),
    (a.Shoot, "shoot"),
    (a.Focus, "focus"),
    (a.UseAbility, "use"),
    (a.Reinforce, "bring"),
)
"""The verbs of a terminal by what they do."""
_AWAY = {"reserve": "in the reserve", "casualty": "a casualty"}


def disk_reasons(
    board: Board,
    seat: Seat | None,
    disk: int,
    offered: Sequence[NumberedOption],
    explained: Sequence[DiskwarsUnavailable],
) -> Iterator[str]:
    """Yield the lines about a disk: of one of `seat` what it can do, of any other who can aim at it.

    `explained` are the reasons that the server has given already.
    """
    names, now = disk_names(board), board.disks[disk]
    is_explained = any(entry.disk == disk for entry in explained)
    if now.place != BATTLEFIELD and not is_explained and not _orders_of(board, disk, offered):
        yield f"{names[disk]} is {_AWAY.get(now.place, 'out of the game')}"
    elif now.seat != seat:
        yield from _target_lines(board, seat, disk, offered, explained)
    elif able := _orders_of(board, disk, offered):
        yield f"{names[disk]} can do now: {', '.join(able)}"
    elif not is_explained:
        yield f"{names[disk]} is not what this question is about; `options` shows what is"


def _orders_of(board: Board, disk: int, offered: Sequence[NumberedOption]) -> list[str]:
    """Return what can be typed for a disk: each order once, with its targets."""
    letters = disk_letters(board)
    orders: dict[str, None] = {}
    for option in offered:
        verb = _verb_of(option.action)
        if verb and getattr(option.action, "disk", None) == disk:
            target = getattr(option.action, "target", None)
            orders[f"`{verb} {letters[disk]}{'' if target is None else f' {letters[target]}'}`"] = None
    return list(orders)


def _verb_of(action: a.Action) -> str:
    return next((verb for kind, verb in _VERBS if isinstance(action, kind)), "")


def _target_lines(
    board: Board,
    seat: Seat | None,
    target: int,
    offered: Sequence[NumberedOption],
    explained: Sequence[DiskwarsUnavailable],
) -> Iterator[str]:
    """Yield who of a seat can aim at a disk of somebody else, and why the others cannot."""
    names, letters = disk_names(board), disk_letters(board)
    aimed = {
        getattr(option.action, "disk", None): _verb_of(option.action)
        for option in offered
        if getattr(option.action, "target", None) == target
    }
    known = {entry.disk for entry in explained if entry.target == target}
    count = 0
    for disk in position.fielded_disks(board):
        if disk.seat != seat:
            continue
        name = f"{names[disk.id]} ({letters[disk.id]})"
        if disk.id in aimed:
            count += 1
            yield f"{name} can: `{aimed[disk.id]} {letters[disk.id]} {letters[target]}`"
            continue
        obstacles = {
            "shoot at": shot_obstacle(board, disk.id, target),
            "focus on": focus_obstacle(board, disk.id, target),
        }
        for verb, why in obstacles.items():
            if why and disk.id not in known:
                count += 1
                yield f"{name} cannot {verb} {names[target]}: {why}"
        if not any(obstacles.values()) and disk.id not in known and _could_aim(board, disk.id):
            count += 1
            state = "has been activated already" if disk.activated else "is not asked to act now"
            yield f"{name} {state}; {names[target]} is in its range and sight"
    if not count and not known:
        yield f"none of your disks there shoots or uses a focus; `preview move X toward {letters[target]}` shows a move"


def _could_aim(board: Board, disk: int) -> bool:
    return bool(board.profile(disk).shots or position.focus_abilities(board, disk))
