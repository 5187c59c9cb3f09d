"""Checks of a match file of regiments: its rules, with the reader's figures or else those of the file."""

from collections.abc import Iterable, Sequence
from typing import Any

from diskwars_client.plugs.file_checks import FileChecks, first_event, with_names_of
from diskwars_engine.ruleset import AnyRuleset
from diskwars_engine.rulesets.regiments import RULES_VERSION, Regiments
from diskwars_engine.rulesets.regiments.scenario import RegimentsContent, facing_on_side, on_side
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.events import BranchBegan
from diskwars_protocol.match.ids import MatchId, Seat, seat_letter
from diskwars_protocol.match.state import AnyBody, Match
from diskwars_protocol.records.records import BadRecord
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.regiments.events import (
    OrdersLocked,
    OrdersRevealed,
    RegimentsMatchStarted,
    RevealedOrders,
    Side,
)
from diskwars_protocol.rulesets.regiments.secret_orders import orders_commitment
from diskwars_protocol.rulesets.regiments.stats import RegimentsScenario, ScenarioUnit

NAMED_FIELDS = ("profiles", "weapons")
NO_PACK = Pack("regiments/core", "", "")


class RegimentsFileChecks(FileChecks):
    """Checks of secret orders; deciding the match again checks everything else."""

    rules_version = RULES_VERSION

    def __init__(self, match: MatchId, bodies: Sequence[AnyBody], rulesets: Iterable[AnyRuleset]) -> None:
        super().__init__(match, bodies, rulesets)
        self._commitments: dict[int, dict[Seat, str]] = {}
        self._given: set[Seat] = set()

    def ruleset(self) -> AnyRuleset:
        started = first_event(self.bodies, RegimentsMatchStarted)
        if isinstance(self.local_ruleset, Regiments):
            return Regiments(with_names_of(self.local_ruleset.content, started, NAMED_FIELDS))
        return Regiments(_recorded_content(started, self.packs))

    def check_event(self, seq: int, match: Match[Any, Any] | None, event: Any) -> None:
        match event:
            case BranchBegan():
                board = event.board or (match and match.position and match.position.board)
                self._given = {lock.seat for lock in board.locks} if board else set()
            case OrdersLocked():
                orders, salt = if_known(event.orders), if_known(event.salt)
                if orders is not None and salt is not None:
                    self._check_orders(seq, event.step, RevealedOrders(event.seat, orders, salt), event.commitment)
                self._commitments.setdefault(event.step, {})[event.seat] = event.commitment
            case OrdersRevealed():
                locked, given = self._commitments.get(event.step, {}), self._given
                self._given = set()  # locked in the parent of a branch: the commitments stand there
                if [shown.seat for shown in event.locks] != sorted({*locked, *given}):
                    raise BadRecord(seq, f"not the seats that had locked orders for step {event.step}")
                for shown in event.locks:
                    if shown.seat in given:
                        continue
                    self._check_orders(seq, event.step, shown, locked[shown.seat])
            case _:
                pass  # checked against the rules only

    def _check_orders(self, seq: int, step: int, shown: RevealedOrders, promised: str) -> None:
        if not _is_commitment(self.match, step, shown, promised):
            who = f"seat {seat_letter(shown.seat)}"
            raise BadRecord(seq, f"{who} had not committed itself to these orders in step {step}")


def _is_commitment(match: MatchId, step: int, shown: RevealedOrders, promised: str) -> bool:
    try:
        salt = bytes.fromhex(shown.salt)
        return orders_commitment(match, step, shown.seat, shown.orders, salt) == promised
    except ValueError:
        return False


def _recorded_content(started: RegimentsMatchStarted | None, packs: Sequence[Pack]) -> RegimentsContent:
    """Return the figures of a match; none for one that never began."""
    pack = packs[0] if packs else NO_PACK
    if started is None:
        return RegimentsContent(pack, (), (), {})
    scenario = RegimentsScenario(
        started.settings.scenario,
        "",
        (_army(started, 0), _army(started, 1)),
        started.width,
        started.height,
        started.rounds,
        started.obstacles,
        started.task,
    )
    return RegimentsContent(pack, started.profiles, started.weapons, {scenario.id: scenario})


def _army(started: RegimentsMatchStarted, side: Side) -> tuple[ScenarioUnit, ...]:
    """Return the units of a side as a scenario has them."""
    leaders = started.sides[side]
    return tuple(
        ScenarioUnit(
            started.profiles[unit.profile].id,
            unit.models,
            unit.files,
            on_side(started.height, unit.y, side),
            leaders.index(unit.seat),
            on_side(started.width, unit.x, side),
            facing_on_side(unit.facing, side),
        )
        for unit in started.units
        if unit.seat in leaders
    )
