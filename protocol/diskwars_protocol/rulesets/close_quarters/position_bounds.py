"""Bounds of positions of close quarters that every reader can check."""

from diskwars_protocol.match.position_bounds import SEATS, PositionBounds

MAX_LENGTH = 100_000
"""Hundredths of an inch. A table is 2,400 wide."""

BOUNDS = PositionBounds(
    ranges={
        "width": (1, MAX_LENGTH),
        "height": (1, MAX_LENGTH),
        "turns": (1, 1000),
        "turn": (0, 4000),
        "high_ground[].x0": (0, MAX_LENGTH),
        "high_ground[].y0": (0, MAX_LENGTH),
        "high_ground[].x1": (0, MAX_LENGTH),
        "high_ground[].y1": (0, MAX_LENGTH),
        "task.zone.x0": (0, MAX_LENGTH),
        "task.zone.y0": (0, MAX_LENGTH),
        "task.zone.x1": (0, MAX_LENGTH),
        "task.zone.y1": (0, MAX_LENGTH),
        "task.side": (0, 1),
        "task.count": (1, 100),
        "models[].x": (-MAX_LENGTH, 2 * MAX_LENGTH),
        "models[].y": (-MAX_LENGTH, 2 * MAX_LENGTH),
        "units[].markers": (0, 1000),
        "units[].hit_counter": (0, 1000),
        "units[].seat": SEATS,
        "sides[][]": SEATS,
        "withdrawn[]": SEATS,
        "combat.cycle": (0, 1000),
        "combat.loss.casualties": (1, 1000),
        "combat.loss.sixes": (0, 2000),
    },
    references={
        "task.piece": "models",
        "units[].side": "sides",
        "units[].profile": "profiles",
        "models[].unit": "units",
        "order[]": "sides",
        "active_unit": "units",
        "combat.attacker": "sides",
        "combat.units[]": "units",
        "combat.waiting[]": "units",
        "combat.unit": "units",
        "combat.source": "units",
        "combat.weapons[].model": "models",
        "combat.pools[].models[]": "models",
        "combat.pools[].hits[].model": "models",
        "combat.pending[].unit": "units",
        "combat.pending[].eligible[]": "models",
        "combat.pending[].hits[].model": "models",
        "combat.loss.unit": "units",
        "combat.loss.eligible[]": "models",
        "combat.loss.picked[]": "models",
    },
    names={
        "profiles[].weapons[]": "melee_weapons",
        "profiles[].leader_weapons[]": "melee_weapons",
        "profiles[].ranged_weapon": "ranged_weapons",
        "combat.weapons[].weapon": "melee_weapons",
    },
    numbered={"units": "id", "models": "id"},
)
