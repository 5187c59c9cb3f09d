"""Checks of what the server publishes about one seat: every record once and in order, also around a snapshot."""

from collections.abc import Iterable

from diskwars_client.seat_secrets import SeatSecrets
from diskwars_protocol.match.events import SeatTaken, StepBegan
from diskwars_protocol.match.ids import Seat
from diskwars_protocol.match.state import AnyBody
from diskwars_protocol.records.sealed import Sealed


class PromiseChecks:
    """Comparison of the records of a match with what the own seat gave.

    A client that resumes from a snapshot gets the records it missed later than those after the snapshot. They are
    compared in the order of the match all the same: which step a nonce belongs to, and whether the house answered for
    the seat, follows from the records before.
    """

    def __init__(self) -> None:
        self.secrets: SeatSecrets | None = None
        """The secrets of the own seat; None where nothing was given, so that nothing is compared."""
        self._seq = 0
        self._step = 0
        self._waiting: dict[int, AnyBody] = {}

    def begin_after(self, seq: int, step: int) -> None:
        """Begin after a record that the first snapshot stands for. Nothing was given in this client's life before."""
        if not self._seq:
            self._seq, self._step = seq, step

    def check(self, seat: Seat | None, records: Iterable[tuple[int, AnyBody]], is_live: bool) -> None:
        """Compare records, given by their numbers, as far as none is missing between. Raises BrokenPromise.

        Records that come again are passed over: they were compared the first time.
        """
        self._waiting |= {seq: body for seq, body in records if seq > self._seq}
        while (body := self._waiting.pop(self._seq + 1, None)) is not None:
            if self.secrets is not None and seat is not None:
                self._check_record(self.secrets, seat, body, is_live)
            self._seq += 1
            self._step = next(
                (event.step for event in reversed(body.events) if isinstance(event, StepBegan)), self._step
            )

    def _check_record(self, secrets: SeatSecrets, seat: Seat, body: AnyBody, is_live: bool) -> None:
        secrets.expect_step(self._step + 1)
        if body.actor is not None and body.seat == seat:
            # Our answer may have been under way: it is refused and binds nobody.
            secrets.forget_answers(self._step + 1)
        for event in body.events:
            # A seat may have been left and taken again with another chain since: then the history holds both.
            is_history = isinstance(event, SeatTaken) and not is_live
            if not isinstance(event, Sealed) and not is_history:
                secrets.check(seat, event)
