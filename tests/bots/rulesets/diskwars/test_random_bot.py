"""The random bot uses what options allow beyond their examples."""

import random

from diskwars_bots.rulesets.diskwars.random_bot import choose_random
from diskwars_protocol.match.decisions import Decision
from diskwars_protocol.match.ids import DecisionId, MatchId
from diskwars_protocol.match.match_options import MatchOptions
from diskwars_protocol.match.state import Match
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars.board import DiskwarsMatch
from tests.engine.rulesets.diskwars.positions import ScriptedPosition, scripted_position

PLAYERS = "A Guard (10, 3)\nB Foe (12, 9)\ndisk Guard: small\ndisk Foe: small\n"


def chosen(table: ScriptedPosition, count: int) -> list[a.Action]:
    """Return what the bot chooses with as many seeds."""
    ((seat, question),) = table.open_questions
    match: DiskwarsMatch = Match(
        MatchId("table"), "diskwars", None, (), "0" * 64, "0" * 64, MatchOptions(), board=table.board
    )
    decision: Decision[a.Question] = Decision(DecisionId("2.0"), seat, question)
    options = table.options()
    return [choose_random(match, decision, options, random.Random(seed)) for seed in range(count)]


def test_reinforcements_come_to_many_places_and_all_are_legal() -> None:
    text = f"{PLAYERS}zone A (6, 0) to (18, 6) for 3\nA reserve: Comer\ndisk Comer: small T9"
    table = scripted_position(text).with_card_turn(0)
    places = {(choice.x, choice.y) for choice in chosen(table, 100) if isinstance(choice, a.Reinforce)}
    assert len(places) > 10
    for x, y in places:
        assert table.answer(a.Reinforce(table.number("Comer"), x, y)).is_fielded("Comer")


def test_moves_go_on_over_own_disks_in_half_of_the_cases() -> None:
    moves = chosen(scripted_position(PLAYERS).with_card_turn(0), 60)
    assert {move.over_own_disks for move in moves if isinstance(move, a.MoveDisk)} == {False, True}
