"""Meaning of the keywords of a disk: one function per keyword, asked of what is printed.

Knows no position: a keyword is a printed stat.
"""

from typing import Literal, TypeAlias

from diskwars_protocol.rulesets.diskwars.events import CauseKind, Speed
from diskwars_protocol.rulesets.diskwars.keyword_forms import KeywordId, KeywordKind
from diskwars_protocol.rulesets.diskwars.stats import Amount, DamageType, Profile

AttackKind: TypeAlias = Literal["strength", "counter"]


def has_keyword(profile: Profile, id: KeywordId, kind: KeywordKind | None = None) -> bool:
    return (id, kind) in [(keyword.id, keyword.kind) for keyword in profile.keywords]


def _amount_of(profile: Profile, id: KeywordId) -> Amount | None:
    return next((keyword.amount for keyword in profile.keywords if keyword.id == id), None)


def is_frenzied(profile: Profile) -> bool:
    """Return whether a disk strikes every engaged enemy when it attacks (R14.4)."""
    return has_keyword(profile, "frenzy")


def is_mobile(profile: Profile) -> bool:
    """Return whether a disk may both move and shoot, or both move and focus (R8.2)."""
    return has_keyword(profile, "mobile")


def is_flying(profile: Profile) -> bool:
    """Return whether a disk flies over its intermediate landings (R8.7)."""
    return has_keyword(profile, "flying")


def is_relentless(profile: Profile) -> bool:
    """Return whether the first landing on enemies does not end a move (R8.6)."""
    return has_keyword(profile, "relentless")


def ignores_terrain(profile: Profile) -> bool:
    """Return whether terrain has no effect on a disk during its movement (R8.8)."""
    return has_keyword(profile, "strider")


def can_flank(profile: Profile) -> bool:
    """Return whether a disk may be reinforced at any edge (R9.5)."""
    return has_keyword(profile, "flank")


def can_scout(profile: Profile) -> bool:
    """Return whether a disk may make a scout move before round 1 (R8.9)."""
    return has_keyword(profile, "scout")


def is_stalwart(profile: Profile) -> bool:
    """Return whether a disk may act while it is pinned, without moving (R16.3)."""
    return has_keyword(profile, "stalwart")


def is_emplaced(profile: Profile) -> bool:
    """Return whether a disk never moves (R16.5)."""
    return has_keyword(profile, "emplace")


def is_poisonous(profile: Profile) -> bool:
    """Return whether the damage that a disk deals is poisoned (R16.4)."""
    return has_keyword(profile, "poison")


def guard_amount(profile: Profile) -> Amount | None:
    """Return the amount of Guard, or None without the keyword (R16.2)."""
    return _amount_of(profile, "guard")


def impact_amount(profile: Profile) -> Amount | None:
    """Return the amount of Impact, or None without the keyword (R8.5.2)."""
    return _amount_of(profile, "impact")


def magic_amount(profile: Profile) -> Amount | None:
    """Return the amount of Magic, or None without the keyword (R8.3)."""
    return _amount_of(profile, "magic")


def is_immune(profile: Profile, kind: KeywordKind) -> bool:
    """Return whether a disk takes no damage of a type, or none from a source such as ranged attacks (R13.3.2)."""
    return has_keyword(profile, "immune", kind)


def is_resistant(profile: Profile, kind: KeywordKind) -> bool:
    """Return whether a disk takes half the damage of a type, or from a source (R13.3.1)."""
    return has_keyword(profile, "resistant", kind)


def speed(profile: Profile, kind: AttackKind, is_swift: bool = False) -> Speed:
    """Return the speed of one kind of attack; Swift and Slow on the same kind cancel (R14.1 to R14.3).

    `is_swift` is set if something other than the printed keywords makes the disk Swift.
    """
    swift = is_swift or has_keyword(profile, "swift", kind) or has_keyword(profile, "swift", "both")
    slow = has_keyword(profile, "slow", kind) or has_keyword(profile, "slow", "both")
    if swift == slow:
        return "normal"
    return "swift" if swift else "slow"


def source_of_damage(cause: CauseKind | None) -> KeywordKind | None:
    """Return what Immune and Resistant call the cause of an instance of damage; None if they cannot name it (R-75)."""
    match cause:
        case "attack":
            return "ranged"
        case "impact":
            return "impact"
        case "guard":
            return "guard"
        case _:
            return None


def reduction_rule(profile: Profile, damage_type: DamageType, source: KeywordKind | None = None) -> str:
    """Return the rule that reduces damage of a type and from a source for a disk; empty if none does.

    R-75: damage that is covered twice is still reduced once, by Immune if that covers it.
    """
    if damage_type == "true":  # R13.1
        return ""
    covering = [] if source is None else [source]
    if damage_type != "untyped":  # R13.1: no keyword names it; one that names its source covers it
        covering.append(damage_type)
    if any(is_immune(profile, kind) for kind in covering):
        return "R13.3.2"
    return "R13.3.1" if any(is_resistant(profile, kind) for kind in covering) else ""


def damage_after_reduction(
    profile: Profile, dealt: int, damage_type: DamageType, source: KeywordKind | None = None
) -> int:
    """R13.3: what an instance of one damage type leaves after Immune and Resistant. True damage passes both (R13.1)."""
    match reduction_rule(profile, damage_type, source):
        case "R13.3.2":
            return 0
        case "R13.3.1":
            return (dealt + 1) // 2
        case _:
            return dealt
