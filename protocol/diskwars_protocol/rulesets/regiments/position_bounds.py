"""Bounds of positions of regiments that every reader can check."""

from diskwars_protocol.match.position_bounds import SEATS, PositionBounds

BOUNDS = PositionBounds(
    ranges={
        "width": (1, 100),
        "height": (1, 100),
        "rounds": (1, 1000),
        "round": (0, 1000),
        "obstacles[].x0": (0, 99),
        "obstacles[].y0": (0, 99),
        "obstacles[].x1": (0, 99),
        "obstacles[].y1": (0, 99),
        "task.zone.x0": (0, 99),
        "task.zone.y0": (0, 99),
        "task.zone.x1": (0, 99),
        "task.zone.y1": (0, 99),
        "task.side": (0, 1),
        "task.count": (1, 100),
        "units[].x": (0, 99),
        "units[].y": (0, 99),
        "units[].files": (1, 100),
        "units[].models[]": (0, 100),
        "units[].started": (1, 1000),
        "units[].seat": SEATS,
        "sides[][]": SEATS,
        "withdrawn[]": SEATS,
        "locks[].seat": SEATS,
    },
    references={
        "task.piece": "units",
        "units[].profile": "profiles",
        "waiting[]": "units",
        "contacts[].charger": "units",
        "contacts[].target": "units",
        "locks[].orders[].unit": "units",
    },
    names={"profiles[].weapon": "weapons"},
    numbered={"units": "id"},
)
