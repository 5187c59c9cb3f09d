"""Cache of encoded history, shared by the matches of a server, so that later spectators cost a copy."""

from collections import OrderedDict
from typing import Literal, TypeAlias

from msgspec import Struct

from diskwars_protocol.connection.connection import SharedFrame
from diskwars_protocol.match.ids import MatchId

FRAME_CACHE_BYTES = 32 * 1024 * 1024
"""For a whole server: about a hundred matches of usual length."""

BlockKey: TypeAlias = tuple[MatchId, Literal["records", "openings"], int]
"""A match, what of its records is in the block, and the number of the block."""


class Block(Struct, frozen=True):
    """Some records of a match, or their openings, as one frame; `is_secret` when not everybody is shown the same."""

    frame: SharedFrame
    is_secret: bool


class FrameCache:
    """Keeps the blocks that were used last, up to a number of bytes."""

    def __init__(self, max_bytes: int = FRAME_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._blocks: OrderedDict[BlockKey, Block] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._blocks)

    def get(self, key: BlockKey) -> Block | None:
        block = self._blocks.get(key)
        if block is not None:
            self._blocks.move_to_end(key)
        return block

    def put(self, key: BlockKey, block: Block) -> None:
        before = self._blocks.pop(key, None)
        self._bytes += len(block.frame.frame) - (len(before.frame.frame) if before else 0)
        self._blocks[key] = block
        while self._bytes > self._max_bytes:
            _, oldest = self._blocks.popitem(last=False)
            self._bytes -= len(oldest.frame.frame)
