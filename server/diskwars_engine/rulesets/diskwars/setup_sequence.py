"""What comes before round 1, in which order, and who is asked what on the way (R3, R18)?

Puts the steps of the set-up together: each is a task on the work list, so that any of them can be taken up again.
Must not know how a single step is made.
"""

from typing import TypeAlias, assert_never

from diskwars_engine.rulesets.diskwars import deployment, deployment_cards, scenarios, scouting, setup, terrain_cards
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Area, Options, ParametricOption, Seat
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.board import Board

Asked: TypeAlias = tuple[tuple[Seat, a.BoardQuestion], ...]

# ---------------------------------------------------------------- questions


def asked(board: Board, task: e.SetupWork) -> Asked:
    """Who has to decide before the task can go on; empty when nobody has."""
    match task:
        case e.FirstPlayer():  # R19.4
            return ((task.seat, a.AskFirst() if len(board.sides) == 2 else a.AskOrder()),)
        case e.FullSetup():
            return ()
        case e.ScenarioChoice():  # R19.5
            return ((task.seat, a.AskScenario()),)
        case e.DeploymentTurns():  # R19.7
            laid = deployment_cards.question(board, task.seats[0]) if task.seats else None
            return ((task.seats[0], laid),) if laid else ()
        case e.TerrainTurns():  # R19.8
            placed = terrain_cards.question(board) if task.seats else None
            return ((task.seats[0], placed),) if placed else ()
        case e.Deployments():  # R19.9
            return _deployment(board, task)
        case e.ScoutTurn():  # R19.10
            scouts = scouting.question(board, task)
            return ((task.seat, scouts),) if scouts else ()
        case _:
            assert_never(task)


def _deployment(board: Board, task: e.Deployments) -> Asked:
    ask = deployment.question(board, task.seats[0]) if task.seats else None
    return ((task.seats[0], ask),) if ask and ask.disks else ()


# ---------------------------------------------------------------- tasks


def begin(play: Play) -> None:
    """R3.3 to R3.7, once the initiative order stands."""
    steps: list[e.Work] = [e.Deployments(tuple(reversed(play.board.order))), e.FullSetup("scouts"), e.Rounds(1)]
    if play.board.settings.setup == "full":
        steps[:0] = [
            e.FullSetup("scenario"),
            e.FullSetup("objectives"),
            e.FullSetup("deployment_cards"),
            e.FullSetup("terrain_cards"),
        ]
    play.push(*steps)


def work(play: Play, task: e.SetupWork) -> None:
    """A task that has nothing to ask."""
    match task:
        case e.FullSetup():
            _step(play, task)
        case e.DeploymentTurns():
            if task.seats:
                deployment_cards.leave(play, task.seats[0])
                play.push(*_rest(task))
        case e.TerrainTurns():
            if task.seats:
                terrain_cards.leave(play, task.seats[0])
                play.push(*_rest(task))
        case e.Deployments():
            play.push(*_rest(task))
        case e.FirstPlayer() | e.ScenarioChoice() | e.ScoutTurn():
            pass  # asked for while there is something to ask
        case _:
            assert_never(task)


def _step(play: Play, task: e.FullSetup) -> None:
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
            scouting.begin(play)
        case _:
            assert_never(task.step)


Turns: TypeAlias = e.DeploymentTurns | e.TerrainTurns | e.Deployments


def _rest(task: Turns) -> list[e.Work]:
    """The task without the seat whose turn it was; nothing when it was the last."""
    return [type(task)(task.seats[1:])] if len(task.seats) > 1 else []


def without(board: Board, task: e.SetupWork, seat: Seat) -> list[e.Work]:
    """What is left of a task when a seat has left the game."""
    match task:
        case e.DeploymentTurns() | e.TerrainTurns() | e.Deployments():
            return [type(task)(tuple(one for one in task.seats if one != seat))]
        case e.FirstPlayer() if task.seat == seat:
            return [e.FirstPlayer(next(side.seat for side in board.sides if not side.out))]
        case e.ScenarioChoice() if task.seat == seat:
            return [e.FullSetup("scenario")]  # R-59 the next last player draws two of his own
        case e.ScoutTurn() if task.seat == seat:
            return []
        case _:
            return [task]


# ---------------------------------------------------------------- answers


def answer(play: Play, seat: Seat, ask: a.SetupQuestion, action: a.Action) -> bool:
    """Does what a seat answers. False when the action is no answer to that question."""
    task = play.work.pop(0)
    match task, ask, action:
        case e.FirstPlayer(), a.AskFirst(), a.ChooseFirst():
            setup.choose_first(play, action)
            begin(play)
        case e.FirstPlayer(), a.AskOrder(), a.SetOrder():
            setup.set_order(play, action)
            begin(play)
        case e.ScenarioChoice(), a.AskScenario(), a.ChooseScenario():
            scenarios.choose(play, seat, action)
        case e.DeploymentTurns(), a.AskDeploymentCard(), a.LayDeployment():
            deployment_cards.lay(play, seat, ask, action)
            play.push(*_rest(task))
        case e.TerrainTurns(), a.AskTerrain(), a.PlaceTerrain():
            terrain_cards.place(play, seat, ask, action)
            play.push(*_rest(task))
        case e.Deployments(), a.AskDeployment(), a.Deploy():
            deployment.deploy(play, seat, ask, action)
            play.push(*_rest(task))
        case e.ScoutTurn(), a.AskScout(), a.MoveDisk():
            at = len(play.work)
            rest = scouting.move(play, task, action)
            play.work.insert(len(play.work) - at, rest)
        case e.ScoutTurn(), a.AskScout(), a.EndScouting():
            pass
        case _:
            return False
    return True


def options(board: Board, seat: Seat, ask: a.SetupQuestion) -> Options[a.Action]:
    """Legal answers to a question of the set-up."""
    match ask:
        case a.AskFirst():
            return Options(tuple(a.ChooseFirst(side.seat) for side in board.sides))
        case a.AskOrder():
            return Options(tuple(a.SetOrder(order) for order in setup.orders(board)))
        case a.AskScenario():
            return Options(tuple(a.ChooseScenario(name) for name in board.sides[seat].drawn or ()))
        case a.AskDeploymentCard():
            return deployment_cards.options(board, seat, ask)
        case a.AskTerrain():
            return terrain_cards.options(board, ask)
        case a.AskDeployment():
            areas = tuple(Area(z.x0, z.y0, z.x1, z.y1) for z in board.zones if z.seat == seat)
            return Options(parametric=(ParametricOption(deployment.example(board, seat), areas=areas),))
        case a.AskScout():
            return scouting.options(board, ask)
        case _:
            assert_never(ask)


def default(board: Board, seat: Seat, ask: a.SetupQuestion) -> a.Action:
    """A legal answer: the first there is; a scout stays where it is."""
    match ask:
        case a.AskTerrain():
            return terrain_cards.default(board, ask)
        case a.AskDeployment():
            return deployment.example(board, seat)
        case _:
            return options(board, seat, ask).actions[0]
