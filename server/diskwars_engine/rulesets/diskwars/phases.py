"""Rounds and their three phases: the questions of each phase, and what it does (R4, R7.1, R15.2)."""

from collections.abc import Iterable

from diskwars_engine.ruleset import Dice
from diskwars_engine.rulesets.diskwars import damage, melee, scoring
from diskwars_engine.rulesets.diskwars.activation import command_cards
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import ActivationPhaseTask, EndPhaseTask, MeleePhaseTask, RoundTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    ChooseEngagement,
    CommandCardQuestion,
    EngagementQuestion,
    LockCard,
)
from diskwars_protocol.rulesets.diskwars.board import RESERVE, Board
from diskwars_protocol.rulesets.diskwars.events import (
    CardsReturned,
    PhaseBegan,
    ReservesLost,
    RoundBegan,
    TokensCleared,
)
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable


def run_round(resolution: Resolution, task: RoundTask) -> None:
    """Begin the next round (R4.1), or score after the last one (R4.5)."""
    if task.round > resolution.board.rounds:
        scoring.score(resolution)
        return
    resolution.emit(RoundBegan(task.round))
    resolution.emit(PhaseBegan("activation"))
    resolution.push(ActivationPhaseTask(), MeleePhaseTask(), EndPhaseTask(), RoundTask(task.round + 1))
    damage.eliminate(resolution)  # R4.9: from the start of round 1


# ---------------------------------------------------------------- activation phase


def card_questions(board: Board, task: ActivationPhaseTask) -> OpenQuestions:
    """Ask every seat that has a card to lock one, all at the same time (R7.4)."""
    if command_cards.is_phase_over(board):
        return ()
    able = [side.seat for side in board.sides if command_cards.can_lock(board, side.seat)]
    return tuple((seat, CommandCardQuestion()) for seat in able)


def card_options(
    board: Board, seat: Seat, task: ActivationPhaseTask, question: CommandCardQuestion, work: WorkBudget
) -> DiskwarsOptions:
    return command_cards.options(board, seat)


def cards_unavailable(
    board: Board, seat: Seat, task: ActivationPhaseTask, question: CommandCardQuestion, work: WorkBudget
) -> Iterable[DiskwarsUnavailable]:
    return command_cards.unavailable(board, seat)


def default_card(
    board: Board, seat: Seat, task: ActivationPhaseTask, question: CommandCardQuestion, dice: Dice
) -> Action:
    return command_cards.default_card(board, seat, dice)


def answer_card(
    resolution: Resolution, seat: Seat, task: ActivationPhaseTask, question: CommandCardQuestion, action: Action
) -> None:
    if not isinstance(action, LockCard):
        raise wrong_action(question, action)
    resolution.push(task)
    command_cards.lock(resolution, seat, action)


def run_activation_phase(resolution: Resolution, task: ActivationPhaseTask) -> None:
    """Drop the phase, which is over (R7.1), or reveal the cards if all remaining seats have locked one (R-60)."""
    # Normally the last lock reveals the cards. If the last player without one leaves instead, nothing is left to ask
    # and the task runs with cards still locked.
    if any(side.has_locked for side in resolution.board.sides):
        resolution.push(task)
        command_cards.reveal(resolution)


# ---------------------------------------------------------------- melee phase


def engagement_questions(board: Board, task: MeleePhaseTask) -> OpenQuestions:
    """Ask the first player for the next engagement if there are several (R15.2.4, R19.21)."""
    if board.phase != "melee":
        return ()
    legal = melee.legal_engagements(board)
    return ((position.seats_in_order(board)[0], EngagementQuestion(legal)),) if len(legal) > 1 else ()


def engagement_options(
    board: Board, seat: Seat, task: MeleePhaseTask, question: EngagementQuestion, work: WorkBudget
) -> DiskwarsOptions:
    return melee.engagement_options(question)


def engagements_unavailable(
    board: Board, seat: Seat, task: MeleePhaseTask, question: EngagementQuestion, work: WorkBudget
) -> Iterable[DiskwarsUnavailable]:
    return melee.later_engagements(board, question)


def answer_engagement(
    resolution: Resolution, seat: Seat, task: MeleePhaseTask, question: EngagementQuestion, action: Action
) -> None:
    if not isinstance(action, ChooseEngagement):
        raise wrong_action(question, action)
    melee.check_engagement(question, action)
    resolution.push(task)
    melee.start_engagement(resolution, action.engagement)


def run_melee_phase(resolution: Resolution, task: MeleePhaseTask) -> None:
    """Divide the pins into engagements when the phase begins, then start the only legal one, if any is left (R15.2)."""
    if resolution.board.phase != "melee":
        resolution.emit(PhaseBegan("melee"))
        melee.freeze_engagements(resolution)
        resolution.push(task)
        return
    legal = melee.legal_engagements(resolution.board)
    if not legal:
        return
    resolution.push(task)
    if len(legal) == 1:
        melee.start_engagement(resolution, legal[0])


# ---------------------------------------------------------------- end phase


def run_end_phase(resolution: Resolution, task: EndPhaseTask) -> None:
    """Clear tokens and damage, and return discarded cards (R4.2 to R4.4). Wounds stay (R13.6)."""
    resolution.emit(PhaseBegan("end"))
    fielded = position.fielded_disks(resolution.board)
    marked = [d for d in fielded if d.activated or d.empowered or d.weakened or (d.damage and not d.poisoned)]
    if marked:
        # all tokens go in one event, so no wound is tested halfway. R-67: once empowerment is gone, the damage
        # that poison keeps may be enough for a wound; the loop in `rounds` tests that afterwards.
        poisoned = tuple(disk.id for disk in marked if disk.poisoned)  # R16.4: their damage stays
        disks = tuple(disk.id for disk in marked)
        resolution.emit_cause(TokensCleared(disks, (Reason("R4.2", {"disks": len(marked)}),), poisoned), "end_phase")
    resolution.emit(CardsReturned((Reason("R4.3"),)))
    if resolution.board.round == 1:
        lost = [
            d.id for d in resolution.board.disks if d.place == RESERVE and resolution.board.profile(d.id).kind == "hero"
        ]
        if lost:
            resolution.emit(ReservesLost(tuple(lost), (Reason("R-27", {"disks": len(lost)}),)))
