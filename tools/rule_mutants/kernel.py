"""The kernel of a match, which cites no rule of a game: which file stands for which of its own rules, and their tests.

Its mutants belong to pseudo-rules. A test of one of the files named here that calls the changed function is a test of
it: the names of these tests say what a match promises its players, in every ruleset.
"""

from __future__ import annotations

from typing import NamedTuple

KERNEL_PREFIX = "K-"


class KernelPart(NamedTuple):
    """A file of the kernel, what it is responsible for, and the files of tests that have to notice its faults."""

    path: str
    subject: str
    tests: tuple[str, ...]


KERNEL: dict[str, KernelPart] = {
    "K-takeback": KernelPart(
        "server/diskwars_engine/takebacks.py",
        "what may be taken back, and without asking",
        ("tests/engine/test_agreements.py", "tests/engine/test_takebacks.py"),
    ),
    "K-agreements": KernelPart(
        "server/diskwars_engine/agreements.py",
        "offers, answers to them, when all agree, and the house that leaves for those who stay away",
        ("tests/engine/test_agreements.py", "tests/engine/test_match_absences.py"),
    ),
    "K-substitutes": KernelPart(
        "protocol/diskwars_protocol/match/substitutes.py",
        "seats that the house plays",
        ("tests/engine/test_match_substitutes.py", "tests/engine/test_agreements.py"),
    ),
    "K-vacancies": KernelPart(
        "server/diskwars_engine/vacancies.py",
        "seats given up before the beginning",
        ("tests/engine/test_vacancies.py",),
    ),
    "K-branches": KernelPart(
        "server/diskwars_engine/branches.py",
        "matches that play on from a position",
        ("tests/rulesets/test_branches.py",),
    ),
    "K-options": KernelPart(
        "server/diskwars_engine/option_checks.py",
        "options that exclude each other",
        ("tests/engine/test_option_checks.py",),
    ),
    "K-lag": KernelPart(
        "server/diskwars_engine/lag_credit.py", "lag that no clock is charged for", ("tests/engine/test_lag_credit.py",)
    ),
    "K-salts": KernelPart(
        "server/diskwars_engine/salts.py",
        "salts of secrets",
        (
            "tests/engine/rulesets/diskwars/activation/test_command_cards.py",
            "tests/engine/rulesets/diskwars/activation/test_card_turns.py",
            "tests/engine/rulesets/regiments/test_secret_orders.py",
        ),
    ),
    "K-match": KernelPart(
        "server/diskwars_engine/match.py",
        "seats, decisions and refusals",
        (
            "tests/engine/test_match.py",
            "tests/engine/test_match_refusals.py",
            "tests/engine/test_agreements.py",
            "tests/engine/test_match_substitutes.py",
            "tests/engine/test_vacancies.py",
            "tests/engine/test_match_missing_packs.py",
            "tests/engine/rulesets/diskwars/rules/test_deciding_seats.py",
            "tests/engine/test_lag_credit.py",
            "tests/engine/test_match_course.py",
            "tests/engine/test_match_secrets.py",
            "tests/engine/test_seat_control.py",
        ),
    ),
    "K-views": KernelPart(
        "server/diskwars_engine/match_views.py",
        "what a viewer may know",
        (
            "tests/engine/test_match.py",
            "tests/engine/test_match_secrets.py",
            "tests/engine/test_match_substitutes.py",
            "tests/rulesets/test_branches.py",
        ),
    ),
    "K-dice": KernelPart(
        "server/diskwars_engine/match_dice.py",
        "the dice of one decision",
        (
            "tests/engine/test_match.py",
            "tests/engine/test_agreements.py",
            "tests/engine/test_match_course.py",
            "tests/engine/test_match_log.py",
        ),
    ),
    "K-fold": KernelPart(
        "protocol/diskwars_protocol/match/match_fold.py",
        "records folded to a state",
        (
            "tests/engine/test_match.py",
            "tests/engine/test_agreements.py",
            "tests/engine/test_match_substitutes.py",
            "tests/engine/test_vacancies.py",
            "tests/protocol/match/test_replay.py",
            "tests/protocol/match/test_match_fold.py",
            "tests/protocol/schema/test_examples_match_log.py",
        ),
    ),
}
