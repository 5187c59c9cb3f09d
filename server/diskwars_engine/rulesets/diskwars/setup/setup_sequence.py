"""The sequence of the setup before round 1 (R3, R18)."""

from typing import assert_never

from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import deployment_cards, scenarios, scouting, setup, terrain_cards
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import DeploymentTask, FirstPlayerTask, RoundTask, SetupStepTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import (
    Action,
    ChooseFirstPlayer,
    FirstPlayerQuestion,
    InitiativeOrderQuestion,
    SetOrder,
)
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions

FirstQuestion = FirstPlayerQuestion | InitiativeOrderQuestion

# ---------------------------------------------------------------- the first player


def first_player_questions(board: Board, task: FirstPlayerTask) -> OpenQuestions:
    """Ask the winner of the initiative roll for the first player or, with several opponents, for the order (R19.4)."""
    question = FirstPlayerQuestion() if len(board.sides) == 2 else InitiativeOrderQuestion()
    return ((task.seat, question),)


def first_player_options(
    board: Board, seat: Seat, task: FirstPlayerTask, question: FirstQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer every seat, or every order of the seats."""
    if isinstance(question, FirstPlayerQuestion):
        return DiskwarsOptions(tuple(ChooseFirstPlayer(side.seat) for side in board.sides))
    return DiskwarsOptions(tuple(SetOrder(order) for order in setup.possible_orders(board)))


def answer_first_player(
    resolution: Resolution, seat: Seat, task: FirstPlayerTask, question: FirstQuestion, action: Action
) -> None:
    """Set the initiative order, and queue the rest of the setup."""
    match question, action:
        case FirstPlayerQuestion(), ChooseFirstPlayer():
            setup.choose_first(resolution, action)
        case InitiativeOrderQuestion(), SetOrder():
            setup.set_order(resolution, action)
        case _:
            raise wrong_action(question, action)
    queue_setup(resolution)


def first_player_without_seat(board: Board, task: FirstPlayerTask, seat: Seat) -> list[Task]:
    """Pass the choice to the first remaining seat if the winner of the roll leaves (R-59)."""
    if task.seat != seat:
        return [task]
    return [FirstPlayerTask(next(side.seat for side in board.sides if not side.eliminated))]


# ---------------------------------------------------------------- the steps


def queue_setup(resolution: Resolution) -> None:
    """Queue the steps of R3.3 to R3.7 and the first round, now that the initiative order is known."""
    steps: list[Task] = [DeploymentTask(tuple(reversed(resolution.board.order))), SetupStepTask("scouts"), RoundTask(1)]
    if resolution.board.settings.setup == "full":
        steps[:0] = [
            SetupStepTask("scenario"),
            SetupStepTask("objectives"),
            SetupStepTask("deployment_cards"),
            SetupStepTask("terrain_cards"),
        ]
    resolution.push(*steps)


def run_setup_step(resolution: Resolution, task: SetupStepTask) -> None:
    """Deal the cards of a setup step, and queue its turns."""
    match task.step:
        case "scenario":
            scenarios.draw(resolution)
        case "objectives":
            scenarios.deal(resolution)
        case "deployment_cards":
            deployment_cards.deal(resolution)
        case "terrain_cards":
            terrain_cards.deal(resolution)
        case "scouts":
            scouting.queue_scouting(resolution)
        case _:
            assert_never(task.step)
