"""The narration of the matches of `diskwars demo --seed 7` is unchanged, word for word, for two to four players.

README shows how the one of two players ends.

They are played in memory here, and told as to somebody who sees everything. Read them when they change: nothing that a
bot does in them should be senseless to a player of the game. DISKWARS_GOLDEN=1 writes them again.
"""

from pathlib import Path
from typing import Any

import pytest

from diskwars_cli.plugs.data_options import DataOptions
from diskwars_cli.plugs.match_options import BotMatchFlags
from diskwars_cli.plugs.match_setup import load_ruleset
from diskwars_cli.plugs.seeded_match import play_bots, seeded_match
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_text.rulesets.diskwars.narration import narrate
from tests.golden_files import assert_golden

SEED = 7


def narration(players: int) -> tuple[str, int]:
    """Return the narration of the match that the demo shows with this seed, and its number of records."""
    options = BotMatchFlags(data=DataOptions(), players=players, bots="greedy")
    job = next(find_simulation("diskwars").jobs(options, [SEED]))
    local = seeded_match(load_ruleset("diskwars", ()), SEED, job.loadouts, job.settings)
    before: Any = None
    lines: list[str] = []
    for number, body in enumerate(play_bots(local, SEED, job.bots), 1):
        lines += narrate(before, body)
        before = DISKWARS.fold_record(before, body, local.records[:number])
    return "\n".join(line.rstrip() for line in lines) + "\n", len(local.records)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_narration_of_the_demo_is_unchanged(players: int) -> None:
    assert_golden(Path(__file__).parent / "demo" / f"diskwars-{players}.txt", narration(players)[0])


def test_readme_shows_how_the_demo_ends() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    _, _, after = readme.partition("The output ends like this, with a match id of your own:\n\n```\n")
    shown, _, closing = after.partition("\n```\n")[0].partition("\nreplay with: ./dev replay ")
    told, records = narration(2)
    assert shown.startswith("== After 5 rounds ==")
    assert told.endswith(f"\n\n{shown}")
    match = closing.partition("\n")[0]
    assert closing == f"{match}\nmatch {match}\nrecords {records}"
