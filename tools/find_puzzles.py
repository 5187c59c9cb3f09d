#!/usr/bin/env python3
"""Find puzzles in played matches, and write them to the package of puzzles.

    diskwars simulate --ruleset pit --matches 200 --bots greedy,mild --seed 41 --records pit.jsonl.zst
    python -m tools.find_puzzles pit pit.jsonl.zst --count 15

The same matches and effort give the same puzzles. At most one comes from each match and side.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from diskwars_bots.rulesets.registry import find_bots
from diskwars_bots.search.puzzles import FoundPuzzle, PuzzleEffort, find_puzzles
from diskwars_cli.plugs.record_streams import read_stream
from diskwars_client.replays import replay_file
from diskwars_content.puzzles import Puzzle, PuzzleChoice
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.messages.reviews import PER_MILLE
from diskwars_protocol.records.records import WireRecord

FOLDER = Path(__file__).parents[1] / "server/diskwars_content/puzzles/files"
MAX_KIND_SHARE = 0.6
"""The part of a game's puzzles that may be about the same kind of question."""
ASKED = {
    "diskwars": frozenset({"activation", "command_card", "engage_ability", "engagement", "melee_targets"}),
    "pit": frozenset({"attack_declaration", "combat", "concession", "engagement", "fighter", "movement", "target"}),
    "close_quarters": frozenset(
        {"activation", "consolidation", "defensive_fire", "next_unit", "shooting", "unit_action", "weapon"}
    ),
    "regiments": frozenset({"order"}),
}
"""By game: the questions whose answers differ in what is done with which pieces."""
_JSON = msgspec.json.Encoder()
_LINES = msgspec.json.Decoder(WireRecord)


def puzzles_of(game: str, file: bytes, effort: PuzzleEffort) -> Iterator[tuple[Seat, FoundPuzzle]]:
    """Yield the clearest puzzle of each seat of a match."""
    search = find_bots(game).game
    if search is None:
        raise ValueError(f"there is no search for {game}")
    replay = replay_file(file)
    for seat in range(len(replay.state(1).seats)):
        found = list(find_puzzles(search, replay, seat, ASKED[game], effort))
        if found:
            yield seat, max(found, key=lambda puzzle: puzzle.chances[0] - puzzle.chances[1])


def make_puzzle(game: str, id: str, file: bytes, seat: Seat, found: FoundPuzzle, play_outs: int) -> Puzzle:
    """Return a puzzle with its answers in an order that says nothing, and the file that a seat saw until then."""
    choices = [
        PuzzleChoice(msgspec.Raw(_JSON.encode(action)), round(PER_MILLE * chance))
        for action, chance in zip(found.answers, found.chances, strict=True)
    ]
    random.Random(id).shuffle(choices)
    error = min(PER_MILLE, round(PER_MILLE * found.error))
    return Puzzle(MatchId(id), game, seat, tuple(choices), play_outs, error, seen_file(file, seat, found.seq - 1))


def seen_file(file: bytes, seat: Seat, last: int) -> str:
    """Return a match file up to a record, without what the seat could not see."""
    header, *lines = file.splitlines()[: last + 1]
    shown = [header]
    for line in lines:
        record = _LINES.decode(line)
        openings = tuple(opening for opening in record.openings if not opening.seats or seat in opening.seats)
        shown.append(_JSON.encode(replace(record, openings=openings)))
    return b"".join(line + b"\n" for line in shown).decode()


def find(game: str, records: Sequence[str], count: int, effort: PuzzleEffort) -> Iterator[Puzzle]:
    """Yield a number of puzzles, numbered from 1; the files of records take turns, so that all are there."""
    kinds: Counter[str] = Counter()
    number = 0
    sources = [_search(game, name, effort) for name in records]
    while sources and number < count:
        source = sources.pop(0)
        for file, seat, found in source:
            kind = type(found.decision.question).__name__
            if kinds[kind] < MAX_KIND_SHARE * count:
                kinds[kind] += 1
                number += 1
                yield make_puzzle(game, f"{game.replace('_', '-')}-{number:02}", file, seat, found, effort.play_outs)
                sources.append(source)
                break


def _search(game: str, name: str, effort: PuzzleEffort) -> Iterator[tuple[bytes, Seat, FoundPuzzle]]:
    """Yield the puzzles of a file of matches."""
    for file in read_stream("records", name):
        for seat, found in puzzles_of(game, file, effort):
            yield file, seat, found


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("records", nargs="+", help="files that simulate --records wrote")
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("--play-outs", type=int, default=PuzzleEffort().play_outs)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    options = parser.parse_args(words)
    effort = PuzzleEffort(play_outs=options.play_outs)
    count = 0
    for puzzle in find(options.game, options.records, options.count, effort):
        (options.folder / f"{puzzle.puzzle}.json").write_bytes(_JSON.encode(puzzle) + b"\n")
        best, *rest = sorted((choice.wins for choice in puzzle.choices), reverse=True)
        print(f"{puzzle.puzzle}: {best} {rest} of {PER_MILLE}, error {puzzle.error}", flush=True)
        count += 1
    return 0 if count == options.count else 1


if __name__ == "__main__":
    sys.exit(main())
