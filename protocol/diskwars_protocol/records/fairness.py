"""Fair dice: hash chains of server and seats, step keys, draws and shuffles, and commitments to cards.

Nobody can choose or predict the dice, and everybody can check them afterwards; docs/fairness.md is the specification.
Callers pass in all secrets; this module draws none.
"""

import hashlib
import hmac
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from diskwars_protocol.schema_types import MAX_INTEGER, AtLeastZero

SERVER_CHAIN_LENGTH = 512
SEAT_CHAIN_LENGTH = 512
MAX_SEATS = 4
SERVER_LINK_BYTES = 32
SEAT_LINK_BYTES = 16
SALT_BYTES = 16
ZERO_SEAT_NONCE = bytes(SEAT_LINK_BYTES)
ZERO_NONCE_TEXT = ZERO_SEAT_NONCE.hex()
"""The entry in an event for a seat that gives nothing to a step."""
Entropy: TypeAlias = Callable[[int], bytes]
"""Returns this many secret bytes: `secrets.token_bytes`, or a repeatable stream."""
INITIAL_KEY = bytes(32)

_CHECKPOINT_INTERVAL = 64
_UINT64_VALUES = 2**64
_CARD_TAG = b"diskwars command card 1"

SeatNonces: TypeAlias = tuple[str, ...]
"""The nonces that the seats contribute to one step, in seat order: 32 lower-case hex digits each, or "" for none."""


class FairnessError(Exception):
    """Base class of the errors of this module."""


class ChainExhausted(FairnessError):
    """Error for a link that a hash chain does not have."""


class BadLink(FairnessError):
    """Error for a published link of the server that does not belong to its chain."""

    def __init__(self, step: int, why: str) -> None:
        super().__init__(f"step {step}: {why}")
        self.step = step
        self.problem = why


class BadSeatNonce(FairnessError):
    """Error for a value that is no seat nonce, or for more nonces than seats."""


class NoStepBegun(FairnessError):
    """Error for dice that are rolled before the first step has begun."""


# --- chains ---------------------------------------------------------------------------------------------------------


class ServerChain:
    """The server's hash chain: link(k) = SHA-256(link(k + 1)), from a secret far end down to the anchor, link 0.

    Keeps every 64th link, and the 64 links around the last one used, because steps come one after another. Keeping all
    links would cost a live match more memory, keeping none a walk from the far end for each step. A link costs at most
    64 hashes.
    """

    def __init__(self, far_end: bytes) -> None:
        if len(far_end) != SERVER_LINK_BYTES:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SERVER_LINK_BYTES}")
        self._checkpoints = {SERVER_CHAIN_LENGTH: far_end}
        link, sha256 = far_end, hashlib.sha256
        for k in range(SERVER_CHAIN_LENGTH - _CHECKPOINT_INTERVAL, 0, -_CHECKPOINT_INTERVAL):
            for _ in range(_CHECKPOINT_INTERVAL):
                link = sha256(link).digest()
            self._checkpoints[k] = link
        self._recent_links = _CHECKPOINT_INTERVAL, _links_below(link)  # the first steps use these
        self._checkpoints[0] = sha256(self._recent_links[1][-1]).digest()

    def forget_links(self) -> None:
        """Keep every 64th link only, until one is used again: 64 hashes then."""
        self._recent_links = -1, []

    @property
    def anchor(self) -> bytes:
        """Link 0, published in the first record of the match."""
        return self._checkpoints[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k <= SERVER_CHAIN_LENGTH:
            raise ChainExhausted(f"the server's chain has no link {k}")
        above = -(-k // _CHECKPOINT_INTERVAL) * _CHECKPOINT_INTERVAL
        if above == k:
            return self._checkpoints[k]
        if self._recent_links[0] != above:
            self._recent_links = above, _links_below(self._checkpoints[above])
        return self._recent_links[1][above - k]


def _links_below(link: bytes) -> list[bytes]:
    """Return a link and the 63 links below it, in descending order."""
    links, sha256 = [link], hashlib.sha256
    for _ in range(_CHECKPOINT_INTERVAL - 1):
        link = sha256(link).digest()
        links.append(link)
    return links


class SeatChain:
    """A player's hash chain of 16-byte links; `link(1)` is opened first. The caller keeps the index."""

    def __init__(self, far_end: bytes, length: int = SEAT_CHAIN_LENGTH) -> None:
        if len(far_end) != SEAT_LINK_BYTES:
            raise ValueError(f"the far end has {len(far_end)} bytes, not {SEAT_LINK_BYTES}")
        links = [far_end]
        for _ in range(length):
            links.append(_hash_seat_link(links[-1]))
        self._links = tuple(reversed(links))

    @property
    def head(self) -> bytes:
        """Link 0, which the player sends to the server when taking the seat."""
        return self._links[0]

    def link(self, k: int) -> bytes:
        if not 0 <= k < len(self._links):
            raise ChainExhausted(f"this seat's chain has no link {k}")
        return self._links[k]


def is_next_nonce(head: bytes, nonce: bytes) -> bool:
    """Return whether `nonce` follows `head`, the last nonce that a seat has opened, or its chain head."""
    return len(nonce) == SEAT_LINK_BYTES and _hash_seat_link(nonce) == head


def is_seat_nonce(text: str) -> bool:
    """Return whether a text has the form of a seat nonce or chain head: 32 lower-case hex digits."""
    return is_hex(text, SEAT_LINK_BYTES)


def is_hex(text: str, size: int) -> bool:
    """Return whether a text is `size` bytes in lower-case hex."""
    # `strip` runs in C; a comparison digit by digit was visible in profiles. `bytes.fromhex` would accept blanks.
    return len(text) == 2 * size and not text.strip("0123456789abcdef")


def _hash_seat_link(link: bytes) -> bytes:
    return hashlib.sha256(link).digest()[:SEAT_LINK_BYTES]


# --- keys -----------------------------------------------------------------------------------------------------------


def seat_nonce_bytes(nonces: SeatNonces) -> tuple[bytes, ...]:
    """Decode the seat nonces of an event; a missing one becomes 16 zero bytes. Raises `BadSeatNonce`."""
    for nonce in nonces:
        if nonce and not is_seat_nonce(nonce):
            raise BadSeatNonce(f"{nonce!r} is not a nonce of {SEAT_LINK_BYTES} bytes in lower-case hex")
    return tuple(bytes.fromhex(nonce) if nonce else ZERO_SEAT_NONCE for nonce in nonces)


def derive_step_key(step_link: bytes, previous_key: bytes, nonces: tuple[bytes, ...]) -> bytes:
    """Derive the key of a step: HMAC-SHA256(link, previous key | for each of four seats its number and its nonce).

    Seat numbers are one byte, 0 to 3; a seat that is missing or contributes nothing has 16 zero bytes. The key depends
    on the previous one, so every nonce affects all later steps as well.
    """
    return hmac.digest(step_link, previous_key + _pack_seat_nonces(nonces), "sha256")


def _pack_seat_nonces(nonces: tuple[bytes, ...]) -> bytes:
    """Concatenate the nonces of all four seats, each after its seat number, so that no two sets pack alike."""
    if len(nonces) > MAX_SEATS or any(len(nonce) != SEAT_LINK_BYTES for nonce in nonces):
        raise BadSeatNonce(f"a step takes at most {MAX_SEATS} nonces of {SEAT_LINK_BYTES} bytes")
    padded = nonces + (ZERO_SEAT_NONCE,) * (MAX_SEATS - len(nonces))
    return b"".join(bytes([seat]) + nonce for seat, nonce in enumerate(padded))


def replay_keys(anchor: str, links: Sequence[str], nonces: Sequence[SeatNonces]) -> tuple[bytes, ...]:
    """Compute the keys of steps 1, 2, … from published links, for verification.

    `links[i]` is the published link of step i + 1, `nonces[i]` the seat nonces of that step. Raises `BadLink` for a
    link whose hash is not the one before it (the anchor, for the first), and `BadSeatNonce`.
    """
    keys: list[bytes] = []
    last, previous = anchor, INITIAL_KEY
    for step, (link, step_nonces) in enumerate(zip(links, nonces, strict=False), 1):
        if not is_hex(link, SERVER_LINK_BYTES) or hashlib.sha256(bytes.fromhex(link)).hexdigest() != last:
            raise BadLink(step, "the server's link does not lead to the one before it")
        previous = derive_step_key(bytes.fromhex(link), previous, seat_nonce_bytes(step_nonces))
        last = link
        keys.append(previous)
    return tuple(keys)


# --- draws ----------------------------------------------------------------------------------------------------------


DiceKind: TypeAlias = Literal["number_dice", "symbol_dice", "pick"]
DrawKind: TypeAlias = Literal["number_dice", "symbol_dice", "pick", "shuffle"]
SHUFFLE: DrawKind = "shuffle"
DrawTag: TypeAlias = Annotated[str, Meta(pattern="^[a-z0-9]+( [a-z0-9]+)*$", max_length=64)]


class Draw(msgspec.Struct, frozen=True, gc=False):
    """Dice in an event, with everything needed to compute them again from the step key.

    Dice of numbers or symbols have `size` sides; each of `results` is a face, 1 to `size`, and uses one index. What
    symbol a face shows is the ruleset's own. A pick is drawn like a die, and says which of `size` things it is, counted
    from 1. A shuffle has `size` items; `results` is the new order as old positions, 0
    to `size` - 1, and uses `size` - 1 indices. `tag` says what was drawn for.
    """

    step: Annotated[int, Meta(ge=1, extra_json_schema={"maximum": MAX_INTEGER})]
    index: Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MAX_INTEGER})]
    kind: DrawKind
    size: Annotated[int, Meta(ge=0, extra_json_schema={"maximum": MAX_INTEGER})]
    tag: DrawTag
    results: Annotated[tuple[AtLeastZero, ...], Meta(max_length=4096)]


def draw_number(key: bytes, index: int, tag: str, n: int) -> int:
    """Draw a number from 0 to n - 1, all equally likely. Raises `ValueError` unless n is 1 to 2^64."""
    if not 1 <= n <= _UINT64_VALUES:
        raise ValueError(f"cannot draw one of {n}")
    # Values from the last multiple of n below 2^64 on are drawn again: a plain remainder would favour small numbers.
    limit = _UINT64_VALUES - _UINT64_VALUES % n
    attempt = 0
    while True:
        message = index.to_bytes(8, "big") + attempt.to_bytes(4, "big") + tag.encode()
        value = int.from_bytes(hmac.digest(key, message, "sha256")[:8], "big")
        if value < limit:
            return value % n
        attempt += 1


def draw_dice(key: bytes, index: int, tag: str, sides: int, count: int) -> tuple[int, ...]:
    """Roll `count` dice with faces 1 to `sides`, using consecutive indices."""
    return tuple(1 + draw_number(key, index + i, tag, sides) for i in range(count))


def draw_shuffle(key: bytes, index: int, tag: str, count: int) -> tuple[int, ...]:
    """Shuffle 0 to count - 1 by Fisher-Yates, from the last position down; each swap uses one index."""
    order = list(range(count))
    for place in range(count - 1, 0, -1):
        other = draw_number(key, index, tag, place + 1)
        order[place], order[other] = order[other], order[place]
        index += 1
    return tuple(order)


def next_index(drawn: Draw) -> int:
    """Return the first unused index after a draw."""
    used = len(drawn.results) if drawn.kind != SHUFFLE else max(0, drawn.size - 1)
    return drawn.index + used


def check_draw(drawn: Draw, key: bytes) -> bool:
    """Return whether a step key gives exactly the faces of a draw."""
    # The draw may come from a forged record: numbers that cannot be encoded must fail the check, not raise.
    if not (0 <= drawn.index < 2**53 and 0 <= drawn.size < 2**53):
        return False
    if drawn.kind == SHUFFLE:
        # The lengths come first, so that a forged size cannot make this compute a huge shuffle.
        return len(drawn.results) == drawn.size and drawn.results == draw_shuffle(
            key, drawn.index, drawn.tag, drawn.size
        )
    return drawn.size > 0 and drawn.results == draw_dice(key, drawn.index, drawn.tag, drawn.size, len(drawn.results))


# --- dice for the engine --------------------------------------------------------------------------------------------


class DiceCursor(msgspec.Struct, frozen=True, gc=False):
    """Step and index of the next draw of a match, with its keys; `key` and `deal_key` are secret."""

    step: int = 0
    index: int = 0
    key: bytes = INITIAL_KEY
    deal_key: bytes = b""


class FairDice:
    """The dice of one match. Drawing moves the cursor; after a refused action the caller restores the one before."""

    def __init__(self, server: ServerChain, deal_secret: bytes, cursor: DiceCursor | None = None) -> None:
        self._chain = server
        self._deal_secret = deal_secret
        self.cursor = cursor or DiceCursor()

    @property
    def index(self) -> int:
        return self.cursor.index

    def begin_step(self, nonces: SeatNonces) -> str:
        """Begin the next step with the nonces of the seats, and return the link to publish now.

        That is the link of the step before: published any earlier, it would let players compute dice that are still to
        be rolled. Step 1 is the setup; its nonces are those opened at ready, on which hidden draws depend as well.
        """
        cursor, nonce_bytes = self.cursor, seat_nonce_bytes(nonces)
        self.cursor = DiceCursor(
            step=cursor.step + 1,
            index=0,
            key=derive_step_key(self._chain.link(cursor.step + 1), cursor.key, nonce_bytes),
            deal_key=cursor.deal_key or deal_key(self._deal_secret, nonce_bytes),
        )
        return self._chain.link(cursor.step).hex()

    def roll(self, kind: DiceKind, sides: int, count: int, tag: str) -> Draw:
        """Roll `count` dice with faces 1 to `sides`."""
        cursor = self._require_begun()
        faces = draw_dice(cursor.key, cursor.index, tag, sides, count)
        return self._advance(Draw(cursor.step, cursor.index, kind, sides, tag, faces))

    def shuffle(self, count: int, tag: str) -> Draw:
        """Draw a new order of `count` items."""
        cursor = self._require_begun()
        faces = draw_shuffle(cursor.key, cursor.index, tag, count)
        return self._advance(Draw(cursor.step, cursor.index, SHUFFLE, count, tag, faces))

    def draw_hidden(self, sides: int, tag: str) -> int:
        """Draw a secret number from 0 to sides - 1. Moves no index, so each tag must be used once in a match."""
        return draw_number(self._require_begun().deal_key, 0, tag, sides)

    def _require_begun(self) -> DiceCursor:
        if not self.cursor.step:
            raise NoStepBegun("no dice before the first step")
        return self.cursor

    def _advance(self, drawn: Draw) -> Draw:
        self.cursor = msgspec.structs.replace(self.cursor, index=next_index(drawn))
        return drawn


def restore_dice(
    server: ServerChain, deal_secret: bytes, nonces: Iterable[SeatNonces], index: int, before: DiceCursor | None = None
) -> FairDice:
    """Restore the dice of a match from the seat nonces of its steps; `index` is the next one of the last step.

    With `before`, the nonces are only those of the steps after that cursor. Deriving all steps again for every decision
    took two fifths of an activation; see bench/profiles.md.
    """
    dice = FairDice(server, deal_secret, before)
    for step_nonces in nonces:
        dice.begin_step(step_nonces)
    dice.cursor = msgspec.structs.replace(dice.cursor, index=index)
    return dice


# --- commitments ----------------------------------------------------------------------------------------------------


def card_commitment(match: str, step: int, seat: int, card: str, salt: bytes) -> str:
    """Compute the commitment to a locked card."""
    return secret_commitment(_CARD_TAG, match, step, seat, card, salt)


def secret_commitment(tag: bytes, match: str, step: int, seat: int, secret: str, salt: bytes) -> str:
    """Compute the commitment to a secret answer: SHA-256 over length-prefixed fields, as hex.

    The tag says what kind of answer it is. Match, step and seat are included so that a commitment cannot be copied to
    another lock; the length prefixes keep different fields from giving the same bytes.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt of {len(salt)} bytes, not {SALT_BYTES}")
    fields = (tag, match.encode(), str(step).encode(), str(seat).encode(), secret.encode(), salt)
    return hashlib.sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


def command_digest(command: bytes) -> str:
    """Compute the digest that tells commands with the same id apart: SHA-256 of the canonical JSON, as hex."""
    return hashlib.sha256(command).hexdigest()


CLOSE_DIGEST = command_digest(b'[null,{"type":"close_match"}]')
"""The digest of every command that closes a match: it answers no decision and says no more than its type."""


def deal_commitment(deal_secret: bytes) -> str:
    """Compute the SHA-256 of the deal secret. The first record publishes it, the last record the secret itself."""
    return hashlib.sha256(deal_secret).hexdigest()


def deal_key(deal_secret: bytes, nonces: tuple[bytes, ...]) -> bytes:
    """Derive the key of all hidden draws from the deal secret and the nonces that the seats opened at ready."""
    return hmac.digest(deal_secret, _pack_seat_nonces(nonces), "sha256")


# --- reproducible secrets -------------------------------------------------------------------------------------------


def seeded_entropy(seed: int, label: str) -> Callable[[int], bytes]:
    """Return a byte source that depends on seed and label alone, as a replacement for real randomness.

    For simulations and demonstrations only: anybody who knows the seed can compute every die.
    """
    secret = f"diskwars seed {seed}".encode()
    block = 0
    left = b""

    def stream(size: int) -> bytes:
        nonlocal block, left
        while len(left) < size:
            left += hmac.digest(secret, block.to_bytes(8, "big") + label.encode(), "sha256")
            block += 1
        taken, left = left[:size], left[size:]
        return taken

    return stream
