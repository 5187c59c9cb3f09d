"""The forecast of the fights of a turn and of the next, with chances in place of dice: what the greedy bot weighs.

Each fighter has a chance for each state. Slots come in the order of the rules, and each strikes where it gains most;
those who were down recover before the second turn. Fighters that engage in it are left out, as is the deck.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from diskwars_bots.rulesets.pit.weights import FIGHTER_WORTH, ROUT_SHARE, STATE_SHARE
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.pit import checks, odds, position
from diskwars_protocol.rulesets.pit.actions import FighterId
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import Status
from diskwars_protocol.rulesets.pit.odds import MeleeAttackOdds

NEGLIGIBLE = 0.02
"""A chance below which a fighter is taken as unable to strike."""


class Results(Struct, frozen=True, gc=False):
    """The chances of what all attacks of one fighter do to a target that stands, and to one that is dazed."""

    dazed: float
    stunned: float
    out: float
    out_if_dazed: float


class Odds(Struct, gc=False):
    """The chances of the states of one fighter; the rest is the chance that it is out of the game."""

    up: float = 0.0
    dazed: float = 0.0
    stunned: float = 0.0

    @property
    def share(self) -> float:
        """Which part of its worth is left on average."""
        return self.up + STATE_SHARE["dazed"] * self.dazed + STATE_SHARE["stunned"] * self.stunned

    @property
    def out(self) -> float:
        return 1 - self.up - self.dazed - self.stunned

    def recover(self) -> None:
        """A-8: one step in the upkeep of its side."""
        self.up, self.dazed, self.stunned = self.up + self.dazed, self.stunned, 0.0


class PitForecast:
    """Forecasts from one board, for any places of its fighters: chances of attacks do not depend on places."""

    def __init__(self, board: PitBoard) -> None:
        self._board = board
        self._known: dict[tuple[FighterId, FighterId], Results] = {}

    def value(self, seat: Seat, runs: Mapping[FighterId, position.Cell]) -> float:
        """Return what a seat has more than its enemies after the fights of this turn and of the next one.

        `runs` are the cells of fighters that engage in this turn.
        """
        board = self._board
        fighters = [
            replace(fighter, x=runs[fighter.id][0], y=runs[fighter.id][1], has_engaged=True)
            if fighter.id in runs
            else fighter
            for fighter in position.fielded(board)
        ]
        chances = {fighter.id: _state(fighter.status) for fighter in fighters}
        touching = _contacts(fighters)
        first = [fighter for fighter in fighters if fighter.has_engaged]
        self._fight(first, touching, chances)
        self._fight([fighter for fighter in fighters if not fighter.has_engaged], touching, chances)
        for fighter in fighters:
            if fighter.seat != board.seat:
                chances[fighter.id].recover()
        self._fight(fighters, touching, chances)
        return self._total(seat, fighters, chances)

    def after_attack(self, seat: Seat, fighter: Fighter, target: Fighter) -> float:
        """Return what a seat has more than its enemies after the combat and a turn, if a fighter strikes now."""
        board = self._board
        assert board.combat is not None  # a fighter attacks
        fighters = position.fielded(board)
        chances = {other.id: _state(other.status) for other in fighters}
        touching = _contacts(fighters)
        self._apply(fighter, target, chances[target.id], 1.0, 1.0)
        for id in board.combat.waiting:
            if id != fighter.id and id in chances:
                self._fight([board.fighters[id]], touching, chances)
        for other in fighters:
            if other.seat != board.seat:
                chances[other.id].recover()
        self._fight(fighters, touching, chances)
        return self._total(seat, fighters, chances)

    def _fight(
        self,
        fighters: Sequence[Fighter],
        touching: Mapping[FighterId, list[Fighter]],
        chances: Mapping[FighterId, Odds],
    ) -> None:
        """Let fighters strike by agility, the lowest first (A-12)."""
        for fighter in sorted(fighters, key=lambda one: (one.agility, one.id)):
            if chances[fighter.id].up > NEGLIGIBLE and touching[fighter.id]:
                self._strike(fighter, touching[fighter.id], chances)

    def _strike(self, fighter: Fighter, enemies: Sequence[Fighter], chances: Mapping[FighterId, Odds]) -> None:
        """Strike the enemy that loses most; one that lies only as far as no other stands (A-15)."""
        best, most = None, 0.0
        for enemy in enemies:
            others_down = 1.0
            for other in enemies:
                if other is not enemy:
                    others_down *= 1 - chances[other.id].up
            loss = self._loss(fighter, enemy, chances[enemy.id], others_down)
            if loss > most:
                best, most = (enemy, others_down), loss
        if best is not None:
            self._apply(fighter, best[0], chances[best[0].id], chances[fighter.id].up, best[1])

    def _loss(self, fighter: Fighter, enemy: Fighter, state: Odds, others_down: float) -> float:
        result = self._results(fighter, enemy)
        dazed, stunned = STATE_SHARE["dazed"], STATE_SHARE["stunned"]
        standing = result.dazed * (1 - dazed) + result.stunned * (1 - stunned) + result.out
        lying = state.dazed * result.out_if_dazed * dazed + state.stunned * stunned
        return FIGHTER_WORTH[self._board.rank(enemy)] * (state.up * standing + others_down * lying)

    def _apply(self, fighter: Fighter, enemy: Fighter, state: Odds, acts: float, others_down: float) -> None:
        result = self._results(fighter, enemy)
        up, dazed, stunned = state.up, state.dazed, state.stunned
        state.up = up * (1 - acts * (result.dazed + result.stunned + result.out))
        state.dazed = dazed * (1 - acts * others_down * result.out_if_dazed) + acts * up * result.dazed
        state.stunned = stunned * (1 - acts * others_down) + acts * up * result.stunned

    def _results(self, fighter: Fighter, enemy: Fighter) -> Results:
        known = self._known.get((fighter.id, enemy.id))
        if known is None:
            known = self._known[fighter.id, enemy.id] = results(self._board, fighter, enemy)
        return known

    def _total(self, seat: Seat, fighters: Sequence[Fighter], chances: Mapping[FighterId, Odds]) -> float:
        """Return the worth of what is left to a seat less the mean of its enemies'; a side that may rout has less."""
        board, total = self._board, 0.0
        enemies = max(1, len({fighter.seat for fighter in fighters} - {seat}))
        for side in {fighter.seat for fighter in fighters}:
            own = [fighter for fighter in fighters if fighter.seat == side]
            left = sum(FIGHTER_WORTH[board.rank(fighter)] * chances[fighter.id].share for fighter in own)
            lost = board.seats[side].losses + sum(chances[fighter.id].out for fighter in own)
            near = min(1.0, max(0.0, lost - board.seats[side].rout_losses + 1))
            left *= 1 - ROUT_SHARE * near
            total += left if side == seat else -left / enemies
        return total


def results(board: PitBoard, fighter: Fighter, enemy: Fighter) -> Results:
    """Return what all attacks of one fighter do to one enemy."""
    attacks = odds.declaration_on(board, fighter, enemy.id)
    standing = replace(enemy, status="ok" if enemy.is_down else enemy.status)
    lying = replace(enemy, status="dazed")
    blows = tuple(odds.blow(board, fighter, standing, attack) for attack in attacks)
    out = float(odds.removal_chance(board, fighter, standing, attacks))
    dazed, stunned = _injuries(blows, enemy.wounds)
    return Results(dazed, stunned, out, float(odds.removal_chance(board, fighter, lying, attacks)))


@lru_cache(maxsize=4096)
def _injuries(blows: tuple[MeleeAttackOdds, ...], wounds: int) -> tuple[float, float]:
    """Return the chances that attacks daze or stun at worst, by the highest hit of those that take the last wound."""
    totals: dict[tuple[int, int], float] = {(0, 0): 1.0}
    for attack in blows:
        after: dict[tuple[int, int], float] = {}
        for (hits, worst), chance in totals.items():
            for (value, unsaved), likely in odds.unsaved_hits(attack).items():
                key = (hits + unsaved, max(worst, value))
                after[key] = after.get(key, 0.0) + chance * float(likely)
        totals = after
    dazed = stunned = 0.0
    for (hits, worst), chance in totals.items():
        status = checks.injury_status(worst) if hits >= wounds else None
        dazed += chance * (status == "dazed")
        stunned += chance * (status == "stunned")
    return dazed, stunned


def _state(status: Status) -> Odds:
    return Odds(dazed=1.0) if status == "dazed" else Odds(stunned=1.0) if status == "stunned" else Odds(up=1.0)


def _contacts(fighters: Sequence[Fighter]) -> dict[FighterId, list[Fighter]]:
    """Return the enemies that each fighter touches."""
    return {
        fighter.id: [
            other
            for other in fighters
            if other.seat != fighter.seat and abs(other.x - fighter.x) <= 1 and abs(other.y - fighter.y) <= 1
        ]
        for fighter in fighters
    }
