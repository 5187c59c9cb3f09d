"""Salts of commitments: checks, and hidden draws for default answers."""

from collections.abc import Container

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_protocol.records.fairness import SALT_BYTES, is_hex

SALT_DIGITS = 2 * SALT_BYTES
ZERO_SALT = "0" * SALT_DIGITS
DOCUMENTED_SALT = "30470b578237067d9ec33fccf8e27539"
"""The salt of the example in docs/protocol.md."""
SALT_PLACE = "$.action.salt"


def check_salt(salt: str, published: Container[str]) -> None:
    """Refuse a salt with which the secret could be found by trying all possible ones. Raises `Illegal`.

    `published` are the salts that everybody knows. Those that are still secret are not compared: the refusal would
    tell one seat the salt of another.
    """
    if not is_hex(salt, SALT_BYTES):
        digits = {"digits": SALT_DIGITS, "given": len(salt)}
        text = f"a salt is {SALT_DIGITS} hex digits, in small letters; this one has {len(salt)} characters"
        raise Illegal("bad_salt", text, place=SALT_PLACE, numbers=digits)
    if salt == ZERO_SALT:
        raise Illegal("unsafe_salt", "a salt of zeros gives the secret away: draw random bytes", "", SALT_PLACE)
    if salt == DOCUMENTED_SALT:
        text = "everybody knows the salt of the documented example: draw random bytes"
        raise Illegal("unsafe_salt", text, "", SALT_PLACE)
    if salt in published:
        text = "this salt was published in this match: draw new random bytes for each lock"
        raise Illegal("unsafe_salt", text, "", SALT_PLACE)


def hidden_salt(dice: Dice, tag: str) -> str:
    """Draw a salt for a default answer. A public draw would advance the index that everybody sees."""
    return "".join(f"{dice.hidden(256, f'{tag} salt {n}'):02x}" for n in range(SALT_BYTES))
