"""Bounds of positions of the pit that every reader can check."""

from diskwars_protocol.match.position_bounds import PositionBounds

BOUNDS = PositionBounds(
    ranges={
        "width": (1, 100),
        "height": (1, 100),
        "rounds": (1, 1000),
        "walls[].x0": (0, 99),
        "walls[].y0": (0, 99),
        "walls[].x1": (0, 99),
        "walls[].y1": (0, 99),
        "task.zone.x0": (0, 99),
        "task.zone.y0": (0, 99),
        "task.zone.x1": (0, 99),
        "task.zone.y1": (0, 99),
        "task.side": (0, 1),
        "task.count": (1, 100),
        "fighters[].x": (0, 99),
        "fighters[].y": (0, 99),
        "fighters[].wounds": (0, 100),
        "fighters[].new_wounds": (0, 100),
        "fighters[].wound_limit": (0, 100),
        "fighters[].attacks": (0, 100),
    },
    references={
        "task.piece": "fighters",
        "fighters[].seat": "seats",
        "fighters[].profile": "profiles",
        "order[]": "seats",
        "active_seat": "seats",
        "combats[][]": "fighters",
        "fought[]": "combats",
        "combat.id": "combats",
        "combat.waiting[]": "fighters",
        "combat.fighter": "fighters",
        "combat.declared[].target": "fighters",
    },
    names={"profiles[].weapons[]": "weapons", "combat.declared[].weapon": "weapons"},
    numbered={"fighters": "id"},
)
