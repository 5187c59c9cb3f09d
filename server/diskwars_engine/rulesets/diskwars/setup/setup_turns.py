"""Turns of the setup that several seats take one after another (R3.4 to R3.6, R18.3)."""

from typing import TypeVar

from diskwars_engine.rulesets.diskwars.tasks import DeploymentCardsTask, DeploymentTask, Task, TerrainCardsTask
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.board import Board

Turns = TypeVar("Turns", DeploymentCardsTask, TerrainCardsTask, DeploymentTask)


def turn_order(board: Board, count: int) -> tuple[Seat, ...]:
    """Return the seats of `count` turns in reverse initiative order, starting over after the first player."""
    order = [seat for seat in reversed(board.order) if not board.sides[seat].eliminated]
    return tuple(order[number % len(order)] for number in range(count))


def remaining(task: Turns) -> list[Turns]:
    """Return the task without the turn just taken; empty after the last turn."""
    return [type(task)(task.seats[1:])] if len(task.seats) > 1 else []


def without_seat(board: Board, task: Turns, seat: Seat) -> list[Task]:
    """Drop the turns of a seat that has left the game (R-59)."""
    return [type(task)(tuple(other for other in task.seats if other != seat))]
