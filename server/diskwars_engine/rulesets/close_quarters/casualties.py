"""Hits of one unit's fire or melee: spread, counted, saved, turned into casualties (B-2, B-4, B-5, B-11 to B-14)."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from diskwars_engine.rulesets.close_quarters.resolution import Resolution, because
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.close_quarters import actions, checks, events, position
from diskwars_protocol.rulesets.close_quarters.actions import ModelId, UnitId
from diskwars_protocol.rulesets.close_quarters.board import HITS_PER_MARKER, CloseQuartersBoard, Loss
from diskwars_protocol.rulesets.close_quarters.events import Hit, HitPool, UnitHits

ALLOCATION_DICE = 2
PICKS_OF_TWO_SIXES = 2


def is_under_way(board: CloseQuartersBoard) -> bool:
    """Return whether hits are still to be resolved."""
    combat = board.combat
    return combat is not None and bool(combat.loss or combat.pools or combat.pending)


def question(board: CloseQuartersBoard) -> tuple[Seat, actions.CloseQuartersQuestion] | None:
    """Return the seat that has a choice about the hits under way, and its question; None if there is no choice."""
    combat = board.combat
    assert combat is not None
    loss = combat.loss
    if loss is not None:
        if not loss.is_attacker_done:
            assert combat.source is not None
            attacker = board.units[combat.source].seat
            return (attacker, actions.AllocateQuestion(loss.unit)) if attacker_picks(board, loss).is_open else None
        is_open = 0 < loss.casualties - len(loss.picked) < len(left(loss))
        return (board.units[loss.unit].seat, actions.CasualtiesQuestion(loss.unit)) if is_open else None
    if combat.pools and extra_hits(combat.pools[0]):
        # B-11: with units of two players, the one of the unit with the lowest number spreads
        first = min(board.models[id].unit for id in combat.pools[0].models)
        return board.units[first].seat, actions.SplitQuestion()
    return None


def carry_on(resolution: Resolution) -> None:
    """Carry out the next part that needs no decision."""
    combat = resolution.combat
    if combat.loss is not None:
        _settle(resolution, combat.loss)
    elif combat.pools:
        split(resolution, ())
    else:
        _resolve(resolution, combat.pending[0])


# ---------------------------------------------------------------- mixed pools


def extra_hits(pool: HitPool) -> int:
    """Return how many models take one hit more than the others (B-11)."""
    return len(pool.hits) % len(pool.models)


def split(resolution: Resolution, models: Sequence[ModelId]) -> None:
    """Spread the first pool; `models` take one hit more. Hits are dealt in the order in which they were rolled."""
    combat = resolution.combat
    pool = combat.pools[0]
    dealt = list(pool.models) * (len(pool.hits) // len(pool.models)) + sorted(models)
    hits: dict[UnitId, list[Hit]] = {target.unit: list(target.hits) for target in combat.pending}
    for hit, model in zip(pool.hits, dealt, strict=True):
        hits.setdefault(resolution.board.models[model].unit, []).append(hit)
    assert combat.source is not None
    targets = unit_hits(resolution.board, combat.source, hits)
    resolution.emit(
        events.HitsSplit(tuple(models), targets, because("B-11", hits=len(pool.hits), models=len(pool.models)))
    )


def unit_hits(board: CloseQuartersBoard, source: UnitId, hits: dict[UnitId, list[Hit]]) -> tuple[UnitHits, ...]:
    """Return hits of melee by unit, each in the order of the models that made them (B-11, B-13)."""
    return tuple(
        UnitHits(
            unit,
            tuple(sorted(hits[unit], key=lambda hit: hit.model)),
            tuple(position.engaged_with(board, unit, source)),
        )
        for unit in sorted(hits)
        if hits[unit]
    )


# ---------------------------------------------------------------- saves and kills


def _resolve(resolution: Resolution, target: UnitHits) -> None:
    """Count the hits on a unit, roll its saves, and roll for each failed one whether it kills."""
    unit, count = resolution.unit(target.unit), len(target.hits)
    total = unit.hit_counter + count
    gained = total // HITS_PER_MARKER  # B-4
    reasons = because("B-4", hits=count, gained=gained)
    resolution.emit(events.HitsCounted(unit.id, count, total % HITS_PER_MARKER, unit.markers + gained, reasons))
    failed = _roll_saves(resolution, target)
    if not failed:
        return
    add_markers(resolution, unit.id, 1, "B-5")
    casualties = _roll_kills(resolution, unit.id, failed)
    if casualties:
        _inflict(resolution, target, casualties)


def add_markers(resolution: Resolution, unit: UnitId, change: int, rule: str) -> None:
    """Give a unit suppression markers, or take some; it never has less than none."""
    before = resolution.unit(unit).markers
    after = max(0, before + change)
    if after != before:
        resolution.emit(events.MarkersChanged(unit, after, because(rule, markers=after)))


def _roll_saves(resolution: Resolution, target: UnitHits) -> list[Hit]:
    """Roll one save for each hit and return the hits that are not saved (B-12)."""
    profile = resolution.board.profile(resolution.unit(target.unit))
    needed = tuple(checks.save_needed(profile, hit.armour_piercing) for hit in target.hits)
    if not profile.armour:  # no armour, no die
        failed = tuple(range(len(target.hits)))
        resolution.emit(
            events.SavesRolled(target.unit, target.hits, needed, failed, because("B-12", armour=profile.armour))
        )
        return list(target.hits)
    draw = resolution.roll(len(target.hits), "save")
    failed = tuple(place for place, (face, most) in enumerate(zip(draw.results, needed, strict=True)) if face > most)
    reasons = because("B-12", armour=profile.armour)
    resolution.emit(events.SavesRolled(target.unit, target.hits, needed, failed, reasons, draw))
    return [target.hits[place] for place in failed]


def _roll_kills(resolution: Resolution, unit: UnitId, failed: Sequence[Hit]) -> int:
    """Roll as many dice as the unit has toughness for each hit, and return how many kill (B-2)."""
    toughness = resolution.board.profile(resolution.unit(unit)).toughness
    draw = resolution.roll(toughness * len(failed), "kill") if toughness else None
    faces = draw.results if draw is not None else ()
    killing = tuple(
        place
        for place, hit in enumerate(failed)
        if checks.is_killing(faces[place * toughness : (place + 1) * toughness], hit.strength)
    )
    reasons = because("B-2", toughness=toughness)
    resolution.emit(events.KillsRolled(unit, tuple(failed), toughness, killing, reasons, draw))
    return len(killing)


# ---------------------------------------------------------------- casualties


def _inflict(resolution: Resolution, target: UnitHits, casualties: int) -> None:
    """Remove all models that can fall, or roll who picks those that do (B-13, B-14)."""
    eligible, is_melee = target.eligible, resolution.combat.is_melee
    if casualties < len(eligible):
        draw = resolution.roll(ALLOCATION_DICE, "allocation")
        sixes = draw.results.count(checks.SIDES)
        reasons = because("B-14", casualties=casualties, eligible=len(eligible), sixes=sixes)
        resolution.emit(events.AllocationRolled(target.unit, casualties, eligible, sixes, draw, reasons))
        return
    rule = "B-13" if is_melee else "B-8a" if resolution.board.phase == "defensive_fire" else "B-9"
    remove(resolution, target.unit, eligible, "killed", rule)
    # B-13: melee only; of fire, what is left over is lost
    if is_melee and casualties > len(eligible) and position.models_of(resolution.board, target.unit):
        add_markers(resolution, target.unit, 1, "B-13")


def remove(
    resolution: Resolution, unit: UnitId, models: Iterable[ModelId], cause: events.RemovalReason, rule: str
) -> None:
    removed = tuple(models)
    resolution.emit(events.ModelsRemoved(unit, removed, cause, because(rule, models=len(removed))))


def left(loss: Loss) -> list[ModelId]:
    """List the models that can still be picked."""
    return [id for id in loss.eligible if id not in loss.picked]


class AttackerPicks(Struct, frozen=True, gc=False):
    """The casualties that the attacker may pick: `least` to `most` of `models`, or the `leader` alone."""

    models: tuple[ModelId, ...]
    least: int
    most: int
    leader: ModelId | None = None

    @property
    def is_open(self) -> bool:
        return self.leader is not None or self.most > self.least or len(self.models) > self.least


def attacker_picks(board: CloseQuartersBoard, loss: Loss) -> AttackerPicks:
    """Return what the attacker may pick after a six: one that is no leader; after two the leader, or up to two others.

    Never more than there are casualties (B-14).
    """
    others = tuple(id for id in loss.eligible if not board.models[id].is_leader)
    if loss.sixes < ALLOCATION_DICE:
        return AttackerPicks(others, 1, 1)
    leader = next((id for id in loss.eligible if board.models[id].is_leader), None)
    return AttackerPicks(others, 1, min(PICKS_OF_TWO_SIXES, loss.casualties, len(others)), leader)


def pick(resolution: Resolution, models: Sequence[ModelId], by: events.Picker) -> None:
    """Note what a player has picked."""
    loss = resolution.combat.loss
    assert loss is not None
    resolution.emit(events.CasualtiesPicked(loss.unit, tuple(models), by, because("B-14", models=len(models))))


def _settle(resolution: Resolution, loss: Loss) -> None:
    """Pick where there is no choice, and remove the casualties once all are named."""
    if not loss.is_attacker_done:
        pick(resolution, attacker_picks(resolution.board, loss).models, "attacker")
        return
    if len(loss.picked) < loss.casualties:
        pick(resolution, left(loss), "defender")
        return
    remove(resolution, loss.unit, sorted(loss.picked), "killed", "B-14")
