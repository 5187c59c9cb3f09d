"""Every game is searched by the same code: budgets, repeats, legal answers, and what a seat may know."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec import Struct

from diskwars_bots.loader import BotError, load_chooser
from diskwars_bots.rulesets.registry import BOTS, find_bots
from diskwars_bots.search.level import SearchLevel
from diskwars_bots.search.search_bot import SearchBot
from diskwars_content.rulesets.registry import RULESETS
from diskwars_engine.quick_dice import QuickDice
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId
from diskwars_protocol.rulesets.regiments.actions import RegimentsSettings
from tests.rows import each_row

SMALL_GAMES = ("pit", "close_quarters", "regiments")
ANSWERS = 24
"""Answers of a match that are looked at: with them it comes to blows in every game."""


class Seen(Struct):
    """All that a bot reads of a match."""

    board: Any


def moment_of(rules: Any, board: Any) -> tuple[Seen, Decision[Any], Any]:
    seat, question = rules.questions(board)[0]
    options = rules.options(board, seat, question)
    return Seen(rules.view(board, seat)), Decision(DecisionId("1.0"), seat, question), options


def answer(rules: Any, board: Any, choose: Callable[..., Any], rng: random.Random, dice: QuickDice) -> Any:
    match, decision, options = moment_of(rules, board)
    action = choose(match, decision, options, rng)
    whole = rules.vocabulary.with_secrets(action, lambda: rng.randbytes(16).hex(), lambda: "")
    return rules.decide(board, decision.seat, decision.question, whole, dice).board


@cache
def boards(ruleset: str, settings: Any = None) -> tuple[Any, ...]:
    """Return the boards of a match between greedy bots, each with a question open."""
    rules, rng = RULESETS[ruleset](()), random.Random(5)
    vocabulary, dice = rules.vocabulary, QuickDice(rng, 2)
    board = rules.start(settings or vocabulary.settings(), [vocabulary.loadout()] * 2, dice).board
    seen: list[Any] = []
    while rules.questions(board) and len(seen) < ANSWERS:
        seen.append(board)
        board = answer(rules, board, find_bots(ruleset).choosers["greedy"], rng, dice)
    return tuple(seen)


@each_row("ruleset", sorted(BOTS))
def test_levels_have_the_same_names_in_all_games(ruleset: str) -> None:
    assert [name for name in BOTS[ruleset].choosers if name not in {"fair", "hard"}] == [
        "random",
        "mild",
        "greedy",
        "search",
    ]
    assert "search" in BOTS[ruleset].searching


@each_row("ruleset", sorted(BOTS))
def test_search_with_a_budget_is_found_by_its_name(ruleset: str) -> None:
    for name in ("search100", "search2000", "search60n"):
        assert isinstance(load_chooser(name, ruleset), SearchBot)
    for name in ("search0", "search12345678", "searchn", "searching"):
        with pytest.raises(BotError, match="there is no bot"):
            load_chooser(name, ruleset)


@each_row("ruleset", SMALL_GAMES)
def test_references_are_loaded_by_name_and_offered_to_nobody(ruleset: str) -> None:
    references = BOTS[ruleset].references
    assert {"hold", "charge", "longest"} <= references.keys()
    assert not references.keys() & BOTS[ruleset].choosers.keys()
    assert all(load_chooser(name, ruleset) is chooser for name, chooser in references.items())


@pytest.mark.parametrize("name", ["search5n", "mild", "hold", "charge", "longest"])
@pytest.mark.parametrize("ruleset", SMALL_GAMES)
def test_every_bot_answers_what_the_rules_accept_and_the_same_again(ruleset: str, name: str) -> None:
    rules, choose = RULESETS[ruleset](()), load_chooser(name, ruleset)
    for number, board in enumerate(boards(ruleset)[::5]):
        first, again = (
            answer(rules, board, choose, random.Random(number), QuickDice(random.Random(1), 2)) for _ in "ab"
        )
        assert first == again


@each_row("ruleset", SMALL_GAMES)
def test_search_spends_no_more_than_its_time(ruleset: str) -> None:
    """The clock is read before every step of a simulation, and a few times more when the search ends."""
    rules, game = RULESETS[ruleset](()), BOTS[ruleset].game
    assert game is not None
    for board in boards(ruleset)[::5]:
        reads = [0]

        def clock(reads: list[int] = reads) -> int:
            reads[0] += 1
            return reads[0]

        SearchBot(game, SearchLevel(milliseconds=30), clock)(*moment_of(rules, board), random.Random(1))
        assert reads[0] <= 30 + 5


@each_row("ruleset", SMALL_GAMES)
def test_mild_never_leaves_a_piece_idle_that_could_act(ruleset: str) -> None:
    rules, game, mild = RULESETS[ruleset](()), BOTS[ruleset].game, load_chooser("mild", ruleset)
    assert game is not None
    for seed, board in enumerate(boards(ruleset)):
        match, decision, options = moment_of(rules, board)
        if game.is_searched(board, decision.question):
            chosen = mild(match, decision, options, random.Random(seed))
            assert not game.is_passing(chosen) or not options.parametric


def test_search_of_secret_orders_does_not_depend_on_what_is_hidden() -> None:
    """Two boards that differ in the orders of the other seat look the same to this one."""
    rules, game = RULESETS["regiments"](()), BOTS["regiments"].game
    assert game is not None
    rng, dice = random.Random(3), QuickDice(random.Random(3), 2)
    start = rules.start(RegimentsSettings(secret_orders=True), [rules.vocabulary.loadout()] * 2, dice).board
    orders = [load_chooser(name, "regiments") for name in ("hold", "charge")]
    locked = [answer(rules, start, choose, rng, dice) for choose in orders]
    assert locked[0] != locked[1]
    chosen = []
    for board in locked:
        match, decision, options = moment_of(rules, board)
        chosen.append(load_chooser("search8n", "regiments")(match, decision, options, random.Random(7)))
        possible = game.possible_board(match.board, decision.seat, random.Random(2))
        assert rules.view(possible, decision.seat) == match.board
    assert chosen[0] == chosen[1]
