"""The demo shows a whole match, stores it, and plays the same one again from the same seed."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diskwars_client.verification.verify import verify
from diskwars_protocol.match.actions import Ready
from diskwars_protocol.match.events import SeatNonceOpened, SeatReady
from diskwars_protocol.records.match_file import read_file
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.actions import LockCard
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.cli.command_runner import CommandRunner
from tests.client.match_files import find_event, greedy_records, replace_event, seal_records, write_match_file

START_SECONDS = 45
SMALL = ("--regiments", "1", "--setup", "quick")
PRIVATE_FIELDS = {"match", "opener", "player", "decision", "digest", "at_ms", "commitment", "id"}
"""Ids, times, commitments and hashes: what differs between two matches that were played alike."""


class VerbRunner:
    """Verbs that must succeed, run in this process: a start of the command takes longer than most of them."""

    def __init__(self, run: CommandRunner, database_url: str) -> None:
        self._run, self._store = run, ("--database-url", database_url)

    def __call__(self, *words: str) -> list[str]:
        """Return what the verb prints; nothing on the standard error, and no fault."""
        result = self._run(*words)
        assert (result.code, result.err) == (0, "")
        return result.lines

    def play(self, *words: str) -> list[str]:
        """Return what a demo on the test's database prints."""
        return self("demo", *words, *self._store)

    def export(self, match: str, file: Path) -> bytes:
        self("export", match, "-o", str(file), *self._store)
        return file.read_bytes()


@pytest.fixture
def verbs(capsys: pytest.CaptureFixture[str], database_url: str) -> VerbRunner:
    return VerbRunner(CommandRunner(capsys), database_url)


def match_id_in(lines: list[str]) -> str:
    return lines[-2].removeprefix("match ")


def last_line(lines: list[str]) -> str:
    """Return the last line of the narration: the result."""
    return next(line for line in reversed(lines[:-3]) if line)


def test_the_demo_of_a_seed_ends_with_a_winner_and_can_be_verified(verbs: VerbRunner, tmp_path: Path) -> None:
    shown = verbs.play("--seed", "7")
    result, _, again, match, count = shown[-5:]
    assert again == f"replay with: diskwars replay {match_id_in(shown)}"
    assert re.fullmatch(r"match [a-z0-9]+", match)
    assert re.fullmatch(r"records \d{2,4}", count)
    assert re.match(r"(Nobody|[\w ]+ Host)( [AB])? won: ", result)
    verdict = verify(verbs.export(match_id_in(shown), tmp_path / "match"))
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, True)
    assert f"records {verdict.records}" == count


def test_the_demo_plays_what_simulate_plays(verbs: VerbRunner) -> None:
    words = ("--seed", "11", "--bots", "greedy,random", *SMALL)
    shown, simulated = verbs.play(*words), verbs("simulate", *words)
    assert f"{shown[-1]} " in simulated[0]
    assert f"winner {shown[-5].partition(' won: ')[0]} (" in simulated[0]


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_play_with_a_full_set_up(verbs: VerbRunner, tmp_path: Path, players: int) -> None:
    words = ("--seed", "5", "--players", str(players), "--setup", "full", "--regiments", "1")
    shown = verbs.play(*words)
    assert [line.split()[0] for line in shown[-3:]] == ["replay", "match", "records"]
    verdict = verify(verbs.export(match_id_in(shown), tmp_path / "match"))
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, True)
    assert f"records {verdict.records}" == shown[-1]
    assert verbs("verify", str(tmp_path / "match"))
    assert f"{shown[-1]} " in verbs("simulate", *words)[0]


def test_a_demo_without_a_seed_is_not_repeatable(verbs: VerbRunner, tmp_path: Path) -> None:
    lines = verbs.play("--bots", "random", *SMALL)
    verdict = verify(verbs.export(match_id_in(lines), tmp_path / "match"))
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, False)


@pytest.fixture(scope="module")
def folder_demo(open_folder: Path) -> tuple[list[str], Path]:
    """Return what a demo in a process and a folder of its own prints, and the folder."""
    folder = open_folder / "demo data"
    words = ("demo", "--seed", "3", *SMALL, "--board", "--data", str(folder))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "diskwars_cli", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=START_SECONDS)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines(), folder


def test_a_demo_in_a_folder_of_its_own_can_be_replayed_from_there(
    folder_demo: tuple[list[str], Path], verbs: VerbRunner
) -> None:
    shown, folder = folder_demo
    assert shown[-3].endswith(f"--data '{folder}'")
    assert sum("── A ──" in line for line in shown) in range(1, 6)
    replayed = verbs("replay", match_id_in(shown), "--data", str(folder))
    assert replayed[-1] == last_line(shown)


def test_a_demo_in_a_folder_of_its_own_is_listed_and_measured(
    folder_demo: tuple[list[str], Path], verbs: VerbRunner
) -> None:
    shown, folder = folder_demo
    stats = verbs("replay", match_id_in(shown), "--stats", "--data", str(folder))
    assert re.match(rf"rebuilt {shown[-1].split()[1]} records in \d+\.\d ms, \d+ records/s", stats[0])
    assert match_id_in(shown) in verbs("matches", "--data", str(folder))[1]


def test_the_demo_of_a_seed_is_the_same_again_in_another_process(
    folder_demo: tuple[list[str], Path], verbs: VerbRunner, tmp_path: Path
) -> None:
    first, folder = folder_demo
    second = verbs.play("--seed", "3", *SMALL)
    assert match_id_in(first) != match_id_in(second)
    assert second[-1] == first[-1]
    assert last_line(second) == last_line(first)
    files = tmp_path / "first", tmp_path / "second"
    verbs("export", match_id_in(first), "-o", str(files[0]), "--data", str(folder))
    raws = files[0].read_bytes(), verbs.export(match_id_in(second), files[1])
    assert raws[0] != raws[1]
    assert comparable_records(raws[0]) == comparable_records(raws[1])


# ---------------------------------------------------------------- alike


def comparable_records(raw: bytes) -> list[Any]:
    """The events without what may differ, the locks of one step by seat."""
    parts: list[Any] = []
    locks: list[tuple[int, Any]] = []
    for body in map(DISKWARS.decode_body, read_file(raw).bodies):
        for part in (body.action, *body.events, body.result):
            seat = locking_seat(part, body.seat)
            if seat is not None:
                locks.append((seat, part))
            elif part is not None:
                parts += [public_value(lock) for _, lock in sorted(locks, key=lambda lock: lock[0])]
                locks = []
                parts.append(public_value(part))
    return parts


def locking_seat(part: object, actor: int | None) -> int | None:
    """Return the seat of what two seats may race for."""
    if isinstance(part, LockCard | Ready):
        return actor
    if isinstance(part, SeatNonceOpened | SeatReady | e.CardLocked):
        return part.seat
    return None


def public_value(value: object) -> Any:
    plain = msgspec.to_builtins(value)
    return without_private_fields(plain)


def without_private_fields(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_private_fields(inner) for name, inner in value.items() if name not in PRIVATE_FIELDS}
    return [without_private_fields(inner) for inner in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("change", ["card", "dice"])
def test_two_matches_that_were_not_played_alike_are_not_alike(change: str) -> None:
    seq, event = find_event(e.CardLocked) if change == "card" else find_event(e.InitiativeRolled)
    assert isinstance(event, e.CardLocked | e.InitiativeRolled)
    fields: dict[str, object] = {"card": "feint"} if isinstance(event, e.CardLocked) else {"highest": ()}
    assert comparable_records(
        write_match_file(seal_records(replace_event(greedy_records(), seq, **fields)))
    ) != comparable_records(write_match_file(seal_records(greedy_records())))
