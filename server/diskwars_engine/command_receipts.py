"""Receipts of the commands that have made the records of one match, in 48 bytes each.

A long match has hundreds, and keeps all of them: a client may send a command again whose answer it has lost. As strings
in a dict they took more memory than the state.
"""

from msgspec import Struct

KEY_BYTES = 8
ENTRY_BYTES = 40
"""A digest of 32 bytes, and the seq of the record."""


class CommandReceipt(Struct, frozen=True):
    """The record that a command has made. `digest` tells another command under the same id from it."""

    digest: str
    seq: int


class CommandReceipts:
    """The receipts of accepted commands, by actor and command id; the last counts where there are several."""

    def __init__(self) -> None:
        self._keys, self._entries = bytearray(), bytearray()

    def __contains__(self, command: tuple[str, str]) -> bool:
        return self.find(*command) is not None

    def add(self, actor: str, command_id: str, digest: str, seq: int) -> None:
        """Add a receipt. `digest` is 64 hex digits; of anything else, which no command has, nothing is kept."""
        kept = bytes.fromhex(digest) if len(digest) == 64 else bytes(32)
        self._keys += _key(actor, command_id)
        self._entries += kept + seq.to_bytes(ENTRY_BYTES - 32, "little")

    def find(self, actor: str, command_id: str) -> CommandReceipt | None:
        """Return the receipt of a command of an actor."""
        keys, key = self._keys, _key(actor, command_id)
        at = keys.rfind(key)
        while at > 0 and at % KEY_BYTES:  # across the end of one key and the beginning of the next
            at = keys.rfind(key, 0, at + KEY_BYTES - 1)
        if at < 0:
            return None
        start = at // KEY_BYTES * ENTRY_BYTES
        entry = self._entries[start : start + ENTRY_BYTES]
        return CommandReceipt(entry[:32].hex(), int.from_bytes(entry[32:], "little"))


def _key(actor: str, command_id: str) -> bytes:
    # Python's own hash has a secret of the process: nobody can choose two ids with one key. By chance two of a thousand
    # have the same once in 10^13 matches.
    return hash((actor, command_id)).to_bytes(KEY_BYTES, "little", signed=True)
