"""The worst melee: twenty disks on top of twenty others, each on two, all in one engagement."""

import math
from time import thread_time_ns
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from bench.matches.played_matches import RULES, PlayedMatch, opened_match, play_recorded, seeded_secrets
from diskwars_engine.match import Command
from diskwars_protocol import geometry
from diskwars_protocol.match.ids import PlayerId
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import ActivationQuestion, EndCard
from diskwars_protocol.rulesets.diskwars.board import BATTLEFIELD, Board, Disk

DISKS_IN_RING = 40
SPACING = 1.05
"""Distance of neighbours in the ring, in radii: they overlap, but a disk does not overlap the next but one."""
FIELD_CENTRE = 457_200
PLAYERS = 4
SEED = 1


class DecisionCost(Struct, frozen=True):
    """One decision: its action, its number of events, the most common kind of event, and the cost of deciding."""

    action_kind: str
    events: int
    most_common_event: str
    nanoseconds: int


def measure_worst_melee() -> list[DecisionCost]:
    """Measure each decision from the last card of a round to the end of its melee."""
    played = play_recorded(SEED, PLAYERS)
    secrets, (state, head) = seeded_secrets(played), _until_first_card(played)
    state = replace(state, board=ring_position(state.board))
    costs: list[DecisionCost] = []
    while state.board is not None and state.board.round == 1:
        decision = state.decisions[0]
        is_turn = isinstance(decision.question, ActivationQuestion)
        action: Any = EndCard() if is_turn else RULES.default(state, decision, secrets)
        command: Command[Any] = Command(PlayerId(f"bot-{decision.seat}"), decision.id, action, 0)
        start = thread_time_ns()
        unfolded = RULES.decide(state, head, command, secrets)
        spent = thread_time_ns() - start
        state, events = unfolded.match, unfolded.body.events
        head += 1
        kinds = [type(event).__name__ for event in events]
        most = max(dict.fromkeys(kinds), key=kinds.count, default="nothing")
        costs.append(DecisionCost(type(action).__name__, len(events), most, spent))
    return costs


def _until_first_card(played: PlayedMatch) -> tuple[Any, int]:
    """Return the state when the first card is being resolved, and the number of records so far."""
    log, _ = opened_match(played)
    state: Any = log.state
    for head, body in enumerate(played.records, 2):
        state = RULES.fold(state, body)
        if isinstance(state.decisions[0].question, ActivationQuestion):
            return state, head
    raise ValueError("no card was resolved")


def ring_position(board: Board) -> Board:
    """Return a board with a ring of forty disks of two seats in turn; each of the second lies on two of the first.

    All other disks of those two seats are gone; the other seats have one disk each, far away.
    """
    profile = min(range(len(board.profiles)), key=lambda number: board.profiles[number].radius)
    radius = board.profiles[profile].radius
    ring = SPACING * radius * DISKS_IN_RING / (2 * math.pi)
    disks: list[Disk] = []
    for number in range(DISKS_IN_RING):
        angle, seat = 2 * math.pi * number / DISKS_IN_RING, number % 2
        x, y = int(FIELD_CENTRE + ring * math.cos(angle)), int(FIELD_CENTRE + ring * math.sin(angle))
        disks.append(Disk(number, seat, profile, BATTLEFIELD, x, y, 1 + number // 2 + seat * DISKS_IN_RING))
    for seat in range(2, len(board.sides)):
        disks.append(Disk(len(disks), seat, profile, BATTLEFIELD, seat * 2 * radius, radius, 3 * DISKS_IN_RING + seat))
    placed = [(disk.id, disk.x, disk.y, radius, disk.z) for disk in disks]
    pins = position.to_pins(geometry.find_pins(placed, board.settings.pins))
    return replace(board, disks=tuple(disks), pins=pins, top_z=4 * DISKS_IN_RING)
