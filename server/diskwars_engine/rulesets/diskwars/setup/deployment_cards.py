"""Deployment cards: dealt, taken and laid along the edges of the field (R3.4)."""

from collections.abc import Iterator

from diskwars_engine.ruleset import Illegal, listed_numbers
from diskwars_engine.rulesets.diskwars import zones
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.setup import setup_turns
from diskwars_engine.rulesets.diskwars.task_rules import OpenQuestions, wrong_action
from diskwars_engine.rulesets.diskwars.tasks import DeploymentCardsTask
from diskwars_engine.work_budget import WorkBudget
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.diskwars.actions import Action, DeploymentCardQuestion, EdgeSpan, LayDeploymentCard
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.options import Area, DiskwarsOption, DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.setup_cards import LaidCard
from diskwars_protocol.rulesets.diskwars.setup_events import (
    DeploymentCardLaid,
    DeploymentCardsDealt,
    SetupCardDiscarded,
)

FACES = (0, 1)
FACE_NUMBERS = {"first": 0, "second": 1}
"""The numbers in the refusal of any other face."""


def deal(resolution: Resolution) -> None:
    """Deal as many cards face up as there are regiments, and queue the turns, the last player first (R3.4, R18.3)."""
    board = resolution.board
    seats = len(board.order)
    heroes = sum(board.profile(disk.id).kind == "hero" for disk in board.disks if not board.sides[disk.seat].eliminated)
    deck = [card.id for card in board.layout.deployments]
    count = min(heroes, len(deck) - len(deck) % seats)  # everybody takes the same number
    dice = resolution.dice.shuffle(len(deck), "deployment cards")
    cards = tuple(deck[face] for face in dice.results[:count])
    resolution.emit(DeploymentCardsDealt(cards, dice, (Reason("R3.4", {"regiments": heroes, "cards": count}),)))
    resolution.push(DeploymentCardsTask(setup_turns.turn_order(board, count)))


def questions(board: Board, task: DeploymentCardsTask) -> OpenQuestions:
    """Ask the next seat to take one of the cards that fit along its edge, if any does (R19.7)."""
    if not task.seats:
        return ()
    seat = task.seats[0]
    free_spans = zones.free_spans(board, seat)
    longest = max((end - start for start, end in free_spans), default=0)
    fitting = tuple(n for n in board.layout.offered_cards if zones.deployment_card(board, n).width <= longest)
    spans = tuple(EdgeSpan(start, end) for start, end in free_spans)
    return ((seat, DeploymentCardQuestion(fitting, spans)),) if fitting else ()


def unavailable(
    board: Board, seat: Seat, task: DeploymentCardsTask, question: DeploymentCardQuestion, work: WorkBudget
) -> Iterator[DiskwarsUnavailable]:
    """Explain which of the dealt cards do not fit along the seat's edge (R-56)."""
    for card in board.layout.offered_cards:
        if card not in question.cards:
            yield DiskwarsUnavailable(
                "not_legal", f'"{board.card_name(card)}" has no room along your edge', "R-56", card=card
            )


def lay(resolution: Resolution, seat: Seat, question: DeploymentCardQuestion, action: LayDeploymentCard) -> None:
    """Lay the card that a seat takes, either side up, on a free part of its edge (R3.4). Raises `Illegal`."""
    board = resolution.board
    if action.card not in question.cards:
        raise Illegal(
            "not_legal", f'"{board.card_name(action.card)}" is not among the cards to take', "R3.4", "$.action.card"
        )
    if action.face not in FACES:
        raise Illegal("not_legal", "a card has the faces 0 and 1", "R3.4", "$.action.face", FACE_NUMBERS)
    end = action.offset + zones.deployment_card(board, action.card).width
    if not any(span.start <= action.offset and end <= span.end for span in question.free_spans):
        room = ", ".join(f"{span.start} to {span.end}" for span in question.free_spans)
        text = f"{action.offset} to {end} is not free along the edge; free is {room}"
        raise Illegal(
            "not_legal",
            text,
            _placement_rule(board),
            "$.action.offset",
            {
                "start": action.offset,
                "end": end,
                **listed_numbers("free_start", (span.start for span in question.free_spans)),
                **listed_numbers("free_end", (span.end for span in question.free_spans)),
            },
        )
    laid = (*board.layout.laid_cards, LaidCard(seat, action.card, action.face, action.offset))
    reasons = (Reason("R3.4"), Reason("R3.4.1"))
    merged = zones.merge_zones(board, laid)
    resolution.emit(DeploymentCardLaid(seat, action.card, action.face, action.offset, merged, reasons))


def answer(
    resolution: Resolution, seat: Seat, task: DeploymentCardsTask, question: DeploymentCardQuestion, action: Action
) -> None:
    """Lay the card that a seat takes, and pass the turn to the next seat."""
    if not isinstance(action, LayDeploymentCard):
        raise wrong_action(question, action)
    lay(resolution, seat, question, action)
    resolution.push(*setup_turns.remaining(task))


def run(resolution: Resolution, task: DeploymentCardsTask) -> None:
    """Discard the first card for a seat whose edge has no room for any, and pass the turn (R-56)."""
    if not task.seats:
        return
    if resolution.board.layout.offered_cards:
        resolution.emit(SetupCardDiscarded(task.seats[0], resolution.board.layout.offered_cards[0], (Reason("R-56"),)))
    resolution.push(*setup_turns.remaining(task))


def _placement_rule(board: Board) -> str:
    return {3: "R18.2.1", 4: "R18.2.2"}.get(len(board.sides), "R3.4")


def options(
    board: Board, seat: Seat, task: DeploymentCardsTask, question: DeploymentCardQuestion, work: WorkBudget
) -> DiskwarsOptions:
    """Offer each card, either side up: at both ends and in the middle of every free span, and anywhere in a span."""
    edge, depth = board.layout.edges[seat], board.field.medium
    actions: list[Action] = []
    parametric: list[DiskwarsOption] = []
    for name in question.cards:
        work.spend(len(question.free_spans))
        width = zones.deployment_card(board, name).width
        fitting = [(gap.start, gap.end) for gap in question.free_spans if gap.end - gap.start >= width]
        areas = tuple(Area(*zones.edge_rectangle(board.field, edge, gap, depth)) for gap in fitting)
        for face in FACES:
            offsets = sorted({offset for gap in fitting for offset in _offsets(gap, width)})
            actions.extend(LayDeploymentCard(name, face, offset) for offset in offsets)
            middle = _middle(max(fitting, key=lambda gap: gap[1] - gap[0]), width)
            parametric.append(DiskwarsOption(LayDeploymentCard(name, face, middle), length=width, areas=areas))
    return DiskwarsOptions(tuple(actions), tuple(parametric))


def _offsets(gap: zones.EdgeSpan, width: int) -> Iterator[int]:
    yield gap[0]
    yield _middle(gap, width)
    yield gap[1] - width


def _middle(gap: zones.EdgeSpan, width: int) -> int:
    return (gap[0] + gap[1] - width) // 2
