"""Names and phrases of the pit: fighters, cells, attacks, answers, results."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import EndReason, seat_letter
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.pit import actions, checks, odds, position
from diskwars_protocol.rulesets.pit.actions import Attack, Question
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_text.phrases import cell_text, joined, number_namesakes, percent_text, result_text, tag_text
from diskwars_text.task_text import cells_text, task_sentence

END_REASON_TEXTS: dict[EndReason, str] = {
    "last_side": "the last side on the field",
    "round_limit": "the last round is over, and fighters, then wounds, are counted",
    "task_done": "the task of the scenario is done",
    "task_failed": "the task of the scenario has failed",
}


def fighter_names(board: PitBoard) -> tuple[str, ...]:
    """Return the name of each fighter, such as `A Captain`; namesakes of one seat are numbered."""
    return number_namesakes(
        [f"{seat_letter(fighter.seat)} {board.profile(fighter).name}" for fighter in board.fighters]
    )


def fighter_name(board: PitBoard, number: int) -> str:
    return fighter_names(board)[number]


def task_text(board: PitBoard) -> str:
    """Return what the task of the scenario asks of whom; nothing without a task (A-25)."""
    task = board.task
    if task is None:
        return ""
    side, other = (f"seat {seat_letter(seat)}" for seat in (task.side, task.opponent))
    own = [fighter.id for fighter in board.fighters if fighter.seat == task.side]
    named = "" if task.piece is None else fighter_name(board, own[task.piece])
    return task_sentence(task, side, other, "fighter", named, cells_text)


def names_text(board: PitBoard, numbers: Iterable[int]) -> str:
    names = fighter_names(board)
    return joined(names[number] for number in numbers)


def order_text(board: PitBoard, order: Iterable[int]) -> str:
    """Return the order of a combat. The player of fighters in a row may take these in another one (A-13)."""
    runs = [list(run) for _, run in groupby(order, key=lambda number: board.fighters[number].seat)]
    choice = {1: "", 2: " (in either order)"}
    return ", then ".join(f"{names_text(board, run)}{choice.get(len(run), ' (in any order)')}" for run in runs)


def weapon_text(board: PitBoard, fighter: Fighter, weapon: str | None) -> str:
    """Return what a fighter attacks with; a fighter without weapons has natural ones, or bare hands (A-3)."""
    if weapon:
        return board.weapon(weapon).name.lower()
    return "natural weapons" if board.profile(fighter).natural_weapons else "bare hands"


def attacks_text(board: PitBoard, fighter: Fighter, attacks: Iterable[Attack]) -> str:
    """Return the attacks of a fighter with their targets: `B Rider with sword and hammer ×2`."""
    by_target: dict[int, Counter[str]] = {}
    for attack in attacks:
        by_target.setdefault(attack.target, Counter())[weapon_text(board, fighter, attack.weapon)] += 1
    names = fighter_names(board)
    return "; ".join(f"{names[target]} with {_counted(weapons)}" for target, weapons in by_target.items())


def _attacker(board: PitBoard) -> Fighter:
    """Return the fighter that attacks now."""
    assert board.combat is not None
    assert board.combat.fighter is not None
    return board.fighters[board.combat.fighter]


def _counted(weapons: Counter[str]) -> str:
    return joined(weapon if count == 1 else f"{weapon} ×{count}" for weapon, count in weapons.items())


def needs_text(board: PitBoard, fighter: Fighter, attack: Attack) -> str:
    """Return what the dice of one attack have to show: `14+, save 18+`, advantage and no save included."""
    target = board.fighters[attack.target]
    if target.status == "stunned":
        return "no roll"
    weapon = board.weapon(attack.weapon) if attack.weapon else odds.UNARMED
    mode = {1: ", higher of two", -1: ", lower of two", 0: ""}[checks.melee_mode(board, fighter, target)]
    needed, bonus = checks.defence_needed(board, target)
    save = "no save"
    if needed is not None:
        save = f"save {_natural(needed - bonus + fighter.pierce + weapon.pierce)}+"
    return f"{_natural(fighter.melee - weapon.melee)}+{mode}, {save}"


def odds_text(board: PitBoard, fighter: Fighter, attacks: Sequence[Attack]) -> str:
    """Return what attacks on one target need, and how likely they take it out."""
    target = board.fighters[attacks[0].target]
    chance = percent_text(odds.removal_chance(board, fighter, target, attacks))
    return f"{needs_text(board, fighter, attacks[0])}, {chance} to take it out"


def _natural(needed: int) -> int:
    """Return the lowest face that passes: a 1 never does, a 20 always (A-1)."""
    return min(max(needed, 2), checks.SIDES)


def fighter_text(board: PitBoard, fighter: Fighter) -> str:
    """Return a fighter with its figures and its state."""
    profile = board.profile(fighter)
    needed, bonus = checks.defence_needed(board, fighter)
    defence = "none" if needed is None else f"{needed}+" + (f" with +{bonus}" if bonus else "")
    arms = joined(board.weapon(id).name.lower() for id in profile.weapons) or weapon_text(board, fighter, None)
    figures = (
        f"{profile.rank}, Mov {position.movement(board, fighter)}, Mel {fighter.melee}+, Def {defence}, "
        f"Agi {fighter.agility}, Mrl {fighter.morale}+, Atk {position.attack_count(board, fighter)}, "
        f"wounds {fighter.wounds}, Inj {fighter.injury}, Prc {fighter.pierce}; {arms}"
    )
    where = cell_text(fighter.x, fighter.y) if fighter.is_fielded else "off the field"
    return f"{fighter_name(board, fighter.id)} {where}, {fighter.status}: {figures}"


def outcome_text(match: Match[Any, Any], result: Result) -> str:
    """Return who won, and how many fighters each side has left."""
    counts = ", ".join(f"{seat_letter(seat)} {count}" for seat, count in enumerate(result.scores))
    return result_text(result, END_REASON_TEXTS, f"fighters left: {counts}" if counts else "")


def question_text(board: PitBoard, question: Question) -> str:
    """Return a question as a sentence."""
    match question:
        case actions.EngageQuestion():
            return "which fighter engages, and where? (`end` for none)"
        case actions.MoveQuestion():
            return "which fighter moves, and where? (`end` for none)"
        case actions.CombatQuestion():
            return "which combat is fought next?"
        case actions.FighterQuestion():
            return "which of these fighters attacks now?"
        case actions.DeclareQuestion(fighter=fighter):
            return f"whom does {fighter_name(board, fighter)} attack, and with what?"
        case actions.TargetQuestion(fighter=fighter):
            return f"which target of {fighter_name(board, fighter)} is rolled for next?"
        case actions.ConcedeQuestion():
            return "the rout check is passed: concede, or fight on?"
        case _:
            return tag_text(question)


def action_text(board: PitBoard, action: Any) -> str:
    """Return an answer as it is listed among the options."""
    match action:
        case actions.Engage(fighter=fighter, x=x, y=y) | actions.Move(fighter=fighter, x=x, y=y):
            verb = "engage" if isinstance(action, actions.Engage) else "move"
            return f"{verb} {fighter_name(board, fighter)} to {x} {y}"
        case actions.EndPhase():
            return "end"
        case actions.ChooseCombat(combat=number):
            return f"fight {names_text(board, board.combats[number])}"
        case actions.ChooseFighter(fighter=fighter):
            return fighter_name(board, fighter)
        case actions.DeclareAttacks(attacks=attacks):
            return f"attack {attacks_text(board, _attacker(board), attacks)}"
        case actions.ChooseTarget(target=target):
            return fighter_name(board, target)
        case actions.Concede(concede=concede):
            return "concede" if concede else "fight on"
        case _:
            return tag_text(action)
