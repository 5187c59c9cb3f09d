"""Meaning of the keywords of a disk: one function per keyword, asked of what is printed.

Knows no position: a keyword is a printed stat.
"""

from typing import Literal

from msgspec import Struct

from diskwars_protocol.rulesets.diskwars.events import Speed
from diskwars_protocol.rulesets.diskwars.stats import Amount, Profile

AttackKind = Literal["strength", "counter"]


class KeywordForm(Struct, frozen=True):
    """How a keyword is printed, and the rule that says what it does.

    `amount`: it has an amount, such as Impact 3. `of`: what it names in brackets, such as Immune (arcane); empty
    when it names nothing.
    """

    rule: str
    amount: bool = False
    of: tuple[str, ...] = ()


SPEED_OF = ("strength", "counter", "both")
DAMAGE_OF = ("physical", "arcane")
"""R13.1: no typed keyword covers untyped damage."""

KEYWORDS: dict[str, KeywordForm] = {
    "Emplace": KeywordForm("R16.5"),
    "Flank": KeywordForm("R9.5"),
    "Flying": KeywordForm("R8.7"),
    "Frenzy": KeywordForm("R14.4"),
    "Guard": KeywordForm("R16.2", amount=True),
    "Immune": KeywordForm("R13.3.2", of=(*DAMAGE_OF, "ranged")),
    "Impact": KeywordForm("R8.5.2", amount=True),
    "Magic": KeywordForm("R8.3", amount=True),
    "Mobile": KeywordForm("R8.2"),
    "Poison": KeywordForm("R16.4"),
    "Relentless": KeywordForm("R8.6"),
    "Resistant": KeywordForm("R13.3.1", of=DAMAGE_OF),
    "Scout": KeywordForm("R8.9"),
    "Slow": KeywordForm("R14.1", of=SPEED_OF),
    "Stalwart": KeywordForm("R16.3"),
    "Strider": KeywordForm("R8.8"),
    "Swift": KeywordForm("R14.1", of=SPEED_OF),
}
"""R16.1: every keyword of a disk."""


def has_keyword(profile: Profile, name: str, of: str = "") -> bool:
    return (name, of) in [(keyword.name, keyword.of) for keyword in profile.keywords]


def is_frenzied(profile: Profile) -> bool:
    """Return whether a disk strikes every engaged enemy when it attacks (R14.4)."""
    return has_keyword(profile, "Frenzy")


def is_mobile(profile: Profile) -> bool:
    """Return whether a disk may both move and shoot, or both move and focus (R8.2)."""
    return has_keyword(profile, "Mobile")


def is_flying(profile: Profile) -> bool:
    """Return whether a disk flies over its intermediate landings (R8.7)."""
    return has_keyword(profile, "Flying")


def is_relentless(profile: Profile) -> bool:
    """Return whether the first landing on enemies does not end a move (R8.6)."""
    return has_keyword(profile, "Relentless")


def ignores_terrain(profile: Profile) -> bool:
    """Return whether terrain has no effect on a disk during its movement (R8.8)."""
    return has_keyword(profile, "Strider")


def can_flank(profile: Profile) -> bool:
    """Return whether a disk may be reinforced at any edge (R9.5)."""
    return has_keyword(profile, "Flank")


def can_scout(profile: Profile) -> bool:
    """Return whether a disk may make a scout move before round 1 (R8.9)."""
    return has_keyword(profile, "Scout")


def is_stalwart(profile: Profile) -> bool:
    """Return whether a disk may act while it is pinned, without moving (R16.3)."""
    return has_keyword(profile, "Stalwart")


def is_emplaced(profile: Profile) -> bool:
    """Return whether a disk never moves (R16.5)."""
    return has_keyword(profile, "Emplace")


def is_poisonous(profile: Profile) -> bool:
    """Return whether the damage that a disk deals is poisoned (R16.4)."""
    return has_keyword(profile, "Poison")


def guard_amount(profile: Profile) -> Amount | None:
    """Return the amount of Guard, or None without the keyword (R16.2)."""
    return next((keyword.amount for keyword in profile.keywords if keyword.name == "Guard"), None)


def impact_amount(profile: Profile) -> Amount | None:
    """Return the amount of Impact, or None without the keyword (R8.5.2)."""
    return next((keyword.amount for keyword in profile.keywords if keyword.name == "Impact"), None)


def magic_amount(profile: Profile) -> Amount | None:
    """Return the amount of Magic, or None without the keyword (R8.3)."""
    return next((keyword.amount for keyword in profile.keywords if keyword.name == "Magic"), None)


def is_immune(profile: Profile, of: str) -> bool:
    """Return whether a disk takes no damage of a type, or from ranged attacks for `ranged` (R13.3.2)."""
    return has_keyword(profile, "Immune", of)


def is_resistant(profile: Profile, of: str) -> bool:
    """Return whether a disk takes half the damage of a type (R13.3.1)."""
    return has_keyword(profile, "Resistant", of)


def speed(profile: Profile, kind: AttackKind, is_swift: bool = False) -> Speed:
    """Return the speed of one kind of attack; Swift and Slow on the same kind cancel (R14.1 to R14.3).

    `is_swift` is set if something other than the printed keywords makes the disk Swift.
    """
    swift = is_swift or has_keyword(profile, "Swift", kind) or has_keyword(profile, "Swift", "both")
    slow = has_keyword(profile, "Slow", kind) or has_keyword(profile, "Slow", "both")
    if swift == slow:
        return "normal"
    return "swift" if swift else "slow"


def reduction_rule(profile: Profile, damage: str) -> str:
    """Return the rule that reduces a damage type for a disk; empty if none does."""
    if damage == "true":
        return ""
    if is_immune(profile, damage):
        return "R13.3.2"
    return "R13.3.1" if is_resistant(profile, damage) else ""


def damage_after_reduction(profile: Profile, dealt: int, damage: str) -> int:
    """R13.3: what an instance of one damage type leaves after Immune and Resistant. True damage passes both (R13.1)."""
    match reduction_rule(profile, damage):
        case "R13.3.2":
            return 0
        case "R13.3.1":
            return (dealt + 1) // 2
        case _:
            return dealt
