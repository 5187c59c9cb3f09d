"""Each question goes to the right seat, which can answer all that the rules allow; some are never asked (R19).

Each question of the game has its own tests where its rules are; this file covers the rest of section R19.
"""

from typing import get_args

import pytest

from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.ids import PUBLIC
from diskwars_protocol.records.sealed import HIDDEN
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars import setup_events as se
from tests.engine.played_match import begin_random_match, mixed_action, player_of
from tests.engine.rulesets.diskwars.positions import scripted_position
from tests.engine.rulesets.diskwars.setup_positions import (
    INCH,
    deciding_seat,
    setup_with_deployment_cards,
    setup_with_terrain,
)

# ---------------------------------------------------------------- setup


def test_the_player_whose_turn_it_is_says_which_deployment_card_which_side_and_which_place() -> None:
    """R19.7: every one of them is offered, and what he says is how it lies."""
    table = setup_with_deployment_cards()
    offered = {
        (action.card, action.face) for action in table.options().actions if isinstance(action, a.LayDeploymentCard)
    }
    assert offered == {(card, face) for card in ("d0", "d1") for face in (0, 1)}
    assert len({action.offset for action in table.options().actions if isinstance(action, a.LayDeploymentCard)}) > 1
    for card, face, offset in (("d0", 0, 0), ("d1", 1, 7 * INCH)):
        assert deciding_seat(table) == 1
        (laid,) = table.answer(a.LayDeploymentCard(card, face, offset), *()).board.layout.laid_cards
        assert (laid.seat, laid.card, laid.face, laid.offset) == (1, card, face, offset)


def test_the_player_whose_turn_it_is_says_which_terrain_which_side_which_place_and_how_turned() -> None:
    """R19.8"""
    table = setup_with_terrain()
    examples = [plan.example for plan in table.options().parametric]
    cards = table.question(a.TerrainQuestion).cards
    assert {(example.card, example.face) for example in examples if isinstance(example, a.PlaceTerrain)} == {
        (card, face) for card in cards for face in (0, 1)
    }
    for action in (a.PlaceTerrain("t1", 0, 18 * INCH, 20 * INCH, 0), a.PlaceTerrain("t2", 1, 9 * INCH, 15 * INCH, 5)):
        assert deciding_seat(table) == 1
        after = table.answer(action)
        (placed,) = after.events_of_type(se.TerrainPlaced)
        assert (placed.seat, placed.card, placed.face, placed.rotation_steps) == (
            1,
            action.card,
            action.face,
            action.rotation_steps,
        )
        assert deciding_seat(after) == 0


# ---------------------------------------------------------------- resolving a card

CASTER = """
zone A (6, 0) to (30, 6) for 5
A Stone Fangz Shaman (10, 10)
A Orc Boyz (4, 4)
A reserve: Night Goblins
B Sun Dragon (14, 14)
"""


def test_the_player_of_a_card_activates_reinforces_uses_the_ability_or_ends_as_he_likes() -> None:
    """R19.12: all four stand open at once, and the other player is not asked."""
    table = scripted_position(CASTER).with_card_turn(0, "fists-of-mork")
    assert [seat for seat, _ in table.open_questions] == [0]
    offered = {type(action) for action in table.options().actions}
    assert {a.EndCard, a.UseAbility, a.PassDisk} <= offered
    assert {type(plan.example) for plan in table.options().parametric} == {a.MoveDisk, a.Reinforce}
    reinforced = table.answer(a.Reinforce(table.number("Night Goblins"), 18 * INCH, 3 * INCH))
    moved = table.answer(table.move_action("Orc Boyz", 90))
    used = table.answer(table.ability_action("Stone Fangz Shaman", "Sun Dragon"), 3)
    for after in (reinforced, moved, used):
        assert [seat for seat, _ in after.open_questions] == [0]
    assert table.answer(a.EndCard()).board.active_seat is None


# ---------------------------------------------------------------- secrets, and no way back


def test_a_hand_is_hidden_from_all_others_and_what_was_discarded_is_open() -> None:
    """R-25, R19.11, R19.26: also to spectators."""
    playing = begin_random_match(11)
    while not any(side.discards for side in playing.board.sides):
        playing.play(mixed_action, records=1)
    for viewer in (0, 1, PUBLIC):
        board = playing.rules.view(playing.state, viewer).board
        assert board is not None
        for side, true in zip(board.sides, playing.board.sides, strict=True):
            assert side.hand == (true.hand if side.seat == viewer else HIDDEN)
            assert (side.discards, side.card_count) == (true.discards, true.card_count)


def test_no_action_takes_an_answer_back() -> None:
    """R19.27: there is none of that name, and no answer is given twice, neither by another one nor by the same."""
    names = {str(kind.__struct_config__.tag) for kind in get_args(a.BoardAction)}
    assert not [name for name in names if "back" in name or "undo" in name]
    playing = begin_random_match(11)
    dice = reveals = 0
    while playing.state.status != "ended":
        decision = playing.chance.choice(playing.state.decisions)
        action = playing.with_secrets(decision, mixed_action(playing, decision))
        events = playing.answer(decision, action).events
        dice += any(getattr(event, "dice", None) for event in events)
        reveals += any(isinstance(event, e.CardsRevealed) for event in events)
        others = [
            playing.rules.default(playing.state, decision, playing.secrets) for decision in playing.state.decisions
        ]
        for again in (action, *others):
            with pytest.raises(Illegal) as refusal:
                playing.decide(player_of(decision.seat), decision.id, again)
            assert refusal.value.code in ("stale_decision", "not_your_turn", "match_ended")
    assert dice > 2
    assert reveals > 2
