"""The narration of the matches of `diskwars demo --seed 7` is unchanged, word for word, for two to four players.

They are played in memory here, and told as to somebody who sees everything. Read them when they change: nothing that a
bot does in them should be senseless to a player of the game. DISKWARS_GOLDEN=1 writes them again.
"""

from pathlib import Path
from typing import Any

import pytest

from diskwars_cli.match_options import BotMatchFlags
from diskwars_cli.match_setup import load_ruleset
from diskwars_cli.rulesets.registry import find_simulation
from diskwars_cli.seeded_match import play_bots, seeded_match
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from diskwars_server.settings import ServerSettings
from diskwars_text.rulesets.diskwars.narration import narrate
from tests.protocol.golden_files import assert_golden

SEED = 7


def narration(players: int) -> str:
    """Return the narration of the match that the demo shows with this seed."""
    options = BotMatchFlags(settings=ServerSettings(), players=players, bots="greedy")
    job = next(find_simulation("diskwars").jobs(options, [SEED]))
    local = seeded_match(load_ruleset("diskwars", ()), SEED, job.loadouts, job.settings)
    before: Any = None
    lines: list[str] = []
    for number, body in enumerate(play_bots(local, SEED, job.bots), 1):
        lines += narrate(before, body)
        before = DISKWARS.fold_record(before, body, local.records[:number])
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_narration_of_the_demo_is_unchanged(players: int) -> None:
    assert_golden(Path(__file__).parent / "demo" / f"diskwars-{players}.txt", narration(players))
