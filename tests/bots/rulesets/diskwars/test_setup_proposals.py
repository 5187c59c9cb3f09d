"""The setup is searched: every question of it has legal answers to compare, and is played on to the first fights."""

import random
from functools import cache
from typing import Any

from diskwars_bots.loader import load_chooser
from diskwars_bots.rulesets.diskwars.greedy_bot import choose_greedy
from diskwars_bots.rulesets.diskwars.search_game import DISKWARS_GAME, ROUNDS_AFTER_SETUP
from diskwars_bots.rulesets.diskwars.setup_proposals import MAX_ANSWERS, weigh_setup
from diskwars_bots.rulesets.diskwars.simulation import diskwars_rules, possible_board
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search_bot import SearchBot
from diskwars_bots.search.simulation import simulate, winners_of
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from tests.bots.search.test_game import Seen
from tests.rows import each_row

ARMIES = ("empire-patrol", "high-elf-patrol", "chaos-patrol")


@cache
def setup_boards(players: int) -> tuple[Board, ...]:
    """Return the boards of a setup between greedy bots, nothing hidden, each with a question open."""
    rules, dice = diskwars_rules(), QuickDice(random.Random(4), players)
    loadouts = [a.Loadout(army) for army in ARMIES[:players]]
    board = rules.start(a.DiskwarsSettings(setup="full", regiments=1), loadouts, dice).board
    seen: list[Board] = []
    while board.phase == "setup" and rules.questions(board):
        seen.append(board)
        seat, question = rules.questions(board)[0]
        action = choose_greedy(*moment(board), random.Random(1))
        board = rules.decide(board, seat, question, action, dice).board
    return tuple(seen)


def moment(board: Board) -> tuple[Any, Decision[a.Question], Any]:
    """Return what the seat that is asked first sees."""
    rules = diskwars_rules()
    seat, question = rules.questions(board)[0]
    return (
        Seen(rules.view(board, seat)),
        Decision(DecisionId("1.0"), seat, question),
        rules.options(board, seat, question),
    )


@each_row("players", [2, 3])
def test_every_question_of_the_setup_has_few_answers_that_the_rules_accept(players: int) -> None:
    rules, compared = diskwars_rules(), set()
    for board in setup_boards(players):
        match, decision, options = moment(board)
        weighed = weigh_setup(match.board, decision.seat, decision.question, options, random.Random(1))
        answers = [action for _, action in weighed]
        assert answers[0] == choose_greedy(match, decision, options, random.Random(1))
        assert len({repr(action) for action in answers}) == len(answers) <= MAX_ANSWERS
        for action in answers:
            rules.decide(board, decision.seat, decision.question, action, QuickDice(random.Random(2), players))
        if len(answers) > 1:
            compared.add(type(decision.question))
    first = a.FirstPlayerQuestion if players == 2 else a.InitiativeOrderQuestion
    assert {first, a.ScenarioQuestion, a.DeploymentCardQuestion, a.TerrainQuestion, a.DeploymentQuestion} <= compared


def test_simulation_of_a_setup_ends_after_the_first_rounds() -> None:
    for board in setup_boards(2)[::4]:
        seat, question = diskwars_rules().questions(board)[0]
        possible = possible_board(diskwars_rules().view(board, seat), seat, random.Random(3))
        assert possible is not None
        options = diskwars_rules().options(possible, seat, question)
        action = weigh_setup(possible, seat, question, options, random.Random(3))[-1][1]
        end = simulate(DISKWARS_GAME, possible, seat, action, random.Random(3), lambda: False)
        assert end.round == ROUNDS_AFTER_SETUP + 1 or winners_of(DISKWARS_GAME, end) is not None


def test_setup_is_searched_without_what_is_hidden() -> None:
    """R19.26: the objective, the hand and the drawn scenarios of the other seat may be any."""
    rules = diskwars_rules()
    bot = SearchBot(DISKWARS_GAME, SearchLevel(simulations=4), lambda: 0)
    board = setup_boards(2)[-1]
    seat, question = rules.questions(board)[0]
    seen = rules.view(board, seat)
    hidden = [possible_board(seen, seat, random.Random(seed)) for seed in range(3)]
    assert len({repr(one) for one in hidden}) > 1
    options = rules.options(board, seat, question)
    chosen = []
    for one in hidden:
        assert one is not None
        decision = Decision(DecisionId("1.0"), seat, question)
        chosen.append(bot(Seen(rules.view(one, seat)), decision, options, random.Random(7)))
    assert chosen[0] == chosen[1] == chosen[2]


def test_bot_without_a_search_sets_up_as_the_greedy_bot_does() -> None:
    mild = load_chooser("mild", "diskwars")
    for board in setup_boards(2):
        match, decision, options = moment(board)
        assert mild(match, decision, options, random.Random(5)) == choose_greedy(
            match, decision, options, random.Random(5)
        )
