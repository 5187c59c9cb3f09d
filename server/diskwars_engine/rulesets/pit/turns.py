"""The course of the game: rounds, turns, phases and combats, played on until somebody has to decide."""

from collections.abc import Iterable, Iterator, Set

from diskwars_engine.rulesets.pit import attacks, combat, rolls
from diskwars_engine.rulesets.pit.resolution import Resolution, because
from diskwars_protocol.match.decisions import Result
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.tasks import end_reason, task_winner
from diskwars_protocol.rulesets.pit import actions, events, position
from diskwars_protocol.rulesets.pit.board import Fighter, PitBoard
from diskwars_protocol.rulesets.pit.events import Status
from diskwars_protocol.search_steps import CountSteps, count_nothing

RECOVERY: dict[Status, Status] = {"stunned": "dazed", "dazed": "staggered"}


def start(resolution: Resolution) -> None:
    """Roll the order of turns, and play on until the first question."""
    seats = list(range(len(resolution.board.seats)))
    order = _roll_order(resolution, seats)
    resolution.emit(events.TurnOrderSet(tuple(order), because("A-0", seats=len(order))))
    _begin_round(resolution)
    play_on(resolution)


def _roll_order(resolution: Resolution, seats: list[Seat]) -> list[Seat]:
    """Order seats by a d20 each, highest first; those that tie roll again."""
    if len(seats) < 2:
        return seats
    draw = resolution.dice.roll("number_dice", 20, len(seats), "turn order")
    resolution.emit(events.TurnOrderRolled(tuple(seats), draw, because("A-0", seats=len(seats))))
    faces = dict(zip(seats, draw.results, strict=True))
    return [
        seat
        for face in sorted(set(draw.results), reverse=True)
        for seat in _roll_order(resolution, [seat for seat in seats if faces[seat] == face])
    ]


# ---------------------------------------------------------------- questions


def question(board: PitBoard) -> tuple[Seat, actions.PitQuestion] | None:
    """Return the open question and the seat that has to answer it; None while the game plays on by itself."""
    return None if result(board) is not None else _question_in_play(board)


def _question_in_play(board: PitBoard) -> tuple[Seat, actions.PitQuestion] | None:
    """Return what is asked in a match that goes on."""
    match board.phase:
        case "upkeep":
            return (board.seat, actions.ConcedeQuestion()) if board.may_concede else None
        case "engage":
            return (board.seat, actions.EngageQuestion()) if next(engagements(board), None) else None
        case "move":
            return (board.seat, actions.MoveQuestion()) if next(moves(board), None) else None
        case "melee":
            return _melee_question(board)
        case "over":
            return None


def _melee_question(board: PitBoard) -> tuple[Seat, actions.PitQuestion] | None:
    fought = board.combat
    if fought is None:
        return (board.seat, actions.CombatQuestion()) if len(unresolved(board)) > 1 else None
    if fought.fighter is None:
        run = position.leading_run(board, fought)
        able = [id for id in run if combat.can_attack(board, id)]
        return (
            (board.fighters[run[0]].seat, actions.FighterQuestion())
            if len(able) > 1 and len(able) == len(run)
            else None
        )
    fighter = board.fighters[fought.fighter]
    if not fought.declared:
        has_choice = position.targets(board, fighter) and combat.forced_declaration(board, fighter) is None
        return (fighter.seat, actions.DeclareQuestion(fighter.id)) if has_choice else None
    return (fighter.seat, actions.TargetQuestion(fighter.id)) if len(position.declared_targets(fought)) > 1 else None


def unresolved(board: PitBoard) -> list[int]:
    """List the numbers of the combats of this turn that are still to be fought."""
    return [number for number in range(len(board.combats)) if number not in board.fought]


def engagements(board: PitBoard, count: CountSteps = count_nothing) -> Iterator[tuple[Fighter, position.Cell]]:
    """Yield what the seat whose turn it is may answer in the engage phase: a fighter and its end cell (A-9)."""
    contact = position.cells_beside_enemies(board, board.seat)
    for fighter in position.fielded(board):
        if fighter.seat == board.seat:
            for cell in sorted(engagement_cells(board, fighter, contact, count)):
                yield fighter, cell


def engagement_cells(
    board: PitBoard, fighter: Fighter, contact: Set[position.Cell], count: CountSteps = count_nothing
) -> Set[position.Cell]:
    """Return where a fighter of this turn's seat may engage; `contact` are the cells beside its enemies (A-9)."""
    if fighter.has_acted or fighter.is_down or (fighter.x, fighter.y) in contact:
        return frozenset()
    steps = 3 * position.movement(board, fighter) // 2
    if not _is_within(fighter, contact, steps):
        return frozenset()
    return position.reachable_cells(board, fighter, steps, contact, count) & contact


def _is_within(fighter: Fighter, cells: Iterable[position.Cell], steps: int) -> bool:
    """Return whether any of these cells is near enough with nothing in the way: cheaper than finding paths."""
    return any(abs(x - fighter.x) <= steps and abs(y - fighter.y) <= steps for x, y in cells)


def moves(board: PitBoard, count: CountSteps = count_nothing) -> Iterator[tuple[Fighter, position.Cell]]:
    """Yield what the seat whose turn it is may answer in the move phase: a fighter and its end cell (A-10)."""
    contact = position.cells_beside_enemies(board, board.seat)
    for fighter in position.fielded(board):
        if fighter.seat == board.seat:
            for cell in sorted(move_cells(board, fighter, contact, count)):
                yield fighter, cell


def move_cells(
    board: PitBoard, fighter: Fighter, contact: Set[position.Cell], count: CountSteps = count_nothing
) -> Set[position.Cell]:
    """Return where a fighter of this turn's seat may move; `contact` are the cells beside its enemies (A-10)."""
    if fighter.has_acted or not may_move(board, fighter):
        return frozenset()
    return position.reachable_cells(board, fighter, move_steps(board, fighter), contact, count) - contact


def may_move(board: PitBoard, fighter: Fighter) -> bool:
    """Return whether a fighter may move: a stunned one never, a dazed one away from enemies held by others (A-10)."""
    if fighter.status == "stunned":
        return False
    enemies = position.touched_enemies(board, fighter)
    if fighter.status != "dazed":
        return not enemies
    return all(_has_other_target(board, enemy, fighter) for enemy in enemies)


def _has_other_target(board: PitBoard, enemy: Fighter, fighter: Fighter) -> bool:
    return any(other.id != fighter.id and not other.is_down for other in position.touched_enemies(board, enemy))


def move_steps(board: PitBoard, fighter: Fighter) -> int:
    return 1 if fighter.status == "dazed" else position.movement(board, fighter)


# ---------------------------------------------------------------- the loop


def play_on(resolution: Resolution) -> None:
    """Carry out what needs no decision, up to the next question or the end of the game."""
    while result(resolution.board) is None and _question_in_play(resolution.board) is None:
        resolution.work.spend()
        _step(resolution)
    if result(resolution.board) is not None and resolution.board.phase != "over":
        resolution.emit(events.PhaseBegan("over"))


def _step(resolution: Resolution) -> None:
    match resolution.board.phase:
        case "upkeep":
            end_upkeep(resolution)
        case "engage":
            resolution.emit(events.PhaseBegan("move"))
        case "move":
            begin_melee(resolution)
        case "melee":
            _melee_step(resolution)
        case "over":
            raise ValueError("the game is over")


def _begin_round(resolution: Resolution) -> None:
    if resolution.board.round:
        resolution.events.append(resolution.dice.begin_step())
    resolution.emit(events.RoundBegan(resolution.board.round + 1))
    _begin_turn(resolution, next(seat for seat in resolution.board.order if not resolution.board.seats[seat].withdrawn))


def _begin_turn(resolution: Resolution, seat: Seat) -> None:
    """Begin a turn with the rout check of its upkeep."""
    resolution.emit(events.TurnBegan(seat))
    state = resolution.board.seats[seat]
    if state.losses >= state.rout_losses:
        check_rout(resolution, seat)


def check_rout(resolution: Resolution, seat: Seat) -> None:
    """A-7: the surviving hero with the best morale checks it; without a hero, the side is routed."""
    board, losses = resolution.board, resolution.board.seats[seat].losses
    heroes = [
        fighter for fighter in position.fielded(board) if fighter.seat == seat and board.rank(fighter) != "henchman"
    ]
    if not heroes:
        resolution.emit(events.MoraleChecked(seat, False, because("A-7", losses=losses)))
    else:
        best = min(heroes, key=lambda hero: (hero.morale, hero.id))
        draw, (check,) = rolls.roll_checks(resolution.dice, [(0, best.morale)], 0, "morale")
        reasons = because("A-7", losses=losses, needed=best.morale)
        resolution.emit(events.MoraleChecked(seat, check.passed, reasons, best.id, best.morale, draw))
    if not resolution.board.may_concede:
        withdraw(resolution, seat, "routed")


def withdraw(resolution: Resolution, seat: Seat, reason_kind: events.WithdrawalReason) -> None:
    """Take all fighters of a seat off the field; the turn goes on to the next seat if it was theirs."""
    rule = "A-7" if reason_kind != "resigned" else "A-22"
    resolution.emit(events.SeatWithdrew(seat, reason_kind, because(rule, seat=seat)))
    if result(resolution.board) is None and resolution.board.order and resolution.board.seat == seat:
        _next_turn(resolution)


def end_upkeep(resolution: Resolution) -> None:
    """Let the fighters of the seat recover by a step (A-8), and begin the engage phase."""
    board = resolution.board
    for fighter in position.fielded(board):
        if fighter.seat == board.seat and fighter.status in RECOVERY:
            resolution.emit(events.StatusChanged(fighter.id, RECOVERY[fighter.status], because("A-8")))
    # The first turn of the match has no engage phase, so that nobody is struck before their first turn.
    resolution.emit(
        events.PhaseBegan("move" if board.is_first_turn else "engage", because("A-9") if board.is_first_turn else ())
    )


def begin_melee(resolution: Resolution) -> None:
    """Fix the combats with a fighter of the seat (A-11)."""
    board = resolution.board
    resolution.emit(events.PhaseBegan("melee"))
    own = [group for group in position.combats(board) if any(board.fighters[id].seat == board.seat for id in group)]
    resolution.emit(events.CombatsFixed(tuple(own), because("A-11", combats=len(own))))


def _melee_step(resolution: Resolution) -> None:
    fought = resolution.board.combat
    if fought is None:
        left = unresolved(resolution.board)
        if left:
            combat.begin(resolution, left[0])
        else:
            _end_turn(resolution)
        return
    if fought.fighter is None:
        combat.drop_lost_slots(resolution)
        _take_next_slot(resolution)
        return
    fighter = resolution.fighter(fought.fighter)
    if not position.targets(resolution.board, fighter):
        resolution.emit(events.SlotLost(fighter.id, because("A-14")))  # its targets have left the game
        return
    if not fought.declared:
        forced = combat.forced_declaration(resolution.board, fighter)
        assert forced is not None  # otherwise there is a question
        declare(resolution, fighter.id, forced)
        return
    resolve(resolution, fighter.id, position.declared_targets(fought)[0])


def _take_next_slot(resolution: Resolution) -> None:
    fought = resolution.board.combat
    assert fought is not None
    if not fought.waiting:
        resolution.emit(events.CombatEnded(fought.id))
    elif len(position.leading_run(resolution.board, fought)) == 1:
        resolution.emit(events.SlotTaken(fought.waiting[0]))


def declare(resolution: Resolution, fighter: int, declared: tuple[actions.Attack, ...]) -> None:
    resolution.emit(events.AttacksDeclared(fighter, declared, because("A-15", attacks=len(declared))))


def resolve(resolution: Resolution, fighter: int, target: int) -> None:
    """Carry out the attacks on one target (A-16)."""
    fought = resolution.board.combat
    assert fought is not None
    attacks.resolve_target(
        resolution, fighter, target, [attack for attack in fought.declared if attack.target == target]
    )


def _end_turn(resolution: Resolution) -> None:
    for fighter in position.fielded(resolution.board):
        if fighter.seat == resolution.board.seat and fighter.status == "staggered":
            resolution.emit(events.StatusChanged(fighter.id, "ok", because("A-8")))
    _next_turn(resolution)


def _next_turn(resolution: Resolution) -> None:
    """Begin the turn of the next seat that is in the game, or the next round."""
    board = resolution.board
    for seat in board.order[board.order.index(board.seat) + 1 :]:
        if not board.seats[seat].withdrawn:
            _begin_turn(resolution, seat)
            return
    if board.round < board.rounds:
        _begin_round(resolution)
    else:
        resolution.emit(events.PhaseBegan("over", because("A-23", rounds=board.rounds)))


# ---------------------------------------------------------------- the end


def result(board: PitBoard) -> Result | None:
    """Return who won.

    The last side with fighters; the side that did the task, or kept the other side from it; or after the
    last round the side with most fighters standing.
    """
    won = _task_result(board) if board.task is not None else None
    if won is not None:
        return won
    sides = {fighter.seat for fighter in board.fighters if fighter.is_fielded}
    if len(sides) > 1 and board.phase != "over":
        return None  # asked after every step, so that it comes first
    standing = [0] * len(board.seats)
    for fighter in position.fielded(board):
        standing[fighter.seat] += 1
    alive = [seat for seat, count in enumerate(standing) if count]
    if len(alive) <= 1:
        return Result("last_side", tuple(alive), tuple(standing), because("A-23", sides=len(alive)))
    wounds = [
        sum(fighter.wounds + fighter.new_wounds for fighter in position.fielded(board) if fighter.seat == seat)
        for seat in range(len(board.seats))
    ]
    totals = list(zip(standing, wounds, strict=True))
    best = [seat for seat, total in enumerate(totals) if total == max(totals)]
    reasons = because("A-23", rounds=board.rounds)
    return Result("round_limit", tuple(best) if len(best) == 1 else (), tuple(standing), reasons)


def _task_result(board: PitBoard) -> Result | None:
    """Return the result of a match that the task of its scenario has decided (A-25)."""
    standings = position.task_standings(board)
    if board.task is None or not all(standing.pieces for standing in standings):
        return None  # the last side on the field
    winner = task_winner(board.task, standings, is_over=board.phase == "over")
    if winner is None:
        return None
    scores = tuple(standing.pieces for standing in standings)
    reasons = because("A-25", in_zone=standings[winner].in_zone)
    return Result(end_reason(board.task, winner), (winner,), scores, reasons)
