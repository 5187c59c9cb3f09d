"""Bots are found by name, and mistakes in a user's file name their place."""

import random
from pathlib import Path
from typing import Any

import pytest

from diskwars_bots.chooser import offered
from diskwars_bots.generic_bot import choose_offered
from diskwars_bots.loader import BotError, UserBot, bot_label, load_chooser
from diskwars_bots.rulesets.diskwars.bots import BOTS
from diskwars_bots.rulesets.registry import find_bots
from diskwars_protocol.match.actions import Ready, ReadyQuestion
from diskwars_protocol.match.decisions import Decision, Options, ParametricOption, Unavailable
from diskwars_protocol.match.ids import DecisionId
from tests.rows import each_row

DECISION: Decision[ReadyQuestion] = Decision(DecisionId("2.0"), 0, ReadyQuestion())


def write_bot(folder: Path, text: str, name: str = "my_bot.py") -> Path:
    file = folder / name
    file.write_text(text)
    return file


def choose_once(chooser: Any) -> Any:
    return chooser(None, DECISION, Options((Ready("a"), Ready("b"))), random.Random(1))


def error_of(file: Path, function: str = "choose") -> str:
    """Load the bot and let it choose; return the error without the folder."""
    with pytest.raises(BotError) as fault:
        choose_once(load_chooser(f"{file}:{function}", "diskwars"))
    return str(fault.value).replace(f"{file.parent}/", "")


@each_row("name", sorted(BOTS))
def test_built_in_bot_is_found_by_its_name(name: str) -> None:
    assert load_chooser(name, "diskwars") is BOTS[name]


def test_ruleset_without_bots_of_its_own_is_played_by_the_generic_one() -> None:
    assert (find_bots("diskwars").default, find_bots("counting").default) == ("greedy", "random")
    assert load_chooser("random", "counting") is choose_offered
    with pytest.raises(BotError, match="there are random, and"):
        load_chooser("greedy", "counting")


def test_function_in_a_file_chooses(tmp_path: Path) -> None:
    file = write_bot(
        tmp_path, "def choose(match, decision, options, rng):\n    return options.actions[decision.seat + 1]\n"
    )
    assert choose_once(load_chooser(f"{file}:choose", "diskwars")) == Ready("b")


def test_bot_can_import_a_file_beside_it(tmp_path: Path) -> None:
    write_bot(tmp_path, "LAST = -1\n", "beside_my_bot.py")
    file = write_bot(
        tmp_path, "from beside_my_bot import LAST\ndef choose(m, d, options, r): return options.actions[LAST]\n"
    )
    assert choose_once(load_chooser(f"{file}:choose", "diskwars")) == Ready("b")


def test_file_is_executed_once_for_all_seats(tmp_path: Path) -> None:
    file = write_bot(
        tmp_path, "seen = []\ndef choose(m, d, o, r):\n    seen.append(1)\n    return o.actions[len(seen) - 1]\n"
    )
    assert [choose_once(load_chooser(f"{file}:choose", "diskwars")) for _ in range(2)] == [Ready("a"), Ready("b")]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (
            "def choose(m, d, o, r):\n    return o.nothing\n",
            "my_bot.py:2: AttributeError: 'Options' object has no attribute",
        ),
        ("\n\ndef choose(m, d, o, r) return 1\n", "my_bot.py:3: SyntaxError: expected ':'"),
        ("import no_such_module_at_all\n", "my_bot.py:1: ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("def helper(x): return {}[x]\ndef choose(m, d, o, r):\n    return helper(1)\n", "my_bot.py:1: KeyError: 1"),
        ("\ndef choose(m, d, o, r):\n    pass\n", "my_bot.py:2: choose returned None, which is no action"),
        ("def choose(m): ...\n", "my_bot.py: TypeError: choose() takes 1 positional argument but 4 were given"),
        ("def chose(): ...\nimport os\n", "my_bot.py has no function 'choose'; it has chose"),
        ("choose = 1\n", "my_bot.py has no function 'choose'; it has none"),
    ],
)
def test_error_in_the_file_names_file_and_line(tmp_path: Path, text: str, error: str) -> None:
    assert error_of(write_bot(tmp_path, text)).startswith(error)


def test_missing_file_is_named(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.py") == "there is no file none.py"


@each_row("name", ["gready", "my_bot:choose", ""])
def test_unknown_name_lists_the_existing_ones(name: str) -> None:
    with pytest.raises(
        BotError,
        match=r"there are fair, greedy, hard, mild, random, search, and `my_bot\.py:choose` names a function",
    ):
        load_chooser(name, "diskwars")


def test_error_for_a_file_asks_for_its_function() -> None:
    with pytest.raises(BotError, match=r"name the function too, as in `my_bot\.py:choose`"):
        load_chooser("my_bot.py", "diskwars")


def test_refused_answer_names_file_and_line_of_the_function(tmp_path: Path) -> None:
    file = write_bot(tmp_path, "\n\n\ndef choose(m, d, options, r): return options.actions[0]\n")
    chooser = load_chooser(f"{file}:choose", "diskwars")
    assert isinstance(chooser, UserBot)
    text = str(chooser.refused(choose_once(chooser), "bad_seat_nonce: no link"))
    assert text == f"{file}:4: choose answered ready, which is refused: bad_seat_nonce: no link"


def test_label_is_the_name_of_the_bot_or_its_file() -> None:
    assert [bot_label("greedy"), bot_label("some/folder/archer.py:choose")] == ["greedy bot", "archer bot"]


def test_offered_answers_are_the_listed_ones_and_an_example_of_each_other() -> None:
    options: Options[str, ParametricOption[str], Unavailable] = Options(
        ("hold", "fight"), (ParametricOption("march"), ParametricOption("charge"))
    )
    assert offered(options) == ["hold", "fight", "march", "charge"]
