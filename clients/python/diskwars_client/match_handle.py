"""The handle of one match: follow it and act in it."""

from msgspec import Struct

from diskwars_client.any_ruleset import AnyAction, AnyDecision, AnyOptions
from diskwars_client.errors import DecisionUnavailable, MatchUnavailable
from diskwars_client.former_names import FormerHandleNames
from diskwars_client.match_requests import MatchRequests
from diskwars_client.match_stream import MatchStream
from diskwars_client.notebook import board_svg, match_html
from diskwars_client.own_seat import OwnSeat
from diskwars_client.promise_checks import PromiseChecks
from diskwars_client.updates import Update
from diskwars_client.watch_mode import DEFAULT_WATCH_MODE, WatchMode
from diskwars_protocol.match.actions import AnswerOffer, MakeOffer, Offer, Resign, ResumePlay, TakeBack, TakeSeatBack
from diskwars_protocol.match.ids import MatchId, Seat
from diskwars_protocol.match.state import AnyBody, AnyMatch
from diskwars_protocol.match.vocabulary import AnyVocabulary
from diskwars_protocol.messages.decisions import Accepted
from diskwars_protocol.records.fairness import Entropy


class MatchHandle(FormerHandleNames):
    """One match as this client knows it. Iterate over it for updates; `state` is always the newest.

    `stream` holds what has been received, `own_seat` the secrets of the player's seat and the control over it.

    At most `updates.UPDATE_BUFFER_LIMIT` updates and one frame of them wait to be taken. Then the client stops reading,
    which slows the server down; while a task waits for a later state, it reads on, and the oldest updates become one
    without a record. `records` holds every record in either case.
    """

    def __init__(
        self, match: MatchId, requests: MatchRequests, entropy: Entropy, mode: WatchMode = DEFAULT_WATCH_MODE
    ) -> None:
        promise_checks = PromiseChecks()
        self.id = match
        self.stream = MatchStream(match, requests, promise_checks, mode)
        self.own_seat = OwnSeat(self.stream, requests, promise_checks, entropy)
        self._requests = requests

    def __repr__(self) -> str:
        known, state = self.stream.known_vocabulary, self.state
        return (
            f"<MatchHandle {self.id!r} ruleset={None if known is None else known.name!r} "
            f"status={None if state is None else state.status!r} seat={self.seat} head={self.head} "
            f"open_decisions={[decision.id for decision in self.open_decisions]}>"
        )

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the seats, how the match stands, and its board."""
        return match_html(self.id, self.state)

    def _repr_svg_(self) -> str | None:
        return board_svg(self.state)

    # ------------------------------------------------------------ following

    @property
    def vocabulary(self) -> AnyVocabulary:
        """The vocabulary of the match's ruleset. Raises DecisionUnavailable before the server has named it."""
        return self.stream.vocabulary

    @property
    def state(self) -> AnyMatch | None:
        """The newest state; None before any record of the match has arrived."""
        return self.stream.state

    @property
    def match(self) -> AnyMatch:
        """The newest state. Raises DecisionUnavailable before any record of the match has arrived."""
        return self.stream.match

    @property
    def head(self) -> int:
        """The number of the last record that has arrived."""
        return self.stream.head

    @property
    def records(self) -> tuple[AnyBody, ...]:
        """All records received, the last at the end. The first is record 1, or the one after the snapshot."""
        return self.stream.log.bodies

    @property
    def seat(self) -> Seat | None:
        """The seat of this player; None without one."""
        return self.stream.seat

    @property
    def open_decisions(self) -> tuple[AnyDecision, ...]:
        """The open decisions of this player's seat."""
        return self.stream.open_decisions

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come."""
        return self.stream.is_over

    def __aiter__(self) -> "MatchHandle":
        return self

    async def __anext__(self) -> Update:
        """Return the next update. Ends after the end of the match; raises the error that ended the stream, if any."""
        return await anext(self.stream)

    async def wait_caught_up(self) -> AnyMatch:
        """Wait until everything that happened before the match was watched has arrived."""
        return await self.stream.wait_caught_up()

    async def wait_after(self, head: int) -> None:
        """Wait until a record after `head` has arrived, or none will."""
        await self.stream.wait_after(head)

    def file(self) -> bytes:
        """Return the match file of the records received, as `diskwars verify` reads it.

        It holds the secrets that have been opened for this player: all of them after the end with
        `WatchMode.push_openings` or `WatchMode.reveal_secrets`. Raises MatchUnavailable without the history.
        """
        return self.stream.log.file()

    async def leave(self) -> None:
        """Stop watching the match."""
        await self._requests.unwatch(self.id)
        self.stream._on_end(MatchUnavailable(f"match {self.id} is not watched any more"))

    # ------------------------------------------------------------ acting

    async def act(self, decision: AnyDecision | None, action: AnyAction) -> Accepted:
        """Answer a decision; None for what answers none. Raises CommandRefused.

        The secrets of the seat are put into an action of the ruleset that carries them, in place of what it holds. It
        is refused as not_in_control where another device of the player is in control: `own_seat.take_control` first.
        When this returns, `state` is the one after the action. Cancelled, the action may still be carried out.
        """
        return await self.own_seat.act(decision, action)

    async def options(self, decision: AnyDecision, include_unavailable: bool = False) -> AnyOptions:
        """Return what could be answered to an own open decision. Raises CommandRefused.

        Nothing is requested where options are pushed. `include_unavailable` says also what is not among them, and why.
        """
        raw, mode = None, self.stream.mode
        if mode.push_options and (mode.include_unavailable or not include_unavailable):
            raw = await self.stream.wait_for_options(decision)
        if raw is None:
            raw = await self._requests.options(self.id, decision.id, include_unavailable)
        return self.vocabulary.decode_options(raw)

    async def take_seat(self, loadout: Struct, seat: Seat | None = None) -> Seat:
        """Take a seat, any free one if none is named. Raises CommandRefused, DecisionUnavailable when there is no such
        free seat.
        """
        return await self.own_seat.take(loadout, seat)

    async def ready(self) -> Accepted:
        """Open the first link of the chain."""
        return await self.own_seat.make_ready()

    async def take_seat_back(self) -> Accepted:
        """Play on in the own seat, which a bot plays since too many answers were missed. An answer does that too."""
        return await self.act(None, TakeSeatBack())

    async def leave_seat(self) -> Accepted:
        """Give up the own seat before the match begins, and forget its secrets. Raises CommandRefused."""
        return await self.own_seat.leave()

    async def kick_player(self, seat: Seat) -> None:
        """Remove the player of a seat before the match begins, as its opener. Raises CommandRefused."""
        await self._requests.kick_player(self.id, seat)

    async def resign(self) -> Accepted:
        return await self.act(None, Resign())

    async def offer(self, offer: Offer) -> Accepted:
        """Offer a draw, a takeback or a pause to the other players. Raises CommandRefused."""
        return await self.act(None, MakeOffer(offer))

    async def answer_offer(self, *, agree: bool) -> Accepted:
        """Agree to the open offer, refuse it, or withdraw the own one.

        Raises CommandRefused, DecisionUnavailable when there is none.
        """
        if self.match.offer is None:
            raise DecisionUnavailable(f"match {self.id}: no offer is open")
        return await self.act(None, AnswerOffer(self.match.offer.id, agree))

    async def take_back(self, record: int | None = None) -> Accepted:
        """Take back the own answers after a record, by default the last one. Raises CommandRefused."""
        return await self.act(None, TakeBack(self.head - 1 if record is None else record))

    async def resume_play(self) -> Accepted:
        """End a pause. Raises CommandRefused."""
        return await self.act(None, ResumePlay())
