"""The setup before round 1: its steps in order, and the questions on the way (R3, R18).

Each step is a task, so that the setup can be resumed at any of them.
"""

from typing import TypeAlias, assert_never

from diskwars_engine.rulesets.diskwars import deployment, deployment_cards, scenarios, scouting, setup, terrain_cards
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions

SetupQuestions: TypeAlias = tuple[tuple[Seat, a.BoardQuestion], ...]

# ---------------------------------------------------------------- questions


def open_questions(board: Board, task: e.SetupTask) -> SetupQuestions:
    """Return which seats have to decide before the task can continue; empty if none."""
    match task:
        case e.FirstPlayerTask():  # R19.4
            return ((task.seat, a.FirstPlayerQuestion() if len(board.sides) == 2 else a.InitiativeOrderQuestion()),)
        case e.SetupStepTask():
            return ()
        case e.ScenarioTask():  # R19.5
            return ((task.seat, a.ScenarioQuestion()),)
        case e.DeploymentCardsTask():  # R19.7
            laid = deployment_cards.question(board, task.seats[0]) if task.seats else None
            return ((task.seats[0], laid),) if laid else ()
        case e.TerrainCardsTask():  # R19.8
            placed = terrain_cards.question(board) if task.seats else None
            return ((task.seats[0], placed),) if placed else ()
        case e.DeploymentTask():  # R19.9
            return _deployment_questions(board, task)
        case e.ScoutTask():  # R19.10
            scouts = scouting.question(board, task)
            return ((task.seat, scouts),) if scouts else ()
        case _:
            assert_never(task)


def _deployment_questions(board: Board, task: e.DeploymentTask) -> SetupQuestions:
    ask = deployment.question(board, task.seats[0]) if task.seats else None
    return ((task.seats[0], ask),) if ask and ask.disk_count else ()


# ---------------------------------------------------------------- tasks


def queue_setup(play: Play) -> None:
    """R3.3 to R3.7: queue the setup once the initiative order is known."""
    steps: list[e.Task] = [
        e.DeploymentTask(tuple(reversed(play.board.order))),
        e.SetupStepTask("scouts"),
        e.RoundTask(1),
    ]
    if play.board.settings.setup == "full":
        steps[:0] = [
            e.SetupStepTask("scenario"),
            e.SetupStepTask("objectives"),
            e.SetupStepTask("deployment_cards"),
            e.SetupStepTask("terrain_cards"),
        ]
    play.push(*steps)


def run_task(play: Play, task: e.SetupTask) -> None:
    """Run a task without questions."""
    match task:
        case e.SetupStepTask():
            _run_setup_step(play, task)
        case e.DeploymentCardsTask():
            if task.seats:
                deployment_cards.discard_unplaceable(play, task.seats[0])
                play.push(*_remaining_turns(task))
        case e.TerrainCardsTask():
            if task.seats:
                terrain_cards.discard_unplaceable(play, task.seats[0])
                play.push(*_remaining_turns(task))
        case e.DeploymentTask():
            play.push(*_remaining_turns(task))
        case e.FirstPlayerTask() | e.ScenarioTask() | e.ScoutTask():
            pass  # asked for while there is something to ask
        case _:
            assert_never(task)


def _run_setup_step(play: Play, task: e.SetupStepTask) -> None:
    match task.step:
        case "scenario":
            scenarios.draw(play)
        case "objectives":
            scenarios.deal(play)
        case "deployment_cards":
            deployment_cards.deal(play)
        case "terrain_cards":
            terrain_cards.deal(play)
        case "scouts":
            scouting.queue_scouting(play)
        case _:
            assert_never(task.step)


TurnsTask: TypeAlias = e.DeploymentCardsTask | e.TerrainCardsTask | e.DeploymentTask


def _remaining_turns(task: TurnsTask) -> list[e.Task]:
    """Return the task without its first seat; empty if that was the last."""
    return [type(task)(task.seats[1:])] if len(task.seats) > 1 else []


def without_seat(board: Board, task: e.SetupTask, seat: Seat) -> list[e.Task]:
    """Return what is left of a task when a seat has left the game."""
    match task:
        case e.DeploymentCardsTask() | e.TerrainCardsTask() | e.DeploymentTask():
            return [type(task)(tuple(one for one in task.seats if one != seat))]
        case e.FirstPlayerTask() if task.seat == seat:
            return [e.FirstPlayerTask(next(side.seat for side in board.sides if not side.eliminated))]
        case e.ScenarioTask() if task.seat == seat:
            return [e.SetupStepTask("scenario")]  # R-59 the next last player draws two other cards
        case e.ScoutTask() if task.seat == seat:
            return []
        case _:
            return [task]


# ---------------------------------------------------------------- answers


def answer(play: Play, seat: Seat, ask: a.SetupQuestion, action: a.Action) -> bool:
    """Apply a seat's answer. Return False if the action does not answer the question."""
    task = play.tasks.pop(0)
    match task, ask, action:
        case e.FirstPlayerTask(), a.FirstPlayerQuestion(), a.ChooseFirstPlayer():
            setup.choose_first(play, action)
            queue_setup(play)
        case e.FirstPlayerTask(), a.InitiativeOrderQuestion(), a.SetOrder():
            setup.set_order(play, action)
            queue_setup(play)
        case e.ScenarioTask(), a.ScenarioQuestion(), a.ChooseScenario():
            scenarios.choose(play, seat, action)
        case e.DeploymentCardsTask(), a.DeploymentCardQuestion(), a.LayDeploymentCard():
            deployment_cards.lay(play, seat, ask, action)
            play.push(*_remaining_turns(task))
        case e.TerrainCardsTask(), a.TerrainQuestion(), a.PlaceTerrain():
            terrain_cards.place(play, seat, ask, action)
            play.push(*_remaining_turns(task))
        case e.DeploymentTask(), a.DeploymentQuestion(), a.Deploy():
            deployment.deploy(play, seat, ask, action)
            play.push(*_remaining_turns(task))
        case e.ScoutTask(), a.ScoutQuestion(), a.MoveDisk():
            at = len(play.tasks)
            rest = scouting.move(play, task, action)
            play.tasks.insert(len(play.tasks) - at, rest)
        case e.ScoutTask(), a.ScoutQuestion(), a.EndScouting():
            pass
        case _:
            return False
    return True


def options(board: Board, seat: Seat, ask: a.SetupQuestion) -> DiskwarsOptions:
    """Return the legal answers to a question of the setup."""
    match ask:
        case a.FirstPlayerQuestion():
            return DiskwarsOptions(tuple(a.ChooseFirstPlayer(side.seat) for side in board.sides))
        case a.InitiativeOrderQuestion():
            return DiskwarsOptions(tuple(a.SetOrder(order) for order in setup.possible_orders(board)))
        case a.ScenarioQuestion():
            return DiskwarsOptions(tuple(a.ChooseScenario(name) for name in board.sides[seat].drawn_scenarios or ()))
        case a.DeploymentCardQuestion():
            return deployment_cards.options(board, seat, ask)
        case a.TerrainQuestion():
            return terrain_cards.options(board, ask)
        case a.DeploymentQuestion():
            areas = tuple(Area(z.x0, z.y0, z.x1, z.y1) for z in board.zones if z.seat == seat)
            return DiskwarsOptions(parametric=(DiskwarsOption(deployment.example(board, seat), areas=areas),))
        case a.ScoutQuestion():
            return scouting.options(board, ask)
        case _:
            assert_never(ask)


def default(board: Board, seat: Seat, ask: a.SetupQuestion) -> a.Action:
    """Return a legal answer: the first one; a scout stays where it is."""
    match ask:
        case a.TerrainQuestion():
            return terrain_cards.default(board, ask)
        case a.DeploymentQuestion():
            return deployment.example(board, seat)
        case _:
            return options(board, seat, ask).actions[0]
