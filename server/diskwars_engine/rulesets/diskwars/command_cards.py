"""Command cards: locked, revealed, ordered and used (R7)."""

from collections.abc import Mapping

from msgspec.structs import replace

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars import effects, shooting, sight
from diskwars_engine.rulesets.diskwars.play import Play
from diskwars_protocol.fairness import SALT_BYTES, Draw, card_commitment, is_hex
from diskwars_protocol.identifiers import id_title
from diskwars_protocol.match import Reason, Seat
from diskwars_protocol.rulesets.diskwars import effective_stats, position
from diskwars_protocol.rulesets.diskwars.actions import LockCard, UseAbility
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import (
    AbilityUsed,
    CardBegan,
    CardLocked,
    CardsDiscarded,
    CardsRevealed,
    CommandCardTask,
    DiscardCardsTask,
    RevealedCard,
)
from diskwars_protocol.rulesets.diskwars.stats import Ability, CommandCard, Strategy

RESOLVES_BEFORE: dict[Strategy, Strategy] = {"bold": "steady", "steady": "devious", "devious": "bold"}
"""R7.17: the order of strategies; slow goes last."""
SALT_DIGITS = 2 * SALT_BYTES

# ---------------------------------------------------------------- choosing


def can_lock(board: Board, seat: Seat) -> bool:
    """R7.4: a player with a card must play one. R7.6, R-14: a player without cards sits out."""
    side = board.sides[seat]
    return not side.eliminated and not side.has_locked and side.card_count > 0


def is_phase_over(board: Board) -> bool:
    """R7.1: every disk on the battlefield is activated or pinned, or no player has a card left.

    R7.2: a disk in reserve does not keep the phase going, nor does one that could act while pinned (R-43). It is not
    tested any more once somebody has chosen: then all choose, also when a player has left meanwhile.
    """
    if any(side.has_locked for side in board.sides):
        return False
    if all(side.eliminated or not side.card_count for side in board.sides):
        return True
    return not any(position.is_activatable(board, disk) for disk in position.fielded_disks(board))


def lock(play: Play, seat: Seat, action: LockCard) -> None:
    """Bind a seat to a card of its hand. When the last has chosen, all are revealed (R7.5)."""
    card, salt, link = str(action.card), str(action.salt), str(action.link)
    hand = play.board.sides[seat].hand or ()
    if card in play.board.sides[seat].discards:
        raise discarded_error(play.board, card)
    if card not in hand:
        raise Illegal("not_in_hand", f'"{play.board.card_name(card)}" is not in the hand', "R7.3", "$.action.card")
    if not is_hex(salt, SALT_BYTES):
        raise Illegal("bad_salt", f"a salt is {SALT_DIGITS} hex digits, in small letters", place="$.action.salt")
    play.emit_shared(play.dice.open_link(seat, link))
    step = play.dice.step + 1
    bound = card_commitment(play.dice.match, step, seat, card, bytes.fromhex(salt))
    play.emit(CardLocked(seat, step, bound, card, salt))
    if not any(can_lock(play.board, side.seat) for side in play.board.sides):
        reveal(play)


def discarded_error(board: Board, card: str) -> Illegal:
    """R7.16, R4.3: a discarded card comes back in the end phase."""
    return Illegal(
        "not_in_hand", f'"{board.card_name(card)}" is discarded until the end phase', "R4.3", "$.action.card"
    )


def reveal(play: Play) -> None:
    """R7.5: all at once, in the order in which they will be resolved (R7.17 to R7.21)."""
    board = play.board
    play.emit_shared(play.dice.begin_step())
    cards = {side.seat: board.card(side.locked_card) for side in board.sides if side.locked_card is not None}
    order = resolution_order(board, cards)
    shown = tuple(RevealedCard(seat, cards[seat].id, board.sides[seat].locked_salt or "") for seat in order)
    play.emit(CardsRevealed(play.dice.step, shown, (Reason(_order_rule(board, cards)),)))
    turns = [
        CommandCardTask(seat, cards[seat].id, cards[seat].activations, battle_ability(cards[seat]) is not None)
        for seat in order
    ]
    play.push(*turns, DiscardCardsTask())


def resolution_order(board: Board, cards: dict[Seat, CommandCard]) -> list[Seat]:
    """R7.17 to R7.21, R18.4: every card is compared with the first player's."""
    seats = [seat for seat in board.order if seat in cards]
    first = cards.get(position.seats_in_order(board)[0])
    if first is not None and first.strategy != "slow":
        return sorted(seats, key=lambda seat: _rank(cards[seat].strategy, first.strategy))
    quick = [seat for seat in seats if cards[seat].strategy != "slow"]
    slow = [seat for seat in seats if cards[seat].strategy == "slow"]
    kinds = {cards[seat].strategy for seat in quick}
    if len(kinds) == 2:
        ahead = next(kind for kind in kinds if RESOLVES_BEFORE[kind] in kinds)
        quick.sort(key=lambda seat: cards[seat].strategy != ahead)
    # R7.21, R-15 all three kinds are a circle without a first: initiative order, as they stand
    return quick + slow


def _order_rule(board: Board, cards: Mapping[Seat, CommandCard]) -> str:
    """By which rule the cards of this reveal are ordered."""
    kinds = {card.strategy for card in cards.values()}
    if len(board.sides) == 2:
        return "R7.18" if kinds == {"slow"} else "R7.17"
    first = cards.get(position.seats_in_order(board)[0])
    if first is not None and first.strategy != "slow":
        return "R7.19"
    return "R7.21" if len(kinds - {"slow"}) == len(RESOLVES_BEFORE) else "R7.20"


def _rank(strategy: Strategy, first: Strategy) -> int:
    """R7.19: 0 goes before the first player's card, 1 is of its kind, 2 comes after it, 3 is slow."""
    if strategy == "slow":
        return 3
    if strategy == first:
        return 1
    return 0 if RESOLVES_BEFORE[strategy] == first else 2


def default_card(board: Board, seat: Seat, dice: Dice) -> LockCard:
    """R19.11: drawn at random, hidden, and no public index moves. The salt comes from the same draws."""
    hand = board.sides[seat].hand or ()
    tag = f"default card {dice.step + 1} {seat}"
    salt = "".join(f"{dice.hidden(256, f'{tag} salt {n}'):02x}" for n in range(SALT_BYTES))
    return LockCard(hand[dice.hidden(len(hand), tag)], salt)


# ---------------------------------------------------------------- resolving


def start_turn(play: Play, task: CommandCardTask) -> CommandCardTask:
    play.emit(CardBegan(task.seat, task.card))
    return replace(task, begun=True)


def discard(play: Play) -> None:
    """R7.16"""
    play.emit(CardsDiscarded())


def battle_ability(card: CommandCard) -> Ability | None:
    return next((ability for ability in card.abilities if ability.when == "battle"), None)


def ability_uses(board: Board, task: CommandCardTask) -> list[UseAbility]:
    """R7.9: every way of using the battle ability of a card now: by which disk, at which target."""
    uses: list[UseAbility] = []
    ability = _unused_ability(board, task)
    if ability is None:
        return uses
    for disk in _qualified_disks(board, task, ability):
        aims = effects.targets(board, disk, ability.effect)
        if aims is not None:
            uses.extend(UseAbility(disk, aim) for aim in aims)
        elif effects.is_usable(board, disk, ability.effect):
            uses.append(UseAbility(disk))
    return uses


def can_use_ability(board: Board, task: CommandCardTask) -> bool:
    """R7.9: whether there is any of them."""
    ability = _unused_ability(board, task)
    return ability is not None and effects.is_usable_by_any(
        board, _qualified_disks(board, task, ability), ability.effect
    )


def _unused_ability(board: Board, task: CommandCardTask) -> Ability | None:
    """Return the battle ability of a card that has not been used."""
    return battle_ability(board.card(task.card)) if task.ability_available else None


def _qualified_disks(board: Board, task: CommandCardTask, ability: Ability) -> list[int]:
    """Return the disks that the battle ability of a card may be used by now."""
    own = [disk for disk in position.fielded_disks(board) if disk.seat == task.seat]
    return [disk.id for disk in own if effective_stats.matches_selector(board.profiles[disk.profile], ability.user)]


def qualifies(board: Board, disk: int, ability: Ability) -> bool:
    """R7.9: it may be pinned or activated already; it has to be the user that the text names."""
    return effective_stats.matches_selector(board.profile(disk), ability.user)


def use_ability(play: Play, task: CommandCardTask, action: UseAbility) -> CommandCardTask:
    """R7.9, R7.10: once, at no cost, at any moment between activations; R-13 may say that it ends them."""
    board = play.board
    ability = battle_ability(board.card(task.card))
    if ability is None or not task.ability_available:
        raise Illegal(
            "no_such_ability",
            f'"{play.board.card_name(task.card)}" has no battle ability to use now',
            "R7.9",
            "$.action",
        )
    check_use(board, task.seat, ability, action)
    amount, dice = play.roll_amount(effects.amount_of(ability.effect), "battle ability")
    draws = [dice] if dice else []
    struck = [action.disk] if _backfires(play, ability, draws) else []
    seen = () if action.target is None else sight.sight_reasons(board, action.disk, action.target)
    because = (Reason("R7.9", {"amount": amount}), *seen)
    play.emit(AbilityUsed(task.seat, action.disk, action.target, task.card, tuple(draws), because))
    effects.apply(play, action.disk, action.target, ability.effect, amount, because, extra_targets=struck)
    between = task.activations_left < board.card(task.card).activations
    if between and board.settings.ability_timing == "ends":
        return replace(
            task, ability_available=False, activations_left=0
        )  # R-13 it comes after the last activation, so this was the last
    return replace(task, ability_available=False)


def check_use(board: Board, seat: Seat, ability: Ability, action: UseAbility) -> None:
    """R7.9: by an own disk on the battlefield that qualifies, at a target that it may be aimed at."""
    place = "$.action.disk"
    if not 0 <= action.disk < len(board.disks):
        raise Illegal("unknown_disk", f"there is no disk {action.disk}", place=place)
    if board.disks[action.disk].seat != seat:
        raise Illegal("not_your_disk", f"disk {action.disk} is another player's", "R7.9", place)
    if not position.is_fielded(board, action.disk):
        raise Illegal("not_on_field", f"disk {action.disk} is not on the battlefield", "R7.9", place)
    if not qualifies(board, action.disk, ability):
        raise Illegal("bad_target", f"disk {action.disk} is no {id_title(ability.user)}", "R7.9", place)
    effects.check_target(board, action.disk, action.target, ability.effect, "R7.9")
    if not effects.is_usable(board, action.disk, ability.effect):
        raise Illegal("bad_target", f"used by disk {action.disk} the ability would do nothing", "R7.9", place)


def _backfires(play: Play, ability: Ability, draws: list[Draw]) -> bool:
    """R7.15: an Unstable card rolls one battle die; on chaos the effect hits its user as well (R-72)."""
    if not ability.unstable:
        return False
    die = play.dice.roll(shooting.BATTLE_DICE, 6, 1, "unstable")
    draws.append(die)
    return shooting.count_symbol(play.board, die.faces, "chaos") > 0
