"""The rows of tests/vectors/forecasts.json with their boards, for tests of what the terminal forecasts."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from diskwars_protocol.rulesets.diskwars import terrain
from diskwars_protocol.rulesets.diskwars.board import Board, Disk
from diskwars_protocol.rulesets.diskwars.events import Pin

Json: TypeAlias = Any  # what json.loads gives
FILE = Path(__file__).parents[3] / "vectors" / "forecasts.json"
VECTORS: Json = json.loads(FILE.read_text("utf-8"))


def judged_rows(kind: str) -> Iterator[tuple[Board, Json]]:
    """Yield each row of one kind with the board on which the engine judged it."""
    for group in VECTORS[kind]:
        board = read_board(group["board"])
        for row in group["rows"]:
            yield (fight_board(board, row) if kind == "fights" else board), row


def read_board(board: Json) -> Board:
    """Return a board; a profile that is made up for the vectors may have an empty short name, which no pack allows."""
    profiles = [{**one, "short_name": one.get("short_name") or one["name"]} for one in board["profiles"]]
    return msgspec.convert({**board, "profiles": profiles}, Board)


def fight_board(board: Board, row: Json) -> Board:
    """Return the board as an engagement begins."""
    disks, pins = msgspec.convert((row["disks"], row["pins"]), tuple[tuple[Disk, ...], tuple[Pin, ...]])
    return replace(board, disks=disks, pins=pins)


def landed(board: Board, disk: int, x: int, y: int) -> Board:
    """Return the board with a disk that has flipped to (x, y); its pins stay as they were."""
    ground = terrain.pieces_under(board, disk, x, y)
    moved = replace(board.disks[disk], x=x, y=y, terrain=ground)
    return replace(board, disks=(*board.disks[:disk], moved, *board.disks[disk + 1 :]))


def flip_to(board: Board, row: Json) -> tuple[int, int]:
    """Return the flip that brings the disk of a row to its place."""
    now = board.disks[row["disk"]]
    return row["x"] - now.x, row["y"] - now.y


def path_of(board: Board, row: Json) -> tuple[tuple[int, int], ...]:
    """Return the flips that bring the disk of a row to each of its places."""
    now = board.disks[row["disk"]]
    places = [(now.x, now.y), *row["places"]]
    return tuple((x - x0, y - y0) for (x0, y0), (x, y) in pairwise(places))
