"""The keywords of a disk: their ids, how each is printed, and the rule that says what it does."""

from typing import Literal, TypeAlias

from msgspec import Struct

KeywordId: TypeAlias = Literal[
    "emplace",
    "flank",
    "flying",
    "frenzy",
    "guard",
    "immune",
    "impact",
    "magic",
    "mobile",
    "poison",
    "relentless",
    "resistant",
    "scout",
    "slow",
    "stalwart",
    "strider",
    "swift",
]
KeywordKind: TypeAlias = Literal["physical", "arcane", "ranged", "impact", "guard", "strength", "counter", "both"]
"""The word that is printed in brackets after Immune, Resistant, Swift or Slow (`KEYWORDS` says after which)."""


class KeywordForm(Struct, frozen=True):
    """The printed form of a keyword, and the rule that says what it does.

    `has_amount`: it has an amount, such as Impact 3. `kinds`: what it may name in brackets, such as Immune (arcane);
    empty when it names nothing.
    """

    rule: str
    has_amount: bool = False
    kinds: tuple[KeywordKind, ...] = ()


SPEED_KINDS: tuple[KeywordKind, ...] = ("strength", "counter", "both")
TYPED_DAMAGE: tuple[KeywordKind, ...] = ("physical", "arcane")
"""R13.1: no typed keyword covers untyped damage."""
DAMAGE_SOURCES: tuple[KeywordKind, ...] = ("ranged", "impact", "guard")
"""R-75: what Immune and Resistant may name besides a type of damage."""

KEYWORDS: dict[KeywordId, KeywordForm] = {
    "emplace": KeywordForm("R16.5"),
    "flank": KeywordForm("R9.5"),
    "flying": KeywordForm("R8.7"),
    "frenzy": KeywordForm("R14.4"),
    "guard": KeywordForm("R16.2", has_amount=True),
    "immune": KeywordForm("R13.3.2", kinds=(*TYPED_DAMAGE, *DAMAGE_SOURCES)),
    "impact": KeywordForm("R8.5.2", has_amount=True),
    "magic": KeywordForm("R8.3", has_amount=True),
    "mobile": KeywordForm("R8.2"),
    "poison": KeywordForm("R16.4"),
    "relentless": KeywordForm("R8.6"),
    "resistant": KeywordForm("R13.3.1", kinds=(*TYPED_DAMAGE, *DAMAGE_SOURCES)),
    "scout": KeywordForm("R8.9"),
    "slow": KeywordForm("R14.1", kinds=SPEED_KINDS),
    "stalwart": KeywordForm("R16.3"),
    "strider": KeywordForm("R8.8"),
    "swift": KeywordForm("R14.1", kinds=SPEED_KINDS),
}
"""R16.1: every keyword of a disk."""
