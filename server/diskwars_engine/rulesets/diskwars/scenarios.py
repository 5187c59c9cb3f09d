"""Scenario cards in the setup: drawn, chosen and dealt, all in secret except the active one (R3.3)."""

from diskwars_engine.ruleset import Illegal
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars.actions import ChooseScenario
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import ObjectiveDealt, ScenarioChosen, ScenariosDrawn, ScenarioTask
from diskwars_protocol.rulesets.diskwars.setup_cards import Scenario

CARDS_DRAWN = 2


def cards_needed(seats: int) -> int:
    """Return how many scenario cards a match needs: an active one, an objective for each player, and two to choose
    from.
    """
    return max(CARDS_DRAWN, seats + 1)


def scenario_card(board: Board, id: str) -> Scenario:
    """A scenario card of this match by its id."""
    return board.layout.scenario_card(id)


def active_scenario(board: Board) -> Scenario | None:
    """Return the scenario whose ability works for everybody; None in a quick setup and before it is chosen."""
    return scenario_card(board, board.layout.active_scenario) if board.layout.active_scenario else None


def draw(play: Play) -> None:
    """R3.3.1: the last player draws two cards that nobody else sees. R-74: a special scenario is not drawn."""
    seat = next(seat for seat in reversed(play.board.order) if not play.board.sides[seat].eliminated)
    deck = [card.id for card in play.board.layout.scenarios]
    if play.board.settings.special != "none":
        play.emit(ScenarioChosen(seat, deck[0], (Reason("R-74"),)))
        return
    cards = tuple(_draw_hidden(play, deck, f"scenario {seat} {n}") for n in range(CARDS_DRAWN))
    play.emit(ScenariosDrawn(seat, cards, (Reason("R3.3.1"),)))
    play.push(ScenarioTask(seat))


def choose(play: Play, seat: Seat, action: ChooseScenario) -> None:
    """R3.3.1: one of the two is active; the other goes back unseen."""
    if action.scenario not in (play.board.sides[seat].drawn_scenarios or ()):
        raise Illegal("not_legal", "the scenario is one of the two drawn", "R3.3.1", "$.action.scenario")
    play.emit(ScenarioChosen(seat, action.scenario, (Reason("R3.3.1"),)))


def deal(play: Play) -> None:
    """R3.3.2, R19.6: of all cards but the active one each player gets one face down; nobody is asked."""
    board = play.board
    deck = [card.id for card in board.layout.scenarios if card.id != board.layout.active_scenario]
    for seat in board.order:
        if board.settings.special != "none" and not board.sides[seat].eliminated:
            play.emit(ObjectiveDealt(seat, board.layout.active_scenario, (Reason("R-74"),)))
        elif not board.sides[seat].eliminated:
            play.emit(ObjectiveDealt(seat, _draw_hidden(play, deck, f"objective {seat}"), (Reason("R3.3.2"),)))


def _draw_hidden(play: Play, deck: list[str], tag: str) -> str:
    """R19.1: draw a card that only the server knows."""
    return deck.pop(play.dice.hidden(len(deck), tag))
