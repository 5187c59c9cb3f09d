"""Command cards: locked in secret, revealed together, and put in order (R7.3 to R7.5, R7.16 to R7.21)."""

from collections.abc import Iterator, Mapping

from diskwars_engine.ruleset import Dice, Illegal
from diskwars_engine.rulesets.diskwars.resolution import Resolution
from diskwars_engine.rulesets.diskwars.tasks import CommandCardTask, DiscardCardsTask
from diskwars_engine.salts import check_salt, hidden_salt
from diskwars_protocol.match.decisions import Reason
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.records.fairness import card_commitment
from diskwars_protocol.records.sealed import if_known
from diskwars_protocol.rulesets.diskwars import position
from diskwars_protocol.rulesets.diskwars.actions import LockCard
from diskwars_protocol.rulesets.diskwars.board import Board
from diskwars_protocol.rulesets.diskwars.events import CardLocked, CardsDiscarded, CardsRevealed, RevealedCard
from diskwars_protocol.rulesets.diskwars.options import DiskwarsOptions, DiskwarsUnavailable
from diskwars_protocol.rulesets.diskwars.stats import Ability, CommandCard, Strategy

RESOLVES_BEFORE: dict[Strategy, Strategy] = {"bold": "steady", "steady": "devious", "devious": "bold"}
"""R7.17: the strategy that each strategy resolves before; slow is last."""

# ---------------------------------------------------------------- choosing


def can_lock(board: Board, seat: Seat) -> bool:
    """Return whether a seat has to lock a card now: R7.4 each player with a card; R7.6, R-14 others sit out."""
    side = board.sides[seat]
    return not side.eliminated and not side.has_locked and side.card_count > 0


def is_phase_over(board: Board) -> bool:
    """Return whether the activation phase ends: no fielded disk can be activated, or nobody has a card left (R7.1).

    Disks in reserve (R7.2) and disks that could act while pinned (R-43) do not keep the phase going.
    """
    if any(side.has_locked for side in board.sides):
        # Once one player has chosen, all do: a player who leaves meanwhile takes disks away, and must not end the
        # phase under those who have already bound themselves to a card.
        return False
    if all(side.eliminated or not side.card_count for side in board.sides):
        return True
    return not any(position.is_activatable(board, disk) for disk in position.fielded_disks(board))


def lock(resolution: Resolution, seat: Seat, action: LockCard) -> None:
    """Commit a seat to a card of its hand, and reveal all cards once the last seat has chosen (R7.5).

    Raises `Illegal`.
    """
    card, salt, seat_nonce = str(action.card), str(action.salt), str(action.seat_nonce)
    hand = if_known(resolution.board.sides[seat].hand) or ()
    if card in resolution.board.sides[seat].discards:
        raise discarded_error(resolution.board, card)
    if card not in hand:
        raise Illegal(
            "not_in_hand", f'"{resolution.board.card_name(card)}" is not in the hand', "R7.3", "$.action.card"
        )
    check_salt(salt, resolution.board.revealed_salts)
    resolution.emit_shared(resolution.dice.open_seat_nonce(seat, seat_nonce))
    # The commitment names the step that the reveal begins, so it cannot be used again for another round.
    step = resolution.dice.step + 1
    commitment = card_commitment(resolution.dice.match, step, seat, card, bytes.fromhex(salt))
    resolution.emit(CardLocked(seat, step, commitment, card, salt))
    if not any(can_lock(resolution.board, side.seat) for side in resolution.board.sides):
        reveal(resolution)


def discarded_error(board: Board, card: str) -> Illegal:
    """Create the refusal of a discarded card, which returns to the hand in the end phase (R7.16, R4.3)."""
    return Illegal(
        "not_in_hand", f'"{board.card_name(card)}" is discarded until the end phase', "R4.3", "$.action.card"
    )


def reveal(resolution: Resolution) -> None:
    """Reveal all locked cards at once (R7.5), and queue them in order of resolution (R7.17 to R7.21)."""
    board = resolution.board
    # Each lock has opened a nonce of its seat, so the dice from here on depend on every player who chose a card.
    resolution.emit_shared(resolution.dice.begin_step())
    locked = {side.seat: if_known(side.locked_card) for side in board.sides}
    cards = {seat: board.card(card) for seat, card in locked.items() if card is not None}
    salts = {side.seat: if_known(side.locked_salt) for side in board.sides}
    order = resolution_order(board, cards)
    revealed = tuple(RevealedCard(seat, cards[seat].id, salts[seat] or "") for seat in order)
    resolution.emit(CardsRevealed(resolution.dice.step, revealed, (Reason(_order_rule(board, cards)),)))
    turns = [
        CommandCardTask(seat, cards[seat].id, cards[seat].activations, battle_ability(cards[seat]) is not None)
        for seat in order
    ]
    resolution.push(*turns, DiscardCardsTask())


def resolution_order(board: Board, cards: dict[Seat, CommandCard]) -> list[Seat]:
    """Return the seats in the order in which their cards are resolved (R7.17 to R7.21, R18.4).

    Every card is compared with the first player's, unless that is slow or missing.
    """
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
    # R7.21, R-15: all three strategies form a circle with no first one, so initiative order stands.
    return quick + slow


def _order_rule(board: Board, cards: Mapping[Seat, CommandCard]) -> str:
    """Return the id of the rule by which `resolution_order` orders these cards."""
    kinds = {card.strategy for card in cards.values()}
    if len(board.sides) == 2:
        return "R7.18" if kinds == {"slow"} else "R7.17"
    first = cards.get(position.seats_in_order(board)[0])
    if first is not None and first.strategy != "slow":
        return "R7.19"
    return "R7.21" if len(kinds - {"slow"}) == len(RESOLVES_BEFORE) else "R7.20"


def _rank(strategy: Strategy, first: Strategy) -> int:
    """Return a sort key relative to the first player's strategy (R7.19): 0 before it, 1 equal, 2 after it, 3 slow."""
    if strategy == "slow":
        return 3
    if strategy == first:
        return 1
    return 0 if RESOLVES_BEFORE[strategy] == first else 2


def options(board: Board, seat: Seat) -> DiskwarsOptions:
    """Offer each card of the hand; the player adds a fresh salt and the seat's next nonce."""
    return DiskwarsOptions(tuple(LockCard(card) for card in if_known(board.sides[seat].hand) or ()))


def unavailable(board: Board, seat: Seat) -> Iterator[DiskwarsUnavailable]:
    """Explain why discarded cards cannot be locked."""
    for card in board.sides[seat].discards:
        refused = discarded_error(board, card)
        yield DiskwarsUnavailable(refused.code, refused.text, refused.rule, card=card, numbers=refused.numbers)


def default_card(board: Board, seat: Seat, dice: Dice) -> LockCard:
    """Draw a random card of the hand and a salt for a seat whose time has run out (R19.11).

    Both are hidden draws: a public draw would advance the index that everybody sees, and could be recomputed.
    """
    hand = if_known(board.sides[seat].hand) or ()
    tag = f"default card {dice.step + 1} {seat}"
    salt = hidden_salt(dice, tag)
    return LockCard(hand[dice.hidden(len(hand), tag)], salt)


def battle_ability(card: CommandCard) -> Ability | None:
    return next((ability for ability in card.abilities if ability.timing == "battle"), None)


def discard(resolution: Resolution, task: DiscardCardsTask) -> None:
    """Discard all revealed cards after their resolution (R7.16)."""
    resolution.emit(CardsDiscarded())
