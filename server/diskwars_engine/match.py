"""One match of any ruleset: seats, readiness, dice steps, decisions, resignation, end."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from diskwars_engine import agreements, seat_control, takebacks, vacancies
from diskwars_engine.branches import BranchStart, begin_branch
from diskwars_engine.lag_credit import credited_lag
from diskwars_engine.match_dice import NO_KNOWN_DICE, KnownDice, MatchDice, MatchSecrets
from diskwars_engine.match_views import MatchViews
from diskwars_engine.option_checks import check_options
from diskwars_engine.ruleset import Illegal, Outcome, Ruleset, UnreadableCursor
from diskwars_engine.work_budget import require_few_options
from diskwars_protocol.match.actions import (
    UNPROMPTED_ACTIONS,
    AnswerOffer,
    Close,
    Kick,
    LeaveSeat,
    MakeOffer,
    Ready,
    ReadyQuestion,
    ReplaceChain,
    Resign,
    ResumePlay,
    SeatQuestion,
    Stop,
    TakeBack,
    TakebackOffer,
    TakeSeat,
    TakeSeatBack,
)
from diskwars_protocol.match.decisions import Decision, Options, Pack, Result
from diskwars_protocol.match.events import (
    MATCH_EVENT_TYPES,
    MatchEnded,
    MatchOpened,
    PositionSet,
    SeatReady,
    SeatResigned,
    SeatTaken,
    TakebackMade,
)
from diskwars_protocol.match.ids import (
    HOUSE,
    PUBLIC,
    Actor,
    DecisionId,
    MatchId,
    PlayerId,
    Seat,
    Viewer,
    seat_letter,
)
from diskwars_protocol.match.match_fold import close_record, fold_event
from diskwars_protocol.match.match_options import DEFAULT_MATCH_OPTIONS, MatchOptions
from diskwars_protocol.match.state import Match, RecordBody
from diskwars_protocol.match.substitutes import substitution_of
from diskwars_protocol.match.vocabulary import WithSecrets
from diskwars_protocol.records.canonical import NotCanonical, encode_canonical
from diskwars_protocol.records.fairness import (
    SERVER_CHAIN_LENGTH,
    ChainExhausted,
    command_digest,
    deal_commitment,
)

A = TypeVar("A")
Q = TypeVar("Q")
B = TypeVar("B")


class MatchOpening(Struct, frozen=True):
    """The way in which a match is opened. `branch` is there if it plays on from a moment of another."""

    match: MatchId
    settings: Any
    seat_count: int
    opener: PlayerId
    at_ms: int
    repeatable: bool = False
    options: MatchOptions = DEFAULT_MATCH_OPTIONS
    branch: BranchStart | None = None


class Command(Struct, Generic[A], frozen=True):
    """An answer of a player. `decision` is None for what answers none (resigning).

    The player `HOUSE` answers for the seat of the decision.
    `digest` is its own, where that is known already. `lag_ms` is the lag that the server has measured on the connection
    of the player; the record says how much of it is credited. `chain_head` is the newest link of the seat as the
    player's device knows it: if another device has taken over since, the command is refused.
    """

    player: PlayerId
    decision: DecisionId | None
    action: A
    at_ms: int
    digest: str = ""
    lag_ms: int = 0
    chain_head: str | None = None


class MatchOutcome(Struct, Generic[A, Q, B], frozen=True):
    """A record before it is sealed, the state after it, and the dice as far as they are known then."""

    body: RecordBody[A, Q, Any]
    match: Match[Q, B]
    dice: KnownDice = NO_KNOWN_DICE


def digest_of(command: Command[A]) -> str:
    """Return what makes a command the same command again: SHA-256 over its decision and action."""
    return command_digest(encode_canonical([command.decision, command.action]))


class MatchRules(MatchViews[A, Q, B]):
    """One match of a ruleset as pure functions: `decide` judges, `apply` folds, `view` and `redact` hide."""

    def __init__(self, ruleset: Ruleset[A, Q, B]) -> None:
        super().__init__(ruleset)
        self.vocabulary = ruleset.vocabulary

    @property
    def name(self) -> str:
        return self.vocabulary.name

    # ------------------------------------------------------------ deciding

    def open(self, opening: MatchOpening, secrets: MatchSecrets) -> MatchOutcome[A, Q, B]:
        """Return the first record. Raises `Illegal` for seats and options that no match of this ruleset can have."""
        if opening.seat_count not in self.ruleset.seat_counts:
            allowed = ", ".join(str(count) for count in self.ruleset.seat_counts)
            raise Illegal(
                "bad_settings", f"{opening.seat_count} seats; {self.name} has {allowed}", place="$.seat_count"
            )
        check_options(opening.options)
        branch = opening.branch
        if opening.options.rated and opening.repeatable:
            problem = "the dice of this server follow from a seed, so no match can be rated"
            raise Illegal("bad_match_options", problem, place="$.match_options.rated")
        opened = MatchOpened(
            match=opening.match,
            ruleset=self.name,
            rules_version=self.ruleset.rules_version,
            settings=self._normal_settings(opening.settings),
            seat_count=opening.seat_count,
            anchor=secrets.chain.anchor.hex(),
            deal_commitment=deal_commitment(secrets.deal_secret),
            opener=opening.opener,
            repeatable=opening.repeatable,
            packs=tuple(self.ruleset.packs) if branch is None else branch.packs,
            match_options=opening.options,
        )
        decisions = self._decisions((), [(seat, SeatQuestion()) for seat in range(opening.seat_count)], 1)
        events: tuple[Any, ...] = (opened,) if branch is None else (opened, PositionSet(branch.position))
        body: RecordBody[A, Q, Any] = RecordBody(at_ms=opening.at_ms, events=events, decisions=decisions)
        return MatchOutcome(body, self.fold(None, body))

    def _normal_settings(self, settings: Any) -> Any:
        """Return settings as they are decoded from JSON.

        msgspec leaves out a default by its identity. Text that is equal to the default but another object, such as
        settings that came from another process, would be written, and the record would have a second spelling.
        """
        return msgspec.convert(msgspec.to_builtins(settings), self.vocabulary.settings)

    def decide(
        self,
        match: Match[Q, B],
        head: int,
        command: Command[A],
        secrets: MatchSecrets,
        known: KnownDice = NO_KNOWN_DICE,
        bodies: Sequence[RecordBody[A, Q, Any]] | None = None,
    ) -> MatchOutcome[A, Q, B]:
        """Return the record that a command makes, and the state after it; `head` is the seq of the last record.

        `known` are the dice that the decision before returned. `bodies` are all records so far: they are needed where
        `takes_back` says so. Raises `Illegal`; changes nothing.
        """
        answered, seat = _find_decision(match, command, self.seat_of(match, command.player))
        if command.chain_head is not None:
            seat_control.require_control(match, seat, command.chain_head)
        digest = _command_digest(command)
        if isinstance(command.action, agreements.CONSENTS):
            target = agreements.takeback_target(match, seat, command.action)
            if target is not None:
                return self._take_back(match, seat, target, command, digest, bodies or (), known)
        dice = MatchDice(match, secrets, known, head + 1, self.vocabulary.asks_for_nonces)
        try:
            outcome = self._consequences(match, answered, seat, command, dice)
        except UnreadableCursor as error:
            raise _named(error, match) from error
        except ChainExhausted:
            if match.step < SERVER_CHAIN_LENGTH:  # a chain with missing links, in the file of a stranger
                raise
            text = f"all {SERVER_CHAIN_LENGTH} steps of the dice are used: the match can only be resigned"
            raise Illegal("dice_exhausted", text, numbers={"steps": SERVER_CHAIN_LENGTH}) from None
        acting = _acting_part(match, command, seat)
        if match.match_options.on_missed_limit == "bot":
            outcome = replace(outcome, events=[*substitution_of(match, acting), *outcome.events])
        after = self._apply_match_events(match, outcome.events)
        result = self._result(match, after, outcome.board, answered, seat, command.action)
        draw_index, known_now = dice.progress()
        events = outcome.events
        decisions: tuple[Decision[Q], ...] = ()
        if result is None:
            decisions = self._decisions_after(match, answered, after, outcome, head + 1)
        else:
            ended = MatchEnded(secrets.chain.link(after.step).hex(), secrets.deal_secret.hex())
            events, after = [*events, ended], self.apply(after, ended)
        body: RecordBody[A, Q, Any] = replace(
            acting,
            digest=digest,
            events=tuple(events),
            decisions=None if result is not None or decisions == match.decisions else decisions,
            draw_index=None if draw_index == after.draw_index else draw_index,
            cursor=outcome.cursor,
            result=result,
            rules_version=None if match.rules_version == self.ruleset.rules_version else self.ruleset.rules_version,
        )
        if body.draw_index is not None:
            after = replace(after, draw_index=body.draw_index)
        if body.rules_version is not None:
            after = replace(after, rules_version=body.rules_version)
        return MatchOutcome(body, close_record(after, body, decisions, outcome.board), known_now)

    def _apply_match_events(self, match: Match[Q, B], events: Sequence[Any]) -> Match[Q, B]:
        for event in events:
            if type(event) in MATCH_EVENT_TYPES:
                match = self.apply(match, event)
        return match

    def _decisions_after(
        self,
        match: Match[Q, B],
        answered: Decision[Q] | None,
        after: Match[Q, B],
        outcome: Outcome[B | None, Q],
        seq: int,
    ) -> tuple[Decision[Q], ...]:
        """Return the decisions that are open after record `seq`, which answers one that was open in `match`."""
        open_questions = outcome.questions if outcome.board is not None else self._questions(after)
        still = tuple(decision for decision in match.decisions if decision != answered)
        decisions = self._decisions(still, open_questions, seq)
        if not decisions:
            # A mistake of the ruleset: stored, it would be a match that never ends.
            raise ValueError(f"{self.name} asks nobody, and has no result")
        return decisions

    def takes_back(self, match: Match[Q, B], player: PlayerId, action: A) -> bool:
        """Return whether `decide` needs all records for an action of a player: it takes back some of them."""
        if not isinstance(action, agreements.CONSENTS):
            return False
        seat = self.seat_of(match, player)
        return seat is not None and agreements.takeback_target(match, seat, action) is not None

    def _take_back(
        self,
        match: Match[Q, B],
        seat: Seat,
        target: int,
        command: Command[A],
        digest: str,
        bodies: Sequence[RecordBody[A, Q, Any]],
        known: KnownDice,
    ) -> MatchOutcome[A, Q, B]:
        """Return the record that goes back to record `target`, and the state after it. Raises `Illegal`."""
        if not bodies:
            raise ValueError("a takeback needs all records")
        if match.paused:
            raise Illegal("paused", "the match is paused: resume it first")
        before = takebacks.target_state(self, match, seat, target, bodies)
        if isinstance(command.action, TakeBack):
            takebacks.check_free(self, match, before, seat, target, bodies)
        version = self.ruleset.rules_version
        body: RecordBody[A, Q, Any] = RecordBody(
            at_ms=command.at_ms,
            seat=seat,
            action=command.action,
            digest=digest,
            events=(TakebackMade(seat),),
            taken_back_to=target,
            rules_version=None if match.rules_version == version else version,
        )
        body, after = takebacks.takeback_body(self, match, before, bodies, body)
        return MatchOutcome(body, after, known)

    def close(
        self, match: Match[Q, B], at: int, secrets: MatchSecrets, actor: Actor, reason: str | None = None
    ) -> MatchOutcome[Any, Q, B]:
        """Return the record by which "house" or "opener" ends a match that has not begun. Raises `Illegal`."""
        if match.status == "ended":
            raise Illegal("match_ended", "the match is over")
        if match.status != "open":
            raise Illegal("has_begun", "the match has begun: only its players can end it, by resigning")
        return self._end(match, at, secrets, actor, Close(reason), Result("closed"))

    def stop(self, match: Match[Q, B], at: int, secrets: MatchSecrets) -> MatchOutcome[Any, Q, B]:
        """Return the record by which the house ends a match that has begun, for an operator. Raises `Illegal`."""
        if match.status != "running":
            raise Illegal("match_ended", "only a match that is under way can be stopped")
        return self._end(match, at, secrets, "house", Stop(), Result("stopped"))

    def _end(
        self, match: Match[Q, B], at: int, secrets: MatchSecrets, actor: Actor, action: Any, result: Result
    ) -> MatchOutcome[Any, Q, B]:
        ended = MatchEnded(secrets.chain.link(match.step).hex(), secrets.deal_secret.hex())
        body: RecordBody[Any, Q, Any] = RecordBody(
            at_ms=at,
            actor=actor,
            action=action,
            digest=command_digest(encode_canonical([None, action])),
            events=(ended,),
            result=result,
            rules_version=None if match.rules_version == self.ruleset.rules_version else self.ruleset.rules_version,
        )
        after = replace(self.apply(match, ended), rules_version=self.ruleset.rules_version)
        return MatchOutcome(body, close_record(after, body, (), match.board))

    def kick(self, match: Match[Q, B], head: int, at: int, opener: PlayerId, action: Kick) -> MatchOutcome[Any, Q, B]:
        """Return the record by which the opener removes a player; `head` is the seq of the last record.

        The caller checks who is the opener. Raises `Illegal`. It answers no decision and belongs to no seat.
        """
        events = vacancies.kick(match, opener, action.seat, head + 1)
        after = self._apply_match_events(match, events)
        version = self.ruleset.rules_version
        body: RecordBody[Any, Q, Any] = RecordBody(
            at_ms=at,
            actor="opener",
            action=action,
            digest=command_digest(encode_canonical([None, action])),
            events=tuple(events),
            decisions=self._decisions(match.decisions, self._questions(after), head + 1),
            rules_version=None if match.rules_version == version else version,
        )
        return MatchOutcome(body, self.fold(match, body))

    def _consequences(
        self, match: Match[Q, B], decision: Decision[Q] | None, seat: Seat, command: Command[A], dice: MatchDice
    ) -> Outcome[B | None, Q]:
        """Return the consequences of an action; before the game has begun the board is None, without questions."""
        action = command.action
        match action:
            case Resign():
                return self._resign(match, seat, dice)
            case ReplaceChain():
                replaced = seat_control.replace_chain(match, seat, action.chain_head)
                open_questions = tuple((open_.seat, open_.question) for open_ in match.decisions)
                return Outcome([replaced], match.board, open_questions)
            case MakeOffer() | AnswerOffer() | ResumePlay():
                return self._agree(match, seat, action, command.at_ms, dice)
            case TakeSeatBack():
                agreements.take_seat_back(match, seat)
                return Outcome([], match.board, tuple((open_.seat, open_.question) for open_ in match.decisions))
            case LeaveSeat():
                return Outcome(vacancies.leave_seat(match, seat, dice.record), None, ())
            case TakeSeat() if decision is not None and isinstance(decision.question, SeatQuestion):
                vacancies.require_welcome(match, command.player)
                seat_control.check_head(action.chain_head)
                _check_packs(match, self.ruleset.packs)
                loadout = action.loadout
                if match.position is None:  # in a branch, what its seats play with is on the board already
                    loadout = self.ruleset.complete_loadout(match.settings, loadout)
                return Outcome([SeatTaken(seat, command.player, action.chain_head, loadout)], None, ())
            case Ready() if decision is not None and isinstance(decision.question, ReadyQuestion):
                return self._ready(match, seat, str(action.seat_nonce), dice)
        if decision is None or match.board is None or isinstance(decision.question, SeatQuestion | ReadyQuestion):
            raise Illegal("wrong_action", "this action does not answer that decision", place="$.action")
        return self.ruleset.decide(match.board, seat, decision.question, action, dice)

    def _ready(self, match: Match[Q, B], seat: Seat, seat_nonce: str, dice: MatchDice) -> Outcome[B | None, Q]:
        """Mark a seat as ready. When it is the last one, begin step 1 of the dice and the setup."""
        events: list[Any] = [dice.open_seat_nonce(seat, seat_nonce), SeatReady(seat)]
        if not all(seat_state.ready for number, seat_state in enumerate(match.seats) if number != seat):
            return Outcome(events, None, ())
        _check_packs(match, self.ruleset.packs)
        events.append(dice.begin_step())
        if match.position is not None:
            return begin_branch(self.ruleset, match, events)
        loadouts = [seat_state.loadout for seat_state in match.seats if seat_state.loadout is not None]
        started = self.ruleset.start(match.settings, loadouts, dice)
        return replace(started, events=[*events, *started.events])

    def _agree(
        self,
        match: Match[Q, B],
        seat: Seat,
        action: MakeOffer | AnswerOffer | ResumePlay,
        at_ms: int,
        dice: MatchDice,
    ) -> Outcome[B | None, Q]:
        """Return the consequences of an action that concerns the players and not the board."""
        events: list[Any]
        match action:
            case MakeOffer():
                if isinstance(action.offer, TakebackOffer) and not 0 < action.offer.record < dice.record - 1:
                    raise Illegal("bad_takeback", "no record before the last is named", place="$.action.offer.record")
                events = agreements.make_offer(match, seat, action.offer, dice.record)
            case AnswerOffer():
                events = agreements.answer_offer(match, seat, action)
            case ResumePlay():
                events = agreements.resume_play(match, seat, at_ms)
        return Outcome(events, match.board, tuple((open_.seat, open_.question) for open_ in match.decisions))

    def _resign(self, match: Match[Q, B], seat: Seat, dice: MatchDice) -> Outcome[B | None, Q]:
        resigned = SeatResigned(seat)
        if match.board is None:
            return Outcome([resigned], None, ())
        outcome = self.ruleset.resign(match.board, seat, dice)
        return replace(outcome, events=[resigned, *outcome.events])

    def _result(
        self,
        before: Match[Q, B],
        after: Match[Q, B],
        board: B | None,
        answered: Decision[Q] | None,
        seat: Seat,
        action: A,
    ) -> Result | None:
        """Return how an action of a seat ends the match, whose decision it may answer; None if it does not."""
        if isinstance(action, agreements.CONSENTS) and agreements.agrees_on_draw(before, seat, action):
            return Result("draw_agreed")
        if board is not None:
            result = self.ruleset.result(board)
            if result is not None and result.end_reason not in self.vocabulary.end_reasons:
                # A mistake of the ruleset: stored, it would be a record that nobody can read.
                raise ValueError(f"{result.end_reason!r} is no end reason of {self.name}")
            # Only the match knows that the last opponent has left; to the board that seat is out like any other. Play
            # may also go on without the seat and end for another reason, which then stands.
            is_last_side = result is not None and result.end_reason in self.vocabulary.last_side_reasons
            if result is not None and is_last_side and isinstance(action, Resign):
                return agreements.result_of_leaving(before, answered, seat, result)
            return result
        if any(seat_state.resigned for seat_state in after.seats):
            return Result("abandoned")
        return None

    def _questions(self, match: Match[Q, B]) -> Sequence[tuple[Seat, Any]]:
        """Return the questions before the game begins: free seats, then players who are not ready."""
        free = [(seat, SeatQuestion()) for seat, seat_state in enumerate(match.seats) if not seat_state.player]
        if free:
            return free
        return [(seat, ReadyQuestion()) for seat, seat_state in enumerate(match.seats) if not seat_state.ready]

    def _decisions(
        self, still: Sequence[Decision[Q]], questions: Sequence[tuple[Seat, Any]], seq: int
    ) -> tuple[Decision[Q], ...]:
        """Give each question its id: the old one if it was open before, otherwise this record and the slot."""
        known = list(still)
        # Annotated, since a type that is subscripted here is looked up in each call.
        decisions: list[Decision[Q]] = []
        for slot, (seat, question) in enumerate(questions):
            for before in known:
                if before.seat == seat and before.question == question:
                    known.remove(before)  # a seat may have several questions open; each decision is taken over once
                    decisions.append(before)
                    break
            else:
                decisions.append(Decision(DecisionId(f"{seq}.{slot}"), seat, question))
        return tuple(decisions)

    # ------------------------------------------------------------ folding

    def apply(self, match: Match[Q, B] | None, event: Any) -> Match[Q, B]:
        """Return the match after one more event of a record."""
        return fold_event(match, event, self.vocabulary.fold_board)

    def fold(self, match: Match[Q, B] | None, body: RecordBody[A, Q, Any]) -> Match[Q, B]:
        """Return the match after one more record. Raises `RefoldRequired` on a takeback."""
        return self.vocabulary.fold(match, body)

    def fold_log(self, bodies: Sequence[RecordBody[A, Q, Any]]) -> Match[Q, B]:
        """Return the state after a whole log."""
        return self.vocabulary.fold_log(bodies)

    def fold_takeback(
        self, before: Match[Q, B], undone: Sequence[RecordBody[A, Q, Any]], body: RecordBody[A, Q, Any]
    ) -> Match[Q, B]:
        """Return the state after the takeback `body` to the state `before`; `undone` are all records between them."""
        return self.vocabulary.fold_takeback(before, undone, body)

    # ------------------------------------------------------------ asking

    def seat_of(self, match: Match[Q, B], player: PlayerId) -> Seat | None:
        """Return where a player sits."""
        for seat, seat_state in enumerate(match.seats):
            if seat_state.player == player and player:
                return seat
        return None

    def viewer_of(self, match: Match[Q, B], player: PlayerId) -> Viewer:
        """Return which viewer a player is: a seat, or the public."""
        seat = self.seat_of(match, player)
        return PUBLIC if seat is None else seat

    def options(self, match: Match[Q, B], decision: Decision[Q]) -> Options[A, Any, Any]:
        """Return the legal answers to an open decision. Raises `WorkExceeded` for too many.

        None are listed to take a seat, which needs a loadout.
        """
        if isinstance(decision.question, ReadyQuestion):
            ready: Any = Ready()  # an action of every ruleset
            return Options((ready,), to_complete=("seat_nonce",))
        if match.board is None:
            return Options()
        with _naming(match):
            options = self.ruleset.options(match.board, decision.seat, decision.question)
        require_few_options(options)
        fields = _fields_to_complete(options, self.vocabulary.with_secrets)
        return replace(options, to_complete=fields) if fields else options

    def options_with_unavailable(self, match: Match[Q, B], decision: Decision[Q]) -> Options[A, Any, Any]:
        """Return the options, and why others are not among them. Raises `WorkExceeded` for too many."""
        options = self.options(match, decision)
        if match.board is None or isinstance(decision.question, ReadyQuestion):
            return options
        with _naming(match):
            unavailable = self.ruleset.unavailable(match.board, decision.seat, decision.question)
        options = replace(options, unavailable=unavailable)
        require_few_options(options)
        return options

    def house_action(
        self, match: Match[Q, B], decision: Decision[Q], secrets: MatchSecrets, known: KnownDice = NO_KNOWN_DICE
    ) -> A | Resign:
        """Return the answer of `HOUSE` for a seat whose time is up."""
        if agreements.must_resign(match, decision.seat):
            return Resign()
        return self.default(match, decision, secrets, known)

    def default(
        self, match: Match[Q, B], decision: Decision[Q], secrets: MatchSecrets, known: KnownDice = NO_KNOWN_DICE
    ) -> A:
        """Return a legal answer to an open decision of the board."""
        if match.board is None:
            raise Illegal("wrong_action", "nobody can take a seat or get ready for another player")
        # record 0: an answer makes no record by itself
        dice = MatchDice(match, secrets, known, 0, self.vocabulary.asks_for_nonces)
        with _naming(match):
            return self.ruleset.default(match.board, decision.seat, decision.question, dice)


@contextmanager
def _naming(match: Match[Any, Any]) -> Iterator[None]:
    """Name the match in an `UnreadableCursor`, which the ruleset raises without knowing it."""
    try:
        yield
    except UnreadableCursor as error:
        raise _named(error, match) from error


def _named(error: UnreadableCursor, match: Match[Any, Any]) -> UnreadableCursor:
    return UnreadableCursor(f"match {match.match} cannot go on under these rules: {error.text}")


def _find_decision(match: Match[Q, Any], command: Command[Any], own: Seat | None) -> tuple[Decision[Q] | None, Seat]:
    """Return the decision that a command answers, and the seat that answers it; `own` is that of its player."""
    if match.status == "ended":
        raise Illegal("match_ended", "the match is over")
    is_house_resigning = command.player == HOUSE and isinstance(command.action, Resign)
    if command.decision is None:
        if own is None:
            raise Illegal("no_seat", "only a player of this match may do that")
        if not isinstance(command.action, UNPROMPTED_ACTIONS):
            raise Illegal("wrong_action", "this action has to name the decision that it answers", place="$.decision")
        return None, own
    if isinstance(command.action, UNPROMPTED_ACTIONS) and not is_house_resigning:
        raise Illegal("wrong_action", "this action answers no decision", place="$.decision")
    if match.paused:
        raise Illegal("paused", "the match is paused: any player may resume it")
    for decision in match.decisions:
        if decision.id == command.decision:
            break
    else:
        raise _not_open_error(match, own, command)
    if command.player == HOUSE:
        if isinstance(decision.question, SeatQuestion | ReadyQuestion):
            raise Illegal("wrong_action", "the house can neither take a seat nor get ready")
        if is_house_resigning and not agreements.must_resign(match, decision.seat):
            raise Illegal("wrong_action", "the house resigns only for a seat that has missed too many answers")
    elif isinstance(decision.question, SeatQuestion):
        if own is not None:
            raise Illegal("already_seated", f"you sit on seat {seat_letter(own)}")
    elif own is None:
        raise Illegal("no_seat", "only a player of this match may decide")
    elif own != decision.seat:
        belongs = f"belongs to seat {seat_letter(decision.seat)}; yours is {seat_letter(own)}"
        raise Illegal("not_your_seat", f"decision {decision.id} {belongs}", place="$.decision")
    return decision, decision.seat


def _not_open_error(match: Match[Any, Any], own: Seat | None, command: Command[Any]) -> Illegal:
    if own is None and match.status == "open":
        return Illegal("seat_taken", "somebody else was quicker")
    if own is None:
        return Illegal("no_seat", "only a player of this match may decide")
    if isinstance(command.action, TakeSeat):
        return Illegal("already_seated", f"you sit on seat {seat_letter(own)}")
    if any(open_.seat == own for open_ in match.decisions):
        return Illegal("stale_decision", f"decision {command.decision} is not open", place="$.decision")
    return Illegal("not_your_turn", "no decision of yours is open", place="$.decision")


def has_packs(match: Match[Any, Any], packs_here: Sequence[Pack]) -> bool:
    """Return whether a match that has not begun can begin with these packs: it needs those that it was opened with.

    A branch has the figures of its position.
    """
    wanted = [pack.hash for pack in match.packs]
    return not wanted or match.position is not None or wanted == [pack.hash for pack in packs_here]


def _check_packs(match: Match[Any, Any], packs_here: Sequence[Pack]) -> None:
    """Until it begins, a match waits for the figures that it was opened with; from then on it has them itself.

    Only hashes count: a pack whose names were corrected has a new version and the same figures.
    """
    if has_packs(match, packs_here):
        return
    here = [pack.hash for pack in packs_here]
    wanted = [pack.hash for pack in match.packs]
    missing = [pack for pack in match.packs if pack.hash not in here]
    text = "it is played without " if not missing else "the server does not have "
    named = missing or [pack for pack in packs_here if pack.hash not in wanted]
    packs = " and ".join(f"{pack.id} {pack.version} ({pack.hash[:12]})" for pack in named)
    raise Illegal("missing_pack", f"the match was opened with other packs: {text}{packs or 'them in this order'}")


def _acting_part(match: Match[Any, Any], command: Command[A], seat: Seat) -> RecordBody[A, Any, Any]:
    """Return what a record says of who acts."""
    return RecordBody(
        at_ms=command.at_ms,
        seat=seat,
        actor="house" if command.player == HOUSE else None,
        decision=command.decision,
        action=command.action,
        lag_ms=0 if match.seats[seat].clock is None else credited_lag(match, command, seat),
    )


def _command_digest(command: Command[A]) -> str:
    """Refuse an action that no record can hold; connections have checked this already, other callers have not."""
    try:
        return command.digest or digest_of(command)
    except NotCanonical as fault:
        raise Illegal("bad_action", str(fault), place="$.action") from fault


AnyRules: TypeAlias = MatchRules[Any, Any, Any]


def _fields_to_complete(options: Options[Any, Any, Any], with_secrets: WithSecrets) -> tuple[str, ...]:
    """Return the fields that a client fills in whichever of these actions it takes."""
    fields: dict[str, None] = {}
    for action in options.actions:
        completed = with_secrets(action, lambda: "salt", lambda: "nonce")
        if completed is not action:
            names = action.__struct_fields__
            fields |= {name: None for name in names if getattr(action, name) != getattr(completed, name)}
    return tuple(fields)
