"""Attacks of one unit, die by die: in a step of melee, and on units that flee (C-4 to C-9, C-14)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from diskwars_engine.rulesets.regiments.resolution import Resolution, because
from diskwars_engine.rulesets.regiments.rolls import RollSequence
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.rulesets.regiments import checks, events, formation
from diskwars_protocol.rulesets.regiments.board import RegimentsBoard, Unit
from diskwars_protocol.rulesets.regiments.events import AttackRoll, HackMoment, ModelWounds, Needs, Touch
from diskwars_protocol.rulesets.regiments.formation import ModelPair

D6_SIDES = 6
Striker = tuple[int, Sequence[ModelPair]]
"""A model that strikes, and the enemy models that it may strike."""


class UnitAttacks:
    """The attacks of one unit at one moment; the caller deals the wounds."""

    def __init__(self, resolution: Resolution, unit: Unit, is_charging: bool, is_hack: bool, tag: str) -> None:
        self._board, self._unit, self._tag = resolution.board, unit, tag
        self._is_charging, self._is_hack = is_charging, is_hack
        self._rolls = RollSequence(resolution.dice)
        self.needs: dict[int, Needs] = {}
        self.attacks: list[AttackRoll] = []
        self.lost = 0

    def strike(self, strikers: Iterable[Striker]) -> None:
        """Roll all attacks of each model, in order (C-4)."""
        per_model = self._board.profile(self._unit).attacks
        for model, targets in strikers:
            # C-4: only models alive at the start of the step are targets; without one, the attacks are lost.
            alive = [pair for pair in targets if self._board.units[pair[0]].models[pair[1]]]
            if not alive:
                self.lost += per_model
                continue
            for _ in range(per_model):
                self.attacks.append(self._attack(model, alive[self._rolls.pick(len(alive), "target")]))

    def _attack(self, model: int, target: ModelPair) -> AttackRoll:
        """Roll one attack: to hit, to wound, to save, each only if the one before makes it necessary (C-6 to C-8)."""
        id, enemy_model = target
        needs = self._needs_on(id)
        hit = wound = save = None
        if needs.hit is not None:
            hit = self._rolls.roll(D6_SIDES, self._tag)
            if hit < needs.hit:
                return AttackRoll(model, id, enemy_model, hit)
        if needs.wound is None:
            return AttackRoll(model, id, enemy_model, hit)
        wound = self._rolls.roll(D6_SIDES, self._tag)
        if wound < needs.wound:
            return AttackRoll(model, id, enemy_model, hit, wound)
        if needs.save:
            save = self._rolls.roll(D6_SIDES, self._tag)
            if save <= needs.save:
                return AttackRoll(model, id, enemy_model, hit, wound, save)
        return AttackRoll(model, id, enemy_model, hit, wound, save, wounded=True)

    def _needs_on(self, target: int) -> Needs:
        if target not in self.needs:
            enemy = self._board.units[target]
            self.needs[target] = checks.needs_of(self._board, self._unit, enemy, self._is_charging, self._is_hack)
        return self.needs[target]

    @property
    def hits(self) -> tuple[int, ...]:
        """The units that were hit at least once, by number; hits that wound nobody count."""
        hit_units = set()
        for attack in self.attacks:
            needed = self.needs[attack.target].hit
            if needed is None or (attack.hit is not None and attack.hit >= needed):
                hit_units.add(attack.target)
        return tuple(sorted(hit_units))

    @property
    def strength(self) -> int:
        return checks.strength_of(self._board, self._unit, self._is_charging)

    @property
    def dice(self) -> RollSequence:
        return self._rolls


def roll_attacks(resolution: Resolution, combat: int, unit: Unit, touches: Iterable[Touch]) -> list[AttackRoll]:
    """Roll the attacks of a unit in its step of the melee, and return them."""
    strikers = living_strikers(unit, formation.targets_by_model(touches, unit.id))
    rolled = UnitAttacks(resolution, unit, unit.has_charged, False, "attack")
    rolled.strike(strikers)
    priority = checks.priority_of(resolution.board, unit)
    reasons: tuple[Reason, ...] = because("C-5", priority=priority)
    if unit.has_charged:
        reasons += because("C-1", strength=rolled.strength)
    resolution.emit(
        events.AttacksRolled(
            combat,
            priority,
            unit.id,
            rolled.strength,
            tuple(rolled.needs[id] for id in sorted(rolled.needs)),
            tuple(rolled.attacks),
            rolled.hits,
            (*reasons, *because("C-4", attacks=len(rolled.attacks) + rolled.lost)),
            rolled.lost,
            rolled.dice.draws(),
        )
    )
    return rolled.attacks


def living_strikers(unit: Unit, targets: Mapping[int, Sequence[ModelPair]]) -> list[Striker]:
    """Return the models of a unit that are alive, each with what it touches (C-4)."""
    return [(model, touched) for model, touched in targets.items() if unit.models[model]]


def hack(resolution: Resolution, unit: Unit, target: Unit, strikers: Iterable[Striker], moment: HackMoment) -> None:
    """Let models of a unit strike at a unit that flees, and deal the wounds at once (C-14)."""
    rolled = UnitAttacks(resolution, unit, is_charging=False, is_hack=True, tag="hack")
    rolled.strike(strikers)
    rule = "C-15" if moment == "pursuit" else "C-14"
    resolution.emit(
        events.HacksRolled(
            unit.id,
            target.id,
            moment,
            rolled.strength,
            tuple(rolled.needs.values()),
            tuple(rolled.attacks),
            rolled.hits,
            because(rule, attacks=len(rolled.attacks) + rolled.lost),
            rolled.lost,
            rolled.dice.draws(),
        )
    )
    deal_wounds(resolution, rolled.attacks)


def hack_in_passing(resolution: Resolution, unit: Unit, target: Unit, moment: HackMoment) -> None:
    """Let the front of a unit strike at the rear of one that flees past it, or that it has caught.

    C-14: in passing, the front strikes with every model; C-15: in pursuit, with no more than the rear edge has.
    """
    rear = formation.edge(target, "rear")
    front = formation.living(unit)[: unit.files]
    if moment == "pursuit":
        front = front[: len(rear)]
    strikers = [(model, [(target.id, rear[place % len(rear)])]) for place, model in enumerate(front)]
    hack(resolution, unit, target, strikers, moment)


# ---------------------------------------------------------------- wounds


def deal_wounds(resolution: Resolution, attacks: Iterable[AttackRoll]) -> dict[int, int]:
    """Deal the wounds of attacks that were rolled together, and return how many each unit took (C-9)."""
    wounds: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for attack in attacks:
        if attack.wounded:
            wounds[attack.target][attack.target_model] += 1
    return {id: _wound_unit(resolution, id, wounds[id]) for id in sorted(wounds)}


def _wound_unit(resolution: Resolution, id: int, wounds: Counter[int]) -> int:
    before = resolution.unit(id).models
    after = [ModelWounds(model, max(0, before[model] - wounds[model])) for model in sorted(wounds)]
    # C-9: wounds beyond the death of a model are lost, and not scored.
    taken = sum(before[state.model] - state.wounds for state in after)
    dead = sum(state.wounds == 0 for state in after)
    resolution.emit(events.ModelsWounded(id, tuple(after), taken, because("C-9", wounds=taken, dead=dead)))
    if not resolution.unit(id).size:
        resolution.emit(events.UnitDestroyed(id, because("C-9")))
        end_contacts(resolution, id)
    return taken


def end_contacts(resolution: Resolution, id: int) -> None:
    """End every contact of a unit that is gone, or flees; C-27: who fights nobody else is steady again."""
    ended = tuple(contact for contact in resolution.board.contacts if id in (contact.charger, contact.target))
    if ended:
        resolution.emit(events.ContactsEnded(ended, because("C-27", contacts=len(ended))))


def is_alive(board: RegimentsBoard, id: int) -> bool:
    """Return whether a unit has a model left and is on the field."""
    return board.units[id].is_fielded
