"""The transcript of every match is unchanged, word for word.

Each transcript in `diskwars/` belongs to a recipe here: whole matches, which continue from the actions in their own
transcript, and set pieces, which are complete in the recipe. DISKWARS_GOLDEN=1 writes them again.
"""

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from diskwars_cli.__main__ import main
from diskwars_protocol.match.events import MatchEnded
from diskwars_protocol.match.ids import Viewer, seat_letter
from diskwars_protocol.rulesets.diskwars import actions as a
from diskwars_protocol.rulesets.diskwars import events as e
from tests.engine.played_match import (
    ARMIES,
    IS_UPDATING_GOLDEN,
    QUICK_SETTINGS,
    RULES,
    Chooser,
    PlayedMatch,
    board_actions,
    greedy_action,
    mixed_action,
    replay_or_choose,
)
from tests.engine.rulesets.diskwars.positions import scripted_position
from tests.golden.set_pieces import EXCERPTS, MatchExcerpt
from tests.golden.transcript import Transcript, parse_actions
from tests.golden.whole_match_rules import WHOLE_MATCH_RULES

FOLDER = Path(__file__).parent / "diskwars"
MAX_FILE_SIZE = 400_000
DRAWN_TITLES = (e.RoundBegan, MatchEnded)
"""After these the field of a whole match is drawn."""


# ---------------------------------------------------------------- whole matches


class WholeMatch(NamedTuple):
    """A match from its first record to its last."""

    title: str
    seed: int
    armies: tuple[str, ...]
    choose: Chooser
    settings: a.DiskwarsSettings = QUICK_SETTINGS


WHOLE_MATCHES = {
    "greedy-match": WholeMatch(
        "Two greedy bots play five rounds", 17, ("chaos-patrol", "empire-patrol"), greedy_action
    ),
    "elimination": WholeMatch(
        "A match that ends by elimination", 4, ("high-elf-patrol", "greenskin-patrol"), greedy_action
    ),
    "tie": WholeMatch("A match that ends with equal points", 6, ("chaos-patrol", "empire-patrol"), greedy_action),
    "nobody-wins": WholeMatch(
        "A match whose last disks fall together", 7795, ("chaos-patrol", "greenskin-patrol"), greedy_action
    ),
    "three-players": WholeMatch(
        "Three greedy bots, with a full setup",
        7,
        ARMIES[:3],
        greedy_action,
        a.DiskwarsSettings(setup="full", regiments=1),
    ),
    "four-players": WholeMatch(
        "Four greedy bots, with a full setup", 9, ARMIES, greedy_action, a.DiskwarsSettings(setup="full", regiments=1)
    ),
    "wild-match": WholeMatch(
        "A match of random answers, with the option `contact`",
        1,
        ("empire-patrol", "high-elf-patrol"),
        mixed_action,
        a.DiskwarsSettings("contact", setup="quick", regiments=1),
    ),
}


def transcribe_match(whole: WholeMatch, recorded: list[a.Action]) -> str:
    """Return the transcript of a match whose seats answer as they did before."""
    playing = PlayedMatch(whole.seed, whole.armies, whole.settings, WHOLE_MATCH_RULES)
    seats = ", ".join(f"seat {seat_letter(seat)} {army}" for seat, army in enumerate(whole.armies))
    script = Transcript(f"{whole.title}. Seed {whole.seed}; {seats}.", range(len(whole.armies)))
    script.append("the match is opened", None, playing.events, None, playing.rules.redact)
    script.close(playing.bodies[0], playing.rules.redact_body)
    left, choose = board_actions(recorded), whole.choose if IS_UPDATING_GOLDEN else None
    while playing.state.status != "ended":
        decision = playing.state.decisions[0]
        action, body = replay_or_choose(playing, decision, left, choose)
        playing.commit(body)
        heading = f"{seat_letter(decision.seat)} answers {decision.question.__struct_config__.tag}"
        script.append(heading, action, body.events, playing.state.board, playing.rules.redact)
        script.close(body, playing.rules.redact_body)
        if playing.state.board is not None and any(isinstance(event, DRAWN_TITLES) for event in body.events):
            script.draw_field(playing.state.board)
    return str(script)


# ---------------------------------------------------------------- set pieces


def transcribe_excerpt(piece: MatchExcerpt, recorded: list[a.Action]) -> str:
    """Return the transcript of a set piece. Its answers are in the recipe, so the recorded ones are not needed."""
    laid = scripted_position(piece.text)
    script = Transcript(piece.title, (side.seat for side in laid.board.sides))
    script.begin(laid.board, piece.text)
    table = piece.start(laid)
    if table.events:
        script.append("it begins", None, table.events, table.board, redact)
    for move in piece.moves:
        seat, ask = table.open_questions[0]
        action = move.action(table)
        table = table.answer(action, *move.dice, seat=seat)
        heading = f"{seat_letter(seat)} answers {ask.__struct_config__.tag}"
        script.append(heading, action, table.events, table.board, redact)
    script.draw_field(table.board)
    return str(script)


def redact(event: Any, viewer: Viewer) -> Any:
    return RULES.redact(event, viewer)


# ---------------------------------------------------------------- the comparison


def transcribe(name: str, recorded: list[a.Action]) -> str:
    return (
        transcribe_match(WHOLE_MATCHES[name], recorded)
        if name in WHOLE_MATCHES
        else transcribe_excerpt(EXCERPTS[name], recorded)
    )


@pytest.mark.parametrize("name", [*WHOLE_MATCHES, *EXCERPTS])
def test_match_equals_its_transcript(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    before = file.read_text("utf-8") if file.exists() else ""
    if IS_UPDATING_GOLDEN:
        file.write_text(transcribe(name, parse_actions(before)), "utf-8")
        before = file.read_text("utf-8")
    assert before, f"{file.name} is missing: write it with DISKWARS_GOLDEN=1 and read it"
    assert transcribe(name, parse_actions(before)) == before
    assert len(before.encode()) < MAX_FILE_SIZE


def test_every_transcript_belongs_to_a_recipe() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == {*WHOLE_MATCHES, *EXCERPTS}


def test_every_rule_that_a_transcript_gives_as_a_reason_is_printed_by_the_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    named = {id for file in FOLDER.glob("*.txt") for id in reasons_in(file.read_text("utf-8"))}
    assert {"R8.5.1", "R12.2", "R15.3.3", "R-33", "R3.4.1"} <= named
    assert main(["rules", *sorted(named)]) == 0
    headings = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("R")}
    assert headings == named


def reasons_in(script: str) -> set[str]:
    """Return the rules in every `reasons [...]` of a transcript: each is the first word of its part."""
    lists = re.findall(r"reasons \[([^\]]*)\]", script)
    assert len(lists) == script.count("reasons [")
    return {part.split()[0] for found in lists for part in found.split("; ")}


def test_the_transcripts_of_whole_matches_end_as_they_say() -> None:
    ends = {name: (FOLDER / f"{name}.txt").read_text("utf-8").rsplit("  Result ", 1)[1] for name in WHOLE_MATCHES}
    assert "end_reason victory_points" in ends["greedy-match"]
    assert "end_reason elimination" in ends["elimination"]
    assert "end_reason initiative" in ends["tie"]
    assert "end_reason everybody_eliminated, winners none" in ends["nobody-wins"]
