"""The demo shows a whole match, stores it, and plays the same one again from the same seed."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from diskwars_client.verify import verify
from diskwars_protocol import match as mt
from diskwars_protocol.match_file import read_file
from diskwars_protocol.rulesets.diskwars import events as e
from diskwars_protocol.rulesets.diskwars.actions import LockCard
from diskwars_protocol.rulesets.diskwars.vocabulary import DISKWARS
from tests.client.match_files import find_event, greedy_records, replace_event, seal_records, write_match_file

SECONDS = 60
PRIVATE_FIELDS = {"match", "opener", "player", "decision", "digest", "at_ms", "commitment", "id"}
"""Ids, times, commitments and hashes: what differs between two matches that were played alike."""


async def diskwars(*words: str) -> list[str]:
    """Return what a command of its own process prints; nothing on its standard error, and no fault."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "diskwars_cli",
        *words,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(SECONDS):
        said, complained = await process.communicate()
    assert (process.returncode, complained.decode()) == (0, "")
    return said.decode().splitlines()


def match_id_in(lines: list[str]) -> str:
    return lines[-2].removeprefix("match ")


async def export(database_url: str, match: str, file: Path) -> bytes:
    await diskwars("export", match, "-o", str(file), "--database-url", database_url)
    return file.read_bytes()


async def test_the_demo_of_a_seed_ends_with_a_winner_and_is_the_same_again(database_url: str, tmp_path: Path) -> None:
    store = ("--database-url", database_url)
    first = await diskwars("demo", "--seed", "7", *store)
    second = await diskwars("demo", "--seed", "7", *store)
    result, _, again, match, count = first[-5:]
    assert again == f"replay with: diskwars replay {match_id_in(first)}"
    assert re.fullmatch(r"match [a-z0-9]+", match)
    assert re.fullmatch(r"records \d{2,4}", count)
    assert re.match(r"(Nobody|\w+ Patrol|High Elf Patrol)( [AB])? won: ", result)
    assert match_id_in(first) != match_id_in(second)
    assert (second[-5], second[-1]) == (result, count)
    raws = [await export(database_url, match_id_in(lines), tmp_path / "match") for lines in (first, second)]
    assert raws[0] != raws[1]
    assert comparable_records(raws[0]) == comparable_records(raws[1])
    verdict = verify(raws[0])
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, True)
    assert f"records {verdict.records}" == count


async def test_the_demo_plays_what_simulate_plays(database_url: str) -> None:
    shown = await diskwars("demo", "--seed", "11", "--bots", "greedy,random", "--database-url", database_url)
    simulated = await diskwars("simulate", "--seed", "11", "--bots", "greedy,random")
    assert f"{shown[-1]} " in simulated[0]
    assert f"winner {shown[-5].partition(' won: ')[0]} (" in simulated[0]


@pytest.mark.parametrize("players", [3, 4])
async def test_three_and_four_play_with_a_full_set_up(database_url: str, tmp_path: Path, players: int) -> None:
    words = ("--seed", "5", "--players", str(players), "--setup", "full")
    shown = await diskwars("demo", *words, "--database-url", database_url)
    assert [line.split()[0] for line in shown[-3:]] == ["replay", "match", "records"]
    verdict = verify(await export(database_url, match_id_in(shown), tmp_path / "match"))
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, True)
    assert f"records {verdict.records}" == shown[-1]
    said = await diskwars("verify", str(tmp_path / "match"))
    assert said
    assert f"{shown[-1]} " in (await diskwars("simulate", *words))[0]


async def test_a_demo_without_a_seed_is_not_repeatable(database_url: str, tmp_path: Path) -> None:
    lines = await diskwars("demo", "--bots", "random", "--armies", "empire,chaos", "--database-url", database_url)
    verdict = verify(await export(database_url, match_id_in(lines), tmp_path / "match"))
    assert (verdict.is_redecided, verdict.is_repeatable) == (True, False)


async def test_a_demo_in_a_folder_of_its_own_can_be_replayed_from_there(open_folder: Path) -> None:
    data = ("--data", str(open_folder / "demo data"))
    shown = await diskwars("demo", "--seed", "3", "--board", *data)
    assert shown[-3].endswith(f"--data '{open_folder}/demo data'")
    assert sum("── A ──" in line for line in shown) in range(1, 6)
    replayed = await diskwars("replay", match_id_in(shown), *data)
    assert replayed[-1] == next(line for line in reversed(shown[:-3]) if line)
    stats = await diskwars("replay", match_id_in(shown), "--stats", *data)
    assert re.match(rf"rebuilt {shown[-1].split()[1]} records in \d+\.\d ms, \d+ records/s", stats[0])
    assert match_id_in(shown) in (await diskwars("matches", *data))[1]


# ---------------------------------------------------------------- alike


def comparable_records(raw: bytes) -> list[Any]:
    """The events without what may differ, the locks of one step by seat."""
    found: list[Any] = []
    locks: list[tuple[int, Any]] = []
    for body in map(DISKWARS.decode_body, read_file(raw).bodies):
        for part in (body.action, *body.events, body.result):
            seat = locking_seat(part, body.seat)
            if seat is not None:
                locks.append((seat, part))
            elif part is not None:
                found += [public_value(lock) for _, lock in sorted(locks, key=lambda lock: lock[0])]
                locks = []
                found.append(public_value(part))
    return found


def locking_seat(part: object, actor: int | None) -> int | None:
    """Return the seat of what two seats may race for."""
    if isinstance(part, LockCard | mt.Ready):
        return actor
    if isinstance(part, mt.SeatNonceOpened | mt.SeatReady | e.CardLocked):
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
