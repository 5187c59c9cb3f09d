"""Receipts of the commands that have made the records of one match, in 40 bytes each.

A long match has hundreds, and keeps all of them: a client may send a command again whose answer it has lost. As strings
in a dict they took more memory than the state.
"""

from struct import Struct as Layout

from msgspec import Struct

KEY_BYTES, DIGEST_BYTES = 8, 32
_ZEROS = bytes(DIGEST_BYTES)
_pack_key = Layout("<q").pack


class CommandReceipt(Struct, frozen=True):
    """The record that a command has made. `digest` tells another command under the same id from it."""

    digest: str
    seq: int


class CommandReceipts:
    """The receipts of the commands of all records, by actor and command id; the last counts where there are several."""

    def __init__(self) -> None:
        # Of the record with this place, beginning with the first.
        self._keys, self._digests = bytearray(), bytearray()
        self._last_command, self._last_key = ("", ""), b""
        """The command that was looked up last: mostly it is the next that is added."""

    def __contains__(self, command: tuple[str, str]) -> bool:
        return self.find(*command) is not None

    def add(self, actor: str, command_id: str, digest: str) -> None:
        """Add the receipt of the next record. `digest` is 64 hex digits; zeros are kept for anything else."""
        if self._last_command != (actor, command_id):
            self._last_command = actor, command_id
            self._last_key = _pack_key(hash((actor, command_id)))
        self._keys += self._last_key
        try:
            # As long as the others, whatever it is: each has its place.
            self._digests += (bytes.fromhex(digest) + _ZEROS)[:DIGEST_BYTES]
        except ValueError:
            self._digests += _ZEROS

    def find(self, actor: str, command_id: str) -> CommandReceipt | None:
        """Return the receipt of a command of an actor."""
        # Python's own hash has a secret of the process: nobody can choose two ids with one key. By chance two of a
        # thousand have the same once in 10^13 matches.
        self._last_command = actor, command_id
        self._last_key = key = _pack_key(hash(self._last_command))
        keys = self._keys
        if key not in keys:  # nearly always
            return None
        at = keys.rfind(key)
        while at > 0 and at % KEY_BYTES:  # across the end of one key and the beginning of the next
            at = keys.rfind(key, 0, at + KEY_BYTES - 1)
        if at < 0:
            return None
        place = at // KEY_BYTES
        digest = self._digests[place * DIGEST_BYTES : (place + 1) * DIGEST_BYTES]
        return CommandReceipt(digest.hex(), place + 1)
