"""Imagined boards: consistent with what a seat sees, and good enough for the rules to play on from."""

import random
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from diskwars_engine.quick_dice import QuickDice
from diskwars_engine.rulesets.diskwars import views
from diskwars_protocol.match.ids import ALL, PUBLIC
from diskwars_protocol.records.sealed import Sealed, if_known
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import ArmyIdentity
from tests.engine.played_match import ARMIES, RULES, PlayedMatch, begin_random_match, mixed_action
from tests.rows import each_row

SEEDS = st.integers(min_value=0, max_value=9_999_999)
FEW = settings(max_examples=5, deadline=None, database=None, derandomize=True)
DISKWARS = RULES.ruleset


def full_match(seed: int, seats: int) -> PlayedMatch:
    chance = random.Random(seed)
    return PlayedMatch(seed, chance.choices(ARMIES, k=seats), a.DiskwarsSettings(setup="full", regiments=1)).begin()


def imagined(board: Board, viewer: int, seed: int) -> Board:
    """A whole board that could be true for a viewer."""
    return DISKWARS.determinize(views.view(board, viewer), viewer, random.Random(seed))


@FEW
@given(seed=SEEDS, seats=st.integers(2, 4))
def test_the_viewer_sees_the_same_of_the_imagined_board_as_of_the_true_one(seed: int, seats: int) -> None:
    playing = full_match(seed, seats)
    while playing.state.status != "ended":
        for viewer in (*playing.seats, PUBLIC, ALL):
            guess = imagined(playing.board, viewer, seed)
            assert views.view(guess, viewer) == views.view(playing.board, viewer)
            assert DISKWARS.check(guess) == []
            assert DISKWARS.questions(guess) == DISKWARS.questions(playing.board)
        playing.play(mixed_action, records=7)


@FEW
@given(seed=SEEDS)
def test_everything_hidden_is_filled_in_with_cards_that_could_be_there(seed: int) -> None:
    """R2.6, R3.3.1: hands without a repeated title, and the cards that were drawn."""
    playing = full_match(seed, 3)
    while playing.state.status != "ended":
        true, found = playing.board, imagined(playing.board, 0, seed)
        for side, other in zip(found.sides, true.sides, strict=True):
            assert isinstance(side.hand, tuple)
            assert isinstance(other.hand, tuple)
            assert not any(
                isinstance(value, Sealed) for value in (side.locked_card, side.objective, side.drawn_scenarios)
            )
            assert len(set(side.hand)) == len(side.hand) == len(other.hand)
            assert not set(side.hand) & {*side.discards, side.revealed_card}
            assert (side.locked_card in side.hand) == side.has_locked == (len(if_known(side.locked_salt) or "") == 32)
        playing.play(mixed_action, records=5)


def test_the_hand_of_a_starter_army_is_known_and_that_of_an_own_army_is_not() -> None:
    playing = begin_random_match(3)
    board = playing.board
    assert set(if_known(imagined(board, 0, 1).sides[1].hand) or ()) == set(if_known(board.sides[1].hand) or ())
    view = views.view(board, 0)
    unknown = replace(view, sides=(view.sides[0], replace(view.sides[1], army=ArmyIdentity("Another army"))))
    hands = {DISKWARS.determinize(unknown, 0, random.Random(seed)).sides[1].hand for seed in range(5)}
    assert len(hands) > 1


@each_row("seats", [2, 3, 4])
def test_objectives_are_different_scenarios_than_the_active_one(seats: int) -> None:
    """R3.3.2"""
    playing = full_match(11, seats)
    while not playing.board.round:
        playing.play(mixed_action, records=1)
    for seed in range(20):
        guess = imagined(playing.board, PUBLIC, seed)
        objectives = [side.objective for side in guess.sides]
        assert None not in objectives
        assert len({*objectives, guess.layout.active_scenario}) == seats + 1


def test_a_hand_is_made_of_cards_not_yet_shown_and_of_the_factions_of_the_heroes() -> None:
    """R2.6"""
    board = begin_random_match(3).board
    factions = {None, *(board.profile(disk.id).faction for disk in board.disks if disk.seat == 1)}
    fitting = [card.id for card in board.cards if card.faction in factions]
    side = replace(
        board.sides[1],
        army=ArmyIdentity("Another army"),
        discards=tuple(fitting[:2]),
        revealed_card=fitting[2],
        hand=tuple(fitting[3:6]),
        card_count=3,
    )
    board = replace(board, sides=(board.sides[0], side))
    hands = [if_known(imagined(board, 0, seed).sides[1].hand) or () for seed in range(60)]
    assert {len(set(hand)) for hand in hands} == {3}
    assert {card for hand in hands for card in hand} == set(fitting[3:])
    assert len(fitting) < len(board.cards)


def scenario_choice() -> PlayedMatch:
    playing = full_match(11, 2)
    while not any(isinstance(side.drawn_scenarios, tuple) for side in playing.board.sides):
        playing.play(mixed_action, records=1)
    return playing


def test_of_the_two_drawn_scenarios_one_is_the_active_one_once_that_is_chosen() -> None:
    """R3.3.1"""
    playing = scenario_choice()
    last = next(side.seat for side in playing.board.sides if side.drawn_scenarios)
    deck = {card.id for card in playing.board.layout.scenarios}
    drawn = [imagined(playing.board, 1 - last, seed).sides[last].drawn_scenarios for seed in range(60)]
    assert {len(set(if_known(two) or ())) for two in drawn} == {2}
    assert {card for two in drawn for card in if_known(two) or ()} == deck
    active = sorted(deck)[0]
    chosen = replace(playing.board, layout=replace(playing.board.layout, active_scenario=active))
    drawn = [imagined(chosen, 1 - last, seed).sides[last].drawn_scenarios for seed in range(60)]
    assert all(active in (if_known(two) or ()) for two in drawn)
    assert {len(set(if_known(two) or ())) for two in drawn} == {2}
    assert {card for two in drawn for card in if_known(two) or ()} == deck
    assert imagined(playing.board, last, 1).sides[last].drawn_scenarios == playing.board.sides[last].drawn_scenarios


@pytest.mark.parametrize("special", ["none", "strongholds"])
def test_hidden_objectives_are_those_that_the_viewer_cannot_rule_out(special: Literal["none", "strongholds"]) -> None:
    """R-74, R3.3.2: of a special scenario everybody has the one; otherwise neither the active nor one's own."""
    chosen = a.DiskwarsSettings(setup="full", special_scenario=special, regiments=1)
    playing = PlayedMatch(11, ARMIES[:3], chosen).begin()
    while None in [side.objective for side in playing.board.sides]:
        playing.play(mixed_action, records=1)
    board = playing.board
    boards = [imagined(board, 0, seed) for seed in range(80)]
    others = {side.objective for found in boards for side in found.sides[1:]}
    known = {board.sides[0].objective, board.layout.active_scenario}
    assert {found.sides[0].objective for found in boards} == {board.sides[0].objective}
    if special == "none":
        assert others == {card.id for card in board.layout.scenarios} - known
        assert all(len({side.objective for side in found.sides}) == 3 for found in boards)
    else:
        assert others == known == {"strongholds"}


def test_before_the_objectives_are_dealt_nobody_has_one() -> None:
    playing = full_match(11, 2)
    assert [side.objective for side in imagined(playing.board, PUBLIC, 1).sides] == [None, None]


def test_the_rules_play_on_from_an_imagined_board_to_the_end() -> None:
    playing = full_match(5, 2).play(mixed_action, records=40)
    rng = random.Random(5)
    board = imagined(playing.board, 0, 5)
    dice = QuickDice(rng, seats=2, step=playing.state.step)
    for _ in range(2000):
        if DISKWARS.result(board) is not None:
            break
        seat, question = DISKWARS.questions(board)[0]
        options = DISKWARS.options(board, seat, question)
        action = rng.choice([*options.actions, *(option.example for option in options.parametric)])
        if isinstance(action, a.LockCard):
            action = DISKWARS.default(board, seat, question, dice)
        board = DISKWARS.decide(board, seat, question, action, dice).board
    assert DISKWARS.result(board) is not None
    assert DISKWARS.check(board) == []


def test_quick_dice_are_dice() -> None:
    dice = QuickDice(random.Random(1), seats=2)
    assert set(dice.roll("number_dice", 6, 200, "any").results) == {1, 2, 3, 4, 5, 6}
    assert sorted(dice.shuffle(9, "any").results) == list(range(9))
    assert {dice.hidden(3, "any") for _ in range(50)} == {0, 1, 2}
    assert (dice.step, dice.begin_step().step, dice.step) == (1, 2, 2)
