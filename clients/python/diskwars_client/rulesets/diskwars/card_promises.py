"""Command cards that a seat has locked, and checks of what the server publishes about them."""

from typing import Any

from diskwars_client.seat_secrets import BrokenPromise
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.records.fairness import card_commitment
from diskwars_protocol.rulesets.diskwars.actions import LockCard
from diskwars_protocol.rulesets.diskwars.events import CardLocked, CardsRevealed, RevealedCard


class CardPromises:
    """The commitments of the cards that one seat has sent, by step."""

    def __init__(self, match: MatchId) -> None:
        self._match = match
        self.commitments: dict[int, set[str]] = {}

    def record(self, seat: Seat, step: int, action: Any) -> None:
        """Remember a lock that is about to be sent. One that is refused binds nobody, so others may follow."""
        if isinstance(action, LockCard):
            commitment = card_commitment(self._match, step, seat, str(action.card), bytes.fromhex(str(action.salt)))
            self.commitments.setdefault(step, set()).add(commitment)

    def forget(self, step: int) -> None:
        self.commitments.pop(step, None)

    def check(self, seat: Seat, event: Any) -> None:
        """Compare an event with what the seat has locked. Raises BrokenPromise."""
        match event:
            case CardLocked() if event.seat == seat and event.step in self.commitments:
                if event.commitment not in self.commitments[event.step]:
                    raise BrokenPromise(
                        f"step {event.step}: the server has published another commitment than this seat made; "
                        "its card may have been swapped"
                    )
            case CardsRevealed() if event.step in self.commitments:
                for shown in event.cards:
                    if shown.seat == seat:
                        self._check_card(event.step, shown)
            case _:
                pass  # nothing in it was this seat's to promise

    def _check_card(self, step: int, shown: RevealedCard) -> None:
        commitment = card_commitment(self._match, step, shown.seat, shown.card, bytes.fromhex(shown.salt))
        if commitment not in self.commitments[step]:
            raise BrokenPromise(f'step {step}: the server has revealed "{shown.card}", which this seat did not lock')
