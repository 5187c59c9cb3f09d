"""Scenario cards: drawn, chosen and dealt in secret, except for the active one (R3.3)."""

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import ScenarioTask, SetupStepTask, Task
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars.actions import Action, ChooseScenario, ScenarioQuestion
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario
from diskwars_protocol.rulesets.diskwars.setup_events import ObjectiveDealt, ScenarioChosen, ScenariosDrawn

CARDS_DRAWN = 2


def cards_needed(seats: int) -> int:
    """Return the number of scenario cards that a match needs.

    There has to be an active one and an objective for each player, and at least two to choose from.
    """
    return max(CARDS_DRAWN, seats + 1)


def scenario_card(board: Board, id: str) -> Scenario:
    """Return a scenario card of this match by its id. Raises `KeyError`."""
    return board.layout.scenario_card(id)


def active_scenario(board: Board) -> Scenario | None:
    """Return the active scenario, whose ability applies to everybody; None in a quick setup and before it is chosen."""
    return scenario_card(board, board.layout.active_scenario) if board.layout.active_scenario else None


def draw(resolution: Resolution) -> None:
    """Let the last player draw two scenario cards that nobody else sees (R3.3.1).

    R-74: a special scenario is the active one without a draw.
    """
    seat = next(seat for seat in reversed(resolution.board.order) if not resolution.board.sides[seat].eliminated)
    deck = [card.id for card in resolution.board.layout.scenarios]
    if resolution.board.settings.special_scenario != "none":
        resolution.emit(ScenarioChosen(seat, deck[0], (Reason("R-74"),)))
        return
    cards = tuple(_draw_hidden(resolution, deck, f"scenario {seat} {n}") for n in range(CARDS_DRAWN))
    resolution.emit(ScenariosDrawn(seat, cards, (Reason("R3.3.1"),)))
    resolution.push(ScenarioTask(seat))


def questions(board: Board, task: ScenarioTask) -> OpenQuestions:
    """Ask the seat that has drawn to choose the active scenario (R19.5)."""
    return ((task.seat, ScenarioQuestion()),)


def options(
    board: Board, seat: Seat, task: ScenarioTask, question: ScenarioQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer each scenario card that the seat has drawn."""
    return DiskwarsOptions(tuple(ChooseScenario(name) for name in if_known(board.sides[seat].drawn_scenarios) or ()))


def answer(resolution: Resolution, seat: Seat, task: ScenarioTask, question: ScenarioQuestion, action: Action) -> None:
    """Make one of the two drawn scenarios active; the other goes back unseen (R3.3.1)."""
    if not isinstance(action, ChooseScenario):
        raise wrong_action(question, action)
    if action.scenario not in (if_known(resolution.board.sides[seat].drawn_scenarios) or ()):
        raise Illegal("not_legal", "the scenario is one of the two drawn", "R3.3.1", "$.action.scenario")
    resolution.emit(ScenarioChosen(seat, action.scenario, (Reason("R3.3.1"),)))


def without_seat(board: Board, task: ScenarioTask, seat: Seat) -> list[Task]:
    """Repeat the draw for another seat if the one that has drawn leaves (R-59)."""
    # The cards that were drawn stay secret: the next last player draws two others.
    return [SetupStepTask("scenario")] if task.seat == seat else [task]


def deal(resolution: Resolution) -> None:
    """Deal each player an objective face down, from all scenarios but the active one (R3.3.2, R19.6).

    R-74: a special scenario is everybody's objective.
    """
    board = resolution.board
    deck = [card.id for card in board.layout.scenarios if card.id != board.layout.active_scenario]
    for seat in board.order:
        active = board.layout.active_scenario
        if board.settings.special_scenario != "none" and active and not board.sides[seat].eliminated:
            resolution.emit(ObjectiveDealt(seat, active, (Reason("R-74"),)))
        elif not board.sides[seat].eliminated:
            resolution.emit(
                ObjectiveDealt(seat, _draw_hidden(resolution, deck, f"objective {seat}"), (Reason("R3.3.2"),))
            )


def _draw_hidden(resolution: Resolution, deck: list[str], tag: str) -> str:
    """Remove a card from the deck by a hidden draw, which only the server knows (R19.1)."""
    return deck.pop(resolution.dice.hidden(len(deck), tag))
