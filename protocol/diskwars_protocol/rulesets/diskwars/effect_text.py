"""English sentences for effects and objectives, made from their figures, in our own wording and never a card's."""

from typing import assert_never

from diskwars_protocol.identifiers import id_title
from diskwars_protocol.rulesets.diskwars import setup_cards as s
from diskwars_protocol.rulesets.diskwars import stats as f


def amount_text(figure: f.Amount) -> str:
    """Format an amount: `d6-2`, `2d6`, `3`."""
    if not figure.d6:
        return str(figure.flat)
    dice = "d6" if figure.d6 == 1 else f"{figure.d6}d6"
    return dice + (f"{figure.flat:+d}" if figure.flat else "")


def effect_text(does: f.Effect) -> str:
    """Describe what an effect does."""
    match does:
        case f.DealDamage():
            around = f" and to each disk within {does.around} range of it" if does.around else ""
            return f"{amount_text(does.amount)} {does.damage_type} damage to an enemy within {does.reach} range{around}"
        case f.DealDamageNear():
            return f"{amount_text(does.amount)} {does.damage_type} damage to each enemy within {does.reach} range"
        case f.RollWound():
            return f"a wound on {does.minimum} or more"
        case f.Empower():
            return f"empowers {_targets_text('a friendly disk', does.selector)} within {does.reach} range"
        case f.Heal():
            targets = _targets_text("a friendly disk", does.selector)
            return f"takes {amount_text(does.amount)} damage off {targets} within {does.reach} range"
        case f.AddActivationToken():
            return f"an activation token for an enemy within {does.reach} range"
        case f.ReduceToughness():
            return f"toughness -{does.toughness} for an enemy within {does.reach} range"
        case f.RemoveActivationToken():
            return f"takes the activation token off {id_title(does.id_word)} within {does.reach} range"
        case f.ReinforceNear():
            disks = "a disk" if does.count == 1 else f"up to {does.count} disks"
            return f"brings in {_targets_text(disks, does.selector)} within {does.reach} range"
        case f.FightEngagement():
            return "fights one of its engagements at once"
        case f.RemoveEmpowerment():
            return f"empowered disks that land within {does.reach} range lose their empowerment"
        case f.DamageAround():
            return (
                f"{does.amount} {does.damage_type} damage also to each disk within {does.reach} range of what it shoots"
            )
        case f.Rampage():
            return "flips toward the nearest disk when its ranged attack shows chaos"
        case (
            f.IncreaseRange()
            | f.IncreaseMovement()
            | f.IncreaseShotStrength()
            | f.IncreaseToughness()
            | f.IncreaseMeleeStrength()
        ):
            return _passive_effect_text(does)
        case _:
            assert_never(does)


def _passive_effect_text(
    does: f.IncreaseRange | f.IncreaseMovement | f.IncreaseShotStrength | f.IncreaseToughness | f.IncreaseMeleeStrength,
) -> str:
    """Describe a passive effect and the disks whose figures it changes."""
    match does:
        case f.IncreaseRange():
            text = f"ranged attacks reach {does.steps} band{'s' * (does.steps > 1)} further"
        case f.IncreaseMovement():
            text = f"moves get {does.flips} extra flip{'s' * (does.flips > 1)}"
        case f.IncreaseShotStrength():
            text = f"ranged attacks have {does.strength} more strength"
        case f.IncreaseToughness():
            text = f"toughness +{does.toughness}{_within_text(does.reach)}"
        case f.IncreaseMeleeStrength():
            figures = (("strength", does.strength), ("counter strength", does.counter_strength))
            text = " and ".join(f"{name} +{more}" for name, more in figures if more) + _within_text(does.reach)
        case _:
            assert_never(does)
    return f"{text} ({id_title(does.selector)})" if does.selector else text


def _within_text(reach: f.Reach | None) -> str:
    return f" for other friendly disks within {reach} range" if reach else ""


def _targets_text(disks: str, selector: str | None) -> str:
    return f"{disks} ({id_title(selector)})" if selector else disks


def ability_text(ability: f.Ability) -> str:
    """Describe an ability: `battle: empowers a friendly disk within medium range (by Caster; unstable)`."""
    limits = [f"by {id_title(ability.user)}"] if ability.user else []
    limits += ["unstable"] * ability.unstable + ["optional"] * ability.optional
    suffix = f" ({'; '.join(limits)})" if limits else ""
    return f"{ability.timing}: {effect_text(ability.effect)}{suffix}"


def objective_part_text(of: s.Objective) -> str:
    """Describe what one part of an objective rewards."""
    match of:
        case s.SlayUnits():
            return f"1 point for each {of.cost} recruitment points of destroyed enemy units"
        case s.SlayHeroes():
            return f"{_points(of.points)} for each destroyed enemy hero"
        case s.SlayElite():
            return f"{_points(of.points)} for each destroyed enemy elite disk"
        case s.HoldZones():
            return f"{_points(of.points)} for each friendly disk in an enemy zone"
        case s.HoldTerrain():
            return f"{_points(of.points)} for each piece of terrain controlled"
        case s.HoldMiddle():
            return f"{_points(of.points)} for each friendly disk near the middle"
        case s.Survive():
            return f"{_points(of.points)} for each friendly disk on the field"
        case _:
            assert_never(of)


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
