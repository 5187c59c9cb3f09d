"""Lines of a forecast: what a landing, an ability or a melee brings, and in words what is not worked out.

Everything left out begins with "not forecast"; docs/forecasts.md lists it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from diskwars_client.rulesets.diskwars.clash import Clash, Strike, flat_amount
from diskwars_client.rulesets.diskwars.melee_outlook import Outlook, OutlookStep
from diskwars_client.rulesets.diskwars.wounds import Fate
from diskwars_protocol.rulesets.diskwars import keywords, position
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.effect_text import amount_text, effect_text
from diskwars_text.phrases import joined
from diskwars_text.rulesets.diskwars.phrases import disk_names

VERBS: dict[Fate, Literal["wounds", "destroys"]] = {"wounded": "wounds", "destroyed": "destroys"}
OPEN_ORDER = "  not forecast: another order of these abilities, which the active player chooses"
LAID_BARE = "  not forecast: abilities of the pins that the melee lays bare"


def blow_text(name: str, *, taken: int, tokens: int, toughness: int, fate: Fate) -> str:
    """Return what a blow does to a disk: `5 damage destroys Orc Boyz`."""
    if verb := VERBS.get(fate):
        return f"{taken} damage {verb} {name}"
    return f"{taken} damage, {name} then has {tokens} of {toughness}"


# ---------------------------------------------------------------- before the melee


def clash_lines(board: Board, disk: int, clash: Clash) -> list[str]:
    """Return the lines about what follows from a landing or an ability before any melee."""
    names = disk_names(board)
    lines = [f"  {names[disk]} loses its empowerment to {names[clash.stripper]}"] if clash.stripper is not None else []
    lines += [_strike_line(names, strike) for strike in clash.strikes]
    lines += fall_lines(names, clash)
    lines += [f"  {names[user]} engages: {effect_text(ability.effect)}" for user, ability in clash.open]
    return [*lines, OPEN_ORDER] if clash.is_order_open else lines


def _strike_line(names: Sequence[str], strike: Strike) -> str:
    by = {
        "ability": f"{names[strike.disk]} deals",
        "guard": f"{names[strike.disk]} has Guard {strike.dealt}",
        "impact": f"Impact {strike.dealt}",
    }[strike.cause]
    text = blow_text(
        names[strike.target], taken=strike.taken, tokens=strike.tokens, toughness=strike.toughness, fate=strike.fate
    )
    return f"  {by}: {text}"


def fall_lines(names: Sequence[str], source: Clash | OutlookStep) -> list[str]:
    """Return a line for each disk that is wounded because its toughness falls (R-45)."""
    return [
        f"  {names[fall.disk]} loses toughness and is {fall.fate}: damage {fall.damage}, toughness {fall.toughness}"
        for fall in source.falls
    ]


def rolled_keyword_lines(board: Board, disk: int, pinned: Iterable[int]) -> Iterator[str]:
    """Yield a line for each Impact and Guard of a landing whose amount is rolled."""
    names, profile = disk_names(board), board.profile(disk)
    enemies = [other for other in pinned if position.are_enemies(board, disk, other)]
    struck = list(pinned) if board.settings.impact_own else enemies
    impact = keywords.impact_amount(profile)
    if struck and impact is not None and flat_amount(impact) is None:
        yield f"  not forecast: Impact {amount_text(impact)} on {joined(names[one] for one in struck)}, which is rolled"
    for enemy in enemies:
        guard = keywords.guard_amount(board.profile(enemy))
        if guard is not None and flat_amount(guard) is None:
            yield f"  not forecast: Guard {amount_text(guard)} of {names[enemy]}, which is rolled"


# ---------------------------------------------------------------- the melee


def outlook_lines(board: Board, outlook: Outlook) -> list[str]:
    """Return a line for each disk that is struck in each speed step, and for each that falls with it."""
    names = disk_names(board)
    lines = [line for step in outlook.steps for line in (*_step_lines(names, step), *fall_lines(names, step))]
    return [*lines, LAID_BARE] if outlook.is_triggering else lines


def _step_lines(names: Sequence[str], step: OutlookStep) -> Iterator[str]:
    for target, fate in step.fates.items():
        strikers = [names[blow.disk] for blow in step.blows if blow.target == target]
        taken, now = step.taken[target], step.board.disks[target]
        text = blow_text(
            names[target],
            taken=taken,
            tokens=now.damage + taken,
            toughness=step.toughness[target],
            fate=fate,
        )
        verb = "strikes" if len(strikers) == 1 else "strike"
        yield f"  in the melee ({step.speed}) {joined(strikers)} {verb} {names[target]}: {text}"
