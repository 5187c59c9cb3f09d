"""Bounds of positions of Diskwars that every reader can check."""

from diskwars_protocol.match.position_bounds import PositionBounds

BOUNDS = PositionBounds(
    ranges={
        "field.width": (1, 10_000_000),
        "field.height": (1, 10_000_000),
        "profiles[].radius": (1, 1_000_000),
        "profiles[].movement": (0, 100),
        "profiles[].shots[].dice": (0, 100),
        "rounds": (1, 1000),
        "disks[].z": (0, 1_000_000),
        "disks[].damage": (0, 1000),
        "disks[].wounds": (0, 1000),
        "disks[].weakened": (0, 1000),
        "sides[].card_count": (0, 1000),
        "layout.laid_cards[].face": (0, 1),
    },
    references={
        "disks[].seat": "sides",
        "disks[].profile": "profiles",
        "disks[].terrain[]": "terrain",
        "zones[].seat": "sides",
        "order[]": "sides",
        "active_seat": "sides",
        "active_disk": "disks",
        "active_engagement": "engagements",
        "pins[].top": "disks",
        "pins[].bottom": "disks",
        "engagements[].attackers[]": "disks",
        "engagements[].defenders[]": "disks",
        "engagements[].strikers[]": "disks",
        "layout.laid_cards[].seat": "sides",
    },
    names={
        "sides[].hand[]": "cards",
        "sides[].locked_card": "cards",
        "sides[].revealed_card": "cards",
        "sides[].discards[]": "cards",
        "sides[].drawn_scenarios[]": "layout.scenarios",
        "sides[].objective": "layout.scenarios",
        "layout.active_scenario": "layout.scenarios",
        "layout.laid_cards[].card": "layout.deployments",
    },
    numbered={"disks": "id", "sides": "seat"},
)
