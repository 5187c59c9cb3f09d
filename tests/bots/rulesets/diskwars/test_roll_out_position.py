"""The position of roll-outs says the same as that of the greedy bot."""

import pytest

from diskwars_bots.rulesets.diskwars import roll_out_position
from diskwars_bots.rulesets.diskwars.roll_out_position import MatchMemory, RollOutPosition, memory_of
from diskwars_bots.rulesets.diskwars.situation import Situation
from tests.bots.rulesets.diskwars.test_roll_out_policy import open_questions

MATCHES = (("lothern-host", "nuln-host"), ("everchosen-host", "badlands-host", "black-mountain-host"))


def test_fighters_are_those_of_the_greedy_bot() -> None:
    """Cards, tokens, auras and pins count as in `effective_stats`, on every board of matches of two and three."""
    differing = set()
    for seed, armies in enumerate(MATCHES):
        for now, _ in open_questions(armies, seed):
            memory = memory_of(now.board)
            for side in now.board.sides:
                right, quick = Situation(now.board, side.seat), RollOutPosition(now.board, side.seat, memory)
                assert quick.fighters == right.fighters
                assert (quick.own, quick.enemies, quick.pinning, quick.pinned_by) == (
                    right.own,
                    right.enemies,
                    right.pinning,
                    right.pinned_by,
                )
                assert (quick.objective, quick.rounds_left) == (right.objective, right.rounds_left)
                differing.add(repr(right.fighters))
    assert len(differing) > 300


def test_unchanged_fighter_is_the_same_object() -> None:
    (now, _), (later, _), *_ = open_questions(MATCHES[0], 1)
    memory = MatchMemory(now.board)
    first, second = (RollOutPosition(one.board, 0, memory) for one in (now, later))
    unchanged = [
        number for number, fighter in first.fighters.items() if later.board.disks[number] is now.board.disks[number]
    ]
    assert unchanged
    assert all(first.fighters[number] is second.fighters[number] for number in unchanged)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roll_out_position, "MAX_KEPT", 50)
    (now, _), *_ = open_questions(MATCHES[0], 1)
    memory = MatchMemory(now.board)
    view = memory.view(now.board, 0)
    memory.count(50)
    assert memory.view(now.board, 0) is view
    memory.count(1)
    assert memory.view(now.board, 0) is not view


def test_memory_is_that_of_the_match() -> None:
    boards = [now.board for now, _ in open_questions(MATCHES[0], 1)]
    other = next(iter(open_questions(MATCHES[0], 2)))[0].board
    assert memory_of(boards[0]) is memory_of(boards[-1])
    assert memory_of(boards[0]) is not memory_of(other)
