"""Verification of the rules: decide the recorded actions again with the recorded content and dice."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from diskwars_client.plugs.file_checks import FileChecks
from diskwars_client.verification.published_dice import DiceStep, PublishedChain
from diskwars_client.verification.record_checks import check_closing, check_stopping, check_vacancy
from diskwars_engine.branches import BranchStart
from diskwars_engine.match import AnyRules, Command, MatchOpening, MatchRules
from diskwars_engine.match_dice import NO_KNOWN_DICE, MatchSecrets
from diskwars_engine.record_codec import RecordCodec, RecordMeta
from diskwars_engine.ruleset import Illegal
from diskwars_protocol.match.actions import Close, Kick, Resign, Stop, TakeSeat
from diskwars_protocol.match.decisions import Pack
from diskwars_protocol.match.events import MatchEnded, MatchOpened, PositionSet, SeatTaken
from diskwars_protocol.match.ids import HOUSE, PlayerId, Seat
from diskwars_protocol.match.state import AnyBody, Match
from diskwars_protocol.records.canonical import JsonPath
from diskwars_protocol.records.fairness import SALT_BYTES
from diskwars_protocol.records.records import BadRecord


class ActionRefused(BadRecord):
    """Error for a recorded action that the rules refuse; `rule` is the id of a rule, or empty."""

    def __init__(self, seq: int, illegal: Illegal) -> None:
        super().__init__(seq, f"the rules refuse this action, {illegal}")
        self.rule = illegal.rule


def rules_verifier_for(
    bodies: Sequence[AnyBody], steps: Sequence[DiceStep], checks: FileChecks
) -> "RulesVerifier | None":
    """None when the file does not hold what is needed; what is wrong with it is found where it stands."""
    try:
        return RulesVerifier(bodies, steps, checks)
    except (LookupError, ValueError):
        return None


class RulesVerifier:
    """Decides every action of a finished match once more, with its dice and its content."""

    def __init__(self, bodies: Sequence[AnyBody], steps: Sequence[DiceStep], checks: FileChecks) -> None:
        opened, ended = bodies[0].events[0], bodies[-1].events[-1]
        if not isinstance(opened, MatchOpened) or not isinstance(ended, MatchEnded):
            raise ValueError("a whole match goes from match_opened to match_ended")
        self._checks, self._bodies, self._opener = checks, bodies, opened.opener
        links = [opened.anchor, *(step.link for step in steps)]
        self._secrets = MatchSecrets(b"", bytes.fromhex(ended.deal_secret), PublishedChain(links))
        self._rules: AnyRules = MatchRules(checks.ruleset())
        self._codec = RecordCodec(self._rules, opened.match, opened.seat_count)
        self._dice = NO_KNOWN_DICE

    def redecide(self, seq: int, match: Match[Any, Any] | None, body: AnyBody) -> AnyBody:
        """Decide the action of record `seq` again; return the recorded body if these rules cannot judge it."""
        if not self._checks.can_redecide(seq, body):
            return body
        try:
            if match is None:
                return self._redecide_opening(body)
            if isinstance(body.action, Close):
                check_closing(seq, match, body)
                return self._rules.close(match, body.at_ms, self._secrets, body.actor or "").body
            if isinstance(body.action, Stop):
                check_stopping(seq, match, body)
                return self._rules.stop(match, body.at_ms, self._secrets).body
            if isinstance(body.action, Kick):
                check_vacancy(seq, match, body)
                return self._rules.kick(match, seq - 1, body.at_ms, self._opener, body.action).body
            else:
                player = acting_player(match, body)
                command = Command(player, body.decision, body.action, body.at_ms, lag_ms=body.lag_ms)
                self._check_default(seq, match, body)
                before = self._bodies[: seq - 1]
                outcome = self._rules.decide(match, seq - 1, command, self._secrets, self._dice, before)
                self._dice = outcome.dice
                return outcome.body
        except Illegal as illegal:
            raise ActionRefused(seq, illegal) from None
        except BadRecord:
            raise
        except Exception as fault:  # a stranger's file may ask for anything
            raise BadRecord(seq, f"this action cannot be decided again, {type(fault).__name__}: {fault}") from None
        raise BadRecord(seq, "a match begins with match_opened")

    def seats_that_see(self, seq: int, body: AnyBody) -> dict[JsonPath, tuple[Seat, ...]]:
        """Return which seats may see each secret of a record from the beginning, by its path."""
        meta = RecordMeta(PlayerId(""), "")
        sealed = self._codec.seal(body, seq, b"", meta, lambda: bytes(SALT_BYTES))
        return {opening.path: opening.seats for opening in sealed.openings}

    def _check_default(self, seq: int, match: Match[Any, Any], body: AnyBody) -> None:
        """For a seat whose time is up the house plays the action of the rules and no other."""
        if body.actor is None:
            return
        decision = next((open_ for open_ in match.decisions if open_.id == body.decision), None)
        if decision is None:
            return  # refused by the rules as any action that answers no open decision
        if match.seats[decision.seat].substitute and not isinstance(body.action, Resign):
            return  # a substitute chooses as it likes
        if body.action != self._rules.house_action(match, decision, self._secrets, self._dice):
            raise BadRecord(seq, "the house has not answered as the rules do for a seat whose time is up")

    def _redecide_opening(self, body: AnyBody) -> AnyBody:
        first = body.events[0] if body.events else None
        if not isinstance(first, MatchOpened):
            raise ValueError("no action, and no match_opened")
        opening = MatchOpening(
            match=first.match,
            settings=first.settings,
            seat_count=first.seat_count,
            opener=first.opener,
            at_ms=body.at_ms,
            repeatable=first.repeatable,
            options=first.match_options,
            branch=_recorded_branch(body, first.packs),
        )
        right = self._rules.open(opening, self._secrets).body
        opened = replace(
            right.events[0], deal_commitment=first.deal_commitment
        )  # held against its secret where that is opened, at the end
        return replace(right, events=(opened, *right.events[1:]))


def _recorded_branch(body: AnyBody, packs: tuple[Pack, ...]) -> BranchStart | None:
    """Return what a branch was opened with: its position is a fact, which only the parent could confirm."""
    position = next((event.position for event in body.events if isinstance(event, PositionSet)), None)
    return None if position is None else BranchStart(position, packs)


def acting_player(match: Match[Any, Any], body: AnyBody) -> PlayerId:
    """Return the player who acted; taking a seat names its player only afterwards."""
    if body.actor is not None:
        return HOUSE
    if isinstance(body.action, TakeSeat):
        return next((event.player for event in body.events if isinstance(event, SeatTaken)), PlayerId(""))
    return PlayerId("") if body.seat is None else match.seats[body.seat].player or PlayerId("")
