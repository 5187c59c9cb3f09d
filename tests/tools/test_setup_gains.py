"""The program that measures the search of the setup looks at every question, and says what is answered otherwise."""

import pytest

from tools import setup_gains


def test_questions_are_those_of_a_whole_setup_and_the_result_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = list(setup_gains.setup_questions(1))
    assert len(boards) > 8
    assert {board.phase for board in boards} == {"setup"}
    monkeypatch.setattr(setup_gains, "setup_questions", lambda seed: boards[-1:])
    assert setup_gains.main(["--matches", "1", "--simulations", "8"]) == 0
    assert capsys.readouterr().out.startswith("1 questions, ")
