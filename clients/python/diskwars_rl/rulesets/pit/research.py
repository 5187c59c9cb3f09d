"""The pit in arrays: its fighters and its turn; every cell and every target that is offered is a deed of its own."""

from collections.abc import Mapping, Sequence
from typing import Any

from diskwars_engine.ruleset import AnyRuleset, RandomSource
from diskwars_protocol.match.decisions import Options
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.rulesets.pit import actions, odds
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.options import PitLimits
from diskwars_rl.arrays import DIRECTIONS, REACHES, Arrays, Axes, Row, one_hot, prefixed, question_tag, unit_vector
from diskwars_rl.deeds import NO_PIECE, Deed, DeedRow, DeedTable, nothing, offered_deeds
from diskwars_text.rulesets.pit.picture import draw_board
from diskwars_text.rulesets.pit.text_map import draw_text_map

MAX_FIGHTERS = 24
QUESTIONS = ("engagement", "movement", "combat", "fighter", "attack_declaration", "target", "concession")
PHASES = ("engage", "move", "melee")
STATES = ("ok", "staggered", "dazed", "stunned")
RANKS = {"henchman": 0.0, "hero": 1.0, "leader": 2.0}

FIGHTERS = Axes(
    "pieces",
    (
        *("present", "own", *STATES, "x", "y", "wounds", "melee", "agility", "morale", "attacks", "injury", "pierce"),
        *("defence", "movement", "rank", "has_engaged", "has_acted", "is_attacking", "is_waiting"),
    ),
    MAX_FIGHTERS,
)
TURN = Axes(
    "match",
    (
        *("is_asked", *prefixed("question", QUESTIONS), "asked_piece", "round", "rounds", "own_turn"),
        *(*prefixed("phase", PHASES), "is_first_turn", "own_losses", "own_rout_losses", "enemy_losses"),
        *("enemy_rout_losses",),
    ),
)
OWN, ATTACKING, WAITING = (FIGHTERS.columns.index(name) for name in ("own", "is_attacking", "is_waiting"))


class PitEncoder:
    """Fills the arrays of a match of the pit."""

    def __init__(self, board: PitBoard) -> None:
        if len(board.fighters) > MAX_FIGHTERS:
            raise ValueError(f"{len(board.fighters)} fighters; an observation holds {MAX_FIGHTERS}")
        self._pieces = FIGHTERS.zeros()
        self._fighters: list[Fighter | None] = [None] * len(board.fighters)
        self._owners = [fighter.seat for fighter in board.fighters]

    def encode(self, view: PitBoard, seat: Seat, question: Any) -> Arrays:
        """Return the arrays for a seat."""
        for number, fighter in enumerate(view.fighters):
            if self._fighters[number] is not fighter:
                self._fighters[number] = fighter
                self._pieces[number] = _fighter_row(view, fighter)
        pieces = self._pieces.copy()
        pieces[: len(self._owners), OWN] = [float(owner == seat) for owner in self._owners]
        if view.combat is not None:
            if view.combat.fighter is not None:
                pieces[view.combat.fighter, ATTACKING] = 1.0
            for waiting in view.combat.waiting:
                pieces[waiting, WAITING] = 1.0
        match = TURN.zeros()
        match[:] = _turn_row(view, seat, question)
        return {"match": match, "pieces": pieces}


def _fighter_row(board: PitBoard, fighter: Fighter) -> Row:
    profile = board.profile(fighter)
    return (
        *(1.0, 0.0, *one_hot(fighter.status, STATES), fighter.x / board.width, fighter.y / board.height),
        *(fighter.wounds, fighter.melee, fighter.agility, fighter.morale, fighter.attacks, fighter.injury),
        *(fighter.pierce, fighter.defence or 0, profile.movement, RANKS[profile.rank], fighter.has_engaged),
        *(fighter.has_acted, 0.0, 0.0),
    )


def _turn_row(board: PitBoard, seat: Seat, question: Any) -> Row:
    tag, own = question_tag(question), board.seats[seat]
    enemies = [state for number, state in enumerate(board.seats) if number != seat]
    fighter = getattr(question, "fighter", NO_PIECE)
    return (
        *(float(question is not None), *one_hot(tag, QUESTIONS), fighter, board.round, board.rounds),
        *(float(board.active_seat == seat), *one_hot(board.phase, PHASES), board.is_first_turn),
        *(own.losses, own.rout_losses, sum(state.losses for state in enemies)),
        sum(state.rout_losses for state in enemies),
    )


# ---------------------------------------------------------------- deeds


def _to_cell(board: PitBoard, action: actions.Engage | actions.Move) -> DeedRow:
    return action.fighter, NO_PIECE, action.x / board.width, action.y / board.height, 0.0


def _attacks(board: PitBoard, action: actions.DeclareAttacks) -> DeedRow:
    first = action.attacks[0]
    fighter = NO_PIECE if board.combat is None or board.combat.fighter is None else board.combat.fighter
    return fighter, first.target, 0.0, 0.0, len(action.attacks)


DEEDS = DeedTable(
    {
        actions.Engage: _to_cell,
        actions.Move: _to_cell,
        actions.EndPhase: nothing,
        actions.ChooseCombat: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, action.combat),
        actions.ChooseFighter: lambda board, action: (action.fighter, NO_PIECE, 0.0, 0.0, 0.0),
        actions.DeclareAttacks: _attacks,
        actions.ChooseTarget: lambda board, action: (NO_PIECE, action.target, 0.0, 0.0, 0.0),
        actions.Concede: lambda board, action: (NO_PIECE, NO_PIECE, 0.0, 0.0, float(action.concede)),
    }
)


def _variants(board: PitBoard, limits: PitLimits) -> list[Deed]:
    """Return a deed for each cell, or for each target that all attacks are made on."""
    example = limits.example
    if isinstance(example, actions.Engage | actions.Move):
        kind = type(example)
        return [Deed(kind(limits.fighter, cell.x, cell.y)) for cell in limits.cells]
    if isinstance(example, actions.DeclareAttacks):
        fighter = board.fighters[limits.fighter]
        return [Deed(actions.DeclareAttacks(odds.declaration_on(board, fighter, target))) for target in limits.targets]
    return [Deed(example)]


class PitResearch:
    """Implements `arrays.ResearchRuleset`."""

    axes = (TURN, FIGHTERS)
    table = DEEDS
    on_field = STATES
    max_deeds = 512

    def settings(self, kind: Any, given: Mapping[str, Any]) -> Any:
        return kind(**given)

    def loadouts(
        self, rules: AnyRuleset, settings: Any, given: Sequence[str], seats: int, rng: RandomSource
    ) -> list[Any]:
        return [actions.PitLoadout()] * seats

    def new_encoder(self, board: PitBoard) -> PitEncoder:
        return PitEncoder(board)

    def deeds(self, board: PitBoard, options: Options[Any, Any, Any], is_factored: bool) -> list[Deed]:
        if is_factored:
            return offered_deeds(options)
        return [
            *map(Deed, options.actions),
            *(deed for limits in options.parametric for deed in _variants(board, limits)),
        ]

    def shaped(self, board: PitBoard, deed: Deed, direction: int, reach: int) -> Any:
        """Return the offered cell nearest to a way from the fighter, or attacks on a target picked by the direction."""
        limits: PitLimits = deed.option
        fighter = board.fighters[limits.fighter]
        if limits.cells:
            length = board.profile(fighter).movement * (reach + 1) / REACHES
            dx, dy = unit_vector(direction)
            x, y = fighter.x + dx * length, fighter.y + dy * length
            cell = min(limits.cells, key=lambda cell: ((cell.x - x) ** 2 + (cell.y - y) ** 2, cell))
            return type(deed.action)(limits.fighter, cell.x, cell.y)
        variants = _variants(board, limits)
        return variants[direction * len(variants) // DIRECTIONS].action

    def draw_text(self, board: PitBoard) -> str:
        return draw_text_map(board)

    def draw_picture(self, board: PitBoard) -> str:
        return draw_board(board)
